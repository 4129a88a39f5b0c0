"""Every kind of X gives the answer of the same numbers in a C-ordered array, and stays as it was.

The numbers are small integers, which every dtype tried here holds exactly. So the draws are the
same draws, the labels must be equal, and the centres differ by one rounding to their dtype.
"""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

from sskmeans import SSKMeans, kernels, ss_kmeans_plusplus

RNG = np.random.default_rng(5)
BLOBS = np.array([[0, 0, 30, 0, 60], [90, 0, 0, 0, 0], [0, 60, 0, 30, 0]])
PLAIN = (np.repeat(BLOBS, 20, axis=0) + RNG.integers(0, 4, (60, 5))).astype(np.float64)
Y = np.full(60, -1)
Y[[0, 1, 20, 25]] = 7, 7, 4, 4
EXPECTED = SSKMeans(n_clusters=4, random_state=0, tol=0).fit(PLAIN, Y)


def memory_mapped(tmp_path, dtype):
    np.save(tmp_path / "rows.npy", PLAIN.astype(dtype))
    return np.load(tmp_path / "rows.npy", mmap_mode="r")


def read_only(X):
    X = X.copy()
    X.flags.writeable = False
    return X


def unaligned(X):
    packed = np.zeros(len(X), dtype=[("byte", "i1"), ("row", X.dtype, X.shape[1])])
    packed["row"] = X
    return packed["row"]


def every_other(X):
    return np.repeat(np.repeat(X, 2, axis=0), 3, axis=1)[::2, ::3]


TABLE = pd.DataFrame(PLAIN, columns=list("abcde"), index=range(100, 160))
DENSE = {
    "C order": PLAIN,
    "Fortran order": np.asfortranarray(PLAIN),
    "float32 in Fortran order": np.asfortranarray(PLAIN, dtype=np.float32),
    "strided": every_other(PLAIN),
    "strided float32": every_other(PLAIN.astype(np.float32)),
    "negative strides": np.ascontiguousarray(PLAIN[::-1, ::-1])[::-1, ::-1],
    "read-only": read_only(PLAIN),
    "read-only float32": read_only(PLAIN.astype(np.float32)),
    "unaligned": unaligned(PLAIN),
    "unaligned float32": unaligned(PLAIN.astype(np.float32)),
    "big-endian": PLAIN.astype(">f8"),
    "big-endian float32": PLAIN.astype(">f4"),
    "masked, nothing masked": np.ma.masked_array(PLAIN, mask=False),
    "objects": PLAIN.astype(object),
    "list": PLAIN.tolist(),
    "list of ints": PLAIN.astype(int).tolist(),
    "tuple of tuples": tuple(map(tuple, PLAIN.tolist())),
    "list of arrays": list(PLAIN),
    "pandas": TABLE,
    "pandas float32": TABLE.astype(np.float32),
    "pandas ints": TABLE.astype(int),
    "pandas mixed": TABLE.astype({"a": np.int8, "b": np.float32, "c": "Int64", "d": "Float32"}),
    "pandas nullable": TABLE.astype("Float64"),
    "pandas nullable float32": TABLE.astype("Float32"),
    "pandas arrow": TABLE.astype("int16[pyarrow]"),
    "polars": pl.DataFrame(PLAIN, schema=list("abcde")),
    "polars float32": pl.DataFrame(PLAIN.astype(np.float32), schema=list("abcde")),
    "polars ints": pl.DataFrame(PLAIN.astype(int), schema=list("abcde")),
    **{
        kind.__name__: PLAIN.astype(kind)
        for kind in (
            *(np.float16, np.float32, np.longdouble, np.int8, np.int16, np.int32, np.int64),
            *(np.uint8, np.uint16, np.uint32, np.uint64),
        )
    },
}


def sorted_csr(form, index, dtype=np.float64):
    X = form(PLAIN.astype(dtype))
    X.indices, X.indptr = X.indices.astype(index), X.indptr.astype(index)
    return X


def unsorted(form, index):
    """Columns in reverse order within each row."""
    X = sorted_csr(form, index)
    order = np.concatenate(
        [np.arange(a, b)[::-1] for a, b in zip(X.indptr[:-1], X.indptr[1:], strict=True)]
    ).astype(int)
    return form((X.data[order], X.indices[order], X.indptr), shape=X.shape)


def with_duplicates(form, index):
    """Every value as the sum of two stored ones."""
    X = sorted_csr(form, index)
    halves = np.stack([X.data - 1, np.ones_like(X.data)], axis=1).ravel()
    return form((halves, np.repeat(X.indices, 2), 2 * X.indptr), shape=X.shape)


def with_room_to_spare(form, index):
    """Longer arrays than indptr speaks of, as scipy leaves them after deletions."""
    X = sorted_csr(form, index)
    X.data = np.append(X.data, [np.nan, 1e9])
    X.indices = np.append(X.indices, X.indices[:2])
    return X


def with_explicit_zeros(form, index):
    everything = np.tile(np.arange(5, dtype=index), 60)
    return form((PLAIN.ravel().copy(), everything, 5 * np.arange(61, dtype=index)), shape=(60, 5))


SPARSE = {
    **{
        f"{form.__name__} {index.__name__} {dtype.__name__}": sorted_csr(form, index, dtype)
        for form in (sparse.csr_array, sparse.csr_matrix, sparse.csc_array, sparse.csc_matrix)
        for index in (np.int32, np.int64)
        for dtype in (np.float64, np.float32)
    },
    **{
        f"{make.__name__} {form.__name__} {index.__name__}": make(form, index)
        for make in (unsorted, with_duplicates, with_explicit_zeros, with_room_to_spare)
        for form in (sparse.csr_array, sparse.csr_matrix)
        for index in (np.int32, np.int64)
    },
    **{
        form.__name__: form(PLAIN)
        for form in (
            *(sparse.coo_array, sparse.coo_matrix, sparse.lil_array, sparse.dok_matrix),
            *(sparse.bsr_array, sparse.dia_array),
        )
    },
    "csr of ints": sparse.csr_array(PLAIN.astype(np.int16)),
    "csc of unsigned": sparse.csc_matrix(PLAIN.astype(np.uint8)),
    "coo with duplicates": sparse.coo_array(
        (
            np.tile(PLAIN.ravel() / 2, 2),
            (np.tile(np.arange(300) // 5, 2), np.tile(np.arange(300) % 5, 2)),
        ),
        shape=(60, 5),
    ),
}
SINGLE = ("float32", "float16", "Float32")  # in the names of kinds that hold nothing finer


def dtype_of(name):
    is_single = any(word in name for word in SINGLE) and "mixed" not in name
    return np.dtype(np.float32 if is_single else np.float64)


def check(name, X):
    model = SSKMeans(n_clusters=4, random_state=0, tol=0).fit(X, Y)
    dtype = dtype_of(name)
    eps = float(np.finfo(dtype).eps)
    assert model.labels_.tolist() == EXPECTED.labels_.tolist()
    assert model.cluster_centers_.dtype == dtype
    np.testing.assert_allclose(model.cluster_centers_, EXPECTED.cluster_centers_, rtol=eps, atol=0)
    # A centre's rounding changes the cost in second order only; 5 squares are summed. Sparse rows
    # may use the expanded form of a distance, whose error has its own bound.
    rel = max(16 * eps, kernels.relative_error(X) if sparse.issparse(X) else 0)
    assert model.inertia_ == pytest.approx(EXPECTED.inertia_, rel=rel)
    assert model.n_iter_ == EXPECTED.n_iter_
    assert model.predict(X).tolist() == EXPECTED.predict(PLAIN).tolist()
    far = model.transform(X)
    assert far.dtype == dtype
    # A coordinate's error is eps times its size (at most 93), before the root.
    np.testing.assert_allclose(far, EXPECTED.transform(PLAIN), rtol=rel, atol=93 * 4 * eps)
    assert model.score(X) == pytest.approx(EXPECTED.score(PLAIN), rel=rel)


@pytest.mark.parametrize("name", DENSE)
def test_dense_rows_give_the_same_answer_in_any_form(name):
    check(name, DENSE[name])


@pytest.mark.parametrize("name", SPARSE)
def test_sparse_rows_give_the_same_answer_in_any_form(name):
    check(name, SPARSE[name])


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int32, np.float16])
def test_a_memory_mapped_file_is_read_where_it_lies(tmp_path, dtype):
    check(np.dtype(dtype).name, memory_mapped(tmp_path, dtype))


@pytest.mark.parametrize("name", [*DENSE, *SPARSE])
def test_the_seeds_are_rows_of_x(name):
    X = (DENSE | SPARSE)[name]
    centers, indices = ss_kmeans_plusplus(X, Y, 4, random_state=0)
    assert centers.dtype == dtype_of(name)
    drawn = indices >= 0
    assert drawn.sum() == 2
    assert (centers[drawn] == PLAIN[indices[drawn]]).all()


def frozen(X):
    """Everything that a caller could see of X, as bytes."""
    if sparse.issparse(X):
        parts = [getattr(X, part, None) for part in ("data", "indices", "indptr", "row", "col")]
        kept = [np.asarray(part).tobytes() for part in parts if isinstance(part, np.ndarray)]
        flags = [getattr(X, f, None) for f in ("has_sorted_indices", "has_canonical_format")]
        return kept, flags, X.dtype, X.format, type(X), X.nnz
    values = np.asarray(X, dtype=object) if not isinstance(X, np.ndarray) else X
    written = getattr(getattr(X, "flags", None), "writeable", None)
    return values.tolist(), type(X), getattr(X, "dtype", None), written


@pytest.mark.parametrize("copy_x", [True, False])
@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
@pytest.mark.parametrize("name", [*DENSE, *SPARSE])
def test_x_is_never_modified(name, metric, copy_x):
    X = (DENSE | SPARSE)[name]
    before = frozen(X)
    model = SSKMeans(n_clusters=2, metric=metric, copy_x=copy_x, random_state=0)
    model.fit(X)
    model.predict(X), model.transform(X), model.score(X)
    ss_kmeans_plusplus(X, None, 2, random_state=0)
    assert frozen(X) == before


@pytest.mark.parametrize("name", [*DENSE, *SPARSE])
def test_cosine_gives_the_same_answer_in_any_form(name):
    X = (DENSE | SPARSE)[name]
    expected = SSKMeans(n_clusters=4, metric="cosine", random_state=0).fit(PLAIN, Y)
    model = SSKMeans(n_clusters=4, metric="cosine", random_state=0).fit(X, Y)
    eps = float(np.finfo(dtype_of(name)).eps)
    assert model.labels_.tolist() == expected.labels_.tolist()
    # A unit row is right to a few roundings, and a mean of unit rows of one blob is as long.
    np.testing.assert_allclose(model.cluster_centers_, expected.cluster_centers_, atol=8 * eps)
    assert model.predict(X).tolist() == expected.predict(PLAIN).tolist()


@pytest.mark.parametrize("make", [sparse.csr_array, sparse.csr_matrix, sparse.csc_array])
def test_rows_and_columns_without_stored_values_count(make):
    X = np.zeros((40, 6))
    X[:20, 1] = 50 + np.arange(20)
    X[:20, 4] = 1
    dense = SSKMeans(n_clusters=2, random_state=0).fit(X)
    model = SSKMeans(n_clusters=2, random_state=0).fit(make(X))
    assert model.labels_.tolist() == dense.labels_.tolist()
    np.testing.assert_array_equal(model.cluster_centers_, dense.cluster_centers_)
    assert model.predict(make((3, 6))).tolist() == dense.predict(np.zeros((3, 6))).tolist()


@pytest.mark.parametrize("fitted", [np.float32, np.float64])
@pytest.mark.parametrize(
    "form", [np.asarray, np.asfortranarray, sparse.csr_array, sparse.csc_matrix]
)
@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        (np.float32, np.float32),
        (np.float64, np.float64),
        (np.int32, np.float64),
        (np.dtype(">f4"), np.float32),
        (np.float16, np.float32),
    ],
)
def test_a_fit_in_one_dtype_answers_rows_in_another(fitted, form, asked, answered):
    if form not in (np.asarray, np.asfortranarray) and asked in (np.float16, np.dtype(">f4")):
        asked = np.float32  # scipy's sparse matrices do not hold these
    model = SSKMeans(n_clusters=4, random_state=0).fit(PLAIN.astype(fitted), Y)
    X = form(PLAIN.astype(asked))
    eps = float(np.finfo(np.float32).eps)
    far = model.transform(X)
    assert far.dtype == answered
    np.testing.assert_allclose(far, EXPECTED.transform(PLAIN), rtol=16 * eps, atol=93 * 4 * eps)
    assert model.predict(X).tolist() == EXPECTED.labels_.tolist()
    assert model.score(X) == pytest.approx(EXPECTED.score(PLAIN), rel=16 * eps)
    assert model.cluster_centers_.dtype == fitted


@pytest.mark.parametrize("kind", [bool, "f2", np.longdouble, "u1", Fraction, Decimal, "Int64"])
def test_weights_are_numbers_of_any_kind(kind):
    counts = [i % 2 for i in range(60)]
    typed = {Fraction: list(map(Fraction, counts)), Decimal: list(map(Decimal, counts))}
    weights = typed[kind] if kind in typed else pd.Series(counts).astype(kind)
    expected = SSKMeans(n_clusters=3, random_state=0).fit(PLAIN, sample_weight=np.float64(counts))
    model = SSKMeans(n_clusters=3, random_state=0).fit(PLAIN, sample_weight=weights)
    assert model.inertia_ == expected.inertia_


@pytest.mark.parametrize("make", [lambda X: TABLE, lambda X: pl.DataFrame(X, schema=list("abcde"))])
def test_column_names_are_kept_and_compared(make):
    table = make(PLAIN)
    model = SSKMeans(n_clusters=4, random_state=0).fit(table, Y)
    assert model.feature_names_in_.tolist() == list("abcde")
    assert model.n_features_in_ == 5
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(table[["b", "a", "c", "d", "e"]])
    assert not hasattr(SSKMeans(n_clusters=4).fit(PLAIN), "feature_names_in_")
