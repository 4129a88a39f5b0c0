"""What `ss_kmeans_plusplus` promises beside its law.

Centres are in the order of the sorted classes: the centroid of a labelled class, with index -1, or
bitwise the row that its index names.
"""

import numpy as np
import pytest
from scipy import sparse

from sskmeans import SSKMeans, ss_kmeans_plusplus
from sskmeans.errors import FewerClustersWarning, LabelsError


def partly_labelled(seed, dtype=np.float64):
    rng = np.random.default_rng(seed)
    X = (rng.normal(size=(60, 3)) * [1, 10, 100]).astype(dtype)
    y = np.where(rng.random(60) < 0.4, rng.choice([1, 4], size=60), -1)
    return X, y, rng.random(60) * (rng.random(60) < 0.8)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array, sparse.csc_matrix])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("seed", range(5))
def test_a_drawn_centre_is_bitwise_its_row_and_no_labelled_row_is_drawn(seed, dtype, form):
    X, y, weights = partly_labelled(seed, dtype)
    weights[np.flatnonzero(y == 1)[0]] = 1.0
    weights[np.flatnonzero(y == 4)[0]] = 1.0
    for _ in range(20):
        centers, indices = ss_kmeans_plusplus(form(X), y, 7, sample_weight=weights)
        assert centers.dtype == dtype
        assert indices[[1, 4]].tolist() == [-1, -1]
        drawn = indices[[0, 2, 3, 5, 6]]
        assert centers[[0, 2, 3, 5, 6]].tobytes() == X[drawn].tobytes()
        assert (y[drawn] == -1).all()
        assert (weights[drawn] > 0).all()
        assert len(set(drawn.tolist())) == 5


@pytest.mark.parametrize("seed", range(5))
def test_a_labelled_class_gives_its_weighted_mean(seed):
    X, y, weights = partly_labelled(seed)
    centers = ss_kmeans_plusplus(X, y, 6, sample_weight=weights)[0]
    for label in (1, 4):
        mean = np.average(X[y == label], axis=0, weights=weights[y == label])
        np.testing.assert_allclose(centers[label], mean, rtol=1e-14)  # NumPy's own rounding


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_integers_and_half_precision_come_back_as_their_values(form):
    for dtype, back in [(np.int64, np.float64), (np.uint8, np.float64), (np.float32, np.float32)]:
        X = form(np.arange(20).reshape(10, 2).astype(dtype))
        centers, indices = ss_kmeans_plusplus(X, None, 4, random_state=0)
        assert centers.dtype == back
        assert (centers == np.arange(20).reshape(10, 2)[indices]).all()
    half = np.arange(20, dtype=np.float16).reshape(10, 2)
    assert ss_kmeans_plusplus(half, None, 4, random_state=0)[0].dtype == np.float32


def test_float32_beyond_its_squares_is_bitwise_its_row_too():
    X = (np.random.default_rng(0).normal(size=(30, 2)) * 1e30).astype(np.float32)
    centers, indices = ss_kmeans_plusplus(X, None, 5, random_state=0)
    assert centers.tobytes() == X[indices].tobytes()
    assert len(set(indices.tolist())) == 5


def test_slots_are_named_as_the_estimator_names_them():
    X = np.arange(12.0).reshape(6, 2)
    y = ["cat", None, None, None, "zebra", None]
    centers, indices = ss_kmeans_plusplus(X, y, 4, random_state=0)
    model = SSKMeans(4, init=centers, max_iter=1, random_state=0).fit(X, y)
    assert model.classes_.tolist() == ["cat", "new-0", "new-1", "zebra"]
    assert (indices == -1).tolist() == model.is_known_.tolist()
    assert centers[[0, 3]].tolist() == [X[0].tolist(), X[4].tolist()]


@pytest.mark.parametrize("marker", [-7, 0])
def test_missing_label_says_what_unlabelled_looks_like(marker):
    X, y = np.arange(8.0)[:, None], np.full(8, marker)
    y[[1, 2]] = 5
    indices = ss_kmeans_plusplus(X, y, 3, missing_label=marker, random_state=0)[1]
    assert sorted(indices.tolist())[0] == -1
    assert not {1, 2} & set(indices.tolist())


def test_rows_that_all_lie_on_centres_are_told_and_completed_with_other_rows():
    X = np.array([[0.0], [0.0], [0.0], [5.0], [5.0]])
    with pytest.warns(FewerClustersWarning, match="Only 2 of n_clusters=4"):
        indices = ss_kmeans_plusplus(X, None, 4, random_state=0)[1]
    assert len(set(indices.tolist())) == 4


@pytest.mark.parametrize("weights", [None, [1, 1, 0, 1.0]])
def test_nothing_left_to_draw_from_is_an_error_with_the_numbers(weights):
    y = [0, 0, -1, -1] if weights else [0, 0, 0, -1]
    with pytest.raises(LabelsError, match=r"leaves 2 cluster.* only 1 unlabelled"):
        ss_kmeans_plusplus(np.eye(4), y, 3, sample_weight=weights)


def test_every_row_is_drawn_when_there_are_as_many_centres():
    X = np.random.default_rng(0).normal(size=(9, 2))
    for seed in range(5):
        indices = ss_kmeans_plusplus(X, None, 9, random_state=seed)[1]
        assert sorted(indices.tolist()) == list(range(9))
