"""Every kind of y is read for what it says, and classes keep the names they were given.

Three blobs of six rows: the first row of the first two blobs is labelled. Whatever y is made of,
the first blob must come out as the one label, the second as the other, and the third under the
name that DESIGN.md gives to a new class.
"""

import datetime
import decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from sskmeans import SSKMeans, errors, ss_kmeans_plusplus

SIZE = 6
X = np.concatenate([np.random.default_rng(0).normal(at, 0.1, (SIZE, 2)) for at in (0, 9, -9)])


def column(first, second, missing):
    """Labels of the 18 rows: two given, the others missing."""
    y = [missing] * (3 * SIZE)
    y[0], y[SIZE] = first, second
    return y


NAN, NA = float("nan"), pd.NA
WITH_A_NEW_CLASS = {  # y, missing_label, names of the three blobs
    "list of ints": (column(7, 3, -1), -1, [7, 3, 0]),
    "tuple of ints": (tuple(column(7, 3, -1)), -1, [7, 3, 0]),
    "list with None": (column(7, 3, None), -1, [7, 3, 0]),
    "list with None, NaN and -1": ([*column(7, 3, -1)[:-2], None, NAN], -1, [7, 3, 0]),
    "list of strings": (column("ox", "ant", None), -1, ["ox", "ant", "new-0"]),
    "negative ints": (column(-5, -3, -1), -1, [-5, -3, 0]),
    "-1 as a class": (column(-1, 4, None), None, [-1, 4, 0]),
    "int8": (np.array(column(7, 3, -1), dtype=np.int8), -1, [7, 3, 0]),
    "uint8": (np.array(column(7, 3, 255), dtype=np.uint8), 255, [7, 3, 0]),
    "uint64 beyond int64": (
        np.array(column(2**63 + 1, 2**64 - 1, 0), dtype=np.uint64),
        0,
        [2**63 + 1, 2**64 - 1, 1],
    ),
    "ints beyond 64 bits": (column(2**70 + 1, -5, None), -1, [2**70 + 1, -5, 0]),
    "an int float64 would round, beside a float": (
        column(2**53 + 1, 5.0, None),
        -1,
        [2**53 + 1, 5, 0],
    ),
    "big-endian ints": (np.array(column(7, 3, -1), dtype=">i4"), -1, [7, 3, 0]),
    "whole floats with NaN": (np.array(column(7.0, 3.0, NAN)), -1, [7, 3, 0]),
    "whole floats with -1": (np.array(column(7.0, 3.0, -1.0)), -1, [7, 3, 0]),
    "float32 with NaN": (np.array(column(7, 3, NAN), dtype=np.float32), -1, [7, 3, 0]),
    "bools": (column(True, False, None), -1, [1, 0, 2]),
    "numpy strings": (np.array(column("ox", "ant", "?")), "?", ["ox", "ant", "new-0"]),
    "numpy variable strings": (
        np.array(column("ox", "ant", "?"), dtype=np.dtypes.StringDType()),
        "?",
        ["ox", "ant", "new-0"],
    ),
    "objects": (np.array(column("ox", "ant", None), dtype=object), -1, ["ox", "ant", "new-0"]),
    "objects with NaN": (
        np.array(column("ox", "ant", NAN), dtype=object),
        -1,
        ["ox", "ant", "new-0"],
    ),
    "objects with NA": (np.array(column(7, 3, NA), dtype=object), -1, [7, 3, 0]),
    "float16": (np.array(column(7, 3, NAN), dtype=np.float16), -1, [7, 3, 0]),
    "list with masked": (column(7, 3, np.ma.masked), -1, [7, 3, 0]),
    "one column": (np.array(column(7, 3, -1))[:, None], -1, [7, 3, 0]),
    "strided": (np.repeat(column(7, 3, -1), 2)[::2], -1, [7, 3, 0]),
    "masked": (np.ma.masked_equal(column(7, 3, 0), 0), -1, [7, 3, 0]),
    "masked strings": (
        np.ma.masked_array(column("ox", "ant", "?"), [v == "?" for v in column("ox", "ant", "?")]),
        -1,
        ["ox", "ant", "new-0"],
    ),
    "pandas ints": (pd.Series(column(7, 3, -1)), -1, [7, 3, 0]),
    "pandas with its own index": (
        pd.Series(column(7, 3, -1), index=range(100, 118)[::-1]),
        -1,
        [7, 3, 0],
    ),
    "pandas ints with holes": (pd.Series(column(7, 3, None)), -1, [7, 3, 0]),
    "pandas Int64": (pd.Series(column(7, 3, NA), dtype="Int64"), -1, [7, 3, 0]),
    "pandas boolean": (pd.Series(column(True, False, NA), dtype="boolean"), -1, [1, 0, 2]),
    "pandas string": (
        pd.Series(column("ox", "ant", NA), dtype="string"),
        -1,
        ["ox", "ant", "new-0"],
    ),
    "pandas default strings": (pd.Series(column("ox", "ant", None)), -1, ["ox", "ant", "new-0"]),
    "pandas arrow": (pd.Series(column(7, 3, None), dtype="int64[pyarrow]"), -1, [7, 3, 0]),
    "categorical": (pd.Categorical(column("ox", "ant", None)), -1, ["ox", "ant", "new-0"]),
    "categorical ints": (pd.Series(pd.Categorical(column(7, 3, None))), -1, [7, 3, 0]),
    "categorical with unused": (
        pd.Series(pd.Categorical(column("ox", "ant", None), ["zebra", "ox", "ant"])),
        -1,
        ["ox", "ant", "new-0"],
    ),
    "a table of one column": (pd.DataFrame({"y": column(7, 3, None)}), -1, [7, 3, 0]),
    "polars ints with null": (pl.Series(column(7, 3, None)), -1, [7, 3, 0]),
    "polars strings": (pl.Series(column("ox", "ant", None)), -1, ["ox", "ant", "new-0"]),
    "polars Categorical": (
        pl.Series(column("ox", "ant", None), dtype=pl.Categorical),
        -1,
        ["ox", "ant", "new-0"],
    ),
    "polars Enum": (
        pl.Series(column("ox", "ant", None), dtype=pl.Enum(["ox", "ant"])),
        -1,
        ["ox", "ant", "new-0"],
    ),
    "polars table": (pl.DataFrame({"y": column(7, 3, None)}), -1, [7, 3, 0]),
    "arrow array": (pa.array(column(7, 3, None)), -1, [7, 3, 0]),
    "arrow chunks": (pa.chunked_array([column("ox", "ant", None)]), -1, ["ox", "ant", "new-0"]),
    # missing_label of every kind
    "missing int": (column(7, 3, 99), 99, [7, 3, 0]),
    "missing numpy int": (np.array(column(7, 3, 99)), np.int64(99), [7, 3, 0]),
    "missing whole float": (np.array(column(7, 3, 99)), 99.0, [7, 3, 0]),
    "missing float": (np.array(column(7, 3, 0.5)), 0.5, [7, 3, 0]),
    "missing string": (column("ox", "ant", ""), "", ["ox", "ant", "new-0"]),
    "missing numpy string": (
        np.array(column("ox", "ant", "-1")),
        np.str_("-1"),
        ["ox", "ant", "new-0"],
    ),
    "missing None": (column("ox", "ant", None), None, ["ox", "ant", "new-0"]),
    "missing NaN": (np.array(column(7, 3, NAN)), NAN, [7, 3, 0]),
    "missing NA": (column(7, 3, None), NA, [7, 3, 0]),
    "missing NA in Int64": (pd.Series(column(7, 3, NA), dtype="Int64"), NA, [7, 3, 0]),
    "missing NA beside strings": (column("ox", "ant", NA), NA, ["ox", "ant", "new-0"]),
    "missing False": (column(7, 3, False), False, [7, 3, 0]),
}
ALL_KNOWN = {  # these kinds of label cannot be continued, so every class is known
    "bools": (column(True, False, None), [True, False]),
    "numpy bools": (np.array([True] * SIZE + [False] * SIZE), [True, False]),
    "dates": (
        column(datetime.date(2021, 1, 2), datetime.date(2020, 1, 2), None),
        [datetime.date(2021, 1, 2), datetime.date(2020, 1, 2)],
    ),
    "numpy dates": (
        np.array(column("2021-01-02", "2020-01-02", "NaT"), dtype="datetime64[D]"),
        [np.datetime64("2021-01-02"), np.datetime64("2020-01-02")],
    ),
    "decimals": (
        column(decimal.Decimal("1.5"), decimal.Decimal("0.5"), decimal.Decimal("nan")),
        [decimal.Decimal("1.5"), decimal.Decimal("0.5")],
    ),
    "bytes": (np.array([b"ox"] * SIZE + [b"ant"] * SIZE), [b"ox", b"ant"]),
}


@pytest.mark.parametrize("kind", WITH_A_NEW_CLASS)
def test_labels_are_read_whatever_they_are_kept_in(kind):
    y, missing_label, names = WITH_A_NEW_CLASS[kind]
    model = SSKMeans(n_clusters=3, missing_label=missing_label, random_state=0)
    labels = model.fit_predict(X, y)
    assert model.labels_.tolist() == np.repeat(np.array(names, dtype=object), SIZE).tolist()
    assert model.classes_.tolist() == sorted(names)
    assert model.is_known_.tolist() == [name != names[2] for name in sorted(names)]
    assert {type(v) for v in model.classes_.tolist()} <= {int, str}
    assert labels is model.labels_


@pytest.mark.parametrize("kind", ALL_KNOWN)
def test_any_value_that_can_be_sorted_is_a_label(kind):
    y, (first, second) = ALL_KNOWN[kind]
    model = SSKMeans(n_clusters=2).fit(X[: 2 * SIZE], y[: 2 * SIZE])
    assert list(model.classes_) == [second, first]
    assert model.is_known_.all()
    assert list(model.labels_) == [first] * SIZE + [second] * SIZE


@pytest.mark.parametrize("kind", WITH_A_NEW_CLASS)
def test_codes_are_positions_in_classes(kind):
    y, missing_label, _ = WITH_A_NEW_CLASS[kind]
    model = SSKMeans(n_clusters=3, missing_label=missing_label, random_state=0).fit(X, y)
    assert model.codes_.dtype == np.int32
    assert model.classes_[model.codes_].tolist() == model.labels_.tolist()
    assert model.labels_.dtype == model.classes_.dtype
    assert model.predict(X).tolist() == model.labels_.tolist()
    assert np.abs(model.cluster_centers_[model.codes_] - X).max() < 1


@pytest.mark.parametrize("kind", WITH_A_NEW_CLASS)
def test_the_seeding_function_reads_labels_alike(kind):
    y, missing_label, names = WITH_A_NEW_CLASS[kind]
    indices = ss_kmeans_plusplus(X, y, 3, missing_label=missing_label, random_state=0)[1]
    assert (indices >= 0).tolist() == [name == names[2] for name in sorted(names)]


@pytest.mark.parametrize(
    "y", [None, [-1] * 18, [None] * 18, [NAN] * 18, np.full(18, NAN), [NA] * 18]
)
def test_nothing_labelled_is_the_same_however_it_is_said(y):
    model = SSKMeans(n_clusters=3, random_state=0).fit(X, y)
    assert model.classes_.tolist() == [0, 1, 2]
    assert not model.is_known_.any()
    assert model.labels_.dtype.kind == "i"
    assert model.inertia_ == SSKMeans(n_clusters=3, random_state=0).fit(X).inertia_


@pytest.mark.parametrize("always", [None, NAN, NA, np.nan, np.float32("nan"), pd.NaT])
@pytest.mark.parametrize("missing_label", [-1, "?", None, NAN, NA])
def test_none_nan_and_na_always_mean_unlabelled(always, missing_label):
    y = np.array(column("ox", "ant", always), dtype=object)
    model = SSKMeans(n_clusters=3, missing_label=missing_label, random_state=0).fit(X, y)
    assert model.classes_.tolist() == ["ant", "new-0", "ox"]


def test_only_the_marker_asked_for_is_missing():
    y = np.array([-1] * 6 + [5] * 6 + [99] * 6)
    assert SSKMeans(n_clusters=3, missing_label=99).fit(X, y).classes_.tolist() == [-1, 0, 5]
    for other in (NAN, True, None):
        model = SSKMeans(n_clusters=3, missing_label=other)
        assert all(model.fit(X, y.astype(t)).classes_.tolist() == [-1, 5, 99] for t in (int, float))


@pytest.mark.parametrize("other", ["?", 98, 10**400])
@pytest.mark.parametrize("dtype", [int, float])
def test_a_marker_that_nothing_carries_is_asked_about(other, dtype):
    y = np.array([-1] * 6 + [5] * 6 + [99] * 6).astype(dtype)
    with pytest.warns(errors.IgnoredSettingWarning, match=r"does not occur in y, so all 18 rows"):
        model = SSKMeans(n_clusters=3, missing_label=other).fit(X, y)
    assert model.classes_.tolist() == [-1, 5, 99]
    with pytest.warns(errors.IgnoredSettingWarning, match=r"spelt otherwise"):
        ss_kmeans_plusplus(X, y, 3, missing_label=other)


def test_true_and_1_are_different_markers():
    y = [True] * 6 + [None] * 12
    assert SSKMeans(n_clusters=2, missing_label=1).fit(X, y).is_known_.tolist() == [False, True]


@pytest.mark.parametrize("kind", ["int8", "objects", "masked", "pandas ints", "one column"])
def test_y_is_not_written_to(kind):
    y, missing_label, _ = WITH_A_NEW_CLASS[kind]
    before = y.copy()
    SSKMeans(n_clusters=3, missing_label=missing_label).fit(X, y)
    assert (np.asarray(y) == np.asarray(before)).all()
