"""Numbers you can trust: hostile data against exact rational arithmetic.

Three blobs with one labelled row each, moved, stretched and weighted until careless arithmetic
breaks. The oracle is `fractions.Fraction` on the very floats that were given: labels are those of
the exactly nearest centres, centres are the exact means, the inertia is the exact sum.
"""

from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse

from sskmeans import SSKMeans, errors, kernels

EPS = 2.0**-52
fractions = np.vectorize(Fraction, otypes=[object])
SIZE, K, D = 16, 3, 3
BLOB = np.repeat(np.arange(K), SIZE)
Y = np.full(K * SIZE, -1)
Y[::SIZE] = np.arange(K)


def blobs(seed):
    rng = np.random.default_rng(seed)
    return 20 * np.eye(K)[BLOB] + rng.normal(size=(K * SIZE, D)).clip(-2, 2)


def fit(X, weights=None, y=Y, **parameters):
    parameters = {"n_clusters": K, "tol": 0, "random_state": 0, **parameters}
    return SSKMeans(**parameters).fit(X, y, sample_weight=weights)


def dense(X):
    return fractions(np.asarray(X.toarray() if sparse.issparse(X) else X, dtype=np.float64))


def exact_squares(X, centres):
    """Squared distance of each row to each centre, as fractions."""
    steps = dense(X)[:, None, :] - fractions(centres.astype(np.float64))[None]
    return (steps**2).sum(axis=2)


def check(model, X, weights=None):
    """Labels, centres and inertia belong together, exactly."""
    n = X.shape[0]
    w = np.ones(n) if weights is None else weights
    codes, centres = model.codes_, model.cluster_centers_
    squares = exact_squares(X, centres)
    own, best = squares[np.arange(n), codes], squares.min(axis=1)
    bound = 1 + 2 * Fraction(kernels.relative_error(X))
    assert all(own[Y[:n] < 0] <= bound * best[Y[:n] < 0])  # labelled rows keep their class

    exact = fractions(w)
    values = dense(X)
    for j, centre in enumerate(centres):
        mine = codes == j
        mean = (exact[mine, None] * values[mine]).sum(axis=0) / exact[mine].sum()
        size = (exact[mine, None] * abs(values[mine])).sum(axis=0) / exact[mine].sum()
        # Half an ulp for the division and half for the last sum; with weights, products and their
        # total mass are rounded too, and each rounding is of the size of the data.
        allowed = np.spacing(np.abs(centre)) * 1.01
        if weights is not None:
            allowed = allowed + (mine.sum() + 3) * EPS * size.astype(np.float64)
        assert (abs(fractions(centre.astype(np.float64)) - mean) <= fractions(allowed)).all()

    inertia = (exact * own).sum()
    error = (D + 8) * EPS + (kernels.relative_error(X) if sparse.issparse(X) else 0)
    assert abs(Fraction(model.inertia_) - inertia) <= 4 * Fraction(error) * inertia


FAR = np.array([1.0, -1.0, 0.5])
SHAPES = {  # of float64 data
    "as it is": lambda X: X,
    "1e4 deviations away": lambda X: X + 1e4 * FAR,
    "1e8 deviations away": lambda X: X + 1e8 * FAR,
    "1e12 deviations away": lambda X: X + 1e12 * FAR,
    "one column 1e13 deviations away": lambda X: X + np.array([0, 1e13, 0]),
    "as large as can be": lambda X: X * 1e119,
    "as small as can be": lambda X: X * 1e-119,
    "a column of 1e15 beside 1e-15": lambda X: X * 1e-15 * [1, 1, 0] + [0, 0, 1e15 + 0.125],
    "a column of 1e100 beside 1e-100": lambda X: X * 1e-100 * [1, 1, 0] + [0, 0, 1e100],
    "columns of different size": lambda X: X * [1e15, 1, 1e-15] + X[:, [1, 2, 0]] * 1e14,
    "the first blob 1e9 away": lambda X: X + 1e9 * (BLOB == 0)[:, None] * FAR,
    "a blob 1e9 away in each direction": lambda X: X + 1e9 * FAR * (BLOB - 1)[:, None],
    "a row 1e12 away in a labelled class": lambda X: X + 1e12 * (np.arange(48) == 16)[:, None],
}
SHAPES32 = {  # of float32 data
    "float32": lambda X: X,
    "float32 1e4 deviations away": lambda X: X + 1e4 * FAR,
    "float32 beyond 1e18": lambda X: X * 1e18,
    "float32 of 1e20": lambda X: X * 1e20,
    "float32 near overflow": lambda X: X / np.abs(X).max() * 3.4e38,
    "float32 of 1e-20": lambda X: X * 1e-20,
    "float32 of 1e-30": lambda X: X * 1e-30,
    "float32 subnormal": lambda X: X * 1e-40,
    "float32 of few bits": lambda X: X * 1e-43,
    "float32 large beside subnormal": lambda X: (X > 10) * [1, 0, 0] + X * [0, 0, 1e-40],
}
ALL = [
    *((name, make, np.float64) for name, make in SHAPES.items()),
    *((name, make, np.float32) for name, make in SHAPES32.items()),
]
CASES = pytest.mark.parametrize(("make", "dtype"), [c[1:] for c in ALL], ids=[c[0] for c in ALL])
FORMS = pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "csr"])
SEEDS = pytest.mark.parametrize("seed", range(3))


@SEEDS
@FORMS
@CASES
def test_labels_centres_and_inertia_are_exact(make, dtype, form, seed):
    X = form(make(blobs(seed)).astype(dtype))
    model = fit(X)
    check(model, X)
    if make not in (
        SHAPES["a row 1e12 away in a labelled class"],
        SHAPES["columns of different size"],
    ):
        assert model.labels_.tolist() == BLOB.tolist()


WEIGHTS = {
    "uneven": lambda rng: rng.random(K * SIZE),
    "of 60 orders of magnitude": lambda rng: 10.0 ** rng.uniform(-30, 30, K * SIZE),
    "some of them zero": lambda rng: np.floor(3 * rng.random(K * SIZE)) + (Y >= 0),
    "as counts": lambda rng: rng.integers(1, 10, K * SIZE),
}


@FORMS
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("weights", WEIGHTS)
def test_weighted_centres_and_inertia_are_exact(shape, weights, form):
    X = form(SHAPES[shape](blobs(5)))
    w = WEIGHTS[weights](np.random.default_rng(6)).astype(np.float64)
    check(fit(X, w), X, w)


@FORMS
@CASES
@pytest.mark.parametrize("algorithm", ["lloyd", "hamerly"])
def test_predict_agrees_with_labels(make, dtype, form, algorithm):
    X = form(make(blobs(3)).astype(dtype))
    model = fit(X, algorithm=algorithm, y=None)
    assert model.predict(X).tolist() == model.labels_.tolist()
    for rows in (slice(0, 1), slice(5, 40), slice(None, None, 3)):
        assert model.predict(X[rows]).tolist() == model.labels_[rows].tolist()


@FORMS
@CASES
def test_transform_and_score_are_exact(make, dtype, form):
    X = form(make(blobs(4)).astype(dtype))
    model = fit(X)
    squares = exact_squares(X, model.cluster_centers_)
    largest = max(squares.max(), 0)
    if dtype == np.float32 and largest > Fraction(float(np.finfo(np.float32).max)) ** 2:
        with pytest.raises(errors.DataError, match="float32"):
            model.transform(X)
    else:
        far = model.transform(X)
        assert far.dtype == dtype
        # The root halves a relative error; the last rounding is to the dtype.
        error = Fraction(kernels.relative_error(X)) + 2 * Fraction(float(np.finfo(dtype).eps))
        tiny = Fraction(float(np.finfo(dtype).smallest_subnormal)) * (dtype == np.float32)
        high, low = dense(far) + tiny, np.maximum(dense(far) - tiny, 0)
        assert (low**2 <= squares * (1 + error) ** 2).all()
        assert (high**2 >= squares * (1 - error) ** 2).all()
    nearest = squares.min(axis=1).sum()
    error = Fraction(4 * kernels.relative_error(X))
    assert abs(Fraction(-model.score(X)) - nearest) <= error * nearest
