"""Figures of runs by `skillsearch eval compare`, and the report made of them."""
import json
import subprocess

MEASURES = ("nDCG@10", "Success@1", "Success@10")
SIGNIFICANT = 0.05


def compare(skillsearch, a, b, qrels):
    """Returns what `eval compare` says of each measure: a's and b's means, the unadjusted p."""
    command = [skillsearch, "eval", "compare", a, b, "--qrels", qrels, "--measure", ",".join(MEASURES), "--json"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return {row["measure"]: row for row in json.loads(done.stdout)["measures"]}


def holm(p):
    """Adjusts the p-values of a dict (Holm, 1979)."""
    adjusted, highest = {}, 0.0
    for rank, key in enumerate(sorted(p, key=p.get)):
        highest = max(highest, min(1.0, p[key] * (len(p) - rank)))
        adjusted[key] = highest
    return adjusted


def merge(files, out):
    """Joins TREC files into one, COLLECTION/ before each query, so that queries of all collections are one sample."""
    with out.open("w", encoding="utf-8") as merged:
        for collection, file in files.items():
            merged.writelines(f"{collection}/{line}\n" for line in file.read_text("utf-8").splitlines() if line.strip())
    return out


def line(cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def decimal(value, sign=""):
    """Writes .731, and -.024 or +.024 where the sign counts."""
    return f"{value:{sign}.3f}".replace("0.", ".", 1)


def figures(systems, collections, means):
    """The table of nDCG@10, hit@1 and hit@10; means is by system, collection, measure, and ours are bold."""
    rows = [line(["system", *collections, "mean"]), line(["---"] * (len(collections) + 2))]
    for name, system in systems.items():
        label = f"**{name}**" if system.get("ours") else f"{name} {system['version']}"
        if "reason" in system:
            rows.append(line([label, f"not run: {system['reason']}"] + [""] * len(collections)))
            continue
        cells = [[means[name][c][m] for m in MEASURES] for c in collections]
        cells.append([sum(column) / len(column) for column in zip(*cells)])
        rows.append(line([label, *(" ".join(decimal(value) for value in cell) for cell in cells)]))
    return "\n".join(rows)


def differences(best, collections, gains):
    """The table of best's nDCG@10 less each other's; gains is by system, then collection or "all": difference, p."""
    over_all = holm({name: gains[name]["all"][1] for name in gains})
    single = holm({(name, c): gains[name][c][1] for name in gains for c in collections})
    rows = [line([f"{best} less", *collections, "all queries", "p"]), line(["---"] * (len(collections) + 3))]
    for name in gains:
        cells = [decimal(gains[name][c][0], "+") + ("*" if single[name, c] < SIGNIFICANT else "") for c in collections]
        rows.append(line([name, *cells, decimal(gains[name]["all"][0], "+"), f"{over_all[name]:.4f}"]))
    return "\n".join(rows)


def descriptions(systems):
    """The table of what each peer ranks by, what it can't do, and how many skills it took."""
    rows = [line(["peer", "skills it took", "ranks by", "can't"]), line(["---"] * 4)]
    for name, system in systems.items():
        if not system.get("ours"):
            rows.append(line([name, system.get("took", ""), system["mode"], system.get("lacks", "")]))
    return "\n".join(rows)
