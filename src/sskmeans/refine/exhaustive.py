"""Every distance, every iteration: the plain form of Lloyd's assignment step."""

from __future__ import annotations

import numpy as np

from sskmeans.kernels.types import Array
from sskmeans.points import LocalPoints, Steps
from sskmeans.refine.assigner import Assignment, difference


class Exhaustive:
    """Computes all n k distances."""

    def __init__(self, points: LocalPoints, centres: Array) -> None:
        self.points, self.k = points, len(centres)
        self.labels: Array = np.full(points.n, -1, dtype=np.int32)

    def assign(self, centres: Array) -> Assignment:
        """Put every point with its nearest centre."""
        labels, best, _ = self.points.nearest(centres)
        moved, left = difference(self.labels, labels)
        self.labels = labels
        return Assignment(self.points.total(best), moved, left, self.points.n * self.k)

    def follow(self, steps: Steps) -> None:
        """Nothing is remembered about the centres."""

    def forget(self) -> None:
        """Nothing is remembered about the points."""
