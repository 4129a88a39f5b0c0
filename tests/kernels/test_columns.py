"""The variance of a column survives offsets and far rows of no weight, in either backend."""

import numpy as np
import pytest

from sskmeans import SSKMeans


@pytest.fixture
def columns(backend):
    return backend.columns


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("where", [0, 7, 999])
@pytest.mark.parametrize("light", [0.0, 1e-40])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_far_row_of_next_to_no_weight_leaves_the_variance_alone(
    columns, seed, where, light, dtype
):
    rng = np.random.default_rng(seed)
    X = (rng.normal(size=(1000, 5)) + 1e3).astype(dtype)
    weights = rng.random(1000)
    weights[where] = light
    near = X.astype(np.longdouble)
    X[where] = 1e12
    mean = weights @ near / weights.sum()
    expected = weights @ (near - mean) ** 2 / weights.sum()
    # 1000 additions, of squares up to 1 + |row - mean|^2 / variance times what is left of them.
    error = 1000 * np.finfo(float).eps * 30
    np.testing.assert_allclose(columns(X, weights)[2], expected.astype(float), rtol=error)


@pytest.mark.parametrize("seed", range(3))
def test_a_far_first_row_without_weight_does_not_stop_the_fit_early(seed):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((1000, 5))
    X[500:] += 1
    init = X[:3].copy()
    far, weights = np.vstack([np.full((1, 5), 1e12), X]), np.ones(1001)
    weights[0] = 0
    expected = SSKMeans(3, init=init).fit(X)
    fitted = SSKMeans(3, init=init).fit(far, sample_weight=weights)
    assert fitted.n_iter_ == expected.n_iter_ > 5
    np.testing.assert_array_equal(fitted.labels_[1:], expected.labels_)
