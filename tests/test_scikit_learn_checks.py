"""scikit-learn's own estimator checks, in three views of `y`.

The checks fit most estimators with a complete `y` of two or three classes, and some of them set
`n_clusters` to 1 or 2 first. Complete labels with more clusters than classes, or fewer, are errors
here by design, so the untouched view is not asked. Instead each view says what becomes of `y`:

    WithoutLabels  it is dropped
    HalfLabelled   every second label is hidden
    Labelled       it is folded to exactly `n_clusters` classes and kept whole

under each kind of supervision.

The checks that compare weights with repetition cannot pass while rows are drawn at random: with the
same seed, other rows come out. scikit-learn lists both for its KMeans too. Where every class is
labelled nothing is drawn, and they must pass. `xfail_strict` (see pyproject.toml) makes sure that
what is expected to fail does fail.
"""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import estimator_checks_generator, parametrize_with_checks

from sskmeans import SSKMeans

EQUIVALENCE = (
    "check_sample_weight_equivalence_on_dense_data",
    "check_sample_weight_equivalence_on_sparse_data",
)


def folded(y, n_clusters):
    """Codes of exactly `n_clusters` classes, as long as y holds that many."""
    return np.unique(np.asarray(y), return_inverse=True)[1] % n_clusters


class WithoutLabels(SSKMeans):
    def fit(self, X, y=None, sample_weight=None):
        return super().fit(X, None, sample_weight)


class HalfLabelled(SSKMeans):
    def fit(self, X, y=None, sample_weight=None):
        if y is not None:
            y = folded(y, self.n_clusters)
            y[1::2] = self.missing_label
        return super().fit(X, y, sample_weight)


class Labelled(SSKMeans):
    def fit(self, X, y=None, sample_weight=None):
        if y is not None:
            y = folded(y, self.n_clusters)
        return super().fit(X, y, sample_weight)


VIEWS = [
    WithoutLabels(n_clusters=8),
    HalfLabelled(n_clusters=5),
    HalfLabelled(n_clusters=5, supervision="seed"),
    HalfLabelled(n_clusters=5, supervision="freeze"),
    Labelled(n_clusters=2),
    Labelled(n_clusters=2, supervision="seed"),
    Labelled(n_clusters=2, supervision="freeze"),
]


def may_fail(estimator):
    reason = "rows are drawn at random: weights equal repetition in law, not draw by draw"
    return {} if isinstance(estimator, Labelled) else dict.fromkeys(EQUIVALENCE, reason)


# Two checks hand eight clusters four distinct rows: the warning is right.
@pytest.mark.filterwarnings(
    "ignore:Number of distinct clusters:sklearn.exceptions.ConvergenceWarning"
)
@parametrize_with_checks(VIEWS, expected_failed_checks=may_fail)
def test_estimator_check(estimator, check):
    check(estimator)


def test_expected_failures_must_fail(pytestconfig):
    assert pytestconfig.getini("xfail_strict")


@pytest.mark.parametrize("view", VIEWS, ids=str)
def test_every_view_is_asked_whether_weights_equal_repetition(view):
    names = [check.func.__name__ for _, check in estimator_checks_generator(view)]
    assert set(EQUIVALENCE) <= set(names)


ARRAY_API = """
from sklearn.utils.estimator_checks import estimator_checks_generator
from test_scikit_learn_checks import VIEWS
for view in VIEWS:
    for estimator, check in estimator_checks_generator(view):
        if "array_api" in check.func.__name__:
            check(estimator)
            print(type(view).__name__, check.func.__name__)
"""


def test_array_api_dispatch_changes_nothing():
    """The check skips itself unless SCIPY_ARRAY_API is set before scipy is imported."""
    pytest.importorskip("sklearn", minversion="1.9")  # since when NumPy-only estimators are asked
    child = subprocess.run(
        [sys.executable, "-c", ARRAY_API],
        env={**os.environ, "SCIPY_ARRAY_API": "1"},
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert child.returncode == 0, child.stderr
    names = [line.split()[0] for line in child.stdout.splitlines()]
    assert names == [type(view).__name__ for view in VIEWS]


def test_tags_say_sparse_input_kept_dtypes_and_no_need_of_labels():
    tags = get_tags(SSKMeans())
    assert tags.estimator_type == "clusterer"
    assert tags.input_tags.sparse
    assert tags.transformer_tags.preserves_dtype == ["float64", "float32"]
    assert not tags.target_tags.required
    assert not tags.non_deterministic
