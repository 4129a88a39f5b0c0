"""Rows in eight bits a number, for a first look at distances; `refine.coarse` tells why."""

from __future__ import annotations

import numpy as np

from sskmeans.kernels.reference.distances import count_rows, row_blocks, squared_lengths
from sskmeans.kernels.types import Array, Rows


def centre_levels() -> int:
    """The largest code that a centre may have."""
    return 127


def coarsen(
    X: Array, rows: Rows, middle: Array, unit: float, levels: int, bias: int
) -> tuple[Array, Array]:
    """Rows in eight bits a number, and how well that tells of them.

    A row is  middle + unit (scale q + what that lost)  with whole numbers q of at most `levels`:
    codes are (m, width) uint8, q + bias with zeros up to a multiple of sixteen; stats are (m, 4)
    float32, the scale, |scale q|^2, at least the length of what was lost, and 0.
    """
    m = count_rows(X, rows)
    codes, stats = room(m, X.shape[1])
    codes[:, X.shape[1] :] = 0
    with np.errstate(over="ignore", invalid="ignore"):  # what float32 cannot hold is infinite
        for block, part in row_blocks(X, rows, 1):
            step = (part - middle) * (1.0 / unit)
            codes[block, : X.shape[1]], stats[block] = _encode(step, levels, bias)
    return codes, stats


def look(
    codes: Array,
    stats: Array,
    directions: Array,
    bias: Array,
    scale: float,
    levels: int,
    to_bias: int,
) -> tuple[Array, Array]:
    """Coarse rows as seen in a few directions.

    `directions` (p, width) holds int8 codes in unsigned bytes, which `scale` makes directions none
    of which, nor any mixture, lengthens a row; `bias` (p,) takes the bias out of their products
    with the rows. The last of the stats is the length that the directions do not see: it is one
    more coordinate, at right angles to all others.
    """
    products = codes.astype(np.int64) @ directions.view(np.int8).astype(np.int64).T + bias
    step = (stats[:, :1].astype(np.float64) * scale) * products.astype(np.float32)
    seen, told = room(len(codes), len(directions))
    seen[:, len(directions) :] = 0
    seen[:, : len(directions)], told[:] = _encode(step, levels, to_bias)
    size = stats[:, 1].astype(np.float64)
    rest = np.sqrt(np.maximum(size - squared_lengths(step), 0.0))
    blur = 2.0**-20 * size  # roundings of the size, and of a product beyond 2^24
    off = np.where(rest > np.sqrt(blur), blur / np.maximum(rest, 1e-300), np.sqrt(blur))
    told[:, 1] += rest**2
    told[:, 2] += off * (1 + 2.0**-20)
    told[:, 3] = rest
    return seen, told


def _encode(step: Array, levels: int, bias: int) -> tuple[Array, Array]:
    scale = (np.abs(step).max(axis=1) / levels).astype(np.float32)
    wide = scale.astype(np.float64)
    back = np.divide(1.0, wide, out=np.zeros(len(wide)), where=wide > 0)
    q = np.rint(step * back[:, None])
    lost = np.sqrt(squared_lengths(step - wide[:, None] * q)) + 1e-12
    stats = [wide, wide**2 * squared_lengths(q), lost * (1 + 2.0**-20), np.zeros(len(wide))]
    return (q.astype(np.int32) + bias).astype(np.uint8), np.stack(stats, axis=1)


def room(m: int, d: int) -> tuple[Array, Array]:
    """Where the codes of m rows of d numbers, and what is told of them, are written."""
    width = -(-d // 16) * 16
    return np.empty((m, width), dtype=np.uint8), np.empty((m, 4), dtype=np.float32)
