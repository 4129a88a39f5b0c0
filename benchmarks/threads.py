"""Claim: two threads do twice the work, and a small fit starts none.

The same fit under a limit of one thread and of two, in turn; the answers must be the same bits.
`threads started` counts those that appear while Iris is fitted a hundred times.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import threadpoolctl

from benchmarks import data
from benchmarks.contest import Contestant, race
from benchmarks.peers import quietly
from sskmeans import SSKMeans, ss_kmeans_plusplus

CASES = [
    ("lloyd", lambda: data.blobs(200_000, 64, 100, "float32", 0.5), 100),
    ("auto", lambda: data.blobs(200_000, 64, 100, "float32", 0.5), 100),
    ("auto", lambda: data.blobs(500_000, 16, 50, "float32"), 50),
    ("auto", lambda: data.blobs(500_000, 8, 24, "float64"), 24),
    ("auto", lambda: data.blobs(110_000, 384, 150, "float32", 0.5), 150),
    ("seeding", lambda: data.blobs(200_000, 64, 100, "float32", 0.5), 100),
]
SMOKE = [("auto", lambda: data.blobs(3000, 8, 5, "float32"), 5)]


def run(smoke: bool) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Rows and summary of this benchmark."""
    rows = [_row(*case) for case in (SMOKE if smoke else CASES)]
    faster = {"least 1 -> 2": min(row["1 -> 2"] for row in rows)}
    return rows, faster | {"threads started by 100 fits of Iris": _started_by_iris()}


def _row(what: str, make: Any, k: int) -> dict[str, Any]:
    X = make()
    start = X[:: len(X) // k][:k].copy()

    def work() -> np.ndarray:
        if what == "seeding":
            return ss_kmeans_plusplus(X, None, k, random_state=0)[0]
        model = SSKMeans(k, init=start, tol=0, max_iter=15, algorithm=what)
        return quietly(lambda: model.fit(X)).cluster_centers_

    def limited(threads: int) -> Callable[[], np.ndarray]:
        def run() -> np.ndarray:
            with threadpoolctl.threadpool_limits(threads):
                return work()

        return run

    one, two = (Contestant(str(count), limited(count)) for count in (1, 2))
    race([one, two], most=7)
    row: dict[str, Any] = {"": what, "data": f"{X.shape[0]}x{X.shape[1]}", "k": k}
    row |= {"one": one.seconds, "two": two.seconds, "1 -> 2": one.seconds / two.seconds}
    return row | {"same bits": bool(one.answer.tobytes() == two.answer.tobytes())}


def _started_by_iris() -> int:
    """Threads get rising numbers from Linux: those that passed by while fits ran, less our own."""
    X = data.small("iris")
    SSKMeans(3, random_state=0).fit(X)
    before = _number_of_a_new_thread()
    for seed in range(100):
        SSKMeans(3, random_state=seed).fit(X)
    return _number_of_a_new_thread() - before - 1


def _number_of_a_new_thread() -> int:
    numbers: list[int] = []
    thread = threading.Thread(target=lambda: numbers.append(threading.get_native_id()))
    thread.start()
    thread.join()
    return numbers[0]
