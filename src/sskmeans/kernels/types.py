"""The array types that kernels speak of."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[Any]
Matrix: TypeAlias = Any  # Array, or scipy's csr_array / csr_matrix with sorted indices
Rows: TypeAlias = npt.NDArray[np.intp] | None


OFFERED = 1024  # rows that `gains` looks at together


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


class Coarse(NamedTuple):
    """Rows and centres in eight bits a number, see `reference.coarsen`."""

    codes: Array  # (m, width) uint8
    stats: Array  # (m, 4) float32
    centre_codes: Array  # (k, width) int8 as uint8
    centre_stats: Array  # (k, 4) float32
    bias: Array  # (k,) int32, takes the bias of the rows' codes out of their products
    scale: Array  # unit, and the largest error and square of a coarse centre
    leading: Coarse | None = None  # the same rows and centres in a few directions


class Held(NamedTuple):
    """What labelled rows put into the sums of each slot, and how their cost follows the centres."""

    totals: Array  # (2, k, d)
    mass: Array  # (k,)
    means: Array  # (g, d), of the slots that have any
    slots: Array  # (g,) int64


class Outcome(IntEnum):
    """Why Lloyd's loop ended. As in loop_binding.cpp."""

    at_rest = 0
    within_tolerance = 1
    at_most = 2  # so many iterations
    ran_empty = 3  # a slot: the answer is unfinished


class Refined(NamedTuple):
    """Where Lloyd's loop ended."""

    outcome: Outcome
    centres: Array
    labels: Array  # int32, nearest to these centres
    costs: list[float]  # of each iteration; what labelled rows cost about their own means is not in
    moves: list[int]
