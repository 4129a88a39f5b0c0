"""The sums of every slot's points, kept by what moves between slots.

Once few points move, adding and taking away those is much less work than summing all. A sum that
a huge row has entered and left would keep dirt in its last digits; here sums carry twice the digits
of float64, and the loop asks for them `afresh` before it stops, so that what it returns is clean.
"""

from __future__ import annotations

import numpy as np

from sskmeans.kernels.types import Array
from sskmeans.points import LocalPoints, Sums
from sskmeans.refine.assigner import Assignment

LITTLE = 1 << 15  # numbers that are added up sooner than lists of rows are made


class RunningSums:
    """Sums for the labels it was last asked about."""

    def __init__(self, points: LocalPoints, k: int) -> None:
        self.points, self.k = points, k
        self.sums: Sums | None = None
        self.clean = False  # summed afresh, and nothing added or taken away since

    def of(self, labels: Array, last: Assignment, *, afresh: bool) -> Sums:
        """The sums that these labels make; `last` says how they differ from those before."""
        if self.sums is not None and len(last.moved) == 0 and (self.clean or not afresh):
            return self.sums
        if afresh or self.sums is None or self._many(len(last.moved)):
            self.sums, self.clean = self.points.sums(labels, self.k), True
        else:
            self.clean = False
            self.points.move(self.sums, last.moved, last.left, labels[last.moved])
            if self.points.weights is not None:  # an empty slot must be seen as empty, exactly
                left = np.bincount(labels, self.points.weights > 0, minlength=self.k)
                self.sums.mass[left == 0] = 0.0
        return self.sums

    def forget(self) -> None:
        """Labels were changed by another hand than the assigner's."""
        self.sums = None

    def _many(self, moved: int) -> bool:
        """Whether summing all is less work: the moved count twice, the sums of the slots once."""
        points = self.points
        everything = points.n * points.stored
        spent = 2 * moved * points.stored + self.k * points.d
        return bool(spent > everything or everything < LITTLE)
