"""What the labels contribute, reduced to one constant a slot.

Labelled rows never enter the loop. Under `clamp` a labelled class hands its slot the weighted sum
of its rows (which the centre must average in) and a cost,

    sum w |x - c|^2  =  Q + W |m - c|^2,

with weight W, mean m and scatter Q about that mean: never a sum of squares less a product, which
cancels. Under `freeze` the slot's centre does not move, so only the cost is handed over. Under
`seed` labels have done their part once the centres are placed: every row is an ordinary point.
No labels, every class labelled, every row labelled: no special case.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sskmeans.kernels.types import Array
from sskmeans.labels import Labels
from sskmeans.points import LocalPoints, Sums


@dataclass(frozen=True)
class Problem:
    """Points to assign to k slots, and what each slot holds already."""

    points: LocalPoints  # the rows that the loop assigns
    k: int
    unit: bool  # centres have length one (metric="cosine")
    held: Sums  # (k,) what labelled rows put into the mean of each slot
    known: Array  # (k,) bool, slots of labelled classes: they are never given another row's place
    frozen: Array  # (k,) bool, slots whose centre never moves
    kept: Array  # positions of labelled points (under `seed`): an empty slot never takes them
    mass: Array  # (k,) W, m and Q of the cost of the labelled rows
    means: Array  # (k, d)
    scatter: Array  # (k,)

    def held_cost(self, centres: Array) -> float:
        """Cost of the labelled rows when the slots have these centres."""
        step = self.means - centres
        return float((self.scatter + self.mass * np.einsum("ij,ij->i", step, step)).sum())

    def update(self, sums: Sums, centres: Array) -> Array:
        """The centre of each slot given its points' sums; slots without mass or frozen stay."""
        total = sums + self.held
        new = total.means()
        if self.unit:
            new = directions(new)
        stay = self.frozen | np.isnan(new[:, 0])
        new[stay] = centres[stay]
        return new.astype(centres.dtype)

    def open_slots(self, sums: Sums) -> Array:
        """Slots that ran empty and may be given another row's place."""
        return np.flatnonzero((sums.mass + self.held.mass == 0) & ~self.known & ~self.frozen)


def labelled_sums(everything: LocalPoints, labels: Labels) -> Sums:
    """Weighted sums of the labelled rows of each class."""
    rows = labels.labelled
    part = LocalPoints(everything.X, rows, everything.weights)
    return part.sums(labels.codes[rows], len(labels.classes))


def build_problem(
    everything: LocalPoints, labels: Labels, given: Sums, supervision: str, unit: bool
) -> Problem:
    """The loop's view of the data under one kind of supervision."""
    k, d = len(labels.classes), everything.d
    nothing = Sums(np.zeros((k, d)), np.zeros((k, d)), np.zeros(k))
    rows = labels.labelled
    if supervision == "seed" or len(rows) == 0:
        zeros = np.zeros(k)
        no = np.zeros(k, dtype=bool)
        return Problem(
            everything, k, unit, nothing, labels.is_known, no, rows, zeros, np.zeros((k, d)), zeros
        )
    free = LocalPoints(everything.X, labels.unlabelled, everything.weights)
    part = LocalPoints(everything.X, rows, everything.weights)
    means = np.where(labels.is_known[:, None], given.means(), 0.0)
    codes = labels.codes[rows]
    rounded = means.astype(everything.dtype)
    squares = part.own(rounded, codes)
    about_rounded = np.bincount(
        codes, squares if part.weights is None else squares * part.weights, minlength=k
    )
    off = np.einsum("ij,ij->i", means - rounded, means - rounded)
    return Problem(
        points=free,
        k=k,
        unit=unit,
        held=nothing if supervision == "freeze" else given,
        known=labels.is_known,
        frozen=labels.is_known & (supervision == "freeze"),
        kept=rows[:0],
        mass=given.mass,
        means=means,
        scatter=np.maximum(about_rounded - given.mass * off, 0.0),
    )


def directions(vectors: Array) -> Array:
    """Each row scaled to length one; NaN where it has none."""
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    return np.asarray(vectors / np.where(lengths > 0, lengths, np.nan)[:, None])
