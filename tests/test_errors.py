"""Every message a user can meet is met here: its class, its numbers and names, its next step.

Errors come before any work, and leave a fitted estimator as it was.
"""

import enum
import inspect
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

from sskmeans import SSKMeans, errors, messages, ss_kmeans_plusplus
from sskmeans.errors import DataError, LabelsError, ParameterError, WeightsError

X = np.random.default_rng(0).normal(size=(60, 3)) + np.repeat(
    [[0, 0, 0], [9, 0, 0], [0, 9, 0]], 20, 0
)
NONE = [None] * 60


def fit(X=X, y=None, weights=None, **parameters):
    parameters = {"n_clusters": 3, "random_state": 0, **parameters}
    return SSKMeans(**parameters).fit(X, y, sample_weight=weights)


def put(values, **places):
    """A copy of `values` with some entries replaced: r5c1=nan, or i5=nan."""
    values = np.array(values, dtype=object if isinstance(values, list) else None)
    for place, value in places.items():
        values[tuple(int(i) for i in re.findall(r"\d+", place))] = value
    return values


def broken(form="csr", **entry):
    """X in a sparse form, one of whose arrays was written into after scipy had checked it."""
    S = sparse.csr_array(X).asformat(form)
    assert S.sum() == pytest.approx(X.sum())  # scipy has looked at it, and keeps what it saw
    [(name, value)] = entry.items()
    getattr(S, name)[2 if name == "indptr" else 5] = value
    return S


NAN, INF = np.nan, np.inf
HUGE = np.longdouble("1e400")  # more than float64 can hold, or infinite where it is float64
ONES = np.ones(60)
IDS = np.arange(60)[:, None] + 2**53 + np.zeros((1, 2), dtype=np.int64)
Colour = enum.Enum("Colour", "RED BLUE")
# class: {message: [(what raises it, what it must say), ...]}
ERRORS = {
    DataError: {
        "masked": [
            (lambda: fit(np.ma.masked_greater(X, 9)), str((X > 9).sum()), "masked", "Fill"),
            (lambda: fit().predict(np.ma.masked_greater(X, 9)), "masked values"),
        ],
        "not_finite": [
            (lambda: fit(put(X, r5c1=NAN)), "NaN", "row 5, column 1", "180", "drop"),
            (lambda: fit(put(X, r59c2=-INF)), "inf", "row 59, column 2", "1 of its 180"),
            (lambda: fit(put(X, r5c1=INF).astype("f4")), "row 5, column 1"),
            (lambda: fit(put(X, r5c1=NAN), metric="cosine"), "NaN", "row 5, column 1"),
            (lambda: fit(pd.DataFrame(put(X, r5c1=NAN)).astype("Float64")), "row 5, column 1"),
            (lambda: fit(sparse.csr_array(put(X, r5c1=NAN))), "NaN", "row 5, column 1"),
            (lambda: fit(sparse.csc_array(put(X, r5c1=INF))), "inf", "row 5, column 1"),
            (lambda: fit().predict(put(X, r5c1=NAN)), "row 5, column 1"),
            (lambda: fit().transform(sparse.csr_array(put(X, r5c1=NAN))), "row 5, column 1"),
            (lambda: fit().score(put(X, r5c1=INF)), "inf", "row 5, column 1"),
            (lambda: fit(put(X.astype(np.longdouble), r5c1=HUGE)), "inf", "row 5, column 1"),
            (lambda: fit().predict(put(X.astype(np.longdouble), r5c1=HUGE)), "row 5, column 1"),
        ],
        "outside": [
            (lambda: fit(broken(indices=9)), "row 1, column 9", "(60, 3)", "Build X"),
            (lambda: fit(broken(indices=-1)), "row 1, column -1"),
            (lambda: fit(broken("csc", indices=200_000_000)), "row 200000000, column 0"),
            (lambda: fit(broken("coo", row=60)), "row 60, column"),
            (lambda: fit(broken("coo", col=3)), "column 3"),
            (lambda: fit().predict(broken(indices=3)), "row 1, column 3"),
        ],
        "broken_indptr": [
            (lambda: fit(broken(indptr=3000)), "csr", "rise", "Build X"),
            (lambda: fit(broken(indptr=1)), "rise"),
            (lambda: fit(broken("csc", indptr=-7)), "csc"),
            (lambda: fit().score(broken(indptr=-7)), "csr"),
        ],
        "integers_too_large": [
            (lambda: fit(IDS), str(2**53 + 1), str(2**53), "Subtract"),
            (lambda: fit(sparse.csr_array(IDS)), str(2**53 + 1)),
            (lambda: fit(X[:, :2]).predict(IDS), str(2**53 + 1)),
            (lambda: fit(pd.DataFrame({"id": IDS[:, 0], "x": X[:, 0]})), str(2**53 + 1)),
            (lambda: fit(pl.DataFrame({"id": IDS[:, 0], "x": X[:, 0]})), str(2**53 + 1)),
            (lambda: fit([[2**53 + 1, 0.5]] * 60), str(2**53 + 1)),
            (lambda: fit(X[:, :2]).predict(IDS.astype(object)), str(2**53 + 1)),
        ],
        "too_large": [
            (lambda: fit(X * 1e200), "e+20", "overflow", "2.58e+120", "Divide X by"),
            (lambda: fit(sparse.csr_array(X * 1e200)), "overflow"),
            (lambda: fit().predict(X * 1e200), "overflow"),
        ],
        "distances_too_large": [
            (
                lambda: fit(3e37 * X.astype("f4")).transform(np.full((2, 3), -3e38, "f4")),
                "float32",
                "astype",
            )
        ],
        "too_small": [(lambda: fit(X * 1e-310), "underflow", "Multiply X by")],
        "zero_rows": [
            (lambda: fit(put(X, r4=0), metric="cosine"), "1 row", "position 4", "euclidean"),
            (lambda: fit(sparse.csr_array(put(X, r4=0)), metric="cosine"), "1 row", "position 4"),
            (lambda: fit(metric="cosine").predict(X * 0), "60 row", "position 0"),
        ],
        "too_few_rows": [(lambda: fit(X[:2]), "n_samples=2", "n_clusters=3", "Lower")],
    },
    LabelsError: {
        "wrong_length": [
            (lambda: fit(y=[1] * 59), "59", "60", "one label a row"),
            (lambda: fit(y=[]), "0 labels", "60"),
        ],
        "wrong_shape": [
            (lambda: fit(y=np.zeros((60, 2))), "(60, 2)", "one column"),
            (lambda: fit(y=3), "()"),
            (lambda: fit(y="ox"), "()"),
        ],
        "continuous": [
            (lambda: fit(y=put(ONES, i7=1.5)), "1.5", "position 7", "continuous", "strings"),
            (lambda: fit(y=put(NONE, i7=1.0, i8=-0.5)), "-0.5", "position 8"),
            (lambda: fit(y=put(ONES, i7=INF)), "inf", "position 7"),
            (lambda: fit(y=put(ONES, i7=1e300)), "1e+300", "position 7"),
        ],
        "suspicious_string": [
            (lambda: fit(y=put(NONE, i0="a", i1="-1")), "'-1'", "missing_label='-1'"),
            (lambda: fit(y=put(NONE, i0="a", i1="", i2="")), "2 label(s)", "missing_label=''"),
            (lambda: fit(y=np.array(["a"] * 59 + [NAN])), "missing_label='nan'"),
            (
                lambda: fit(y=np.array(["a"] * 59 + [""], dtype=np.dtypes.StringDType())),
                "missing_label=''",
            ),
        ],
        "mixed_kinds": [(lambda: fit(y=put(NONE, i0="a", i1=5)), "int, str", "strings")],
        "unsortable": [
            (lambda: fit(y=put(NONE, i0=Colour.RED, i1=Colour.BLUE)), "Colour", "str(v)")
        ],
        "unextendable": [
            (lambda: fit(y=put(NONE, i0=b"ox", i1=b"ant")), "2 classes", "n_clusters=3", "str(v)")
        ],
        "too_few_clusters": [
            (
                lambda: fit(y=put(NONE, i0="ox", i1="ant", i2="bee", i3="cat")),
                "n_clusters=3",
                "4 labelled",
                "'ant', 'bee', 'cat', 'ox'",
                "at least 4",
            ),
            (lambda: fit(y=np.arange(60)), "60 labelled", "0, 1, 2", "60 in all"),
        ],
        "nothing_to_draw": [
            (
                lambda: fit(y=[0] * 60),
                "n_clusters=3",
                "1 labelled",
                "2 cluster",
                "only 0",
                "at most 1",
            ),
            (lambda: fit(y=put([0] * 60, i9=None)), "only 1 unlabelled", "at most 2"),
            (
                lambda: fit(y=put([0] * 60, i9=None, i8=None), weights=put(ONES, i9=0)),
                "only 1 unlabelled",
                "positive weight",
            ),
            (lambda: fit(weights=put(ONES * 0, i9=1)), "n_clusters=3", "only 1"),
        ],
        "weightless_class": [
            (
                lambda: fit(y=put(NONE, i0="ox", i1="ox", i2="ant"), weights=put(ONES, i0=0, i1=0)),
                "'ox'",
                "weight 0",
                "positive weight",
            )
        ],
        "cancelling_class": [
            (
                lambda: fit(np.r_[[[1, 2, 3], [-1, -2, -3]], X], y=[7, 7, *NONE], metric="cosine"),
                "7",
                "cancel",
                "euclidean",
            )
        ],
    },
    WeightsError: {
        "weights_shape": [
            (lambda: fit(weights=np.ones(59)), "(59,)", "(60,)", "one weight"),
            (lambda: fit(weights=np.ones((60, 1))), "(60, 1)"),
            (lambda: fit().score(X, sample_weight=[1, 2]), "(2,)", "(60,)"),
        ],
        "weights_not_numbers": [
            (lambda: fit(weights=["a"] * 60), "numbers"),
            (lambda: fit(weights=np.ones(60, dtype=complex)), "numbers"),
        ],
        "weights_not_finite": [
            (lambda: fit(weights=put(ONES, i3=NAN)), "[3]", "nan", "Use 0"),
            (lambda: fit(weights=put(ONES, i3=INF)), "[3]", "inf"),
            (lambda: fit(weights=NONE), "[0]", "nan"),
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
        "init_not_rows": [
            (lambda: fit(init=None), "name", "callable", "array"),
            (lambda: fit(init=[1, 2, 3]), "array with one row"),
            (lambda: fit(init=[["a"] * 3] * 3), "array with one row"),
            (lambda: fit(init=sparse.csr_array(X[:3])), "array with one row"),
            (lambda: fit(init=lambda X, k, rng: "no"), "array with one row"),
        ],
        "init_not_finite": [
            (lambda: fit(init=put(X[:3], r1c1=NAN)), "NaN"),
            (lambda: fit(init=np.ma.masked_less(X[:3], 0)), "masked"),
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
    "elkan_one_cluster",
}


def test_every_message_is_met():
    public = {
        name
        for name, function in inspect.getmembers(messages, inspect.isfunction)
        if function.__module__ == messages.__name__ and not name.startswith("_")
    }
    assert public == {name for names in ERRORS.values() for name in names} | WARNINGS
