"""Lloyd's loop for tables so small that Python between the kernels would take longer than they do.

One kernel runs the whole loop: the same kernels in the same order, hence the same centres and
labels; only the costs of `history_` are added up in another order. It does what is ordinary.
Whatever is not (weights, sparse rows, frozen or unit centres, a slot that runs empty) is left to
`lloyd.refine`, from the start.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from sskmeans import kernels
from sskmeans.kernels.types import Array, Held, Outcome
from sskmeans.problem import Problem
from sskmeans.refine.running_sums import LITTLE
from sskmeans.result import Clustering

MOST = 1 << 62  # iterations that fit into the kernel's integer


def refine_tiny(problem: Problem, centres: Array, max_iter: int, tol: float) -> Clustering | None:
    """Where the loop ends; None if this is not an ordinary problem."""
    points = problem.points
    plain = points.weights is None and not sparse.issparse(points.X) and points.n > 0
    little = points.n * points.d < LITTLE  # else the long loop would keep running sums
    if not (plain and little) or problem.unit or problem.frozen.any():
        return None
    held = None
    if problem.held is not None:
        slots = np.flatnonzero(problem.known)
        held = Held(problem.held.totals, problem.held.mass, problem.means, slots)
    most = min(max_iter, MOST)
    found = kernels.lloyd(points.X, points.rows, centres, held, tol, most)
    if found.outcome is Outcome.ran_empty:
        return None
    n_iter, each = len(found.costs), points.n * problem.k
    history = {
        "cost": np.array(found.costs) + problem.scatter.sum(),
        "moved": np.array(found.moves, dtype=np.int64),
        "distances": np.full(n_iter, each, dtype=np.int64),
    }
    cost = problem.cost(found.centres, found.labels)
    return Clustering(found.centres, found.labels, cost, n_iter, history)
