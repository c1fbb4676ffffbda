// Asks a server what a plan says, with the TypeScript SDK, and prints the answers.
//
//   client.mjs PLAN.json URL
//   client.mjs PLAN.json COMMAND ARGUMENT…
//
// PLAN.json is a list of [tool, arguments]. What is printed is one JSON object.
import { readFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [plan, target, ...args] = process.argv.slice(2);
const transport = target.startsWith("http://")
  ? new StreamableHTTPClientTransport(new URL(target))
  : new StdioClientTransport({ command: target, args, env: process.env, stderr: "inherit" });
const client = new Client({ name: "skillsearch-test", version: "1" });
await client.connect(transport);

const answers = { tools: (await client.listTools()).tools, results: [] };
for (const [name, input] of JSON.parse(readFileSync(plan, "utf8"))) {
  answers.results.push(await client.callTool({ name, arguments: input }));
}
answers.resources = (await client.listResources()).resources.map((resource) => resource.uri);
answers.prompts = (await client.listPrompts()).prompts.map((prompt) => prompt.name);
answers.read = (await client.readResource({ uri: answers.resources[0] })).contents;
answers.prompt = (await client.getPrompt({ name: answers.prompts[0], arguments: { input: "this" } })).messages[0];
process.stdout.write(JSON.stringify(answers));
await client.close();
