"""Data of many shapes: made here, shipped with scikit-learn, or real sets from a folder.

SSKMEANS_BENCH_DATA names a folder of `.npz` files with `X` and `y`; sets that are not there are
reported as missing, not replaced.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits, load_iris

REAL = {
    "embeddings": "clinc_minilm",  # 23,700 x 384 sentence embeddings
    "fashion": "fashion_mnist",  # 70,000 x 784 pictures
    "banking": "banking_minilm",  # 13,083 x 384 sentence embeddings
    "pixels": "indian_pines",  # 10,249 x 200 bands
}


@lru_cache(maxsize=2)
def blobs(n: int, d: int, k: int, dtype: str, spread: float = 3.0, seed: int = 0) -> np.ndarray:
    """`k` Gaussian clusters whose centres are `spread` deviations wide."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(scale=spread, size=(k, d))
    X = np.empty((n, d), dtype=dtype)
    for start in range(0, n, 65536):
        stop = min(n, start + 65536)
        noise = rng.normal(size=(stop - start, d))
        X[start:stop] = centres[rng.integers(k, size=stop - start)] + noise
    return X


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
