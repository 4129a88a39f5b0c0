"""Claim: a fit needs few bytes a row beside the data, and no copy of it.

A million rows of 64 columns in float32, made in blocks in a child process that does nothing else;
`bytes a row` is how far the process's peak rises during the fit, over the rows. Wide rows, where
coarse codes are kept, get a row of their own, as a share of X.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

CASES = [
    ("sskmeans", 1_000_000, 64, 50),
    ("scikit-learn", 1_000_000, 64, 50),
    ("sskmeans", 50_000, 768, 150),
    ("scikit-learn", 50_000, 768, 150),
]
SMOKE = [("sskmeans", 20_000, 8, 5)]
CHILD = """
import json, sys, warnings
from benchmarks import data
name, n, d, k = json.loads(sys.argv[1])
warnings.simplefilter("ignore")
def peak():  # in kB, of this process alone: getrusage would start from what its parent held
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
if name == "sskmeans":
    from sskmeans import SSKMeans as Model
else:
    from sklearn.cluster import KMeans as Model
small, X = data.blobs(2000, 4, 3, "float32"), data.blobs(n, d, k, "float32", 0.5)
settings = {"n_init": 1, "random_state": 0, "max_iter": 20}
Model(3, **settings).fit(small)  # what libraries load at their first use is not the fit's
with open("/proc/self/clear_refs", "w") as forget:
    forget.write("5")  # the peak so far: making the data took more than they are
before = peak()
Model(k, **settings).fit(X)
print(json.dumps((peak() - before) * 1024))
"""


def run(smoke: bool) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Rows and summary of this benchmark."""
    return [_row(*case) for case in (SMOKE if smoke else CASES)], {}


def _row(name: str, n: int, d: int, k: int) -> dict[str, Any]:
    command = [sys.executable, "-c", CHILD, json.dumps((name, n, d, k))]
    ran = subprocess.run(command, capture_output=True, text=True)
    row: dict[str, Any] = {"": name, "data": f"{n}x{d}", "k": k}
    if ran.returncode:
        return row | {"note": ran.stderr.strip().splitlines()[-1]}
    risen = json.loads(ran.stdout)
    return row | {"bytes a row": risen / n, "share of X": risen / (4 * n * d)}
