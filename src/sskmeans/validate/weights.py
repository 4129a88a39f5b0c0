"""`sample_weight` at the door."""

from __future__ import annotations

from typing import Any

import numpy as np

from sskmeans import messages
from sskmeans.kernels.types import Array

NO_NUMBERS = str, bytes, np.datetime64, np.timedelta64  # though float() takes some of them
MAX_WEIGHT = 1e50  # sums of weights times squares stay within float64


def read_weights(sample_weight: Any, n_samples: int) -> Array | None:
    """None for equal weights, else n non-negative finite float64, not all zero."""
    if sample_weight is None:
        return None
    if isinstance(sample_weight, np.ma.MaskedArray) and sample_weight.mask.any():
        raise messages.weights_masked(int(sample_weight.mask.sum()))
    try:
        given = np.asarray(sample_weight)
        wrong = given.dtype.kind == "O" and any(isinstance(v, NO_NUMBERS) for v in given.flat)
        if wrong or given.dtype.kind not in "biufO":
            raise messages.weights_not_numbers()
        with np.errstate(over="ignore"):  # infinite then, and refused
            weights = np.array(sample_weight, dtype=np.float64)
    except OverflowError:  # an integer of more than 300 digits
        raise messages.weights_scale(float("inf")) from None
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
