"""The contract of an assigner, told in `sskmeans.refine`."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from sskmeans.kernels.types import Array
from sskmeans.points import Steps


class Assignment(NamedTuple):
    """Every point is with its nearest centre."""

    cost: float  # weighted squared distances of the points
    moved: Array  # positions whose slot changed since the last assignment, ascending
    left: Array  # int32, the slots they were in; -1 for none
    computed: int  # distances it took


class Assigner(Protocol):
    """Finds the nearest centre of every point, iteration after iteration."""

    labels: Array  # (n,) int32

    def assign(self, centres: Array) -> Assignment:
        """Put every point with its nearest centre."""

    def follow(self, steps: Steps) -> None:
        """Learn that the centres moved."""

    def forget(self) -> None:
        """Learn that `labels` were changed from outside."""


def difference(old: Array, new: Array) -> tuple[Array, Array]:
    """Positions where labels differ, and the old labels there."""
    moved = np.flatnonzero(old != new)
    return moved, old[moved]
