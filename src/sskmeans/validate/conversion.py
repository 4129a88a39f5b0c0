"""What X holds becomes float64: tables column by column, so that an error can name the column."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from sskmeans import messages

TIME_SCALARS = np.datetime64, np.timedelta64, datetime.date, datetime.time, datetime.timedelta
TIMES = "date", "time", "duration", "period"  # how the names of their dtypes begin, everywhere


@contextmanager
def convertible(X: Any) -> Iterator[None]:
    """X, or a block of it, is converted in here; where that fails, the user hears why.

    Floats that are too large for float64 become infinite, to be refused later.
    """
    if hasattr(X, "collect") and not hasattr(X, "__array__"):  # polars' LazyFrame
        raise messages.not_collected(type(X).__name__)
    columns = table_columns(X) if is_table(X) else [(None, X)]
    for name, column in columns:
        _refuse_dates(name, column)
    try:
        with np.errstate(over="ignore"):
            yield
    except OverflowError:
        raise messages.beyond_float64() from None
    except (TypeError, ValueError):
        for name, column in columns if is_table(X) else ():
            for value in _objects(column):
                if not _is_number(value):
                    raise messages.not_numbers(name, value) from None
        raise


def is_table(X: Any) -> bool:
    """Whether X is a pandas, polars or arrow table; its class is asked: a plan answers slowly."""
    known = hasattr(type(X), "dtypes") or hasattr(type(X), "column_names")
    return known and hasattr(type(X), "columns") and hasattr(type(X), "__array__")


def table_columns(X: Any) -> list[tuple[Any, Any]]:
    """Name and values of each column, also where two have one name."""
    if hasattr(X, "iter_columns"):  # polars
        return [(column.name, column) for column in X.iter_columns()]
    if hasattr(X, "column_names"):  # arrow
        return list(zip(X.column_names, X.columns, strict=True))
    return list(X.items())


def kind_of(column: Any) -> str:
    """The name of a column's dtype, in small letters; nothing where there is none."""
    kind = getattr(column, "dtype", None) or getattr(column, "type", None)
    return "" if kind is None else str(kind).lower()


def _refuse_dates(name: Any, column: Any) -> None:
    kind = kind_of(column)
    if kind.startswith(TIMES):
        raise messages.dates(name, kind.partition("(")[0])
    for value in _objects(column):
        if isinstance(value, TIME_SCALARS):
            raise messages.dates(name, type(value).__name__)


def _objects(column: Any) -> Iterator[Any]:
    """The values of a column that may hold anything."""
    kind = kind_of(column)
    if kind and not kind.startswith(("int", "uint", "float", "double", "half", "bool", "sparse")):
        yield from np.asarray(column).flat


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True
