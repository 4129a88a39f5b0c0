"""Greedy k-means++ draws by its own law, exactly.

2 + floor(log k) candidates, independent and in proportion to w D2; the one that leaves the least
potential is kept, the first drawn among equals. 5 sets x 3 seeds, chi-square at p > 1e-4 each, and
the same statistic catches neighbouring laws.
"""

import numpy as np
import pytest
from exact_law import LEAST_P, greedy_step, in_turn, p_value
from small_sets import SETS, SmallSet

from sskmeans.points import LocalPoints
from sskmeans.seeding.greedy import greedy_plusplus
from sskmeans.seeding.plusplus import plusplus

CASES = {
    name: SETS[name]
    for name in ("no labels", "two classes labelled", "weights", "duplicates of a centroid")
} | {"equal candidates": SmallSet([(0,), (2,), (-2,), (5,), (-5,)], None, None, 2)}


def law_of(case, trials=None):
    trials = 2 + int(np.log(case.k)) if trials is None else trials
    step = greedy_step(case.rows, case.w, case.fixed, case.free, trials)
    return in_turn(step, case.n_new)


@pytest.mark.parametrize(
    ("form", "seed", "count"), [("float64", 0, 4000), ("float32", 1, 4000), ("csr", 2, 2000)]
)
@pytest.mark.parametrize("name", CASES)
def test_ordered_tuples_follow_the_enumerated_law(name, form, seed, count):
    case = CASES[name]
    assert p_value(law_of(case), case.draws(greedy_plusplus, seed, count, form)) > LEAST_P


@pytest.mark.parametrize("trials", [1, 2, 4])
def test_another_number_of_candidates_is_caught(trials):
    case = CASES["no labels"]  # three of them for k = 3
    assert p_value(law_of(case, trials), case.draws(greedy_plusplus, 0, 4000)) < 1e-6


@pytest.mark.parametrize("seed", range(3))
def test_greedy_leaves_less_potential_than_one_draw_a_centre(seed):
    rng = np.random.default_rng(seed)
    X = 10 * rng.normal(size=(20, 4))[rng.integers(20, size=600)] + rng.normal(size=(600, 4))
    points, none = LocalPoints(X), np.empty((0, 4))

    def left(seeder):
        runs = [seeder(points, none, 20, rng).positions for _ in range(20)]
        return np.mean([points.nearest(X[picks])[1].sum() for picks in runs])

    assert left(greedy_plusplus) < left(plusplus)


def test_a_single_centre_is_drawn_uniformly():
    """Nothing is there to compare candidates with."""
    none = np.empty((0, 1))
    points = LocalPoints(np.arange(4.0)[:, None])
    rng = np.random.default_rng(0)
    draws = [int(greedy_plusplus(points, none, 1, rng).positions[0]) for _ in range(4000)]
    assert p_value({(i,): 0.25 for i in range(4)}, [(i,) for i in draws]) > LEAST_P
