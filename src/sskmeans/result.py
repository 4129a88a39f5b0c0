"""What a seeding and a clustering answer."""

from __future__ import annotations

from typing import NamedTuple

from sskmeans.kernels.types import Array


class Seeding(NamedTuple):
    """k starting centres, in the order of the slots."""

    centres: Array  # (k, d)
    positions: Array  # (k,) position of the row a centre was drawn from, -1 where none was
    n_distinct: int  # centres drawn before every row coincided with one


class Clustering(NamedTuple):
    """Where a refinement stopped. The four belong together: labels are nearest to these centres."""

    centres: Array  # (k, d)
    labels: Array  # (n,) int32, slot of each point
    cost: float  # weighted squared distances of the points, and of the labelled rows to their own
    n_iter: int
    history: dict[str, Array]  # "cost", "moved", "distances": one entry an iteration
