"""Which way of finding nearest centres is fastest for these points: what "auto" takes."""

from __future__ import annotations

from scipy import sparse

from sskmeans import kernels
from sskmeans.kernels.types import Array
from sskmeans.points import LocalPoints
from sskmeans.refine.assigner import Assigner
from sskmeans.refine.coarse import CoarseRows
from sskmeans.refine.exhaustive import Exhaustive
from sskmeans.refine.hamerly import Hamerly

TINY = 1 << 17  # differences in an assignment that take less time than any bookkeeping
WIDE, WIDEST = 64, 1 << 16  # columns: below, codes save nothing; beyond, products leave 32 bits
LARGE = 1 << 16  # bytes of centres from which a full comparison takes longer than a coarse one
LONG, SEVERAL = 1 << 11, 8  # bytes of a row from which reading it does, beside so many centres


def is_tiny(points: LocalPoints, k: int) -> bool:
    """Whether an assignment takes less time than what stands between two of them."""
    return bool(points.n * k * points.stored < TINY)


def fastest(points: LocalPoints, centres: Array) -> Assigner:
    """Hamerly's filter, with coarse distances behind it for many centres of many columns."""
    k, d = centres.shape
    if is_tiny(points, k):
        return Exhaustive(points, centres)
    dense = k <= points.n and not sparse.issparse(points.X) and kernels.backend().has_bytes
    long = d * centres.itemsize >= LONG and k >= SEVERAL
    if dense and WIDE <= d <= WIDEST and (long or centres.nbytes >= LARGE):
        coarse = CoarseRows(points, centres)
        return Hamerly(points, centres, coarse if coarse.usable else None)
    return Hamerly(points, centres)
