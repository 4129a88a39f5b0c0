"""The same bits for any number of threads, from run to run and from process to process.

Sizes are such that every kernel deserves several threads: n d k is 100 million. (The reference has
none of its own, and is asked for less.)
"""

import functools
import hashlib
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import threadpoolctl
from scipy import sparse

from sskmeans import SSKMeans, kernels, ss_kmeans_plusplus

N, D, K = (24_000 if kernels.backend().name == "native" else 2000), 40, 100
FORMS = pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "csr"])
DTYPES = pytest.mark.parametrize("dtype", [np.float32, np.float64])


@functools.cache
def rows(form, dtype):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N, D)) * (rng.random((N, D)) < 0.5) + 2 * rng.integers(0, 3, (N, 1))
    return form(X.astype(dtype))


def half_labelled():
    """Every fifth row, in K / 2 classes by the size of its first number."""
    ranks = rows(np.asarray, np.float64)[:, 0].argsort().argsort()
    return np.where(np.arange(N) % 5 == 0, ranks * (K // 2) // N, -1)


def fit(X, *, y=None, weights=None, **parameters):
    parameters = {"n_clusters": K, "max_iter": 6, "random_state": 0} | parameters
    return SSKMeans(**parameters).fit(X, y, sample_weight=weights)


def digest(*parts):
    return hashlib.sha256(b"".join(np.asarray(part).tobytes() for part in parts)).hexdigest()


def fingerprint(model, X):
    answers = model.predict(X), model.transform(X[:2000]), model.score(X)
    return digest(
        *(model.labels_, model.cluster_centers_, model.inertia_, model.n_iter_, model.codes_),
        *model.history_.values(),
        *answers,
    )


WAYS = {
    "plain": {},
    "labels": {"y": half_labelled()},
    "weights": {"weights": np.random.default_rng(1).random(N)},
    "labels and weights": {"y": half_labelled(), "weights": np.random.default_rng(1).random(N)},
    "labels as seeds": {"y": half_labelled(), "supervision": "seed"},
    "frozen": {"y": half_labelled(), "supervision": "freeze"},
    "cosine": {"y": half_labelled(), "metric": "cosine"},
    "lloyd": {"y": half_labelled(), "algorithm": "lloyd"},
    "greedy": {"init": "greedy-k-means++", "max_iter": 2},
    "random, two runs": {"init": "random", "n_init": 2, "max_iter": 3},
}


@DTYPES
@FORMS
@pytest.mark.parametrize("way", ["plain", "labels and weights"])
def test_threads_change_no_bit_of_a_fit(way, form, dtype):
    X = rows(form, dtype)
    seen = set()
    for threads in (1, 2, 4, 7):
        with threadpoolctl.threadpool_limits(limits=threads):
            seen.add(fingerprint(fit(X, **WAYS[way]), X))
    seen.add(fingerprint(fit(X, **WAYS[way]), X))
    assert len(seen) == 1


@pytest.mark.filterwarnings("ignore::sskmeans.errors.FewerClustersWarning")  # labels as seeds
@pytest.mark.parametrize("way", [way for way in WAYS if way not in ("plain", "labels and weights")])
def test_threads_change_no_bit_whatever_is_asked(way):
    X = rows(np.asarray, np.float32)
    seen = set()
    for threads in (1, 2, 7):
        with threadpoolctl.threadpool_limits(limits=threads):
            seen.add(fingerprint(fit(X, **WAYS[way]), X))
    assert len(seen) == 1


@DTYPES
@FORMS
def test_threads_change_no_draw(form, dtype):
    X = rows(form, dtype)
    seen = set()
    for threads in (1, 2, 4, 7):
        with threadpoolctl.threadpool_limits(limits=threads):
            seen.add(digest(*ss_kmeans_plusplus(X, half_labelled(), 200, random_state=3)))
    assert len(seen) == 1


@pytest.mark.parametrize("way", ["labels and weights", "cosine"])
def test_runs_are_repeatable(way):
    X = rows(np.asarray, np.float64)
    assert len({fingerprint(fit(X, **WAYS[way]), X) for _ in range(3)}) == 1


def test_different_states_give_different_bits():
    """The fingerprint sees something."""
    X = rows(np.asarray, np.float32)
    assert len({fingerprint(fit(X, max_iter=1, random_state=s), X) for s in range(3)}) == 3


CHILD = """
import sys
sys.path.insert(0, {folder!r})
from test_same_bits import *
for form in np.asarray, sparse.csr_array:
    X = rows(form, np.float32)
    print(fingerprint(fit(X, **WAYS["labels and weights"]), X))
"""


def test_a_process_with_another_omp_num_threads_agrees():
    def run(threads):
        environment = os.environ | {"OMP_NUM_THREADS": threads, "OPENBLAS_NUM_THREADS": threads}
        command = [sys.executable, "-c", CHILD.format(folder=os.path.dirname(__file__))]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        return done.stdout

    here = [
        fingerprint(fit(X, **WAYS["labels and weights"]), X)
        for X in (rows(np.asarray, np.float32), rows(sparse.csr_array, np.float32))
    ]
    assert {run("3")} == {"".join(f"{bits}\n" for bits in here)}


def test_many_python_threads_at_once_agree():
    """With labels, weights and all; each thread its own estimator, all on the same rows."""
    dense, csr = rows(np.asarray, np.float32), rows(sparse.csr_array, np.float32)

    def work(i):
        X = (dense, csr)[i % 2]
        way = WAYS["labels and weights"]
        return i % 2, fingerprint(fit(X, **way), X)

    expected = {work(0), work(1)}
    with ThreadPoolExecutor(6) as pool:
        assert set(pool.map(work, range(8))) == expected


def test_one_estimator_answers_many_python_threads():
    X = rows(np.asarray, np.float64)
    model = fit(X, **WAYS["labels"])
    expected = digest(model.predict(X), model.transform(X), model.score(X))
    with ThreadPoolExecutor(6) as pool:
        jobs = [
            pool.submit(lambda: digest(model.predict(X), model.transform(X), model.score(X)))
            for _ in range(6)
        ]
        assert {job.result() for job in jobs} == {expected}
