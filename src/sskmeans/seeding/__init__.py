"""Where the centres start. One file for each law; all keep one contract.

    seeder(points, fixed, n_new, rng) -> Picks

`points` are the rows that may be drawn (the unlabelled ones), `fixed` (g, d) the centres that
labelled classes bring, `n_new` how many rows to draw, `rng` a RandomState or Generator of which
only `random` is called. `Picks` holds the positions of the drawn rows, in the order of the draws.
With no fixed centres each law is the plain, unsupervised one, by the same code.

The caller sees to it that at least `n_new` rows have positive weight.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from sskmeans.kernels.types import Array
from sskmeans.points import LocalPoints
from sskmeans.result import Seeding
from sskmeans.seeding.draws import Picks
from sskmeans.seeding.greedy import greedy_plusplus
from sskmeans.seeding.plusplus import plusplus
from sskmeans.seeding.uniform import uniform

Seeder: TypeAlias = Callable[[LocalPoints, Array, int, Any], Picks]

SEEDERS: dict[str, Seeder] = {
    "k-means++": plusplus,
    "greedy-k-means++": greedy_plusplus,
    "random": uniform,
}


def seed(seeder: Seeder, points: LocalPoints, centres: Array, is_fixed: Array, rng: Any) -> Seeding:
    """Fill the slots that are not fixed, in order, with rows that `seeder` draws."""
    empty = np.flatnonzero(~is_fixed)
    positions = np.full(len(centres), -1, dtype=np.intp)
    centres = centres.copy()
    n_distinct = len(centres)
    if len(empty):
        picks = seeder(points, centres[is_fixed], len(empty), rng)
        positions[empty] = picks.positions
        centres[empty] = points.take(picks.positions)
        n_distinct -= picks.n_repeats
    return Seeding(centres, positions, n_distinct)


__all__ = ["SEEDERS", "Picks", "Seeder", "seed"]
