"""k-means++ and ss-k-means++ (Arthur & Vassilvitskii 2007; Yoder & Priebe, Algorithm 3), exactly.

    1  C <- the centroids of the labelled classes
    2  if there are none: C <- {a row drawn in proportion to its weight w}
    3  while |C| < k: C <- C + {a row x drawn with probability  w(x) D2(x) / sum of w D2}

where D2(x) is the squared distance of x to the nearest centre in C so far, over the unlabelled
rows alone: labelled rows are neither drawn nor in the normaliser.

Line 3 asks for a pass over the data after each draw. Here a pass serves many draws, and the law
stays the same to the last digit, by rejection (compare Cohen-Addad et al. 2020):

    freeze D2;  draw candidates independently, in proportion to w D2_frozen;
    walk through them in order, accepting x with probability D2_now(x) / D2_frozen(x).

An accepted row has probability proportional to (w D2_frozen) (D2_now / D2_frozen) = w D2_now, which
is line 3. D2_now differs from D2_frozen only by the candidates accepted since, so the walk needs
distances between candidates only; a candidate that an accepted one covers is simply refused. Then
one product-like pass brings D2 up to date for all accepted centres at once. The first candidate of
a batch is always accepted, so there are never more passes than draws; on most data there are about
log k.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sskmeans import kernels
from sskmeans.kernels.types import Array
from sskmeans.points import LocalPoints
from sskmeans.seeding.draws import Picks, draw, draw_distinct, first_centres

MOST = 4096  # candidates in a batch: their mutual distances are held as a square


def plusplus(points: LocalPoints, fixed: Array, n_new: int, rng: Any) -> Picks:
    """Draw `n_new` rows by the law of ss-k-means++ given the fixed centres."""
    centres, chosen = first_centres(points, fixed, rng)
    D2 = points.nearest(centres)[1] if len(chosen) < n_new else np.zeros(0)
    rate = 1.0  # share of the last batch that was accepted
    while len(chosen) < n_new:
        cumulative = np.cumsum(D2 if points.weights is None else D2 * points.weights)
        if cumulative[-1] == 0.0:
            return fill(points, chosen, n_new, rng)
        wanted = n_new - len(chosen)
        size = min(int(np.ceil(wanted / rate)), 2 * wanted, MOST)
        candidates = draw(cumulative, size, rng)
        accepted = walk(points.take(candidates), D2[candidates], wanted, rng)
        rate = len(accepted) / size
        chosen.extend(candidates[accepted].tolist())
        if len(chosen) < n_new:
            D2 = np.minimum(D2, points.nearest(points.take(candidates[accepted]))[1])
    return Picks(np.array(chosen, dtype=np.intp))


def walk(rows: Array, frozen: Array, wanted: int, rng: Any) -> list[int]:
    """Which candidates are accepted, in order, until `wanted` are."""
    between = kernels.distances(np.ascontiguousarray(rows), None, np.ascontiguousarray(rows))
    thresholds = rng.random(len(rows)) * frozen
    now = frozen.copy()
    accepted: list[int] = []
    for i in range(len(rows)):
        if thresholds[i] < now[i] or now[i] == frozen[i]:  # u * D2 may round up to D2
            accepted.append(i)
            if len(accepted) == wanted:
                break
            np.minimum(now, between[i], out=now)
    return accepted


def fill(points: LocalPoints, chosen: list[int], n_new: int, rng: Any) -> Picks:
    """Every row coincides with a centre: complete with rows not drawn yet, uniformly."""
    free = np.ones(points.n) if points.weights is None else (points.weights > 0).astype(float)
    free[chosen] = 0.0
    missing = n_new - len(chosen)
    rest = draw_distinct(free, missing, rng).tolist()
    return Picks(np.array(chosen + rest, dtype=np.intp), missing)
