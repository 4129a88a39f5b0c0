"""Claim: k-means++ by its exact law in a few passes, greedy k-means++ in cheap ones.

Every run draws anew, so that no lucky draw decides. `passes` counts looks at all rows; `products`
is our time in units of one NumPy product X C' with all k centres.
"""

from __future__ import annotations

import math
from typing import Any

from benchmarks import data
from benchmarks.contest import race, ratio
from benchmarks.peers import seeding_contestants
from benchmarks.report import geometric_mean
from benchmarks.work import count_passes, product_seconds

# name, how to make it, k
CASES = [
    ("2400x15 f64", lambda: data.blobs(2400, 15, 24, "float64"), 24),
    ("20kx16", lambda: data.blobs(20_000, 16, 26, "float32"), 26),
    ("40kx50", lambda: data.blobs(40_000, 50, 200, "float32"), 200),
    ("580kx54", lambda: data.blobs(580_000, 54, 50, "float32", 0.5), 100),
    ("20kx768", lambda: data.blobs(20_000, 768, 100, "float32"), 100),
    ("100kx64", lambda: data.blobs(100_000, 64, 100, "float32"), 1000),
    ("fashion 70kx784", lambda: data.real("fashion"), 10),
    ("fashion 70kx784", lambda: data.real("fashion"), 100),
    ("powers of two 20kx16", lambda: data.powers(20_000, 16, 24, "float64"), 24),
    ("powers of two 20kx16", lambda: data.powers(20_000, 16, 100, "float64"), 100),
]
SMOKE = CASES[:1]
HARD = "powers of two"


def run(smoke: bool) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Rows and summary of this benchmark."""
    cases = SMOKE if smoke else CASES
    rows = [_row(*case, greedy) for greedy in (False, True) for case in cases]
    summary = {}
    for law in ("exact", "greedy"):  # the hard case for batches has its own rows, not its own say
        usual = [r["ratio"] for r in rows if r["law"] == law and not r["data"].startswith(HARD)]
        known = [ratio for ratio in usual if not math.isnan(ratio)]
        summary |= {f"mean {law}": geometric_mean(known), f"least {law}": min(known)}
    return rows, summary


def _row(name: str, make: Any, k: int, greedy: bool) -> dict[str, Any]:
    X = make()
    law = "greedy" if greedy else "exact"
    if X is None:
        return {"law": law, "data": name, "k": k, "ratio": float("nan"), "note": "not there"}
    contestants = seeding_contestants(X, k, greedy=greedy)
    race(contestants, most=5)
    row: dict[str, Any] = {"law": law, "data": name, "k": k}
    row |= {each.name: each.seconds for each in contestants}
    row["ratio"] = ratio(contestants)
    row["passes"] = count_passes(X, k, greedy=greedy)
    row["products"] = contestants[0].seconds / product_seconds(X, contestants[0].answer)
    return row
