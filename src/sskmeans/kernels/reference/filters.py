"""Nearest centres without all distances: the filters of refinement and of greedy seeding."""

from __future__ import annotations

import numpy as np

from sskmeans.kernels.reference.distances import (
    distances,
    nearest,
    own,
)
from sskmeans.kernels.types import OFFERED, Array, Coarse, Matrix, Moved, Moves, Rounding, Rows

CHUNK = 1024  # rows that `reassign` looks at together
FEW = 64  # centres, all of which are compared as soon as one distance is computed alone


def reassign(
    X: Matrix,
    rows: Rows,
    centres: Array,
    weights: Array | None,
    labels: Array,
    upper: Array,
    lower: Array,
    moves: Moves,
    rounding: Rounding,
    share: float,
    fresh: bool = False,
    coarse: Coarse | None = None,
) -> Moved:
    """One step of Hamerly's filter: `labels` become those of the nearest centres.

    `upper` and `lower` (float64) bound the distance of each row to its own centre and to any other;
    they and `labels` are changed in place. A row is skipped only when its upper bound is strictly
    below the lower one, or below half the gap from its centre to the next. `share` is how much of
    all distances the caller expects to be needed; only speed depends on it. `fresh`: no row has a
    label or bounds yet, and `gain` is minus the cost. `coarse` lets the native kernel exclude
    single centres; here every centre is looked at.
    """
    positions, left, gain, computed = [], [], 0.0, 0
    for start in range(0, len(labels), CHUNK):
        block = slice(start, start + CHUNK)
        if fresh:
            open_ = np.arange(start, min(start + CHUNK, len(labels)))
        else:
            open_ = start + _suspects(labels[block], upper[block], lower[block], moves)
        tight = 4 * len(open_) <= 3 * len(labels[block]) and len(centres) > FEW
        if tight:
            own_rows = open_ if rows is None else rows[open_]
            upper[open_] = rounding.above(own(X, own_rows, centres, labels[open_]))
            computed += len(open_)
            bar = np.maximum(lower[open_], moves.half_gap[labels[open_]])
            open_ = open_[upper[open_] >= bar]
        at = open_ if rows is None else rows[open_]
        new, best, second = nearest(X, at, centres)
        held = np.full(len(open_), -1, dtype=np.int32) if fresh else labels[open_]
        moved = new != held
        before = 0.0 if fresh else own(X, at[moved], centres, held[moved])
        saved = before - best[moved]
        gain += float((saved if weights is None else saved * weights[open_[moved]]).sum())
        labels[open_] = new
        upper[open_], lower[open_] = rounding.above(best), rounding.below(second)
        positions.append(open_[moved])
        left.append(held[moved])
        computed += len(open_) * len(centres)
    if not positions:
        return Moved(np.empty(0, dtype=np.intp), labels[:0].copy(), 0.0, 0)
    return Moved(np.concatenate(positions), np.concatenate(left), gain, computed)


def gains(
    X: Matrix,
    rows: Rows,
    candidates: Array,
    weights: Array | None,
    reach: Array,
    squares: Array,
    owners: Array,
    share: float,
    kept: Array,
) -> tuple[Array, float]:
    """What each candidate would take from the cost of all rows; which share of them had a look.

    `squares` (m,) are the squared distances to the centres that `owners` (m,) name, and `reach`
    says, for each of these, up to which square no candidate can be nearer. Rows that had a look
    leave their squared distances in `kept`, for `claim`: (chunks of OFFERED rows, candidates, rows
    of the chunk). `share` is what the caller expects of the answer's; only speed depends on it.
    """
    at = np.flatnonzero(squares > reach[owners])
    D = distances(X, at if rows is None else rows[at], candidates)
    kept[at // OFFERED, :, at % OFFERED] = D
    saved = np.maximum(squares[at, None] - D, 0.0)
    if weights is not None:
        saved *= weights[at, None]
    return saved.sum(axis=0), len(at) / max(1, len(squares))


def pick(squares: Array, weights: Array | None, uniforms: Array) -> tuple[Array, float]:
    """Rows drawn in proportion to weight times square, one for each number, and the total.

    Without any mass rows mean nothing.
    """
    cumulative = np.cumsum(squares if weights is None else squares * weights)
    return drawn(cumulative, uniforms).astype(np.int64), float(cumulative[-1])


def drawn(cumulative: Array, uniforms: Array) -> Array:
    """The rows that numbers in [0, 1) lead to, by the cumulative sums (float64) of their masses.

    A number u leads to the first row at which the sum is more than u times the total: never to a
    row without mass, not even when u is 0.
    """
    found = np.searchsorted(cumulative, uniforms * cumulative[-1], side="right")
    last = np.searchsorted(cumulative, cumulative[-1], side="left")  # the last row with mass
    return np.asarray(np.minimum(found, last))


def claim(kept: Array, column: int, reach: Array, squares: Array, owners: Array, slot: int) -> None:
    """Give the candidate of a column of `kept`, as centre `slot`, the rows that it is nearer to.

    `reach` is that of this candidate alone, so no less than what `gains` was given.
    """
    at = np.flatnonzero(squares > reach[owners])
    seen = kept[at // OFFERED, column, at % OFFERED]
    nearer = seen < squares[at]
    squares[at[nearer]], owners[at[nearer]] = seen[nearer], slot


def _suspects(labels: Array, upper: Array, lower: Array, moves: Moves) -> Array:
    """Moves the bounds as the centres moved; the positions that may have another centre now."""
    grow, shrink = 1.0 + 2.0**-50, 1.0 - 2.0**-50  # outward, whatever the rounding
    upper += moves.drift[labels]
    upper *= grow
    lower -= moves.other_drift[labels]
    lower *= np.where(lower > 0, shrink, grow)
    return np.flatnonzero(upper >= np.maximum(lower, moves.half_gap[labels]))
