"""`pick`: rows by their mass, in either backend; whole numbers, so that every sum is exact."""

import numpy as np
import pytest

LARGEST = np.nextafter(1.0, 0.0)


@pytest.fixture
def pick(backend):
    return backend.pick


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n", [1, 5, 1023, 1024, 1025, 5000])
def test_every_row_owns_the_numbers_of_its_mass(pick, n, weighted):
    for seed in range(5):
        rng = np.random.default_rng(seed)
        squares = rng.integers(0, 3, size=n).astype(float)
        squares[rng.integers(n)] = 4.0
        weights = rng.integers(0, 3, size=n).astype(float) if weighted else None
        mass = squares if weights is None else squares * weights
        if not mass.any():
            continue
        ends = np.cumsum(mass)
        numbers = np.concatenate([(ends[mass > 0] - 0.5) / ends[-1], [0.0, LARGEST]])
        found, total = pick(squares, weights, numbers)
        assert total == ends[-1]
        rows = np.flatnonzero(mass)
        np.testing.assert_array_equal(found, [*rows, rows[0], rows[-1]])


def test_a_row_without_mass_is_never_drawn_and_nothing_costs_nothing(pick):
    squares = np.zeros(5000)
    found, total = pick(squares, None, np.array([0.0, 0.5, LARGEST]))
    assert total == 0
    squares[[7, 3000]] = 1e-300, 1.0
    found, _ = pick(squares, None, np.array([0.0, 1e-310, 0.5, LARGEST]))
    assert set(found) <= {7, 3000}


def test_the_law(pick):
    squares = np.zeros(3000)
    squares[[0, 1023, 1024, 2500]] = 1.0, 2.0, 3.0, 4.0
    rng = np.random.default_rng(0)
    found, _ = pick(squares, None, rng.random(100_000))
    counts = np.bincount(found, minlength=3000)[[0, 1023, 1024, 2500]]
    assert counts.sum() == 100_000
    expected = 100_000 * np.array([0.1, 0.2, 0.3, 0.4])
    assert (((counts - expected) ** 2) / expected).sum() < 25  # chi-squared, 3 degrees: 1e-5
