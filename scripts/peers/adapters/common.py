"""What the adapters of Python peers share: their arguments and the form of their answer.

    ADAPTER SKILLS STATE QUERIES OUT

SKILLS is a folder of skills, STATE a folder for whatever the peer keeps, QUERIES
a JSON object from id to text, OUT the file to write: the number of skills that
the peer took, and for each query the names it answered, best first.
"""
import json
import pathlib
import sys

K = 10  # answers that are asked for


def run(index):
    """Calls index(skills, state) for (count, search), then search(text) for the names, best first, of each query."""
    skills, state, queries, out = map(pathlib.Path, sys.argv[1:5])
    count, search = index(skills.resolve(), state.resolve())
    answers = {}
    for number, (query, text) in enumerate(json.loads(queries.read_text("utf-8")).items(), 1):
        answers[query] = search(text)[:K]
        if number % 50 == 0:
            print(f"{number} queries", file=sys.stderr, flush=True)
    out.write_text(json.dumps({"skills": count, "answers": answers}), "utf-8")
