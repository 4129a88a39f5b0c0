"""Rows in eight bits a number: most centres are excluded by whole-number arithmetic alone.

Of row x only a q is kept, where q are whole numbers of eight bits and a is the row's scale, and
the length of what rounding took from x; so for each centre, b r. By the triangle inequality

    |x - c|  is within  (what rounding took from x and from c)  of  |a q - b r|,

and that is a sum of products of small whole numbers: four to an instruction's lane where full
distances take one, over a quarter of the memory, and without any rounding of its own. Typically a
centre or two in a hundred are left, and are compared in full. The kernel is `reassign`.

Codes are relative to the middle of the first centres, in units of their largest deviation: any
offset and any scale will do.
"""

from __future__ import annotations

import numpy as np

from sskmeans import kernels
from sskmeans.kernels.types import Array, Coarse
from sskmeans.points import LocalPoints
from sskmeans.refine.leading import FEWEST, ROW_BIAS, Directions

ROW_LEVELS = 127  # codes of rows are unsigned bytes, with a bias; those of centres are signed
MANY = 256  # centres from which a look in a few directions pays
FAR = 1e3  # units: beyond, a centre would be too coarse
LARGEST = 1e36  # units squared: beyond, a row's square comes near the end of float32


class CoarseRows:
    """The points in eight bits a number."""

    def __init__(self, points: LocalPoints, centres: Array) -> None:
        self.middle = centres.mean(axis=0, dtype=np.float64)
        self.unit = float(np.abs(centres - self.middle).max())
        self.levels = kernels.centre_levels()
        self.usable = False  # whether the data have a size that can be divided by
        self.directions: Directions | None = None
        if 1e-280 < self.unit < 1e280:
            ground = self.middle, self.unit, ROW_LEVELS, ROW_BIAS
            self.codes, self.stats = kernels.coarsen(points.X, points.rows, *ground)
            self.usable = bool(self.stats[:, 1].max() < LARGEST)
        if self.usable and len(centres) >= MANY and points.d >= FEWEST:
            self.directions = Directions(*self._codes(centres), points.d)
            self.seen = self.directions.look(self.codes, self.stats, ROW_LEVELS, ROW_BIAS)

    def beside(self, centres: Array) -> Coarse | None:
        """The same with these centres, unless one of them lies far outside the data."""
        codes, stats = self._codes(centres)
        if not (stats[:, 0].max() * self.levels < FAR):
            return None
        leading = None
        if self.directions:
            seen = self.directions.look(codes ^ ROW_BIAS, stats, self.levels, 0)
            leading = _side_by_side(self.seen, seen, 1.0)
        return _side_by_side((self.codes, self.stats), (codes, stats), self.unit, leading)

    def _codes(self, centres: Array) -> tuple[Array, Array]:
        return kernels.coarsen(centres, None, self.middle, self.unit, self.levels, 0)


def _side_by_side(
    rows: tuple[Array, Array],
    centres: tuple[Array, Array],
    unit: float,
    leading: Coarse | None = None,
) -> Coarse:
    codes, stats = centres
    bias = -ROW_BIAS * codes.view(np.int8).sum(axis=1, dtype=np.int32)
    scale = np.array([unit, stats[:, 2].max(), stats[:, 1].max()], dtype=np.float64)
    return Coarse(*rows, codes, stats, bias, scale, leading)
