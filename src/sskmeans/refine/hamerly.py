"""Hamerly's filter (SDM 2010): skip the rows whose nearest centre cannot have changed.

Each row x keeps two numbers: `upper`, at least its distance to its own centre c, and `lower`, at
most its distance to any other centre. When the centres move, `upper` grows by c's step and `lower`
shrinks by the longest step among the others. By the triangle inequality the row keeps its centre if

    upper < lower,   or   upper < half the gap between c and the centre nearest to c.

Rows that pass neither test first get their true distance to c (which tightens `upper`), are tested
again, and only the survivors are compared with all k centres. The kernel `reassign` does all that
for a chunk of rows at a time, while they are in cache. `bounds` says why the answer is Lloyd's.
"""

from __future__ import annotations

import numpy as np

from sskmeans import kernels
from sskmeans.kernels.types import Array, Moves
from sskmeans.points import LocalPoints, Steps
from sskmeans.refine.assigner import Assignment, difference
from sskmeans.refine.bounds import KeptCost, drift_of, rounding_of


class Hamerly:
    """Lloyd's assignment with one upper and one lower bound a row."""

    def __init__(self, points: LocalPoints, centres: Array) -> None:
        self.points, self.k = points, len(centres)
        self.labels: Array = np.full(points.n, -1, dtype=np.int32)
        self.rounding, self.cost = rounding_of(points), KeptCost(points)
        self.fresh = True  # no bound holds yet
        self.share = 1.0  # of all distances, computed by the last assignment

    def assign(self, centres: Array) -> Assignment:
        """Put every point with its nearest centre."""
        found = self._assign_all(centres) if self.fresh else self._assign_some(centres)
        self.share = found.computed / max(1, self.points.n * self.k)
        return found

    def follow(self, steps: Steps) -> None:
        """Prepare the steps by which bounds and cost must change."""
        self.drift = drift_of(steps, self.rounding)
        self.cost.follow(steps)

    def forget(self) -> None:
        """Start from every distance again."""
        self.fresh = True

    def _assign_all(self, centres: Array) -> Assignment:
        labels, best, second = self.points.nearest(centres)
        moved, left = difference(self.labels, labels)
        self.labels, self.fresh = labels, False
        self.upper, self.lower = self.rounding.above(best), self.rounding.below(second)
        return Assignment(self.cost.anew(best), moved, left, self.points.n * self.k)

    def _assign_some(self, centres: Array) -> Assignment:
        moves = Moves(self.drift, _greatest_other(self.drift), self._half_gaps(centres))
        bounds = self.labels, self.upper, self.lower
        found = self.points.reassign(centres, *bounds, moves, self.rounding, self.share)
        cost = self.cost.after(found, centres, self.labels)
        return Assignment(cost, found.positions, found.left, found.computed + self.k**2)

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
