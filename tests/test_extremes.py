"""At the ends of the number range the answer is right, or a clear error says what to do.

Scaling by a power of two is exact, so it must change nothing but the exponents. (test_numbers has
the comparison with exact arithmetic.)
"""

import re

import numpy as np
import pytest
from scipy import sparse

from sskmeans import SSKMeans, errors, ss_kmeans_plusplus
from sskmeans.validate import survey

FORMS = pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "csr"])
SEEDS = pytest.mark.parametrize("seed", range(3))


def rows(seed, n=150, d=5):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) + 4 * rng.integers(0, 3, (n, 1))


def labels(X):
    """Some of the rows on the left and on the right."""
    order = np.argsort(np.asarray(X).sum(axis=1))
    y = np.full(len(order), -1)
    y[order[:9]], y[order[-9:]] = 3, 1
    return y


def fit(X, y=None, weights=None, **parameters):
    return SSKMeans(**{"n_clusters": 5, "random_state": 0} | parameters).fit(X, y, weights)


@SEEDS
@FORMS
@pytest.mark.parametrize("supervision", ["clamp", "seed", "freeze"])
@pytest.mark.parametrize(
    ("dtype", "power"),
    [(np.float64, -350), (np.float64, -30), (np.float64, 350), (np.float32, -20), (np.float32, 20)],
)
def test_a_power_of_two_scales_every_bit(dtype, power, supervision, form, seed):
    X, y = form(rows(seed).astype(dtype)), labels(rows(seed))
    one = fit(X, y, supervision=supervision)
    two = fit(X * dtype(2.0**power), y, supervision=supervision)
    assert two.labels_.tobytes() == one.labels_.tobytes()
    assert two.cluster_centers_.tobytes() == (one.cluster_centers_ * dtype(2.0**power)).tobytes()
    assert two.inertia_ == one.inertia_ * 4.0**power
    assert two.n_iter_ == one.n_iter_


@SEEDS
@pytest.mark.parametrize("power", [-160, -60, 60, 160])
def test_weights_count_by_their_ratios_alone(power, seed):
    X, y = rows(seed), labels(rows(seed))
    weights = np.random.default_rng(seed).random(150)
    one, two = fit(X, y, weights), fit(X, y, weights * 2.0**power)
    assert two.labels_.tobytes() == one.labels_.tobytes()
    assert two.cluster_centers_.tobytes() == one.cluster_centers_.tobytes()
    assert two.inertia_ == one.inertia_ * 2.0**power
    assert (
        two.score(X, sample_weight=weights * 2.0**power)
        == one.score(X, sample_weight=weights) * 2.0**power
    )


@FORMS
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("size", [1e-40, 1e-30, 1e30, 1e40])
def test_weights_of_any_size_do_for_any_rows(size, dtype, form):
    X, y = form(rows(0).astype(dtype)), labels(rows(0))
    model = fit(X, y, np.full(150, size))
    assert model.labels_.tolist() == fit(X, y).labels_.tolist()
    assert model.inertia_ == pytest.approx(size * fit(X, y).inertia_, rel=1e-9)


def test_a_heavy_row_is_a_centre():
    X = rows(1)
    weights = np.ones(150)
    weights[77] = 1e30
    model = fit(X, weights=weights, tol=0)
    centre = model.cluster_centers_[model.codes_[77]]
    np.testing.assert_allclose(centre, X[77], rtol=1e-15)  # the others pull by 1e-28
    light = fit(X, weights=np.where(np.arange(150) == 77, 1e-60, 1), tol=0)
    without = SSKMeans(5, init=light.cluster_centers_, tol=0).fit(np.delete(X, 77, axis=0))
    np.testing.assert_allclose(light.cluster_centers_, without.cluster_centers_, rtol=1e-14)


def test_a_class_of_light_rows_has_its_own_mean():
    """Weights that span 200 orders of magnitude do not disturb each other's classes."""
    X, y = rows(2), np.repeat([0, 1, 2], 50)
    weights = np.repeat([1.0, 1e-100, 1e-200], 50)
    centres = fit(X, y, weights, n_clusters=3).cluster_centers_
    np.testing.assert_allclose(centres, X.reshape(3, 50, 5).mean(axis=1), rtol=1e-12)


@FORMS
@pytest.mark.parametrize("size", [1e121, 1e200, 1e300, 1e-130, 1e-200, 1e-310])
def test_the_advice_of_a_range_error_leads_to_an_answer(size, form):
    X = rows(3)
    with pytest.raises(errors.DataError, match="flow float64") as caught:
        fit(form(X * size))
    verb, factor = re.search(r"(Divide|Multiply) X by ([\d.e+-]+\d)", str(caught.value)).groups()
    scaled = form(X * size / float(factor) if verb == "Divide" else X * size * float(factor))
    # 1e-310 has lost two of its sixteen digits already.
    assert fit(scaled).labels_.tolist() == fit(X).labels_.tolist()


@pytest.mark.parametrize("size", [1e-310, 1e-200, 1e200, 1e300])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_cosine_has_no_range(size, form):
    X = rows(4)
    far = fit(form(X * size), labels(X), metric="cosine")
    near = fit(form(X), labels(X), metric="cosine")
    assert far.labels_.tolist() == near.labels_.tolist()
    assert far.predict(X).tolist() == near.predict(X * size).tolist()
    np.testing.assert_allclose(far.cluster_centers_, near.cluster_centers_, rtol=1e-10, atol=1e-12)


@SEEDS
@pytest.mark.parametrize("d", [3, 63, 64, 65, 3000])
@pytest.mark.parametrize("power", [53, 56, 58, 59.99, 61])
def test_float32_holds_the_squares_or_hands_them_to_float64(power, d, seed):
    """Many squares that float32 holds one by one may sum to more than it can hold."""
    rng = np.random.default_rng(seed)
    X = (rng.uniform(-1, 1, (40, d)) * 2.0**power).astype(np.float32)
    X[20:] *= np.float32(0.5)
    y = np.repeat([0, -1, 1, -1], [3, 17, 3, 17])
    near, far = fit(X, y, n_clusters=2), fit(X.astype(np.float64), y, n_clusters=2)
    assert near.labels_.tolist() == far.labels_.tolist()
    np.testing.assert_allclose(near.history_["cost"], far.history_["cost"], rtol=(d + 8) * 2e-7)


@FORMS
@pytest.mark.parametrize("columns", [1, 3])
@pytest.mark.parametrize("at", [0, 2.0**-39, -(2.0**-39), 2.0**-45, 1e-30])
@pytest.mark.parametrize("step", [1e-14, 2.0**-63, 2.0**-64, 1e-25, 1e-38, 1e-45])
def test_float32_rows_that_differ_are_told_apart_however_close(step, at, columns, form):
    close = np.float32(
        [at, max(np.float32(at + step), np.nextafter(np.float32(at), np.float32(1)))]
    )
    X = np.zeros((3, columns), dtype=np.float32)
    X[:, 0] = *close, 1
    for init in (X, "k-means++"):
        model = SSKMeans(3, init=init, random_state=0).fit(form(X))
        assert sorted(model.labels_) == [0, 1, 2]
        assert model.predict(form(X)).tolist() == model.labels_.tolist()
    plain = SSKMeans(2, init=np.float32([X[0], X[2]])).fit(form(X[[0, 2]]))
    assert plain.transform(form(X[1:2]))[0, 0] == close[1] - close[0]


@SEEDS
@pytest.mark.parametrize("make", [np.sign, np.rint, np.asarray], ids=["signs", "whole", "normal"])
def test_ordinary_float32_rows_stay_in_float32(make, seed):
    X = make(np.random.default_rng(seed).normal(size=(500, 40))).astype(np.float32)
    assert not survey(X, None).wide
    assert survey(np.where(X == X[7, 7], np.float32(1e-20), X), None).wide


@FORMS
def test_float64_rows_too_close_for_a_square_are_named_as_a_cause(form):
    X = np.array([[0], [1e-200], [1]])
    with pytest.warns(errors.FewerClustersWarning, match="closer than 1e-154"):
        assert SSKMeans(3, init=X).fit(form(X)).labels_.tolist() == [0, 0, 2]
    with pytest.warns(errors.FewerClustersWarning, match="closer than 1e-154"):
        ss_kmeans_plusplus(form(X), None, 3)
    X[1] = 1e-150
    assert SSKMeans(3, init=X).fit(form(X)).labels_.tolist() == [0, 1, 2]


@pytest.mark.parametrize("d", [1, 64, 4000])
@pytest.mark.parametrize("power", [50, 55, 59.9, 62])
def test_new_float32_rows_are_told_apart_wherever_they_lie(power, d):
    centres = np.outer(np.float32([-8e16, 8e16]), np.ones(d, dtype=np.float32))
    model = SSKMeans(2, init=centres).fit(centres)
    rows = np.outer(np.float32([2.0**power, -(2.0**power)]), np.ones(d, dtype=np.float32))
    exact = np.sqrt(d) * np.abs(rows[:, :1].astype(np.float64) - [centres[0, 0], centres[1, 0]])
    assert model.predict(rows).tolist() == [1, 0]
    np.testing.assert_allclose(model.transform(rows), exact, rtol=(d + 8) * 2e-7)
    assert model.score(rows) == pytest.approx(-(exact.min(axis=1) ** 2).sum(), rel=(d + 8) * 2e-7)


@pytest.mark.parametrize("algorithm", ["lloyd", "hamerly"])
@SEEDS
def test_a_huge_row_that_comes_and_goes_leaves_no_dirt(algorithm, seed):
    """It starts among the rows of one of ten blobs, and drags its centre away with it."""
    rng = np.random.default_rng(seed)
    C = 50 * rng.normal(size=(10, 3))
    X = np.concatenate([*(rng.normal(size=(100, 3)) + c for c in C), [[1e12, 0, 0]]])
    model = SSKMeans(10, init=C, tol=0, algorithm=algorithm).fit(X)
    alone = model.labels_ == model.labels_[-1]
    assert alone.sum() == 1
    others = SSKMeans(9, init=np.delete(model.cluster_centers_, model.labels_[-1], 0), tol=0)
    others.fit(X[:-1])
    np.testing.assert_array_equal(
        others.cluster_centers_, np.delete(model.cluster_centers_, model.labels_[-1], 0)
    )
    assert model.inertia_ == pytest.approx(others.inertia_, rel=1e-12)
    cost = model.history_["cost"]
    assert (np.diff(cost) <= 0).all()
    assert cost[-1] == pytest.approx(model.inertia_, rel=1e-6)


@SEEDS
def test_two_blobs_far_apart_are_each_clustered_right(seed):
    """1e9 apart, each of two parts 20 apart: expanded distances would see no parts."""
    rng = np.random.default_rng(seed)
    part = np.repeat(np.arange(4), 25)
    X = rng.normal(size=(100, 4)) + 20.0 * (part % 2)[:, None] + 1e9 * (part // 2)[:, None]
    y = np.full(100, -1)
    y[::25] = np.arange(4)
    for form in (np.asarray, sparse.csr_array):
        assert fit(form(X), y, n_clusters=4).labels_.tolist() == part.tolist()
        free = fit(form(X), n_clusters=4, init="greedy-k-means++", n_init=10)
        assert len({tuple(free.labels_[part == p]) for p in range(4)}) == 4
        assert free.inertia_ == pytest.approx(fit(form(X), y, n_clusters=4).inertia_, rel=1e-6)


@pytest.mark.parametrize("offset", [0, 1e8 + 0.1, 1e12 + 0.3, -1e15])
@FORMS
def test_equal_rows_cost_nothing_wherever_they_lie(offset, form):
    X = np.full((50, 3), offset)
    X[:, 1] = 0.1
    with pytest.warns(errors.FewerClustersWarning):
        model = fit(form(X), n_clusters=3)
    assert model.inertia_ == 0
    assert (model.cluster_centers_ == X[:3]).all()
    assert (model.transform(form(X)) == 0).all()


@pytest.mark.parametrize("weighted", [False, True])
def test_duplicates_of_a_centre_are_at_distance_zero(weighted):
    """So they are never drawn: six distinct rows, six different seeds."""
    X = np.repeat(rows(5, 6) * 1e-3 + 1e9, 40, axis=0)
    weights = np.arange(1.0, 241) if weighted else None
    for seed in range(20):
        indices = ss_kmeans_plusplus(X, None, 6, sample_weight=weights, random_state=seed)[1]
        assert sorted(indices // 40) == list(range(6))


def test_integers_that_float64_holds_are_welcome_beyond_2_to_53():
    steps = np.repeat([[0, 3], [7, 0]], 20, axis=0) + 2 * (np.arange(40)[:, None] % 2)
    X = 2**60 + 256 * steps  # neighbours there are 256 apart
    model = fit(X, n_clusters=2)
    assert len({tuple(model.labels_[:20]), tuple(model.labels_[20:])}) == 2
    assert model.inertia_ == fit(steps, n_clusters=2).inertia_ * 256**2
