"""`import sskmeans` pulls in nothing heavier than `import sklearn.cluster` does."""

import subprocess
import sys

import pytest

HEAVY = {"pandas", "polars", "pyarrow", "matplotlib", "dask", "torch", "numba", "IPython"}


def modules_after(code):
    command = [sys.executable, "-c", f"{code}\nimport sys\nprint(*sys.modules)"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


def packages(modules):
    """Top-level packages that are neither Python's own nor this one."""
    return {name.partition(".")[0] for name in modules} - sys.stdlib_module_names - {"sskmeans"}


@pytest.fixture(scope="module")
def ours():
    return modules_after("import sskmeans")


@pytest.fixture(scope="module")
def scikit_learns():
    return modules_after("import sklearn.cluster")


def test_no_package_is_imported_that_scikit_learn_does_not_import(ours, scikit_learns):
    extra = packages(ours) - packages(scikit_learns)
    assert not {name for name in extra if not name.startswith("_")}


def test_no_heavy_package_is_imported(ours, scikit_learns):
    """scikit-learn itself imports pandas where it is installed."""
    assert not packages(ours) & HEAVY - packages(scikit_learns)


def test_no_more_of_scikit_learn_and_scipy_is_imported(ours, scikit_learns):
    extra = {name for name in ours - scikit_learns if name.startswith(("sklearn.", "scipy."))}
    assert not extra


def test_a_fit_imports_nothing_heavy_either(scikit_learns):
    code = """
import numpy as np, sskmeans
X = np.arange(40.0).reshape(20, 2)
sskmeans.SSKMeans(2).fit(X, ["a"] + [None] * 19).predict(X)
"""
    assert not packages(modules_after(code)) & HEAVY - packages(scikit_learns)
