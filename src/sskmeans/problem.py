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
    held: Sums | None  # what labelled rows put into the mean of each slot; None for nothing
    known: Array  # (k,) bool, slots of labelled classes: they are never given another row's place
    frozen: Array  # (k,) bool, slots whose centre never moves
    kept: Array  # positions of labelled points (under `seed`): an empty slot never takes them
    mass: Array  # (k,) W, m and Q of the cost of the labelled rows
    means: Array  # (g, d) of the known slots alone, none when labels cost nothing
    scatter: Array  # (g,)

    def held_cost(self, centres: Array) -> float:
        """Cost of the labelled rows when the slots have these centres."""
        if len(self.means) == 0:
            return 0.0
        step = self.means - centres[self.known]
        squares = np.einsum("ij,ij->i", step, step)
        return float((self.scatter + self.mass[self.known] * squares).sum())

    def cost(self, centres: Array, labels: Array) -> float:
        """What all rows cost when the points have these labels."""
        points = self.points
        return points.total(points.own(centres, labels)) + self.held_cost(centres)

    def update(self, sums: Sums, centres: Array) -> Array:
        """The centre of each slot given its points' sums; slots without mass or frozen stay."""
        new = (sums if self.held is None else sums.plus(self.held)).means()
        if self.unit:
            new = directions(new)
        lost = np.isnan(new[:, 0])
        if lost.any() or self.frozen.any():
            stay = self.frozen | lost
            new[stay] = centres[stay]
        return new.astype(centres.dtype, copy=False)

    def open_slots(self, sums: Sums) -> Array:
        """Slots that ran empty and may be given another row's place."""
        if sums.mass.all():
            return np.empty(0, dtype=np.intp)
        return np.flatnonzero((sums.mass == 0) & ~self.known)


def labelled_sums(everything: LocalPoints, labels: Labels) -> Sums:
    """Weighted sums of the labelled rows of each class."""
    rows = labels.labelled
    part = LocalPoints(everything.X, rows, everything.weights)
    return part.sums(labels.codes[rows], len(labels.classes))


def build_problem(
    everything: LocalPoints, labels: Labels, given: Sums, supervision: str, unit: bool
) -> Problem:
    """The loop's view of the data under one kind of supervision."""
    k, known, rows = len(labels.classes), labels.is_known, labels.labelled
    if supervision == "seed" or len(rows) == 0:
        none, no = np.zeros(k), np.zeros(k, dtype=bool)
        empty = np.zeros((0, everything.d))
        return Problem(everything, k, unit, None, known, no, rows, none, empty, none[:0])
    part = LocalPoints(everything.X, rows, everything.weights)
    means = given.means()[known]
    rounded = np.zeros((k, everything.d), dtype=everything.dtype)
    rounded[known] = means
    codes = labels.codes[rows]
    squares = part.own(rounded, codes)
    costs = squares if part.weights is None else squares * part.weights
    about_rounded = np.bincount(codes, costs, minlength=k)[known]
    off = means - rounded[known]
    scatter = about_rounded - given.mass[known] * np.einsum("ij,ij->i", off, off)
    return Problem(
        points=LocalPoints(everything.X, labels.unlabelled, everything.weights),
        k=k,
        unit=unit,
        held=None if supervision == "freeze" else given,
        known=known,
        frozen=known & (supervision == "freeze"),
        kept=rows[:0],
        mass=given.mass,
        means=means,
        scatter=np.maximum(scatter, 0.0),
    )


def directions(vectors: Array) -> Array:
    """Each row scaled to length one; NaN where it has none."""
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    return np.asarray(vectors / np.where(lengths > 0, lengths, np.nan)[:, None])
