"""Which way of finding nearest centres is fastest for these points: what "auto" takes."""

from __future__ import annotations

from scipy import sparse

from sskmeans import kernels
from sskmeans.kernels.types import Array
from sskmeans.points import LocalPoints
from sskmeans.refine.assigner import Assigner
from sskmeans.refine.coarse import CoarseRows
from sskmeans.refine.hamerly import Hamerly

WIDE = 128  # columns from which a distance is dear enough to be avoided one by one
MANY = 64  # centres from which it pays to look at all of them twice
WIDEST = 1 << 16  # columns up to which products of codes fit into 32 bits


def fastest(points: LocalPoints, centres: Array) -> Assigner:
    """Hamerly's filter, with coarse distances behind it for many centres of many columns."""
    k, d = centres.shape
    fits = MANY <= k <= points.n and WIDE <= d <= WIDEST and not sparse.issparse(points.X)
    coarse = CoarseRows(points) if fits and kernels.backend().has_bytes else None
    return Hamerly(points, centres, coarse if coarse and coarse.usable else None)
