"""Makes runs with ties, gaps and odd grades, and what trec_eval says of them.

    pip install ir-measures==0.4.3 pytrec-eval-terrier==0.5.11
    python make.py

writes qrels, NN.run and expected.json: of each run, measure and query the value,
those of RR@10 and Judged@10 by ir_measures.
"""

import json
import random

import ir_measures
import pytrec_eval

random.seed(20260101)
documents = [f"d{i:02d}" for i in range(40)] + ["D-upper", "d/slash", "ä", "z_last"]
queries = [f"q{i}" for i in range(8)]

qrels = {q: {} for q in queries}
for q in queries:
    for d in random.sample(documents, random.randint(1, 20)):
        qrels[q][d] = random.choice([0, 0, 0, 1, 1, 2, 3, 4])
qrels["q7"] = {d: 0 for d in documents[:5]}  # nothing relevant
qrels["q6"] = {documents[3]: 2}  # nothing judged not relevant
with open("qrels", "w", encoding="utf-8") as f:
    for q in queries:
        for d, g in sorted(qrels[q].items()):
            f.write(f"{q} 0 {d} {g}\n")

score = [
    lambda i: float(random.randint(0, 3)),  # many ties
    lambda i: round(random.gauss(0, 1), 3),
    lambda i: 1e-9 * random.randint(-5, 5),
    lambda i: 1 + 1e-9 * random.randint(0, 9),  # ties in 32 bits only
    lambda i: -float(i),
]
pytrec = {
    "nDCG@5": "ndcg_cut_5", "nDCG@10": "ndcg_cut_10", "R@5": "recall_5", "R@10": "recall_10", "P@5": "P_5", "P@10": "P_10",
    "AP": "map", "AP@10": "map_cut_10", "RR": "recip_rank", "Success@1": "success_1", "Success@5": "success_5",
    "Rprec": "Rprec", "Bpref": "bpref",
}
expected = {}
for n in range(25):
    run = {}
    for q in queries + ["unjudged"]:
        if random.random() < 0.15:
            continue  # a gap
        found = random.sample(documents, random.randint(1, len(documents)))
        run[q] = {d: score[n % len(score)](i) for i, d in enumerate(found)}
    name = f"{n:02d}.run"
    with open(name, "w", encoding="utf-8") as f:
        for q, answer in run.items():
            for i, (d, s) in enumerate(answer.items()):
                f.write(f"{q} Q0 {d} {i + 1} {s!r} r{n:02d}\n")
    values = pytrec_eval.RelevanceEvaluator(qrels, set(pytrec_eval.supported_measures)).evaluate(run)
    table = {m: {q: round(values[q][key], 6) if q in values else 0 for q in queries} for m, key in pytrec.items()}
    table["RR@10"] = {q: 0 for q in queries}
    for metric in ir_measures.iter_calc([ir_measures.parse_measure("RR@10")], qrels, run):
        table["RR@10"][metric.query_id] = round(metric.value, 6)
    table["Judged@10"] = {q: 0 for q in queries}
    for metric in ir_measures.iter_calc([ir_measures.parse_measure("Judged@10")], qrels, run):
        table["Judged@10"][metric.query_id] = round(metric.value, 6)
    expected[name] = table
with open("expected.json", "w", encoding="utf-8") as f:
    json.dump(expected, f, indent=1, sort_keys=True)
    f.write("\n")
