"""skills-radar with its default configuration: MiniLM and BM25 over descriptions, 0.7 and 0.3, in ChromaDB."""
from skills_radar.app import AppContext
from skills_radar.config import Config

import common


def index(skills, state):
    config = Config(paths=[skills])
    config.store.path = state / "store"
    app = AppContext(config)
    count = app.reindex()
    return count, lambda query: [hit["name"] for hit in app.hybrid_search(query, top_k=common.K)]


common.run(index)
