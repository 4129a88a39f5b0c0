"""Greedy k-means++: several candidates a draw, the one that lowers the cost most is kept.

scikit-learn's variant, with its 2 + floor(log k) candidates. It has no O(log k) guarantee
(Bhattacharya, Eube, Röglin & Schmidt 2020) and usually starts from a lower cost. Choosing among
candidates needs the cost after each centre, so there is one pass a centre: batches cannot serve.

The law, given the centres C so far:  draw L rows independently in proportion to w D2;  keep the
one for which  sum w min(D2, |x - candidate|^2)  is least, the first drawn among equals. Equivalent
and kept here: the one whose gain  sum w max(D2 - |x - candidate|^2, 0)  is greatest.

What makes a pass cheap (Raff 2021): a row x at distance D from its nearest centre c gains nothing
from a candidate that lies 2D or more from c, by the triangle inequality. So the distances between
centres and candidates say which rows need a look, and these get fewer with every centre.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sskmeans import kernels
from sskmeans.kernels.types import Array
from sskmeans.points import LocalPoints
from sskmeans.seeding.draws import Picks, first_centres
from sskmeans.seeding.plusplus import fill


def greedy_plusplus(points: LocalPoints, fixed: Array, n_new: int, rng: Any) -> Picks:
    """Draw `n_new` rows, each the best of several drawn by the law of ss-k-means++."""
    trials = 2 + int(np.log(n_new + len(fixed)))
    centres, chosen = first_centres(points, fixed, rng)
    if len(chosen) == n_new:
        return Picks(np.array(chosen, dtype=np.intp))
    count = len(centres)
    held = np.empty((len(fixed) + n_new, points.d), dtype=points.dtype)
    held[:count] = centres
    owners, D2, _ = points.nearest(centres)
    kept = points.room_for_squares(trials)
    looked = 1.0  # share of the rows that the last candidates made a look necessary for
    while len(chosen) < n_new:
        drawn, cost = kernels.pick(D2, points.weights, rng.random(trials))
        if cost == 0.0:
            return fill(points, chosen, n_new, rng)
        candidates = points.take(drawn)
        reach = half_way(candidates, held[:count], points)
        gains, looked = points.gains(candidates, reach.min(axis=0), D2, owners, looked, kept)
        best = int(np.argmax(gains))
        kernels.claim(kept, best, reach[best], D2, owners, count)
        chosen.append(int(drawn[best]))
        held[count] = candidates[best]
        count += 1
    return Picks(np.array(chosen, dtype=np.intp))


def half_way(candidates: Array, held: Array, points: LocalPoints) -> Array:
    """The square up to which a row of each centre has no use for each candidate, rounded down."""
    between = kernels.distances(candidates, None, held)
    error = max(points.relative_error, kernels.relative_error(candidates))
    small = 64.0 * points.d * float(np.finfo(points.dtype).tiny)  # squares may have underflowed
    return np.asarray(np.maximum(0.25 * (1.0 - 8.0 * error) * between - small, 0.0))
