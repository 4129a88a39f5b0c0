"""How centres and labels are improved. One loop (`lloyd`), several ways to find nearest centres.

The loop asks an `Assigner`, which must answer as Lloyd's rule does, at every iteration:

    assign(centres) -> Assignment      nearest slot of every point; ties go to the lowest slot
    follow(steps)                      the centres moved, see `Steps`
    labels                             the labels of the last assignment (the loop may change them)
    forget()                           it did: trust no bound any more

`exhaustive` computes every distance. The accelerations skip those that cannot matter; `computed`
counts what each iteration spent, in distances. Each is made from the points and first centres.
"""

from __future__ import annotations

from collections.abc import Callable

from sskmeans.kernels.types import Array
from sskmeans.points import LocalPoints
from sskmeans.refine.assigner import Assigner, Assignment
from sskmeans.refine.choice import fastest, is_tiny
from sskmeans.refine.exhaustive import Exhaustive
from sskmeans.refine.hamerly import Hamerly
from sskmeans.refine.lloyd import refine
from sskmeans.refine.tiny import refine_tiny

# "elkan" is scikit-learn's word for an exact accelerated run.
ALGORITHMS: dict[str, Callable[[LocalPoints, Array], Assigner]] = {
    "auto": fastest,
    "lloyd": Exhaustive,
    "elkan": fastest,
    "hamerly": Hamerly,
}

__all__ = ["ALGORITHMS", "Assigner", "Assignment", "fastest", "is_tiny", "refine", "refine_tiny"]
