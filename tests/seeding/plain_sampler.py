"""ss-k-means++ as one would write it first, and the mistakes one could make.

One row at a time, in plain Python, with Python's own random numbers: independent of the package's
batches, kernels and streams.
"""


def plain(rows, weights, fixed, free, n_new, rng) -> tuple[int, ...]:
    """Each row with probability proportional to w D2 to the nearest centre so far."""
    drawn: list[int] = []
    for _ in range(n_new):
        centres = [*fixed, *(rows[i] for i in drawn)]
        masses = [weights[i] * squared(rows[i], centres) for i in free]
        drawn += rng.choices(free, masses)
    return tuple(drawn)


def squared(row, centres) -> float:
    squares = [sum((a - b) ** 2 for a, b in zip(row, c, strict=True)) for c in centres]
    return min(squares, default=1.0)


# ---------------------------------------------------------------- mistakes


def labelled_rows_drawn_too(rows, weights, fixed, free, n_new, rng):
    return plain(rows, weights, fixed, range(len(rows)), n_new, rng)


def distance_not_squared(rows, weights, fixed, free, n_new, rng):
    drawn: list[int] = []
    for _ in range(n_new):
        centres = [*fixed, *(rows[i] for i in drawn)]
        drawn += rng.choices(free, [weights[i] * squared(rows[i], centres) ** 0.5 for i in free])
    return tuple(drawn)


def uniformly(rows, weights, fixed, free, n_new, rng):
    return tuple(rng.sample(list(free), n_new))


def weights_forgotten(rows, weights, fixed, free, n_new, rng):
    return plain(rows, [float(w > 0) for w in weights], fixed, free, n_new, rng)


def weights_forgotten_in_the_first_draw(rows, weights, fixed, free, n_new, rng):
    first = [] if fixed else rng.choices([i for i in free if weights[i]])
    rest = plain(rows, weights, [*fixed, *(rows[i] for i in first)], free, n_new - len(first), rng)
    return (*first, *rest)


def centroids_forgotten(rows, weights, fixed, free, n_new, rng):
    return plain(rows, weights, [], free, n_new, rng)


def one_batch_without_rejection(rows, weights, fixed, free, n_new, rng):
    """The distances stay those of the first centres; only the same row twice is refused."""
    drawn = [] if fixed else rng.choices(free, [weights[i] for i in free])
    centres = [*fixed, *(rows[i] for i in drawn)]
    stale = {i: weights[i] * squared(rows[i], centres) for i in free}
    while len(drawn) < n_new:
        drawn += rng.choices(free, [stale[i] * (i not in drawn) for i in free])
    return tuple(drawn)


def best_of_two(rows, weights, fixed, free, n_new, rng):
    """Greedy where the plain law is asked for."""
    drawn: list[int] = []
    while len(drawn) < n_new:
        centres = [*fixed, *(rows[i] for i in drawn)]
        candidates = rng.choices(free, [weights[i] * squared(rows[i], centres) for i in free], k=2)
        costs = [
            sum(weights[i] * squared(rows[i], [*centres, rows[c]]) for i in free)
            for c in candidates
        ]
        drawn.append(candidates[costs.index(min(costs))])
    return tuple(drawn)
