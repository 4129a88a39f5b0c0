"""Many rows are drawn in one pass over the data, and rejection keeps the law.

A pass is a call of `points.nearest`. The first candidate of a batch is always accepted, so there
are never more passes than draws; on clustered data there are about as many as log k.
"""

from importlib import import_module

import numpy as np
import pytest
from exact_law import in_turn, p_value, plusplus_step
from small_sets import SETS

from sskmeans.points import LocalPoints
from sskmeans.seeding.plusplus import plusplus, walk


class CountingPoints(LocalPoints):
    """Points that count the passes over them."""

    passes = 0

    def nearest(self, centres):
        self.passes += 1
        return super().nearest(centres)


def passes(X, k, seed, fixed=None):
    points = CountingPoints(X)
    fixed = np.empty((0, X.shape[1]), dtype=X.dtype) if fixed is None else fixed
    picks = plusplus(points, fixed, k - len(fixed), np.random.default_rng(seed)).positions
    assert len(set(picks.tolist())) == k - len(fixed)
    return points.passes


def clumps(n, k, d, seed):
    rng = np.random.default_rng(seed)
    return rng.normal(scale=10, size=(k, d))[rng.integers(k, size=n)] + rng.normal(size=(n, d))


@pytest.mark.parametrize("seed", range(4))
def test_clustered_data_take_few_passes(seed):
    X = clumps(4000, 100, 8, seed)
    assert passes(X, 10, seed) <= 6
    assert passes(X, 100, seed) <= 10
    assert passes(X, 400, seed) <= 12


@pytest.mark.parametrize("seed", range(4))
def test_labelled_centres_take_passes_away_rather_than_add_any(seed):
    X = clumps(4000, 100, 8, seed)
    assert passes(X, 100, seed, X[:60].copy()) <= 8
    assert passes(X, 61, seed, X[:60].copy()) == 1


@pytest.mark.parametrize("seed", range(4))
def test_the_hard_case_takes_at_most_one_pass_a_draw(seed):
    """Clusters at distances 2**j: the farthest takes nearly all of every batch."""
    rng = np.random.default_rng(seed)
    X = 2.0 ** np.repeat(np.arange(100), 10)[:, None] * (1 + 1e-3 * rng.random((1000, 1)))
    easy = passes(clumps(1000, 100, 1, seed), 100, seed)
    assert easy < passes(X, 100, seed) <= 100


@pytest.mark.parametrize("n_new", [1, 2])
def test_no_pass_is_made_that_no_draw_needs(n_new):
    X = clumps(50, 5, 2, 0)
    assert passes(X, n_new, 0) == n_new - 1  # the first row is drawn by weight alone
    assert passes(X, n_new + 1, 0, X[:1].copy()) <= n_new


@pytest.mark.parametrize("seed", range(20))
def test_walk_accepts_the_first_and_refuses_what_is_covered(seed):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(6, 3))[rng.integers(6, size=40)]  # most repeat an earlier one
    accepted = walk(rows, rng.random(40) + 0.1, 40, rng)
    assert accepted[0] == 0
    assert accepted == sorted(accepted)
    assert len(np.unique(rows[accepted], axis=0)) == len(accepted)
    assert len(walk(rows, np.full(40, 9.0), 2, rng)) == 2


def accept_all(rows, frozen, wanted, rng):
    return list(range(min(wanted, len(rows))))


def accept_what_is_not_repeated(rows, frozen, wanted, rng):
    return sorted(np.unique(rows, axis=0, return_index=True)[1])[:wanted]


def accept_by_distance_not_squared(rows, frozen, wanted, rng):
    accepted, now = [], frozen.copy()
    for i, row in enumerate(rows):
        if len(accepted) < wanted and rng.random() < np.sqrt(now[i] / frozen[i]):
            accepted.append(i)
            now = np.minimum(now, ((rows - row) ** 2).sum(axis=1))
    return accepted


@pytest.mark.parametrize(
    "wrong", [accept_all, accept_what_is_not_repeated, accept_by_distance_not_squared]
)
def test_a_batch_that_accepts_by_another_rule_is_caught(wrong, monkeypatch):
    case = SETS["rows that cover each other"]
    law = in_turn(plusplus_step(case.rows, case.w, case.fixed, case.free), case.n_new)
    monkeypatch.setattr(import_module("sskmeans.seeding.plusplus"), "walk", wrong)
    assert p_value(law, case.draws(plusplus, 0, 3000)) < 1e-12
