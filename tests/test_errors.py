"""Every message a user can meet is met here: its class, its numbers and names, its next step.

Errors come before any work, and leave a fitted estimator as it was.
"""

import datetime
import importlib
import inspect
import pkgutil

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

from refused_labels import REFUSED_LABELS
from refused_rows import INF, LONG, NAN, NONE, ONES, REFUSED_ROWS, X, fit, put
from sskmeans import errors, messages, ss_kmeans_plusplus
from sskmeans.errors import DataError, LabelsError, ParameterError, WeightsError

# class: {message: [(what raises it, what it must say), ...]}
ERRORS = {
    DataError: REFUSED_ROWS,
    LabelsError: REFUSED_LABELS,
    WeightsError: {
        "weights_shape": [
            (lambda: fit(weights=np.ones(59)), "(59,)", "(60,)", "one weight"),
            (lambda: fit(weights=np.ones((60, 1))), "(60, 1)"),
            (lambda: fit().score(X, sample_weight=[1, 2]), "(2,)", "(60,)"),
        ],
        "weights_not_numbers": [
            (lambda: fit(weights=["a"] * 60), "numbers"),
            *(
                (lambda w=w: fit(weights=w), "must hold numbers")
                for w in (
                    *(
                        np.full(60, 1, dtype=kind)
                        for kind in (complex, "U1", "S1", "M8[D]", "m8[s]")
                    ),
                    *([1, *[v] * 59] for v in ("1", b"1", np.timedelta64(1, "s"), 1j, X)),
                    "1",
                    ["1"] * 60,
                    np.full(60, "1", dtype=np.dtypes.StringDType()),
                    pd.Series(pd.Timestamp(2020, 1, 1), index=range(60)),
                    pl.Series([datetime.date(2020, 1, 1)] * 60),
                )
            ),
        ],
        "weights_not_finite": [
            (lambda: fit(weights=put(ONES, i3=NAN)), "[3]", "nan", "Use 0"),
            (lambda: fit(weights=put(ONES, i3=INF)), "[3]", "inf"),
            (lambda: fit(weights=NONE), "[0]", "nan"),
            (lambda: fit(weights=LONG[:, 1] ** 2), "[5]", "inf"),
            (lambda: fit().score(X, sample_weight=list(LONG[:, 1] ** 2)), "[5]", "inf"),
        ],
        "weights_negative": [
            (lambda: fit(weights=put(ONES, i3=-2, i5=-1)), "[3]", "-2", "2 weight", "Use 0")
        ],
        "weights_all_zero": [(lambda: fit(weights=ONES * 0), "60 weights", "positive")],
        "weights_masked": [
            (lambda: fit(weights=np.ma.masked_less(np.arange(60), 2)), "2 masked", "filled")
        ],
        "weights_too_small": [
            (lambda: fit(weights=put(ONES, i3=1e-300)), "1e-300 to 1", "Use 0"),
            (lambda: fit(X * 1e-60, weights=put(ONES, i3=1e-180)), "1e-180"),
        ],
        "weights_scale": [
            (lambda: fit(weights=ONES * 1e-300), "1e-300", "divide"),
            (lambda: fit(weights=ONES * 1e200), "1e+200", "divide"),
            (lambda: fit(weights=[10**400] * 60), "inf", "divide"),
        ],
    },
    ParameterError: {
        "bad_choice": [
            (lambda: fit(init="foo"), "init='foo'", "'k-means++'"),
            (lambda: fit(supervision="soft"), "'soft'", "'clamp', 'seed', 'freeze'"),
            (lambda: fit(supervision=True), "True"),
            (lambda: fit(metric="l1"), "'l1'", "'euclidean', 'cosine'"),
            (lambda: fit(algorithm="full"), "'full'", "'lloyd'"),
            (lambda: fit(n_init="many"), "n_init='many'", "'auto'"),
        ],
        "bad_number": [
            *(
                (lambda v=v, name=name: fit(**{name: v}), f"{name}={v!r}", "integer", "1")
                for name in ("n_clusters", "n_init", "max_iter")
                for v in (0, -1, 2.5, True, None, [3])
            ),
            *(
                (lambda v=v: fit(tol=v), f"tol={v!r}", "finite", "0")
                for v in (-1, NAN, INF, "a", None, True, 1j)
            ),
            *(
                (lambda v=v: fit(missing_label=v), "missing_label=", "one value")
                for v in ([-1], np.array([-1, 2]), np.array(-1), {None})
            ),
            (lambda: ss_kmeans_plusplus(X, None, 0), "n_clusters=0"),
            (lambda: ss_kmeans_plusplus(X, None, 2.0), "n_clusters=2.0"),
        ],
        "bad_random_state": [
            *(
                (lambda v=v: fit(random_state=v), repr(v), "2**32", "Generator")
                for v in ("x", -1, 2**32, 1.5, True, [1, 2])
            ),
            (lambda: ss_kmeans_plusplus(X, None, 3, random_state=-1), "-1"),
        ],
        "init_rows": [
            (lambda: fit(init=X[:2]), "(2, 3)", "3 rows", "classes_"),
            (lambda: fit(y=put(NONE, i0=5), init=X[:1]), "(1, 3)", "or 2: one for each"),
            (lambda: fit(init=lambda X, k, rng: X[: k + 1]), "(4, 3)", "3 rows"),
        ],
        "init_columns": [(lambda: fit(init=X[:3, :2]), "(3, 2)", "features", "3")],
        "init_none": [
            (lambda: fit(init=None), "init is None", "a name"),
            (lambda: fit(init=lambda *_: None), "returned None"),
        ],
        "init_not_rows": [
            (lambda: fit(init=[1, 2, 3]), "array with one row"),
            (lambda: fit(init=[[10**400] * 3] * 3), "array with one row", "too large"),
            (lambda: fit(init=[["a"] * 3] * 3), "array with one row"),
            (lambda: fit(init=sparse.csr_array(X[:3])), "array with one row"),
            (lambda: fit(init=lambda X, k, rng: "no"), "array with one row"),
        ],
        "init_not_finite": [
            (lambda: fit(init=put(X[:3], r1c1=NAN)), "NaN"),
            (lambda: fit(init=np.ma.masked_less(X[:3], 0)), "masked"),
            (lambda: fit(init=LONG[4:7]), "inf"),
            (lambda: fit(init=LONG[4:7].astype(object)), "inf"),
        ],
        "init_too_large": [
            (lambda: fit(init=X[:3] * 1e160), "e+16", "2.58e+120", "scaled alike"),
            (lambda: fit(X.astype("f4"), init=X[:3] * 1e39), "e+39", "1.33e+18"),
            (lambda: fit(sparse.csr_array(X, dtype="f4"), init=X[:3] * 1e39), "e+39"),
        ],
        "init_zero": [(lambda: fit(init=put(X[:3], r1=0), metric="cosine"), "1", "zeros")],
    },
}
CASES = [
    (kind, name, raises, says)
    for kind, names in ERRORS.items()
    for name, cases in names.items()
    for raises, *says in cases
]


@pytest.mark.parametrize(("kind", "name", "raises", "says"), CASES)
def test_the_error_says_what_is_wrong_and_what_to_do(monkeypatch, kind, name, raises, says):
    built = []
    message = getattr(messages, name)
    monkeypatch.setattr(messages, name, lambda *given: built.append(message(*given)) or built[-1])
    with pytest.raises(kind) as caught:
        raises()
    assert caught.value is built[-1]
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, errors.SSKMeansError)
    assert not [words for words in says if words not in str(caught.value)], str(caught.value)
    assert caught.value.__cause__ is None


def test_parameters_of_the_wrong_kind_are_type_errors_too():
    with pytest.raises(TypeError):
        fit(n_clusters="3")


WARNINGS = {
    "slow_backend",
    "fewer_clusters",
    "fewer_distinct_rows",
    "lonely_clusters",
    "one_init",
    "marker_not_found",
    "elkan_one_cluster",
}


def test_every_message_is_met():
    met = {name for names in ERRORS.values() for name in names} | WARNINGS
    written = {}
    for subject in pkgutil.iter_modules(messages.__path__, "sskmeans.messages."):
        for name, function in inspect.getmembers(importlib.import_module(subject.name)):
            public = name != "listed" and not name.startswith("_")
            if getattr(function, "__module__", None) == subject.name and public:
                written[name] = function
    assert written.keys() == met == set(messages.__all__)
    assert all(getattr(messages, name) is function for name, function in written.items())
