"""What a fit promises, recomputed in exact arithmetic from what it returns.

Unlabelled rows are at their nearest centre and labelled ones where they belong; centres are the
weighted means of their rows; the inertia is that of these labels and centres. Distances, means and
sums are taken in fractions, so the only rounding is the package's own, and each bound counts it.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from sskmeans import SSKMeans

pytestmark = pytest.mark.filterwarnings("ignore::sskmeans.errors.FewerClustersWarning")
SUPERVISIONS = ["clamp", "seed", "freeze"]
FORMS = {"dense": np.asarray, "csr": sparse.csr_array}


def exact(values):
    return [[Fraction(float(v)) for v in row] for row in np.atleast_2d(values)]


def exact_squares(X, centres):
    """Squared distance of each row to each centre, in fractions."""
    rows, points = exact(X), exact(centres)
    return [
        [sum((a - b) ** 2 for a, b in zip(row, c, strict=True)) for c in points] for row in rows
    ]


def check(model, X, y, weights, supervision):
    """Everything the docstring of this file says, for Euclidean distances."""
    n, d = X.shape
    w = [Fraction(1)] * n if weights is None else [Fraction(float(v)) for v in weights]
    codes, centres = model.codes_, model.cluster_centers_
    eps = Fraction(float(np.finfo(X.dtype).eps))
    D = exact_squares(X, centres)
    held = (y != -1) & (supervision != "seed")

    assert codes.dtype == np.int32
    assert (model.labels_ == model.classes_[codes]).all()
    assert model.labels_[held].tolist() == y[held].tolist()
    for i in np.flatnonzero(~held):  # two distances of d + 8 roundings each were compared
        assert D[i][codes[i]] <= min(D[i]) * (1 + 2 * (d + 8) * eps)

    inertia = sum(w[i] * D[i][codes[i]] for i in range(n))
    assert abs(Fraction(model.inertia_) - inertia) <= (n + d + 3) * Fraction(2) ** -53 * inertia

    largest, wider = Fraction(float(np.abs(X).max())), Fraction(float(np.finfo(np.longdouble).eps))
    for j, name in enumerate(model.classes_):
        if supervision == "freeze" and model.is_known_[j]:
            mine = np.flatnonzero(y == name)
        else:
            mine = np.flatnonzero(codes == j)
        mass = sum((w[i] for i in mine), Fraction(0))
        if not mass:
            continue
        for column in range(d):
            mean = sum(w[i] * Fraction(float(X[i, column])) for i in mine) / mass
            # The mean to its last digit, from sums of more digits than float64 holds: those of
            # long double at least (which on some systems are no more).
            last = Fraction(float(np.spacing(np.abs(X.dtype.type(float(mean))))))
            error = Fraction(51, 100) * last + n * wider * largest
            assert abs(Fraction(float(centres[j, column])) - mean) <= error


def partly_labelled(seed, dtype, offset=0.0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(5, size=70)
    X = (3 * rng.normal(size=(5, 3))[truth] + rng.normal(size=(70, 3)) + offset).astype(dtype)
    y = np.where((rng.random(70) < 0.3) & (truth < 3), truth, -1)
    y[:3] = [0, 1, 2]
    return X, y, rng.random(70) * (rng.random(70) < 0.9) + (np.arange(70) < 3)


@pytest.mark.parametrize("init", ["k-means++", "greedy-k-means++", "random"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("supervision", SUPERVISIONS)
@pytest.mark.parametrize(
    ("dtype", "offset"), [(np.float64, 0), (np.float64, 1e8), (np.float32, 0), (np.float32, 1e4)]
)
@pytest.mark.parametrize("seed", range(2))
def test_dense_rows(seed, dtype, offset, supervision, weighted, init):
    X, y, weights = partly_labelled(seed, dtype, offset)
    weights = weights if weighted else None
    model = SSKMeans(6, init=init, supervision=supervision, tol=0, random_state=seed, n_init=1)
    check(model.fit(X, y, sample_weight=weights), X, y, weights, supervision)
    assert model.cluster_centers_.dtype == dtype


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("supervision", SUPERVISIONS)
@pytest.mark.parametrize("seed", range(2))
def test_sparse_rows(seed, supervision, dtype):
    X, y, weights = partly_labelled(seed, dtype)
    X[np.abs(X) < 1.5] = 0
    model = SSKMeans(6, supervision=supervision, tol=0, random_state=seed)
    model.fit(sparse.csr_array(X), y, sample_weight=weights)
    free = (y == -1) | (supervision == "seed")
    D = np.array(exact_squares(X, model.cluster_centers_), dtype=float)
    # The expanded form is trusted down to 2**-10 of |x|^2 + |c|^2, always in float64.
    error = 2.0**11 * (X.shape[1] + 8) * 2.0**-52
    own = D[np.arange(len(X)), model.codes_]
    assert (own[free] <= D[free].min(axis=1) * (1 + 2 * error)).all()
    assert model.labels_[~free].tolist() == y[~free].tolist()
    assert model.inertia_ == pytest.approx(float(own @ weights), rel=error)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_any_small_problem(data):
    """Hypothesis chooses rows, labels, weights and the start; ties and duplicates abound."""
    n, d = data.draw(st.integers(3, 14)), data.draw(st.integers(1, 3))
    value = st.one_of(st.integers(-4, 4).map(float), st.floats(-1e3, 1e3, width=32))
    rows = data.draw(st.lists(st.lists(value, min_size=d, max_size=d), min_size=n, max_size=n))
    y = np.array(data.draw(st.lists(st.sampled_from([-1, -1, 0, 1, 5]), min_size=n, max_size=n)))
    weights = data.draw(
        st.none() | st.lists(st.sampled_from([0.5, 1.0, 3.0]), min_size=n, max_size=n)
    )
    n_known, n_free = len(set(y.tolist()) - {-1}), int((y == -1).sum())
    k = n_known + data.draw(st.integers(0 if n_known else 1, min(4, n_free) if n_free else 0))
    X = np.array(rows, dtype=data.draw(st.sampled_from([np.float32, np.float64])))
    X = np.where(np.abs(X) < 1e-12, 0, X)  # spreads that squares cannot hold are refused
    supervision = data.draw(st.sampled_from(SUPERVISIONS))
    model = SSKMeans(k, supervision=supervision, tol=0, random_state=data.draw(st.integers(0, 99)))
    check(model.fit(X, y, sample_weight=weights), X, y, weights, supervision)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("supervision", SUPERVISIONS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("seed", range(2))
def test_cosine_rows_and_centres_have_length_one(seed, dtype, supervision, form):
    X, y, weights = partly_labelled(seed, dtype)
    X[:, 0] += 4  # classes that point somewhere
    model = SSKMeans(6, metric="cosine", supervision=supervision, tol=0, random_state=seed)
    model.fit(FORMS[form](X), y, sample_weight=weights)
    unit = X.astype(np.longdouble)
    unit /= np.sqrt((unit**2).sum(axis=1, keepdims=True))
    centres, eps = model.cluster_centers_.astype(np.longdouble), np.finfo(dtype).eps
    lengths = np.sqrt((centres**2).sum(axis=1))
    assert (np.abs(lengths - 1) <= 4 * eps).all()
    # A unit row is rounded by up to eps in length and direction: |x - c| errs by as much.
    chord = np.sqrt(((unit - centres[model.codes_]) ** 2).sum(axis=1))
    error = (weights * (8 * eps * chord + 16 * eps**2)).sum()
    cosines = (unit * centres[model.codes_]).sum(axis=1)
    assert abs(model.inertia_ - (weights * 2 * (1 - cosines)).sum()) <= error
    free = (y == -1) | (supervision == "seed")
    nearest = np.sqrt(((unit[:, None] - centres) ** 2).sum(axis=-1).min(axis=1))
    assert (chord[free] <= nearest[free] + 8 * eps).all()
    assert model.labels_[~free].tolist() == y[~free].tolist()
    for j in np.flatnonzero(~(model.is_known_ & (supervision == "freeze"))):
        mine = model.codes_ == j
        mean = (weights[mine, None] * unit[mine]).sum(axis=0)
        mean /= np.sqrt((mean**2).sum())
        assert np.abs(mean - centres[j]).max() <= 8 * eps  # unit rows, their mean, its length


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
@pytest.mark.parametrize("form", FORMS)
def test_the_other_methods_tell_the_same_story(form, metric):
    X, y, weights = partly_labelled(0, np.float64)
    X = FORMS[form](X)
    model = SSKMeans(6, metric=metric, random_state=0).fit(X, y, sample_weight=weights)
    assert model.predict(X)[y == -1].tolist() == model.labels_[y == -1].tolist()
    distances = model.transform(X)
    assert distances.shape == (70, 6)
    own = distances[np.arange(70), model.codes_]
    assert float(weights @ own**2) == pytest.approx(model.inertia_, rel=1e-13)  # 70 roots, squared
    assert -model.score(X, sample_weight=weights) <= model.inertia_
    free = SSKMeans(6, metric=metric, random_state=0).fit(X, sample_weight=weights)
    score = free.score(X, sample_weight=weights)
    assert score == pytest.approx(-free.inertia_, rel=1e-10)  # CSR: 2**11 * 11 roundings
    again = SSKMeans(6, metric=metric, random_state=0)
    assert again.fit_predict(X, y, sample_weight=weights).tolist() == model.labels_.tolist()
    again.fit_transform(X, y, sample_weight=weights)
    assert again.labels_.tolist() == model.labels_.tolist()
