"""What happens to centres between two assignments: their means, and their steps."""

from fractions import Fraction

import numpy as np
import pytest

from sskmeans.kernels import reference

native = pytest.importorskip("sskmeans.kernels.native", exc_type=ImportError)


@pytest.mark.usefixtures("instructions")
@pytest.mark.parametrize("seed", range(5))
def test_means_are_right_to_the_last_digit(seed):
    rng = np.random.default_rng(seed)
    high = rng.normal(size=(30, 7)) * 10.0 ** rng.integers(-20, 20, size=(30, 7))
    low = high * 2.0**-54 * rng.random(high.shape)
    mass = rng.random(30) * 10.0 ** rng.integers(-9, 9, size=30)
    less = mass * 2.0**-54 * rng.random(30)
    found = native.means(high, low, mass, less)
    for i, j in np.ndindex(high.shape):
        total = Fraction(high[i, j]) + Fraction(low[i, j])
        assert found[i, j] == float(total / (Fraction(mass[i]) + Fraction(less[i])))


def test_no_mass_has_no_mean():
    parts = np.ones((2, 3)), np.zeros((2, 3)), np.array([0.0, 2.0]), np.zeros(2)
    for kernels in (native, reference):
        means = kernels.means(*parts)
        np.testing.assert_array_equal(means, [[np.nan] * 3, [0.5] * 3])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("d", [1, 7, 8, 33])
def test_steps(d, dtype):
    rng = np.random.default_rng(d)
    before, after = rng.normal(size=(2, 12, d)).astype(dtype)
    after[3], after[4] = before[3], before[4]
    before[5], after[5] = 0, np.finfo(dtype).tiny
    before[6], after[6] = 0, 1e-30
    high, mass = rng.normal(size=(12, d)), rng.random(12)
    for ours, theirs in zip(
        native.steps(before, after, high, mass),
        reference.steps(before, after, high, mass),
        strict=True,
    ):
        np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-14)
    squares = native.steps(before, after, high, mass)[0]
    assert np.flatnonzero(squares == 0).tolist() == [3, 4]
