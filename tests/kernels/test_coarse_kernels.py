"""Coarse distances in every set of instructions: the codes of the reference, bounds that hold."""

import numpy as np
import pytest
from kernel_problems import problem

from sskmeans import kernels
from sskmeans.kernels import reference
from sskmeans.kernels.types import Moves
from sskmeans.points import LocalPoints
from sskmeans.refine.bounds import rounding_of
from sskmeans.refine.coarse import CoarseRows
from sskmeans.refine.leading import Directions

native = pytest.importorskip("sskmeans.kernels.native", exc_type=ImportError)
if kernels.backend().name != "native":  # whose largest code is not that of each set
    pytest.skip("only the reference is asked for", allow_module_level=True)
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


@pytest.mark.parametrize("d", [64, 100, 131, 300])
def test_what_directions_see_is_what_the_reference_says(d):
    X, C = problem(300, d, 70, np.float64)
    X[5] = X[6]
    coarse = CoarseRows(LocalPoints(X), C)
    directions = Directions(*native.coarsen(C, None, coarse.middle, coarse.unit, 63, 0), d)
    to = 127, 128
    ours = directions.look(coarse.codes, coarse.stats, *to)
    known = directions.codes, directions.bias, directions.scale
    theirs = reference.look(coarse.codes, coarse.stats, *known, *to)
    off = np.abs(ours[0].astype(int) - theirs[0])  # a half may be rounded either way
    assert off.max() <= 1
    assert (off > 0).mean() < 1e-3
    np.testing.assert_allclose(ours[1], theirs[1], rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("d", [64, 131, 300])
def test_rows_are_no_further_apart_in_directions(d):
    """Rows and centres as the codes tell them, exactly, and as the directions see them."""
    for seed in range(3):
        rng = np.random.default_rng(seed)
        X, C = rng.normal(size=(200, d)) @ rng.normal(size=(d, d)), rng.normal(size=(70, d))
        coarse = CoarseRows(LocalPoints(X), C)
        codes, stats = native.coarsen(C, None, coarse.middle, coarse.unit, coarse.levels, 0)
        directions = Directions(codes, stats, d)
        seen = directions.look(coarse.codes, coarse.stats, 127, 128)
        centres = directions.look(codes ^ 128, stats, coarse.levels, 0)
        true = apart(decoded(coarse.codes, coarse.stats, 128), decoded(codes, stats, 0))
        told = apart(decoded(*seen, 128), decoded(*centres, 0))
        lost = seen[1][:, None, 2].astype(float) + centres[1][None, :, 2]
        assert (told <= true + lost).all()
        assert np.median(told / true) > 0.5  # and they see something
        whole = directions.codes.view(np.int8).astype(float) * directions.scale
        assert np.linalg.norm(whole, 2) <= 1


def decoded(codes, stats, bias):
    whole = codes.astype(np.longdouble) - bias if bias else codes.view(np.int8)
    return np.hstack([whole * stats[:, :1].astype(np.longdouble), stats[:, 3:]])


def apart(x, c):
    return np.sqrt(((x[:, None] - c[None]) ** 2).sum(axis=2)).astype(float)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("k", [1, 2, 9, 16, 70, 300])
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
        nearest, best, _ = native.nearest(X, chosen, C)
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
