"""`gains` and `claim`: the native ones are the reference's, and both are what they say they are."""

import numpy as np
import pytest
from kernel_problems import FORMS, csr_array, dense, problem

from sskmeans.kernels import reference, relative_error
from sskmeans.points import LocalPoints
from sskmeans.seeding.greedy import half_way

native = pytest.importorskip("sskmeans.kernels.native", exc_type=ImportError)
pytestmark = pytest.mark.usefixtures("instructions")


def covered(X, C):
    """Rows with their nearest of a few centres, candidates, and what the distances between say."""
    held, candidates = C[:-5], C[-5:]
    owners, squares, _ = native.nearest(X, None, held)
    return held, candidates, owners, squares, half_way(candidates, held, LocalPoints(X))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n", [1, 31, 1024, 2600])
def test_native_equals_reference(n, dtype, form):
    X, C = problem(n, 6, 20, dtype, seed=n, density=0.7)
    X = form(X)
    _, candidates, owners, squares, reach = covered(X, C)
    for weights in (None, np.random.default_rng(n).random(n)):
        arguments = X, None, candidates, weights, reach.min(axis=0), squares, owners, 1.0
        mine, other = (LocalPoints(X).room_for_squares(5) for _ in range(2))
        ours, theirs = native.gains(*arguments, mine), reference.gains(*arguments, other)
        np.testing.assert_allclose(ours[0], theirs[0], rtol=50 * relative_error(X), atol=1e-6)
        assert ours[1] == theirs[1]
    looked = squares > reach.min(axis=0)[owners]
    mine_seen, other_seen = (kept.transpose(0, 2, 1).reshape(-1, 5)[:n] for kept in (mine, other))
    close = {"rtol": 2 * relative_error(X), "atol": 1e-30}
    np.testing.assert_allclose(mine_seen[looked], other_seen[looked], **close)
    for column in range(5):
        after = [(squares.copy(), owners.copy()) for _ in range(2)]
        native.claim(mine, column, reach[column], *after[0], 15)
        reference.claim(mine, column, reach[column], *after[1], 15)
        np.testing.assert_array_equal(after[0], after[1])


@pytest.mark.parametrize("form", [dense, csr_array])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("offset", [0.0, 1e4])
def test_rows_that_are_passed_over_would_gain_nothing(offset, dtype, form):
    """Against all distances: what is claimed is what `nearest` says of all centres, bit for bit."""
    for seed in range(10):
        X, C = problem(500, 3, 12, dtype, seed, offset, density=0.8)
        X = form(X)
        held, candidates, owners, squares, reach = covered(X, C)
        D = native.distances(X, None, candidates)
        expected = np.maximum(squares[:, None] - D, 0).sum(axis=0)
        kept = LocalPoints(X).room_for_squares(5)
        gains, share = native.gains(
            X, None, candidates, None, reach.min(axis=0), squares, owners, 1.0, kept
        )
        np.testing.assert_allclose(gains, expected, rtol=1e-12)
        assert share < 1
        for i in range(5):
            native.claim(kept, i, reach[i], squares, owners, 7 + i)
            centres = np.concatenate([held, candidates[: i + 1]])
            reach = half_way(candidates, centres, LocalPoints(X))
            labels, best, _ = native.nearest(X, None, centres)
            np.testing.assert_array_equal(squares, best)
            np.testing.assert_array_equal(owners, labels)


def test_rows_by_number():
    X, C = problem(300, 4, 20, np.float64)
    rows = np.random.default_rng(0).permutation(300)[:100]
    _, candidates, owners, squares, reach = covered(X[rows], C)
    there = None, reach.min(axis=0), squares, owners, 1.0, np.empty((1, 5, 1024))
    whole = native.gains(X[rows], None, candidates, *there)
    np.testing.assert_array_equal(native.gains(X, rows, candidates, *there)[0], whole[0])
