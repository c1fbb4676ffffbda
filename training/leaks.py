#!/usr/bin/env python3
"""Looks whether what is trained on has something of a collection in it.

    leaks.py --data FOLDER --written written.jsonl COLLECTION...

Prints each written need that shares half of its words, or of the query's, with
a query of a collection (frequent words set aside; two words may agree by
chance), and each skill that a collection judges. Exit status 1 when there is
any. The needs of FOLDER are those of its maker, who has looked in the same way.
"""

import argparse
import csv
import json
import pathlib
import re
import sys

import corpus

COMMON = set("""a about an and any are as at be but by can do does for from get give has have how i if in into is it its
let like make me my need no not of on one or our out over so some somebody that the their them then there they this to
two up us use want was we what when where which who why will with without you your""".split())


def words(text):
    return {w for w in re.findall(r"\w+", text.lower()) if w not in COMMON}


def queries(folder):
    with open(folder / "queries.tsv", encoding="utf-8", newline="") as f:
        return [row[1] for row in csv.reader(f, delimiter="\t", quoting=csv.QUOTE_NONE) if len(row) > 1]


def judged(folder):
    return {line.split()[2] for line in (folder / "qrels.txt").read_text(encoding="utf-8").splitlines() if line.strip()}


def near(need, query):
    shared = len(need & query)
    return shared >= 3 and 2 * shared >= min(len(need), len(query))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--written", required=True)
    parser.add_argument("collections", nargs="+", type=pathlib.Path)
    args = parser.parse_args()
    skills, needs = corpus.read(args.data, args.written)
    ids = {s.id for s in skills}
    written = [(n, words(n.text)) for n in needs if n.kind in corpus.WRITTEN]
    found = 0
    for folder in args.collections:
        for skill in sorted(ids & judged(folder)):
            print(f"{folder.name}: judges {skill}")
            found += 1
        asked = [(q, words(q)) for q in queries(folder)]
        for need, own in written:
            for query, theirs in asked:
                if near(own, theirs):
                    print(json.dumps([folder.name, need.kind, need.text, query], ensure_ascii=False))
                    found += 1
    print(f"{found} of {len(needs)} needs and {len(skills)} skills", file=sys.stderr)
    sys.exit(found > 0)


if __name__ == "__main__":
    main()
