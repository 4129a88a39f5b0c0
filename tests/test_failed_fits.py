"""A fit that fails does so before any work and leaves no trace; a warning says what was done.

The messages themselves are in test_errors.
"""

import pickle
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from sskmeans import SSKMeans, errors, kernels, ss_kmeans_plusplus

X = np.random.default_rng(0).normal(size=(60, 3)) + np.repeat(
    [[0, 0, 0], [9, 0, 0], [0, 9, 0]], 20, 0
)
BAD = X.copy()
BAD[5, 1] = np.nan
OTHER = X[:50, :2]  # other rows and columns than the first fit had
REFUSED = {  # what fit is given, and parameters
    "NaN in X": ((BAD,), {}),
    "a vector": ((X[:, 0],), {}),
    "strings in X": ((np.full((60, 3), "ox"),), {}),
    "too few rows": ((X[:2],), {}),
    "y too short": ((OTHER, [1] * 49), {}),
    "y continuous": ((OTHER, [0.5] * 50), {}),
    "more classes than clusters": ((OTHER, range(50)), {}),
    "nothing to draw": ((OTHER, [1] * 50), {}),
    "negative weight": ((OTHER, None, [-1] * 50), {}),
    "weightless class": ((OTHER, [1] + [-1] * 49, [0] + [1] * 49), {}),
    "n_clusters": ((OTHER,), {"n_clusters": 0}),
    "init": ((OTHER,), {"init": "foo"}),
    "init of other columns": ((OTHER,), {"init": X[:3]}),
    "supervision": ((OTHER,), {"supervision": "soft"}),
    "metric": ((OTHER,), {"metric": "l1"}),
    "tol": ((OTHER,), {"tol": -1}),
    "random_state": ((OTHER,), {"random_state": "x"}),
    "missing_label": ((OTHER,), {"missing_label": [-1]}),
}


def fitted():
    return SSKMeans(n_clusters=3, random_state=0).fit(X, ["a"] * 5 + [None] * 55)


@pytest.mark.parametrize("case", REFUSED)
def test_what_can_be_refused_is_refused_before_any_distance_is_computed(monkeypatch, case):
    given, parameters = REFUSED[case]
    model = fitted().set_params(**parameters)
    for name in ("nearest", "distances", "own"):
        monkeypatch.setattr(kernels, name, lambda *_: pytest.fail("work began"))
    with pytest.raises((ValueError, TypeError)):
        model.fit(*given)


@pytest.mark.parametrize("method", ["fit", "fit_predict", "fit_transform"])
@pytest.mark.parametrize("case", REFUSED)
def test_a_refused_fit_leaves_the_former_one_usable(case, method):
    given, parameters = REFUSED[case]
    model = fitted()
    answers = model.predict(X), model.transform(X), model.score(X)
    model.set_params(**parameters)
    before = dict(vars(model))
    with pytest.raises((ValueError, TypeError)):
        getattr(model, method)(*given)
    assert vars(model).keys() == before.keys()
    assert all(vars(model)[name] is value for name, value in before.items())
    for now, then in zip(
        (model.predict(X), model.transform(X), model.score(X)), answers, strict=True
    ):
        np.testing.assert_array_equal(now, then)


@pytest.mark.parametrize("case", REFUSED)
def test_a_refused_first_fit_leaves_an_unfitted_estimator(case):
    given, parameters = REFUSED[case]
    model = SSKMeans(n_clusters=3).set_params(**parameters)
    with pytest.raises((ValueError, TypeError)):
        model.fit(*given)
    assert vars(model).keys() == model.get_params().keys()
    with pytest.raises(NotFittedError):
        model.predict(X)


@pytest.mark.parametrize("make", [np.asarray, list, pd.Series, pd.Index, pl.Series])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64])
def test_one_column_is_told_to_be_one_column_whatever_holds_it(make, dtype):
    column = make(np.arange(60).astype(dtype))
    for refused in (lambda: SSKMeans(3).fit(column), lambda: fitted().predict(column)):
        with pytest.raises(ValueError, match=r"Expected (2D array|a 2-dimensional container)"):
            refused()


@pytest.mark.parametrize("stopped_by", [KeyboardInterrupt, MemoryError, RuntimeError, SystemExit])
@pytest.mark.parametrize("at", [1, 2])
def test_an_interrupted_fit_leaves_the_former_one_usable(stopped_by, at):
    calls = []

    def init(X, k, rng):
        calls.append(X)
        if len(calls) == at:
            raise stopped_by
        return X[:k]

    model = fitted()
    before = pickle.dumps(model)
    init_before = model.init
    model.set_params(init=init, n_init=3)
    with pytest.raises(stopped_by):
        model.fit(OTHER)
    assert pickle.dumps(model.set_params(init=init_before, n_init="auto")) == before
    assert model.fit(OTHER).n_features_in_ == 2


@pytest.mark.parametrize("case", [case for case in REFUSED if case != "random_state"])
def test_a_refused_fit_draws_nothing(case):
    given, parameters = REFUSED[case]
    stream, same = np.random.RandomState(7), np.random.RandomState(7)
    with pytest.raises((ValueError, TypeError)):
        SSKMeans(n_clusters=3, random_state=stream).set_params(**parameters).fit(*given)
    assert stream.random_sample() == same.random_sample()


@pytest.mark.parametrize("method", ["predict", "transform", "score"])
@pytest.mark.parametrize("rows", [BAD, OTHER, X[:, 0], X[:0], np.full((2, 3), "ox"), None])
def test_refused_rows_leave_the_fit_usable(method, rows):
    model = fitted()
    before = pickle.dumps(model)
    with pytest.raises((ValueError, TypeError)):
        getattr(model, method)(rows)
    assert pickle.dumps(model) == before


# ---------------------------------------------------------------- warnings

TWINS = np.repeat([[0.0, 1.0], [4.0, 5.0]], 10, axis=0)


def many_columns():
    """Four clouds nearer than the noise of 384 columns; two of them half labelled."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 4, 2000)
    rows = 0.5 * rng.normal(size=(4, 384))[truth] + rng.normal(size=(2000, 384))
    return rows, np.where((rng.random(2000) < 0.5) & (truth < 2), truth, -1)


FAR = [[0.0, 0, 0], [9.0, 0, 0], [1e6, 1e6, 1e6]]  # in the order of classes_: new, new, ox
WARNED = {  # what warns, its class, what it says was done
    "fewer distinct rows than clusters": (
        lambda: SSKMeans(n_clusters=4, random_state=0).fit(TWINS),
        errors.FewerClustersWarning,
        ["distinct clusters (2)", "n_clusters (4)", "centres were kept", "label(s)"],
    ),
    "fewer distinct rows, some labelled": (
        lambda: SSKMeans(n_clusters=3, random_state=0).fit(TWINS, ["ox"] + [None] * 19),
        errors.FewerClustersWarning,
        ["distinct clusters (2)", "n_clusters (3)", "duplicate", "'new-"],
    ),
    "a labelled class that started too far away": (
        lambda: SSKMeans(3, supervision="seed", init=FAR).fit(X, ["ox"] * 3 + [None] * 57),
        errors.FewerClustersWarning,
        ["n_clusters (3). All rows", "class(es) 'ox':", "'clamp'", "init far", "label(s) 'ox'."],
    ),
    "a labelled class that left, and too few distinct rows": (
        lambda: SSKMeans(
            4, supervision="seed", init=[*TWINS[[0, 10, 10]], [1e6, 1e6]], random_state=0
        ).fit(TWINS, ["ox"] + [None] * 19),
        errors.FewerClustersWarning,
        ["distinct clusters (2)", "duplicate", "class(es) 'ox':", "label(s) 'new-", ", 'ox'."],
    ),
    "seeds that repeat": (
        lambda: ss_kmeans_plusplus(TWINS, None, 4, random_state=0),
        errors.FewerClustersWarning,
        ["Only 2 of n_clusters=4", "repeat rows", "uniformly"],
    ),
    "means that win every row": (
        lambda: SSKMeans(n_clusters=4, random_state=0).fit(*many_columns()),
        errors.LonelyClustersWarning,
        ["None of the 2 classes without labels", "unlabelled rows", "metric='cosine'"],
    ),
    "restarts of a fixed start": (
        lambda: SSKMeans(n_clusters=3, init=X[:3], n_init=5).fit(X),
        errors.IgnoredSettingWarning,
        ["only one init", "n_init=5"],
    ),
    "elkan with one cluster": (
        lambda: SSKMeans(n_clusters=1, algorithm="elkan").fit(X),
        errors.IgnoredSettingWarning,
        ["single cluster", "'lloyd'"],
    ),
}


@pytest.mark.parametrize("case", WARNED)
def test_a_warning_says_what_was_done_and_points_at_the_call(case):
    call, kind, says = WARNED[case]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    [warning] = caught
    assert warning.category is kind
    assert issubclass(kind, errors.SSKMeansWarning)
    assert not [words for words in says if words not in str(warning.message)], warning.message
    assert warning.filename == __file__


def test_the_missing_native_kernels_are_told_once(monkeypatch):
    fell_back = kernels.backend()._replace(fell_back=True, reason="no compiler")
    monkeypatch.setattr(kernels, "_backend", fell_back)
    monkeypatch.setattr(kernels, "_warned", False)
    with pytest.warns(errors.SlowBackendWarning, match="no compiler.*reinstall") as caught:
        fitted()
    assert caught[0].filename == __file__
    fitted()  # a second warning would be an error


def test_warnings_can_be_told_apart_by_their_class():
    assert issubclass(errors.FewerClustersWarning, ConvergenceWarning)
    assert issubclass(errors.IgnoredSettingWarning, RuntimeWarning)
    assert issubclass(errors.SlowBackendWarning, UserWarning)


def test_a_fit_that_only_warned_is_whole():
    with pytest.warns(errors.FewerClustersWarning):
        model = SSKMeans(n_clusters=4, random_state=0).fit(TWINS)
    assert len(model.cluster_centers_) == len(model.classes_) == 4
    assert np.isfinite(model.cluster_centers_).all()
    assert model.inertia_ == 0
    assert len(set(model.labels_)) == 2


def test_a_warning_made_an_error_leaves_the_former_fit():
    model = fitted()
    before = dict(vars(model))
    with pytest.raises(errors.FewerClustersWarning):  # as the test settings have it
        model.fit(np.repeat(X[:2], 9, axis=0))
    assert all(vars(model)[name] is value for name, value in before.items())
