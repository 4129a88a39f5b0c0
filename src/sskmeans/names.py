"""What the k classes are called: the given values, and names for the new classes.

Known classes keep their value. New ones take the smallest unused non-negative integers or, among
strings, `new-0`, `new-1`, ...; never the value of `missing_label`, which would read as unlabelled
in a later fit.
"""

from __future__ import annotations

from itertools import count, islice
from typing import Any

import numpy as np

from sskmeans import messages
from sskmeans.kernels.types import Array


def name_classes(known: Array, n_clusters: int, reserved: set[Any]) -> Array:
    """The given values and the names of the new classes, none of them reserved, sorted."""
    n_new = n_clusters - len(known)
    if n_new == 0:
        return known
    numbers = len(known) == 0 or known.dtype.kind in "iub" or isinstance(known[0], int)
    if not numbers and not isinstance(known[0], str):
        raise messages.unextendable(type(known[0]).__name__, len(known), n_clusters)
    taken = {*known.tolist(), *reserved}
    if numbers:
        new = islice((i for i in count() if i not in taken), n_new)
        return whole_numbers(sorted([*known.tolist(), *new]))
    names = sorted([*known.tolist(), *_new_names(taken, n_new)])
    return np.array(names, dtype=known.dtype.kind)


def _new_names(taken: set[str], n_new: int) -> list[str]:
    for width in count(1):
        names = (f"new-{i:0{width}}" for i in range(10**width))
        free = list(islice((name for name in names if name not in taken), n_new))
        if len(free) == n_new:
            return free
    raise AssertionError  # pragma: no cover - count() does not end


def whole_numbers(values: list[int]) -> Array:
    """In int64 if they fit, else in uint64, else as Python's own; never rounded."""
    for kind in (np.int64, np.uint64):
        try:
            return np.array(values, dtype=kind)
        except OverflowError:
            continue
    return np.array(values, dtype=object)
