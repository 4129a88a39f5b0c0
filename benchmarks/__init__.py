"""Benchmarks of sskmeans beside its peers, one file a claim; `python -m benchmarks` runs them."""

import os

# Variables that tell a library which kernels to take or how many threads would handicap some of the
# contestants and not others. They are read when NumPy is loaded, so they go before.
for _name in list(os.environ):
    if _name.startswith(("OPENBLAS_", "GOTO_", "MKL_", "OMP_")):
        del os.environ[_name]
