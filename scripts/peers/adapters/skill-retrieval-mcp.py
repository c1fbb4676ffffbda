"""skill-retrieval-mcp as `skill-mcp import --source directory` and `search_skills` run it: MiniLM over FAISS."""
from skill_mcp.embeddings import EmbeddingModel
from skill_mcp.importers.directory import DirectoryImporter
from skill_mcp.index import SkillIndex
from skill_mcp.retriever import retrieve
from skill_mcp.store import SkillStore

import common


def index(skills, state):
    state.mkdir(parents=True, exist_ok=True)
    store, model = SkillStore(state / "skills.db"), EmbeddingModel()
    DirectoryImporter().import_skills(skills, store)
    vectors = SkillIndex(model.dimension)
    vectors.build(store, model)
    search = lambda query: [hit.skill.name for hit in retrieve(query, store, vectors, model, k=common.K)]
    return store.count(), search


common.run(index)
