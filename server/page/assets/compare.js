// Three orders of the same skills, side by side.

import { badges, h, hueOf, visible } from "./dom.js";
import { bar, meter } from "./hit.js";
import { skillAddress } from "./place.js";

const about = { cosine: "what it means", lexical: "which words it has", hybrid: "both together" };

export function compare(answers, { q }) {
  const ranks = Object.fromEntries(answers.map(({ ranking, answer }) => [ranking, new Map(answer.hits.map((hit) => [hit.id, hit.rank]))]));
  const box = h("div.columns", { tabindex: "-1" }, answers.map(({ ranking, answer }) => column(ranking, answer, ranks, q)));
  const light = (id) => box.querySelectorAll("[data-id]").forEach((e) => e.classList.toggle("lit", id !== null && e.dataset.id === id));
  for (const kind of ["pointerover", "focusin"]) box.addEventListener(kind, (e) => light(e.target.closest("[data-id]")?.dataset.id ?? null));
  for (const kind of ["pointerleave", "focusout"]) box.addEventListener(kind, () => light(null));
  return box;
}

function column(ranking, answer, ranks, q) {
  const scale = meter(answer);
  return h("section.column", { "aria-label": `By ${ranking}` },
    h("h2", {}, ranking[0].toUpperCase() + ranking.slice(1), h("span", {}, about[ranking])),
    answer.degraded && ranking !== "lexical" ? h("p.remedy", {}, "Ranked by words: ", visible(answer.reason)) : null,
    answer.hits.length ? h("ol", {}, answer.hits.map((hit) => h("li", { "data-id": hit.id, style: { "--hue": hueOf(hit.id).toFixed(0) } },
      h("span.rank", { "aria-hidden": "true" }, hit.rank),
      h("a.open", { href: skillAddress(hit.id, { q, ranking }) }, visible(hit.name)),
      bar(scale(hit.score), hit.score),
      elsewhere(hit, ranking, ranks), ...badges(hit)))) : h("p.remedy", {}, visible(answer.reason || "nothing")));
}

// elsewhere says how a hit stands in the other orders, unless it is the same.
function elsewhere(hit, ranking, ranks) {
  const others = Object.keys(ranks).filter((r) => r !== ranking);
  if (others.every((r) => ranks[r].get(hit.id) === hit.rank)) return h("span.moves", {}, "same in all");
  const place = (r) => `${r} ${ranks[r].get(hit.id) ?? "–"}`;
  return h("span.moves", { title: others.map((r) => `${r}: ${ranks[r].has(hit.id) ? "number " + ranks[r].get(hit.id) : `not among the first ten`}`).join(", ") }, others.map(place).join("  "));
}
