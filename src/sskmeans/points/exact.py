"""Sums and products without loss: the rounded result, and exactly what rounding took."""

from __future__ import annotations

import numpy as np

from sskmeans.kernels.types import Array

SPLIT = 2.0**27 + 1  # cuts 53 digits in two halves whose products are exact (Veltkamp)


def two_sum(a: Array, b: Array) -> tuple[Array, Array]:
    """The sum (Knuth)."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def two_product(a: Array, b: Array) -> tuple[Array, Array]:
    """The product (Dekker)."""
    product = a * b
    a_high, b_high = _upper_half(a), _upper_half(b)
    a_low, b_low = a - a_high, b - b_high
    lost = a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low)
    return product, np.asarray(lost)


def _upper_half(a: Array) -> Array:
    wide = SPLIT * a
    return np.asarray(wide - (wide - a))
