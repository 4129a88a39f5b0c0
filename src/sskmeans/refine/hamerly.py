"""Hamerly's filter (SDM 2010): skip the rows whose nearest centre cannot have changed.

Each row x keeps two numbers: `upper`, at least its distance to its own centre c, and `lower`, at
most its distance to any other centre. When the centres move, `upper` grows by c's step and `lower`
shrinks by the longest step among the others. By the triangle inequality the row keeps its centre if

    upper < lower,   or   upper < half the gap between c and the centre nearest to c.

Rows that pass neither test first get their true distance to c (which tightens `upper`), are tested
again, and only the survivors are compared with all k centres.

The answer is Lloyd's, bit for bit, because the bounds cover rounding. A computed squared distance
errs by a factor 1 +- e at most (`points.relative_error`) and, where squares underflow, by a few of
the smallest normal numbers, which can take `floor` from a distance. `upper` carries a factor 1 + 2e
and that floor, `lower` a factor 1 - 2e less the floor, so `upper < lower`, strictly, implies that
the *computed* distance to c is strictly the smallest.

The cost is kept by what changes it: a step of centre j from c to c' changes the cost of its W
points with mean m by W (|m - c'|^2 - |m - c|^2), and a row that moves by the difference of its
distances.
"""

from __future__ import annotations

import numpy as np

from sskmeans import kernels
from sskmeans.kernels.types import Array, Moves, Rounding
from sskmeans.points import LocalPoints, Steps
from sskmeans.refine.assigner import Assignment, difference


class Hamerly:
    """Lloyd's assignment with one upper and one lower bound a row."""

    def __init__(self, points: LocalPoints, k: int) -> None:
        self.points, self.k = points, k
        self.labels: Array = np.full(points.n, -1, dtype=np.int32)
        error = 2.0 * points.relative_error
        floor = 4.0 * np.sqrt(points.d * float(np.finfo(points.dtype).tiny))
        self.rounding = Rounding(1.0 + error, 1.0 - error, float(floor))
        # Below this share of what it was, a cost kept by changes has lost its digits.
        self.faded = max(2.0**-20, 2.0**9 * error)
        self.fresh = True  # no bound holds yet
        self.cost = self.exact_cost = 0.0  # as kept by changes, and as last summed over all rows
        self.share = 1.0  # of all distances, computed by the last assignment

    def assign(self, centres: Array) -> Assignment:
        """Put every point with its nearest centre."""
        found = self._assign_all(centres) if self.fresh else self._assign_some(centres)
        self.share = found.computed / max(1, self.points.n * self.k)
        return found

    def follow(self, steps: Steps) -> None:
        """Prepare the steps by which bounds and cost must change."""
        drift = np.sqrt(steps.squares) * (1.0 + 2.0**-40)
        drift[steps.squares > 0] += self.rounding.floor
        self.drift, self.other_drift = drift * self.rounding.outward, _greatest_other(drift)
        self.cost = max(0.0, self.cost + float(steps.changes.sum()))

    def forget(self) -> None:
        """Start from every distance again."""
        self.fresh = True

    def _assign_all(self, centres: Array) -> Assignment:
        labels, best, second = self.points.nearest(centres)
        moved, left = difference(self.labels, labels)
        self.labels, self.fresh = labels, False
        self.cost = self.exact_cost = self.points.total(best)
        self.upper, self.lower = self.rounding.above(best), self.rounding.below(second)
        return Assignment(self.cost, moved, left, self.points.n * self.k)

    def _assign_some(self, centres: Array) -> Assignment:
        moves = Moves(self.drift, self.other_drift, self._half_gaps(centres))
        bounds = self.labels, self.upper, self.lower
        found = self.points.reassign(centres, *bounds, moves, self.rounding, self.share)
        self.cost = max(0.0, self.cost - found.gain)
        if self.cost < self.faded * self.exact_cost:
            own = self.points.own(centres, self.labels)
            self.cost = self.exact_cost = self.points.total(own)
        return Assignment(self.cost, found.positions, found.left, found.computed + self.k**2)

    def _half_gaps(self, centres: Array) -> Array:
        """At most half the distance from each centre to the nearest other one."""
        # A centre's nearest centre is itself (or its double, at distance zero): take the second.
        wide = centres.astype(np.float64)  # for CSR rows `inward` is tighter than float32
        gaps = kernels.nearest(wide, None, wide)[2]
        return 0.5 * self.rounding.below(gaps)


def _greatest_other(drift: Array) -> Array:
    """For each centre, the longest step among the others."""
    if len(drift) == 1:
        return np.zeros(1)
    longest = int(drift.argmax())
    others = np.full(len(drift), drift[longest])
    others[longest] = max(drift[:longest].max(initial=0.0), drift[longest + 1 :].max(initial=0.0))
    return others
