"""What raises each error about X, and what that error must say."""

import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from sskmeans import SSKMeans

X = np.random.default_rng(0).normal(size=(60, 3)) + np.repeat(
    [[0, 0, 0], [9, 0, 0], [0, 9, 0]], 20, 0
)
NONE = [None] * 60
NUMBERS = pd.DataFrame(X, columns=["a", "b", "c"])
DAYS = pd.Series(pd.date_range("2026-01-01", periods=60))


def fit(X=X, y=None, weights=None, **parameters):
    parameters = {"n_clusters": 3, "random_state": 0, **parameters}
    return SSKMeans(**parameters).fit(X, y, sample_weight=weights)


def put(values, **places):
    """A copy of `values` with some entries replaced: r5c1=nan, or i5=nan."""
    values = np.array(values, dtype=object if isinstance(values, list) else None)
    for place, value in places.items():
        values[tuple(int(i) for i in re.findall(r"\d+", place))] = value
    return values


def with_a_column(values):
    """A table of two columns of numbers, and these values as column c."""
    return NUMBERS.assign(c=values)


def broken(form="csr", **entry):
    """X in a sparse form, one of whose arrays was written into after scipy had checked it."""
    S = sparse.csr_array(X).asformat(form)
    assert S.sum() == pytest.approx(X.sum())  # scipy has looked at it, and keeps what it saw
    [(name, value)] = entry.items()
    getattr(S, name)[2 if name == "indptr" else 5] = value
    return S


NAN, INF = np.nan, np.inf
HUGE = np.longdouble("1e400")  # more than float64 can hold, or infinite where it is float64
LONG = put(X.astype(np.longdouble), r5c1=HUGE)
ONES = np.ones(60)
IDS = np.arange(60)[:, None] + 2**53 + np.zeros((1, 2), dtype=np.int64)
# message: [(what raises it, what it must say), ...]
REFUSED_ROWS = {
    "masked": [
        (lambda: fit(np.ma.masked_greater(X, 9)), str((X > 9).sum()), "masked", "Fill"),
        (lambda: fit().predict(np.ma.masked_greater(X, 9)), "masked values"),
    ],
    "not_collected": [(lambda: fit(pl.DataFrame(X).lazy()), "LazyFrame", "X.collect()")],
    "dates": [
        (lambda: fit(with_a_column(DAYS)), "Column 'c'", "datetime64", "days since"),
        (lambda: fit(with_a_column(DAYS.dt.tz_localize("UTC"))), "Column 'c'", "utc"),
        (lambda: fit(with_a_column(DAYS - DAYS[0])), "Column 'c'", "timedelta64"),
        (lambda: fit(pl.DataFrame(with_a_column(DAYS))), "Column 'c'", "datetime"),
        (lambda: fit(DAYS.to_numpy()[:, None]), "X holds dates"),
        (lambda: fit(np.full((60, 2), np.datetime64(1, "D"), dtype=object)), "X holds dates"),
        (lambda: fit(pa.table({"a": ONES, "c": DAYS})), "Column 'c'", "timestamp"),
        (lambda: fit(pa.table({"c": [d.date() for d in DAYS]})), "Column 'c'", "date32"),
        (
            lambda: fit(with_a_column(np.full(60, np.datetime64(1, "D"), dtype=object))),
            "Column 'c'",
        ),
        (lambda: fit(NUMBERS).predict(with_a_column(DAYS)), "Column 'c'"),
    ],
    "not_numbers": [
        (lambda: fit(with_a_column(["ox"] * 60)), "Column 'c'", "'ox'", "belong in y"),
        (lambda: fit(with_a_column([1.0, "ox"] * 30)), "Column 'c'", "'ox'", "OneHotEncoder"),
        (lambda: fit(with_a_column(pd.Categorical(["ox"] * 60))), "Column 'c'", "'ox'"),
        (lambda: fit(pl.DataFrame(with_a_column(["ox"] * 60))), "Column 'c'", "'ox'"),
        (lambda: fit(NUMBERS).predict(with_a_column(["ox"] * 60)), "Column 'c'", "'ox'"),
        (lambda: fit(pa.table({"a": ONES, "c": ["ox"] * 60})), "Column 'c'", "'ox'"),
        (lambda: fit(with_a_column(["ox"] * 60).set_axis(list("aaa"), axis=1)), "'a'", "'ox'"),
        (lambda: fit(with_a_column([[1, 2]] * 60)), "Column 'c'", "'[1, 2]'"),
        (lambda: fit(pl.DataFrame({"c": [[1, 2]] * 60})), "Column 'c'"),
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
        *(
            (lambda refuse=refuse, form=form: refuse(form(LONG)), "inf", "row 5, column 1")
            for refuse in (
                lambda X: fit(X),
                lambda X: fit(X, metric="cosine"),
                lambda X: fit().predict(X),
                lambda X: fit().score(X),
            )
            for form in (np.asarray, list, pd.DataFrame, sparse.csr_array, sparse.csc_array)
        ),
        (lambda: fit(LONG.astype(object)), "inf", "row 5, column 1"),
        (lambda: fit().predict(LONG.astype(object)), "inf", "row 5, column 1"),
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
    "beyond_float64": [
        *(
            (lambda refuse=refuse, form=form: refuse(form([[10**400, 0, 0]] * 60)), "300", "Divide")
            for refuse in (lambda X: fit(X), lambda X: fit().predict(X))
            for form in (list, pd.DataFrame, lambda rows: np.array(rows, dtype=object))
        ),
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
}
