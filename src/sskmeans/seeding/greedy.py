"""Greedy k-means++: several candidates a draw, the one that lowers the cost most is kept.

scikit-learn's variant, with its 2 + floor(log k) candidates. It has no O(log k) guarantee
(Bhattacharya, Eube, Röglin & Schmidt 2020) and usually starts from a lower cost. Choosing among
candidates needs the cost after each centre, so there is one pass a centre: batches cannot serve.

The law, given the centres C so far:  draw L rows independently in proportion to w D2;  keep the
one for which  sum w min(D2, |x - candidate|^2)  is least, the first drawn among equals.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sskmeans.kernels.types import Array
from sskmeans.points import LocalPoints
from sskmeans.seeding.draws import Picks, draw, first_centres
from sskmeans.seeding.plusplus import fill


def greedy_plusplus(points: LocalPoints, fixed: Array, n_new: int, rng: Any) -> Picks:
    """Draw `n_new` rows, each the best of several drawn by the law of ss-k-means++."""
    trials = 2 + int(np.log(n_new + len(fixed)))
    centres, chosen = first_centres(points, fixed, rng)
    D2 = points.nearest(centres)[1] if len(chosen) < n_new else np.zeros(0)
    while len(chosen) < n_new:
        cumulative = np.cumsum(D2 if points.weights is None else D2 * points.weights)
        if cumulative[-1] == 0.0:
            return fill(points, chosen, n_new, rng)
        candidates = draw(cumulative, trials, rng)
        after = np.minimum(points.distances(points.take(candidates)), D2[:, None])
        costs = [points.total(column) for column in after.T]
        best = int(np.argmin(costs))
        chosen.append(int(candidates[best]))
        D2 = after[:, best].copy()
    return Picks(np.array(chosen, dtype=np.intp))
