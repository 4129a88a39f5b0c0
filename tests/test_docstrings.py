"""Every example in a docstring prints what it says, in the package as it is installed.

pytest's own collector would import the files under src, where no compiled module lies; here the
modules are those that `import sskmeans` finds. Modules that need the native kernels are left out
where these cannot run.
"""

import doctest
import importlib
import pkgutil

import pytest

import sskmeans

NATIVE_ONLY = {"sskmeans.kernels.native", "sskmeans.kernels.threads", "sskmeans.kernels._native"}


def module_names():
    found = pkgutil.walk_packages(sskmeans.__path__, "sskmeans.")
    names = {"sskmeans"} | {module.name for module in found}
    return sorted(names - NATIVE_ONLY)


@pytest.mark.parametrize("name", module_names())
def test_the_examples_print_what_they_say(name):
    module = importlib.import_module(name)
    assert doctest.testmod(module).failed == 0


def test_the_package_has_examples():
    finder = doctest.DocTestFinder(exclude_empty=True)
    modules = [importlib.import_module(name) for name in module_names()]
    assert sum(len(test.examples) for module in modules for test in finder.find(module)) >= 10
