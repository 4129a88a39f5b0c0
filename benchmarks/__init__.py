"""Benchmarks, one file for each claim. `python -m benchmarks NAME`, or `scripts/bench NAME`."""
