"""The kernels in C++: `reference`'s functions over the compiled module `_native`.

Everything is allocated here and written there. A CSR matrix goes over as its three arrays.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from sskmeans.kernels import _native
from sskmeans.kernels.reference import heaviest
from sskmeans.kernels.reference.coarse import room
from sskmeans.kernels.types import (
    Array,
    Coarse,
    Held,
    Matrix,
    Moved,
    Moves,
    Outcome,
    Refined,
    Rounding,
    Rows,
)


def nearest(X: Matrix, rows: Rows, centres: Array) -> tuple[Array, Array, Array]:
    """Nearest centre of each row, its squared distance, and that of the second nearest."""
    m = _count(X, rows)
    labels, best, second = np.empty(m, dtype=np.int32), np.empty(m), np.empty(m)
    _native.nearest(*_parts(X), _wide(rows), _packed(centres), labels, best, second)
    return labels, best, second


def distances(X: Matrix, rows: Rows, centres: Array) -> Array:
    """Squared distance of each row to each centre, (m, k)."""
    out = np.empty((_count(X, rows), len(centres)))
    _native.distances(*_parts(X), _wide(rows), _packed(centres), out)
    return out


def own(X: Matrix, rows: Rows, centres: Array, labels: Array) -> Array:
    """Squared distance of each row to the centre that `labels` gives it, differences in float64."""
    out = np.empty(len(labels))
    _native.own(*_parts(X), _wide(rows), _packed(centres), _packed(labels), out)
    return out


def sums(
    X: Matrix,
    rows: Rows,
    weights: Array | None,
    labels: Array,
    totals: Array,
    leaving: Array | None = None,
) -> None:
    """Add the weighted rows of each cluster to `totals`, (2, k, d): high and low parts."""
    w = None if weights is None else _packed(weights)
    out = None if leaving is None else _packed(leaving)
    _native.sums(*_parts(X), _wide(rows), w, _packed(labels), out, totals)


def means(high: Array, low: Array, mass: Array, mass_low: Array) -> Array:
    """Sums over masses, both given as high and low parts, right to the last digit; NaN for none."""
    out = np.empty(high.shape)
    _native.means(_packed(high), _packed(low), _packed(mass), _packed(mass_low), out)
    return out


def steps(before: Array, after: Array, high: Array, mass: Array) -> tuple[Array, Array]:
    """How far centres went, squared, and by how much that changed the cost of their rows."""
    squares, changes = np.empty(len(before)), np.empty(len(before))
    centres = _packed(before), _packed(after)
    _native.steps(*centres, _packed(high), _packed(mass), squares, changes)
    return squares, changes


def columns(X: Array, weights: Array | None) -> tuple[Array, Array, Array]:
    """Least and greatest value and weighted variance of each column of a dense X."""
    low, high, variance = (np.empty(X.shape[1]) for _ in range(3))
    w = None if weights is None else _packed(weights)
    _native.columns(_packed(X), w, heaviest(X, w), low, high, variance)
    return low, high, variance


def extent(values: Array) -> tuple[float, float]:
    """The least size of a number that is not 0 (infinite for none), and the greatest, or NaN."""
    return _native.extent(_packed(values))


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
    """One step of Hamerly's filter: `labels` become those of the nearest centres."""
    moved, left = np.empty(len(labels), dtype=np.int64), np.empty_like(labels)
    w = None if weights is None else _packed(weights)
    centres, moved_by, rounded = _packed(centres), np.array(moves), np.array(rounding)
    bounds = labels, upper, lower, moved_by, rounded
    in_bytes = coarse and coarse[:6], coarse and coarse.leading and coarse.leading[:6]
    count, gain, computed = _native.reassign(
        *_parts(X), _wide(rows), centres, w, *bounds, share, fresh, *in_bytes, moved, left
    )
    return Moved(moved[:count].astype(np.intp), left[:count].copy(), gain, int(computed))


def roots(squares: Array, out: Array) -> float:
    """Write distances from their squares (m, k) to `out`; the greatest square."""
    return _native.roots(_packed(squares), out)


def lloyd(
    X: Array, rows: Rows, centres: Array, held: Held | None, tol: float, max_iter: int
) -> Refined:
    """Lloyd's whole loop over a small table; it leaves when a slot has no rows."""
    labels, out = np.empty(_count(X, rows), dtype=np.int32), np.empty_like(centres)
    ends = None
    if held is not None:
        ends = tuple(_packed(part) for part in held)
    outcome, costs, moves = _native.lloyd(
        X, _wide(rows), _packed(centres), ends, tol, max_iter, labels, out
    )
    return Refined(Outcome(outcome), out, labels, costs, moves)


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
    """What each candidate would take from the cost of all rows; which share of them had a look."""
    out = np.empty(len(candidates))
    w = None if weights is None else _packed(weights)
    held = _packed(reach), squares, owners
    opened = _native.gains(*_parts(X), _wide(rows), _packed(candidates), w, *held, share, kept, out)
    return out, opened / max(1, len(squares))


def claim(kept: Array, column: int, reach: Array, squares: Array, owners: Array, slot: int) -> None:
    """Give a candidate, as centre `slot`, the rows that it is nearer to."""
    _native.claim(kept, column, _packed(reach), squares, owners, slot)


def pick(squares: Array, weights: Array | None, uniforms: Array) -> tuple[Array, float]:
    """Rows drawn in proportion to weight times square, one for each number, and the total."""
    found = np.zeros(len(uniforms), dtype=np.int64)
    w = None if weights is None else _packed(weights)
    return found, _native.pick(squares, w, _packed(uniforms), found)


def coarsen(
    X: Array, rows: Rows, middle: Array, unit: float, levels: int, bias: int
) -> tuple[Array, Array]:
    """Rows in eight bits a number, and how well that tells of them."""
    codes, stats = room(_count(X, rows), X.shape[1])
    ground = _packed(middle), unit, levels, bias
    _native.coarsen(_packed(X), X.shape[1], _wide(rows), *ground, codes, stats)
    return codes, stats


def centre_levels() -> int:
    """The largest code that these instructions allow a centre to have."""
    return int(_native.centre_levels())


def look(
    codes: Array,
    stats: Array,
    directions: Array,
    bias: Array,
    scale: float,
    levels: int,
    to_bias: int,
) -> tuple[Array, Array]:
    """Coarse rows as seen in a few directions."""
    seen, told = room(len(codes), len(directions))
    _native.look(codes, stats, directions, bias, scale, levels, to_bias, seen, told)
    return seen, told


def _count(X: Matrix, rows: Rows) -> int:
    return int(X.shape[0] if rows is None else len(rows))


def _parts(X: Matrix) -> tuple[Array, Array | None, Array | None, int]:
    if not sparse.issparse(X):
        return _packed(X), None, None, X.shape[1]
    index = np.result_type(X.indices, X.indptr)  # hand-made matrices may mix the two
    return (
        X.data,
        X.indices.astype(index, copy=False),
        X.indptr.astype(index, copy=False),
        X.shape[1],
    )


def _wide(rows: Rows) -> Array | None:
    return None if rows is None else np.ascontiguousarray(rows, dtype=np.int64)


def _packed(values: Array) -> Array:
    return np.ascontiguousarray(values)
