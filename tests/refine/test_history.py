"""`history_`: what each iteration cost, how many rows it moved, how many distances it took.

One entry an iteration in each array. The cost never rises but for rounding, and the filtered run,
which keeps it by what updates and moves change, agrees with the run that adds it up anew.
"""

import numpy as np
import pytest
from scipy import sparse

from sskmeans import SSKMeans

N, K = 400, 8
PLACES = [(np.float32, 0.0), (np.float32, 1e5), (np.float64, 0.0), (np.float64, 1e8)]


def partly_labelled(seed, dtype=np.float64, offset=0.0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(K, size=N)
    X = 3 * rng.normal(size=(K, 4))[truth] + rng.normal(size=(N, 4)) + offset
    y = np.where((rng.random(N) < 0.2) & (truth < 3), truth, -1)
    return X.astype(dtype), y, X[rng.choice(N, size=K)].astype(dtype), rng.random(N) + 0.1


def slack(X, weights, cost, filtered):
    """How far rounding can take a cost of these rows.

    A sum of n distances over d columns errs by n + d roundings of itself, and a mean that is
    rounded to a number of the size of X lies off by that much in each column. The filtered cost
    also carries, each time a centre steps, the product of the step with the rounding of the mean.
    """
    (n, d), size = X.shape, float(np.abs(X).max())
    eps = float(np.finfo(X.dtype).eps)
    once = 2 * (n + d) * eps * cost[0] + weights.sum() * d * (eps * size) ** 2
    if not filtered:
        return once
    span = float(np.linalg.norm(np.ptp(X.astype(np.float64), axis=0)))
    stepping = 4 * weights.sum() * np.finfo(np.float64).eps * size * np.sqrt(d) * span
    return len(cost) * (once + stepping)


@pytest.mark.parametrize("algorithm", ["lloyd", "auto"])
@pytest.mark.parametrize("supervision", ["clamp", "seed", "freeze"])
@pytest.mark.parametrize(("dtype", "offset"), PLACES)
@pytest.mark.parametrize("seed", range(3))
def test_the_cost_never_rises(seed, offset, dtype, supervision, algorithm):
    X, y, start, weights = partly_labelled(seed, dtype, offset)
    if seed == 0:
        start[-1] += 1000  # runs empty and is given a row: that lowers the cost too
    how = {"supervision": supervision, "algorithm": algorithm, "init": start, "tol": 0}
    cost = SSKMeans(K, **how).fit(X, y, sample_weight=weights).history_["cost"]
    assert (np.diff(cost) <= slack(X, weights, cost, algorithm == "auto")).all()


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize(("dtype", "offset"), PLACES)
@pytest.mark.parametrize("seed", range(3))
def test_the_filtered_run_keeps_the_same_history(seed, offset, dtype, form):
    X, y, start, weights = partly_labelled(seed, dtype, offset)
    plain, filtered = (
        SSKMeans(K, init=start, tol=0, algorithm=name).fit(form(X), y, sample_weight=weights)
        for name in ("lloyd", "hamerly")
    )
    cost = plain.history_["cost"]
    assert filtered.history_["moved"].tolist() == plain.history_["moved"].tolist()
    assert np.abs(filtered.history_["cost"] - cost).max() <= slack(X, weights, cost, True)


@pytest.mark.parametrize("labelled", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_one_entry_an_iteration_in_each_array(seed, labelled):
    X, y, start, _ = partly_labelled(seed)
    model = SSKMeans(K, init=start, tol=0).fit(X, y if labelled else None)
    history, n_free = model.history_, int((y == -1).sum()) if labelled else N
    assert {name: column.dtype for name, column in history.items()} == {
        "cost": np.float64,
        "moved": np.int64,
        "distances": np.int64,
    }
    assert {len(column) for column in history.values()} == {model.n_iter_}
    assert history["moved"][0] == n_free  # each unlabelled row got its first slot
    assert history["moved"][-1] == 0
    assert (history["moved"][1:-1] > 0).all()
    # At rest the last cost is that of the answer; N + 4 roundings of a sum, at most, apart.
    assert history["cost"][-1] == pytest.approx(model.inertia_, rel=len(history) * N * 2.0**-50)


@pytest.mark.parametrize("seed", range(3))
def test_lloyd_takes_every_distance_and_the_filter_few(seed):
    rng = np.random.default_rng(seed)
    X = 10 * rng.normal(size=(20, 4))[rng.integers(20, size=3000)] + rng.normal(size=(3000, 4))
    y = np.where(rng.random(3000) < 0.1, 0, -1)
    start = X[rng.choice(3000, size=20, replace=False)]
    n_free = int((y == -1).sum())
    taken = {
        name: SSKMeans(20, init=start, tol=0, algorithm=name).fit(X, y).history_["distances"]
        for name in ("lloyd", "hamerly")
    }
    assert (taken["lloyd"] == n_free * 20).all()
    assert taken["hamerly"][0] == n_free * 20
    assert (taken["hamerly"] <= n_free * 20 + n_free + 20**2).all()
    assert taken["hamerly"].sum() < 0.5 * taken["lloyd"].sum()


@pytest.mark.parametrize("supervision", ["clamp", "seed", "freeze"])
@pytest.mark.parametrize("seed", range(3))
def test_the_last_cost_of_a_run_at_rest_is_its_inertia(seed, supervision):
    X, y, start, weights = partly_labelled(seed)
    model = SSKMeans(K, init=start, supervision=supervision, tol=0).fit(X, y, weights)
    assert model.history_["moved"][-1] == 0
    cost = model.history_["cost"]
    assert abs(cost[-1] - model.inertia_) <= slack(X, weights, cost, True)


@pytest.mark.parametrize("supervision", ["clamp", "freeze"])
@pytest.mark.parametrize("seed", range(3))
def test_what_labelled_rows_cost_is_exact_in_float32_too(seed, supervision):
    """Mean and scatter are kept in float64, wherever the centre of the rows is rounded to."""
    X, _, start, weights = partly_labelled(seed, np.float32, 1e5)
    y = np.arange(N) % K
    model = SSKMeans(K, init=start, supervision=supervision, max_iter=1).fit(X, y, weights)
    steps = X.astype(np.float64) - start[y].astype(np.float64)
    cost = weights @ (steps**2).sum(axis=1)
    # At 1e5 a mean in float64 is off by 1e-11, in some hundred sums and differences.
    assert model.history_["cost"][0] == pytest.approx(cost, rel=1e-9)


def test_labelled_rows_take_no_distance():
    X, y, _, _ = partly_labelled(0)
    y = np.where(y == -1, 3, y)
    model = SSKMeans(4, tol=0).fit(X, y)
    assert model.history_["distances"].tolist() == [0]
    assert model.history_["moved"].tolist() == [0]


@pytest.mark.parametrize("init", ["k-means++", "random", "greedy-k-means++"])
def test_of_several_runs_the_cheapest_is_kept_whole(init):
    X, y, _, _ = partly_labelled(1)
    rng = np.random.RandomState(0)
    runs = [SSKMeans(K, init=init, n_init=1, random_state=rng).fit(X, y) for _ in range(5)]
    best = min(runs, key=lambda run: run.inertia_)
    kept = SSKMeans(K, init=init, n_init=5, random_state=np.random.RandomState(0)).fit(X, y)
    assert len({run.inertia_ for run in runs}) > 1
    assert kept.inertia_ == best.inertia_
    assert kept.n_iter_ == best.n_iter_
    assert kept.labels_.tolist() == best.labels_.tolist()
    assert kept.cluster_centers_.tobytes() == best.cluster_centers_.tobytes()
    assert all((kept.history_[name] == best.history_[name]).all() for name in best.history_)
