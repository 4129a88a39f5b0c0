"""The others, each behind the same few functions. A package that is not installed says so."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from sklearn.cluster import KMeans, kmeans_plusplus
from sklearn.exceptions import ConvergenceWarning

from benchmarks.contest import Contestant
from sskmeans import SSKMeans, ss_kmeans_plusplus
from sskmeans.points import LocalPoints
from sskmeans.seeding.greedy import greedy_plusplus

THREADS = 2
MANY = 2**31 - 1  # points a cluster: faiss and superkmeans sample above a limit


class Answer(NamedTuple):
    """What a contestant found; the runner recomputes the cost from the centres."""

    centres: np.ndarray
    labels: np.ndarray | None
    n_iter: int
    distances: int = 0  # computed, where the contestant counts them


def contestant(name: str, package: str, run: Callable[[], Any]) -> Contestant:
    """`run`, if its package is there."""
    try:
        importlib.import_module(package)
    except ImportError as error:
        return Contestant(name, None, f"not installed ({error})")
    return Contestant(name, run)


def quietly(fit: Callable[[], Any]) -> Any:
    """A fit that may stop at its last iteration without a word."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return fit()


def lloyd_contestants(X: Any, start: np.ndarray, iterations: int) -> list[Contestant]:
    """The same start and the same rule: until nothing moves, at most so many iterations.

    faiss always runs the iterations it is told, so it is told how many ours took.
    """
    k = len(start)
    rule: dict[str, Any] = {"init": start, "tol": 0, "max_iter": iterations}

    def ours() -> Answer:
        model = SSKMeans(k, **rule).fit(X)
        work = int(model.history_["distances"].sum())
        return Answer(model.cluster_centers_, model.labels_, model.n_iter_, work)

    def sklearn(algorithm: str) -> Callable[[], Answer]:
        def run() -> Answer:
            model = quietly(lambda: KMeans(k, n_init=1, algorithm=algorithm, **rule).fit(X))
            return Answer(model.cluster_centers_, model.labels_, model.n_iter_)

        return run

    def intel() -> Answer:
        from sklearnex.cluster import KMeans as Intel

        model = Intel(k, n_init=1, **rule).fit(X)
        return Answer(model.cluster_centers_, model.labels_, model.n_iter_)

    def faiss() -> Answer:
        import faiss

        faiss.omp_set_num_threads(THREADS)
        steps = ours_ran.answer.n_iter if ours_ran.answer else iterations
        sampling = {"max_points_per_centroid": MANY, "min_points_per_centroid": 1}
        quantizer = faiss.Kmeans(X.shape[1], k, niter=steps, verbose=False, **sampling)
        quantizer.train(X, init_centroids=start)
        return Answer(quantizer.centroids, quantizer.index.search(X, 1)[1][:, 0], steps)

    ours_ran = Contestant("sskmeans", ours)
    peers = [
        ours_ran,
        Contestant("scikit-learn lloyd", sklearn("lloyd")),
        Contestant("scikit-learn elkan", sklearn("elkan")),
        contestant("scikit-learn-intelex", "sklearnex", intel),
    ]
    if not isinstance(X, np.ndarray):
        return peers
    if X.dtype == np.float32:
        peers.append(contestant("faiss", "faiss", faiss))
    else:
        peers.append(Contestant("faiss", None, "float32 only"))
    return peers


def superkmeans(X: np.ndarray, k: int, iterations: int) -> Contestant:
    """Its own start (random rows: it takes no other) and approximate pruning; all rows, no sample.

    What it reaches is compared by cost, since its answer need not be Lloyd's.
    """

    def run() -> Answer:
        from superkmeans import SuperKMeans

        model = SuperKMeans(
            k,
            X.shape[1],
            hierarchical=False,
            iters=iterations,
            sampling_fraction=1.0,
            max_points_per_cluster=MANY,
            early_termination=False,
            n_threads=THREADS,
        )
        centres = model.train(X)
        return Answer(centres, model.assign(X, centres), iterations)

    return contestant("superkmeans", "superkmeans", run)


def seeding_contestants(X: np.ndarray, k: int, *, greedy: bool) -> list[Contestant]:
    """Seeding alone. Seeds are drawn anew each time, so that no lucky draw decides."""
    seeds = iter(range(10**6))

    def ours() -> np.ndarray:
        if greedy:  # no public function: the seeder itself, over checked rows
            points, rng = LocalPoints(X), np.random.RandomState(next(seeds))
            return X[greedy_plusplus(points, X[:0], k, rng).positions]
        return ss_kmeans_plusplus(X, None, k, random_state=next(seeds))[0]

    def sklearn() -> np.ndarray:
        trials = None if greedy else 1
        return kmeans_plusplus(X, k, n_local_trials=trials, random_state=next(seeds))[0]

    return [Contestant("sskmeans", ours), Contestant("scikit-learn", sklearn)]


def fit_contestants(X: np.ndarray, k: int) -> list[Contestant]:
    """Whole fits: seeding and Lloyd, one run each, scikit-learn's `tol`, a new seed each time."""

    def fits(kind: Any, init: str) -> Callable[[], float]:
        seeds = iter(range(10**6))

        def once() -> float:
            return float(kind(k, init=init, n_init=1, random_state=next(seeds)).fit(X).inertia_)

        return lambda: quietly(once)

    return [
        Contestant("sskmeans", fits(SSKMeans, "k-means++")),
        Contestant("sskmeans greedy", fits(SSKMeans, "greedy-k-means++")),
        Contestant("scikit-learn", fits(KMeans, "k-means++")),
    ]
