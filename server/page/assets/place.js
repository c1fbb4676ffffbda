// The address behind "#" says what is shown: #/?q=…, #/skill/ID,
// #/skill/ID/file/PATH, #/map, #/status. What stands there is never sent to a
// server, so that no log has a query.

const names = ["search", "skill", "map", "status"];
let lastSearch = "#/";

// here reads the address.
export function here() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?", 2);
  const parts = path.split("/").map((p) => {
    try { return decodeURIComponent(p); } catch { return p; }
  });
  const name = names.includes(parts[0]) ? parts[0] : "search";
  if (name === "search") lastSearch = location.hash || "#/";
  return { name, parts: parts.slice(1), parameters: new URLSearchParams(query) };
}

// address writes one; parameters that are empty are left out.
export function address(path, parameters = {}) {
  const kept = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value) kept.set(name, value);
  const query = kept.toString();
  return `#/${path}${query ? "?" + query : ""}`;
}

export const skillAddress = (id, parameters) => address(`skill/${encodeURIComponent(id)}`, parameters);
export const fileAddress = (id, name, parameters) => address(`skill/${encodeURIComponent(id)}/file/${encodeURIComponent(name)}`, parameters);

// searched is where the last search can be taken up.
export const searched = () => lastSearch;

// note keeps an address in the history without showing it anew: as a step of
// its own, or in the place of the present one.
export function note(to, step) {
  if (to === (location.hash || "#/")) return;
  history[step ? "pushState" : "replaceState"](null, "", to);
  lastSearch = to;
}
