"""What all bounds share: how they are rounded, how they follow the centres, how cost is kept.

A computed squared distance errs by a factor 1 +- e at most (`points.relative_error`) and, where
squares underflow, by a few of the smallest normal numbers, which can take `floor` from a distance.
Upper bounds carry a factor 1 + 2e and that floor, lower ones a factor 1 - 2e less the floor, so
that "upper < lower", strictly, implies that the *computed* distance to the own centre is strictly
the smallest. Hence the labels are Lloyd's, bit for bit.

The cost is kept by what changes it: a step of centre j from c to c' changes the cost of its W
points with mean m by W (|m - c'|^2 - |m - c|^2), and a row that moves by the difference of its
distances.
"""

from __future__ import annotations

import numpy as np

from sskmeans.kernels.types import Array, Moved, Rounding
from sskmeans.points import LocalPoints, Steps


def rounding_of(points: LocalPoints) -> Rounding:
    """How far the distances of these points may err."""
    error = 2.0 * points.relative_error
    floor = 4.0 * np.sqrt(points.d * float(np.finfo(points.dtype).tiny))
    return Rounding(1.0 + error, 1.0 - error, float(floor))


def drift_of(steps: Steps, rounding: Rounding) -> Array:
    """At least how far each centre went; 0 only where it stayed."""
    drift = np.sqrt(steps.squares) * (1.0 + 2.0**-40) * rounding.outward
    drift[steps.squares > 0] += rounding.floor
    return np.asarray(drift)


class KeptCost:
    """The cost of all points, brought up to date by changes, summed anew when that loses digits."""

    def __init__(self, points: LocalPoints) -> None:
        self.points = points
        # Below this share of what it was, a cost kept by changes has lost its digits.
        self.faded = max(2.0**-20, 2.0**10 * points.relative_error)
        self.value = self.exact = 0.0

    def follow(self, steps: Steps) -> None:
        """The centres moved."""
        self.value = max(0.0, self.value + float(steps.changes.sum()))

    def after(self, moved: Moved, centres: Array, labels: Array) -> float:
        """Rows moved too: what all cost now."""
        self.value = max(0.0, self.value - moved.gain)
        if self.value < self.faded * self.exact:
            self.anew(self.points.own(centres, labels))
        return self.value

    def anew(self, squares: Array) -> float:
        """The cost summed over all points, of which these are the squared distances."""
        return self.known(self.points.total(squares))

    def known(self, cost: float) -> float:
        """The cost as summed elsewhere."""
        self.value = self.exact = cost
        return self.value
