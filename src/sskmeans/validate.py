"""The door: X, weights and parameters are checked and converted here and nowhere else.

Inner functions trust what passes. What can be refused is refused before any work starts, with the
place and the numbers (`messages`). X is never written to.
"""

from __future__ import annotations

import numbers
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.sparsefuncs import mean_variance_axis
from sklearn.utils.validation import check_array, validate_data

from sskmeans import kernels, messages
from sskmeans.kernels.types import Array, Matrix

# Beyond these, squares and their sums leave the range of float64 (or, for float32, of float32).
LARGEST, SMALLEST = 2.0**400, 2.0**-400
LARGEST32, SMALLEST32 = 2.0**60, 2.0**-50
MAX_WEIGHT = 1e50

BLOCK = 1 << 18  # numbers in one block of rows when X is walked through
NEW_BLOCK = 1 << 21  # the same for `predict`: large enough to keep every core at work


@dataclass(frozen=True)
class Survey:
    """What one look at X tells."""

    variance: float  # mean over the columns of their weighted variance: it scales `tol`
    wide: bool  # float32 cannot hold the squared distances: work in float64


def read_rows(X: Any, *, estimator: Any = None, reset: bool = True) -> Matrix:
    """X as a C-ordered float array or canonical CSR; finite values; the estimator's checks done."""
    X = _unmask(X)
    half = getattr(X, "dtype", None) == np.float16
    settings: dict[str, Any] = {
        "accept_sparse": "csr",
        "accept_large_sparse": True,
        "dtype": np.float32 if half else [np.float64, np.float32],
        "order": "C",
        "ensure_all_finite": False,
    }
    if estimator is None:
        rows = check_array(X, **settings)
    else:
        rows = validate_data(estimator, X, reset=reset, **settings)
    if sparse.issparse(rows) and not rows.has_canonical_format:
        rows = rows.copy()
        rows.sum_duplicates()
    _refuse_rounded_integers(X, rows)
    return rows


def read_new_rows(X: Any, estimator: Any) -> Matrix:
    """Rows for a fitted estimator, as they come: `new_row_blocks` converts them bit by bit."""
    return validate_data(
        estimator,
        _unmask(X),
        reset=False,
        accept_sparse="csr",
        accept_large_sparse=True,
        dtype="numeric",
        ensure_all_finite=False,
    )


def new_row_blocks(
    X: Matrix, dtype: Any, *, unit: bool, wide: bool
) -> Iterator[tuple[slice, Matrix]]:
    """Blocks of the rows that `read_new_rows` let in, ready for centres of this dtype.

    A block is a view where X has the right form already, so that memory does not grow with X.
    """
    for block in row_blocks(X, NEW_BLOCK):
        given = X[block]
        single = given.dtype in (np.float16, np.float32)
        wanted = np.result_type(np.float32 if single else np.float64, dtype)
        if sparse.issparse(given):
            part = given.astype(wanted)
            part.sum_duplicates()
        else:
            part = np.ascontiguousarray(given, dtype=wanted)
        _refuse_rounded_integers(given, part)
        refuse_not_finite(part, block.start)
        if unit:
            part = unit_rows(part, block.start)
        values = part.data if sparse.issparse(part) else part
        largest = max(-values.min(), values.max()) if values.size else 0.0
        if largest > LARGEST:
            raise messages.too_large(float(largest), LARGEST)
        if not sparse.issparse(part) and (wide or largest > LARGEST32):
            part = part.astype(np.float64, copy=False)
        yield block, part


def survey(X: Matrix, weights: Array | None) -> Survey:
    """Refuse what cannot be clustered; tell how far the rows spread."""
    if sparse.issparse(X):
        low, high, variance = _sparse_columns(X, weights)
    else:
        low, high, variance = kernels.columns(X, weights)
    if not (np.isfinite(low).all() and np.isfinite(high).all()):
        raise _first_not_finite(X)
    low, high = low.astype(np.float64), high.astype(np.float64)
    largest, spread = float(max(-low.min(), high.max())), high - low
    if largest > LARGEST:
        raise messages.too_large(largest, LARGEST)
    if 0 < spread.max() < SMALLEST:
        raise messages.too_small(float(spread.max()))
    small = bool(((spread > 0) & (spread < SMALLEST32)).any())
    dense32 = X.dtype == np.float32 and not sparse.issparse(X)
    return Survey(float(variance.mean()), dense32 and (small or largest > LARGEST32))


def refuse_not_finite(X: Matrix, first_row: int = 0) -> None:
    """The check of `survey` alone; `first_row` is the number of X's first row for the user."""
    if sparse.issparse(X):
        finite = bool(np.isfinite(X.data).all())
    else:
        finite = all(np.isfinite(X[block]).all() for block in row_blocks(X))
    if not finite:
        raise _first_not_finite(X, first_row)


def unit_rows(X: Matrix, first_row: int = 0) -> Matrix:
    """A copy of X whose rows have length one, safe for any size of value."""
    refuse_not_finite(X, first_row)
    if sparse.issparse(X):
        lengths = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
        largest = np.zeros(X.shape[0])
        np.maximum.at(largest, lengths, np.abs(X.data))
        _refuse_zero_rows(largest, first_row)
        scaled = X.data / largest[lengths]
        norms = np.sqrt(np.bincount(lengths, scaled**2, minlength=X.shape[0]))
        unit = (scaled / norms[lengths]).astype(X.dtype)
        return sparse.csr_array((unit, X.indices, X.indptr), shape=X.shape)
    out = np.empty_like(X)
    zero: list[Array] = []
    for block in row_blocks(X):
        largest = np.abs(X[block]).max(axis=1).astype(np.float64)
        zero.append(largest)
        scaled = X[block] / np.where(largest > 0, largest, 1.0)[:, None]
        norms = np.sqrt(np.einsum("ij,ij->i", scaled, scaled))
        out[block] = scaled / np.where(norms > 0, norms, 1.0)[:, None]
    _refuse_zero_rows(np.concatenate(zero), first_row)
    return out


def read_weights(sample_weight: Any, n_samples: int) -> Array | None:
    """None for equal weights, else n non-negative finite float64, not all zero."""
    if sample_weight is None:
        return None
    try:
        weights = np.array(sample_weight, dtype=np.float64)
    except (TypeError, ValueError):
        raise messages.weights_not_numbers() from None
    if weights.ndim == 0:
        weights = np.full(n_samples, float(weights))
    if weights.shape != (n_samples,):
        raise messages.weights_shape(weights.shape, n_samples)
    finite = np.isfinite(weights)
    if not finite.all():
        first = int(np.argmin(finite))
        raise messages.weights_not_finite(first, float(weights[first]))
    if (weights < 0).any():
        first = int(np.argmax(weights < 0))
        raise messages.weights_negative(first, float(weights[first]), int((weights < 0).sum()))
    largest = float(weights.max())
    if largest == 0:
        raise messages.weights_all_zero(n_samples)
    if not 1 / MAX_WEIGHT < largest < MAX_WEIGHT:
        raise messages.weights_scale(largest)
    return weights


def read_init(init: Any, n_clusters: int, n_new: int, n_features: int, unit: bool) -> Array:
    """Centres given by the user: one a cluster, or one a class without labels."""
    centres = check_array(
        init, dtype=[np.float64, np.float32], order="C", copy=True, ensure_all_finite=False
    )
    if centres.shape[0] not in (n_clusters, n_new):
        raise messages.init_rows(centres.shape, n_clusters, n_new)
    if centres.shape[1] != n_features:
        raise messages.init_columns(centres.shape, n_features)
    if not np.isfinite(centres).all():
        raise messages.init_not_finite()
    if unit:
        zero = np.flatnonzero(~centres.any(axis=1))
        if len(zero):
            raise messages.init_zero(zero.tolist())
        centres = unit_rows(centres)
    return np.asarray(centres)


def read_random_state(random_state: Any) -> np.random.RandomState | np.random.Generator:
    """A source of draws. None means fresh entropy: numpy's global state is never touched."""
    if isinstance(random_state, (np.random.RandomState, np.random.Generator)):
        return random_state
    whole = isinstance(random_state, numbers.Integral) and not isinstance(random_state, bool)
    if random_state is not None and not (whole and 0 <= random_state < 2**32):
        raise messages.bad_random_state(random_state)
    return np.random.RandomState(random_state)


def choice(name: str, value: Any, choices: tuple[str, ...]) -> str:
    """`value` if it is one of the names."""
    if not (isinstance(value, str) and value in choices):
        raise messages.bad_choice(name, value, choices)
    return str(value)


def whole_number(name: str, value: Any, least: int) -> int:
    """`value` if it is an integer no smaller than `least`."""
    whole = isinstance(value, numbers.Integral) and not isinstance(value, (bool, np.bool_))
    if not whole or value < least:
        raise messages.bad_number(name, value, f"an integer of at least {least}")
    return int(value)


def tolerance(value: Any) -> float:
    """`tol`: a finite number, not negative."""
    number = isinstance(value, numbers.Real) and not isinstance(value, (bool, np.bool_))
    if not (number and 0 <= value < float("inf")):
        raise messages.bad_number("tol", value, "a finite number of at least 0")
    return float(value)


def row_blocks(X: Matrix, numbers_each: int = BLOCK) -> Iterator[slice]:
    """Slices that walk through the rows of X in blocks of bounded size."""
    stored = X.nnz // max(1, X.shape[0]) if sparse.issparse(X) else X.shape[1]
    size = max(1, numbers_each // max(1, stored))
    for start in range(0, X.shape[0], size):
        yield slice(start, min(start + size, X.shape[0]))


def _unmask(X: Any) -> Any:
    if not isinstance(X, np.ma.MaskedArray):
        return X
    n_masked = int(np.ma.getmaskarray(X).sum())
    if n_masked:
        raise messages.masked(n_masked)
    return X.data


def _refuse_zero_rows(largest: Array, first_row: int) -> None:
    zero = np.flatnonzero(largest == 0)
    if len(zero):
        raise messages.zero_rows(first_row + int(zero[0]), len(zero))


def _refuse_rounded_integers(given: Any, rows: Matrix) -> None:
    values = rows.data if sparse.issparse(rows) else rows
    if values.dtype != np.float64 or values.size == 0:
        return
    kind = getattr(getattr(given, "dtype", None), "kind", "O")
    if kind == "f" or max(-values.min(), values.max()) < 2.0**53:
        return
    source = given.data if sparse.issparse(given) else np.asarray(given)
    if source.dtype.kind not in "iuO":
        return
    for value in source[np.abs(source.astype(np.float64)) >= 2.0**53]:
        if isinstance(value, numbers.Integral) and int(float(value)) != value:
            raise messages.integers_too_large(value)


def _sparse_columns(X: Matrix, weights: Array | None) -> tuple[Array, Array, Array]:
    refuse_not_finite(X)
    low, high = X.min(axis=0).toarray().ravel(), X.max(axis=0).toarray().ravel()
    cast = None if weights is None else weights.astype(X.dtype)
    return low, high, mean_variance_axis(X, axis=0, weights=cast)[1]


def _first_not_finite(X: Matrix, first_row: int = 0) -> Exception:
    if sparse.issparse(X):
        bad = np.flatnonzero(~np.isfinite(X.data))
        row = int(np.searchsorted(X.indptr, bad[0], side="right") - 1)
        column, value, n_bad = X.indices[bad[0]], X.data[bad[0]], len(bad)
    else:
        places = [
            (block.start + i, j)
            for block in row_blocks(X)
            for i, j in np.argwhere(~np.isfinite(X[block]))
        ]
        row, column = places[0]
        value, n_bad = X[row, column], len(places)
    size = X.nnz if sparse.issparse(X) else X.size
    return messages.not_finite(first_row + int(row), int(column), float(value), n_bad, size)
