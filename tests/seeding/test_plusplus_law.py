"""The batched sampler draws by the law of ss-k-means++, exactly.

Every ordered tuple of rows has its probability, by enumeration in fractions; a chi-square test
holds thousands of draws to it. 9 sets x 3 seeds here, 3 more with copies for weights, and 9 through
the public function, at p > 1e-4 each.
"""

import warnings

import numpy as np
import pytest
from exact_law import LEAST_P, in_turn, p_value, plusplus_step
from small_sets import SETS, SmallSet

from sskmeans import ss_kmeans_plusplus
from sskmeans.seeding.plusplus import plusplus


def law_of(case):
    return in_turn(plusplus_step(case.rows, case.w, case.fixed, case.free), case.n_new)


@pytest.mark.parametrize(
    ("form", "seed", "count"), [("float64", 0, 5000), ("float32", 1, 5000), ("csr", 2, 2000)]
)
@pytest.mark.parametrize("name", SETS)
def test_ordered_tuples_follow_the_enumerated_law(name, form, seed, count):
    case = SETS[name]
    assert p_value(law_of(case), case.draws(plusplus, seed, count, form)) > LEAST_P


@pytest.mark.parametrize("name", SETS)
def test_the_public_function_follows_the_same_law(name):
    case = SETS[name]
    X, rng = np.array(case.rows, dtype=float), np.random.RandomState(3)
    known = [label for label in range(case.k) if label in (case.y or [])]
    new = np.setdiff1d(np.arange(case.k), known)
    draws = []
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Only .* centres are distinct")
        for _ in range(2000):
            indices = ss_kmeans_plusplus(
                X, case.y, case.k, sample_weight=case.weights, random_state=rng
            )[1]
            assert (indices[known] == -1).all()
            draws.append(tuple(indices[new].tolist()))
    assert p_value(law_of(case), draws) > LEAST_P


@pytest.mark.parametrize("seed", range(3))
def test_a_weight_is_a_number_of_copies_in_law(seed):
    case = SETS["weights"]
    copies = [i for i, w in enumerate(case.w) for _ in range(w)]
    repeated = SmallSet([case.rows[i] for i in copies], None, None, case.k)
    draws = repeated.draws(plusplus, seed, 5000)
    assert p_value(law_of(case), [tuple(copies[i] for i in rows) for rows in draws]) > LEAST_P


def test_the_law_by_enumeration_is_the_one_in_the_paper():
    # Rows 0, 1, 3 on a line, row 0 labelled: D2 is 1 and 9, so P(3 first) = 9/10.
    step = plusplus_step([(0,), (1,), (3,)], [1, 1, 1], [(0,)], [1, 2])
    law = {outcome: float(p) for outcome, p in in_turn(step, 1).items()}
    assert law == {(1,): 0.1, (2,): 0.9}
    # The weights count: 9 * 1 against 1 * 3.
    step = plusplus_step([(0,), (1,), (3,)], [5, 3, 1], [(0,)], [1, 2])
    assert in_turn(step, 2) == {(1, 2): pytest.approx(0.25), (2, 1): pytest.approx(0.75)}


@pytest.mark.parametrize("name", SETS)
def test_enumerated_laws_are_complete(name):
    assert sum(law_of(SETS[name]).values()) == 1
