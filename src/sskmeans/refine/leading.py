"""Coarse rows in a few directions: most centres are excluded before their codes are read.

Directions in which the centres differ most tell most of a distance: |x - c| is no less than what
they see of it. How much they see of each row, and what is left of it, is found once; of each
centre, at every iteration. The kernel `look` says why what is left tells something too.
"""

from __future__ import annotations

from functools import lru_cache
from threading import Lock

import numpy as np
from threadpoolctl import ThreadpoolController

from sskmeans import kernels
from sskmeans.kernels.types import Array

ROW_BIAS = 128  # codes of rows are unsigned bytes
MOST, SHARE = 96, 4  # directions, and columns for each of them
FEWEST = 16 * SHARE  # columns: codes come in groups of sixteen
LIMITED = Lock()  # the limit is the process's: whoever comes second would restore the first's
ENOUGH = 0.85  # of what the centres differ by: more directions would be more work than help


class Directions:
    """Directions in which these coarse centres differ most, as whole numbers times a scale."""

    def __init__(self, codes: Array, stats: Array, d: int) -> None:
        centres = codes[:, :d].view(np.int8) * stats[:, :1]
        # One thread: others would go on waiting for work, in the way of the kernels'.
        with LIMITED, _blas().limit(limits=1, user_api="blas"):
            whole = np.rint(_spread(_principal(centres, min(MOST, d // SHARE // 16 * 16))))
            wide = whole.astype(np.float64)  # whose products are exact
            longest = np.linalg.eigvalsh(wide.T @ wide)[-1]
        # No row is longer in these directions than it is.
        self.scale = float((1.0 - 2.0**-10) / np.sqrt(longest))
        self.codes = np.zeros((whole.shape[1], codes.shape[1]), dtype=np.uint8)
        self.codes[:, :d] = whole.T.astype(np.int8).view(np.uint8)
        self.bias = -ROW_BIAS * self.codes.view(np.int8).sum(axis=1, dtype=np.int32)

    def look(self, codes: Array, stats: Array, levels: int, bias: int) -> tuple[Array, Array]:
        """Codes and stats, as of `coarsen`, of coarse rows with a bias of ROW_BIAS."""
        return kernels.look(codes, stats, self.codes, self.bias, self.scale, levels, bias)


@lru_cache(maxsize=1)
def _blas() -> ThreadpoolController:
    """Looks through all loaded libraries, once."""
    return ThreadpoolController()


def _principal(centres: Array, most: int) -> Array:
    """The first principal axes of the centres, as many as are enough: (d, a multiple of 16).

    One round of the power method from any start; only speed depends on how good they are.
    """
    deviations = centres - centres.mean(axis=0)
    start = np.random.RandomState(0).standard_normal((centres.shape[1], most))
    basis = np.linalg.qr(deviations.T @ (deviations @ start.astype(centres.dtype)))[0]
    seen = deviations @ basis
    squares, axes = np.linalg.eigh(seen.T @ seen)
    share = np.cumsum(squares[::-1]) / max(float(np.square(deviations).sum()), 1e-30)
    count = -(-(1 + np.searchsorted(share, ENOUGH)) // 16) * 16
    return np.asarray(basis @ axes[:, ::-1][:, : min(count, most)])


def _spread(basis: Array) -> Array:
    """Turned so that no coordinate is much larger than others: their codes share one scale."""
    turn = np.random.RandomState(1).standard_normal((basis.shape[1], basis.shape[1]))
    turned = basis @ np.linalg.qr(turn)[0].astype(basis.dtype)
    return np.asarray(turned * (kernels.centre_levels() / np.abs(turned).max()))
