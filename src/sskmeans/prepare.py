"""From what the user gives to what the algorithms take: one place, for every public face."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sskmeans import messages, validate
from sskmeans.kernels.types import Array
from sskmeans.labels import Labels, read_labels
from sskmeans.points import LocalPoints, Sums
from sskmeans.problem import directions, labelled_sums


@dataclass(frozen=True)
class Prepared:
    """Checked data: rows as points, labels as slots, and the centroids of the labelled classes."""

    rows: LocalPoints  # all of them, in the dtype of the computation
    dtype: np.dtype[Any]  # that of the answer
    labels: Labels
    given: Sums  # weighted sums of the labelled rows of each class
    centres: Array  # (k, d) centroids of the labelled classes, zeros for the others
    variance: float  # mean variance of the columns
    wide: bool  # float32 rows are worked on in float64

    @property
    def n_new(self) -> int:
        """Classes that nobody has labelled."""
        return int(np.count_nonzero(~self.labels.is_known))

    def drawable(self) -> LocalPoints:
        """The unlabelled rows; an error if they cannot fill the classes without labels."""
        everything, labels = self.rows, self.labels
        known = labels.classes[labels.is_known].tolist()
        free = everything
        if known:
            free = LocalPoints(everything.X, labels.unlabelled, everything.weights)
        weighty = free.n if free.weights is None else int(np.count_nonzero(free.weights))
        if weighty < self.n_new:
            raise messages.nothing_to_draw(self.n_new, weighty, len(labels.classes), known)
        return free


def prepare(
    X: Any,
    y: Any,
    sample_weight: Any,
    n_clusters: int,
    *,
    missing_label: Any = -1,
    unit: bool = False,
    estimator: Any = None,
) -> Prepared:
    """Check everything that can be checked before work starts."""
    matrix = validate.read_rows(X, estimator=estimator)
    n = matrix.shape[0]
    weights = validate.read_weights(sample_weight, n)
    if n < n_clusters:
        raise messages.too_few_rows(n, n_clusters)
    labels = read_labels(y, n, n_clusters, missing_label)
    if unit:
        matrix = validate.unit_rows(matrix)
    seen = validate.survey(matrix, weights)
    dtype = matrix.dtype
    if seen.wide:
        matrix = matrix.astype(np.float64)
    everything = LocalPoints(matrix, None, weights)
    given = labelled_sums(everything, labels)
    weightless = labels.is_known & (given.mass == 0)
    if weightless.any():
        raise messages.weightless_class(labels.classes[weightless].tolist())
    centres = directions(given.means()) if unit else given.means()
    cancelled = labels.is_known & np.isnan(centres[:, 0])
    if cancelled.any():
        raise messages.cancelling_class(labels.classes[cancelled].tolist())
    centres = np.where(labels.is_known[:, None], centres, 0.0).astype(matrix.dtype)
    return Prepared(everything, dtype, labels, given, centres, seen.variance, seen.wide)
