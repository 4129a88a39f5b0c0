"""What is said of X."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sskmeans.errors import DataError


def masked(n_masked: int) -> DataError:
    return DataError(
        f"X is a masked array with {n_masked} masked values, which would silently be used as "
        "they lie under the mask. Fill them (X.filled(...), or an imputer) or drop those rows."
    )


def not_collected(kind: str) -> DataError:
    return DataError(f"X is a {kind}, a plan rather than rows. Give it X.collect().")


def dates(column: Any, dtype: str) -> DataError:
    return DataError(
        f"{_called(column)} holds dates or durations ({dtype}), whose size as numbers depends on "
        "their unit. Turn them into numbers that mean something, for example days since the first."
    )


def not_numbers(column: Any, value: Any) -> DataError:
    return DataError(
        f"{_called(column)} holds {str(value)[:50]!r}, which is no number. Leave the column out, "
        "or turn its categories into numbers (sklearn.preprocessing.OneHotEncoder). If these are "
        "the labels, they belong in y."
    )


def _called(column: Any) -> str:
    return "X" if column is None else f"Column {column!r} of X"


def not_finite(row: int, column: int, value: float, n_bad: int, n_values: int) -> DataError:
    name = "NaN" if value != value else "infinity (inf)"
    return DataError(
        f"Input X contains {name} at row {row}, column {column}; {n_bad} of its {n_values} values "
        "are NaN or infinite. Fill them (for example sklearn.impute.SimpleImputer) or drop "
        "those rows."
    )


def outside(row: int, column: int, shape: Sequence[int]) -> DataError:
    return DataError(
        f"X stores a value at row {row}, column {column}, outside its shape {tuple(shape)}. Was an "
        "array of X written into? Build X again, with the shape that it needs."
    )


def broken_indptr(form: str) -> DataError:
    return DataError(
        f"The indptr of X ({form}) does not rise from 0 to the number of stored values. Was an "
        "array of X written into? Build X again from its rows."
    )


def integers_too_large(value: Any) -> DataError:
    return DataError(
        f"X has integers that float64 cannot hold: {value} becomes {int(float(value))}. Rows that "
        "differ would become equal. Subtract a common offset while they are still integers, or "
        "drop the column if it is an identifier."
    )


def beyond_float64() -> DataError:
    return DataError(
        "X holds an integer of more than 300 digits, which float64 cannot hold. Divide X while its "
        "numbers are still integers, or drop the column if it is an identifier."
    )


def too_large(largest: float, limit: float) -> DataError:
    return DataError(
        f"X has values as large as {largest:.3g}: their squared distances overflow float64, whose "
        f"limit here is about {limit:.3g}. Divide X by {largest:.0e}."
    )


def distances_too_large(largest: float) -> DataError:
    return DataError(
        f"A distance to a centre is {largest:.3g}, more than float32 can hold, which is what "
        "transform returns for float32 rows. Give it X.astype(numpy.float64)."
    )


def too_small(spread: float) -> DataError:
    return DataError(
        f"The rows of X differ by no more than {spread:.3g} in any column: their squared distances "
        f"underflow float64. Multiply X by {1 / spread if spread > 1e-300 else 1e300:.0e}."
    )


def zero_rows(first: int, count: int) -> DataError:
    return DataError(
        f"metric='cosine' needs rows with a direction, and {count} row(s) of X are all zeros, the "
        f"first at position {first}. Drop them, before a fit and before predict alike; or fit with "
        "metric='euclidean'."
    )


def too_few_rows(n_samples: int, n_clusters: int) -> DataError:
    return DataError(
        f"n_samples={n_samples} should be >= n_clusters={n_clusters}: each cluster needs a row. "
        "Lower n_clusters or give more rows."
    )
