"""`columns` on large data: little memory beside the data, and other threads go on meanwhile."""

import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

from sskmeans import kernels

if kernels.backend().name != "native":
    pytest.skip("only the reference is here", allow_module_level=True)

from sskmeans.kernels import native


@pytest.mark.skipif(sys.platform != "linux", reason="RLIMIT_AS is obeyed by Linux")
@pytest.mark.parametrize("weights", ["None", "np.ones(len(X))"])
def test_few_wide_rows_need_little_memory(weights):
    """Sixteen parts of the rows, each with four sums a column, took eight times the data."""
    code = f"""
        import resource
        import numpy as np
        from sskmeans.kernels import _native, columns

        _native.set_num_threads(1)
        X = np.ones((16, 500_000), dtype=np.float32)
        columns(X[:, :10].copy(), None)
        pages = int(open("/proc/self/statm").read().split()[0])
        # 32 bytes a column, 24 for the results, and as much again for the allocator's taste
        size = pages * resource.getpagesize() + 2 * (32 + 24) * X.shape[1]
        resource.setrlimit(resource.RLIMIT_AS, (size, resource.RLIM_INFINITY))
        print(columns(X, {weights})[2].sum())
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("0.0\n", "")


def longest_pause(work):
    """The longest time another Python thread had to wait during `work`."""
    pauses, stop, started = [], threading.Event(), threading.Event()

    def tick():
        started.set()
        last = time.perf_counter()
        while not stop.is_set():
            time.sleep(0.0005)
            now = time.perf_counter()
            pauses.append(now - last)
            last = now

    ticking = threading.Thread(target=tick)
    ticking.start()
    started.wait()
    work()
    stop.set()
    ticking.join()
    return max(pauses)


def test_other_threads_go_on_while_rows_of_infinities_are_told_from_nan():
    X = np.ones((50_000, 512), dtype=np.float32)
    X[::2] = np.inf

    def look():
        low, high, _ = native.columns(X, None)
        assert (low == 1).all()
        assert (high == np.inf).all()

    # The best of five: the machine may be busy. Column after column took 240 ms, without a pause.
    assert min(longest_pause(look) for _ in range(5)) < 0.06
