"""Which skills are near each other: hard negatives, and near-duplicates that must not be negatives."""

import collections
import math
import re

import numpy as np


def similarity(skills, vectors):
    """Returns two matrices over skills: cosine of their vectors, and the mean of that and of their words' TF-IDF cosine."""
    meaning = vectors @ vectors.T
    return meaning, (meaning + words(skills)) / 2


def words(skills):
    """Returns the cosine of TF-IDF vectors of heads and bodies."""
    counts = [collections.Counter(re.findall(r"[a-z0-9]{2,}", f"{s.head} {s.head} {s.body}".lower())) for s in skills]
    found = collections.Counter(w for c in counts for w in c)
    column = {w: i for i, w in enumerate(sorted(w for w, n in found.items() if 2 <= n <= len(skills) // 4))}
    matrix = np.zeros((len(skills), len(column)), np.float32)
    for row, c in zip(matrix, counts):
        for w, n in c.items():
            if w in column:
                row[column[w]] = (1 + math.log(n)) * math.log(len(skills) / found[w])
    matrix /= np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-9)
    return matrix @ matrix.T


def families(near, order, size):
    """Yields lists of skills that are near each other, size at most, so that each skill is in one."""
    free = np.ones(len(near), bool)
    for first in order:
        if not free[first]:
            continue
        free[first] = False
        row = np.where(free, near[first], -np.inf)
        others = [int(i) for i in np.argsort(-row, kind="stable")[:size - 1] if free[i]]
        free[others] = False
        yield [first, *others]
