"""Rows for a fitted estimator: let in as they come, converted block by block."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.validation import validate_data

from sskmeans import messages
from sskmeans.kernels.types import Matrix
from sskmeans.validate.conversion import convertible, is_table
from sskmeans.validate.rows import (
    is_single,
    refuse_not_finite,
    refuse_outside,
    refuse_rounded_integers,
    row_blocks,
    unit_rows,
    unmask,
)
from sskmeans.validate.survey import LARGEST, needs_float64, sizes

NEW_BLOCK = 1 << 21  # numbers in a block: large enough to keep every core at work


def read_new_rows(X: Any, estimator: Any) -> Matrix:
    """Rows for a fitted estimator, as they come: `new_row_blocks` converts them bit by bit."""
    X = unmask(X)
    refuse_outside(X)
    dtype: Any = np.float32 if is_table(X) and is_single(X) else "numeric"
    if isinstance(X, (list, np.ndarray)) and np.asarray(X).dtype.kind in "SU":
        dtype = np.float64  # numbers in writing, which a fit takes too
    with convertible(X):
        rows = validate_data(
            estimator,
            X,
            reset=False,
            accept_sparse="csr",
            accept_large_sparse=True,
            dtype=dtype,
            ensure_all_finite=False,
        )
    refuse_rounded_integers(X, rows)
    return rows


def new_row_blocks(
    X: Matrix, dtype: Any, *, unit: bool, wide: bool, width: int
) -> Iterator[tuple[slice, Matrix]]:
    """Blocks of the rows that `read_new_rows` let in, ready for centres of this dtype.

    A block is a view where X has the right form already, so that memory does not grow with X;
    `width` is how many numbers the caller computes for each row.
    """
    for block in row_blocks(X, NEW_BLOCK, width):
        given = X[block]
        wanted = np.result_type(np.float32 if is_single(given) else np.float64, dtype)
        with convertible(given):
            if sparse.issparse(given):
                part = given.astype(wanted)
                part.sum_duplicates()
            else:
                part = np.ascontiguousarray(given, dtype=wanted)
        refuse_rounded_integers(given, part)
        if unit:
            part = unit_rows(part, block.start)
        least, largest = sizes(part)
        if not math.isfinite(largest):
            refuse_not_finite(part, block.start)  # finds the place and raises
        if largest > LARGEST:
            raise messages.too_large(largest, LARGEST)
        single = part.dtype == np.float32 and not sparse.issparse(part)
        if single and (wide or needs_float64(part, least, largest)):
            part = part.astype(np.float64)
        yield block, part
