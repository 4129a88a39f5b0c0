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
        self.sums: Sums | None = None

    def of(self, labels: Array, *, afresh: bool) -> Sums:
        """The sums that these labels make."""
        moved = np.flatnonzero(labels != self.labels)
        if afresh or self.sums is None or self._many(len(moved)):
            self.sums = self.points.sums(labels, self.k)
            self.labels = labels.copy()
            return self.sums
        gained = self.points.sums(labels[moved], self.k, moved)
        lost = self.points.sums(self.labels[moved], self.k, moved)
        self.labels[moved] = labels[moved]
        self.sums = self.sums.plus(gained).plus(lost, -1.0)
        if self.points.weights is not None:  # an empty slot must be seen as empty, exactly
            left = np.bincount(labels, self.points.weights > 0, minlength=self.k)
            mass = np.where(left > 0, self.sums.mass, 0.0)
            self.sums = self.sums._replace(mass=mass)
        return self.sums

    def _many(self, moved: int) -> bool:
        """Whether summing all is less work: the moved count twice, the sums some eight times."""
        points = self.points
        spent = 2 * moved * points.stored + 8 * self.k * points.d
        return bool(spent > points.n * points.stored)
