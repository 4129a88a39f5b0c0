"""scikit-learn's own tests of KMeans, run with SSKMeans in its place.

The file `sklearn/cluster/tests/test_k_means.py` comes with scikit-learn. It is executed here twice
with the names it imports replaced by ours: once with `y` dropped, once with `y` all -1. What is
left out, and why, is told in `kmeans_exceptions`.

Each test runs as scikit-learn runs it (seed 42, or the seed it hard-codes; 42 where it leaves the
seed to chance, so that a run can be repeated). Tests whose outcome hangs on one draw run over 20
seeds instead and must pass on most of them; that all others pass on all 20 is a slow test.
"""

import functools
import importlib.util
from contextvars import ContextVar
from unittest import mock

import numpy as np
import pytest
import sklearn
from sklearn.cluster import MiniBatchKMeans

import kmeans_exceptions as tables
from sskmeans import SSKMeans, ss_kmeans_plusplus
from sskmeans.prepare import prepare
from sskmeans.seeding import SEEDERS, seed

pytest.importorskip("sklearn.cluster.tests", reason="scikit-learn came without its tests")

reseed = ContextVar("reseed", default=0)  # added to the seeds that a test hard-codes


def reseeded(random_state):
    if random_state is None:
        return 42 + reseed.get()
    whole = isinstance(random_state, (int, np.integer))
    return random_state + reseed.get() if whole else random_state


def without_labels(X):
    return None


def all_missing(X):
    return np.full(X.shape[0] if hasattr(X, "shape") else len(X), -1)


def stand_ins(labels):
    """Ours under scikit-learn's names, given the labels that `labels(X)` makes."""

    class KMeans(SSKMeans):
        def fit(self, X, y=None, sample_weight=None):
            given, self.random_state = self.random_state, reseeded(self.random_state)
            try:
                return super().fit(X, labels(X), sample_weight)
            finally:
                self.random_state = given

        def _init_centroids(self, *, X, init, sample_weight, n_centroids, random_state, **unused):
            ready = prepare(X, labels(X), sample_weight, n_centroids)
            known = ready.labels.is_known
            return seed(SEEDERS[init], ready.drawable(), ready.centres, known, random_state).centres

    def k_means(X, n_clusters, *, sample_weight, random_state):
        model = KMeans(n_clusters, random_state=random_state)
        model.fit(X, sample_weight=sample_weight)
        return model.cluster_centers_, model.labels_, model.inertia_

    def kmeans_plusplus(X, n_clusters, *, random_state):
        return ss_kmeans_plusplus(X, labels(X), n_clusters, random_state=random_state)

    return {"KMeans": KMeans, "k_means": k_means, "kmeans_plusplus": kmeans_plusplus}


def scikit_learn_tests(labels):
    """The test functions of scikit-learn's file, by name, about our stand-ins."""
    spec = importlib.util.find_spec("sklearn.cluster.tests.test_k_means")
    module = importlib.util.module_from_spec(spec)
    with mock.patch.multiple("sklearn.cluster", **stand_ins(labels)):
        spec.loader.exec_module(module)
    assert issubclass(module.KMeans, SSKMeans)
    return {name: test for name, test in vars(module).items() if name.startswith("test_")}


def is_mini_batch(value):
    return any(part is MiniBatchKMeans for part in (value if type(value) is tuple else [value]))


def drop_mini_batch(test):
    """The same test without the cases about MiniBatchKMeans."""
    marks = getattr(test, "pytestmark", [])
    for i, mark in enumerate(marks):
        if mark.name == "parametrize":
            names, values = mark.args
            rest = [value for value in values if not is_mini_batch(value)]
            if len(rest) < len(values):
                assert not mark.kwargs  # no ids that would have to be shortened as well
                marks[i] = pytest.mark.parametrize(names, rest).mark
    return test


def over_seeds(test, must_pass):
    """The same test over many seeds, of which so many must pass."""

    @functools.wraps(test)
    def enough_seeds_pass(**given):
        failed = []
        for number in range(tables.N_SEEDS):
            by_fixture = "global_random_seed" in given
            if by_fixture:
                given["global_random_seed"] = number
            token = reseed.set(0 if by_fixture else number)
            try:
                test(**given)
            except AssertionError:
                failed.append(number)
            finally:
                reseed.reset(token)
        assert tables.N_SEEDS - len(failed) >= must_pass, f"failed with seeds {failed}"

    return enough_seeds_pass


def collected(labels, *, every_seed=False):
    """A class of tests for pytest to collect."""
    chosen = {}
    for name, test in scikit_learn_tests(labels).items():
        if name in tables.MINI_BATCH or name in tables.INTERNALS:
            continue
        test = drop_mini_batch(test)
        if name in tables.HANG_ON_THE_DRAW:
            test = over_seeds(test, tables.MUST_PASS)
        elif every_seed:
            test = over_seeds(test, tables.N_SEEDS)
        chosen[name] = staticmethod(test)
    return type("Tests", (), chosen)


TestWithoutLabels = collected(without_labels)
TestAllMissing = collected(all_missing)
TestWithoutLabelsOverSeeds = pytest.mark.slow(collected(without_labels, every_seed=True))
TestAllMissingOverSeeds = pytest.mark.slow(collected(all_missing, every_seed=True))


@pytest.fixture
def global_random_seed():
    return 42


@pytest.fixture(params=[np.float32, np.float64])
def global_dtype(request):
    return request.param


@pytest.fixture(scope="module")
def cases(request):
    """Class and function of every case that pytest collects from this file."""
    module = request.node.getparent(pytest.Module)
    items = request.session.genitems(module)
    return [(item.cls, item.originalname) for item in items if item.cls is not None]


only_this_version = pytest.mark.skipif(
    sklearn.__version__ != tables.ABOUT,
    reason=f"the tables describe the tests of scikit-learn {tables.ABOUT}",
)


@only_this_version
def test_every_function_of_the_file_is_run_or_named():
    names = set(scikit_learn_tests(without_labels))
    left_out = tables.MINI_BATCH | set(tables.INTERNALS)
    assert left_out | tables.MESSAGES | set(tables.ADAPTED) | set(tables.HANG_ON_THE_DRAW) <= names
    for tests in (TestWithoutLabels, TestAllMissing):
        assert {name for name in vars(tests) if name.startswith("test_")} == names - left_out


@only_this_version
@pytest.mark.parametrize("tests", [TestWithoutLabels, TestAllMissing], ids=["without", "missing"])
def test_nothing_drops_out_of_the_count(tests, cases):
    names = [name for cls, name in cases if cls is tests]
    texts = [name for name in names if name in tables.MESSAGES]
    adapted = [name for name in names if name in tables.ADAPTED]
    rest = [name for name in names if name not in tables.MESSAGES and name not in tables.ADAPTED]
    assert (len(set(rest)), len(rest)) == tables.PUBLIC_COUNT
    assert (len(set(texts)), len(texts)) == tables.MESSAGES_COUNT
    assert (len(set(adapted)), len(adapted)) == tables.ADAPTED_COUNT
