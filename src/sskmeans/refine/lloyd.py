"""Lloyd's loop with labelled rows folded into constants (Lloyd 1982; Yoder & Priebe, section 3).

    1  repeat
    2      every point goes to its nearest centre; ties to the lowest slot
    3      every centre becomes the weighted mean of its points and of what its labels hold
    4      a slot that ran empty takes the point that costs most
    5  until no point moved, or the centres moved by no more than tol, or max_iter

This differs from scikit-learn's loop in that: labelled rows take part in line 3 and never in 2
or 4; a row taken in line 4 leaves its cluster at once, and is chosen by its weighted cost, the
lowest position among equals; the returned cost always is that of the returned labels and centres.
"""

from __future__ import annotations

import numpy as np

from sskmeans.kernels.types import Array
from sskmeans.points import Sums
from sskmeans.problem import Problem
from sskmeans.refine.assigner import Assigner
from sskmeans.result import Clustering


def refine(
    problem: Problem, centres: Array, assigner: Assigner, max_iter: int, tol: float, verbose: bool
) -> Clustering:
    """Improve `centres` until they rest. `tol` is on the summed squares of their steps."""
    history: dict[str, list[float]] = {"cost": [], "moved": [], "distances": []}
    rested = False
    for n_iter in range(1, max_iter + 1):
        cost, moved, computed = assigner.assign(centres)
        cost += problem.held_cost(centres)
        for name, value in zip(history, (cost, moved, computed), strict=True):
            history[name].append(value)
        if verbose:
            print(f"Iteration {n_iter - 1}, inertia {cost}.")
        if n_iter > 1 and moved == 0:
            rested = True
            if verbose:
                print(f"Converged at iteration {n_iter - 1}: strict convergence.")
            break
        sums = refill(problem, problem.points.sums(assigner.labels, problem.k), centres, assigner)
        new = problem.update(sums, centres)
        assigner.follow(centres, new, sums)
        step = new.astype(np.float64) - centres
        shift = float(np.einsum("ij,ij->", step, step))
        centres = new
        if shift <= tol:
            if verbose:
                print(
                    f"Converged at iteration {n_iter - 1}: center shift {shift} within "
                    f"tolerance {tol}."
                )
            break
    if not rested:
        assigner.assign(centres)  # the labels that belong to the last centres
    labels = assigner.labels
    cost = problem.points.total(problem.points.own(centres, labels)) + problem.held_cost(centres)
    kinds = {"cost": np.float64, "moved": np.int64, "distances": np.int64}
    columns = {name: np.array(values, dtype=kinds[name]) for name, values in history.items()}
    return Clustering(centres, labels, cost, n_iter, columns)


def refill(problem: Problem, sums: Sums, centres: Array, assigner: Assigner) -> Sums:
    """Give each empty slot the point that costs most, if any point costs anything."""
    empty = problem.open_slots(sums)
    if len(empty) == 0:
        return sums
    points, labels = problem.points, assigner.labels
    costs = points.own(centres, labels)
    if points.weights is not None:
        costs = costs * points.weights
    costs[problem.kept] = 0.0
    counts = np.ones(points.n, dtype=bool) if points.weights is None else points.weights > 0
    left = np.bincount(labels[counts], minlength=problem.k)
    waiting = empty.tolist()
    for position in np.argsort(-costs, kind="stable"):
        if not waiting or costs[position] == 0:
            break
        donor = labels[position]
        if left[donor] > 1 or problem.mass[donor] > 0:  # never empty one slot to fill another
            left[donor] -= 1
            labels[position] = waiting.pop(0)
    assigner.forget()
    return points.sums(labels, problem.k)
