"""Threads change nothing but the time; they obey their limits, Ctrl-C, fork and each other."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import threadpoolctl
from kernel_problems import sums_of
from scipy import sparse

from sskmeans import kernels

if kernels.backend().name != "native":
    pytest.skip("only the reference is here", allow_module_level=True)

from sskmeans.kernels import _native, native, threads
from sskmeans.kernels.types import Moves, Rounding


def problem(form, dtype=np.float32, n=60_000, d=33, k=21):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d)).astype(dtype)
    if form == "csr":
        X = sparse.csr_array(X * (rng.random((n, d)) < 0.3))
    return X, rng.normal(size=(k, d)).astype(dtype)


def everything(X, C, rows=None, n=None):
    """All that the kernels say of a problem that deserves several threads, as bytes."""
    n = X.shape[0] if rows is None else len(rows)
    weights = np.random.default_rng(1).random(n)
    labels, best, second = native.nearest(X, rows, C)
    out = [labels, best, second, native.distances(X, rows, C), native.own(X, rows, C, labels)]
    out.append(sums_of(native, X, rows, weights, labels, len(C)))
    if isinstance(X, np.ndarray) and rows is None:
        out += native.columns(X, weights)
    bounds = [labels.copy(), 0.9 * np.sqrt(best), np.sqrt(second)]
    bounds[0][::7] = 0
    moves, rounding = Moves(*np.full((3, len(C)), 0.1)), Rounding(1.0, 1.0, 0.0)
    found = native.reassign(X, rows, C, weights, *bounds, moves, rounding, 1.0)
    out += [*bounds, found.positions, found.left, np.float64(found.gain)]
    return b"".join(part.tobytes() for part in out)


@pytest.mark.parametrize("form", ["dense", "csr"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_same_bits_for_any_number_of_threads(form, dtype):
    X, C = problem(form, dtype)
    seen = set()
    for n in (1, 2, 4, 7):
        with threadpoolctl.threadpool_limits(limits=n):
            seen.add(everything(X, C))
    assert len(seen) == 1


def test_same_bits_for_wide_rows():
    X, C = problem("dense", n=4000, d=500)
    seen = set()
    for n in (1, 2, 7):
        with threadpoolctl.threadpool_limits(limits=n):
            seen.add(everything(X, C))
    assert len(seen) == 1


@pytest.mark.parametrize("form", ["dense", "csr"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_bits_of_a_row_do_not_depend_on_the_rows_around_it(form, dtype):
    X, C = problem(form, dtype, n=2000)
    D, (labels, best, second) = native.distances(X, None, C), native.nearest(X, None, C)
    rng = np.random.default_rng(2)
    for size in (1, 3, 31, 32, 33, 500):
        rows = rng.integers(0, 2000, size=size)
        np.testing.assert_array_equal(native.distances(X, rows, C), D[rows])
        np.testing.assert_array_equal(native.nearest(X, rows, C)[1], best[rows])
        np.testing.assert_array_equal(native.nearest(X, rows, C)[2], second[rows])
        np.testing.assert_array_equal(native.distances(X[:size], None, C), D[:size])
        np.testing.assert_array_equal(
            native.own(X, rows, C, labels[rows]), native.own(X, None, C, labels)[rows]
        )
    for k in range(1, 21):
        np.testing.assert_array_equal(native.distances(X[:99], None, C[:k]), D[:99, :k])


def test_threadpoolctl_limits_and_restores():
    def ours():
        (found,) = [
            info for info in threadpoolctl.threadpool_info() if info["internal_api"] == "sskmeans"
        ]
        assert found["user_api"] == "openmp"
        assert found["num_threads"] == _native.get_num_threads()
        return found["num_threads"]

    before = ours()
    with threadpoolctl.threadpool_limits(limits=5):
        assert ours() == 5
        with threadpoolctl.threadpool_limits(limits=1, user_api="openmp"):
            assert ours() == 1
        assert ours() == 5
    assert ours() == before
    with threadpoolctl.threadpool_limits(limits=3, user_api="blas"):
        assert ours() == before


def test_omp_num_threads_is_read_as_openmp_does(monkeypatch, tmp_path):
    for text, expected in (("4,2", 4), ("3", 3), (" 2 ", 2), ("0002", 2)):
        monkeypatch.setenv("OMP_NUM_THREADS", text)
        assert threads.at_import() == expected
    monkeypatch.setattr(threads, "QUOTA", tmp_path / "none")
    for text in ("", "0", "nonsense", "-1", "²", "٠"):
        monkeypatch.setenv("OMP_NUM_THREADS", text)
        assert threads.at_import() >= 1
    monkeypatch.delenv("OMP_NUM_THREADS")
    threads.QUOTA.write_text("100000 100000\n")
    assert threads.at_import() == 1
    threads.QUOTA.write_text("max 100000\n")
    assert threads.at_import() >= 1


@pytest.mark.parametrize("asked", ["1025", "99999999999", "9" * 5000])
def test_absurd_numbers_of_threads_are_capped(monkeypatch, asked):
    monkeypatch.setenv("OMP_NUM_THREADS", asked)
    assert threads.at_import() == threads.MOST
    ours = threadpoolctl.ThreadpoolController().select(internal_api="sskmeans")
    X, C = problem("dense", n=2000)
    with ours.limit(limits=int(asked[:99])):
        assert _native.get_num_threads() == threads.MOST
        native.nearest(X, None, C)


def test_several_python_threads_at_once():
    X, C = problem("dense", n=20_000)
    expected = everything(X, C)
    with ThreadPoolExecutor(4) as pool:
        for answer in pool.map(lambda _: everything(X, C), range(8)):
            assert answer == expected


def child(text, *arguments):
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(text), *arguments],
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for a child")
@pytest.mark.parametrize("form", ["dense", "csr"])
def test_ctrl_c_stops_a_long_kernel_within_half_a_second(form):
    long = child(
        """
        import sys
        import numpy as np
        from scipy import sparse
        from sskmeans.kernels import nearest

        X, C = np.ones((100_000, 128), dtype=np.float32), np.ones((100_000, 128), dtype=np.float32)
        C[:, 0] = 7  # not the same point: for CSR that would cost a recomputation
        print("ready", flush=True)
        try:
            nearest(sparse.csr_array(X) if sys.argv[1] == "csr" else X, None, C)
        except KeyboardInterrupt:
            print("stopped", flush=True)
        """,
        form,
    )
    with long as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(1.0)
        sent = time.perf_counter()
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "stopped\n"
        assert time.perf_counter() - sent < 0.5
        assert process.wait() == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_can_compute():
    process = child(
        """
        import os
        import numpy as np
        from sskmeans.kernels import nearest

        rng = np.random.default_rng(0)
        X, C = rng.normal(size=(50_000, 30)), rng.normal(size=(40, 30))
        expected = nearest(X, None, C)[1]
        if os.fork() == 0:
            os._exit(0 if (nearest(X, None, C)[1] == expected).all() else 3)
        _, status = os.wait()
        print(os.waitstatus_to_exitcode(status), (nearest(X, None, C)[1] == expected).all())
        """
    )
    out, _ = process.communicate()
    assert out == "0 True\n"
