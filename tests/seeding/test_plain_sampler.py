"""The batched sampler and a plain one, one row at a time, cannot be told apart.

On sets too large to enumerate: which row fills each slot (chi-square of two samples), which pair
fills the last two, and what potential is left (Kolmogorov-Smirnov). The same statistics tell every
mistaken sampler from the law, so they have the power to.
"""

import random
from collections import Counter

import numpy as np
import plain_sampler
import pytest
from exact_law import LEAST_P, in_turn, p_value, plusplus_step
from scipy import stats
from small_sets import SETS

from sskmeans.points import LocalPoints
from sskmeans.seeding.plusplus import plusplus

COUNT = 2500


def problem(seed):
    """36 rows in three clumps, random weights with zeros, and `seed` fixed centres."""
    rng = np.random.default_rng(seed)
    X = np.concatenate([rng.normal(size=(12, 2)) + 6 * c for c in rng.normal(size=(3, 2))])
    weights = rng.integers(0, 4, size=len(X)).astype(float)
    return X, weights, rng.normal(size=(seed, 2))


def batched_draws(X, weights, fixed, n_new, seed):
    points, rng = LocalPoints(X, None, weights), np.random.default_rng(seed)
    return np.array([plusplus(points, fixed, n_new, rng).positions for _ in range(COUNT)])


def plain_draws(X, weights, fixed, n_new, seed):
    rng, rows, free = random.Random(seed), X.tolist(), range(len(X))
    w, centres = weights.tolist(), fixed.tolist()
    return np.array([plain_sampler.plain(rows, w, centres, free, n_new, rng) for _ in range(COUNT)])


def same_law(first, second):
    """p-value of two samples of outcomes having one law; rare outcomes are taken together."""
    a, b = Counter(first), Counter(second)
    common = [v for v in a | b if a[v] + b[v] >= 20]
    table = np.array([[c[v] for v in common] for c in (a, b)])
    table = np.column_stack([table, [COUNT, COUNT] - table.sum(axis=1)])
    return stats.chi2_contingency(table[:, table.sum(axis=0) > 0]).pvalue


def potentials(X, weights, fixed, draws):
    D2 = ((X[:, None] - X[None]) ** 2).sum(axis=-1)
    start = ((X[:, None] - fixed[None]) ** 2).sum(axis=-1).min(axis=1, initial=np.inf)
    return np.minimum(D2[draws].min(axis=1), start) @ weights


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_batched_and_plain_samplers_cannot_be_told_apart(seed):
    X, weights, fixed = problem(seed)
    ours, plain = (draws(X, weights, fixed, 5, seed) for draws in (batched_draws, plain_draws))
    for slot in range(5):
        assert same_law(ours[:, slot].tolist(), plain[:, slot].tolist()) > LEAST_P
    pairs = [[tuple(row) for row in draws[:, -2:].tolist()] for draws in (ours, plain)]
    assert same_law(*pairs) > LEAST_P
    left = [potentials(X, weights, fixed, draws) for draws in (ours, plain)]
    assert stats.ks_2samp(*left).pvalue > LEAST_P


@pytest.mark.parametrize(
    ("name", "mistake"),
    [
        ("weights and labels", plain_sampler.labelled_rows_drawn_too),
        ("two classes labelled", plain_sampler.labelled_rows_drawn_too),
        ("one class labelled", plain_sampler.distance_not_squared),
        ("no labels", plain_sampler.distance_not_squared),
        ("no labels", plain_sampler.uniformly),
        ("weights", plain_sampler.weights_forgotten),
        ("weights", plain_sampler.weights_forgotten_in_the_first_draw),
        ("two classes labelled", plain_sampler.centroids_forgotten),
        ("no labels", plain_sampler.one_batch_without_rejection),
        ("rows that cover each other", plain_sampler.one_batch_without_rejection),
        ("two classes labelled", plain_sampler.one_batch_without_rejection),
        ("no labels", plain_sampler.best_of_two),
    ],
)
def test_a_mistaken_sampler_is_caught_by_the_same_statistic(name, mistake):
    case, rng = SETS[name], random.Random(0)
    law = in_turn(plusplus_step(case.rows, case.w, case.fixed, case.free), case.n_new)
    centroids = [[float(v) for v in centroid] for centroid in case.fixed]
    given = case.rows, case.w, centroids, case.free, case.n_new, rng
    assert p_value(law, [plain_sampler.plain(*given) for _ in range(COUNT)]) > LEAST_P
    assert p_value(law, [mistake(*given) for _ in range(COUNT)]) < 1e-12
