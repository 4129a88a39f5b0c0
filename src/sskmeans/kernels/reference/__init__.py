"""What every kernel computes, said in NumPy: the specification of the native ones.

Shapes and directions are the same in `native`, which a test holds to this file:

    X        in   (n, d) C-ordered float32 or float64, or CSR with sorted indices
    rows     in   (m,) intp, the rows of X to work on; None means all of them in order
    centres  in   (k, d) C-ordered, dtype of X
    labels   in   (m,) int32, positions in `centres`, aligned with `rows`
    weights  in   (m,) float64 aligned with `rows`, or None for ones

Squared distances come back as float64. They are computed by differences, sum (x - c)^2 in the
dtype of X, so their error is *relative*, whatever the offset of the data: no shift to the mean, no
cancellation, and a row at distance zero gets exactly 0. CSR rows cannot afford d differences, so
they use |x|^2 - 2xc + |c|^2 in float64 and fall back to differences where that form cancels.
No BLAS anywhere: its bits change with its threads.
"""

from sskmeans.kernels.reference.coarse import centre_levels, coarsen, look
from sskmeans.kernels.reference.distances import CANCELLED, distances, nearest, own, roots
from sskmeans.kernels.reference.filters import claim, gains, pick, reassign
from sskmeans.kernels.reference.loop import lloyd
from sskmeans.kernels.reference.totals import columns, extent, heaviest, means, steps, sums

__all__ = [
    "CANCELLED",
    "centre_levels",
    "claim",
    "coarsen",
    "columns",
    "distances",
    "extent",
    "gains",
    "heaviest",
    "lloyd",
    "look",
    "means",
    "nearest",
    "own",
    "pick",
    "reassign",
    "roots",
    "steps",
    "sums",
]
