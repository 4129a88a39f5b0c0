"""What must not matter does not: order, names, units, place, columns.

Exactly, where arithmetic is exact: scaling by a power of two, translation of integers, names of
classes in the same order. Else the same partition, and centres to rounding.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from sskmeans import SSKMeans

SUPERVISIONS = ["clamp", "seed", "freeze"]
every_supervision = pytest.mark.parametrize("supervision", SUPERVISIONS)
every_seed = pytest.mark.parametrize("seed", range(4))
N, K = 150, 6


def partly_labelled(seed, integers=False):
    """Rows in clumps, labels of classes 0, 1 and 4, weights, and a start for all six classes."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(K, size=N)
    X = 3 * rng.normal(size=(K, 3))[truth] + rng.normal(size=(N, 3))
    X = np.round(64 * X) if integers else X
    y = np.where((rng.random(N) < 0.3) & np.isin(truth, [0, 1, 4]), truth, -1)
    return X, y, rng.integers(1, 4, size=N).astype(float), X[rng.choice(N, size=K, replace=False)]


def fit(X, y, weights, start, supervision="clamp", **how):
    model = SSKMeans(len(start), init=start, supervision=supervision, tol=0, **how)
    return model.fit(X, y, sample_weight=weights)


def close(one, other):
    """Centres that differ by the rounding of sums of N numbers."""
    np.testing.assert_allclose(one, other, rtol=0, atol=N * 2.0**-52 * np.abs(other).max())


@every_supervision
@every_seed
def test_the_order_of_rows(seed, supervision):
    X, y, weights, start = partly_labelled(seed)
    order = np.random.default_rng(seed).permutation(N)
    model = fit(X, y, weights, start, supervision)
    shuffled = fit(X[order], y[order], weights[order], start, supervision)
    assert shuffled.labels_.tolist() == model.labels_[order].tolist()
    assert shuffled.n_iter_ == model.n_iter_
    close(shuffled.cluster_centers_, model.cluster_centers_)
    assert shuffled.inertia_ == pytest.approx(model.inertia_, rel=N * 2.0**-52)


@every_supervision
@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
@every_seed
def test_the_order_of_columns(seed, metric, supervision):
    X, y, weights, start = partly_labelled(seed)
    order = [2, 0, 1]
    model = fit(X, y, weights, start, supervision, metric=metric)
    turned = fit(X[:, order], y, weights, start[:, order], supervision, metric=metric)
    assert turned.labels_.tolist() == model.labels_.tolist()
    close(turned.cluster_centers_, model.cluster_centers_[:, order])


@every_supervision
@every_seed
def test_the_names_of_classes(seed, supervision):
    """Another order of the names is another order of the slots, and the same partition."""
    X, y, weights, start = partly_labelled(seed)
    model = fit(X, y, weights, start, supervision)
    new = [3, 5, 0, 2, 1, 4]  # class i is now called new[i]
    renamed = np.where(y == -1, -1, np.array(new)[y])
    moved = np.empty_like(start)
    moved[new] = start
    other = fit(X, renamed, weights, moved, supervision)
    assert other.labels_.tolist() == [new[label] for label in model.labels_]
    close(other.cluster_centers_[new], model.cluster_centers_)


@every_supervision
@pytest.mark.parametrize("init", ["k-means++", "greedy-k-means++", "random"])
@every_seed
def test_names_in_the_same_order_change_no_bit(seed, init, supervision):
    X, y, weights, _ = partly_labelled(seed)
    y = np.where(y == 4, 2, y)  # known classes 0, 1, 2; new ones sort behind them below too
    how = {"init": init, "supervision": supervision, "random_state": seed}
    model = SSKMeans(K, **how).fit(X, y, weights)
    for names in (["ant", "bee", "cow"], ["a", "b", "c"], ["A", "B", "new"]):
        named = SSKMeans(K, missing_label="?", **how)
        named.fit(X, np.array([*names, "?"])[y], weights)
        assert named.classes_.tolist() == [*names, "new-0", "new-1", "new-2"]
        assert named.codes_.tobytes() == model.codes_.tobytes()
        assert named.cluster_centers_.tobytes() == model.cluster_centers_.tobytes()


@every_supervision
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("factor", [2.0**-60, 2.0**-1, 2.0**50])
@every_seed
def test_scaling_by_a_power_of_two_changes_no_bit(seed, factor, form, supervision):
    X, y, weights, _ = partly_labelled(seed)
    how = {"supervision": supervision, "random_state": seed}
    model = SSKMeans(K, **how).fit(form(X), y, weights)
    scaled = SSKMeans(K, **how).fit(form(X * factor), y, weights)
    assert scaled.codes_.tobytes() == model.codes_.tobytes()
    assert scaled.n_iter_ == model.n_iter_
    assert (scaled.cluster_centers_ == model.cluster_centers_ * factor).all()
    assert scaled.inertia_ == model.inertia_ * factor**2
    assert (scaled.transform(X * factor) == model.transform(X) * factor).all()


@every_supervision
@pytest.mark.parametrize("offset", [-1000.0, 2.0**30, [7.0, -(2.0**40), 0.0]])
@every_seed
def test_translation(seed, offset, supervision):
    """Integers: the rows keep every bit, means are rounded where they lie."""
    X, y, weights, start = partly_labelled(seed, integers=True)
    model = fit(X, y, weights, start, supervision)
    moved = fit(X + offset, y, weights, start + offset, supervision)
    assert moved.labels_.tolist() == model.labels_.tolist()
    assert moved.n_iter_ == model.n_iter_
    error = np.spacing(np.abs(np.asarray(offset)).max() + np.abs(X).max())  # of a rounded mean
    off = np.abs(moved.cluster_centers_ - offset - model.cluster_centers_)
    assert off.max() <= 2 * error
    # A mean off by e costs W e**2, no more: it stands where the cost is least.
    slack = 2 * weights.sum() * 3 * error**2
    if supervision == "freeze":  # but not of all the rows of its class
        slack += 4 * error * np.sqrt(3 * weights.sum() * model.inertia_)
    assert abs(moved.inertia_ - model.inertia_) <= slack + model.inertia_ * N * 2.0**-52


@every_supervision
@every_seed
def test_rotation_by_a_quarter_turn_and_reflection(seed, supervision):
    X, y, weights, start = partly_labelled(seed)
    turn = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, -1]])
    model = fit(X, y, weights, start, supervision)
    turned = fit(X @ turn, y, weights, start @ turn, supervision)
    assert turned.labels_.tolist() == model.labels_.tolist()
    close(turned.cluster_centers_, model.cluster_centers_ @ turn)


@every_seed
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_cosine_ignores_the_length_of_rows(seed, form):
    X, y, weights, _ = partly_labelled(seed)
    lengths = 2.0 ** np.random.default_rng(seed).integers(-30, 30, size=N)
    how = {"metric": "cosine", "random_state": seed}
    model = SSKMeans(K, **how).fit(form(X), y, weights)
    scaled = SSKMeans(K, **how).fit(form(X * lengths[:, None]), y, weights)
    assert scaled.codes_.tobytes() == model.codes_.tobytes()
    assert scaled.cluster_centers_.tobytes() == model.cluster_centers_.tobytes()
    assert scaled.inertia_ == model.inertia_


@pytest.mark.filterwarnings("ignore::sskmeans.errors.FewerClustersWarning")  # known, emptied
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_order_of_any_rows(data):
    """Rows in general position, found by Hypothesis's own numbers: no ties to settle."""
    n, k = data.draw(st.integers(8, 40)), data.draw(st.integers(1, 5))
    rng = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    X, start = rng.normal(size=(n, 2)), rng.normal(size=(k, 2))
    y = np.array(data.draw(st.lists(st.sampled_from([-1, -1, *range(k)]), min_size=n, max_size=n)))
    order = np.array(data.draw(st.permutations(range(n))))
    supervision = data.draw(st.sampled_from(SUPERVISIONS))
    model, shuffled = (
        fit(rows, labels, None, start, supervision)
        for rows, labels in ((X, y), (X[order], y[order]))
    )
    assert shuffled.labels_.tolist() == model.labels_[order].tolist()
    close(shuffled.cluster_centers_, model.cluster_centers_)
