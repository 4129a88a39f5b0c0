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

from functools import partial

import numpy as np

from sskmeans.kernels.types import Array
from sskmeans.points import Sums
from sskmeans.problem import Problem
from sskmeans.refine.assigner import Assigner, Assignment
from sskmeans.refine.running_sums import RunningSums
from sskmeans.result import Clustering

ROUNDING = 16.0  # coordinates of unit vectors may be off by four roundings each


def refine(
    problem: Problem, centres: Array, assigner: Assigner, max_iter: int, tol: float, verbose: bool
) -> Clustering:
    """Improve `centres` until they rest. `tol` is on the summed squares of their steps."""
    history: dict[str, list[float]] = {"cost": [], "moved": [], "distances": []}
    running = RunningSums(problem.points, problem.k)
    said = ""
    for n_iter in range(1, max_iter + 1):
        last = assigner.assign(centres)
        cost = last.cost + problem.held_cost(centres)
        for name, value in zip(history, (cost, len(last.moved), last.computed), strict=True):
            history[name].append(value)
        if verbose:
            print(f"Iteration {n_iter - 1}, inertia {cost}.")
        rests = n_iter > 1 and len(last.moved) == 0
        # What is returned must not carry what running sums may have gathered: sum all once more.
        update = partial(_update, problem, running, assigner, centres, last)
        sums, new = update(afresh=rests or n_iter == max_iter)
        steps = sums.steps(centres, new)
        if not rests and steps.shift <= tol:
            sums, new = update(afresh=True)
            steps = sums.steps(centres, new)
        if rests and steps.shift == 0:
            said = "strict convergence"
            break
        assigner.follow(steps)
        centres = new
        if steps.shift <= tol:
            said = f"center shift {steps.shift} within tolerance {tol}"
            break
    if verbose and said:
        print(f"Converged at iteration {n_iter - 1}: {said}.")
    if said != "strict convergence":
        assigner.assign(centres)  # the labels that belong to the last centres
    labels = assigner.labels
    cost = problem.cost(centres, labels)
    kinds = {"cost": np.float64, "moved": np.int64, "distances": np.int64}
    columns = {name: np.array(values, dtype=kinds[name]) for name, values in history.items()}
    return Clustering(centres, labels, cost, n_iter, columns)


def _update(
    problem: Problem,
    running: RunningSums,
    assigner: Assigner,
    centres: Array,
    last: Assignment,
    *,
    afresh: bool,
) -> tuple[Sums, Array]:
    """Lines 4 and 3: the sums of the points of each slot, none left empty, and the new centres."""
    sums = running.of(assigner.labels, last, afresh=afresh)
    if len(problem.open_slots(sums)):
        running.forget()
        sums = refill(problem, sums, centres, assigner)
    return sums, problem.update(sums, centres)


def refill(problem: Problem, sums: Sums, centres: Array, assigner: Assigner) -> Sums:
    """Give each empty slot the point that costs most, if any point costs anything."""
    empty = problem.open_slots(sums)
    points, labels = problem.points, assigner.labels
    costs = points.own(centres, labels)
    if problem.unit:  # a mean of equal rows is that row, but its direction may miss it
        costs[costs <= ROUNDING * centres.shape[1] * np.finfo(centres.dtype).eps ** 2] = 0.0
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
