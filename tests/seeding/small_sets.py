"""Sets of a few rows, small enough for every outcome of a seeding to be enumerated.

Between them: no labels, one and two labelled classes, weights with zeros on labelled and unlabelled
rows, duplicates of rows and of centroids, rows that cover each other (much rejection), and fewer
distinct rows than centres.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy import sparse

from sskmeans.prepare import prepare

FORMS = {
    "float64": np.float64,
    "float32": np.float32,
    "csr": lambda rows: sparse.csr_array(np.array(rows, dtype=np.float64)),
}


@dataclass(frozen=True)
class SmallSet:
    """Rows of integers with labels (-1: none) and integer weights."""

    rows: list[tuple[int, ...]]
    y: list[int] | None
    weights: list[int] | None
    k: int

    @property
    def w(self) -> list[int]:
        return self.weights or [1] * len(self.rows)

    @property
    def free(self) -> list[int]:
        return [i for i in range(len(self.rows)) if self.y is None or self.y[i] == -1]

    @property
    def fixed(self) -> list[list[Fraction]]:
        """Weighted centroids of the labelled classes, exactly."""
        centroids = []
        for label in sorted(set(self.y or []) - {-1}):
            members = [i for i in range(len(self.rows)) if self.y[i] == label]
            mass = sum(self.w[i] for i in members)
            columns = zip(*(self.rows[i] for i in members), strict=True)
            centroids.append(
                [
                    sum(Fraction(self.w[i]) * v for i, v in zip(members, c, strict=True)) / mass
                    for c in columns
                ]
            )
        return centroids

    @property
    def n_new(self) -> int:
        return self.k - len(self.fixed)

    def draws(self, seeder, seed: int, count: int, form: str = "float64") -> list[tuple[int, ...]]:
        """Rows that a seeder of the package draws, as the public function would ask it to."""
        X = np.array(self.rows, dtype=FORMS[form]) if form != "csr" else FORMS[form](self.rows)
        ready = prepare(X, self.y, self.weights, self.k)
        points, fixed = ready.drawable(), ready.centres[ready.labels.is_known]
        names = np.arange(len(self.rows)) if points.rows is None else points.rows
        rng = np.random.default_rng(seed)
        return [
            tuple(names[seeder(points, fixed, self.n_new, rng).positions].tolist())
            for _ in range(count)
        ]


SPREAD = [(0, 0), (1, 0), (0, 2), (5, 1), (6, 3), (2, 7)]

SETS = {
    "no labels": SmallSet(SPREAD, None, None, 3),
    "one class labelled": SmallSet(SPREAD, [0, -1, -1, -1, -1, -1], None, 3),
    "two classes labelled": SmallSet(
        [*SPREAD, (9, 9), (8, 8)], [0, 0, -1, -1, -1, -1, 1, -1], None, 5
    ),
    "weights": SmallSet(SPREAD, None, [1, 4, 0, 2, 1, 3], 3),
    "weights and labels": SmallSet(
        [*SPREAD, (7, 0), (3, 3)], [2, -1, -1, 2, -1, -1, 2, -1], [3, 4, 0, 0, 1, 3, 1, 2], 4
    ),
    "duplicates": SmallSet([(0,), (0,), (3,), (3,), (3,), (7,), (8,)], None, None, 3),
    "duplicates of a centroid": SmallSet(
        [(1,), (3,), (2,), (2,), (5,), (5,), (9,)], [0, 0, -1, -1, -1, -1, -1], None, 3
    ),
    "rows that cover each other": SmallSet(
        [(1,), (2,), (4,), (8,), (1000,), (1001,)], None, None, 5
    ),
    "fewer distinct rows than centres": SmallSet(
        [(0,), (0,), (0,), (4,), (4,)], [0, -1, -1, -1, -1], [2, 1, 3, 0, 2], 4
    ),
}
