// How the server is: what it searches, by which model, and what is wrong.

import * as api from "./api.js";
import { count, h, number, say, sentence, visible } from "./dom.js";
import { skillAddress } from "./place.js";

const answered = { ready: ["ready", "Searches are ranked by meaning."], lexical: ["by words", "Searches are ranked by words alone: there are no vectors, or too few yet."], starting: ["starting", "The vectors are being loaded."] };
const working = { stopped: "nothing runs in the background", idle: "nothing is left to do", running: "embedding", waiting: "another process is embedding", retrying: "the last try failed; another follows" };

export function enter(box) {
  const leaving = new AbortController();
  let timer = 0, before = "";
  box.className = "status";
  const now = h("div", {}), problems = h("section.problems", { "aria-label": "Problems" });
  box.append(h("h1", {}, "Status"), now, problems);
  const look = async () => {
    try {
      const status = await api.json("/v1/status", {}, leaving.signal);
      const text = JSON.stringify(status);
      if (text !== before) now.replaceChildren(...report(status)); // so that nothing that is being read moves
      before = text;
      timer = setTimeout(look, status.indexing.state === "running" ? 1000 : 5000);
    } catch (failure) {
      if (failure.name === "AbortError") return;
      before = "";
      now.replaceChildren(sentence(failure));
      timer = setTimeout(look, 5000);
    }
  };
  look();
  list(problems, leaving.signal);
  return () => { leaving.abort(); clearTimeout(timer); };
}

function report(s) {
  const [state, means] = answered[s.state] ?? [s.state, ""];
  const share = s.skills ? s.embedded / s.skills : 1;
  const work = s.indexing;
  const facts = [
    ["Model", s.embedding_model || "none is loaded"], ["Engine", s.engine], ["Bodies", s.bodies ? "count in the ranking" : "do not count yet"],
    ["Passages", `${number(s.vectors)} of ${number(s.passages)} have a vector${s.failed ? `, ${number(s.failed)} failed` : ""}`],
    ["Hidden", s.hidden ? `${count(s.hidden, "skill")}, shadowed or inactive` : ""], ["Stale", s.stale ? count(s.stale, "skill") : ""],
    ["Cache", s.cache ? s.cache.path : "none: vectors are lost when the server stops"], ["Version", s.version],
  ].filter(([, value]) => value);
  return [
    h("p.state", {}, h(`span.light.${s.state}`, { "aria-hidden": "true" }), h("strong", {}, state), " ", means),
    h("div.tiles", {}, tile(s.skills, "skills"), tile(s.embedded, "with a vector"), tile(s.problems, s.problems === 1 ? "problem" : "problems")),
    h("div.progress", {}, h("label", { for: "embedded" }, `${Math.floor(100 * share)} % of the skills are embedded`), h("progress", { id: "embedded", max: s.skills || 1, value: s.skills ? s.embedded : 1 }),
      h("p.remedy", {}, working[work.state] ?? work.state, work.stage ? `: ${work.stage}, ${number(work.done)} of ${number(work.total)}` : "", work.reason ? `. ${visible(work.reason)}` : "", s.reason && !work.reason ? `. ${visible(s.reason)}` : "")),
    h("dl.facts", {}, facts.map(([name, value]) => [h("dt", {}, name), h("dd", {}, visible(value))])),
    ...(s.cache?.notices ?? []).map((notice) => h("p.notice.soft", {}, visible(notice))),
  ];
}

const tile = (n, label) => h("div.tile", {}, h("span.big", {}, number(n)), h("span", {}, label));

// list shows the problems by kind, each with its mend.
async function list(box, signal) {
  let problems;
  try {
    ({ problems } = await api.json("/v1/skills", { limit: 1 }, signal));
  } catch (failure) {
    if (failure.name !== "AbortError") box.replaceChildren(sentence(failure));
    return;
  }
  const kinds = Map.groupBy?.(problems, (p) => p.kind) ?? problems.reduce((map, p) => map.set(p.kind, [...(map.get(p.kind) ?? []), p]), new Map());
  box.replaceChildren(h("h2", {}, problems.length ? "Problems" : "No problems"),
    problems.length ? h("p.remedy", {}, "What was skipped or repaired while reading, and what mends it.") : h("p.remedy", {}, "Every file was read as it is."),
    ...[...kinds].sort((a, b) => b[1].length - a[1].length).map(([kind, all], i) => group(kind, all, i === 0 && all.length <= 20)));
  say(count(problems.length, "problem"));
}

const shownAtOnce = 100;

function group(kind, all, open) {
  const items = h("ul", {});
  const show = (n) => items.replaceChildren(...all.slice(0, n).map(one), ...(n < all.length ? [h("li", {}, h("button.button", { type: "button", onclick: () => show(all.length) }, `Show all ${number(all.length)}`))] : []));
  const box = h("details", { open, ontoggle: () => { if (box.open && !items.hasChildNodes()) show(shownAtOnce); } },
    h("summary", {}, h("span.kind", {}, kind.replaceAll("_", " ")), h("span.n", {}, number(all.length))), items);
  if (open) show(shownAtOnce);
  return box;
}

function one(p) {
  return h("li.problem", {},
    h("p.where", {}, p.skill ? h("a", { href: skillAddress(p.skill) }, visible(p.skill)) : null, h("span.path", {}, `${visible(p.path)}${p.line ? `:${p.line}` : ""}`)),
    h("p", {}, visible(p.message)), p.remedy ? h("p.mend", {}, visible(p.remedy)) : null);
}
