"""Contestants run in turn on the same data, and their answers are compared.

The machine is noisy, so a round runs every contestant once and rounds are repeated: a slow spell
hits all of them; between runs all rest. The best time of each counts. A contestant that fails, or
whose package is not installed, gets a line that says so; it is never silently left out.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

REST = 0.05  # seconds: threads of the one before, which wait for more work in a loop, fall asleep
SHORT, TIMES = 0.01, 5  # seconds; runs shorter than that are repeated so often


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
            time.sleep(REST)
            try:
                _run(each)
            except Exception as error:  # a peer's failure is a result
                each.run, each.missing = None, f"{type(error).__name__}: {error}"[:120]
        if time.perf_counter() - started > budget and round_ >= 1:
            break


def _run(contestant: Contestant) -> None:
    """One timed run; short ones several times, so that it is work that is timed, not waking up."""
    assert contestant.run is not None
    for _ in range(TIMES):
        begin = time.perf_counter()
        contestant.answer = contestant.run()
        seconds = time.perf_counter() - begin
        contestant.seconds = min(contestant.seconds, seconds)
        if seconds > SHORT:
            break
    contestant.rounds += 1


def ratio(contestants: list[Contestant]) -> float:
    """Time of the fastest peer over ours, which comes first; NaN without any peer."""
    ours, *peers = contestants
    times = [each.seconds for each in peers if each.rounds]
    return min(times) / ours.seconds if times else float("nan")
