"""Distances of rows to centres, by differences where rows are dense."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy import sparse

from sskmeans.kernels.types import Array, Matrix, Rows

BLOCK = 1 << 16  # numbers in one block of rows: small enough to stay in cache
CANCELLED = 2.0**-10  # below this share of |x|^2 + |c|^2 the expanded form is not trusted


def nearest(X: Matrix, rows: Rows, centres: Array) -> tuple[Array, Array, Array]:
    """Nearest centre of each row, its squared distance, and that of the second nearest.

    Ties go to the lowest slot. With one centre the second distance is infinite.
    """
    m, k = count_rows(X, rows), len(centres)
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
    out = np.empty((count_rows(X, rows), len(centres)))
    for block, D in _distance_blocks(X, rows, centres):
        out[block] = D
    return out


def roots(squares: Array, out: Array) -> float:
    """Write distances from their squares (m, k) to `out`; the greatest square."""
    with np.errstate(over="ignore"):  # the caller asks what float32 cannot hold
        out[:] = np.sqrt(squares)
    return float(squares.max(initial=0.0))


def own(X: Matrix, rows: Rows, centres: Array, labels: Array) -> Array:
    """Squared distance of each row to the centre that `labels` gives it, differences in float64."""
    out = np.empty(len(labels))
    wide = centres.astype(np.float64)
    for block, part in row_blocks(X, rows, len(centres)):
        if sparse.issparse(part):
            out[block] = _sparse_distances(part, centres)[np.arange(part.shape[0]), labels[block]]
        else:
            out[block] = squared_lengths(part - wide[labels[block]])
    return out


def count_rows(X: Matrix, rows: Rows) -> int:
    """How many rows there are to work on."""
    return int(X.shape[0] if rows is None else len(rows))


def row_blocks(X: Matrix, rows: Rows, width: int) -> Iterator[tuple[slice, Matrix]]:
    """The rows to work on, a few at a time; `width` is how many numbers each is turned into."""
    size = max(1, BLOCK // max(X.shape[1], width))
    if sparse.issparse(X):
        size = max(1, BLOCK // max(width, 1 + X.nnz // max(1, X.shape[0])))
    for start in range(0, count_rows(X, rows), size):
        block = slice(start, start + size)
        yield block, X[block] if rows is None else X[rows[block]]


def _distance_blocks(X: Matrix, rows: Rows, centres: Array) -> Iterator[tuple[slice, Array]]:
    for block, part in row_blocks(X, rows, len(centres)):
        if sparse.issparse(part):
            yield block, _sparse_distances(part, centres)
        else:
            D = [squared_lengths(part - centre) for centre in centres]
            yield block, np.stack(D, axis=1).astype(np.float64, copy=False)


def squared_lengths(differences: Array) -> Array:
    """The squared length of each row."""
    return np.asarray(np.einsum("ij,ij->i", differences, differences))


def _sparse_distances(part: Matrix, centres: Array) -> Array:
    wide, C = part.astype(np.float64), centres.astype(np.float64)
    sizes = wide.multiply(wide).sum(axis=1)
    norms = np.asarray(sizes).reshape(-1, 1) + squared_lengths(C)
    D = norms - 2.0 * np.asarray(wide @ C.T)
    for i, j in zip(*np.nonzero(D < CANCELLED * norms), strict=True):
        D[i, j] = squared_lengths(wide[[i]].toarray() - C[j])[0]
    return np.asarray(D)
