"""One look at X: is it finite, can its squared distances be computed, how far does it spread."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import sparse
from sklearn.utils.sparsefuncs import mean_variance_axis

from sskmeans import kernels, messages
from sskmeans.kernels.types import Array, Matrix
from sskmeans.validate.rows import refuse_not_finite

# Beyond these, squares and their sums leave the range of float64.
LARGEST, SMALLEST = 2.0**400, 2.0**-400
SMALLEST_PRODUCT = 2.0**-970  # of a weight and a squared distance; beneath, digits are lost
TINY32 = 2.0**-39  # float32 numbers from here on are 2**-63 apart: the square keeps its digits


def largest32(d: int) -> float:
    """The same for float32: d squares of differences sum to no more than 2**124."""
    return 2.0**61 / math.sqrt(d)


@dataclass(frozen=True)
class Survey:
    """What one look at X tells."""

    variance: float  # mean over the columns of their weighted variance: it scales `tol`
    wide: bool  # float32 cannot hold the squared distances: work in float64


def survey(X: Matrix, weights: Array | None) -> Survey:
    """Refuse what cannot be clustered; tell how far the rows spread."""
    if sparse.issparse(X):
        low, high, variance = _sparse_columns(X, weights)
    else:
        low, high, variance = kernels.columns(X, weights)
    if not (np.isfinite(low).all() and np.isfinite(high).all()):
        refuse_not_finite(X)  # finds the place and raises
    low, high = low.astype(np.float64), high.astype(np.float64)
    largest, spread = float(max(-low.min(), high.max())), high - low
    if largest > LARGEST:
        raise messages.too_large(largest, LARGEST)
    if 0 < spread.max() < SMALLEST:
        raise messages.too_small(float(spread.max()))
    if weights is not None:
        least = float(weights[weights > 0].min())
        scale = min(1.0, float(spread.max()) or largest or 1.0)
        if least * scale**2 < SMALLEST_PRODUCT:
            raise messages.weights_too_small(least, float(weights.max()))
    wide = bool(X.dtype == np.float32) and needs_float64(X, *sizes(X))
    return Survey(float(variance.mean()), wide)


def needs_float64(X: Matrix, least: float, largest: float) -> bool:
    """Whether the squared distances of X, float32 rows, may leave the range of float32.

    They overflow where the largest number is too large. Where the least but zero is tiny, rows that
    differ may be so close that the square of what they differ by is lost.
    """
    return largest > largest32(X.shape[1]) or least < TINY32


def sizes(X: Matrix) -> tuple[float, float]:
    """The least size of a number in X but zero, and the greatest, or NaN."""
    return kernels.extent(X.data if sparse.issparse(X) else X.reshape(-1))


def _sparse_columns(X: Matrix, weights: Array | None) -> tuple[Array, Array, Array]:
    refuse_not_finite(X)
    columns = X.tocsc()  # once, for both
    low, high = columns.min(axis=0).toarray().ravel(), columns.max(axis=0).toarray().ravel()
    del columns
    values = X.data.astype(np.float64, copy=False)  # float32 cannot hold every square and weight
    wide = sparse.csr_array((values, X.indices, X.indptr), shape=X.shape)
    return low, high, mean_variance_axis(wide, axis=0, weights=weights)[1]
