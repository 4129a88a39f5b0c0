"""Claim: overhead is a feature. Small tables, whole fits, against scikit-learn's whole fits."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning

from benchmarks import data
from benchmarks.contest import Contestant, race, ratio
from sskmeans import SSKMeans

CASES = [("iris", 3, 1), ("iris", 3, 10), ("digits", 10, 1), ("digits", 10, 10)]
SMOKE = CASES[:1]
FITS = 20  # a round


def run(smoke: bool) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Rows and summary of this benchmark."""
    return [_row(*case) for case in (SMOKE if smoke else CASES)], {}


def _row(name: str, k: int, n_init: int) -> dict[str, Any]:
    X = data.small(name)

    def fits(kind: Any, init: str) -> Callable[[], float]:
        def run() -> float:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)
                models = [
                    kind(k, init=init, n_init=n_init, random_state=seed).fit(X)
                    for seed in range(FITS)
                ]
            return float(np.median([model.inertia_ for model in models]))

        return run

    contestants = [
        Contestant("sskmeans", fits(SSKMeans, "k-means++")),
        Contestant("scikit-learn", fits(KMeans, "k-means++")),
    ]
    greedy = Contestant("sskmeans greedy", fits(SSKMeans, "greedy-k-means++"))
    race([*contestants, greedy])
    row: dict[str, Any] = {"data": name, "n_init": n_init}
    for each in [*contestants, greedy]:
        row[each.name] = each.seconds / FITS
        row[f"{each.name} cost"] = each.answer
    row["ratio"] = ratio(contestants)
    return row
