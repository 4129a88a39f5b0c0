"""Leading directions: most of a distance, from a few numbers a row.

For orthonormal axes V and any origin m, a row x becomes z = V'(x - m) and r, the length of what
is left of x - m. By Pythagoras and the triangle inequality in the rest,

    |x - c|^2  >=  |z_x - z_c|^2 + (r_x - r_c)^2,

a lower bound of every distance for p + 1 differences instead of d. The axes are the principal ones
of a sample of the rows, so that few of them hold much of most distances (compare block vectors,
Bottesch et al. 2016). Any axes would be right: what rounding does to them, to the coordinates and
to the rest is counted, row by row, in one number, the row's slack.
"""

from __future__ import annotations

import numpy as np

from sskmeans import kernels
from sskmeans.kernels.types import Array
from sskmeans.points import LocalPoints

SAMPLE, JUDGES = 1024, 256  # rows that give the axes, and rows that say how many are worth it
STEP = 16  # axes come by sixteens
MOST = 128
SINGLE = float(np.finfo(np.float32).eps)


class Leading:
    """The rows of `points` in as many leading directions as pay with these centres."""

    def __init__(self, points: LocalPoints, centres: Array) -> None:
        at = np.unique(np.linspace(0, points.n - 1, min(points.n, SAMPLE)).astype(np.intp))
        rows = points.take(at)
        self.mean = rows.mean(axis=0, dtype=np.float64).astype(points.dtype)
        steps = (rows - self.mean).astype(np.float64)
        self.scale = float(np.median(np.sqrt(np.einsum("ij,ij->i", steps, steps))))
        quarter = points.d * points.dtype.itemsize // 16 - 2  # of the rows' memory
        most = max(0, min(quarter, MOST, len(rows) // 4, points.d)) // STEP * STEP
        axes = principal_axes(steps, most)
        judges = rows[:: max(1, len(rows) // JUDGES)]
        self.axes = axes[:, : self._worth(judges, axes, centres)].copy()
        self.error = _coordinate_error(self.axes)
        self.rows = kernels.project(points.X, points.rows, self.mean, self.axes, self.error)

    def of(self, centres: Array) -> Array:
        """Centres in the same coordinates."""
        return kernels.project(centres, None, self.mean, self.axes, self.error)

    @property
    def trusted(self) -> bool:
        """Whether float32 holds the squares of these coordinates."""
        return bool(np.isfinite(self.rows).all() and np.abs(self.rows).max() < 1e17)

    def _worth(self, judges: Array, axes: Array, centres: Array) -> int:
        """How many axes make an assignment cheapest, in units of a distance.

        A coordinate costs a share of a distance; a pair that is left open costs a distance, and
        some more, since it comes alone; projecting all rows is spread over some ten iterations.
        """
        d, k = centres.shape[1], len(centres)
        D = kernels.distances(judges, None, centres)
        reach = D.min(axis=1, keepdims=True)
        x, c = (kernels.project(part, None, self.mean, axes, 0.0) for part in (judges, centres))
        x, c = x.astype(np.float64), c.astype(np.float64)
        squares, inside = (np.einsum("ij,ij->i", part[:, :-1], part[:, :-1]) for part in (x, c))
        led, costs = np.zeros(D.shape), {}
        for p in range(0, axes.shape[1] + 1, STEP):
            for q in range(max(0, p - STEP), p):
                led += (x[:, None, q] - c[None, :, q]) ** 2
                squares, inside = squares - x[:, q] ** 2, inside - c[:, q] ** 2
            rest_x, rest_c = np.sqrt(np.maximum(squares, 0)), np.sqrt(np.maximum(inside, 0))
            open_ = led + (rest_x[:, None] - rest_c) ** 2 <= reach
            costs[p] = 1.3 * (p + 1) / d + 2.5 * float(open_.mean()) + 0.1 * p / k
        return min(costs, key=lambda p: costs[p])


def principal_axes(steps: Array, count: int) -> Array:
    """Nearly the first principal axes of centred rows, (d, count) float32 (Halko et al. 2011)."""
    d = steps.shape[1]
    if count == 0:
        return np.zeros((d, 0), dtype=np.float32)
    axes = np.random.default_rng(0).normal(size=(d, min(d, count + 8)))
    for _ in range(3):
        axes = np.linalg.qr(steps.T @ (steps @ axes))[0]
    _, turn = np.linalg.eigh(np.cov(steps @ axes, rowvar=False, bias=True))
    return np.ascontiguousarray((axes @ turn)[:, ::-1][:, :count], dtype=np.float32)


def _coordinate_error(axes: Array) -> float:
    """How far coordinates may be off, over the row's length: rounding, and axes not orthonormal."""
    d, count = axes.shape
    wide = axes.astype(np.float64)
    skew = float(np.linalg.norm(wide.T @ wide - np.eye(count)))
    return float(np.sqrt(count) * (d + 4) * SINGLE + skew + SINGLE)
