"""The process ends well, and at once, whatever daemon threads are computing."""

import os
import subprocess
import sys
import textwrap
import time

import pytest

from sskmeans import kernels

START = """
import atexit, os, sys, threading, time

def at_exit():  # registered before the import, so called after our own
    print(SSKMeans(12, max_iter=5, random_state=0).fit(X).cluster_centers_.shape, flush=True)
if "fit at exit" in sys.argv:
    atexit.register(at_exit)

import numpy as np
from sskmeans import SSKMeans
from sskmeans.kernels import nearest

rng = np.random.default_rng(0)
X = rng.random((60_000, 64), dtype=np.float32)
"""
DAEMONS = """
def keep_working(work):
    while True:
        work()

for _ in range(2):
    threading.Thread(target=keep_working, args=(eval(sys.argv[1]),), daemon=True).start()
time.sleep(1)
atexit.register(lambda: print(time.time(), flush=True))
"""
WORK = {
    "many kernels": "lambda: SSKMeans(100, max_iter=50, algorithm='lloyd').fit(X)",
    "one long kernel": "lambda: nearest(X, None, X)",
}


def run(code, *arguments):
    # Not measured: a fork while another thread is in the tracer leaves the child its lock, locked.
    plain = {name: v for name, v in os.environ.items() if not name.startswith("COVERAGE_")}
    done = subprocess.run(
        [sys.executable, "-c", START + textwrap.dedent(code), *arguments],
        env=plain,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


@pytest.mark.parametrize("work", WORK)
def test_daemon_threads_let_the_process_end_at_once(work):
    """Before Python 3.14 a daemon thread that wanted the GIL back aborted the process."""
    (began,) = run(DAEMONS, WORK[work])
    if kernels.backend().name == "native":  # NumPy's own calls are not stopped
        assert time.time() - float(began) < 1  # the long kernel takes several seconds


def test_a_function_called_at_exit_can_still_fit():
    _, shape = run(DAEMONS, WORK["many kernels"], "fit at exit")
    assert shape == "(12, 64)"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_child_forked_in_the_middle_of_a_kernel_ends():
    code = """
        if os.fork() == 0:
            sys.exit(3)
        print(os.waitstatus_to_exitcode(os.wait()[1]))
    """
    code = DAEMONS.replace("atexit", "pass; #") + textwrap.dedent(code)
    assert run(code, WORK["one long kernel"]) == ["3"]
