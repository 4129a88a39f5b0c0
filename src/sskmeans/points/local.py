"""Rows in this machine's memory: an array or a CSR matrix, all of its rows or a selection."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from sskmeans import kernels
from sskmeans.kernels.types import Array, Matrix, Rows


class Sums(NamedTuple):
    """Weighted sums of the rows of each slot. `high + low` carries twice the digits of float64."""

    high: Array  # (k, d)
    low: Array  # (k, d)
    mass: Array  # (k,) total weight

    def means(self) -> Array:
        """Mean of each slot, (k, d) float64; NaN where a slot has no mass."""
        mass = np.where(self.mass > 0, self.mass, np.nan)[:, None]
        return np.asarray(self.high / mass + self.low / mass)

    def __add__(self, other: object) -> Sums:
        """The sums of both sets of rows together, with what rounding takes kept in `low`."""
        assert isinstance(other, Sums)
        high, lost = _two_sum(self.high, other.high)
        high, low = _two_sum(high, self.low + other.low + lost)
        return Sums(high, low, self.mass + other.mass)

    def __neg__(self) -> Sums:
        """What takes these rows away when added."""
        return Sums(-self.high, -self.low, -self.mass)


def _two_sum(a: Array, b: Array) -> tuple[Array, Array]:
    """The rounded sum, and exactly what rounding took (Knuth)."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


class LocalPoints:
    """The rows `rows` of X (all of them when None) with their weights."""

    def __init__(self, X: Matrix, rows: Rows = None, weights: Array | None = None) -> None:
        self.X, self.rows = X, rows
        self.n = int(X.shape[0] if rows is None else len(rows))
        self.d = int(X.shape[1])
        self.dtype: np.dtype[Any] = X.dtype
        self.weights = weights if weights is None or rows is None else weights[rows]
        self.relative_error = kernels.relative_error(X)

    def nearest(self, centres: Array, positions: Rows = None) -> tuple[Array, Array, Array]:
        """Nearest slot of each row, squared distance to it, and to the second nearest."""
        return kernels.nearest(self.X, self.at(positions), centres)

    def own(self, centres: Array, labels: Array, positions: Rows = None) -> Array:
        """Squared distance of each row to the slot that `labels` (aligned) gives it."""
        return kernels.own(self.X, self.at(positions), centres, labels)

    def distances(self, centres: Array) -> Array:
        """Squared distance of each row to each centre, (n, k)."""
        return kernels.distances(self.X, self.rows, centres)

    def sums(self, labels: Array, k: int, positions: Rows = None) -> Sums:
        """Weighted sums of the rows of each of k slots; `labels` aligned with `positions`."""
        weights = self.weights
        if weights is not None and positions is not None:
            weights = weights[positions]
        high, low = kernels.sums(self.X, self.at(positions), weights, labels, k)
        return Sums(high, low, self.mass(labels, k, positions))

    def mass(self, labels: Array, k: int, positions: Rows = None) -> Array:
        """Total weight of each of k slots, as right as their sums: a mean is the ratio of both."""
        if self.weights is None:
            return np.bincount(labels, minlength=k).astype(np.float64)
        weights = self.weights if positions is None else self.weights[positions]
        return kernels.sums(weights[:, None], None, None, labels, k)[0][:, 0]

    def take(self, positions: Array) -> Array:
        """Those rows as a dense array, in that order."""
        part = self.X[self.at(positions)]
        return np.asarray(part.toarray() if sparse.issparse(part) else part)

    def at(self, positions: Rows) -> Rows:
        """Positions among these points as row numbers of X."""
        if self.rows is None or positions is None:
            return self.rows if positions is None else positions
        return np.asarray(self.rows[positions])

    def total(self, values: Array) -> float:
        """Weighted total of one value a row; NumPy's pairwise sum has one fixed order."""
        return float(values.sum() if self.weights is None else (values * self.weights).sum())
