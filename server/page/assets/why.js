// Why a skill has its place for a query.

import * as api from "./api.js";
import { h, number, visible } from "./dom.js";
import { bar, passage } from "./hit.js";
import { skillAddress } from "./place.js";

// why fills the panel; a server that can't tell leaves it empty.
export async function why(box, id, of, signal) {
  let w;
  try {
    w = await api.json("/v1/why", { q: of.q, skill: id, ranking: of.ranking === "all" ? "" : of.ranking }, signal);
  } catch (failure) {
    if (failure.name === "AbortError" || failure.status === 404) return;
    box.replaceChildren(h("p.remedy", {}, `Why it is ranked here can't be told: ${visible(failure.detail)}.`));
    return;
  }
  box.replaceChildren(h("details.why", { open: true },
    h("summary", {}, h("h2", {}, "Why is it ranked here?")),
    h("p", {}, standing(w), " for “", h("strong", {}, visible(w.query)), "”", w.degraded ? h("span.remedy", {}, ` (by words: ${visible(w.reason)})`) : null, "."),
    h("div.parts", {}, places(w), meaning(w), words(w)),
    w.passage ? passage(w.passage, (w.words ?? []).map((word) => word.word)) : null,
    ahead(w, of),
    w.advice?.length ? h("div.advice", {}, h("h3", {}, "What would change it"), h("ul", {}, w.advice.map((a) => h("li", {}, visible(a))))) : null));
}

const standing = (w) => (w.rank ? [h("strong", {}, `Number ${number(w.rank)}`), ` of ${number(w.total)} by ${w.ranking}`] : [`Not ranked by ${w.ranking}`]);

function places(w) {
  return h("section", {}, h("h3", {}, "In each order"), h("dl", {}, w.places.map((p) => [h("dt", {}, p.ranking), h("dd", {}, p.rank ? `number ${number(p.rank)}, ${p.score.toFixed(3)}` : "not ranked")])));
}

function meaning(w) {
  if (!w.cosine) return null;
  const row = (name, value) => [h("dt", {}, name), h("dd", {}, bar(Math.max(0, value), value))];
  return h("section", {}, h("h3", {}, "Meaning"), h("dl", {}, row("name and description", w.cosine.head), w.cosine.body === null ? null : row("best passage", w.cosine.body)));
}

function words(w) {
  const most = Math.max(...w.words.map((x) => x.score), 1e-9);
  return h("section", {}, h("h3", {}, "Words"),
    w.words.length ? h("dl", {}, w.words.map((x) => [h("dt", { title: x.fields.join(", ") }, h("mark", {}, visible(x.word)), h("span.in", {}, ` ${x.fields.join(", ")}`)), h("dd", {}, bar(x.score / most, x.score))])) : h("p.remedy", {}, "It shares no word with the query."),
    w.missing.length ? h("p.remedy", {}, `It says nowhere: ${w.missing.map(visible).join(", ")}`) : null);
}

function ahead(w, of) {
  if (!w.ahead.length) return null;
  return h("div.ahead", {}, h("h3", {}, "Ahead of it"), h("ol", {}, w.ahead.map((s) => h("li", { value: s.rank }, h("a", { href: skillAddress(s.id, of) }, visible(s.name)), h("span.figure", {}, ` ${s.score.toFixed(3)}`)))));
}
