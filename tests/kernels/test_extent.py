"""The least size of a number that is not 0, and the greatest, in either backend."""

import numpy as np
import pytest


@pytest.fixture
def extent(backend):
    return backend.extent


INF, NAN, TINIEST = np.inf, np.nan, 1e-45


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([], (INF, 0)),
        ([0.0, -0.0], (INF, 0)),
        ([0, -3, 2, TINIEST], (TINIEST, 3)),
        ([1, NAN, -3], (1, NAN)),
        ([NAN], (INF, NAN)),
        ([-INF, 0, 2], (2, INF)),
        ([2, INF, NAN], (2, NAN)),
    ],
)
def test_of_few_numbers(extent, values, expected, dtype):
    kind = np.dtype(dtype).type
    np.testing.assert_array_equal(extent(np.array(values, dtype)), [kind(e) for e in expected])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("size", [1, 7, 64, 65, 1 << 18, (1 << 18) + 1, (1 << 20) + 3])
def test_of_many_numbers_wherever_the_extremes_are(extent, size, dtype):
    for seed in range(3):
        rng = np.random.default_rng(seed)
        values = rng.normal(size=size).astype(dtype)
        values[rng.integers(size)] = 1e-20
        values[rng.integers(size)] = -100
        seen = abs(values)
        assert extent(values) == (float(seen.min()), float(seen.max()))
