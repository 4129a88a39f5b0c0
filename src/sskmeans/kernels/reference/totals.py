"""Sums over rows, and what follows from them for centres and columns."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from sskmeans.kernels.reference.distances import row_blocks, squared_lengths
from sskmeans.kernels.types import Array, Matrix, Rows

BLOCK = 1 << 16  # numbers looked at together: they stay in cache


def sums(
    X: Matrix,
    rows: Rows,
    weights: Array | None,
    labels: Array,
    totals: Array,
    leaving: Array | None = None,
) -> None:
    """Add the weighted rows of each cluster to `totals`, (2, k, d): high and low parts.

    Where `leaving` names clusters too, the rows are taken away from those.

    The low part is what rounding to float64 took from the high one: a mean stays right to the last
    digit even when the rows lie 1e8 deviations from the origin. Weights may be negative.
    """
    if leaving is not None:
        sums(X, rows, -(np.ones(len(labels)) if weights is None else weights), leaving, totals)
    total = totals[0].astype(np.longdouble) + totals[1]
    for block, part in row_blocks(X, rows, 1):
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
    totals[0] = total
    totals[1] = total - totals[0]


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
    squares = squared_lengths(step)
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
        for block, part in row_blocks(X, None, 1):
            w = np.ones(len(part)) if weights is None else weights[block]
            low, high = np.minimum(low, part.min(axis=0)), np.maximum(high, part.max(axis=0))
            step = part - origin
            first += (w[:, None] * step).sum(axis=0)
            second += (w[:, None] * step**2).sum(axis=0)
            mass += w.sum()
        variance = np.maximum(second - first**2 / mass, 0.0) / mass
    return low, high, variance


def extent(values: Array) -> tuple[float, float]:
    """The least size of a number that is not 0 (infinite for none), and the greatest, or NaN."""
    least, greatest = float("inf"), 0.0
    for start in range(0, len(values), BLOCK):
        sizes = np.abs(values[start : start + BLOCK])
        greatest = float(np.maximum(greatest, sizes.max()))  # which keeps a NaN
        least = min(least, float(sizes.min(where=sizes > 0, initial=np.inf)))
    return least, greatest


def heaviest(X: Array, weights: Array | None) -> int:
    """The first row of greatest weight."""
    if not len(X):
        raise ValueError("The columns of no rows have no variance.")
    return 0 if weights is None else int(weights.argmax())
