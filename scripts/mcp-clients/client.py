"""Asks a server what a plan says, with the Python client, and prints the answers.

usage: client.py MODE PLAN.json URL
       client.py MODE PLAN.json COMMAND ARGUMENT…

MODE is legacy (with a session) or auto (the newest revision that both speak).
PLAN.json is a list of [tool, arguments]. What is printed is one JSON object.
"""

import asyncio
import json
import sys

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client


def plain(model):
    return model.model_dump(mode="json", by_alias=True, exclude_unset=True)


async def main(mode, plan, target):
    where = target[0] if target[0].startswith("http://") else stdio_client(StdioServerParameters(command=target[0], args=target[1:], env=None))
    with open(plan, encoding="utf-8") as file:
        calls = json.load(file)
    async with Client(where, mode=mode) as client:
        answers = {
            "tools": [plain(tool) for tool in (await client.list_tools()).tools],
            "results": [plain(await client.call_tool(name, arguments)) for name, arguments in calls],
            "resources": [resource.uri for resource in (await client.list_resources()).resources],
            "prompts": [prompt.name for prompt in (await client.list_prompts()).prompts],
        }
        answers["read"] = [plain(content) for content in (await client.read_resource(answers["resources"][0])).contents]
        answers["prompt"] = plain((await client.get_prompt(answers["prompts"][0], {"input": "this"})).messages[0])
    json.dump(answers, sys.stdout)


asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
