"""No rows, no columns, no clusters: empty results or a ValueError, in either backend."""

import numpy as np
import pytest
from kernel_problems import sums_of
from scipy import sparse

FORMS = [np.asarray, sparse.csr_array]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("n", "d", "k"), [(5, 0, 2), (0, 3, 2), (0, 3, 0), (0, 0, 2), (0, 0, 0)])
def test_sums_of_nothing(backend, form, dtype, weighted, n, d, k):
    X, labels = form(np.zeros((n, d), dtype)), np.zeros(n, dtype=np.int32)
    for rows in (None, np.arange(n)):
        high, low = sums_of(backend, X, rows, np.ones(n) if weighted else None, labels, k)
        assert high.shape == low.shape == (k, d)
        assert not high.any()
        assert not low.any()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(("n", "d"), [(5, 0), (0, 3), (0, 0)])
def test_distances_of_nothing(backend, form, dtype, n, d):
    X, C = form(np.zeros((n, d), dtype)), np.zeros((4, d), dtype)
    for rows in (None, np.arange(n)):
        labels, best, second = backend.nearest(X, rows, C)
        distances = backend.distances(X, rows, C)
        assert distances.shape == (n, 4)
        for zero in (labels, best, second, distances, backend.own(X, rows, C, labels)):
            assert len(zero) == n
            assert not zero.any()


@pytest.mark.parametrize("form", FORMS)
def test_nothing_is_nearest_among_no_centres(backend, form):
    X, C = form(np.zeros((5, 3))), np.zeros((0, 3))
    with pytest.raises(ValueError):
        backend.nearest(X, None, C)


@pytest.mark.parametrize("weights", [None, np.ones(5)])
def test_columns_without_columns(backend, weights):
    for part in backend.columns(np.zeros((5, 0)), weights):
        assert part.shape == (0,)


@pytest.mark.parametrize("weights", [None, np.ones(0)])
@pytest.mark.parametrize("d", [0, 3])
def test_columns_without_rows_have_no_variance(backend, weights, d):
    with pytest.raises(ValueError, match="rows"):
        backend.columns(np.zeros((0, d)), weights)
