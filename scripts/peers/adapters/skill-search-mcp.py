"""skill-search-mcp: its service-free form, embedded Qdrant and fastembed, with the model of the others.

It reads ~/.claude/skills only, so HOME becomes the state folder.
"""
import json
import os

import common


def index(skills, state):
    home = state / "home"
    (home / ".claude").mkdir(parents=True, exist_ok=True)
    if not (home / ".claude/skills").is_symlink():
        (home / ".claude/skills").symlink_to(skills)
    os.environ |= {
        "HOME": str(home),
        "SKILL_EMBED_MODEL": "sentence-transformers/all-MiniLM-L6-v2",
        "SKILL_TOP_K": str(common.K),
    }
    from skill_search import server

    built = server.build_index()
    return built["indexed"], lambda query: [hit["name"] for hit in json.loads(server.search_skills(query))["results"]]


common.run(index)
