"""Distances from squares, and the greatest square, in either backend."""

import numpy as np
import pytest


@pytest.fixture
def roots(backend):
    return backend.roots


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(0, 3), (1, 1), (5, 7), (1 << 14, 1), (3000, 11)])
def test_roots_are_rounded_once_more_only(roots, shape, dtype):
    for seed in range(3):
        squares = np.random.default_rng(seed).exponential(size=shape) ** 20
        out = np.full(shape, -1, dtype=dtype)
        assert roots(squares, out) == squares.max(initial=0.0)
        np.testing.assert_array_equal(out, np.sqrt(squares).astype(dtype))


def test_what_float32_cannot_hold_is_infinite_and_told(roots):
    out = np.empty((2, 2), dtype=np.float32)
    assert roots(np.array([[1.0, 4.0], [1e90, 0.0]]), out) == 1e90
    np.testing.assert_array_equal(out, [[1, 2], [np.inf, 0]])
