"""`__all__` is the public face, whole and true."""

import types

import pytest

import sskmeans


def test_every_public_name_is_exported_and_every_exported_name_is_there():
    present = {
        name
        for name, value in vars(sskmeans).items()
        if not name.startswith("_") and not isinstance(value, types.ModuleType)
    }
    assert present == {
        name for name in sskmeans.__all__ if name not in ("__version__", "errors", "kernels")
    }
    assert all(hasattr(sskmeans, name) for name in sskmeans.__all__)


def test_exported_names_are_sorted_and_said_once():
    assert sskmeans.__all__ == sorted(set(sskmeans.__all__))


@pytest.mark.parametrize("name", ["SSKMeans", "ss_kmeans_plusplus"])
def test_public_names_are_documented(name):
    text = getattr(sskmeans, name).__doc__
    assert all(heading in text for heading in ("Parameters\n", "Examples\n"))


def test_every_error_and_warning_is_ours_and_a_builtin_kind():
    errors = [value for value in vars(sskmeans.errors).values() if isinstance(value, type)]
    ours = [value for value in errors if value.__module__ == "sskmeans.errors"]
    assert len(ours) >= 9
    for kind in ours:
        root = sskmeans.errors.SSKMeansError
        if not issubclass(kind, root):
            root = sskmeans.errors.SSKMeansWarning
            assert issubclass(kind, Warning)
        elif kind is not root:
            assert issubclass(kind, ValueError)
        assert issubclass(kind, root)


def test_the_version_is_that_of_the_installed_package():
    assert sskmeans.__version__.count(".") >= 2


def test_the_backend_says_its_name():
    text = str(sskmeans.kernels.backend())
    assert ("native" in text) != ("reference" in text.partition(":")[0])
