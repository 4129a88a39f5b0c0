"""Drawing rows in proportion to something."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from sskmeans.kernels.reference.filters import drawn
from sskmeans.kernels.types import Array
from sskmeans.points import LocalPoints


class Picks(NamedTuple):
    """Rows drawn, in order."""

    positions: Array  # (n_new,) intp
    n_repeats: int = 0  # how many of the last ones coincide with an earlier centre


def draw(cumulative: Array, size: int, rng: Any) -> Array:
    """`size` independent positions from the law whose cumulative sums (float64) are given."""
    return drawn(cumulative, rng.random(size))


def draw_distinct(weights: Array, size: int, rng: Any) -> Array:
    """`size` distinct positions, one after the other, each in proportion to weight.

    The order of exponential clocks with these rates (Efraimidis & Spirakis, 2006); rows of weight
    zero come last.
    """
    clocks = -np.log1p(-rng.random(len(weights)))
    with np.errstate(divide="ignore", invalid="ignore"):
        clocks = np.where(weights > 0, clocks / weights, np.inf)
    return np.argsort(clocks, kind="stable")[:size]


def first_centres(points: LocalPoints, fixed: Array, rng: Any) -> tuple[Array, list[int]]:
    """The fixed centres or, without any, one row drawn in proportion to weight; what was drawn."""
    if len(fixed):
        return fixed, []
    weights = np.ones(points.n) if points.weights is None else points.weights
    first = draw(np.cumsum(weights), 1, rng)
    return points.take(first), first.tolist()
