"""What every kernel computes, said in NumPy: the specification of the native ones.

Shapes and directions are the same in `native`, which a test holds to this file:

    X        in   (n, d) C-ordered float32 or float64, or CSR with sorted indices
    rows     in   (m,) intp, the rows of X to work on; None means all of them in order
    centres  in   (k, d) C-ordered, dtype of X
    labels   in   (m,) int32, positions in `centres`, aligned with `rows`
    weights  in   (m,) float64 aligned with `rows`, or None for ones

Squared distances come back as float64. They are computed by differences, sum (x - c)^2 in the
dtype of X, so their error is *relative*, whatever the offset of the data: no shift to the mean, no
cancellation, and a row at distance zero gets exactly 0. CSR rows cannot afford d differences, so
they use |x|^2 - 2xc + |c|^2 in float64 and fall back to differences where that form cancels.
No BLAS anywhere: its bits change with its threads.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy import sparse

from sskmeans.kernels.types import Array, Ground, Matrix, Moved, Moves, Rounding, Rows

BLOCK = 1 << 16  # numbers in one block of rows: small enough to stay in cache
CHUNK = 1024  # rows that `reassign` looks at together
MOST_UNITS = 32766  # so that a bound and its sinking add up in 16 bits
CANCELLED = 2.0**-10  # below this share of |x|^2 + |c|^2 the expanded form is not trusted


def nearest(X: Matrix, rows: Rows, centres: Array) -> tuple[Array, Array, Array]:
    """Nearest centre of each row, its squared distance, and that of the second nearest.

    Ties go to the lowest slot. With one centre the second distance is infinite.
    """
    m, k = _count(X, rows), len(centres)
    labels = np.empty(m, dtype=np.int32)
    best, second = np.empty(m), np.full(m, np.inf)
    for block, D in _distance_blocks(X, rows, centres):
        labels[block] = D.argmin(axis=1)
        at = np.arange(len(D)), labels[block]
        best[block] = D[at]
        if k > 1:
            D[at] = np.inf
            second[block] = D.min(axis=1)
    return labels, best, second


def distances(X: Matrix, rows: Rows, centres: Array) -> Array:
    """Squared distance of each row to each centre, (m, k)."""
    out = np.empty((_count(X, rows), len(centres)))
    for block, D in _distance_blocks(X, rows, centres):
        out[block] = D
    return out


def own(X: Matrix, rows: Rows, centres: Array, labels: Array) -> Array:
    """Squared distance of each row to the centre that `labels` gives it, differences in float64."""
    out = np.empty(len(labels))
    wide = centres.astype(np.float64)
    for block, part in _row_blocks(X, rows, len(centres)):
        if sparse.issparse(part):
            out[block] = _sparse_distances(part, centres)[np.arange(part.shape[0]), labels[block]]
        else:
            out[block] = _squares(part - wide[labels[block]])
    return out


def sums(
    X: Matrix,
    rows: Rows,
    weights: Array | None,
    labels: Array,
    n_clusters: int,
    before: tuple[Array, Array] | None = None,
) -> tuple[Array, Array]:
    """Weighted sum of the rows of each cluster, (k, d), as `high + low`, added to `before`.

    `low` is what rounding to float64 took from `high`: a mean stays right to the last digit even
    when the rows lie 1e8 deviations from the origin. Weights may be negative.
    """
    total = np.zeros((n_clusters, X.shape[1]), dtype=np.longdouble)
    if before is not None:
        total += before[0]
        total += before[1]
    for block, part in _row_blocks(X, rows, 1):
        w = np.ones(part.shape[0]) if weights is None else weights[block]
        if sparse.issparse(part):
            entries = part.tocoo()
            cell = labels[block][entries.row], entries.col
            np.add.at(total, cell, w[entries.row].astype(np.longdouble) * entries.data)
        else:
            scaled = w[:, None].astype(np.longdouble) * part
            order = np.argsort(labels[block], kind="stable")
            present, first = np.unique(labels[block][order], return_index=True)
            total[present] += np.add.reduceat(scaled[order], first, axis=0)
    high = total.astype(np.float64)
    return high, (total - high).astype(np.float64)


def means(high: Array, low: Array, mass: Array, mass_low: Array) -> Array:
    """Sums over masses, both given as high and low parts, right to the last digit; NaN for none."""
    total = high.astype(np.longdouble) + low
    weight = np.where(mass > 0, mass, np.nan).astype(np.longdouble) + mass_low
    return np.asarray((total / weight[:, None]).astype(np.float64))


def steps(before: Array, after: Array, high: Array, mass: Array) -> tuple[Array, Array]:
    """How far centres went, squared, and by how much that changed the cost of their rows.

    Rows with sum s = `high` and mass W have mean m = s / W; their cost changes by
    W (|m - c'|^2 - |m - c|^2) = (c' - c) (W (c' + c) - 2 s). A step whose square underflows gets
    the smallest normal number: only a centre that stays has 0.
    """
    step = after.astype(np.float64) - before
    between = mass[:, None] * (after.astype(np.float64) + before) - 2.0 * high
    squares = _squares(step)
    squares[(squares == 0) & step.any(axis=1)] = np.finfo(np.float64).tiny
    return squares, np.einsum("ij,ij->i", step, between)


def columns(X: Array, weights: Array | None) -> tuple[Array, Array, Array]:
    """Least and greatest value and weighted variance of each column of a dense X.

    NaN or infinity anywhere in a column makes its least or greatest value NaN or infinite. The
    variance is taken about the first of the heaviest rows, so that neither a common offset nor a
    far row of little weight makes it cancel.
    """
    origin = X[heaviest(X, weights)].astype(np.float64)
    low, high = np.full(X.shape[1], np.inf), np.full(X.shape[1], -np.inf)
    first, second, mass = np.zeros(X.shape[1]), np.zeros(X.shape[1]), 0.0
    with np.errstate(invalid="ignore", over="ignore"):
        for block, part in _row_blocks(X, None, 1):
            w = np.ones(len(part)) if weights is None else weights[block]
            low, high = np.minimum(low, part.min(axis=0)), np.maximum(high, part.max(axis=0))
            step = part - origin
            first += (w[:, None] * step).sum(axis=0)
            second += (w[:, None] * step**2).sum(axis=0)
            mass += w.sum()
        variance = np.maximum(second - first**2 / mass, 0.0) / mass
    return low, high, variance


def heaviest(X: Array, weights: Array | None) -> int:
    """The first row of greatest weight."""
    if not len(X):
        raise ValueError("The columns of no rows have no variance.")
    return 0 if weights is None else int(weights.argmax())


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
) -> Moved:
    """One step of Hamerly's filter: `labels` become those of the nearest centres.

    `upper` and `lower` (float64) bound the distance of each row to its own centre and to any other;
    they and `labels` are changed in place. A row is skipped only when its upper bound is strictly
    below the lower one, or below half the gap from its centre to the next. `share` is how much of
    all distances the caller expects to be needed; only speed depends on it.
    """
    positions, left, gain, computed = [], [], 0.0, 0
    for start in range(0, len(labels), CHUNK):
        block = slice(start, start + CHUNK)
        open_ = start + _suspects(labels[block], upper[block], lower[block], moves)
        tight = 4 * len(open_) <= 3 * len(labels[block])
        if tight:
            own_rows = open_ if rows is None else rows[open_]
            upper[open_] = rounding.above(own(X, own_rows, centres, labels[open_]))
            computed += len(open_)
            bar = np.maximum(lower[open_], moves.half_gap[labels[open_]])
            open_ = open_[upper[open_] >= bar]
        at = open_ if rows is None else rows[open_]
        new, best, second = nearest(X, at, centres)
        held = labels[open_]
        moved = new != held
        saved = own(X, at[moved], centres, held[moved]) - best[moved]
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
) -> tuple[Array, float]:
    """What each candidate would take from the cost of all rows; which share of them had a look.

    `squares` (m,) are the squared distances to the centres that `owners` (m,) name, and `reach`
    says, for each of these, up to which square no candidate can be nearer. `share` is what the
    caller expects of the answer's; only speed depends on it.
    """
    at = np.flatnonzero(squares > reach[owners])
    D = distances(X, at if rows is None else rows[at], candidates)
    saved = np.maximum(squares[at, None] - D, 0.0)
    if weights is not None:
        saved *= weights[at, None]
    return saved.sum(axis=0), len(at) / max(1, len(squares))


def claim(
    X: Matrix,
    rows: Rows,
    candidate: Array,
    reach: Array,
    squares: Array,
    owners: Array,
    slot: int,
    share: float,
) -> None:
    """Give the candidate, as centre `slot`, the rows that it is nearer to."""
    at = np.flatnonzero(squares > reach[owners])
    D = distances(X, at if rows is None else rows[at], candidate)[:, 0]
    at, D = at[D < squares[at]], D[D < squares[at]]
    squares[at], owners[at] = D, slot


def project(X: Array, rows: Rows, mean: Array, axes: Array, error: float) -> Array:
    """Rows less the mean, along the axes; what these leave out; and how far all that may err.

    (m, p + 2) float32 for p axes: coordinates, the length of the rest, and a bound on the error of
    these p + 1 numbers together. Coordinates err by `error` of the row's length, so the square of
    the rest errs by about twice that.
    """
    out = np.empty((_count(X, rows), axes.shape[1] + 2), dtype=np.float32)
    for block, part in _row_blocks(X, rows, 1):
        step = (part - mean).astype(np.float32)
        squares = _squares(step.astype(np.float64))
        out[block, :-2] = np.einsum("if,fp->ip", step, axes)
        inside = _squares(out[block, :-2].astype(np.float64))
        off = (2 * error + error**2 + 2.0**-20) * squares
        rest, root = np.sqrt(np.maximum(squares - inside, 0.0)), np.sqrt(off)
        rest_error = np.where(rest > root, off / np.where(rest > 0, rest, 1.0), root)
        out[block, -2] = rest
        out[block, -1] = (error * np.sqrt(squares) + rest_error + 2.0**-23 * rest) * 1.000001
    return out


def prune(
    X: Array,
    rows: Rows,
    centres: Array,
    weights: Array | None,
    labels: Array,
    upper: Array,
    stored: Array,
    led: Array,
    ground: Ground,
    drift: Array,
    rounding: Rounding,
    share: float,
) -> Moved:
    """One step of Yinyang's bounds: `labels` become those of the nearest centres.

    `upper` bounds the distance of each row to its own centre. `stored` (m, groups) bounds that to
    the nearest other centre of each group from below: by `stored` units less those that the group
    has `sunk` by. These and `labels`, -1 where there is none yet, are changed in place. A row is
    skipped only when its upper bound is strictly below all lower ones. The native kernel excludes
    single centres by leading coordinates (`led`, `ground.led`) too; here a row that is not skipped
    is compared with all.
    """
    positions, left, gain, computed = [], [], 0.0, 0
    for start in range(0, len(labels), CHUNK):
        at = np.arange(start, min(start + CHUNK, len(labels)))
        known = at[labels[at] >= 0]
        upper[known] = (upper[known] + drift[labels[known]]) * (1.0 + 2.0**-50)
        known = known[_open(upper[known], stored[known], ground)]
        squares = own(X, known if rows is None else rows[known], centres, labels[known])
        upper[known] = rounding.above(squares)
        unknown = at[labels[at] < 0]
        computed += len(known)
        known = known[_open(upper[known], stored[known], ground)]
        at = np.union1d(known, unknown)
        here = at if rows is None else rows[at]
        held = labels[at]
        labels[at], best, _ = nearest(X, here, centres)
        upper[at] = rounding.above(best)
        stored[at] = _bounds(distances(X, here, centres), labels[at], ground, rounding)
        moved = labels[at] != held
        counted = moved & (held >= 0)
        saved = own(X, here[counted], centres, held[counted]) - best[counted]
        gain += float((saved if weights is None else saved * weights[at[counted]]).sum())
        positions.append(at[moved])
        left.append(held[moved])
        computed += len(at) * len(centres)
    if not positions:
        return Moved(np.empty(0, dtype=np.intp), labels[:0].copy(), 0.0, 0)
    return Moved(np.concatenate(positions), np.concatenate(left), gain, computed)


def _open(upper: Array, stored: Array, ground: Ground) -> Array:
    """Whether some group may hold a nearer centre."""
    reach = np.minimum(upper / ground.unit + 2, MOST_UNITS + 1).astype(np.int64)
    return np.asarray((stored <= ground.sunk.astype(np.int64) + reach[:, None]).any(axis=1))


def _bounds(D: Array, labels: Array, ground: Ground, rounding: Rounding) -> Array:
    """Bounds to store: of each group the nearest member but the own centre, in whole units."""
    D[np.arange(len(D)), labels] = np.inf
    there = np.where(ground.slots >= 0, D[:, ground.slots], np.inf)
    groups = len(ground.sunk)
    nearest_of = there.reshape(len(D), groups, len(ground.slots) // groups).min(axis=2)
    units = np.clip(rounding.below(nearest_of) / ground.unit, 0, MOST_UNITS).astype(np.uint16)
    return np.asarray(units + ground.sunk)


def _suspects(labels: Array, upper: Array, lower: Array, moves: Moves) -> Array:
    """Moves the bounds as the centres moved; the positions that may have another centre now."""
    grow, shrink = 1.0 + 2.0**-50, 1.0 - 2.0**-50  # outward, whatever the rounding
    upper += moves.drift[labels]
    upper *= grow
    lower -= moves.other_drift[labels]
    lower *= np.where(lower > 0, shrink, grow)
    return np.flatnonzero(upper >= np.maximum(lower, moves.half_gap[labels]))


def _count(X: Matrix, rows: Rows) -> int:
    return int(X.shape[0] if rows is None else len(rows))


def _row_blocks(X: Matrix, rows: Rows, width: int) -> Iterator[tuple[slice, Matrix]]:
    size = max(1, BLOCK // max(X.shape[1], width))
    if sparse.issparse(X):
        size = max(1, BLOCK // max(width, 1 + X.nnz // max(1, X.shape[0])))
    for start in range(0, _count(X, rows), size):
        block = slice(start, start + size)
        yield block, X[block] if rows is None else X[rows[block]]


def _distance_blocks(X: Matrix, rows: Rows, centres: Array) -> Iterator[tuple[slice, Array]]:
    for block, part in _row_blocks(X, rows, len(centres)):
        if sparse.issparse(part):
            yield block, _sparse_distances(part, centres)
        else:
            D = [_squares(part - centre) for centre in centres]
            yield block, np.stack(D, axis=1).astype(np.float64, copy=False)


def _squares(differences: Array) -> Array:
    return np.asarray(np.einsum("ij,ij->i", differences, differences))


def _sparse_distances(part: Matrix, centres: Array) -> Array:
    wide, C = part.astype(np.float64), centres.astype(np.float64)
    sizes = wide.multiply(wide).sum(axis=1)
    norms = np.asarray(sizes).reshape(-1, 1) + _squares(C)
    D = norms - 2.0 * np.asarray(wide @ C.T)
    for i, j in zip(*np.nonzero(D < CANCELLED * norms), strict=True):
        D[i, j] = _squares(wide[[i]].toarray() - C[j])[0]
    return np.asarray(D)
