"""`SSKMeans`, the scikit-learn estimator: parameters and `fit`; it delegates and stores."""

from __future__ import annotations

import warnings
from typing import Any, Literal

import numpy as np

from sskmeans import kernels, messages
from sskmeans.clustering import cluster
from sskmeans.fitted import FittedCentres
from sskmeans.kernels.types import Array
from sskmeans.prepare import Prepared, prepare
from sskmeans.problem import Problem, build_problem
from sskmeans.result import Clustering
from sskmeans.settings import read_settings


class SSKMeans(FittedCentres):
    """Semi-supervised k-means: it labels the rest, and finds the classes nobody has named yet.

    Labelled classes start at the mean of their rows; the other centres are drawn by
    ss-k-means++ (Yoder & Priebe), then Lloyd's algorithm runs. Without labels this is k-means.

    Parameters
    ----------
    n_clusters : int, default=8
        How many classes there are, those without labels included.
    init : {"k-means++", "greedy-k-means++", "random"}, callable or array, default="k-means++"
        How the classes without labels start. "k-means++" is the paper's law, one draw a centre;
        "greedy-k-means++" is scikit-learn's, with several trials a draw; "random" draws distinct
        rows in proportion to their weight. An array of `n_clusters` rows gives every centre in
        the order of `classes_`; one row for each class without labels gives those. A callable
        gets `(X, n_clusters, random_state)` and returns such an array; its X is the checked one:
        float rows or CSR, of length one under "cosine".
    supervision : {"clamp", "seed", "freeze"}, default="clamp"
        What labels do. "clamp": labelled rows keep their class (ss-k-means++,
        Constrained-KMeans). "seed": labels only start the centres (Seeded-KMeans). "freeze":
        labelled rows keep their class and its centre never moves from where it starts.
    metric : {"euclidean", "cosine"}, default="euclidean"
        With "cosine" rows and centres are scaled to length one.
    missing_label : int, str, None or NaN, default=-1
        What `y` holds where a row is not labelled. NaN, None and pandas' NA always mean that.
    n_init : "auto" or int, default="auto"
        How many runs, of which the cheapest is kept. "auto" is 10 where the start is left to
        chance alone (`init="random"` or a callable), else 1.
    max_iter : int, default=300
        Most iterations in one run.
    tol : float, default=1e-4
        A run stops when the centres' steps, squared and summed, are no more than `tol` times the
        mean variance of the columns of X. With 0 it stops only when no row moves.
    verbose : int, default=0
        Print the cost of each iteration.
    random_state : None, int, RandomState or Generator, default=None
        Where the draws come from. An int makes the fit repeatable.
    copy_x : bool, default=True
        Accepted for scikit-learn's sake: X is never written to.
    algorithm : {"auto", "lloyd", "hamerly", "elkan"}, default="auto"
        How nearest centres are found. All give the labels of "lloyd"; "elkan" is scikit-learn's
        name for an exact accelerated run.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
        `cluster_centers_[i]` is the centre of `classes_[i]`.
    classes_ : ndarray of shape (n_clusters,)
        Sorted names of the classes. Known ones keep their value; new ones are the smallest unused
        non-negative integers or, among strings, "new-0", "new-1", ...
    is_known_ : ndarray of shape (n_clusters,)
        Whether `y` held the class.
    labels_ : ndarray of shape (n_samples,)
        The class of each row, a value of `classes_`.
    codes_ : ndarray of shape (n_samples,), int32
        The same as positions in `classes_`.
    inertia_ : float
        Weighted squared distance of the rows to the centre of their own label.
    n_iter_ : int
        Iterations of the run that was kept.
    history_ : dict of ndarray
        "cost", "moved" (rows) and "distances" (computed), one entry an iteration.
    n_features_in_ : int
        Columns of X.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, if X is a table whose column names are all strings.

    Examples
    --------
    >>> import numpy as np
    >>> from sskmeans import SSKMeans
    >>> X = np.array([[1.0, 2], [1, 4], [1, 0], [10, 2], [10, 4], [10, 0], [20, 2], [20, 4]])
    >>> y = ["cat", None, None, "dog", None, None, None, None]
    >>> model = SSKMeans(n_clusters=3, random_state=0).fit(X, y)
    >>> model.labels_
    array(['cat', 'cat', 'cat', 'dog', 'dog', 'dog', 'new-0', 'new-0'],
          dtype=object)
    >>> model.predict([[0, 0], [19, 3]])
    array(['cat', 'new-0'], dtype=object)
    """

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        init: Any = "k-means++",
        supervision: Literal["clamp", "seed", "freeze"] = "clamp",
        metric: Literal["euclidean", "cosine"] = "euclidean",
        missing_label: Any = -1,
        n_init: int | Literal["auto"] = "auto",
        max_iter: int = 300,
        tol: float = 1e-4,
        verbose: int = 0,
        random_state: Any = None,
        copy_x: bool = True,
        algorithm: Literal["auto", "lloyd", "hamerly", "elkan"] = "auto",
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.supervision = supervision
        self.metric = metric
        self.missing_label = missing_label
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.verbose = verbose
        self.random_state = random_state
        self.copy_x = copy_x
        self.algorithm = algorithm

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> SSKMeans:
        """Cluster the rows of X, given what y says of some of them.

        Parameters
        ----------
        X : array-like or CSR/CSC of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,), optional
            Labels of any kind, `missing_label` where there is none. None: nothing is labelled.
        sample_weight : array-like of shape (n_samples,), optional
            Weight of each row, not negative.

        Returns
        -------
        SSKMeans
            The fitted estimator.
        """
        before = self.__dict__.copy()
        try:
            self._fit(X, y, sample_weight)
        except BaseException:  # Ctrl-C too: a fit that did not finish leaves no trace
            self.__dict__ = before
            raise
        return self

    def _fit(self, X: Any, y: Any, sample_weight: Any) -> None:
        kernels.warn_if_slow()
        settings = read_settings(self)
        ready = prepare(
            X,
            y,
            sample_weight,
            settings.n_clusters,
            missing_label=self.missing_label,
            unit=settings.unit,
            estimator=self,
        )
        start, runs = settings.starter(ready)
        problem = build_problem(
            ready.rows, ready.labels, ready.given, settings.supervision, settings.unit
        )
        found = cluster(
            problem,
            start,
            n_init=runs,
            algorithm=settings.algorithm,
            max_iter=settings.max_iter,
            tol=settings.tol * ready.variance,
            verbose=settings.verbose,
        )
        self._store(ready, problem, found)
        self.n_iter_, self.history_, self._n_init = found.n_iter, found.history, settings.n_init

    def _store(self, ready: Prepared, problem: Problem, found: Clustering) -> None:
        rows, classes = ready.rows, ready.labels.classes
        centres, labels = found.centres, found.labels
        self.cluster_centers_ = centres.astype(ready.dtype)
        if ready.wide:  # the labels must belong to the centres as they are given out
            centres = self.cluster_centers_.astype(rows.dtype)
            labels = problem.points.nearest(centres)[0]
        codes, cost = labels, found.cost
        if problem.points is not rows:
            codes = ready.labels.codes.copy()
            codes[problem.points.rows] = labels
        if problem.points is not rows or ready.wide:  # each row to the centre of its own label
            cost = rows.total(rows.own(centres, codes))
        self.codes_, self.labels_ = codes, classes[codes]
        self.classes_, self.is_known_ = classes, ready.labels.is_known
        self.inertia_ = cost
        self._wide, self._unit = ready.wide, problem.unit
        self._warn_of_small_clusters(np.bincount(codes, minlength=len(classes)), problem.points.n)

    def _warn_of_small_clusters(self, sizes: Array, n_unlabelled: int) -> None:
        k, empty, new = len(sizes), sizes == 0, sizes[~self.is_known_]
        if empty.any():
            names, known = (self.classes_[e].tolist() for e in (empty, empty & self.is_known_))
            warnings.warn(messages.fewer_clusters(k - len(names), k, names, known), stacklevel=5)
        elif 0 < len(new) < k and new.max() <= 2 and n_unlabelled >= 20 * k:
            message = messages.lonely_clusters(len(new), int(new.max()), n_unlabelled)
            warnings.warn(message, stacklevel=5)

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> Array:
        """Fit, given what y says, and return `labels_`.

        Parameters
        ----------
        X, y, sample_weight
            As in `fit`.

        Returns
        -------
        ndarray of shape (n_samples,)
            The class of each row. Under "clamp" and "freeze" a labelled row keeps its own, which
            need not be the nearest: `predict` answers with the nearest.
        """
        return self.fit(X, y, sample_weight).labels_

    def fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None) -> Array:
        """Fit, given what y says, and return the distances of X to the centres.

        Parameters
        ----------
        X, y, sample_weight
            As in `fit`.

        Returns
        -------
        ndarray of shape (n_samples, n_clusters)
            What `transform` returns.
        """
        return np.asarray(self.fit(X, y, sample_weight)._transform(X))
