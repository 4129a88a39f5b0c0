"""One clustering: seed, then refine; of several, the cheapest whole."""

from __future__ import annotations

from collections.abc import Callable

from sskmeans.kernels.types import Array
from sskmeans.problem import Problem
from sskmeans.refine import ALGORITHMS, fastest, is_tiny, refine, refine_tiny
from sskmeans.result import Clustering


def cluster(
    problem: Problem,
    start: Callable[[], Array],
    *,
    n_init: int,
    algorithm: str,
    max_iter: int,
    tol: float,
    verbose: bool,
) -> Clustering:
    """The cheapest of `n_init` runs, each from the centres that `start` gives."""
    best: Clustering | None = None
    quick = ALGORITHMS[algorithm] is fastest and is_tiny(problem.points, problem.k) and not verbose
    for _ in range(n_init):
        centres = start()
        if verbose:
            print("Initialization complete")
        found = refine_tiny(problem, centres, max_iter, tol) if quick else None
        if found is None:
            assigner = ALGORITHMS[algorithm](problem.points, centres)
            found = refine(problem, centres, assigner, max_iter, tol, verbose)
        if best is None or found.cost < best.cost:
            best = found
    assert best is not None
    return best
