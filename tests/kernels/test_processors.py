"""Where the system does not say which processors a process may use, it has them all."""

import os

import pytest

threads = pytest.importorskip(
    "sskmeans.kernels.threads", reason="the native kernels were not built", exc_type=ImportError
)


@pytest.mark.parametrize(("count", "expected"), [(1, 1), (6, 6), (None, 1)])
def test_without_an_affinity_all_processors_count(monkeypatch, tmp_path, count, expected):
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: count)
    monkeypatch.setattr(threads, "QUOTA", tmp_path / "none")
    assert threads.at_import() == expected
