"""Work counted instead of timed, and the machine's own unit: one matrix product by NumPy."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from sskmeans.points import LocalPoints
from sskmeans.seeding import SEEDERS


def product_seconds(X: np.ndarray, centres: np.ndarray) -> float:
    """Best of three products X C', in blocks of rows so that nothing large is written."""
    best = float("inf")
    for _ in range(3):
        begin = time.perf_counter()
        for first in range(0, len(X), 8192):
            X[first : first + 8192] @ centres.T
        best = min(best, time.perf_counter() - begin)
    return best


def count_passes(X: np.ndarray, k: int, *, greedy: bool) -> float:
    """How often a seeding looks at all rows; a look at a part of them counts as that part."""
    points = _Counting(X)
    seeder = SEEDERS["greedy-k-means++" if greedy else "k-means++"]
    seeder(points, np.zeros((0, X.shape[1]), X.dtype), k, np.random.RandomState(0))
    return points.passes


class _Counting(LocalPoints):
    passes = 0.0

    def nearest(self, *arguments: Any) -> Any:
        self.passes += 1
        return super().nearest(*arguments)

    def gains(self, *arguments: Any) -> Any:
        found, looked = super().gains(*arguments)
        self.passes += looked
        return found, looked
