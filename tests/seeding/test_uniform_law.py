"""`init="random"` draws distinct unlabelled rows one after the other, in proportion to weight.

Enumerated and held to by chi-square: 4 sets x 3 seeds at p > 1e-4 each.
"""

import random
from dataclasses import replace

import numpy as np
import pytest
from exact_law import LEAST_P, in_turn, p_value, uniform_step
from small_sets import SETS

from sskmeans.seeding.draws import draw_distinct
from sskmeans.seeding.uniform import uniform

CASES = {
    name: SETS[name]
    for name in ("no labels", "two classes labelled", "weights", "weights and labels")
}


def law_of(case):
    return in_turn(uniform_step(case.w, case.free), case.n_new)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", CASES)
def test_ordered_tuples_follow_the_enumerated_law(name, seed):
    case = CASES[name]
    assert p_value(law_of(case), case.draws(uniform, seed, 8000)) > LEAST_P


def test_where_the_rows_lie_has_no_influence():
    case = CASES["weights and labels"]
    elsewhere = replace(case, rows=[(i**3, -i) for i in range(len(case.rows))])
    assert case.draws(uniform, 0, 100) == elsewhere.draws(uniform, 0, 100)


@pytest.mark.parametrize("name", ["weights", "weights and labels"])
def test_a_sampler_that_forgets_weights_is_caught(name):
    case, rng = CASES[name], random.Random(0)
    drawable = [i for i in case.free if case.w[i]]
    draws = [tuple(rng.sample(drawable, case.n_new)) for _ in range(3000)]
    assert p_value(law_of(case), draws) < 1e-12


@pytest.mark.parametrize("seed", range(10))
def test_rows_without_weight_come_last(seed):
    rng = np.random.default_rng(seed)
    weights = rng.integers(0, 2, size=30).astype(float)
    heavy = int(weights.sum())
    order = draw_distinct(weights, 30, rng)
    assert sorted(order.tolist()) == list(range(30))
    assert weights[order[:heavy]].all()
