"""`python -m benchmarks NAME [--smoke]`: run one benchmark, or all of them."""

from __future__ import annotations

import argparse
import importlib
import math

import threadpoolctl

from benchmarks import report
from benchmarks.peers import THREADS

NAMES = [
    *("seeding", "lloyd", "fit", "labels", "small"),
    *("predict", "sparse", "memory", "threads", "roofline"),
]


def main() -> None:
    """Run, print, and (unless it is a smoke run) write the results."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", default=NAMES, metavar="NAME", help=", ".join(NAMES))
    parser.add_argument("--smoke", action="store_true", help="one small case each, nothing written")
    arguments = parser.parse_args()
    for name in arguments.names:
        benchmark = importlib.import_module(f"benchmarks.{name}")
        print(f"\n{name}: {benchmark.__doc__.splitlines()[0]}\n")
        with threadpoolctl.threadpool_limits(THREADS):
            rows, summary = benchmark.run(arguments.smoke)
        ratios = [row["ratio"] for row in rows if not math.isnan(row.get("ratio", math.nan))]
        if ratios:
            summary |= {"mean ratio": report.geometric_mean(ratios), "least ratio": min(ratios)}
        print(report.table(rows))
        print("\n" + ", ".join(f"{key}: {value:.4g}" for key, value in summary.items()))
        if not arguments.smoke:
            print("written to", report.save(name, rows, summary).name)


main()
