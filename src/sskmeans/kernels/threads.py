"""How many threads a kernel may use.

At import as OpenMP does: OMP_NUM_THREADS if it says, else the processors this process may run on
(its affinity, and in a container its share of processor time). Later as `threadpoolctl` says:
`threadpool_limits` holds for our module as it does for a BLAS or an OpenMP library.
"""

from __future__ import annotations

import atexit
import os
from pathlib import Path

import threadpoolctl

from sskmeans.kernels import _native

MOST = 1024  # more would only fill the memory with stacks
QUOTA = Path("/sys/fs/cgroup/cpu.max")  # "200000 100000": two processors' worth of time


class Controller(threadpoolctl.LibController):
    """What threadpoolctl asks of a library: here, the module `_native` itself."""

    user_api = "openmp"  # no OpenMP inside, but this is the name that means "loops, not BLAS"
    internal_api = "sskmeans"
    filename_prefixes = ("_native",)
    check_symbols = ("sskmeans_get_num_threads", "sskmeans_set_num_threads")

    def get_num_threads(self) -> int | None:
        """The present limit; None for another library whose file has our prefix."""
        get = getattr(self.dynlib, "sskmeans_get_num_threads", None)
        return None if get is None else int(get())

    def set_num_threads(self, num_threads: int) -> None:
        """Set the limit."""
        self.dynlib.sskmeans_set_num_threads(min(num_threads, MOST))

    def get_version(self) -> None:
        """No version of its own: it belongs to the package."""


def at_import() -> int:
    """The number of threads before anyone sets a limit."""
    asked = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip().lstrip("0")
    if not (asked.isascii() and asked.isdecimal()):
        return _processors()
    return min(int(asked[:9]), MOST)  # Python refuses to read thousands of digits


def obey_threadpoolctl() -> None:
    """Set the number of threads and let threadpoolctl change it. Call once."""
    _native.set_num_threads(at_import())
    threadpoolctl.register(Controller)


def end_with_the_interpreter() -> None:
    """Stop the kernels of daemon threads before they could abort the process. Call once."""
    atexit.register(_native.stop_other_threads)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_native.forget_other_threads)


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        count = len(os.sched_getaffinity(0))
    else:
        count = os.cpu_count() or 1
    try:
        quota, period = map(int, QUOTA.read_text().split())
    except (OSError, ValueError):  # not Linux, or no quota: "max 100000"
        return count
    return max(1, min(count, -(-quota // period)))
