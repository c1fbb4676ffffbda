// How elements are made. Whatever comes from a skill is put in as text.

// h makes an element: h("a.name", { href }, "text", child, …). Attributes that
// are null or false are left out; on… are listeners; style takes custom
// properties.
export function h(what, attributes = {}, ...children) {
  const [name, ...classes] = what.split(".");
  const e = document.createElement(name || "div");
  if (classes.length) e.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) e.addEventListener(key.slice(2), value);
    else if (key === "style") for (const [p, v] of Object.entries(value)) e.style.setProperty(p, v);
    else e.setAttribute(key, value === true ? "" : value);
  }
  e.append(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false));
  return e;
}

// Characters that steer how text looks and are not seen themselves are shown as
// their numbers, as the server does in rendered markdown.
const steering = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]|[\u{E0000}-\u{E007F}]/gu;

export const visible = (text) => String(text ?? "").replace(steering, (c) => `⟨U+${c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`);

// marked is a text with words in <mark>, where they stand as whole words. Words
// of scripts without blanks stand anywhere.
export function marked(text, words = []) {
  text = visible(text);
  if (!words.length) return [text];
  const literal = (w) => w.replace(/[\\^$.*+?()[\]{}|\-/]/g, "\\$&");
  const ends = (w) => (/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(w) ? literal(w) : `(?<![\\p{L}\\p{N}\\p{M}])${literal(w)}(?![\\p{L}\\p{N}\\p{M}])`);
  const pattern = new RegExp([...words].sort((a, b) => b.length - a.length).map(ends).join("|"), "gu");
  const parts = [];
  let from = 0;
  for (const m of text.matchAll(pattern)) {
    if (m.index > from) parts.push(text.slice(from, m.index));
    parts.push(h("mark", {}, m[0]));
    from = m.index + m[0].length;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

// say tells people who listen to the page what changed.
export function say(text) {
  const live = document.getElementById("live");
  if (live.textContent !== text) live.textContent = text;
}

export const number = (n) => Number(n).toLocaleString("en");
export const count = (n, one, many = one + "s") => `${number(n)} ${n === 1 ? one : many}`;

// hueOf gives a book its colour, the same in every view.
export function hueOf(name) {
  let hash = 2166136261;
  for (const c of String(name)) hash = Math.imul(hash ^ c.codePointAt(0), 16777619) >>> 0;
  return (hash * 137.508) % 360;
}

export const book = (name) => h("span.book", { style: { "--hue": hueOf(name).toFixed(0) } }, visible(name) || "no book");

// badges are what one should know of a skill before using it.
export function badges(s) {
  const all = [];
  const add = (kind, text, title) => all.push(h(`span.badge.${kind}`, { title }, text));
  if (s.stale) add("warn", "stale", "Its file changed since it was read");
  if (s.embedded === false || s.unembedded) add("quiet", "unembedded", "It has no vector yet and is ranked by its words");
  if (s.operator_only) add("quiet", "operator only", "No model loads it by itself");
  if (s.hidden) add("warn", s.hidden, "Lists and searches leave it out");
  if (s.missing_binaries?.length) add("warn", `needs ${s.missing_binaries.map(visible).join(", ")}`, "Required, and not found on this machine");
  return all;
}

// sentence is a failure in words, with its remedy.
export function sentence(failure) {
  const detail = failure.detail || "The server can't be reached";
  const start = detail[0].toUpperCase() + detail.slice(1);
  return h("div.notice", { role: "alert" }, h("p", {}, visible(start) + "."), failure.remedy ? h("p.remedy", {}, visible(failure.remedy)) : null);
}
