"""The sums of every slot's points, kept by what moves between slots.

Once few points move, adding and taking away those is much less work than summing all. A sum that
a huge row has entered and left would keep dirt in its last digits; here sums carry twice the digits
of float64, and the loop asks for them `afresh` before it stops, so that what it returns is clean.
"""

from __future__ import annotations

import numpy as np

from sskmeans.kernels.types import Array
from sskmeans.points import LocalPoints, Sums


class RunningSums:
    """Sums for the labels it was last asked about."""

    def __init__(self, points: LocalPoints, k: int) -> None:
        self.points, self.k = points, k
        self.labels: Array = np.full(points.n, -1, dtype=np.int32)
        self.sums = Sums(np.zeros((k, points.d)), np.zeros((k, points.d)), np.zeros(k))

    def of(self, labels: Array, *, afresh: bool) -> Sums:
        """The sums that these labels make."""
        moved = np.flatnonzero(labels != self.labels)
        # Each moved point counts twice, and the sums themselves are walked through a few times.
        if afresh or 2 * len(moved) + 8 * self.k > self.points.n:
            self.sums = self.points.sums(labels, self.k)
            self.labels = labels.copy()
            return self.sums
        gained = self.points.sums(labels[moved], self.k, moved)
        lost = self.points.sums(self.labels[moved], self.k, moved)
        self.labels[moved] = labels[moved]
        self.sums = self.sums + gained + -lost
        if self.points.weights is not None:  # an empty slot must be seen as empty, exactly
            self.sums = self.sums._replace(mass=self.points.mass(labels, self.k))
        return self.sums
