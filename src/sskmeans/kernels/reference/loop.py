"""Lloyd's whole loop over a small table: what the native one does, by the kernels beside it."""

from __future__ import annotations

import numpy as np

from sskmeans.kernels.reference.distances import nearest
from sskmeans.kernels.reference.totals import means, steps, sums
from sskmeans.kernels.types import Array, Held, Outcome, Refined, Rows


def lloyd(
    X: Array, rows: Rows, centres: Array, held: Held | None, tol: float, max_iter: int
) -> Refined:
    """`refine.lloyd` where nothing is out of the ordinary; it leaves when a slot has no rows."""
    n, k, zero = X.shape[0] if rows is None else len(rows), len(centres), np.zeros(len(centres))
    labels, costs, moves = np.full(n, -1, dtype=np.int32), [], []
    outcome = Outcome.at_most
    for n_iter in range(1, max_iter + 1):
        new, best, _ = nearest(X, rows, centres)
        costs.append(float(best.sum()) + (0.0 if held is None else _held_cost(held, centres)))
        moves.append(int((new != labels).sum()))
        labels = new
        totals, mass = np.zeros((2, *centres.shape)), np.bincount(labels, minlength=k).astype(float)
        sums(X, rows, None, labels, totals)
        if held is not None:
            wide = totals.astype(np.longdouble).sum(axis=0) + held.totals.sum(axis=0, dtype="g")
            totals[0] = wide
            totals[1] = wide - totals[0]
            mass += held.mass
        if not mass.all():
            return Refined(Outcome.ran_empty, centres, labels, costs, moves)
        after = means(totals[0], totals[1], mass, zero).astype(centres.dtype)
        shift = float(steps(centres, after, totals[0], mass)[0].sum())
        if n_iter > 1 and moves[-1] == 0 and shift == 0:
            return Refined(Outcome.at_rest, centres, labels, costs, moves)
        centres = after
        if shift <= tol:
            outcome = Outcome.within_tolerance
            break
    return Refined(outcome, centres, nearest(X, rows, centres)[0], costs, moves)


def _held_cost(held: Held, centres: Array) -> float:
    step = held.means - centres[held.slots]
    return float((held.mass[held.slots] * np.einsum("ij,ij->i", step, step)).sum())
