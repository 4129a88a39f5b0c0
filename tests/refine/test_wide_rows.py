"""Wide rows: Yinyang's bounds with leading directions behind them give Lloyd's labels, bit for bit.

The shapes are such that axes are kept, groups have one member or several, and some rows are hard
enough to be compared with all centres at once.
"""

import numpy as np
import pytest
from side_by_side import FORMS, KINDS, rows, runs

from sskmeans.points import LocalPoints
from sskmeans.refine.choice import yinyang_if_dense
from sskmeans.refine.leading import Leading, principal_axes

DENSE = ["float64", "float32"]
assert set(DENSE) <= set(FORMS)


def low_rank(rng, n, d, rank=6):
    """Rows near a few directions, as real wide rows are: the axes hold most of a distance."""
    middles = 4 * rng.normal(size=(12, rank))
    inside = middles[rng.integers(12, size=n)] + rng.normal(size=(n, rank))
    return inside @ rng.normal(size=(rank, d)) + 0.3 * rng.normal(size=(n, d))


@pytest.mark.parametrize("form", DENSE)
@pytest.mark.parametrize("kind", [*KINDS, "low rank"])
def test_step_by_step(kind, form):
    steps = 0
    for seed in range(8):
        rng = np.random.default_rng(seed)
        n, d = int(rng.integers(150, 500)), int(rng.choice([64, 96, 131, 300]))
        k, known = int(rng.choice([2, 15, 16, 17, 40, 70])), int(rng.integers(0, 4))
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
@pytest.mark.parametrize("seed", range(3))
def test_groups_of_several_centres(monkeypatch, seed, form):
    monkeypatch.setattr("sskmeans.refine.yinyang.SMALL", 0)  # as if bounds filled the memory
    rng = np.random.default_rng(seed)
    X = FORMS[form](low_rank(rng, 1200, 96))
    start = X[rng.integers(1200, size=130)]
    assert yinyang_if_dense(LocalPoints(X), start).group > 1
    assert runs(X, None, start)[0] > 10


@pytest.mark.parametrize("form", DENSE)
@pytest.mark.parametrize("offset", [0.0, 1e3, 1e6])
def test_leading_coordinates_never_overstate_a_distance(offset, form):
    for seed in range(5):
        rng = np.random.default_rng(seed)
        X = FORMS[form](low_rank(rng, 300, 200) + offset)
        C = X[rng.integers(300, size=20)] + FORMS[form](rng.normal(size=(20, 200)))
        leading = Leading(LocalPoints(X), C)
        x, c = leading.rows.astype(np.longdouble), leading.of(C).astype(np.longdouble)
        led = np.sqrt(((x[:, None, :-1] - c[None, :, :-1]) ** 2).sum(axis=2))
        wide = X.astype(np.longdouble)[:, None] - C.astype(np.longdouble)
        true = np.sqrt((wide**2).sum(axis=2))
        assert (led - x[:, None, -1] - c[None, :, -1] <= true).all()
        assert leading.axes.shape[1] >= 16
        assert np.median(led / true) > 0.5  # and they say much of it


def test_axes_are_the_principal_ones():
    for seed in range(3):
        steps = low_rank(np.random.default_rng(seed), 800, 120)
        steps -= steps.mean(axis=0)
        axes = principal_axes(steps, 16).astype(float)
        spread = np.linalg.svd(steps, compute_uv=False) ** 2
        np.testing.assert_allclose(axes.T @ axes, np.eye(16), atol=1e-5)
        held = (steps @ axes) ** 2
        assert held.sum() >= 0.99 * spread[:16].sum()
        np.testing.assert_allclose(held[:, :6].sum(axis=0), spread[:6], rtol=1e-3)
