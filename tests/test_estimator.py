"""The rest of the public face: output containers, copies, pipelines, weights, verbosity, state."""

import copy
import inspect
import io
import pickle
from contextlib import redirect_stdout

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn import config_context
from sklearn.base import clone, is_clusterer
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import get_tags

from sskmeans import SSKMeans

RNG = np.random.default_rng(0)
X = RNG.normal(size=(90, 4)) + np.repeat([[0], [8], [16]], 30, axis=0)
Y = np.array(["ox"] * 4 + [None] * 26 + ["ant"] * 4 + [None] * 56, dtype=object)
PARAMETERS = {
    "n_clusters": 8,
    "init": "k-means++",
    "supervision": "clamp",
    "metric": "euclidean",
    "missing_label": -1,
    "n_init": "auto",
    "max_iter": 300,
    "tol": 1e-4,
    "verbose": 0,
    "random_state": None,
    "copy_x": True,
    "algorithm": "auto",
}
FITTED = {
    *("cluster_centers_", "classes_", "is_known_", "labels_", "codes_", "inertia_", "n_iter_"),
    *("history_", "n_features_in_"),
}


def fitted(**parameters):
    return SSKMeans(**{"n_clusters": 3, "random_state": 0} | parameters).fit(X, Y)


def same(one, two):
    return (
        one.labels_.tolist() == two.labels_.tolist()
        and one.cluster_centers_.tobytes() == two.cluster_centers_.tobytes()
        and one.classes_.tolist() == two.classes_.tolist()
        and one.inertia_ == two.inertia_
        and one.predict(X).tolist() == two.predict(X).tolist()
    )


# ---------------------------------------------------------------- parameters and attributes


def test_the_parameters_are_those_of_the_design():
    assert SSKMeans().get_params() == PARAMETERS
    first, *others = inspect.signature(SSKMeans).parameters.values()
    assert [first.name, *(other.name for other in others)] == list(PARAMETERS)
    assert {other.kind for other in others} == {inspect.Parameter.KEYWORD_ONLY}


def test_the_attributes_are_those_of_the_design():
    model = fitted()
    assert {name for name in vars(model) if name.endswith("_")} == FITTED
    assert model.cluster_centers_.shape == (3, 4)
    assert model.classes_.tolist() == ["ant", "new-0", "ox"]
    assert model.is_known_.tolist() == [True, False, True]
    assert model.is_known_.dtype == bool
    assert model.labels_.shape == model.codes_.shape == (90,)
    assert model.codes_.dtype == np.int32
    assert type(model.inertia_) is float
    assert type(model.n_iter_) is int
    assert type(model.n_features_in_) is int
    assert type(model.score(X)) is float


def test_the_history_has_one_entry_an_iteration():
    model = fitted(init="random", tol=0)
    assert set(model.history_) == {"cost", "moved", "distances"}
    assert {len(column) for column in model.history_.values()} == {model.n_iter_}
    assert [column.dtype.kind for column in model.history_.values()] == ["f", "i", "i"]
    assert model.history_["moved"][-1] == 0
    assert model.history_["cost"][-1] == pytest.approx(model.inertia_, rel=1e-12)


def test_parameters_are_stored_as_given_and_never_changed():
    init, state = X[:3], np.random.RandomState(0)
    given = {"init": init, "random_state": state, "missing_label": "?", "tol": np.float32(0.1)}
    model = SSKMeans(3, **given)
    model.fit(X)
    assert all(getattr(model, name) is value for name, value in given.items())


def test_numpy_numbers_are_numbers():
    given = {"n_clusters": np.int64(3), "max_iter": np.int32(5), "n_init": np.uint8(2)}
    state = {"tol": np.float32(0.5), "random_state": np.int64(0)}
    assert SSKMeans(**given, **state).fit(X).predict(X).shape == (90,)


def test_tags():
    tags = get_tags(SSKMeans())
    assert tags.input_tags.sparse
    assert not tags.target_tags.required
    assert set(tags.transformer_tags.preserves_dtype) == {"float32", "float64"}
    assert is_clusterer(SSKMeans())


# ---------------------------------------------------------------- copies


@pytest.mark.parametrize(
    "duplicate",
    [
        copy.deepcopy,
        copy.copy,
        *(lambda m, p=p: pickle.loads(pickle.dumps(m, protocol=p)) for p in range(2, 6)),
    ],
)
def test_a_copy_answers_alike(duplicate):
    model = fitted()
    other = duplicate(model)
    assert same(model, other)
    assert other.get_params() == model.get_params()
    assert same(other.fit(X, Y), model)


def test_joblib_dumps_and_loads(tmp_path):
    model = fitted()
    joblib.dump(model, tmp_path / "model.joblib")
    assert same(joblib.load(tmp_path / "model.joblib"), model)
    mapped = joblib.load(tmp_path / "model.joblib", mmap_mode="r")  # centres are read-only there
    assert same(mapped, model)
    assert same(mapped.fit(X, Y), model)


def test_a_clone_has_the_parameters_and_no_fit():
    model = fitted(init=X[:3], n_init=1, missing_label=float("nan"))
    other = clone(model)
    assert vars(other).keys() == other.get_params().keys()
    assert (other.init == model.init).all()
    assert same(other.fit(X, Y), model)


@pytest.mark.parametrize("first", [(X, Y), (X[:50, :2], None), (sparse.csr_array(X), None)])
def test_a_second_fit_forgets_the_first(first):
    model = SSKMeans(3, random_state=0).fit(*first)
    assert same(model.fit(X, Y), fitted())
    table = pd.DataFrame(X, columns=list("abcd"))
    assert "feature_names_in_" in vars(model.fit(table))
    assert "feature_names_in_" not in vars(model.fit(X))


# ---------------------------------------------------------------- output


def test_fit_predict_and_fit_transform_use_y():
    """The mixins and KMeans drop it silently."""
    model = SSKMeans(3, random_state=0)
    assert model.fit_predict(X, Y).tolist() == fitted().labels_.tolist()
    far = SSKMeans(3, random_state=0).fit_transform(X, Y)
    assert far.tobytes() == fitted().transform(X).tobytes()
    assert SSKMeans(3).fit(X, y=Y).is_known_.sum() == 2
    weights = np.arange(90.0)
    weighted = SSKMeans(3, random_state=0).fit(X, Y, weights)
    assert (
        SSKMeans(3, random_state=0).fit_predict(X, Y, weights).tolist() == weighted.labels_.tolist()
    )
    far = SSKMeans(3, random_state=0).fit_transform(X, Y, sample_weight=weights)
    assert far.tobytes() == weighted.transform(X).tobytes()


def test_transform_is_the_distance_to_each_centre_and_predict_the_nearest():
    model = fitted()
    far = np.linalg.norm(X[:, None] - model.cluster_centers_, axis=2)
    np.testing.assert_allclose(model.transform(X), far, rtol=1e-12)
    assert model.predict(X).tolist() == model.classes_[far.argmin(axis=1)].tolist()
    assert model.score(X) == pytest.approx(-(far.min(axis=1) ** 2).sum(), rel=1e-12)
    assert model.score(X, Y) == model.score(X)


def test_new_features_are_named_after_the_class():
    names = fitted().get_feature_names_out()
    assert names.tolist() == ["sskmeans0", "sskmeans1", "sskmeans2"]


def test_transform_gives_pandas_or_polars_when_asked():
    table = pd.DataFrame(X, columns=list("abcd"), index=range(100, 190))
    plain = fitted().transform(X)
    model = SSKMeans(3, random_state=0).set_output(transform="pandas")
    for far in (model.fit_transform(table, Y), model.transform(table)):
        assert far.columns.tolist() == ["sskmeans0", "sskmeans1", "sskmeans2"]
        assert far.index.tolist() == table.index.tolist()
        np.testing.assert_array_equal(far.to_numpy(), plain)
    far = SSKMeans(3, random_state=0).set_output(transform="polars").fit_transform(X, Y)
    assert isinstance(far, pl.DataFrame)
    np.testing.assert_array_equal(far.to_numpy(), plain)
    with config_context(transform_output="pandas"):
        assert isinstance(fitted().transform(X), pd.DataFrame)
        assert isinstance(fitted().predict(X), np.ndarray)


def test_verbose_prints_each_iteration_and_nothing_is_printed_without():
    def printed(**parameters):
        with redirect_stdout(io.StringIO()) as out:
            model = fitted(init="random", n_init=2, **parameters)
        return out.getvalue(), model

    assert printed()[0] == printed(verbose=False)[0] == ""
    for tol in (0, 1e-4):
        text, model = printed(verbose=1, tol=tol)
        assert text.count("Initialization complete") == 2
        assert text.count("Converged") == 2
        assert text.count("inertia") >= model.n_iter_
        assert same(model, printed(tol=tol)[1])


# ---------------------------------------------------------------- weights


@pytest.mark.parametrize(
    "make",
    [
        list,
        tuple,
        lambda w: w.astype(np.float32),
        lambda w: w.astype(np.int64),
        lambda w: w.astype(np.uint8),
        lambda w: pd.Series(w, index=range(500, 590)),
        lambda w: pd.Series(w, dtype="Float64"),
        lambda w: pl.Series(w),
        lambda w: np.ma.masked_array(w, mask=False),
        lambda w: np.repeat(w, 2)[::2],
        lambda w: w.astype(">f8"),
        lambda w: w.astype(object),
    ],
)
def test_weights_of_any_kind(make):
    weights = np.arange(90) % 5 + 1.0
    weights.flags.writeable = False
    expected = SSKMeans(3, random_state=0).fit(X, Y, weights)
    given = make(weights)
    assert same(SSKMeans(3, random_state=0).fit(X, Y, sample_weight=given), expected)
    assert expected.score(X, sample_weight=given) == expected.score(X, sample_weight=weights)


@pytest.mark.parametrize(
    "weights", [1, 2.5, np.ones(90), np.full(90, 2.5), np.ones(90, dtype=bool)]
)
def test_equal_weights_are_no_weights(weights):
    """One number stands for all rows, as in scikit-learn."""
    model = SSKMeans(3, random_state=0).fit(X, Y, weights)
    assert model.labels_.tolist() == fitted().labels_.tolist()
    np.testing.assert_allclose(model.cluster_centers_, fitted().cluster_centers_, rtol=1e-14)
    assert model.inertia_ == pytest.approx(np.mean(weights) * fitted().inertia_, rel=1e-12)


def test_a_row_of_weight_zero_gets_a_label_and_has_no_influence():
    weights = np.ones(90)
    weights[60:70] = 0
    changed = X.copy()
    changed[60:70] += 1000
    one = SSKMeans(3, random_state=0).fit(X, Y, weights)
    two = SSKMeans(3, random_state=0).fit(changed, Y, weights)
    assert one.cluster_centers_.tobytes() == two.cluster_centers_.tobytes()
    assert one.inertia_ == two.inertia_
    assert set(two.labels_[60:70]) <= set(two.classes_)


# ---------------------------------------------------------------- other people's tools


def test_a_pipeline_hands_over_labels_and_weights():
    pipe = make_pipeline(StandardScaler(), SSKMeans(3, random_state=0))
    pipe.fit(X, Y, sskmeans__sample_weight=np.ones(90))
    assert pipe[-1].classes_.tolist() == ["ant", "new-0", "ox"]
    assert pipe.predict(X).shape == (90,)
    assert pipe.transform(X).shape == (90, 3)
    assert make_pipeline(StandardScaler(), SSKMeans(3, random_state=0)).fit_predict(X, Y)[0] == "ox"
    with config_context(enable_metadata_routing=True):
        last = SSKMeans(3, random_state=0).set_fit_request(sample_weight=True)
        scaler = StandardScaler().set_fit_request(sample_weight=False)
        routed = make_pipeline(scaler, last).fit(X, Y, sample_weight=np.ones(90))
        assert routed[-1].inertia_ == pytest.approx(pipe[-1].inertia_, rel=1e-12)


def test_a_grid_search_finds_its_way():
    folds = KFold(2, shuffle=True, random_state=0)
    grid = GridSearchCV(SSKMeans(random_state=0), {"n_clusters": [2, 3]}, cv=folds)
    assert grid.fit(X).best_params_["n_clusters"] == 3
