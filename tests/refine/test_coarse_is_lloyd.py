"""Coarse distances behind Hamerly's filter give Lloyd's labels, bit for bit, whatever the data.

And they keep what they promise: a distance between codes is within what rounding took of the true
one. The data are wide, or against eight bits: ties in numbers, rows that only the last bits tell
apart, sizes and offsets at which codes say little, centres far outside the data.
"""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from side_by_side import FORMS, KINDS, rows, runs
from threadpoolctl import threadpool_info

from sskmeans import SSKMeans, kernels
from sskmeans.points import LocalPoints
from sskmeans.refine.choice import fastest
from sskmeans.refine.coarse import CoarseRows

DENSE = ["float64", "float32"]
assert set(DENSE) <= set(FORMS)


def low_rank(rng, n, d, rank=6):
    """Rows near a few directions, as real wide rows are."""
    middles = 4 * rng.normal(size=(12, rank))
    inside = middles[rng.integers(12, size=n)] + rng.normal(size=(n, rank))
    return inside @ rng.normal(size=(rank, d)) + 0.3 * rng.normal(size=(n, d))


@pytest.mark.parametrize("form", DENSE)
@pytest.mark.parametrize("kind", [*KINDS, "low rank"])
def test_step_by_step(kind, form):
    steps = 0
    for seed in range(8):
        rng = np.random.default_rng(seed)
        n, d = int(rng.integers(310, 600)), int(rng.choice([64, 96, 131, 300]))
        k, known = int(rng.choice([2, 15, 16, 17, 40, 70, 300])), int(rng.integers(0, 4))
        X = low_rank(rng, n, d) if kind == "low rank" else rows(kind, rng, n, d)
        y = np.where(rng.random(n) < 0.2, rng.integers(known, size=n), -1) if known else None
        start = X[rng.integers(n, size=max(k, known))]
        if seed % 3 == 0:
            start[-1] += 10 * np.abs(X).max()
        weights = None if seed % 2 else rng.random(n) * rng.integers(0, 3, size=n) + (y is not None)
        supervision = ("clamp", "seed", "freeze")[seed % 3]
        steps += runs(FORMS[form](X), y, start, supervision, weights)[0]
    assert steps > 20


@pytest.mark.parametrize("form", DENSE)
@pytest.mark.parametrize("k", [60, 140, 300])
def test_rows_with_too_many_candidates_are_compared_in_full(k, form):
    """Half the centres differ in the last bits only from others, some not at all."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        X = FORMS[form](rows("clumps", rng, 400, 70))
        start = np.repeat(X[: k // 70 + 2], -(-k // (k // 70 + 2)), axis=0)[:k]
        start[1::2] *= 1 + 2 * np.finfo(X.dtype).eps
        steps, _ = runs(X, None, start)
        assert steps > 2


@pytest.mark.parametrize("form", DENSE)
@pytest.mark.parametrize("size", [1e-30, 1.0, 1e15])
@pytest.mark.parametrize("offset", [0.0, 1e3, 1e6])
def test_codes_tell_distances_to_what_they_say_was_lost(offset, size, form):
    for seed in range(3):
        rng = np.random.default_rng(seed)
        X = FORMS[form]((low_rank(rng, 200, 70) + offset) * size)
        C = FORMS[form](X[rng.integers(200, size=20)] + size * rng.normal(size=(20, 70)))
        rows_ = CoarseRows(LocalPoints(X), C)
        coarse = rows_.beside(C)
        x = coarse.codes[:, :70].astype(np.longdouble) - 128
        c = coarse.centre_codes[:, :70].view(np.int8).astype(np.longdouble)
        assert np.abs(x).max() <= 127
        assert np.abs(c).max() <= kernels.centre_levels()
        apart = (x * coarse.stats[:, :1])[:, None] - (c * coarse.centre_stats[:, :1])[None]
        told = np.sqrt((apart**2).sum(axis=2)) * rows_.unit
        wide = X.astype(np.longdouble)[:, None] - C.astype(np.longdouble)
        true = np.sqrt((wide**2).sum(axis=2))
        lost = (coarse.stats[:, None, 2] + coarse.centre_stats[None, :, 2]) * rows_.unit
        assert (np.abs(true - told) <= lost).all()
        assert np.median(lost / true) < 0.1  # and they say much of it
        products = (x + 128) @ c.T + coarse.bias
        np.testing.assert_array_equal(products, x @ c.T)


@pytest.mark.parametrize("k", [20, 300])
@pytest.mark.parametrize("far", [1e15, 2e18, 1e19, 1e30])
def test_one_row_whose_square_leaves_float32(far, k):
    X = np.random.default_rng(0).normal(size=(500, 2000))
    X[0] = far
    assert_auto_is_lloyd(X, X[1 : k + 1])
    assert_auto_is_lloyd(X, X[:k])


@pytest.mark.parametrize("k", [70, 300])
@pytest.mark.parametrize("scale", [1e-100, 1e-25, 1e-23, 1e-18, 1.0, 1e18, 1e30])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sizes_whose_squares_leave_float32(dtype, scale, k):
    if dtype == np.float32 and not 1e-30 < scale < 1e30:
        return
    rng = np.random.default_rng(1)
    X = (low_rank(rng, 3000, 130) * scale).astype(dtype)
    start = X[rng.choice(3000, size=k, replace=False)]
    assert_auto_is_lloyd(X, start)


@pytest.mark.parametrize("k", [70, 300])
@pytest.mark.parametrize("far", [1e3, 1e20, 1e25])
def test_centres_far_outside_the_rows(far, k):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1500, 130))
    assert_auto_is_lloyd(X, far * rng.normal(size=(k, 130)))
    X[:8] *= far  # and rows
    assert_auto_is_lloyd(X, X[:k])


def test_many_centres_of_every_supervision_step_by_step():
    """From 256 centres on, leading directions are asked first."""
    steps = 0
    for seed in range(6):
        rng = np.random.default_rng(seed)
        X = low_rank(rng, 700, int(rng.choice([64, 100, 300])))
        y = np.where(rng.random(700) < 0.3, rng.integers(4, size=700), -1)
        start, weights = X[rng.permutation(700)[:280]].copy(), rng.random(700)
        if seed % 2:
            start[-1] += 3 * np.abs(X).max()
        how = ("clamp", "seed", "freeze")[seed % 3], None if seed % 2 else weights
        steps += runs(X, y, start, *how)[0]
    assert steps > 20


@pytest.mark.filterwarnings("ignore::sskmeans.errors.SSKMeansWarning")
def assert_auto_is_lloyd(X, start):
    fits = [
        SSKMeans(len(start), init=start, algorithm=name, max_iter=m, tol=0).fit(X)
        for m in (1, 5)
        for name in ("lloyd", "auto")
    ]
    for plain, auto in zip(fits[::2], fits[1::2], strict=True):
        np.testing.assert_array_equal(auto.codes_, plain.codes_)
        np.testing.assert_array_equal(auto.cluster_centers_, plain.cluster_centers_)
        assert auto.inertia_ == plain.inertia_


def test_blas_has_its_threads_back_whoever_fits_beside():
    def threads():
        return [(lib["filepath"], lib["num_threads"]) for lib in threadpool_info()]

    X = np.random.default_rng(0).normal(size=(300, 64))
    before = threads()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: CoarseRows(LocalPoints(X), X[:256]), range(40)))
    assert threads() == before


def test_they_are_taken_where_they_pay_and_left_where_they_do_not():
    rng = np.random.default_rng(0)
    X = low_rank(rng, 2000, 130)
    there = kernels.backend().has_bytes
    for k, d in ((255, 130), (256, 130), (256, 63), (256, 64)):
        coarse = CoarseRows(LocalPoints(X[:, :d]), X[:k, :d])
        assert (coarse.directions is not None) == (k == 256 and d >= 64)
    assert (fastest(LocalPoints(X), X[:70]).coarse is not None) == there
    assert fastest(LocalPoints(X.astype(np.float32)), X[:70].astype(np.float32)).coarse is None
    assert fastest(LocalPoints(X), X[:10]).coarse is None
    assert fastest(LocalPoints(X[:, :20]), X[:70, :20]).coarse is None
    assert fastest(LocalPoints(0 * X), 0 * X[:70]).coarse is None
    assert fastest(LocalPoints(1e30 * X), X[:70]).coarse is None
    same = LocalPoints(1 + 1e-9 * X)
    same.X[0] = -1e9  # all other rows have the same codes
    assigner = fastest(same, same.X[:70])
    assigner.assign(same.X[:70])
    assert assigner.coarse is None
