"""Yinyang's bounds (Ding et al. 2015) with leading directions behind them, for wide rows.

Each row keeps `upper`, at least its distance to its own centre, and for every group of centres a
lower bound to the nearest other one of the group. A group needs a look only if its bound is not
above `upper`; within it, a centre only if its distance in a few leading coordinates (`leading`) is
not; and only what is left is computed in full. With groups of one centre these are Elkan's bounds.

The bounds are short: 16 bits each, in units of a small part of the data's size. They are not
lowered as the centres move; what a group's bounds have sunk by since the start is one number for
all rows, added on both sides of the comparison:

    stored now  =  bound + sunk now,      open if   stored  <=  upper + sunk later.

Groups hold similar centres, as many together as keeps all bounds within a quarter of the rows'
memory. `bounds` says why the answer is Lloyd's.
"""

from __future__ import annotations

import numpy as np

from sskmeans import kernels
from sskmeans.kernels.reference import MOST_UNITS
from sskmeans.kernels.types import Array, Ground
from sskmeans.points import LocalPoints, Steps
from sskmeans.refine.assigner import Assignment, difference
from sskmeans.refine.bounds import KeptCost, drift_of, rounding_of
from sskmeans.refine.leading import SINGLE, Leading

BLOCK = 16  # centres that the kernel looks at together
SMALL = 1 << 25  # bytes of bounds that are not worth saving


class Yinyang:
    """Lloyd's assignment with a lower bound for each row and group of centres."""

    def __init__(self, points: LocalPoints, centres: Array, leading: Leading) -> None:
        self.points, self.k, self.leading = points, len(centres), leading
        self.labels: Array = np.full(points.n, -1, dtype=np.int32)
        self.rounding, self.cost = rounding_of(points), KeptCost(points)
        order = similar_together(centres)
        self.slots = np.full(-(-self.k // BLOCK) * BLOCK, -1, dtype=np.int32)
        self.slots[: self.k] = order
        self.place = np.argsort(order).astype(np.int32)
        self.group = _group_size(points, len(self.slots))
        self.unit = 4.0 * leading.scale / MOST_UNITS or 1.0
        self.fresh, self.share = True, 1.0

    def assign(self, centres: Array) -> Assignment:
        """Put every point with its nearest centre."""
        before = self.labels.copy() if self.fresh else None
        if self.fresh:
            self._begin()
        found = kernels.prune(
            self.points.X,
            self.points.rows,
            centres,
            self.points.weights,
            *(self.labels, self.upper, self.stored, self.leading.rows),
            *(self._ground(centres), self.drift, self.rounding, self.share),
        )
        self.share = found.computed / max(1, self.points.n * self.k)
        if before is None:
            cost = self.cost.after(found, centres, self.labels)
            return Assignment(cost, found.positions, found.left, found.computed)
        self.fresh = False
        cost = self.cost.anew(self.points.own(centres, self.labels))
        return Assignment(cost, *difference(before, self.labels), found.computed)

    def follow(self, steps: Steps) -> None:
        """Let the bounds sink by the steps of the centres."""
        self.drift = drift_of(steps, self.rounding)
        there = np.where(self.slots >= 0, self.drift[self.slots], 0.0)
        self.depth += there.reshape(-1, self.group).max(axis=1) / self.unit * (1.0 + 2.0**-40)
        if self.depth.max() > MOST_UNITS:
            self.stored -= np.minimum(self.stored, np.ceil(np.minimum(self.depth, 65535.0))).astype(
                np.uint16
            )
            self.depth[:] = 0.0
        self.cost.follow(steps)

    def forget(self) -> None:
        """Start without bounds again."""
        self.fresh = True

    def _begin(self) -> None:
        n, groups = self.points.n, len(self.slots) // self.group
        self.labels = np.full(n, -1, dtype=np.int32)
        self.upper, self.stored = np.full(n, np.inf), np.zeros((n, groups), dtype=np.uint16)
        self.drift, self.depth = np.zeros(self.k), np.zeros(groups)

    def _ground(self, centres: Array) -> Ground:
        led = self.leading.of(centres)
        blocks = np.full((len(self.slots), led.shape[1] - 1), np.inf, dtype=np.float32)
        blocks[: self.k] = led[self.slots[: self.k], :-1]
        turned = blocks.reshape(-1, BLOCK, led.shape[1] - 1).transpose(0, 2, 1)
        return Ground(
            led=np.ascontiguousarray(turned),
            slots=self.slots,
            place=self.place,
            sunk=np.ceil(self.depth).astype(np.uint16),
            unit=self.unit,
            slack=float(led[:, -1].max()),
            error=2.0 * (led.shape[1] + 8) * SINGLE,
        )


def similar_together(centres: Array) -> Array:
    """An order of the centres in which each sixteen are near each other."""
    D = kernels.distances(centres, None, centres)
    order: list[Array] = []
    rest = np.arange(len(centres))
    while len(rest):
        near = np.argsort(D[rest[0], rest], kind="stable")[:BLOCK]
        order.append(rest[near])
        rest = np.delete(rest, near)
    return np.concatenate(order)


def _group_size(points: LocalPoints, width: int) -> int:
    room = max(SMALL, points.n * points.d * points.dtype.itemsize // 4)
    size = 1
    while size < BLOCK and points.n * width // size * 2 > room:
        size *= 2
    return size
