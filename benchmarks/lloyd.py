"""Claim: from the same start, the same answer as every exact peer, several times sooner.

Lloyd to convergence (tol=0, at most 100 iterations); with many centres, ten iterations. Costs are
recomputed in float64 from the centres that each contestant returns; `same labels` is the least
share of rows on which a peer agrees with us: all of them in float64, while in float32 roundings
part ways. `work` is the share of n k distances an iteration that were computed; `products` is our
time in units of one NumPy product X C' an iteration. superkmeans, which starts elsewhere and prunes
approximately, stands apart: its time over ours, and its cost over ours.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks import data
from benchmarks.contest import Contestant, race, ratio
from benchmarks.peers import lloyd_contestants, superkmeans
from benchmarks.work import product_seconds
from sskmeans import ss_kmeans_plusplus

# name, how to make it, k, iterations at most
CASES = [
    ("2400x15 f64", lambda: data.blobs(2400, 15, 24, "float64"), 24, 100),
    ("11kx16 f64", lambda: data.blobs(11_000, 16, 10, "float64"), 10, 100),
    ("20kx16 f64", lambda: data.blobs(20_000, 16, 26, "float64"), 26, 100),
    ("40kx50", lambda: data.blobs(40_000, 50, 26, "float32"), 26, 100),
    ("40kx50 overlapping", lambda: data.blobs(40_000, 50, 26, "float32", 0.5), 26, 100),
    ("100kx64", lambda: data.blobs(100_000, 64, 100, "float32"), 100, 100),
    ("100kx64 overlapping", lambda: data.blobs(100_000, 64, 100, "float32", 0.5), 100, 100),
    ("500kx8 f64", lambda: data.blobs(500_000, 8, 24, "float64"), 24, 100),
    ("500kx16", lambda: data.blobs(500_000, 16, 50, "float32"), 50, 100),
    ("580kx54", lambda: data.blobs(580_000, 54, 50, "float32", 0.5), 7, 100),
    ("580kx54", lambda: data.blobs(580_000, 54, 50, "float32", 0.5), 50, 100),
    ("50kx384", lambda: data.blobs(50_000, 384, 150, "float32", 0.5), 150, 100),
    ("50kx32 noise", lambda: data.noise(50_000, 32, "float32"), 100, 100),
    ("20kx768", lambda: data.blobs(20_000, 768, 100, "float32"), 100, 100),
    ("embeddings 24kx384", lambda: data.real("embeddings"), 150, 100),
    ("fashion 70kx784", lambda: data.real("fashion"), 10, 100),
    ("fashion 70kx784", lambda: data.real("fashion"), 100, 100),
    ("embeddings 24kx384", lambda: data.real("embeddings"), 1000, 10),
    ("fashion 70kx784", lambda: data.real("fashion"), 1000, 10),
    ("100kx64", lambda: data.blobs(100_000, 64, 100, "float32"), 1000, 10),
]
SMOKE = CASES[:1]
MANY = 1000  # centres from which superkmeans is asked too: it is made for many


def run(smoke: bool) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Rows and summary of this benchmark."""
    return [_row(*case) for case in (SMOKE if smoke else CASES)], {}


def _row(name: str, make: Any, k: int, iterations: int) -> dict[str, Any]:
    X = make()
    if X is None:
        return {"data": name, "k": k, "ratio": float("nan"), "note": "data not there"}
    start = ss_kmeans_plusplus(X, None, k, random_state=0)[0]
    exact = lloyd_contestants(X, start, iterations)
    approximate = [superkmeans(X, k, iterations)] if k >= MANY else []
    race(exact + approximate)
    ours = exact[0]
    row: dict[str, Any] = {"data": name, "k": k, "iterations": ours.answer.n_iter}
    for each in exact + approximate:
        row[each.name] = each.seconds if each.rounds else float("nan")
    row["ratio"] = ratio(exact)
    row["work"] = ours.answer.distances / (len(X) * k * ours.answer.n_iter)
    row["products"] = ours.seconds / ours.answer.n_iter / product_seconds(X, start)
    cost = _cost(X, ours.answer.centres)
    ran = [each for each in exact[1:] if each.rounds]
    row["worst cost"] = max(abs(_cost(X, each.answer.centres) / cost - 1) for each in ran)
    row["same labels"] = min(
        float(np.mean(each.answer.labels == ours.answer.labels)) for each in ran
    )
    row |= _beside(approximate, ours, X, cost)
    row["note"] = "; ".join(f"{e.name}: {e.missing}" for e in exact + approximate if e.missing)
    return row


def _beside(
    peers: list[Contestant], ours: Contestant, X: np.ndarray, cost: float
) -> dict[str, Any]:
    """Time and cost of approximate peers, over ours."""
    return {
        f"{each.name} {what}": value
        for each in peers
        if each.rounds
        for what, value in (
            ("ratio", each.seconds / ours.seconds),
            ("cost", _cost(X, each.answer.centres) / cost),
        )
    }


def _cost(X: np.ndarray, centres: np.ndarray) -> float:
    """The cost of these centres, in float64, by whoever is not a contestant: plain NumPy."""
    total = 0.0
    wide = centres.astype(np.float64)
    norms = (wide**2).sum(axis=1)
    for begin in range(0, len(X), 8192):
        part = X[begin : begin + 8192].astype(np.float64)
        nearest = (norms - 2 * part @ wide.T).argmin(axis=1)
        total += float(((part - wide[nearest]) ** 2).sum())
    return total
