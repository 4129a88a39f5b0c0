"""Where the draws come from, and when they come at all.

A `RandomState` or `Generator` given by the caller advances; an int makes the answer repeatable;
None is fresh entropy. NumPy's global state is never touched, and no stream is when every class is
labelled.
"""

import pickle

import numpy as np
import pytest

from sskmeans import SSKMeans, ss_kmeans_plusplus

INITS = ["k-means++", "greedy-k-means++", "random"]
X = np.random.default_rng(0).normal(size=(50, 3))


def streams():
    return [np.random.RandomState(5), np.random.default_rng(5)]


def state(rng):
    """The state of a stream, or of `np.random` itself, as something that compares."""
    generator = isinstance(rng, np.random.Generator)
    return pickle.dumps(rng.bit_generator.state if generator else rng.get_state())


def seed_it(init, rng, y=None):
    """Centres from one of the three laws, after one update at most."""
    return SSKMeans(6, init=init, random_state=rng, n_init=1, max_iter=1).fit(X, y)


@pytest.mark.parametrize("which", [0, 1])
def test_a_given_stream_advances(which):
    rng = streams()[which]
    seen = [tuple(ss_kmeans_plusplus(X, None, 6, random_state=rng)[1]) for _ in range(5)]
    assert len(set(seen)) == 5
    again = streams()[which]
    assert [tuple(ss_kmeans_plusplus(X, None, 6, random_state=again)[1]) for _ in range(5)] == seen


@pytest.mark.parametrize("init", INITS)
@pytest.mark.parametrize("which", [0, 1])
def test_the_estimator_advances_it_too(which, init):
    rng = streams()[which]
    first, before = seed_it(init, rng), state(rng)
    second = seed_it(init, rng)
    assert state(rng) != before
    assert first.cluster_centers_.tobytes() != second.cluster_centers_.tobytes()


@pytest.mark.parametrize("init", INITS)
def test_an_int_repeats_and_another_int_differs(init):
    first, same, other = (seed_it(init, rng).cluster_centers_ for rng in (3, 3, 4))
    assert first.tobytes() == same.tobytes()
    assert first.tobytes() != other.tobytes()


def test_an_int_is_the_random_state_of_that_seed():
    by_int = ss_kmeans_plusplus(X, None, 6, random_state=3)
    by_state = ss_kmeans_plusplus(X, None, 6, random_state=np.random.RandomState(3))
    assert by_int[1].tolist() == by_state[1].tolist()


@pytest.mark.parametrize("init", INITS)
@pytest.mark.parametrize("rng", [None, 0])
def test_the_global_state_is_not_touched_and_has_no_influence(rng, init):
    np.random.seed(1)
    before = state(np.random)
    first = seed_it(init, rng)
    ss_kmeans_plusplus(X, None, 6, random_state=rng)
    assert state(np.random) == before
    np.random.seed(1)
    second = seed_it(init, rng)
    repeated = first.cluster_centers_.tobytes() == second.cluster_centers_.tobytes()
    assert repeated == (rng is not None)


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("supervision", ["clamp", "seed", "freeze"])
@pytest.mark.parametrize("init", INITS)
def test_no_stream_is_touched_when_every_class_is_labelled(init, supervision, which):
    y = np.where(np.arange(50) < 20, np.arange(50) % 6, -1)
    rng = streams()[which]
    before = state(rng)
    SSKMeans(6, init=init, supervision=supervision, random_state=rng).fit(X, y)
    indices = ss_kmeans_plusplus(X, y, 6, random_state=rng)[1]
    assert state(rng) == before
    assert (indices == -1).all()
