"""Claim: sparse rows stay sparse and are clustered sooner.

Text-like rows: 100,000 x 50,000, a hundred words a row, 50 clusters, ten iterations from the same
rows as centres; Euclidean, rows of length one, as scikit-learn's KMeans can do it. `worst cost` is
the largest relative difference of the costs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks import data
from benchmarks.contest import race, ratio
from benchmarks.peers import lloyd_contestants

CASES = [(100_000, 50_000, 100, 50), (20_000, 20_000, 30, 20)]
SMOKE = [(500, 300, 10, 5)]
ITERATIONS = 10


def run(smoke: bool) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Rows and summary of this benchmark."""
    return [_row(*case) for case in (SMOKE if smoke else CASES)], {}


def _row(n: int, d: int, stored: int, k: int) -> dict[str, Any]:
    X = data.text(n, d, stored, k)
    chosen = np.random.default_rng(0).choice(n, k, replace=False)
    contestants = lloyd_contestants(X, X[np.sort(chosen)].toarray(), ITERATIONS)
    race(contestants, most=5)
    row: dict[str, Any] = {"data": f"{n}x{d}", "stored": X.nnz, "k": k}
    row |= {each.name: each.seconds if each.rounds else float("nan") for each in contestants}
    ran = [each for each in contestants if each.rounds]
    costs = [_cost(X, each.answer.centres) for each in ran]
    worst = max(abs(cost / costs[0] - 1) for cost in costs)
    note = "; ".join(f"{each.name}: {each.missing}" for each in contestants if each.missing)
    return row | {"ratio": ratio(contestants), "worst cost": worst, "note": note}


def _cost(X: Any, centres: np.ndarray) -> float:
    """By the expanded form in float64: rows have length one, so little cancels."""
    wide = centres.astype(np.float64)
    squares = 1 + (wide**2).sum(axis=1) - 2 * (X.astype(np.float64) @ wide.T)
    return float(squares.min(axis=1).sum())
