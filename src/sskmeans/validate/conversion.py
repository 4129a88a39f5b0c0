"""What X holds becomes float64: tables column by column, so that an error can name the column."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from sskmeans import messages
from sskmeans.kernels.types import Array


@contextmanager
def convertible(X: Any) -> Iterator[None]:
    """X, or a block of it, is converted in here; where that fails, the user hears why.

    Floats that are too large for float64 become infinite, to be refused later.
    """
    if hasattr(X, "collect") and not hasattr(X, "__array__"):  # polars' LazyFrame
        raise messages.not_collected(type(X).__name__)
    single = [(None, getattr(X, "dtype", None))]
    for name, dtype in zip(X.columns, X.dtypes, strict=True) if is_table(X) else single:
        if _is_time(dtype):
            raise messages.dates(name, str(dtype).partition("(")[0])
    try:
        with np.errstate(over="ignore"):
            yield
    except OverflowError:
        raise messages.beyond_float64() from None
    except (TypeError, ValueError):
        for name in X.columns if is_table(X) else ():
            value = _first_without_number(np.asarray(X[name]))
            if value is not None:
                raise messages.not_numbers(name, value) from None
        raise


def is_table(X: Any) -> bool:
    """Whether X is a pandas or a polars table; a class is asked, since a plan answers slowly."""
    return all(hasattr(type(X), name) for name in ("columns", "dtypes", "__array__"))


def _is_time(dtype: Any) -> bool:
    polars = getattr(dtype, "is_temporal", None)
    return getattr(dtype, "kind", None) in ("m", "M") or bool(polars and polars())


def _first_without_number(values: Array) -> Any:
    for value in values if values.dtype.kind in "OUT" else ():
        try:
            float(value)
        except (TypeError, ValueError):
            return getattr(value, "item", lambda value=value: value)()
    return None
