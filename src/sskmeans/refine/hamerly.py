"""Hamerly's filter (SDM 2010): skip the rows whose nearest centre cannot have changed.

Each row x keeps two numbers: `upper`, at least its distance to its own centre c, and `lower`, at
most its distance to any other centre. When the centres move, `upper` grows by c's step and `lower`
shrinks by the longest step among the others. By the triangle inequality the row keeps its centre if

    upper < lower,   or   upper < half the gap between c and the centre nearest to c.

Rows that pass neither test get their true distance to c (which tightens `upper`) and are tested
again, where that takes less time than comparing them with all k centres; the survivors are compared
with all, by way of `coarse` distances where that pays. The kernel `reassign` does all that for a
chunk of rows at a time, while they are in cache. `bounds` says why the answer is Lloyd's.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from sskmeans import kernels
from sskmeans.kernels.types import Array, Moves
from sskmeans.points import LocalPoints, Steps
from sskmeans.refine.assigner import Assignment, difference
from sskmeans.refine.bounds import KeptCost, drift_of, rounding_of
from sskmeans.refine.coarse import CoarseRows

GAPS_AT_MOST = 0.125  # of the distances that an assignment takes
COARSE_AT_MOST = 0.6  # of all distances: where more are left, coarse ones are not worth their time


class Hamerly:
    """Lloyd's assignment with one upper and one lower bound a row."""

    def __init__(
        self, points: LocalPoints, centres: Array, coarse: CoarseRows | None = None
    ) -> None:
        self.points, self.k, self.coarse = points, len(centres), coarse
        self.labels: Array = np.full(points.n, -1, dtype=np.int32)
        self.upper, self.lower = np.empty(points.n), np.empty(points.n)
        self.rounding, self.cost = rounding_of(points), KeptCost(points)
        self.fresh = True  # no bound holds yet
        self.share = 1.0  # of all distances, computed by the last assignment
        self.spent = 0  # distances between centres

    def assign(self, centres: Array) -> Assignment:
        """Put every point with its nearest centre."""
        before = self.labels.copy() if self.fresh else None
        bounds = self.labels, self.upper, self.lower, self._moves(centres), self.rounding
        coarse = self.coarse.beside(centres) if self.coarse else None
        found = self.points.reassign(centres, *bounds, self.share, self.fresh, coarse)
        self.share = found.computed / max(1, self.points.n * self.k)
        if before is None:
            cost = self.cost.after(found, centres, self.labels)
            return Assignment(cost, found.positions, found.left, found.computed + self.spent)
        self.fresh = False
        if self.share > COARSE_AT_MOST:  # rows and centres that eight bits cannot tell apart
            self.coarse = None
        cost = self.cost.known(-found.gain)
        return Assignment(cost, *difference(before, self.labels), found.computed)

    def follow(self, steps: Steps) -> None:
        """Prepare the steps by which bounds and cost must change."""
        self.drift = drift_of(steps, self.rounding)
        self.cost.follow(steps)

    def forget(self) -> None:
        """Start from every distance again."""
        self.fresh = True

    def _moves(self, centres: Array) -> Moves:
        if self.fresh:
            return Moves(*np.zeros((3, self.k)))
        # Gaps are as much work as comparing k points with all centres.
        paid = GAPS_AT_MOST * self.share * self.points.n > self.k
        gaps = self._half_gaps(centres) if paid else np.zeros(self.k)
        self.spent = self.k**2 if paid else 0
        return Moves(self.drift, _greatest_other(self.drift), gaps)

    def _half_gaps(self, centres: Array) -> Array:
        """At most half the distance from each centre to the nearest other one."""
        # A centre's nearest centre is itself (or its double, at distance zero): take the second.
        if sparse.issparse(self.points.X):  # for which `inward` is tighter than float32
            centres = centres.astype(np.float64)
        gaps = kernels.nearest(centres, None, centres)[2]
        return 0.5 * self.rounding.below(gaps)


def _greatest_other(drift: Array) -> Array:
    """For each centre, the longest step among the others."""
    longest = drift.argmax()
    rest = drift.copy()
    rest[longest] = 0.0
    others = np.full(len(drift), drift[longest])
    others[longest] = rest.max()
    return others
