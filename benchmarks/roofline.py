"""Limits: what this machine can do at most, by our kernels and by NumPy, two threads each.

Multiply-adds a second of full distances, of distances in eight bits, and of a NumPy product; bytes
a second of rows that are read once. An iteration of Lloyd takes at least its n k d multiply-adds
over the first or the second, or its bytes over the last: `docs/speed.md` holds rows of `lloyd` to
that.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks import data
from sskmeans import kernels
from sskmeans.kernels.types import Moves
from sskmeans.points import LocalPoints
from sskmeans.refine.bounds import rounding_of
from sskmeans.refine.coarse import CoarseRows


def run(smoke: bool) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Rows and summary of this benchmark."""
    n, d, k = (1000, 64, 16) if smoke else (20_000, 768, 1000)
    X, labels = data.labelled_blobs(n, d, k, "float32")
    points = LocalPoints(X)
    C = points.sums(labels.astype(np.int32), k).means().astype(np.float32)
    C[np.isnan(C)] = 0.0
    coarse = CoarseRows(points, C).beside(C)
    if coarse is not None:  # of all columns, for all centres
        coarse = coarse._replace(leading=None)
    state = np.full(n, -1, dtype=np.int32), np.empty(n), np.empty(n), Moves(*np.zeros((3, k)))
    long = np.ones((200_000 if smoke else 4_000_000, 64), dtype=np.float32)
    none = np.zeros(len(long), dtype=np.int32)
    timed: dict[str, tuple[Callable[[], Any], float, str]] = {
        "full distances": (lambda: points.nearest(C), n * k * d, "multiply-adds"),
        "coarse distances": (
            lambda: points.reassign(C, *state, rounding_of(points), 1.0, True, coarse),
            n * k * d,
            "multiply-adds",
        ),
        "NumPy product": (lambda: X @ C.T, n * k * d, "multiply-adds"),
        "rows read once": (lambda: kernels.own(long, None, long[:1], none), long.nbytes, "bytes"),
    }
    rows = [
        {"limit": name, "1e9 a second": amount / _best(call) / 1e9, "of": unit}
        for name, (call, amount, unit) in timed.items()
    ]
    return rows, {}


def _best(call: Callable[[], Any], rounds: int = 7) -> float:
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return min(times)
