"""The estimator's parameters at the door."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
from sklearn.utils.validation import check_array

from sskmeans import messages
from sskmeans.kernels.types import Array
from sskmeans.validate.rows import unit_rows
from sskmeans.validate.survey import LARGEST, largest32


def read_init(
    init: Any, n_clusters: int, n_new: int, n_features: int, *, unit: bool, dtype: Any
) -> Array:
    """Centres given by the user: one a cluster, or one a class without labels."""
    if init is None:
        raise messages.init_none()
    if isinstance(init, np.ma.MaskedArray) and init.mask.any():
        raise messages.init_not_finite()
    try:
        with np.errstate(over="ignore"):  # infinite then, and refused
            centres = check_array(
                init, dtype=[np.float64, np.float32], order="C", copy=True, ensure_all_finite=False
            )
    except (TypeError, ValueError, OverflowError) as error:
        raise messages.init_not_rows(error) from None
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
    largest = float(np.abs(centres).max())
    limit = largest32(n_features) if dtype == np.float32 else LARGEST
    if largest > limit:
        raise messages.init_too_large(largest, limit)
    return np.asarray(centres, dtype=dtype)


def read_random_state(random_state: Any) -> np.random.RandomState | np.random.Generator:
    """A source of draws. None means fresh entropy: numpy's global state is never touched."""
    if isinstance(random_state, (np.random.RandomState, np.random.Generator)):
        return random_state
    whole = isinstance(random_state, numbers.Integral) and not isinstance(random_state, bool)
    if random_state is not None and not (whole and 0 <= random_state < 2**32):
        raise messages.bad_random_state(random_state)
    if random_state is None:
        return np.random.RandomState(np.random.PCG64())  # ready nine times sooner than its default
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
