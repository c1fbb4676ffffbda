// One skill: what is known of it, its instructions, its files, and why it has
// its place.

import * as api from "./api.js";
import { badges, book, count, h, say, sentence, visible } from "./dom.js";
import { address, fileAddress, searched, skillAddress } from "./place.js";
import { why } from "./why.js";

const rendered = window.trustedTypes?.createPolicy("rendered", { createHTML: (html) => html }) ?? { createHTML: (html) => html };

export function enter(box, place) {
  const leaving = new AbortController();
  const urls = []; // of pictures, to be given back
  const [id, what, name] = place.parts;
  const of = { q: place.parameters.get("q") ?? "", ranking: place.parameters.get("ranking") ?? "" };
  box.className = "skill";
  box.setAttribute("aria-busy", "true");
  show(box, { id, file: what === "file" ? name : "", of, urls, signal: leaving.signal })
    .catch((failure) => { if (failure.name !== "AbortError") box.replaceChildren(back(of), sentence(failure)); })
    .finally(() => box.removeAttribute("aria-busy"));
  return () => {
    leaving.abort();
    urls.forEach((url) => URL.revokeObjectURL(url));
    document.title = "skillsearch";
  };
}

const back = (of) => h("p.back", {}, h("a", { href: searched() }, of.q ? `← Back to “${visible(of.q)}”` : "← Back to the search"));

async function show(box, it) {
  const skill = await api.json(api.skillPath(it.id), {}, it.signal);
  document.title = `${visible(skill.name)} · skillsearch`;
  const body = h("div.body", {});
  const panel = h("div", {});
  box.replaceChildren(back(it.of), head(skill), h("div.sheet", {}, h("div.text", {}, panel, body), side(skill, it)));
  await Promise.all([
    it.file ? file(body, skill, it) : instructions(body, skill, "", it),
    it.of.q && !it.file ? why(panel, skill.id, it.of, it.signal) : null,
  ]);
  say(it.file ? `File ${it.file}` : `Skill ${skill.name}`);
}

function head(skill) {
  return h("header.head", {},
    h("h1", {}, visible(skill.name)),
    skill.title && skill.title !== skill.name ? h("p.subtitle", {}, visible(skill.title)) : null,
    h("p.lead", {}, visible(skill.description) || "It has no description."),
    h("p.provenance", {}, book(skill.skillbook), h("span.id", {}, visible(skill.id)), ...badges(skill)));
}

function side(skill, it) {
  const facts = [
    ["Source", skill.source], ["Category", skill.category], ["Code", skill.code !== skill.name && skill.code], ["Version", skill.version],
    ["Licence", skill.license], ["Works with", skill.compatibility], ["Model", skill.model], ["Allowed tools", skill.allowed_tools?.join(", ")], ["Tools", skill.tools?.join(", ")],
  ].filter(([, value]) => value);
  return h("aside", { "aria-label": "About this skill" },
    h("h2", {}, "Files"),
    h("ul.files", {},
      h("li", {}, h("a", { href: skillAddress(skill.id, it.of), "aria-current": it.file ? null : "page" }, "Instructions")),
      skill.references.map((name) => h("li", {}, h("a", { href: fileAddress(skill.id, name, it.of), "aria-current": it.file === name ? "page" : null }, visible(name))))),
    h("h2", {}, "About"),
    h("dl", {}, facts.map(([name, value]) => [h("dt", {}, name), h("dd", {}, visible(value))]),
      skill.tags?.length ? [h("dt", {}, "Tags"), h("dd.tags", {}, skill.tags.map((t) => h("a.tag", { href: address("", { tag: t }) }, visible(t))))] : null,
      h("dt", {}, "Path"), h("dd.path", {}, visible(skill.path))));
}

// instructions puts in markdown as the server rendered and cleaned it.
async function instructions(box, skill, name, it) {
  const html = await api.text(`${api.skillPath(skill.id)}/html`, { file: name }, it.signal);
  const parsed = new DOMParser().parseFromString(rendered.createHTML(html), "text/html");
  box.classList.add("markdown");
  for (const table of parsed.querySelectorAll("table")) {
    const wide = parsed.createElement("div");
    wide.className = "wide";
    table.replaceWith(wide);
    wide.append(table);
  }
  for (const scrolling of parsed.querySelectorAll("pre, .wide")) {
    scrolling.tabIndex = 0;
    scrolling.setAttribute("role", "region");
    scrolling.setAttribute("aria-label", scrolling.localName === "pre" ? "Code" : "Table");
  }
  for (const tick of parsed.querySelectorAll("input")) {
    tick.setAttribute("aria-label", tick.checked ? "done" : "to do");
    tick.disabled = true;
  }
  for (const a of parsed.querySelectorAll("a[href]")) lead(a, it);
  const pictures = [...parsed.querySelectorAll("img")].map((img) => ({ img, src: img.getAttribute("src"), alt: img.getAttribute("alt") }));
  for (const { img } of pictures) img.removeAttribute("src"); // asked for with the token, below
  box.replaceChildren(...parsed.body.childNodes);
  shift(box);
  if (!box.hasChildNodes()) box.append(h("p.remedy", {}, "There are no instructions in it."));
  await Promise.all(pictures.map(({ img, src, alt }) => load(img, src, alt, it)));
}

// shift puts the headings of a text below those of the page, without a gap, and
// keeps how large they look.
function shift(box) {
  let before = 1;
  for (const heading of box.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    const level = Number(heading.localName[1]);
    const to = Math.min(Math.max(2, level), before + 1, 6);
    const moved = h(`h${to}.level-${level}`, { id: heading.id || null });
    moved.append(...heading.childNodes);
    heading.replaceWith(moved);
    before = to;
  }
}

const beside = /^\/v1\/skills\/([^/]+)\/files\/([^#]+)(#.*)?$/;

// lead makes a link to a file one of the page, and one to a heading work.
function lead(a, it) {
  const href = a.getAttribute("href");
  const found = beside.exec(href);
  if (found) a.setAttribute("href", fileAddress(decodeURIComponent(found[1]), decodeURIComponent(found[2]), it.of));
  else if (href.startsWith("#")) {
    a.addEventListener("click", (event) => {
      event.preventDefault(); // it would be an address of a view
      document.getElementById(decodeURIComponent(href.slice(1)))?.scrollIntoView({ block: "start" });
    });
  }
}

async function load(img, src, alt, it) {
  try {
    const url = URL.createObjectURL(await api.blob(src, {}, it.signal));
    it.urls.push(url);
    img.src = url;
  } catch (failure) {
    if (failure.name !== "AbortError") img.replaceWith(h("span.remedy", {}, `[picture: ${visible(alt || src)}, which can't be shown]`));
  }
}

const longest = 400_000; // characters of a text that are shown

async function file(box, skill, it) {
  box.append(h("h2.filename", {}, visible(it.file)));
  const inside = h("div", {});
  box.append(inside);
  if (/\.(md|markdown)$/i.test(it.file)) {
    try { return await instructions(inside, skill, it.file, it); } catch (failure) { if (failure.status !== 422) throw failure; }
  }
  const answer = await api.ask(api.filePath(skill.id, it.file), {}, it.signal);
  const kind = answer.headers.get("Content-Type") ?? "";
  if (kind.startsWith("image/")) {
    const url = URL.createObjectURL(await answer.blob());
    it.urls.push(url);
    inside.append(h("img.picture", { src: url, alt: visible(it.file) }));
  } else if (kind.startsWith("text/") || kind.startsWith("application/json")) {
    const all = await answer.text();
    const shown = all.slice(0, longest);
    inside.append(h("p.remedy", {}, `${count(all.split("\n").length, "line")}${shown.length < all.length ? `; the first ${longest.toLocaleString("en")} characters` : ""}`),
      h("pre.source", { tabindex: 0, role: "region", "aria-label": "Text of the file" }, h("code", {}, visible(shown))));
  } else {
    const content = await answer.blob();
    const url = URL.createObjectURL(content);
    it.urls.push(url);
    inside.append(h("p", {}, `This file is no text (${count(content.size, "byte")}). `, h("a.button", { href: url, download: it.file.split("/").pop() }, "Download")));
  }
}
