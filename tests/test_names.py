"""Classes keep the names they were given, and new ones get names that nobody else has."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sskmeans import SSKMeans
from sskmeans.labels import MARKERS, read_labels

X = np.arange(12.0)[:, None]


@pytest.mark.parametrize(
    ("marker", "known", "new"),
    [(0, 5, 1), (1.0, 5, 0), (np.int8(0), 5, 1), (False, 5, 0), ("new-0", "ox", "new-1")],
)
def test_no_new_class_is_called_by_the_marker(marker, known, new):
    """Its rows would be unlabelled to the next fit."""
    y = [known, *[marker] * 11]
    model = SSKMeans(n_clusters=2, missing_label=marker, random_state=0).fit(X, y)
    assert set(model.classes_.tolist()) == {known, new}
    nothing = SSKMeans(n_clusters=2, missing_label=0, random_state=0).fit(X, [0] * 12)
    assert nothing.classes_.tolist() == [1, 2]


def classes(known, k):
    return read_labels(np.array(known, dtype=object), len(known), k, None).classes.tolist()


@pytest.mark.parametrize(
    ("known", "k", "expected"),
    [
        ([10, 20], 5, [0, 1, 2, 10, 20]),
        ([1, 4], 5, [0, 1, 2, 3, 4]),
        ([0, 1, 2], 3, [0, 1, 2]),
        ([0, 2], 4, [0, 1, 2, 3]),
        ([-7], 3, [-7, 0, 1]),
        ([True], 3, [0, 1, 2]),
        ([2**63 - 1], 2, [0, 2**63 - 1]),
        (["b", "a"], 3, ["a", "b", "new-0"]),
        (["new-0"], 2, ["new-0", "new-1"]),
        (["new-1", "x"], 4, ["new-0", "new-1", "new-2", "x"]),
        (["x"], 11, [*(f"new-{i}" for i in range(10)), "x"]),
        (["x"], 12, [*(f"new-{i:02}" for i in range(11)), "x"]),
        (
            ["new-3"],
            11,
            [*(f"new-0{i}" for i in range(10)), "new-3"],
        ),
        (["new-00"], 2, ["new-0", "new-00"]),
    ],
)
def test_new_classes_take_the_names_that_the_design_gives(known, k, expected):
    assert classes(known, k) == expected


@given(st.sets(st.integers(-20, 20), min_size=1, max_size=9), st.integers(0, 12))
def test_new_integers_are_the_smallest_unused(known, n_new):
    found = classes(sorted(known), len(known) + n_new)
    new = set(found) - known
    assert found == sorted(found)
    assert known <= set(found)
    assert len(new) == n_new
    assert not any(i not in known and i not in new for i in range(max(new, default=0)))


@given(
    st.sets(st.from_regex(r"new-\d{1,2}|\w{1,3}", fullmatch=True), min_size=1, max_size=9).filter(
        lambda known: not {name.lower() for name in known} & MARKERS
    ),
    st.integers(0, 30),
)
def test_new_strings_have_one_width_and_never_collide(known, n_new):
    found = classes(sorted(known), len(known) + n_new)
    new = set(found) - known
    assert found == sorted(found)
    assert known <= set(found)
    assert len(new) == n_new
    assert len({len(name) for name in new}) <= 1
    assert all(name.startswith("new-") and name[4:].isdecimal() for name in new)


@given(st.sets(st.integers(0, 8), max_size=9))
def test_labels_below_k_are_their_own_slots(known):
    labels = read_labels(np.array([*known, None], dtype=object), len(known) + 1, 9, None)
    assert labels.classes.tolist() == list(range(9))
    assert labels.codes.tolist() == [*known, -1]
    assert np.flatnonzero(labels.is_known).tolist() == sorted(known)
