"""Claim: new rows are answered sooner too: `predict`, `transform` and `score`.

A million rows of 64 columns, 100 centres; both models hold the same centres. `same` is the share of
equal labels, or the largest relative difference of the other answers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.cluster import KMeans

from benchmarks import data
from benchmarks.contest import Contestant, race, ratio
from benchmarks.peers import quietly
from benchmarks.work import product_seconds
from sskmeans import SSKMeans


def run(smoke: bool) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Rows and summary of this benchmark."""
    n, d, k = (2000, 8, 5) if smoke else (1_000_000, 64, 100)
    X = data.blobs(n, d, k, "float32")
    start, few = X[:k].copy(), X[: 20 * k]
    ours = SSKMeans(k, init=start, max_iter=1).fit(few)
    theirs = quietly(lambda: KMeans(k, init=start, n_init=1, max_iter=1).fit(few))
    theirs.cluster_centers_ = ours.cluster_centers_.copy()
    return [_row(what, ours, theirs, X) for what in ("predict", "transform", "score")], {}


def _row(what: str, ours: Any, theirs: Any, X: np.ndarray) -> dict[str, Any]:
    pair = [
        Contestant("sskmeans", lambda: getattr(ours, what)(X)),
        Contestant("scikit-learn", lambda: getattr(theirs, what)(X)),
    ]
    race(pair, most=7)
    mine, other = (each.answer for each in pair)
    if what == "predict":
        same = float(np.mean(mine == other))
    else:
        same = float(np.max(np.abs(np.divide(mine, other) - 1)))
    row: dict[str, Any] = {"call": what, **{each.name: each.seconds for each in pair}}
    products = pair[0].seconds / product_seconds(X, ours.cluster_centers_)
    return row | {"ratio": ratio(pair), "products": products, "same": same}
