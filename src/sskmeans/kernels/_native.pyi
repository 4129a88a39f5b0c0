from typing import Any

from sskmeans.kernels.types import Array

def instruction_sets() -> list[str]: ...
def use_instructions(name: str, /) -> None: ...
def centre_levels() -> int: ...
def get_num_threads() -> int: ...
def set_num_threads(n: int, /) -> None: ...
def stop_other_threads() -> None: ...
def forget_other_threads() -> None: ...
def nearest(
    data: Array,
    indices: Array | None,
    indptr: Array | None,
    d: int,
    rows: Array | None,
    centres: Array,
    labels: Array,
    best: Array,
    second: Array,
) -> None: ...
def distances(
    data: Array,
    indices: Array | None,
    indptr: Array | None,
    d: int,
    rows: Array | None,
    centres: Array,
    out: Array,
) -> None: ...
def own(
    data: Array,
    indices: Array | None,
    indptr: Array | None,
    d: int,
    rows: Array | None,
    centres: Array,
    labels: Array,
    out: Array,
) -> None: ...
def sums(
    data: Array,
    indices: Array | None,
    indptr: Array | None,
    d: int,
    rows: Array | None,
    weights: Array | None,
    labels: Array,
    leaving: Array | None,
    totals: Array,
) -> None: ...
def roots(squares: Array, out: Array) -> float: ...
def extent(data: Array) -> tuple[float, float]: ...
def columns(
    data: Array, weights: Array | None, origin: int, low: Array, high: Array, variance: Array
) -> None: ...
def lloyd(
    data: Array,
    rows: Array | None,
    centres: Array,
    held: tuple[Array, ...] | None,
    tol: float,
    max_iter: int,
    labels: Array,
    out: Array,
) -> tuple[int, list[float], list[int]]: ...
def means(high: Array, low: Array, mass: Array, mass_low: Array, out: Array) -> None: ...
def steps(
    before: Array, after: Array, high: Array, mass: Array, squares: Array, changes: Array
) -> None: ...
def reassign(
    data: Array,
    indices: Array | None,
    indptr: Array | None,
    d: int,
    rows: Array | None,
    centres: Array,
    weights: Array | None,
    labels: Array,
    upper: Array,
    lower: Array,
    moves: Array,
    rounding: Array,
    share: float,
    fresh: bool,
    coarse: tuple[Any, ...] | None,
    leading: tuple[Any, ...] | None,
    moved: Array,
    left: Array,
) -> tuple[int, float, float]: ...
def look(
    codes: Array,
    stats: Array,
    directions: Array,
    bias: Array,
    scale: float,
    levels: int,
    to_bias: int,
    out: Array,
    out_stats: Array,
) -> None: ...
def coarsen(
    data: Array,
    d: int,
    rows: Array | None,
    middle: Array,
    unit: float,
    levels: int,
    bias: int,
    codes: Array,
    stats: Array,
) -> None: ...
def gains(
    data: Array,
    indices: Array | None,
    indptr: Array | None,
    d: int,
    rows: Array | None,
    candidates: Array,
    weights: Array | None,
    reach: Array,
    squares: Array,
    owners: Array,
    share: float,
    kept: Array,
    out: Array,
) -> int: ...
def pick(squares: Array, weights: Array | None, uniforms: Array, out: Array) -> float: ...
def claim(
    kept: Array, column: int, reach: Array, squares: Array, owners: Array, slot: int
) -> None: ...
