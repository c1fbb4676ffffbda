// The search: a field, the ranking, filters, and the hits while one types.

import * as api from "./api.js";
import { compare } from "./compare.js";
import { card, meter } from "./hit.js";
import { count, h, hueOf, number, say, sentence, visible } from "./dom.js";
import { address, note } from "./place.js";

const rankings = [["", "Default"], ["cosine", "Cosine"], ["lexical", "Lexical"], ["hybrid", "Hybrid"], ["all", "Side by side"]];
const filters = [["skillbook", "Book", "skillbooks"], ["category", "Category", "categories"], ["tag", "Tag", "tags"], ["source", "Source", "sources"]];
const few = 20, many = 50;

let ui = null;     // the elements, while the view is shown
let running = null; // the AbortController of the request under way
let facets = null; // by which one can filter; read once a visit

export function enter(box, place) {
  ui = build(box);
  move(place);
  fillFilters(ui);
  ui.field.focus({ preventScroll: true });
  return () => { running?.abort(); ui = null; };
}

// move shows what an address says, such as one of the history.
export function move({ parameters }) {
  ui.field.value = parameters.get("q") ?? "";
  const ranking = parameters.get("ranking") ?? "";
  (ui.form.querySelector(`[name=ranking][value="${CSS.escape(ranking)}"]`) ?? ui.form.querySelector("[name=ranking]")).checked = true;
  for (const [name] of filters) choose(ui.filters[name], parameters.get(name) ?? "");
  ui.limit = few;
  run(performance.now());
  return true;
}

function build(box) {
  const field = h("input", {
    id: "q", type: "search", name: "q", autocomplete: "off", autocapitalize: "off", spellcheck: "false", enterkeyhint: "search",
    placeholder: "What do you need to do?", "aria-describedby": "keys", maxlength: 8000,
  });
  const results = h("div.results", { "aria-busy": "false" });
  const summary = h("p.summary");
  const selects = Object.fromEntries(filters.map(([name, label]) => [name, h("select", { name, id: `by-${name}` }, h("option", { value: "" }, `Any ${label.toLowerCase()}`))]));
  const clear = h("button.clear", { type: "button", hidden: true, onclick: clearFilters }, "Clear filters");
  const form = h("form.search", { role: "search", onsubmit: (e) => { e.preventDefault(); focusHit(0); } },
    h("div.field", {}, h("label.unseen", { for: "q" }, "Search skills"), field, h("kbd", { "aria-hidden": "true" }, "/")),
    h("div.controls", {},
      h("fieldset.ranking", {}, h("legend.unseen", {}, "Rank by"), rankings.slice(1).map(([value, label]) =>
        h("label", {}, h("input", { type: "radio", name: "ranking", value }), h("span", {}, label)))),
      h("div.filters", { role: "group", "aria-label": "Filters" }, filters.map(([name, label]) =>
        h("span.filter", {}, h("label.unseen", { for: `by-${name}` }, label), selects[name])), clear)),
    h("p.unseen", { id: "keys" }, "Arrow down goes to the hits, Escape clears."));
  // Hidden: the server's own default, for addresses that name no ranking.
  form.querySelector(".ranking").append(h("input", { type: "radio", name: "ranking", value: "", hidden: true, checked: true, tabindex: -1, "aria-label": "default" }));
  field.addEventListener("input", () => changed(false));
  form.addEventListener("change", (e) => { if (e.target !== field) changed(true); });
  box.addEventListener("keydown", keys);
  box.className = "searching";
  box.append(h("h1.unseen", {}, "Find a skill"), form, summary, results);
  return { box, form, field, results, summary, filters: selects, clear, limit: few };
}

// asked is what the form says.
function asked() {
  const of = { q: ui.field.value.trim() ? ui.field.value : "", ranking: ui.form.querySelector("[name=ranking]:checked")?.value ?? "" };
  for (const [name] of filters) of[name] = ui.filters[name].value;
  return of;
}

function changed(step) {
  const at = performance.now();
  ui.limit = few;
  note(address("", asked()), step);
  run(at);
}

function clearFilters() {
  for (const [name] of filters) ui.filters[name].value = "";
  changed(true);
  ui.field.focus();
}

// run asks for what the form says, and drops what was asked before. at is when
// the person did something.
async function run(at) {
  running?.abort();
  const mine = running = new AbortController();
  const of = asked();
  const filtered = filters.some(([name]) => of[name]);
  ui.clear.hidden = !filtered;
  ui.results.setAttribute("aria-busy", "true");
  try {
    const show = of.q ? (of.ranking === "all" ? await side(of, mine.signal) : await hits(of, mine.signal)) : filtered ? await browse(of, mine.signal) : await overview(mine.signal);
    if (mine !== running || !ui) return;
    show();
    performance.measure("keystroke-to-hits", { start: at, end: performance.now() });
  } catch (failure) {
    if (failure.name === "AbortError" || mine !== running || !ui) return;
    ui.summary.replaceChildren();
    ui.results.replaceChildren(sentence(failure));
  } finally {
    if (mine === running && ui) ui.results.setAttribute("aria-busy", "false");
  }
}

async function hits(of, signal) {
  const answer = await api.json("/v1/search", { ...of, limit: ui.limit, mark: true }, signal);
  return () => {
    mark(answer.ranking);
    const degraded = answer.degraded ? notice(answer.reason) : null;
    const scale = meter(answer);
    ui.summary.replaceChildren(...told(answer));
    ui.results.replaceChildren(...[degraded, answer.hits.length
      ? h("ol.hits", { "aria-label": "Skills that fit" }, answer.hits.map((hit) => h("li", {}, card(hit, answer, scale, of))))
      : empty(answer.reason), more(answer.hits.length)].filter(Boolean));
    announce(answer.hits.length, of.q, answer.hits[0]?.name);
  };
}

// mark shows which ranking was used where the address named none.
function mark(ranking) {
  const chosen = ui.form.querySelector("[name=ranking]:checked");
  if (chosen?.value === "") ui.form.querySelector(`[name=ranking][value="${ranking}"]`).checked = true;
}

function told(answer) {
  const by = answer.ranking === "lexical" ? "by words" : `by ${answer.ranking} (${answer.embedding_model})`;
  const parts = [h("strong", {}, answer.hits.length ? count(answer.hits.length, "skill") : "No skill"), ` of ${number(answer.total)}, ${visible(by)}`];
  if (answer.unembedded) parts.push(`, ${number(answer.unembedded)} without a vector yet`);
  if (answer.confidence) parts.push(h(`span.confidence.${answer.confidence}`, { title: "How sure the ranking is that one of these fits" }, `${answer.confidence} confidence`));
  return parts;
}

const notice = (reason) => h("div.notice.soft", { role: "note" }, h("p", {}, "Ranked by words: ", visible(reason), "."));
const empty = (reason) => h("div.nothing", {}, h("p", {}, "Nothing fits."), h("p.remedy", {}, visible(reason ? reason[0].toUpperCase() + reason.slice(1) + "." : "")));

function more(shown) {
  if (shown < ui.limit || ui.limit >= many) return null;
  return h("button.button.more", { type: "button", onclick: () => { ui.limit = many; run(performance.now()); } }, `Show ${many}`);
}

async function side(of, signal) {
  const answers = await Promise.all(["cosine", "lexical", "hybrid"].map(async (ranking) => ({ ranking, ...await api.json("/v1/search", { ...of, ranking, limit: 10 }, signal).then((answer) => ({ answer })) })));
  return () => {
    ui.summary.replaceChildren("The same query in three orders. A skill keeps its colour; point at it to see where it stands.");
    ui.results.replaceChildren(compare(answers, of));
    announce(answers[0].answer.hits.length, of.q, answers[0].answer.hits[0]?.name);
  };
}

// browse lists what passes the filters, by name.
async function browse({ skillbook, category, tag, source }, signal) {
  const answer = await api.json("/v1/skills", { skillbook, category, tag, source, limit: 200 }, signal);
  return () => {
    ui.summary.replaceChildren(h("strong", {}, count(answer.total, "skill")), answer.total > answer.skills.length ? `, the first ${answer.skills.length} by name` : ", by name");
    ui.results.replaceChildren(answer.skills.length ? h("ol.hits.plain", { "aria-label": "Skills" }, answer.skills.map((s) => h("li", {}, card(s, answer, null, {})))) : empty("no skill passes the filters"));
    announce(answer.total, "", answer.skills[0]?.name);
  };
}

// overview is what one sees before asking: the books.
async function overview(signal) {
  facets ??= await api.json("/v1/facets", {}, signal);
  const books = facets.skillbooks, total = books.reduce((n, b) => n + b.skills, 0), most = books[0]?.skills ?? 1;
  return () => {
    ui.summary.replaceChildren(h("strong", {}, count(total, "skill")), ` in ${count(books.length, "book")}`);
    ui.results.replaceChildren(total ? h("ul.books", { "aria-label": "Books" }, books.map((b) => h("li", {}, h("a", {
      href: address("", { skillbook: b.value }), style: { "--hue": hueOf(b.value).toFixed(0), "--share": `${(100 * b.skills / most).toFixed(1)}%` },
    }, h("span.title", {}, visible(b.value)), h("span.n", {}, number(b.skills)))))) : empty("there are no skills in the roots; name a folder that has some with --root"));
  };
}

let announcing = 0;
function announce(n, query, best) {
  clearTimeout(announcing); // nobody wants to hear each keystroke's
  announcing = setTimeout(() => say(n ? `${count(n, "skill")}${query ? ` for ${query}` : ""}. First: ${best}.` : `No skill${query ? ` for ${query}` : ""}.`), 350);
}

// fillFilters gives each filter the values that the library has.
async function fillFilters(of) {
  try { facets ??= await api.json("/v1/facets"); } catch { return; } // the hits say what is wrong
  for (const [name, , key] of filters) {
    const select = of.filters[name], chosen = select.value;
    const options = [...facets[key]].sort((a, b) => a.value.localeCompare(b.value)).map((f) => h("option", { value: f.value }, `${visible(f.value)} (${number(f.skills)})`));
    select.replaceChildren(select.options[0], ...options);
    select.disabled = options.length === 0;
    choose(select, chosen);
  }
}

// choose selects a value, also one that the library does not have (yet).
function choose(select, value) {
  if (value && ![...select.options].some((o) => o.value === value)) select.append(h("option", { value }, visible(value)));
  select.value = value;
}

const links = () => [...ui.results.querySelectorAll("a.open")];
function focusHit(i) {
  const all = links();
  (i < 0 ? ui.field : all[Math.min(i, all.length - 1)])?.focus();
}

function keys(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return;
  const all = links(), at = all.indexOf(document.activeElement), inField = document.activeElement === ui.field;
  if (event.key === "Escape" && (inField || at >= 0)) {
    event.preventDefault();
    if (at >= 0) return ui.field.focus();
    if (ui.field.value) { ui.field.value = ""; changed(true); }
  } else if (event.key === "ArrowDown" && (inField || at >= 0)) {
    event.preventDefault();
    focusHit(at + 1);
  } else if (event.key === "ArrowUp" && at >= 0) {
    event.preventDefault();
    focusHit(at - 1);
  } else if ((event.key === "ArrowLeft" || event.key === "ArrowRight") && at >= 0) {
    const columns = [...ui.results.querySelectorAll(".column")];
    const column = columns.indexOf(all[at].closest(".column")), to = columns[column + (event.key === "ArrowRight" ? 1 : -1)];
    if (column >= 0 && to) {
      const row = [...columns[column].querySelectorAll("a.open")].indexOf(all[at]), there = to.querySelectorAll("a.open");
      there[Math.min(row, there.length - 1)]?.focus();
    }
  }
}
