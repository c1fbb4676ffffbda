// How the server is asked. Everything goes to the origin that the page is from.

const key = "skillsearch-token";
let asking = null; // the dialog that asks for a token, for all that wait for it

// A Failure is a problem document of the server's, or what stands for one.
export class Failure extends Error {
  constructor(status, problem) {
    super(problem.detail || `status ${status}`);
    Object.assign(this, { status, detail: problem.detail, remedy: problem.remedy, kind: (problem.type || "").split(":").pop() });
  }
}

// get asks for a path with parameters; null and "" are left out. It asks for a
// token when the server wants one, and keeps that for as long as the tab is open.
export async function ask(path, parameters = {}, signal) {
  const url = new URL(path, location.origin);
  for (const [name, value] of Object.entries(parameters)) {
    for (const v of Array.isArray(value) ? value : [value]) if (v !== null && v !== undefined && v !== "") url.searchParams.append(name, v);
  }
  const token = sessionStorage.getItem(key);
  let answer;
  try {
    answer = await fetch(url, { signal, headers: token ? { Authorization: `Bearer ${token}` } : {}, credentials: "omit", referrerPolicy: "no-referrer" });
  } catch (cause) {
    if (cause.name === "AbortError") throw cause;
    throw new Failure(0, { detail: "the server can't be reached", remedy: "Is “skillsearch serve” still running? The page asks again when you type." });
  }
  if (answer.ok) return answer;
  const problem = await answer.json().catch(() => ({ detail: `the server answered with status ${answer.status}` }));
  if (answer.status === 401) {
    asking ??= askForToken(token ? problem.detail || "this token is not taken" : "").finally(() => (asking = null));
    await asking;
    return ask(path, parameters, signal);
  }
  throw new Failure(answer.status, problem);
}

export const json = async (...of) => (await ask(...of)).json();
export const text = async (...of) => (await ask(...of)).text();
export const blob = async (...of) => (await ask(...of)).blob();

export const skillPath = (id) => `/v1/skills/${encodeURIComponent(id)}`;
export const filePath = (id, name) => `${skillPath(id)}/files/${encodeURIComponent(name)}`;

// askForToken resolves when a token was entered.
function askForToken(wrong) {
  sessionStorage.removeItem(key);
  return new Promise((resolve) => {
    const dialog = document.createElement("dialog");
    dialog.className = "token";
    dialog.setAttribute("aria-labelledby", "token-title");
    const title = Object.assign(document.createElement("h2"), { id: "token-title", textContent: "A token, please" });
    const why = Object.assign(document.createElement("p"), { textContent: wrong ? `${wrong[0].toUpperCase()}${wrong.slice(1)}.` : "This server keeps its libraries apart. It is kept until you close this tab." });
    const label = Object.assign(document.createElement("label"), { textContent: "Token" });
    const input = Object.assign(document.createElement("input"), { type: "password", required: true, autocomplete: "off", id: "token-input" });
    const open = Object.assign(document.createElement("button"), { textContent: "Open", className: "button", type: "submit" });
    const form = document.createElement("form");
    form.method = "dialog";
    label.htmlFor = input.id;
    form.append(title, why, label, input, open);
    form.addEventListener("submit", (event) => {
      event.preventDefault(); // the policy forbids forms; nothing may get into a URL
      const value = input.value.trim();
      if (!value) return;
      sessionStorage.setItem(key, value);
      dialog.remove();
      resolve();
    });
    dialog.addEventListener("cancel", (event) => event.preventDefault());
    dialog.append(form);
    document.body.append(dialog);
    dialog.showModal();
  });
}
