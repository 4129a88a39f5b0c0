"""Memory: sparse rows are never made dense, fit copies no float rows, answers need little more.

`tracemalloc` sees what NumPy allocates; a child process's peak resident memory sees the kernels'
own buffers too.
"""

import subprocess
import sys
import textwrap
import tracemalloc

import numpy as np
import pytest
from scipy import sparse

from sskmeans import SSKMeans, ss_kmeans_plusplus

MB = 2**20


def peak_of(work):
    """Bytes that `work` allocates at its peak, beyond what is there already; and its answer."""
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        answer = work()
        return tracemalloc.get_traced_memory()[1] - before, answer
    finally:
        tracemalloc.stop()


def rows(n, d, dtype=np.float64):
    X = np.random.default_rng(0).standard_normal((n, d), dtype=np.float32).astype(dtype)
    X[: n // 2] += 3
    return X


def half_labelled(n):
    y = np.full(n, -1)
    y[: n // 4] = 0
    return y


@pytest.mark.parametrize("supervision", ["clamp", "seed", "freeze"])
@pytest.mark.parametrize("algorithm", ["lloyd", "auto"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_fit_makes_no_copy_of_float_rows(dtype, algorithm, supervision):
    X, y = rows(16_000, 256, dtype), half_labelled(16_000)
    model = SSKMeans(
        n_clusters=4, supervision=supervision, algorithm=algorithm, max_iter=5, random_state=0
    )
    peak, _ = peak_of(lambda: model.fit(X, y))
    # A dozen numbers a row, and the reference's blocks of 2**16: far from the 256 numbers of X.
    assert peak < X.nbytes / 4


def test_the_seeding_function_makes_no_copy_of_float_rows():
    X, y = rows(16_000, 256), half_labelled(16_000)
    peak, _ = peak_of(lambda: ss_kmeans_plusplus(X, y, 4, random_state=0))
    assert peak < X.nbytes / 4


def test_weights_and_restarts_make_no_copy_of_float_rows():
    X, y = rows(16_000, 256), half_labelled(16_000)
    model = SSKMeans(n_clusters=4, init="random", n_init=3, max_iter=3, random_state=0)
    peak, _ = peak_of(lambda: model.fit(X, y, np.arange(16_000)))
    assert peak < X.nbytes / 4


FORMS = {
    "C order": lambda X: X,
    "Fortran order": np.asfortranarray,
    "strided": lambda X: np.repeat(X, 2, axis=0)[::2],
    "float32": lambda X: X.astype(np.float32),
    "float16": lambda X: X.astype(np.float16),
    "int16": lambda X: (100 * X).astype(np.int16),
    "csr": sparse.csr_array,
}


@pytest.mark.parametrize(
    ("method", "form", "metric"),
    [
        *(("predict", form, "euclidean") for form in FORMS),
        *(("transform", form, "cosine") for form in ("strided", "csr")),
        *(("score", form, "euclidean") for form in ("int16", "csr")),
    ],
)
def test_answers_need_memory_for_their_output_plus_a_constant(method, form, metric):
    n, d = 70_000, 64  # more than two blocks of 2**21 numbers
    X = FORMS[form](rows(2 * n, d))
    model = SSKMeans(n_clusters=3, metric=metric, random_state=0).fit(rows(500, d))

    def beyond_output(part):
        peak, answer = peak_of(lambda: getattr(model, method)(part))
        return peak - (answer.nbytes if isinstance(answer, np.ndarray) else 0)

    model.predict(X[:100])
    half, whole = beyond_output(X[:n]), beyond_output(X)
    # What still grows is the positions that `predict` looks up in `classes_`, 4 bytes a row; how
    # the last blocks fall makes a megabyte or two. The rows themselves would add 9 to 54 MB.
    assert whole - half < 4 * n + 3 * MB


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_transform_to_many_centres_has_no_second_table(form):
    X = rows(40_000, 3)
    model = SSKMeans(n_clusters=400, init="random", n_init=1, max_iter=1, random_state=0).fit(X)
    given = form(X)
    peak, answer = peak_of(lambda: model.transform(given))
    assert answer.nbytes == 40_000 * 400 * 8
    assert peak < answer.nbytes + 3 * 8 * 2**21  # two blocks, the last and the next, and change


def in_a_child(code):
    """What a child process prints: its own peak memory, or why it cannot tell."""
    pytest.importorskip("resource")
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.parametrize(("make", "dtype"), [("csr_array", "float32"), ("csc_matrix", "float64")])
def test_a_wide_sparse_matrix_is_never_made_dense(make, dtype):
    """5,000 x 200,000 would take 4 to 8 GB; its stored values take 6 MB."""
    grown, n_labels = map(
        int,
        in_a_child(f"""
            import resource, sys
            import numpy as np
            from scipy import sparse
            from sskmeans import SSKMeans, ss_kmeans_plusplus

            scale = 1 if sys.platform == "darwin" else 1024  # ru_maxrss is in bytes on macOS
            rng = np.random.default_rng(0)
            X = sparse.random_array((5000, 200_000), density=1e-4, rng=rng, dtype=np.{dtype})
            X = sparse.{make}(X)
            y = np.full(5000, -1)
            y[:20] = np.arange(20) % 2
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            for metric in "euclidean", "cosine":
                if metric == "cosine":
                    X = X.tocsr()[np.diff(X.tocsr().indptr) > 0]
                    y = y[: X.shape[0]]
                model = SSKMeans(4, metric=metric, max_iter=5, random_state=0).fit(X, y)
                labels = model.predict(X)
                model.transform(X), model.score(X)
            ss_kmeans_plusplus(X, y, 4, random_state=0)
            after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            print((after - before) * scale, len(set(labels)))
        """),
    )
    # Centres and sums are dense tables of 4 x 200,000, 6.4 MB each, of which a few dozen are held.
    assert grown < 500 * MB
    assert n_labels >= 1


def test_the_kernels_buffers_are_small_beside_the_rows():
    [grown] = map(
        int,
        in_a_child("""
            import resource, sys
            import numpy as np
            from sskmeans import SSKMeans

            scale = 1 if sys.platform == "darwin" else 1024
            X = np.random.default_rng(0).standard_normal((100_000, 256), dtype=np.float32)
            SSKMeans(8, max_iter=2, random_state=0).fit(X[:100])
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            model = SSKMeans(64, max_iter=3, random_state=0).fit(X)
            model.predict(X)
            print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * scale)
        """),
    )
    assert grown < 100_000 * 256 * 4 / 2
