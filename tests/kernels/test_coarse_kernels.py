"""Coarse distances in every set of instructions: the codes of the reference, bounds that hold."""

import numpy as np
import pytest
from kernel_problems import problem

from sskmeans.kernels import reference
from sskmeans.kernels.types import Moves
from sskmeans.points import LocalPoints
from sskmeans.refine.bounds import rounding_of
from sskmeans.refine.coarse import CoarseRows

native = pytest.importorskip("sskmeans.kernels.native", exc_type=ImportError)
pytestmark = pytest.mark.usefixtures("instructions")
DTYPES = [np.float32, np.float64]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("levels", "bias"), [(127, 128), (63, 0)])
@pytest.mark.parametrize("d", [1, 7, 16, 17, 100])
def test_codes_are_those_of_the_reference(d, levels, bias, dtype):
    X, _ = problem(300, d, 2, dtype, offset=100.0)
    X[5] = 0
    rows = np.arange(300)[::3]
    for chosen in (None, rows):
        ground = X.mean(axis=0, dtype=np.float64), 3.0, levels, bias
        (codes, stats), (expected, told) = (
            kernels.coarsen(X, chosen, *ground) for kernels in (native, reference)
        )
        np.testing.assert_array_equal(codes, expected)
        np.testing.assert_allclose(stats, told, rtol=1e-6, atol=1e-11)
    same = np.ones((3, d), dtype=dtype)  # rows without any deviation
    codes, stats = native.coarsen(same, None, np.ones(d), 1.0, levels, bias)
    assert (codes[:, :d] == bias).all()
    assert not stats[:, :2].any()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("k", [1, 2, 9, 16, 70])
@pytest.mark.parametrize("d", [5, 64, 130])
def test_labels_are_the_nearest_and_bounds_hold_while_centres_move(d, k, dtype):
    X, C = problem(1500, d, k, dtype)
    rng = np.random.default_rng(d + k)
    chosen = rng.permutation(1500)[:1100]
    points = LocalPoints(X, chosen)
    coarse, rounding = CoarseRows(points, C), rounding_of(points)
    labels, upper, lower = np.full(1100, -1, dtype=np.int32), np.empty(1100), np.empty(1100)
    bounds = labels, upper, lower
    moves = Moves(*np.zeros((3, k)))
    for step in range(4):
        before = labels.copy()
        parts = coarse.beside(C) if coarse.usable else None  # equal centres have no size
        found = native.reassign(X, chosen, C, None, *bounds, moves, rounding, 1.0, step == 0, parts)
        nearest, best, _ = reference.nearest(X, chosen, C)
        np.testing.assert_array_equal(labels, nearest)
        np.testing.assert_array_equal(found.positions, np.flatnonzero(before != labels))
        np.testing.assert_array_equal(found.left, before[found.positions])
        wide = X[chosen].astype(np.longdouble)[:, None] - C.astype(np.longdouble)
        true = np.sqrt((wide**2).sum(axis=2)).astype(float)
        own = true[np.arange(1100), labels]
        assert (upper >= own).all()
        true[np.arange(1100), labels] = np.inf
        assert (lower <= true.min(axis=1)).all()
        if step == 0:
            np.testing.assert_allclose(-found.gain, best.sum(), rtol=1e-5)
        moved = (C + rng.normal(scale=0.1 / (step + 1), size=C.shape)).astype(dtype)
        drift = np.linalg.norm(moved.astype(float) - C, axis=1) * (1 + 1e-9)
        others = np.array([np.delete(drift, j).max(initial=0.0) for j in range(k)])
        moves, C = Moves(drift, others, np.zeros(k)), moved
