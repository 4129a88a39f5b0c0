"""What fitted centres say of rows: `predict`, `transform`, `score`, for any number of rows.

Rows come in blocks, so that memory goes to the answer alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
    TransformerMixin,
)
from sklearn.utils.validation import check_is_fitted

from sskmeans import kernels, messages, validate
from sskmeans.kernels.types import Array
from sskmeans.points import LocalPoints


class FittedCentres(ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, BaseEstimator):
    """The half of `SSKMeans` that works on a finished fit."""

    cluster_centers_: Array
    classes_: Array
    n_features_in_: int
    feature_names_in_: Array
    _wide: bool  # float32 rows are worked on in float64
    _unit: bool  # rows are scaled to length one

    def predict(self, X: Any) -> Array:
        """The class of the nearest centre of each row.

        Parameters
        ----------
        X : array-like or CSR/CSC of shape (n_samples, n_features)
            New rows, or old ones, whose labels are not known here.

        Returns
        -------
        ndarray of shape (n_samples,)
            Values of `classes_`.
        """
        rows, parts = self._new_rows(X)
        codes = np.empty(rows.shape[0], dtype=np.int32)
        for block, points, centres in parts:
            codes[block] = points.nearest(centres)[0]
        return np.asarray(self.classes_[codes])

    def transform(self, X: Any) -> Array:
        """Distance of each row to each centre.

        Parameters
        ----------
        X : array-like or CSR/CSC of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples, n_clusters)
            Euclidean distances; under "cosine" between directions, sqrt(2 - 2 cos), 0 to 2.
        """
        return self._transform(X)

    def _transform(self, X: Any) -> Array:
        rows, parts = self._new_rows(X, len(self.cluster_centers_))
        single = validate.is_single(rows)
        shape = rows.shape[0], len(self.cluster_centers_)
        out = np.empty(shape, dtype=np.float32 if single else np.float64)
        for block, points, centres in parts:
            farthest = math.sqrt(kernels.roots(points.distances(centres), out[block]))
            if single and farthest > float(np.finfo(np.float32).max):
                raise messages.distances_too_large(farthest)
        return out

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Minus the weighted squared distances of the rows to their nearest centre.

        It rises with `n_clusters`, whatever the classes are, so it cannot choose that number.

        Parameters
        ----------
        X : array-like or CSR/CSC of shape (n_samples, n_features)
            Rows.
        y : object
            Ignored, as scikit-learn's KMeans ignores it: a score of held-out rows cannot depend
            on labels that a fit has not seen.
        sample_weight : array-like of shape (n_samples,), optional
            Weight of each row, not negative.

        Returns
        -------
        float
            Never positive; 0 where every row is a centre.
        """
        rows, parts = self._new_rows(X)
        weights = validate.read_weights(sample_weight, rows.shape[0])
        cost = 0.0
        for block, points, centres in parts:
            best = points.nearest(centres)[1]
            cost += float((best if weights is None else best * weights[block]).sum())
        return -cost

    def _new_rows(
        self, X: Any, width: int = 1
    ) -> tuple[Any, Iterator[tuple[slice, LocalPoints, Array]]]:
        """Rows to predict, and blocks of them as points, with the centres in their dtype.

        `width` is how many numbers are to be computed for each row.
        """
        check_is_fitted(self)
        rows = validate.read_new_rows(X, self)
        centres = np.ascontiguousarray(self.cluster_centers_)
        blocks = validate.new_row_blocks(
            rows, centres.dtype, unit=self._unit, wide=self._wide, width=width
        )
        return rows, (
            (block, LocalPoints(part), centres.astype(part.dtype, copy=False))
            for block, part in blocks
        )

    @property
    def _n_features_out(self) -> int:
        return len(self.cluster_centers_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        tags.target_tags.required = False
        return tags
