"""The array types that kernels speak of."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[Any]
Matrix: TypeAlias = Any  # Array, or scipy's csr_array / csr_matrix with sorted indices
Rows: TypeAlias = npt.NDArray[np.intp] | None


class Moves(NamedTuple):
    """What bounds must allow for after the centres moved, one number a centre."""

    drift: Array  # (k,) at least its step
    other_drift: Array  # (k,) at least the longest step among the others
    half_gap: Array  # (k,) at most half the distance to the nearest other one


class Rounding(NamedTuple):
    """How far a distance d may err, outward: d * outward + floor, d * inward - floor."""

    outward: float
    inward: float
    floor: float

    def above(self, squares: Array) -> Array:
        """Distances no shorter than the true ones."""
        return np.asarray(np.sqrt(squares) * self.outward + self.floor)

    def below(self, squares: Array) -> Array:
        """Distances no longer than the true ones."""
        return np.asarray(np.sqrt(squares) * self.inward - self.floor)


class Moved(NamedTuple):
    """Rows whose label changed."""

    positions: Array  # (m,) intp, ascending
    left: Array  # (m,) int32, the labels they had
    gain: float  # weighted squared distances saved
    computed: int  # distances it took


class Ground(NamedTuple):
    """Centres as `prune` sees them: sixteen side by side, groups of neighbours with one bound."""

    led: Array  # (blocks, p + 1, 16) float32, leading coordinates; infinite where no centre lies
    slots: Array  # (16 blocks,) int32, which centre lies there, -1 for none
    place: Array  # (k,) int32, where a centre lies
    sunk: Array  # (groups,) uint16, units by which the bounds of a group have sunk since the first
    unit: float  # of stored bounds
    slack: float  # at least the error of any centre's leading coordinates
    error: float  # relative, of a square of leading coordinates
