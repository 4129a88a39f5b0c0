"""Where rows live. Seeding and refinement are written once over this contract.

A `Points` is the rows that a k-means loop assigns: numbered 0..n-1 by *position*, with weights.
Anything that can answer these questions can be clustered by the same loops:

    n, d, dtype     how many rows and columns, and the dtype that centres must have
    weights         (n,) float64, or None when all are one
    stored          numbers in a row, on average
    relative_error  bound on the relative error of the squared distances below
    nearest(centres)                      nearest slot, squared distance to it and to the second
    own(centres, labels)                  squared distance to the labelled slot
    distances(centres)                    squared distance of every row to every centre
    reassign(centres, labels, ...)        a step of Hamerly's filter
    gains(candidates, ...)                what candidates for a further centre would save
    room_for_squares(width)               where `gains` keeps squared distances
    sums(labels, k)                       weighted sums of the rows of each slot, see `Sums`
    move(sums, positions, left, right)    brings them up to date: rows went from slot to slot
    take(positions)                       those rows as a dense (m, d) array
"""

from sskmeans.points.local import LocalPoints, Steps, Sums

__all__ = ["LocalPoints", "Steps", "Sums"]
