"""Semi-supervised Lloyd as the papers tell it, with every label and every row in the loop.

No constants folded, no bounds, no kernels: plain NumPy over all rows, in float64. It shares no
line with the package and is the oracle of the tests beside it. It knows no cure for empty clusters
and refuses them, so that the tests ask for cases where none arises.
"""

import numpy as np


def naive_lloyd(X, y, centres, supervision, weights=None, unit=False, max_iter=300):
    """Labels, centres, cost and iterations from `centres`; `y` holds slots, -1 for unlabelled."""
    w = np.ones(len(X)) if weights is None else weights
    known = np.isin(np.arange(len(centres)), y[y >= 0])
    held = (y >= 0) & (supervision != "seed")
    if unit:
        X, centres = directions(X), directions(centres)

    def assign(centres):
        D2 = ((X[:, None, :] - centres[None, :, :]) ** 2).sum(axis=-1)
        labels = np.where(held, y, D2.argmin(axis=1))
        return labels, (w * D2[np.arange(len(X)), labels]).sum()

    before, n_iter = None, 0
    while n_iter < max_iter:
        n_iter += 1
        labels, _ = assign(centres)
        if before is not None and (labels == before).all():
            break
        before, old, centres = labels, centres, centres.copy()
        for j in range(len(centres)):
            mine = (labels == j) & (w > 0)
            if supervision == "freeze" and known[j]:
                continue
            if mine.any():
                centres[j] = np.average(X[mine], axis=0, weights=w[mine])
                centres[j] = directions(centres[[j]])[0] if unit else centres[j]
            elif not known[j]:
                raise AssertionError("a class without labels ran empty")
        if (centres == old).all():
            break
    labels, cost = assign(centres)
    return labels, centres, cost, n_iter


def directions(vectors):
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
