"""Sums without loss: the rounded result, and exactly what rounding took."""

from __future__ import annotations

from sskmeans.kernels.types import Array


def two_sum(a: Array, b: Array) -> tuple[Array, Array]:
    """The sum (Knuth)."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)
