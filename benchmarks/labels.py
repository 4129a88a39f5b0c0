"""Claim: labels make it cheaper. An iteration takes the time of its unlabelled rows.

200,000 rows of 64 columns in 100 clusters, twenty iterations from the same start with every row's
own class as its label in a growing share of the rows; `ms` is a whole fit over its iterations,
reading the labels included. Plain Lloyd, so that what bounds save does not mix in, and "auto".
Beside it, on a small table, the Constrained-KMeans of `active-semi-supervised-clustering`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks import data
from benchmarks.contest import Contestant, race, ratio
from benchmarks.peers import contestant, quietly
from sskmeans import SSKMeans

N, D, K, ITERATIONS = 200_000, 64, 100, 20
SHARES = [0, 25, 50, 75, 100]


def run(smoke: bool) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Rows and summary of this benchmark."""
    n = 2000 if smoke else N
    X, labels = data.labelled_blobs(n, D, K, "float32", 0.7)
    start = np.stack([X[labels == j].mean(axis=0) for j in range(K)])
    start += np.random.default_rng(1).normal(scale=0.3, size=start.shape).astype(np.float32)
    names = [(share, algorithm) for algorithm in ("lloyd", "auto") for share in SHARES]
    contestants = [
        Contestant(algorithm, _fit(X, _hide(labels, share), start, algorithm))
        for share, algorithm in names
    ]
    race(contestants, most=5)
    rows = []
    for (share, algorithm), each in zip(names, contestants, strict=True):
        plain = contestants[names.index((0, algorithm))]
        per = each.seconds / each.answer
        row = {"algorithm": algorithm, "labelled %": share, "iterations": each.answer}
        rows.append(row | {"ms": 1e3 * per, "faster": plain.seconds / plain.answer / per})
    half = [row["faster"] for row in rows if row["labelled %"] == 50]
    return [*rows, _beside_datamole()], {"faster, half labelled": min(half)}


def _hide(labels: np.ndarray, share: int) -> np.ndarray:
    kept = np.random.default_rng(0).permutation(len(labels)) < len(labels) * share // 100
    return np.where(kept, labels, -1)


def _fit(X: np.ndarray, y: np.ndarray, start: np.ndarray, algorithm: str) -> Callable[[], int]:
    def run() -> int:
        model = SSKMeans(len(start), init=start, tol=0, max_iter=ITERATIONS, algorithm=algorithm)
        return int(quietly(lambda: model.fit(X, y)).n_iter_)

    return run


def _beside_datamole() -> dict[str, Any]:
    """Every class has labels, as their implementation needs; the same centres to start from."""
    X, labels = data.labelled_blobs(2400, 15, 24, "float64", 3.0)
    y = _hide(labels, 5)
    y[[np.flatnonzero(labels == j)[0] for j in range(24)]] = np.arange(24)

    def ours() -> np.ndarray:
        return SSKMeans(24, tol=0).fit(X, y).labels_

    def theirs() -> np.ndarray:
        from active_semi_clustering import ConstrainedKMeans

        return np.asarray(ConstrainedKMeans(24).fit(X, y).labels_)

    package = "active_semi_clustering"
    pair = [Contestant("sskmeans", ours), contestant(package, package, theirs)]
    race(pair, most=3)
    row = {"algorithm": "beside active-semi-supervised-clustering, 2400x15", "labelled %": 5}
    if pair[1].missing:
        return row | {"note": pair[1].missing}
    same = float(np.mean(pair[0].answer == pair[1].answer))
    return row | {"ms": 1e3 * pair[0].seconds, "ratio": ratio(pair), "same labels": same}
