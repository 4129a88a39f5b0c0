"""Rows without mass are never drawn, whatever the uniform number and the rounding."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sskmeans.seeding.draws import draw

LARGEST = float(np.nextafter(1.0, 0.0))
masses = st.lists(
    st.one_of(st.just(0.0), st.floats(1e-300, 1e300), st.floats(1e-3, 1e3)), min_size=1, max_size=40
).filter(any)


class Fixed:
    """A random stream that says one number."""

    def __init__(self, number):
        self.number = number

    def random(self, size):
        return np.full(size, self.number)


@given(masses, st.one_of(st.just(0.0), st.just(LARGEST), st.floats(0, LARGEST)))
def test_only_rows_that_add_to_the_sum_are_drawn(values, number):
    cumulative = np.cumsum(values)
    found = draw(cumulative, 3, Fixed(number))
    assert (np.diff(cumulative, prepend=0.0)[found] > 0).all()


@pytest.mark.parametrize(("number", "row"), [(0.0, 1), (0.24, 1), (0.25, 3), (LARGEST, 3)])
def test_rows_without_mass_at_both_ends_and_between(number, row):
    cumulative = np.cumsum([0.0, 1.0, 0.0, 3.0, 0.0, 0.0])
    assert draw(cumulative, 1, Fixed(number)).tolist() == [row]


def test_a_product_that_rounds_up_to_the_sum_falls_to_the_last_row_with_mass():
    cumulative = np.cumsum([0.0, 5e-324, 0.0])
    assert LARGEST * cumulative[-1] == cumulative[-1]
    assert draw(cumulative, 1, Fixed(LARGEST)).tolist() == [1]


@pytest.mark.parametrize("seed", range(5))
def test_every_row_is_drawn_in_proportion(seed):
    rng = np.random.default_rng(seed)
    mass = rng.random(8)
    counts = np.bincount(draw(np.cumsum(mass), 100_000, rng), minlength=8)
    expected = 100_000 * mass / mass.sum()
    assert (np.abs(counts - expected) < 5 * np.sqrt(expected)).all()  # 5 standard deviations
