"""Every set of instructions that this machine can run, one after the other, and the reference."""

import pytest

from sskmeans import kernels
from sskmeans.kernels import reference

BACKENDS = [("reference", reference)]
if kernels.backend().name == "native":
    from sskmeans.kernels import _native, native

    BACKENDS += [(name, native) for name in _native.instruction_sets()]


@pytest.fixture(params=BACKENDS, ids=lambda pair: pair[0])
def named_backend(request):
    name, module = request.param
    if module is not reference:
        _native.use_instructions(name)
    yield name, module
    if module is not reference:
        _native.use_instructions(kernels.backend().instructions)


@pytest.fixture
def backend(named_backend):
    return named_backend[1]


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
