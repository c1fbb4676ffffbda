// qmd's keyword search, what `qmd search` runs. Arguments and answer as in common.py.
//
// Its other two, vsearch and query, need models that it fetches from a hub.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createStore } from "@tobilu/qmd";

const [skills, state, queries, out] = process.argv.slice(2);
mkdirSync(state, { recursive: true });
const store = await createStore({
  dbPath: `${state}/index.sqlite`,
  config: { collections: { skills: { path: skills, pattern: "**/*.md" } } },
});
const updated = await store.update();
const answers = {};
for (const [id, text] of Object.entries(JSON.parse(readFileSync(queries, "utf8")))) {
  const hits = await store.searchLex(text, { limit: 10 });
  answers[id] = hits.map((hit) => hit.displayPath.split("/").at(-2));
}
writeFileSync(out, JSON.stringify({ skills: updated.indexed + updated.unchanged, answers }));
await store.close();
