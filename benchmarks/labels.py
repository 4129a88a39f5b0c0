"""Claim: labels make it cheaper. An iteration takes the time of its unlabelled rows.

200,000 rows of 64 columns in 100 overlapping clusters, from the same start, with every row's own
class as its label in a growing share of the rows. `ms` is the time of one iteration: what a fit of
`iterations` takes longer than a fit of one, over the iterations between. `fit ms` is the whole fit,
checking X and reading y included, which labels do not make cheaper. Plain Lloyd, so that what
bounds save does not mix in, and "auto".
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
    X, labels = data.labelled_blobs(n, D, K, "float32", 0.3)
    start = X[np.random.default_rng(1).choice(n, K, replace=False)]
    names = [(share, algorithm) for algorithm in ("lloyd", "auto") for share in SHARES]
    pairs = [
        [
            Contestant(algorithm, _fit(X, _hide(labels, share), start, algorithm, most))
            for most in (1, ITERATIONS)
        ]
        for share, algorithm in names
    ]
    race([each for pair in pairs for each in pair], most=5, budget=60.0)
    rows: list[dict[str, Any]] = []
    for (share, algorithm), (one, many) in zip(names, pairs, strict=True):
        more = many.answer - one.answer  # with every row labelled there is nothing to repeat
        ms = 1e3 * (many.seconds - one.seconds) / more if more > 1 else float("nan")
        row = {"algorithm": algorithm, "labelled %": share, "iterations": many.answer, "ms": ms}
        plain = row["ms"] if share == 0 else rows[names.index((0, algorithm))]["ms"]
        rows.append(row | {"faster": plain / ms, "fit ms": 1e3 * many.seconds})
    half = [row["faster"] for row in rows if row["labelled %"] == 50]
    return [*rows, _beside_datamole()], {"faster, half labelled": min(half)}


def _hide(labels: np.ndarray, share: int) -> np.ndarray:
    kept = np.random.default_rng(0).permutation(len(labels)) < len(labels) * share // 100
    return np.where(kept, labels, -1)


def _fit(
    X: np.ndarray, y: np.ndarray, start: np.ndarray, algorithm: Any, most: int
) -> Callable[[], int]:
    def run() -> int:
        model = SSKMeans(len(start), init=start, tol=0, max_iter=most, algorithm=algorithm)
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
