"""Under one stream the picks are those of the geometry.

Scaling by a power of two and translation by representable numbers change no bit of a difference;
names of classes, unit of weight, dtype and storage are no geometry at all.
"""

import numpy as np
import pytest
from scipy import sparse

from sskmeans import ss_kmeans_plusplus
from sskmeans.points import LocalPoints
from sskmeans.seeding import SEEDERS

SEEDS = range(5)


def grid(seed):
    """Integer rows, labels of classes with four rows each (their means are exact), weights."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-500, 500, size=(60, 3)).astype(float)
    y = np.full(60, -1)
    y[rng.permutation(60)[:8]] = [0, 0, 0, 0, 1, 1, 1, 1]
    weights = rng.integers(1, 5, size=60).astype(float)
    weights[y >= 0] = 2.0
    return X, y, weights


def indices(X, y, weights=None, k=9, **how):
    return ss_kmeans_plusplus(X, y, k, sample_weight=weights, random_state=11, **how)[1].tolist()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("labelled", [True, False])
def test_scaling_and_translation_change_no_pick(labelled, seed):
    X, y, weights = grid(seed)
    y = y if labelled else None
    picks = indices(X, y, weights)
    for factor in (2.0**-40, 2.0, 2.0**90):
        assert indices(X * factor, y, weights) == picks
    for offset in (-17.0, 2.0**20, [1e6, -3.0, 2.0**40]):
        assert indices(X + offset, y, weights) == picks
    assert indices(-X, y, weights) == picks


@pytest.mark.parametrize("seed", SEEDS)
def test_the_unit_of_weight_changes_no_pick(seed):
    X, y, weights = grid(seed)
    picks = indices(X, y, weights)
    assert indices(X, y, weights * 2.0**30) == picks
    assert indices(X, y, weights * 2.0**-30) == picks
    assert indices(X, y, np.full(60, 4.0)) == indices(X, y)


@pytest.mark.parametrize("seed", SEEDS)
def test_float32_and_sparse_rows_give_the_picks_of_float64(seed):
    X, y, weights = grid(seed)  # integers: every distance is exact in each of the three
    picks = indices(X, y, weights)
    assert indices(X.astype(np.float32), y, weights) == picks
    assert indices(sparse.csr_array(X), y, weights) == picks
    assert indices(np.asfortranarray(X), y, weights) == picks


@pytest.mark.parametrize("seed", SEEDS)
def test_names_of_classes_change_the_slots_and_nothing_else(seed):
    X, y, weights = grid(seed)
    picks = indices(X, y, weights)
    assert picks[:2] == [-1, -1]
    swapped = np.choose(y + 1, [-1, 1, 0])
    assert indices(X, swapped, weights) == picks
    moved = indices(X, np.choose(y + 1, [-1, 3, 8]), weights)
    assert [i for i in moved if i >= 0] == picks[2:]
    assert [slot for slot, i in enumerate(moved) if i == -1] == [3, 8]
    names = np.choose(y + 1, ["?", "b", "a"])
    named = indices(X, names, weights, missing_label="?")
    assert named == picks  # "a" and "b" sort before "new-0"


@pytest.mark.parametrize("seed", SEEDS)
def test_labelled_rows_count_by_their_centroid_alone(seed):
    X, y, weights = grid(seed)
    picks = indices(X, y, weights)
    spread = X.copy()
    for label in (0, 1):
        four = np.flatnonzero(y == label)
        spread[four] += np.array([64, -64, 32, -32.0])[:, None]
    assert indices(spread, y, weights) == picks


@pytest.mark.parametrize("law", SEEDERS)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_selection_of_rows_is_seeded_like_a_copy_of_it(seed, law):
    X, y, weights = grid(seed)
    free = np.flatnonzero(y == -1)
    fixed = X[y == 0][:2]
    selected = LocalPoints(X, free, weights)
    copied = LocalPoints(X[free], None, weights[free])
    picks = [SEEDERS[law](p, fixed, 6, np.random.default_rng(seed)) for p in (selected, copied)]
    assert picks[0].positions.tolist() == picks[1].positions.tolist()
