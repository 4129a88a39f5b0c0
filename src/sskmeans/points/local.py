"""Rows in this machine's memory: an array or a CSR matrix, all of its rows or a selection."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from sskmeans import kernels
from sskmeans.kernels.types import (
    OFFERED,
    Array,
    Coarse,
    Matrix,
    Moved,
    Moves,
    Rounding,
    Rows,
)
from sskmeans.points.exact import two_sum

BLOCK = 1 << 18  # numbers worked on at a time where whole tables would double the memory


class Sums(NamedTuple):
    """Weighted sums of the rows of each slot, and their weights, to twice the digits of float64.

    With fewer, a column of 1e15 would have a mean off by 1/8, which drowns what other columns say.
    """

    totals: Array  # (2, k, d): `high`, and what rounding took from it
    masses: Array  # (2, k): `mass`, and what rounding took from it

    @property
    def high(self) -> Array:
        """The sums as far as float64 can tell, (k, d)."""
        return np.asarray(self.totals[0])

    @property
    def mass(self) -> Array:
        """Total weight of each slot, (k,)."""
        return np.asarray(self.masses[0])

    def means(self) -> Array:
        """Mean of each slot, (k, d) float64, right to the last digit; NaN without mass."""
        return kernels.means(*self.totals, *self.masses)

    def steps(self, before: Array, after: Array) -> Steps:
        """How the centres of these slots moved, and what that did to the cost of the rows."""
        return Steps(*kernels.steps(before, after, self.high, self.mass))

    def plus(self, other: Sums, sign: float = 1.0) -> Sums:
        """The sums of both sets of rows together, or with sign -1 of these without the others."""
        totals = np.empty_like(self.totals)
        for slots in self._blocks():
            totals[:, slots] = _plus(self.totals[:, slots], other.totals[:, slots], sign)
        return Sums(totals, _plus(self.masses, other.masses, sign))

    def _blocks(self) -> Iterator[slice]:
        """Slots a few at a time: what is computed on the way stays small beside the sums."""
        size = max(1, BLOCK // max(1, self.high.shape[1]))
        for start in range(0, len(self.high), size):
            yield slice(start, start + size)


def _plus(ours: Array, theirs: Array, sign: float) -> Array:
    total, lost = two_sum(ours[0], sign * theirs[0])
    return np.stack(two_sum(total, ours[1] + sign * theirs[1] + lost))


class Steps(NamedTuple):
    """Centres on the move, slot by slot."""

    squares: Array  # (k,) squared length of the step; 0 only for a centre that stays
    changes: Array  # (k,) what the step added to the cost of the slot's rows

    @property
    def shift(self) -> float:
        """All steps, squared and summed: what `tol` is compared with."""
        return float(np.cumsum(self.squares)[-1])  # in order, as the loop of tiny tables adds


class LocalPoints:
    """The rows `rows` of X (all of them when None) with their weights."""

    def __init__(self, X: Matrix, rows: Rows = None, weights: Array | None = None) -> None:
        self.X, self.rows = X, rows
        self.n = int(X.shape[0] if rows is None else len(rows))
        self.d = int(X.shape[1])
        self.dtype: np.dtype[Any] = X.dtype
        self.weights = weights if weights is None or rows is None else weights[rows]
        stored = X.nnz if sparse.issparse(X) else X.size
        self.stored = stored / max(1, X.shape[0])  # numbers in a row, on average
        self.relative_error = kernels.relative_error(X)

    def nearest(self, centres: Array) -> tuple[Array, Array, Array]:
        """Nearest slot of each row, squared distance to it, and to the second nearest."""
        return kernels.nearest(self.X, self.rows, centres)

    def own(self, centres: Array, labels: Array) -> Array:
        """Squared distance of each row to the slot that `labels` gives it."""
        return kernels.own(self.X, self.rows, centres, labels)

    def distances(self, centres: Array) -> Array:
        """Squared distance of each row to each centre, (n, k)."""
        return kernels.distances(self.X, self.rows, centres)

    def reassign(
        self,
        centres: Array,
        labels: Array,
        upper: Array,
        lower: Array,
        moves: Moves,
        rounding: Rounding,
        share: float,
        fresh: bool,
        coarse: Coarse | None,
    ) -> Moved:
        """One step of Hamerly's filter; `labels` and bounds change in place."""
        bounds = labels, upper, lower, moves, rounding, share, fresh, coarse
        return kernels.reassign(self.X, self.rows, centres, self.weights, *bounds)

    def gains(
        self,
        candidates: Array,
        reach: Array,
        squares: Array,
        owners: Array,
        share: float,
        kept: Array,
    ) -> tuple[Array, float]:
        """What each candidate would take from the cost; which share of the rows had a look."""
        held = reach, squares, owners, share, kept
        return kernels.gains(self.X, self.rows, candidates, self.weights, *held)

    def room_for_squares(self, width: int) -> Array:
        """Room for squared distances of each row, as exact as they are computed; nothing yet."""
        kind = np.float64 if sparse.issparse(self.X) else self.dtype
        return np.empty((-(-self.n // OFFERED), width, OFFERED), dtype=kind)

    def sums(self, labels: Array, k: int) -> Sums:
        """Weighted sums of the rows of each of k slots."""
        nothing = Sums(np.zeros((2, k, self.d)), np.zeros((2, k)))
        return self._add(nothing, self.rows, self.weights, labels)

    def move(self, sums: Sums, positions: Array, left: Array, right: Array) -> None:
        """Bring sums up to date: those rows go from the slots `left` to the slots `right`."""
        weights = None if self.weights is None else self.weights[positions]
        self._add(sums, self.at(positions), weights, right, left)

    def _add(
        self, sums: Sums, rows: Rows, weights: Array | None, to: Array, left: Array | None = None
    ) -> Sums:
        if len(to) == 0:
            return sums
        kernels.sums(self.X, rows, weights, to, sums.totals, left)
        if weights is None:
            sums.masses[0] += np.bincount(to, minlength=len(sums.mass))
            if left is not None:
                sums.masses[0] -= np.bincount(left, minlength=len(sums.mass))
        else:
            kernels.sums(weights[:, None], None, None, to, sums.masses[:, :, None], left)
        return sums

    def take(self, positions: Array) -> Array:
        """Those rows as a dense array, in that order."""
        part = self.X[self.at(positions)]
        return np.asarray(part.toarray() if sparse.issparse(part) else part)

    def at(self, positions: Array) -> Array:
        """Positions among these points as row numbers of X."""
        return positions if self.rows is None else np.asarray(self.rows[positions])

    def total(self, values: Array) -> float:
        """Weighted total of one value a row; NumPy's pairwise sum has one fixed order."""
        return float(values.sum() if self.weights is None else (values * self.weights).sum())
