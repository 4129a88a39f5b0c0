"""Small problems for the kernels, in every form that a matrix comes in."""

import numpy as np
from scipy import sparse


def dense(X):
    return X


def csr_array(X):
    return sparse.csr_array(X)


def csr_matrix(X):
    return sparse.csr_matrix(X)


def csr_long(X):
    A = sparse.csr_array(X)
    A.indices, A.indptr = A.indices.astype(np.int64), A.indptr.astype(np.int64)
    return A


def csr_mixed(X):
    A = sparse.csr_array(X)
    A.indptr = A.indptr.astype(np.int64)
    return A


FORMS = [dense, csr_array, csr_matrix, csr_long, csr_mixed]


def problem(n, d, k, dtype, seed=0, offset=0.0, density=1.0):
    rng = np.random.default_rng(seed)
    X = (rng.normal(size=(n, d)) + offset) * (rng.random((n, d)) < density)
    C = (rng.normal(size=(k, d)) + offset) * (rng.random((k, d)) < max(density, 0.5))
    X, C = X.astype(dtype), C.astype(dtype)
    X[0] = C[-1]  # a row on a centre: distance exactly 0
    C[0] = C[k // 2]  # centres that tie
    return X, C


def sums_of(kernels, X, rows, weights, labels, k):
    """High and low parts of the sums of each cluster."""
    totals = np.zeros((2, k, X.shape[1]))
    kernels.sums(X, rows, weights, labels, totals)
    return totals
