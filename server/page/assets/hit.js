// One hit.

import { badges, book, h, marked, visible } from "./dom.js";
import { skillAddress } from "./place.js";

// meter gives the length of an answer's bars: a cosine and a hybrid score lie
// between 0 and 1; those of words have no top, so the best of them is it.
export function meter(answer) {
  const top = answer.ranking === "lexical" ? Math.max(...answer.hits.map((hit) => hit.score), 1e-9) : 1;
  return (score) => Math.max(0, Math.min(1, score / top));
}

export const bar = (share, score) => h("span.score", { style: { "--share": `${(100 * share).toFixed(1)}%` } }, h("span.bar", { "aria-hidden": "true" }), h("span.figure", {}, h("span.unseen", {}, "score "), score.toFixed(3)));

// card shows a hit of an answer, or a skill of a list when scale is null.
export function card(hit, answer, scale, { q, ranking }) {
  const words = hit.words ?? [];
  const known = { ...hit, unembedded: scale && answer.ranking !== "lexical" && hit.ranked_by === "lexical" };
  return h("article.hit", {},
    h("h2", {}, hit.rank ? h("span.rank", { "aria-hidden": "true" }, hit.rank) : null,
      h("a.open", { href: skillAddress(hit.id, { q, ranking: ranking === "all" ? "" : ranking }) }, marked(hit.name, words))),
    scale ? bar(scale(hit.score), hit.score) : null,
    hit.description ? h("p.description", {}, marked(hit.description, words)) : h("p.description.none", {}, "It has no description."),
    hit.passage ? passage(hit.passage, words) : null,
    h("p.provenance", {}, book(hit.skillbook), h("span.id", {}, visible(hit.id)), h("span.source", {}, visible(hit.source)), ...badges(known)));
}

// passage is the part of a body that matched, around its first marked word.
export function passage(p, words) {
  return h("blockquote.passage", {},
    p.heading ? h("cite", {}, visible(p.heading), h("span.line", {}, ` line ${p.start_line}`)) : null,
    h("p", {}, marked(around(p.text, words), words)));
}

// plain leaves out of markdown what only shapes it: here it is read, not used.
const plain = (text) => text
  .replace(/^\s*(```|~~~).*$|^\s*\|?[\s:|-]+\|[\s:|-]*$/gm, "")
  .replace(/!?\[([^\]]*)\]\([^)\s]*\)/g, "$1")
  .replace(/^\s*#{1,6}\s+|^\s*\|/gm, "").replace(/\|\s*$/gm, "").replace(/\s\|\s/g, " · ")
  .replace(/\*\*|__|`/g, "").replace(/\s+/g, " ").trim();

const length = 320;

function around(text, words) {
  const flat = plain(text);
  if (flat.length <= length) return flat;
  const first = words.map((w) => flat.indexOf(w)).filter((i) => i >= 0).sort((a, b) => a - b)[0] ?? 0;
  const from = Math.max(0, Math.min(first - 60, flat.length - length));
  const start = from === 0 ? 0 : flat.indexOf(" ", from) + 1 || from;
  return (start > 0 ? "… " : "") + flat.slice(start, start + length) + (start + length < flat.length ? " …" : "");
}
