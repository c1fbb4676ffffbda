"""skill-ninja with the folder as its one source, in the mode of SKILL_NINJA_SEARCH."""
import os

import common


def index(skills, state):
    os.environ |= {
        "SKILL_NINJA_DATA_DIR": str(state),
        "SKILL_NINJA_EMBED_MODEL": "sentence-transformers/all-MiniLM-L6-v2",
    }
    from skill_ninja.catalog import Catalog
    from skill_ninja.config import Source, load_config

    config = load_config()
    config.sources = [Source(type="local", url=str(skills))]
    catalog = Catalog(config)
    if catalog.effective_backend() != config.search_backend:
        raise SystemExit(f"{config.search_backend} is not to be had: {catalog.embedder_error}")
    catalog.ensure_indexed()
    return catalog.db.count_skills(), lambda query: [hit["name"] for hit in catalog.search(query, top_k=common.K)]


common.run(index)
