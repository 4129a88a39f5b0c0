"""The inner loops, native or in NumPy: one set of names, the fastest that can run here.

`reference` says what each kernel computes; `native` is the same in C++. SSKMEANS_BACKEND=native or
=reference forces one of them, SSKMEANS_INSTRUCTIONS=avx512vnni, avx512, avx2 or baseline sets the
native kernels' instructions; both are read once, at import. `backend()` tells what runs, and why.
"""

from __future__ import annotations

import os
import warnings
from typing import NamedTuple

import numpy as np
from scipy import sparse

from sskmeans.kernels import reference
from sskmeans.kernels.types import Matrix

__all__ = [
    "Backend",
    "backend",
    "centre_levels",
    "claim",
    "coarsen",
    "columns",
    "distances",
    "extent",
    "gains",
    "lloyd",
    "look",
    "means",
    "nearest",
    "own",
    "pick",
    "reassign",
    "relative_error",
    "roots",
    "steps",
    "sums",
    "warn_if_slow",
]

NEXT_STEP = (
    "Install a C++17 compiler and build again, in the folder of the sources: "
    "pip install --force-reinstall --no-deps --no-cache-dir ."
)


class Backend(NamedTuple):
    """What runs the kernels. `fell_back`: the native ones were wanted and are not there."""

    name: str
    reason: str
    instructions: str
    fell_back: bool

    @property
    def has_bytes(self) -> bool:
        """Whether products of bytes are faster here than those of floats."""
        return self.instructions.startswith("avx")

    def __str__(self) -> str:
        return f"{self.name} kernels ({self.instructions}): {self.reason}"


def _choose() -> Backend:
    wanted = os.environ.get("SSKMEANS_BACKEND", "")
    if wanted not in ("", "native", "reference"):
        raise ValueError(f"SSKMEANS_BACKEND must be 'native' or 'reference', not {wanted!r}.")
    if wanted == "reference":
        return Backend("reference", "SSKMEANS_BACKEND=reference asks for NumPy", "numpy", False)
    try:
        import sskmeans.kernels._native as _native
    except ImportError as error:
        built = not isinstance(error, ModuleNotFoundError)
        missing = f"the compiled module {f'does not load ({error})' if built else 'was not built'}"
        if wanted == "native":
            raise ImportError(f"SSKMEANS_BACKEND=native, but {missing}. {NEXT_STEP}") from error
        return Backend("reference", missing, "numpy", True)
    from sskmeans.kernels import threads

    able = _native.instruction_sets()
    instructions = os.environ.get("SSKMEANS_INSTRUCTIONS") or able[0]
    if instructions not in able:
        raise ValueError(
            f"SSKMEANS_INSTRUCTIONS={instructions!r} cannot run here: this processor and this "
            f"build can do {', '.join(able)}."
        )
    _native.use_instructions(instructions)
    threads.obey_threadpoolctl()
    threads.end_with_the_interpreter()
    why = "SSKMEANS_BACKEND=native asks for them" if wanted else "the compiled module loads"
    return Backend("native", why, instructions, False)


_backend = _choose()
_warned = False
if _backend.name == "native":
    from sskmeans.kernels.native import (
        centre_levels,
        claim,
        coarsen,
        columns,
        distances,
        extent,
        gains,
        lloyd,
        look,
        means,
        nearest,
        own,
        pick,
        reassign,
        roots,
        steps,
        sums,
    )
else:
    from sskmeans.kernels.reference import (
        centre_levels,
        claim,
        coarsen,
        columns,
        distances,
        extent,
        gains,
        lloyd,
        look,
        means,
        nearest,
        own,
        pick,
        reassign,
        roots,
        steps,
        sums,
    )


def backend() -> Backend:
    """Which kernels run, and why."""
    return _backend


def warn_if_slow() -> None:
    """Say, once a process, that the native kernels were wanted and are not there."""
    global _warned
    if _backend.fell_back and not _warned:
        from sskmeans import messages  # it imports this package's types

        _warned = True
        warnings.warn(messages.slow_backend(_backend.reason), stacklevel=4)  # at the call of fit


def relative_error(X: Matrix) -> float:
    """A bound on the relative error of the squared distances that kernels compute for X."""
    d = X.shape[1]
    if sparse.issparse(X):  # the expanded form is trusted down to `CANCELLED` of the norms
        return float(2 / reference.CANCELLED * (d + 8) * np.finfo(np.float64).eps)
    return float((d + 8) * np.finfo(X.dtype).eps)
