"""Which kernels run, and how to say which should."""

import os
import subprocess
import sys
import textwrap

import pytest

from sskmeans import kernels

NOT_BUILT = "import sys; sys.modules['sskmeans.kernels._native'] = None\n"
needs_native = pytest.mark.skipif(
    kernels.backend().name != "native", reason="only the reference is here"
)


def run(text, **environment):
    clean = {name: value for name, value in os.environ.items() if not name.startswith("SSKMEANS_")}
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(text)],
        env=clean | environment,
        capture_output=True,
        text=True,
        check=False,
    )


SAY = "from sskmeans import kernels; print(kernels.backend())"


def test_backend_says_what_and_why():
    said = kernels.backend()
    assert said.name in ("native", "reference")
    assert said.name in str(said)
    assert said.reason in str(said)
    assert said.instructions in ("avx512vnni", "avx512", "avx2", "baseline", "numpy")


def test_reference_on_request():
    done = run(SAY, SSKMEANS_BACKEND="reference")
    assert "reference" in done.stdout
    assert "SSKMEANS_BACKEND" in done.stdout


@needs_native
def test_native_on_request():
    assert "native" in run(SAY, SSKMEANS_BACKEND="native").stdout


def test_unknown_backend_lists_the_known_ones():
    said = run(SAY, SSKMEANS_BACKEND="cuda").stderr
    assert "ValueError" in said
    assert "'native'" in said
    assert "'reference'" in said


@needs_native
def test_unknown_instructions_list_the_able_ones():
    said = run(SAY, SSKMEANS_INSTRUCTIONS="mmx").stderr
    assert "ValueError" in said
    assert "baseline" in said


@needs_native
def test_instructions_on_request():
    from sskmeans.kernels import _native

    for name in _native.instruction_sets():
        assert name in run(SAY, SSKMEANS_INSTRUCTIONS=name).stdout


def test_native_forced_but_not_built_says_what_to_do():
    said = run(NOT_BUILT + SAY, SSKMEANS_BACKEND="native").stderr
    assert "ImportError" in said
    assert "compiler" in said


def test_falling_back_is_said_once():
    done = run(
        NOT_BUILT
        + """
import warnings
from sskmeans import kernels
assert kernels.backend().fell_back
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    kernels.warn_if_slow()
    kernels.warn_if_slow()
print(kernels.backend().name, [warning.category.__name__ for warning in caught])
"""
    )
    assert done.stdout == "reference ['SlowBackendWarning']\n"


def test_the_reference_on_request_does_not_warn():
    done = run(
        "import warnings; warnings.simplefilter('error'); " + SAY + "; kernels.warn_if_slow()",
        SSKMEANS_BACKEND="reference",
    )
    assert done.returncode == 0
