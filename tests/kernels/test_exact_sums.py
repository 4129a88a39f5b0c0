"""A weighted sum keeps what its products round away, not only what its additions do."""

from fractions import Fraction

import numpy as np
import pytest
from kernel_problems import sums_of
from scipy import sparse

FORMS = [np.asarray, sparse.csr_array]

# The reference multiplies in long double, 64 bits where it is wider than a double.
LOST = {"reference": Fraction(float(np.finfo(np.longdouble).eps))}


@pytest.fixture
def backend(named_backend):
    name, module = named_backend
    return module, LOST.get(name, Fraction(0))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("size", [1.0, 1e-30, 1e30])
@pytest.mark.parametrize("seed", range(3))
def test_one_product_is_exact(backend, form, dtype, size, seed):
    module, lost = backend
    rng = np.random.default_rng(seed)
    n, d = 40, 17
    X = (rng.normal(size=(n, d)) * size).astype(dtype)
    weights = rng.random(n) * 10.0 ** rng.integers(-100, 200, size=n)
    weights[:4] = 1 - 2.0**-53, 1 + 2.0**-52, 2.0**27 - 1, 1e270
    high, low = sums_of(module, form(X), None, weights, np.arange(n, dtype=np.int32), n)
    for i in range(n):
        for f in range(d):
            exact = Fraction(float(X[i, f])) * Fraction(weights[i])
            given = Fraction(high[i, f]) + Fraction(low[i, f])
            assert abs(given - exact) <= lost * abs(exact)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("seed", range(3))
def test_a_sum_of_products_errs_by_the_square_of_eps(backend, form, dtype, seed):
    """Rows 1e8 deviations away: rounding each product would cost a million last digits."""
    module, lost = backend
    rng = np.random.default_rng(seed)
    n = 500
    X, weights = (rng.normal(size=(n, 1)) + 1e8).astype(dtype), rng.random(n)
    high, low = sums_of(module, form(X), None, weights, np.zeros(n, dtype=np.int32), 1)
    terms = [Fraction(float(x)) * Fraction(w) for x, w in zip(X[:, 0], weights, strict=True)]
    exact, size = sum(terms), sum(map(abs, terms))
    # Errors are added in double: n of them, each below eps of the sum, each addition errs by eps.
    eps = Fraction(float(np.finfo(float).eps))
    error = abs(Fraction(high[0, 0]) + Fraction(low[0, 0]) - exact)
    assert error <= (n * eps) ** 2 * size + n * lost * size
