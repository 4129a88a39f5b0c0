"""The estimator's parameters, checked: what kind of run, and where it starts."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sskmeans import messages, validate
from sskmeans.kernels.types import Array
from sskmeans.prepare import Prepared
from sskmeans.refine import ALGORITHMS
from sskmeans.seeding import SEEDERS, seed

SEVERAL = 10  # runs of a start that is left to chance alone, as scikit-learn has it


@dataclass(frozen=True)
class Settings:
    """Checked parameters of one fit."""

    n_clusters: int
    init: Any  # a name, a callable or an array
    supervision: str
    unit: bool
    n_init: int
    max_iter: int
    tol: float
    verbose: bool
    rng: Any
    algorithm: str

    def starter(self, ready: Prepared) -> tuple[Callable[[], Array], int]:
        """How to place the first centres, and how many runs that is worth."""
        if isinstance(self.init, str):
            points, known = ready.drawable(), ready.labels.is_known
            seeder = SEEDERS[self.init]
            runs = self.n_init if ready.n_new else 1  # nothing is drawn: all runs are the same
            return lambda: seed(seeder, points, ready.centres, known, self.rng).centres, runs
        if callable(self.init):
            X = ready.rows.X
            call = self.init
            return lambda: self._given(ready, call(X, self.n_clusters, self.rng)), self.n_init
        centres = self._given(ready, self.init)
        return lambda: centres, 1

    def _given(self, ready: Prepared, init: Any) -> Array:
        k, d, dtype = self.n_clusters, ready.rows.d, ready.rows.dtype
        given = validate.read_init(init, k, ready.n_new, d, unit=self.unit, dtype=dtype)
        if len(given) == k:
            return given
        centres = ready.centres.copy()
        centres[~ready.labels.is_known] = given
        return centres


def read_settings(estimator: Any) -> Settings:
    """The parameters of an `SSKMeans`, or the error that says which cannot be meant."""
    init = estimator.init
    if isinstance(init, str):
        init = validate.choice("init", init, tuple(SEEDERS))
    n_clusters = validate.whole_number("n_clusters", estimator.n_clusters, 1)
    algorithm = validate.choice("algorithm", estimator.algorithm, tuple(ALGORITHMS))
    if algorithm == "elkan" and n_clusters == 1:
        warnings.warn(messages.elkan_one_cluster(), stacklevel=4)
    supervisions, metrics = ("clamp", "seed", "freeze"), ("euclidean", "cosine")
    return Settings(
        n_clusters=n_clusters,
        init=init,
        supervision=validate.choice("supervision", estimator.supervision, supervisions),
        unit=validate.choice("metric", estimator.metric, metrics) == "cosine",
        n_init=_runs(init, estimator.n_init),
        max_iter=validate.whole_number("max_iter", estimator.max_iter, 1),
        tol=validate.tolerance(estimator.tol),
        verbose=bool(estimator.verbose),
        rng=validate.read_random_state(estimator.random_state),
        algorithm=algorithm,
    )


def _runs(init: Any, n_init: Any) -> int:
    chance = callable(init) or (isinstance(init, str) and init == "random")
    if isinstance(n_init, str):
        validate.choice("n_init", n_init, ("auto",))
        return SEVERAL if chance else 1
    runs = validate.whole_number("n_init", n_init, 1)
    if runs > 1 and not callable(init) and not isinstance(init, str):
        warnings.warn(messages.one_init(runs), stacklevel=5)
        return 1
    return runs
