"""What is only rounding must neither keep a run going nor show in its history."""

import warnings
from fractions import Fraction

import numpy as np
import pytest

from sskmeans import SSKMeans
from sskmeans.errors import FewerClustersWarning
from sskmeans.points.exact import two_sum


def fit(X, k, **settings):
    weights = settings.pop("weights", None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FewerClustersWarning)  # there are three distinct rows
        return SSKMeans(k, **settings).fit(X, sample_weight=weights)


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("k", [4, 6])
@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_weighted_duplicates_come_to_rest(seed, k, metric):
    rng = np.random.default_rng(seed)
    X = np.repeat([[0.0, 1], [1, 1], [2, 1]], 40, axis=0)
    init = np.stack([np.linspace(0, 2, k) + 0.01, np.ones(k)], axis=1)
    model = fit(X, k, init=init, tol=0, metric=metric, weights=rng.random(120))
    assert model.n_iter_ < 10
    # 120 rows, two coordinates, each off by a few roundings of at most 2 where rows are scaled.
    assert (np.diff(model.history_["cost"]) <= 240 * (8 * np.finfo(float).eps) ** 2).all()


@pytest.mark.parametrize("seed", range(10))
def test_weights_of_many_sizes_come_to_rest(seed):
    rng = np.random.default_rng(130 + seed)
    X = rng.integers(0, 3, (250, 1)).astype(float)
    weights = rng.choice([0, 0.1, 1, 3, 1e6], 250)
    model = fit(X, 8, init="random", n_init=1, random_state=seed, weights=weights)
    assert model.n_iter_ < 20


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("seed", [287, 288, 289, 290])
def test_the_kept_cost_survives_a_fall_over_many_orders(seed, dtype):
    """Cubed Cauchy rows: what one row costs at first hides all the others' cost."""
    rng = np.random.default_rng(seed)
    X = (rng.standard_cauchy((200, 10)) ** 3).astype(dtype)
    kept = SSKMeans(9, init="random", n_init=1, random_state=seed, tol=0).fit(X)
    # A float32 distance errs by 18 roundings at most, a cost kept by changes by 2**10 times that.
    bound = 2.0**-10 if dtype == "float32" else 1e-6
    assert kept.history_["cost"][-1] == pytest.approx(kept.inertia_, rel=bound)


@pytest.mark.parametrize("seed", range(5))
def test_sums_lose_nothing(seed):
    rng = np.random.default_rng(seed)
    a, b = (rng.standard_normal(50) * 10.0 ** rng.integers(-20, 20, 50) for _ in range(2))
    for x, y, rounded, lost in zip(a, b, *two_sum(a, b), strict=True):
        assert Fraction(rounded) + Fraction(lost) == Fraction(x) + Fraction(y)
