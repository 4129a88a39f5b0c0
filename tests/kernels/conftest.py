"""Every set of instructions that this machine can run, one after the other."""

import pytest


@pytest.fixture(scope="module")
def instructions(request):
    _native = pytest.importorskip("sskmeans.kernels._native", exc_type=ImportError)
    _native.use_instructions(request.param)
    yield request.param
    _native.use_instructions(_native.instruction_sets()[0])


def pytest_generate_tests(metafunc):
    if "instructions" in metafunc.fixturenames:
        try:
            from sskmeans.kernels import _native
        except ImportError:  # the tests that ask are skipped
            names = ["none"]
        else:
            names = _native.instruction_sets()
        metafunc.parametrize("instructions", names, indirect=True, scope="module")
