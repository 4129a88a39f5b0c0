"""Distinct rows in proportion to their weight: the paper's Constrained-KMeans initialisation."""

from __future__ import annotations

from typing import Any

import numpy as np

from sskmeans.kernels.types import Array
from sskmeans.points import LocalPoints
from sskmeans.seeding.draws import Picks, draw_distinct


def uniform(points: LocalPoints, fixed: Array, n_new: int, rng: Any) -> Picks:
    """`n_new` distinct rows; the fixed centres have no influence."""
    weights = np.ones(points.n) if points.weights is None else points.weights
    return Picks(draw_distinct(weights, n_new, rng))
