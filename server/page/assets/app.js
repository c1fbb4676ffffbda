// Which view is shown, and the keys that work in all of them.

import { sentence } from "./dom.js";
import { here, searched } from "./place.js";
import * as search from "./search.js";

const views = {
  search: async () => search,
  skill: () => import("./skill.js"),
  map: () => import("./map.js"),
  status: () => import("./status.js"),
};

const main = document.getElementById("main");
let shown = { name: "" };
let turn = 0;

async function show() {
  const place = here();
  const mine = ++turn;
  for (const a of document.querySelectorAll("nav [data-view]")) {
    if (a.dataset.view === place.name) a.setAttribute("aria-current", "page"); else a.removeAttribute("aria-current");
  }
  document.querySelector("nav [data-view=search]").href = searched();
  if (shown.name === place.name && shown.view.move?.(place)) return;
  let view;
  try {
    view = await views[place.name]();
  } catch {
    main.replaceChildren(sentence({ detail: "a part of the page could not be loaded", remedy: "Is “skillsearch serve” still running? Then load the page again." }));
    return;
  }
  if (mine !== turn) return;
  const first = shown.name === "";
  shown.leave?.();
  main.className = `view-${place.name}`;
  const box = document.createElement("div");
  main.replaceChildren(box);
  shown = { name: place.name, view, leave: view.enter(box, place) };
  if (!first && place.name !== "search") {
    window.scrollTo(0, 0);
    main.focus({ preventScroll: true });
  }
}

addEventListener("hashchange", show);
addEventListener("keydown", (event) => {
  const typing = event.target.matches?.("input:not([type=radio]), textarea, select");
  if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  if (here().name !== "search") location.hash = searched(); // which focuses the field
  document.getElementById("q")?.select();
});
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // "#main" would be an address of a view
  main.focus();
});
show();
