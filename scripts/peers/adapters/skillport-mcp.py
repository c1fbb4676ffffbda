"""skillport-mcp's search_skills with its default configuration: LanceDB full text, no embeddings."""
from skillport.modules.indexing import build_index
from skillport.modules.skills import search_skills
from skillport.shared.config import Config

import common


def index(skills, state):
    config = Config(skills_dir=skills, db_path=state / "skills.lancedb", meta_dir=state / "meta")
    built = build_index(config=config, force=True)
    if not built.success:
        raise SystemExit(built.message)
    search = lambda query: search_skills(query, limit=common.K, config=config).skills
    return built.skill_count, lambda query: [hit.name for hit in search(query)]


common.run(index)
