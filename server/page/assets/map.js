// The library on a plane: skills that do alike lie near each other. What can be
// seen is also there to be heard: arrow keys go from skill to skill, and the
// near-duplicates are a list.

import * as api from "./api.js";
import { count, h, hueOf, number, say, sentence, visible } from "./dom.js";
import { Plane } from "./plane.js";
import { skillAddress } from "./place.js";

const shownBooks = 14, shownPairs = 40;

export function enter(box) {
  const leaving = new AbortController();
  let plane = null;
  box.className = "map";
  box.append(h("h1", {}, "Map"), h("p.summary", {}, "Drawing …"));
  api.json("/v1/map", {}, leaving.signal)
    .then((map) => { plane = show(box, map, leaving.signal); })
    .catch((failure) => { if (failure.name !== "AbortError") box.replaceChildren(h("h1", {}, "Map"), sentence(failure)); });
  return () => { leaving.abort(); plane?.close(); };
}

function show(box, map, signal) {
  if (!map.points.length) {
    box.replaceChildren(h("h1", {}, "Map"), h("div.nothing", {}, h("p", {}, "There is nothing to draw."), h("p.remedy", {}, visible(map.reason || "there are no skills"))));
    return null;
  }
  const canvas = h("canvas", { tabindex: 0, role: "application", "aria-label": "Map of the skills", "aria-describedby": "map-keys" });
  const tip = h("div.tip", { "aria-hidden": "true", hidden: true });
  const plane = new Plane(canvas, map, {
    open: (p) => { location.hash = skillAddress(p.id).slice(1); },
    point: (p, at) => hint(tip, p, at),
  });
  const find = h("input", { type: "search", id: "find", placeholder: "Light up what fits", autocomplete: "off", spellcheck: "false" });
  box.replaceChildren(h("h1", {}, "Map"), summary(map),
    h("div.tools", {}, h("label.unseen", { for: "find" }, "Light up the skills that fit"), find,
      h("div.zoom", { role: "group", "aria-label": "Zoom" },
        h("button.button", { type: "button", "aria-label": "Closer", onclick: () => plane.zoom(1.5) }, "+"),
        h("button.button", { type: "button", "aria-label": "Farther", onclick: () => plane.zoom(1 / 1.5) }, "−"),
        h("button.button", { type: "button", onclick: () => plane.reset() }, "Whole"))),
    h("div.plane", {}, canvas, tip),
    h("p.unseen", { id: "map-keys" }, "Arrow keys go to the nearest skill in their direction, Enter opens it, plus and minus zoom."),
    legend(map, plane), pairs(map));
  listen(find, plane, signal);
  plane.start();
  return plane;
}

const summary = (map) => h("p.summary", {}, h("strong", {}, count(map.points.length, "skill")), map.total > map.points.length ? ` of ${number(map.total)}, the others have no vector yet` : "",
  `. Skills that do alike lie near each other; lines join near-duplicates. The two axes show ${Math.round(100 * (map.explained[0] + map.explained[1]))} % of what ${visible(map.embedding_model)} tells apart.`,
  map.reason ? ` ${visible(map.reason)}.` : "");

function hint(tip, p, at) {
  tip.hidden = !p;
  if (!p) return;
  tip.replaceChildren(h("strong", {}, visible(p.name)), h("span", {}, visible(p.skillbook)));
  tip.style.setProperty("--x", `${at[0]}px`);
  tip.style.setProperty("--y", `${at[1]}px`);
  tip.classList.toggle("left", at[2]);
  if (at[3]) say(`${p.name}, ${p.skillbook}`);
}

// legend names the largest books; each lights up its own.
function legend(map, plane) {
  const sizes = new Map();
  for (const p of map.points) sizes.set(p.skillbook, (sizes.get(p.skillbook) ?? 0) + 1);
  const books = [...sizes].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const box = h("div.legend", { role: "group", "aria-label": "Books" });
  const button = ([name, n]) => h("button", {
    type: "button", "aria-pressed": "false", style: { "--hue": hueOf(name).toFixed(0) },
    onclick: (event) => {
      const on = event.currentTarget.getAttribute("aria-pressed") !== "true";
      for (const b of box.querySelectorAll("[aria-pressed]")) b.setAttribute("aria-pressed", String(b === event.currentTarget && on));
      plane.light(on ? (p) => p.skillbook === name : null);
    },
  }, h("span.dot", { "aria-hidden": "true" }), visible(name) || "no book", h("span.n", {}, ` ${number(n)}`));
  box.append(...books.slice(0, shownBooks).map(button));
  if (books.length > shownBooks) box.append(h("button.more", { type: "button", onclick: (event) => event.currentTarget.replaceWith(...books.slice(shownBooks).map(button)) }, `and ${count(books.length - shownBooks, "more book")}`));
  return box;
}

function pairs(map) {
  if (!map.links.length) return h("p.remedy", {}, "No two skills are nearly alike.");
  const name = (i) => h("a", { href: skillAddress(map.points[i].id) }, visible(map.points[i].name), h("span.of", {}, visible(map.points[i].skillbook)));
  const list = h("ol.pairs", {});
  const fill = (n) => list.replaceChildren(...map.links.slice(0, n).map((l) => h("li", {}, name(l.a), name(l.b), h("span.figure", {}, l.cosine.toFixed(3)))));
  fill(shownPairs);
  return h("section", { "aria-label": "Near-duplicates" }, h("h2", {}, "Nearly alike"), h("p.remedy", {}, `${count(map.links.length, "pair")} of skills take each other's queries.`), list,
    map.links.length > shownPairs ? h("button.button.more", { type: "button", onclick: (event) => { fill(map.links.length); event.currentTarget.remove(); } }, `Show all ${number(map.links.length)}`) : null);
}

// listen lights up the hits of what is typed.
function listen(find, plane, signal) {
  let running = null;
  find.addEventListener("input", async () => {
    running?.abort();
    const mine = running = new AbortController();
    if (!find.value.trim()) return plane.light(null);
    try {
      const answer = await api.json("/v1/search", { q: find.value, limit: 20 }, AbortSignal.any?.([mine.signal, signal]) ?? mine.signal);
      const ranks = new Map(answer.hits.map((hit) => [hit.id, hit.rank]));
      plane.light((p) => ranks.has(p.id), (p) => ranks.get(p.id) <= 5);
      say(`${count(ranks.size, "skill")} lit up. First: ${answer.hits[0]?.name ?? "none"}.`);
    } catch (failure) {
      if (failure.name !== "AbortError") plane.light(null);
    }
  });
  find.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !find.value) return;
    find.value = "";
    running?.abort();
    plane.light(null);
  });
}
