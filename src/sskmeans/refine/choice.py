"""Which way of finding nearest centres is fastest for these points: what "auto" takes."""

from __future__ import annotations

from scipy import sparse

from sskmeans.kernels.types import Array
from sskmeans.points import LocalPoints
from sskmeans.refine.assigner import Assigner
from sskmeans.refine.hamerly import Hamerly
from sskmeans.refine.leading import Leading
from sskmeans.refine.yinyang import Yinyang

WIDE = 96  # columns from which a distance is dear enough to be avoided one by one
LARGE = 5e7  # numbers in all differences of an assignment; below, preparing takes longer


def fastest(points: LocalPoints, centres: Array) -> Assigner:
    """Hamerly's filter for short rows and small problems, else Yinyang's bounds."""
    k, d = centres.shape
    if d >= WIDE and points.n * k * d >= LARGE and not sparse.issparse(points.X):
        return yinyang_if_dense(points, centres)
    return Hamerly(points, centres)


def yinyang_if_dense(points: LocalPoints, centres: Array) -> Assigner:
    """Yinyang's bounds where rows are dense and of a size that float32 can tell of."""
    if sparse.issparse(points.X) or points.n == 0:
        return Hamerly(points, centres)
    leading = Leading(points, centres)
    return Yinyang(points, centres, leading) if leading.trusted else Hamerly(points, centres)
