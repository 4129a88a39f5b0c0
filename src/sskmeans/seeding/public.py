"""`ss_kmeans_plusplus`: the seeding alone, for those who bring their own clustering."""

from __future__ import annotations

import warnings
from typing import Any

from sskmeans import messages, validate
from sskmeans.kernels.types import Array
from sskmeans.prepare import prepare
from sskmeans.seeding import seed
from sskmeans.seeding.plusplus import plusplus


def ss_kmeans_plusplus(
    X: Any,
    y: Any,
    n_clusters: int,
    *,
    sample_weight: Any = None,
    random_state: Any = None,
    missing_label: Any = -1,
) -> tuple[Array, Array]:
    """Starting centres for k-means when some rows are labelled (ss-k-means++).

    Each labelled class gives its centroid. Every further centre is an unlabelled row, drawn with
    probability proportional to its weight times its squared distance to the nearest centre so far.
    Without labels this is k-means++, whose first row is drawn in proportion to weight alone.
    Distances are Euclidean; for directions give rows of length one.

    Parameters
    ----------
    X : array-like or CSR/CSC of shape (n_samples, n_features)
        The rows.
    y : array-like of shape (n_samples,) or None
        Labels; `missing_label`, NaN, None and pandas' NA where there is none.
    n_clusters : int
        How many centres, those of the labelled classes included.
    sample_weight : array-like of shape (n_samples,), optional
        Weight of each row.
    random_state : None, int, RandomState or Generator
        Where the draws come from. It is not touched when every class is labelled.
    missing_label : int, str, None or NaN, default=-1
        What `y` holds where a row is not labelled.

    Returns
    -------
    centers : ndarray of shape (n_clusters, n_features)
        In the order of the sorted classes; new classes are named as `SSKMeans` names them.
    indices : ndarray of shape (n_clusters,)
        The row that each centre is, -1 where it is the centroid of a labelled class.

    Examples
    --------
    >>> import numpy as np
    >>> from sskmeans import ss_kmeans_plusplus
    >>> X = np.array([[0.0], [1.0], [10.0], [10.0], [20.0]])
    >>> centers, indices = ss_kmeans_plusplus(X, [0, 0, 1, 1, -1], 3, random_state=0)
    >>> centers.ravel()
    array([ 0.5, 10. , 20. ])
    >>> indices
    array([-1, -1,  4])
    """
    n_clusters = validate.whole_number("n_clusters", n_clusters, 1)
    rng = validate.read_random_state(random_state)
    ready = prepare(X, y, sample_weight, n_clusters, missing_label=missing_label)
    points = ready.drawable()
    seeding = seed(plusplus, points, ready.centres, ready.labels.is_known, rng)
    if seeding.n_distinct < n_clusters:
        warnings.warn(messages.fewer_distinct_rows(seeding.n_distinct, n_clusters), stacklevel=2)
    indices = seeding.positions.copy()
    drawn = indices >= 0
    if points.rows is not None:
        indices[drawn] = points.rows[indices[drawn]]
    return seeding.centres.astype(ready.dtype), indices
