"""claude-skills-mcp-backend with its default configuration, the local folder as the one source."""
from claude_skills_mcp_backend.config import DEFAULT_CONFIG
from claude_skills_mcp_backend.search_engine import SkillSearchEngine
from claude_skills_mcp_backend.skill_loader import load_from_local

import common


def index(skills, state):
    found = load_from_local(str(skills), DEFAULT_CONFIG)
    engine = SkillSearchEngine(DEFAULT_CONFIG["embedding_model"])
    engine.index_skills(found)
    return len(found), lambda query: [hit["name"] for hit in engine.search(query, top_k=common.K)]


common.run(index)
