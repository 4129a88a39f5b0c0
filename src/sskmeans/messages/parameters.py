"""What is said of parameters."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sskmeans.errors import ParameterError
from sskmeans.messages.listed import listed


def bad_choice(name: str, value: object, choices: Sequence[str]) -> ParameterError:
    return ParameterError(f"{name}={value!r} is not one of {', '.join(map(repr, choices))}.")


def bad_number(name: str, value: object, wanted: str) -> ParameterError:
    return ParameterError(f"{name}={value!r}: {name} must be {wanted}.")


def bad_random_state(value: object) -> ParameterError:
    return ParameterError(
        f"random_state={value!r} is not None, an int from 0 to 2**32 - 1, a numpy RandomState or "
        "a numpy Generator."
    )


def init_rows(shape: Sequence[int], n_clusters: int, n_new: int) -> ParameterError:
    also = "" if n_new == n_clusters else f", or {n_new}: one for each class without labels"
    return ParameterError(
        f"The shape of the initial centers {tuple(shape)} does not match the number of clusters "
        f"{n_clusters}: init must have {n_clusters} rows, in the order of classes_{also}."
    )


def init_columns(shape: Sequence[int], n_features: int) -> ParameterError:
    return ParameterError(
        f"The shape of the initial centers {tuple(shape)} does not match the number of features "
        f"of the data {n_features}."
    )


def init_none() -> ParameterError:
    return ParameterError(
        "init is None, or a callable that returned None: init must be a name, an array with one "
        "row for each centre, or a callable that returns such an array."
    )


def init_not_rows(reason: Exception) -> ParameterError:
    return ParameterError(
        f"init must be a name, a callable, or an array with one row for each centre: {reason}"
    )


def init_not_finite() -> ParameterError:
    return ParameterError("The initial centers in init hold NaN, infinite (inf) or masked values.")


def init_too_large(largest: float, limit: float) -> ParameterError:
    return ParameterError(
        f"init has values as large as {largest:.3g}, so far from the rows of X that squared "
        f"distances overflow: the limit here is about {limit:.3g}. Were X and init scaled alike?"
    )


def init_zero(rows: Collection[int]) -> ParameterError:
    return ParameterError(
        f"Row(s) {listed(rows)} of the initial centers are all zeros: metric='cosine' needs "
        "centres with a direction."
    )
