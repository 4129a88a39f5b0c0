"""The native kernels compute what `reference` says, in every instruction set of this machine.

Values agree to the rounding error that `relative_error` states, labels wherever the two nearest
centres are further apart than that.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_problems import FORMS, csr_array, dense, problem, sums_of

from sskmeans.kernels import reference, relative_error
from sskmeans.kernels.types import Moves, Rounding

native = pytest.importorskip("sskmeans.kernels.native", exc_type=ImportError)
pytestmark = pytest.mark.usefixtures("instructions")

SIZES = [1, 2, 8, 9, 31, 32, 33, 65]  # around the numbers of centres held in registers
WIDTHS = [1, 2, 3, 7, 16, 17, 64, 100]


def agree(X, rows, C):
    error = 2 * relative_error(X)
    D, E = reference.distances(X, rows, C), native.distances(X, rows, C)
    np.testing.assert_allclose(E, D, rtol=error, atol=0)
    labels, best, second = native.nearest(X, rows, C)
    np.testing.assert_array_equal(labels, E.argmin(axis=1))
    np.testing.assert_array_equal(best, E.min(axis=1))
    ordered = np.sort(E, axis=1)
    np.testing.assert_array_equal(second, ordered[:, 1] if len(C) > 1 else np.inf)
    expected, near, far = reference.nearest(X, rows, C)
    clear = far - near > error * far
    np.testing.assert_array_equal(labels[clear], expected[clear])
    own = native.own(X, rows, C, labels)
    np.testing.assert_allclose(own, reference.own(X, rows, C, labels), rtol=1e-9, atol=0)
    return labels


def agree_in_sums(X, rows, weights, labels, k):
    # The reference adds in long double, so it is the one that errs in the last digits.
    wide = [
        high.astype(np.longdouble) + low
        for high, low in (
            sums_of(backend, X, rows, weights, labels, k) for backend in (reference, native)
        )
    ]
    scale = sums_of(native, abs(X), rows, weights, labels, k)[0]
    m = len(labels)
    assert (abs(wide[0] - wide[1]) <= 2.0**-62 * (m + 4) * scale).all()
    high, low = sums_of(native, X, rows, weights, labels, k)
    np.testing.assert_array_equal(high, high + low)  # high is the rounded total


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("d", WIDTHS)
def test_every_kernel_at_every_size(form, dtype, d):
    for k in SIZES:
        X, C = problem(41, d, k, dtype, seed=k, density=1.0 if form is dense else 0.4)
        rng = np.random.default_rng(k)
        for rows in (None, rng.integers(0, 41, size=7)):
            labels = agree(form(X), rows, C)
            for weights in (None, rng.random(len(labels))):
                agree_in_sums(form(X), rows, weights, labels, k)


@settings(max_examples=60, deadline=None)
@given(
    n=st.integers(1, 200),
    d=st.integers(1, 40),
    k=st.integers(1, 40),
    dtype=st.sampled_from([np.float32, np.float64]),
    form=st.sampled_from(FORMS),
    offset=st.sampled_from([0.0, 1.0, 1e4]),
    seed=st.integers(0, 2**32 - 1),
)
def test_any_shape(n, d, k, dtype, form, offset, seed):
    X, C = problem(n, d, k, dtype, seed, offset, density=0.5)
    rows = np.random.default_rng(seed).integers(0, n, size=n // 2)
    agree(form(X), rows, C)


@pytest.mark.parametrize("form", FORMS)
def test_no_cancellation_far_from_the_origin(form):
    X, C = problem(50, 12, 9, np.float64, offset=1e8)
    labels = agree(form(X), None, C)
    assert native.own(form(X), None, C, labels)[0] == 0
    agree_in_sums(form(X), None, np.random.default_rng(0).random(50), labels, 9)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_copy_of_a_centre_is_at_zero_and_ties_go_to_the_lowest_slot(form, dtype):
    X, _ = problem(60, 17, 3, dtype, density=0.5)
    C = np.concatenate([X[:40], X[:40]])
    labels, best, second = native.nearest(form(X[:40]), None, C)
    np.testing.assert_array_equal(labels, np.arange(40))
    assert not best.any()
    assert not second.any()
    assert not native.distances(form(X[:40]), None, C)[np.arange(40), labels + 40].any()
    assert not native.own(form(X[:40]), None, C, labels).any()


@pytest.mark.parametrize("form", FORMS)
def test_no_rows_at_all(form):
    X, C = problem(5, 3, 2, np.float64)
    none = np.empty(0, dtype=np.intp)
    assert native.distances(form(X), none, C).shape == (0, 2)
    assert all(len(part) == 0 for part in native.nearest(form(X), none, C))
    labels = np.empty(0, dtype=np.int32)
    assert not sums_of(native, form(X), none, None, labels, 2)[0].any()


@pytest.mark.parametrize("form", FORMS)
def test_sums_keep_what_rounding_takes(form):
    X = np.array([[1e16], [1.0], [-1e16], [1.0]])
    high, low = sums_of(native, form(X), None, None, np.zeros(4, dtype=np.int32), 1)
    assert (high + low == 2).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("d", [1, 2, 3, 17, 64, 127, 128, 200, 1024, 1025, 2500])
def test_columns(dtype, d):
    for n in (1, 2, 63, 1000, 70000 // d):
        rng = np.random.default_rng(n)
        X = (rng.normal(size=(n, d)) + 1e4).astype(dtype)
        for weights in (None, rng.random(n)):
            for got, expected in zip(
                native.columns(X, weights), reference.columns(X, weights), strict=True
            ):
                np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-14)


@pytest.mark.parametrize("where", [0, 500, 999])
@pytest.mark.parametrize("d", [1, 3, 200, 1500])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_columns_show_what_is_not_finite(where, d, bad):
    X = np.random.default_rng(0).normal(size=(1000, d))
    X[where, d - 1] = bad
    low, high, _ = native.columns(X, None)
    assert not (np.isfinite(low[-1]) and np.isfinite(high[-1]))
    assert np.isfinite(low[:-1]).all()
    assert np.isfinite(high[:-1]).all()


def test_columns_do_not_take_overflow_for_nan():
    X = np.array([[1.7e308], [-1.7e308], [1.7e308]])
    low, high, _ = native.columns(X, None)
    assert (low[0], high[0]) == (-1.7e308, 1.7e308)


def assigned(X, C, weights, seed, slack):
    """Rows with bounds as a run would hold them: some tight, some lost, centres about to move."""
    rng = np.random.default_rng(seed)
    labels, _, second = reference.nearest(X, None, C)
    wrong = rng.random(len(labels)) < 0.1
    labels[wrong] = rng.integers(0, len(C), wrong.sum())
    upper = np.sqrt(reference.own(X, None, C, labels)) * (1 + slack * rng.random(len(labels)))
    lower = np.where(wrong, 0.0, np.sqrt(second) * (1 - slack * rng.random(len(labels))))
    step = rng.random((3, len(C))) * slack
    return [
        X,
        None,
        C,
        weights,
        labels,
        upper,
        lower,
        Moves(*step),
        Rounding(1 + 1e-5, 1 - 1e-5, 0),
    ]


@pytest.mark.parametrize("form", [dense, csr_array])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("slack", [0.01, 3.0])
@pytest.mark.parametrize("m", [0, 1, 31, 1024, 1025, 5000])
def test_reassign(m, slack, weighted, form):
    X, C = problem(max(m, 1), 5, 9, np.float64)
    X, weights = form(X)[:m], np.random.default_rng(m).random(m) if weighted else None
    ours, theirs = (assigned(X, C, weights, m, slack) for _ in range(2))
    found, expected = native.reassign(*ours, 1.0), reference.reassign(*theirs, 1.0)
    np.testing.assert_array_equal(found.positions, expected.positions)
    np.testing.assert_array_equal(found.left, expected.left)
    np.testing.assert_allclose(found.gain, expected.gain, rtol=1e-12)
    assert found.computed == expected.computed
    assert found.positions.dtype == np.intp
    for mine, other in zip(ours[4:7], theirs[4:7], strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-12)
    if m:
        np.testing.assert_array_equal(ours[4], native.nearest(X, None, C)[0])


@pytest.mark.parametrize("form", FORMS)
def test_sums_are_added_to_what_was_before(form):
    X, C = problem(300, 7, 4, np.float64, offset=1e6)
    labels, weights = reference.nearest(X, None, C)[0], np.random.default_rng(0).normal(size=300)
    ours = sums_of(native, form(X[:100]), None, weights[:100], labels[:100], 4)
    theirs = ours.copy()
    native.sums(form(X[100:]), None, weights[100:], labels[100:], ours)
    reference.sums(form(X[100:]), None, weights[100:], labels[100:], theirs)
    whole = sums_of(native, form(X), None, weights, labels, 4)
    for total in (theirs, whole):
        np.testing.assert_allclose(ours[0] - total[0] + (ours[1] - total[1]), 0, atol=1e-20 * 3e8)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("weighted", [False, True])
def test_rows_that_go_from_one_cluster_to_another(form, dtype, weighted):
    X, _ = problem(3000, 70, 4, dtype, offset=1e4)
    rng = np.random.default_rng(0)
    old, new = rng.integers(4, size=(2, 3000)).astype(np.int32)
    weights = rng.random(3000) if weighted else None
    moved = np.flatnonzero(old != new)
    w = None if weights is None else weights[moved]
    expected = sums_of(native, form(X), None, weights, new, 4).astype(np.longdouble).sum(axis=0)
    size = sums_of(native, form(abs(X)), None, weights, old * 0, 4)[0, 0]
    for backend in (native, reference):
        totals = sums_of(native, form(X), None, weights, old, 4)
        backend.sums(form(X), moved, w, new[moved], totals, old[moved])
        apart = totals.astype(np.longdouble).sum(axis=0) - expected
        assert (abs(apart) <= 2.0**-62 * 3000 * size).all()  # the reference's long doubles err


@pytest.mark.parametrize("form", FORMS)
def test_large_sums_that_are_taken_away_again_leave_nothing(form):
    """Enough rows to be summed in several parts, and whole numbers, whose sums cancel exactly."""
    rng = np.random.default_rng(0)
    X, labels = (
        rng.poisson(1.0, size=(9000, 130)).astype(float),
        np.arange(9000, dtype=np.int32) % 5,
    )
    X = form(X)
    totals = sums_of(native, X, None, None, labels, 5)
    native.sums(X, None, -np.ones(9000), labels, totals)
    assert not totals.any()


def test_wrong_arrays_are_refused():
    X, C = problem(5, 3, 2, np.float64)
    labels = np.zeros(5, dtype=np.int32)
    with pytest.raises(ValueError, match="dtype of the data"):
        native.distances(X, None, C.astype(np.float32))
    with pytest.raises(ValueError, match="shape"):
        native.distances(X, None, C[:, :2])
    with pytest.raises(TypeError):
        native.own(X, None, C, labels.astype(np.int64))
    with pytest.raises(ValueError, match="each row"):
        sums_of(native, X, None, np.ones(4), labels, 2)


def test_read_only_and_strided_input_is_fine():
    X, C = problem(20, 6, 3, np.float64)
    X.flags.writeable = C.flags.writeable = False
    labels = native.nearest(X, None, C)[0]
    agree(np.asfortranarray(X), None, C)
    agree(X[::2], None, C)
    agree_in_sums(X, np.arange(20)[::2], None, labels[::2], 3)
