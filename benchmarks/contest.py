"""Contestants run in turn on the same data, and their answers are compared.

The machine is noisy, so a round runs every contestant once and rounds are repeated: a slow spell
hits all of them. The best time of each counts. A contestant that fails, or whose package is not
installed, gets a line that says so; it is never silently left out.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Contestant:
    """Something to time. `run` returns the answer; `missing` says why there is none."""

    name: str
    run: Callable[[], Any] | None
    missing: str = ""
    seconds: float = float("inf")
    answer: Any = None
    rounds: int = field(default=0, repr=False)


def race(contestants: list[Contestant], *, budget: float = 20.0, most: int = 9) -> None:
    """Run all in turn, until `most` rounds are done or `budget` seconds are spent."""
    started = time.perf_counter()
    for round_ in range(most):
        for each in contestants:
            if each.run is None:
                continue
            begin = time.perf_counter()
            try:
                each.answer = each.run()
            except Exception as error:  # a peer's failure is a result
                each.run, each.missing = None, f"{type(error).__name__}: {error}"[:120]
                continue
            each.seconds = min(each.seconds, time.perf_counter() - begin)
            each.rounds += 1
        if time.perf_counter() - started > budget and round_ >= 1:
            break


def ratio(contestants: list[Contestant]) -> float:
    """Time of the fastest peer over ours, which comes first; NaN without any peer."""
    ours, *peers = contestants
    times = [each.seconds for each in peers if each.rounds]
    return min(times) / ours.seconds if times else float("nan")
