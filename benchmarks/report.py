"""Tables on the screen, JSON in `results/`: what was measured, on what, with which versions."""

from __future__ import annotations

import json
import math
import os
import platform
import tempfile
from collections.abc import Iterable
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import threadpoolctl

import sskmeans

RESULTS = Path(__file__).parent / "results"
PEERS = ["numpy", "scikit-learn", "scikit-learn-intelex", "faiss-cpu", "superkmeans"]
PEERS += ["active-semi-supervised-clustering"]


def table(rows: list[dict[str, Any]]) -> str:
    """Rows as aligned columns, in the order of the first row's keys."""
    names = list(dict.fromkeys(key for row in rows for key in row))
    cells = [names] + [[_cell(row.get(name, "")) for name in names] for row in rows]
    widths = [max(len(line[i]) for line in cells) for i in range(len(names))]
    lines = ("  ".join(c.rjust(w) for c, w in zip(line, widths, strict=True)) for line in cells)
    return "\n".join(lines)


def geometric_mean(values: Iterable[float]) -> float:
    """Of the values that are numbers; NaN when there are none."""
    known = [v for v in values if not math.isnan(v)]
    return math.exp(sum(map(math.log, known)) / len(known)) if known else float("nan")


def save(name: str, rows: list[dict[str, Any]], summary: dict[str, Any]) -> Path:
    """Write the result whole or not at all."""
    RESULTS.mkdir(exist_ok=True)
    record = {
        "benchmark": name,
        "date": date.today().isoformat(),
        "machine": machine(),
        "versions": dict(_versions()),
        "summary": summary,
        "rows": rows,
    }
    path = RESULTS / f"{name}.json"
    with tempfile.NamedTemporaryFile("w", dir=RESULTS, suffix=".tmp", delete=False) as file:
        json.dump(record, file, indent=1)
    os.replace(file.name, path)
    return path


def machine() -> dict[str, Any]:
    """The processor, how many of it, and the kernels that ran."""
    model = platform.processor()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        lines = [line for line in cpuinfo.read_text().splitlines() if "model name" in line]
        model = lines[0].split(":", 1)[1].strip() if lines else model
    kernels = str(sskmeans.kernels.backend())
    return {"processor": model, "cores": os.cpu_count(), "kernels": kernels, "blas": _blas()}


def _blas() -> list[str]:
    """Which kernels the libraries of linear algebra took: those of NumPy, SciPy, faiss, Intel."""
    loaded = [lib for lib in threadpoolctl.threadpool_info() if lib["user_api"] == "blas"]
    return sorted({f"{lib['internal_api']} {lib.get('architecture', '?')}" for lib in loaded})


def _versions() -> Iterable[tuple[str, str]]:
    yield "python", platform.python_version()
    for package in ["sskmeans", *PEERS]:
        try:
            yield package, version(package)
        except PackageNotFoundError:
            yield package, "not installed"


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return "-" if math.isnan(value) else f"{value:.4g}"
    return str(value)
