"""X at the door: its form, its values one by one, and its directions."""

from __future__ import annotations

import numbers
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_array, validate_data

from sskmeans import messages
from sskmeans.kernels.types import Array, Matrix
from sskmeans.validate.conversion import convertible, is_table, kind_of, table_columns

BLOCK = 1 << 18  # numbers in one block of rows when X is walked through


def read_rows(X: Any, *, estimator: Any = None) -> Matrix:
    """X as a C-ordered float array or canonical CSR; finite values; the estimator's checks done."""
    X = unmask(X)
    refuse_outside(X)
    settings: dict[str, Any] = {
        "accept_sparse": "csr",
        "accept_large_sparse": True,
        "dtype": np.float32 if is_single(X) else [np.float64, np.float32],
        "order": "C",
        "ensure_all_finite": False,
    }
    with convertible(X):
        if estimator is None:
            rows = check_array(X, **settings)
        else:
            rows = validate_data(estimator, X, **settings)
    if sparse.issparse(rows) and not (rows.has_canonical_format and len(rows.data) == rows.nnz):
        rows = rows.copy()
        rows.sum_duplicates()
    refuse_rounded_integers(X, rows)
    return rows


def is_single(X: Any) -> bool:
    """Whether X holds no number finer than float32; a table is asked column by column."""
    if not is_table(X):
        dtype = getattr(X, "dtype", None)
        return isinstance(dtype, np.dtype) and dtype.kind == "f" and dtype.itemsize <= 4
    halves, singles = {"float16", "halffloat"}, {"float32", "float"}
    kinds = {kind_of(column).removesuffix("[pyarrow]") for _, column in table_columns(X)}
    return kinds <= halves | singles


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


def row_blocks(X: Matrix, numbers_each: int = BLOCK, width: int = 1) -> Iterator[slice]:
    """Slices that walk through the rows of X in blocks of bounded size.

    `width` is how many numbers are computed for each row.
    """
    stored = X.nnz // max(1, X.shape[0]) if sparse.issparse(X) else X.shape[1]
    size = max(1, numbers_each // max(width, stored))
    for start in range(0, X.shape[0], size):
        yield slice(start, min(start + size, X.shape[0]))


def unmask(X: Any) -> Any:
    """The values of a masked array that masks nothing; others as they are."""
    if not isinstance(X, np.ma.MaskedArray):
        return X
    n_masked = int(np.ma.getmaskarray(X).sum())
    if n_masked:
        raise messages.masked(n_masked)
    return X.data


def refuse_outside(X: Any) -> None:
    """SciPy believes its indices: a wrong one would be read, or written to, out of bounds."""
    if not sparse.issparse(X) or X.ndim != 2:
        return
    if X.format == "coo":
        for axis, places in enumerate((X.row, X.col)):
            wrong = _first_outside(places, X.shape[axis])
            if wrong is not None:
                raise messages.outside(X.row[wrong], X.col[wrong], X.shape)
    elif X.format in ("csr", "csc"):
        major = int(X.format == "csc")
        ends, stored = X.indptr, min(len(X.indices), len(X.data))
        rises = len(ends) == X.shape[major] + 1 and ends[0] == 0 and (ends[1:] >= ends[:-1]).all()
        if not rises or ends[-1] > stored:
            raise messages.broken_indptr(X.format)
        wrong = _first_outside(X.indices[: ends[-1]], X.shape[1 - major])
        if wrong is not None:
            place = int(np.searchsorted(ends, wrong, side="right") - 1), int(X.indices[wrong])
            raise messages.outside(place[major], place[1 - major], X.shape)


def _first_outside(indices: Array, size: int) -> int | None:
    if len(indices) == 0 or (indices.min() >= 0 and indices.max() < size):
        return None
    return int(np.argmax((indices < 0) | (indices >= size)))


def refuse_rounded_integers(given: Any, rows: Matrix) -> None:
    """Integers beyond 2**53 must not be made equal by becoming float64."""
    values = rows.data if sparse.issparse(rows) else rows
    if values.dtype != np.float64 or values.size == 0:
        return
    kind = getattr(getattr(given, "dtype", None), "kind", "O")
    if kind == "f" or max(-values.min(), values.max()) < 2.0**53:
        return
    for part in _parts_of_one_kind(given):
        if part.dtype.kind in "iu":
            part = part[(part >= 2**53) | (part <= -(2**53))]
        for value in part.flat if part.dtype.kind in "iuO" else ():
            if isinstance(value, numbers.Integral) and int(float(value)) != value:
                raise messages.integers_too_large(value)


def _parts_of_one_kind(given: Any) -> list[Array]:
    """The numbers as they were given: integers beside floats are not made floats."""
    if sparse.issparse(given):
        return [given.data]
    if is_table(given):
        return [np.asarray(column) for _, column in table_columns(given)]
    return [given if isinstance(given, np.ndarray) else np.array(given, dtype=object)]


def _refuse_zero_rows(largest: Array, first_row: int) -> None:
    zero = np.flatnonzero(largest == 0)
    if len(zero):
        raise messages.zero_rows(first_row + int(zero[0]), len(zero))


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
