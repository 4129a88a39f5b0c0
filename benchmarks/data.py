"""Data of many shapes: made here, shipped with scikit-learn, or real sets from a folder.

SSKMEANS_BENCH_DATA names a folder of `.npz` files with `X` and `y`; sets that are not there are
reported as missing, not replaced.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

import numpy as np
from scipy import sparse
from sklearn.datasets import load_digits, load_iris

REAL = {
    "embeddings": "clinc_minilm",  # 23,700 x 384 sentence embeddings
    "fashion": "fashion_mnist",  # 70,000 x 784 pictures
    "banking": "banking_minilm",  # 13,083 x 384 sentence embeddings
    "pixels": "indian_pines",  # 10,249 x 200 bands
}


@lru_cache(maxsize=2)
def labelled_blobs(
    n: int, d: int, k: int, dtype: str, spread: float = 3.0, seed: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """`k` Gaussian clusters whose centres are `spread` deviations wide, and which row is whose."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(scale=spread, size=(k, d))
    X, labels = np.empty((n, d), dtype=dtype), np.empty(n, dtype=np.int64)
    for start in range(0, n, 65536):
        part = slice(start, min(n, start + 65536))
        noise = rng.normal(size=(part.stop - start, d))
        labels[part] = rng.integers(k, size=part.stop - start)
        X[part] = centres[labels[part]] + noise
    return X, labels


def blobs(n: int, d: int, k: int, dtype: str, spread: float = 3.0, seed: int = 0) -> np.ndarray:
    """The rows of `labelled_blobs`."""
    return labelled_blobs(n, d, k, dtype, spread, seed)[0]


@lru_cache(maxsize=1)
def noise(n: int, d: int, dtype: str, seed: int = 0) -> np.ndarray:
    """Uniform noise: no clusters at all, the hard case for every pruning."""
    return np.random.default_rng(seed).random((n, d)).astype(dtype)


@lru_cache(maxsize=1)
def powers(n: int, d: int, k: int, dtype: str, seed: int = 0) -> np.ndarray:
    """Clusters at distances 2^j: the hard case for seeding in batches."""
    rng = np.random.default_rng(seed)
    centres = np.zeros((k, d))
    centres[:, 0] = 2.0 ** np.arange(k)
    return (centres[rng.integers(k, size=n)] + 1e-3 * rng.normal(size=(n, d))).astype(dtype)


def paper_mixture(seed: int, k: int = 24, d: int = 15, each: int = 100) -> tuple[np.ndarray, float]:
    """Yoder and Priebe's Gaussian mixture, and what its classes cost about their own means."""
    rng = np.random.default_rng(seed)
    noise = rng.normal(size=(k, each, d))
    own = float(((noise - noise.mean(axis=1, keepdims=True)) ** 2).sum())
    return (rng.uniform(0, 10, size=(k, 1, d)) + noise).reshape(-1, d), own


def text(n: int, d: int, stored: int, k: int, seed: int = 0) -> sparse.csr_array:
    """Text-like rows: `stored` words each, drawn by Zipf's law, half of them a topic's own."""
    rng = np.random.default_rng(seed)
    ranks = (d ** rng.random((n, stored))).astype(np.int64)  # density 1 / rank
    offsets = rng.integers(d, size=k)[rng.integers(k, size=n)]
    ranks[:, ::2] = (ranks[:, ::2] + offsets[:, None]) % d
    starts = np.arange(0, n * stored + 1, stored, dtype=np.int32)  # scikit-learn takes no int64
    counts = np.ones(n * stored, dtype=np.float32)
    X = sparse.csr_array((counts, ranks.ravel().astype(np.int32) % d, starts), shape=(n, d))
    X.sum_duplicates()
    lengths = np.sqrt(np.add.reduceat(X.data**2, X.indptr[:-1]))
    X.data /= np.repeat(lengths, np.diff(X.indptr))
    return X


@lru_cache(maxsize=2)
def real(name: str, dtype: str = "float32") -> np.ndarray | None:
    """A real set, None where the folder does not have it."""
    folder = os.environ.get("SSKMEANS_BENCH_DATA", "")
    path = Path(folder) / f"{REAL[name]}.npz"
    if not folder or not path.exists():
        return None
    with np.load(path, allow_pickle=False) as archive:
        return np.ascontiguousarray(archive["X"].astype(dtype))


def small(name: str) -> np.ndarray:
    """Sets that scikit-learn brings."""
    loaders = {"iris": load_iris, "digits": load_digits}
    return np.asarray(loaders[name](return_X_y=True)[0], dtype=np.float64)
