"""What is said of sample_weight."""

from __future__ import annotations

from collections.abc import Sequence

from sskmeans.errors import WeightsError


def weights_shape(shape: Sequence[int], n_samples: int) -> WeightsError:
    return WeightsError(
        f"sample_weight.shape == {tuple(shape)}, expected ({n_samples},): one weight for each row "
        "of X."
    )


def weights_not_numbers() -> WeightsError:
    return WeightsError("sample_weight must hold numbers: give one non-negative weight a row.")


def weights_not_finite(position: int, value: float) -> WeightsError:
    return WeightsError(
        f"sample_weight[{position}] is {value}; weights must be finite. Use 0 for a row that "
        "should not count."
    )


def weights_negative(position: int, value: float, count: int) -> WeightsError:
    return WeightsError(
        f"sample_weight[{position}] is {value}, and {count} weight(s) are negative: a row cannot "
        "count less than nothing. Use 0 for a row that should not count."
    )


def weights_all_zero(n_samples: int) -> WeightsError:
    return WeightsError(
        f"All {n_samples} weights in sample_weight are zero: no row counts. Give at least one row "
        "a positive weight."
    )


def weights_masked(n_masked: int) -> WeightsError:
    return WeightsError(
        f"sample_weight is a masked array with {n_masked} masked values, which would silently be "
        "used as they lie under the mask. Fill them: sample_weight.filled(0) for rows that should "
        "not count."
    )


def weights_too_small(least: float, largest: float) -> WeightsError:
    return WeightsError(
        f"The positive weights in sample_weight go from {least:.3g} to {largest:.3g}: the smallest "
        "times a squared distance underflows float64. Use 0 for rows that should not count."
    )


def weights_scale(largest: float) -> WeightsError:
    return WeightsError(
        f"The largest weight in sample_weight is {largest:.3g}; sums would leave the range of "
        "float64. Only ratios of weights matter: divide them by their maximum."
    )
