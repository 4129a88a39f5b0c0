"""A slot that runs empty takes the unlabelled row that costs most.

Never a labelled row, whatever it costs and whatever the supervision; never the last row of another
slot; the lowest position among equals. Known classes take nobody's row: under `seed` one that runs
empty stays where it was.
"""

import numpy as np
import pytest
from scipy import sparse

from sskmeans import SSKMeans
from sskmeans.errors import FewerClustersWarning

FAR = 1e6  # a centre there gets no row
SUPERVISIONS = ["clamp", "seed", "freeze"]
every_algorithm = pytest.mark.parametrize("algorithm", ["lloyd", "auto"])


def column(*values):
    return np.array(values, dtype=float)[:, None]


def first_update(X, start, y=None, weights=None, **how):
    """Centres after one update, on the line."""
    model = SSKMeans(len(start), init=start, max_iter=1, tol=0, **how)
    return model.fit(X, y, sample_weight=weights).cluster_centers_.ravel().tolist()


@every_algorithm
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_the_row_that_costs_most_becomes_the_centre(form, algorithm):
    X = column(0, 1, 2, 7, 20, 21, 23)
    start = column(1, FAR, 21)
    # 7 is 6 from its centre, the farthest of all; it leaves its cluster at once.
    assert first_update(form(X), start, algorithm=algorithm) == [1, 7, 64 / 3]


@every_algorithm
def test_several_empty_slots_take_successive_rows_in_order(algorithm):
    X = column(0, 1, 2, 7, -6, 20, 21, 24)
    start = column(FAR, 1, -FAR, 21, 2 * FAR)
    # Costs 49 for -6, 36 for 7, 9 for 24: in the order of the slots.
    assert first_update(X, start, algorithm=algorithm) == [-6, 1, 7, 20.5, 24]


@pytest.mark.parametrize("order", [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 4, 0, 3, 1]])
def test_the_lowest_position_among_equal_costs(order):
    X = column(-5, -5, 0, 5, 5)[order]
    centres = first_update(X, column(0, FAR))
    assert centres[1] == X[np.abs(X.ravel()) == 5][0]


def test_the_weighted_cost_decides():
    X = column(0, 0, 6, -5)  # 36 against 25
    assert first_update(X, column(0, FAR), weights=[1, 1, 1, 1])[1] == 6
    assert first_update(X, column(0, FAR), weights=[1, 1, 1, 2])[1] == -5
    assert first_update(X, column(0, FAR), weights=[1, 1, 0, 1e-3])[1] == -5


@every_algorithm
@pytest.mark.parametrize("supervision", SUPERVISIONS)
def test_a_labelled_row_is_never_taken(supervision, algorithm):
    X = column(0, 1, 100, 2, 3, 30, 31)
    y = [0, 0, 0, -1, -1, -1, -1]
    start = column(1, 30, FAR)
    how = {"supervision": supervision, "algorithm": algorithm, "max_iter": 1}
    model = SSKMeans(3, init=start, **how).fit(X, y)
    # 100, labelled, costs 4900 or more; of the others 3 costs most.
    assert model.cluster_centers_[2] == 3
    assert model.labels_[4] == 2


@pytest.mark.parametrize("supervision", SUPERVISIONS)
@pytest.mark.parametrize("seed", range(5))
def test_no_labelled_row_is_taken_from_random_starts(seed, supervision):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 2))
    y = np.where(rng.random(60) < 0.6, rng.integers(2, size=60), -1)
    X[y >= 0] *= 20  # the labelled rows cost most by far
    start = np.concatenate([X[:2], np.full((4, 2), FAR)])
    model = SSKMeans(6, init=start, supervision=supervision, max_iter=1, tol=0).fit(X, y)
    for centre in model.cluster_centers_[2:]:
        assert (X[y == -1] == centre).all(axis=1).any()


@every_algorithm
def test_a_slot_is_never_emptied_to_fill_another(algorithm):
    X = column(0, 1, 2, 50)
    # 50 costs most, 400, but is alone; of the others, 2 costs most.
    assert first_update(X, column(0.9, FAR, 70), algorithm=algorithm) == [0.5, 2, 50]
    # 60 and 50 cost most, 36 and 16; with 60 gone, 50 stays alone.
    X, start = column(0, 1, 2, 50, 60), column(1, FAR, 54, -FAR)
    assert first_update(X, start, algorithm=algorithm) == [1.5, 60, 50, 0]


def test_a_row_without_weight_does_not_count_as_one_that_stays():
    X = column(0, 1, 2, 50, 51)
    start = column(0.9, FAR, 70)
    assert first_update(X, start, weights=[1, 1, 1, 1, 0]) == [0.5, 2, 50]
    # A slot that holds only rows without weight is empty too, and takes none of them.
    assert first_update(X, column(1, 50), weights=[1, 1, 4, 0, 0]) == [0.5, 2]


@pytest.mark.parametrize("supervision", ["clamp", "freeze"])
def test_a_labelled_class_can_give_its_only_unlabelled_row(supervision):
    model = SSKMeans(2, init=column(FAR), supervision=supervision).fit(column(0, 10), [0, -1])
    assert model.labels_.tolist() == [0, 1]
    assert model.cluster_centers_.ravel().tolist() == [0, 10]


@every_algorithm
def test_a_known_class_that_runs_empty_under_seed_stays_where_it_was(algorithm):
    X = column(0, 1, 10, 11)
    start = column(FAR, 0, 10)
    model = SSKMeans(3, init=start, supervision="seed", algorithm=algorithm)
    with pytest.warns(FewerClustersWarning, match=r"no row carries the label\(s\) 0"):
        model.fit(X, [0, -1, -1, -1])
    assert model.cluster_centers_.ravel().tolist() == [FAR, 0.5, 10.5]
    assert model.labels_.tolist() == [1, 1, 2, 2]


@pytest.mark.parametrize("supervision", ["clamp", "freeze"])
def test_a_labelled_class_is_never_empty(supervision):
    X = column(0, 1, 10, 11)
    model = SSKMeans(3, init=column(FAR, 0, 10), supervision=supervision).fit(X, [0, -1, -1, -1])
    assert model.labels_.tolist() == [0, 1, 2, 2]


@every_algorithm
def test_with_nothing_to_gain_the_empty_slot_stays_and_is_told(algorithm):
    X = column(0, 0, 0, 4, 4)
    with pytest.warns(FewerClustersWarning, match=r"\(2\) found smaller than n_clusters \(3\)"):
        model = SSKMeans(3, init=column(0, 4, FAR), algorithm=algorithm).fit(X)
    assert model.cluster_centers_.ravel().tolist() == [0, 4, FAR]
    assert model.inertia_ == 0


@pytest.mark.parametrize(("dtype", "size"), [(np.float32, 1e6), (np.float64, 1e15)])
def test_a_column_that_is_large_and_constant_changes_nothing(dtype, size):
    X = np.column_stack([np.full(6, size), [0, 0.125, 0.25, 0.5, 0.625, 0.75]]).astype(dtype)
    start = X[[0, 3, 5]] + np.array([[0, 0], [0, 0], [0, FAR]], dtype=dtype)
    model = SSKMeans(3, init=start, tol=0).fit(X)
    narrow = SSKMeans(3, init=start[:, 1:], tol=0).fit(X[:, 1:])
    assert model.labels_.tolist() == narrow.labels_.tolist()
    assert len(set(model.labels_.tolist())) == 3


@every_algorithm
@pytest.mark.parametrize("seed", range(5))
def test_no_class_stays_empty_while_rows_differ(seed, algorithm):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 12, size=(50, 2)).astype(float)
    start = np.full((12, 2), FAR) + np.arange(24).reshape(12, 2)
    model = SSKMeans(12, init=start, algorithm=algorithm, tol=0).fit(X)
    assert len(set(model.labels_.tolist())) == 12
