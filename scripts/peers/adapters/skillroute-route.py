"""skillroute's main command, route, with the backend that it recommends for large libraries (SQLite FTS5)."""
from skillroute.backends import SqliteFTS5Backend
from skillroute.catalog import Catalog
from skillroute.routing import Router

import common


def index(skills, state):
    state.mkdir(parents=True, exist_ok=True)
    catalog = Catalog(state / "catalog.db")
    catalog.index_root(skills)
    known = catalog.list_skills()
    catalog.list_skills = lambda: known  # the same list; reading it again for each query takes most of the time
    router = Router(catalog, backend=SqliteFTS5Backend())
    route = lambda query: router.route(query, limit=common.K, record_trace=False).candidates
    return len(known), lambda query: [candidate.name for candidate in route(query)]


common.run(index)
