"""Every sentence a user can meet: the numbers, the likely cause, the next step.

Each function builds one error or warning; `validate`, `labels` and the estimator raise them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from sskmeans.errors import (
    DataError,
    FewerClustersWarning,
    IgnoredSettingWarning,
    LabelsError,
    LonelyClustersWarning,
    ParameterError,
    SlowBackendWarning,
    WeightsError,
)


def _some(values: Collection[Any], limit: int = 8) -> str:
    shown = ", ".join(repr(getattr(v, "item", lambda v=v: v)()) for v in list(values)[:limit])
    return shown + (f", ... ({len(values)} in all)" if len(values) > limit else "")


# ---------------------------------------------------------------- X


def masked(n_masked: int) -> DataError:
    return DataError(
        f"X is a masked array with {n_masked} masked values, which would silently be used as "
        "they lie under the mask. Fill them (X.filled(...), or an imputer) or drop those rows."
    )


def not_finite(row: int, column: int, value: float, n_bad: int, n_values: int) -> DataError:
    name = "NaN" if value != value else "infinity (inf)"
    return DataError(
        f"Input X contains {name} at row {row}, column {column}; {n_bad} of its {n_values} values "
        "are NaN or infinite. Fill them (for example sklearn.impute.SimpleImputer) or drop "
        "those rows."
    )


def outside(row: int, column: int, shape: Sequence[int]) -> DataError:
    return DataError(
        f"X stores a value at row {row}, column {column}, outside its shape {tuple(shape)}. Was an "
        "array of X written into? Build X again, with the shape that it needs."
    )


def broken_indptr(form: str) -> DataError:
    return DataError(
        f"The indptr of X ({form}) does not rise from 0 to the number of stored values. Was an "
        "array of X written into? Build X again from its rows."
    )


def integers_too_large(value: Any) -> DataError:
    return DataError(
        f"X has integers that float64 cannot hold: {value} becomes {int(float(value))}. Rows that "
        "differ would become equal. Subtract a common offset while they are still integers, or "
        "drop the column if it is an identifier."
    )


def too_large(largest: float, limit: float) -> DataError:
    return DataError(
        f"X has values as large as {largest:.3g}: their squared distances overflow float64, whose "
        f"limit here is about {limit:.3g}. Divide X by {largest:.0e}."
    )


def distances_too_large(largest: float) -> DataError:
    return DataError(
        f"A distance to a centre is {largest:.3g}, more than float32 can hold, which is what "
        "transform returns for float32 rows. Give it X.astype(numpy.float64)."
    )


def too_small(spread: float) -> DataError:
    return DataError(
        f"The rows of X differ by no more than {spread:.3g} in any column: their squared distances "
        f"underflow float64. Multiply X by {1 / spread if spread > 1e-300 else 1e300:.0e}."
    )


def zero_rows(first: int, count: int) -> DataError:
    return DataError(
        f"metric='cosine' needs rows with a direction, and {count} row(s) of X are all zeros, the "
        f"first at position {first}. Drop them or use metric='euclidean'."
    )


def too_few_rows(n_samples: int, n_clusters: int) -> DataError:
    return DataError(
        f"n_samples={n_samples} should be >= n_clusters={n_clusters}: each cluster needs a row. "
        "Lower n_clusters or give more rows."
    )


# ---------------------------------------------------------------- y


def wrong_length(n_labels: int, n_samples: int) -> LabelsError:
    return LabelsError(
        f"y has {n_labels} labels for the {n_samples} rows of X (inconsistent numbers of "
        "samples). Give one label a row, missing_label (or None, NaN) where it is unknown."
    )


def wrong_shape(shape: Sequence[int]) -> LabelsError:
    return LabelsError(
        f"y should be a 1d array, got an array of shape {tuple(shape)} instead. Give one column "
        "of labels, one label a row."
    )


def continuous(value: float, position: int) -> LabelsError:
    return LabelsError(
        f"y holds {value} at position {position}: classes may be integers or strings, but "
        "continuous numbers are not classes. Unknown label type: continuous. If y is a "
        "measurement, it belongs in X; if it is a class, turn it into integers or strings."
    )


def suspicious_string(value: str, count: int) -> LabelsError:
    return LabelsError(
        f"{count} label(s) in y are the string {value!r}. Is that your marker for unlabelled rows? "
        f"Then pass missing_label={value!r}. If it really is a class, say what the marker is "
        "instead, for example missing_label='unlabelled'."
    )


def mixed_kinds(kinds: Sequence[str]) -> LabelsError:
    return LabelsError(
        f"y mixes labels of kinds that have no common order: {', '.join(kinds)}. Turn them all "
        "into strings or all into integers; unlabelled rows may be missing_label, None or NaN."
    )


def unsortable(kind: str) -> LabelsError:
    return LabelsError(
        f"y holds labels of kind {kind}, which have no order, and classes_ must be sorted. Turn "
        "them into strings: [str(v) for v in y]."
    )


def unextendable(kind: str, n_known: int, n_clusters: int) -> LabelsError:
    return LabelsError(
        f"y holds {n_known} classes of kind {kind} and n_clusters={n_clusters} asks for new ones, "
        "which can be named among integers or strings only. Turn the labels into strings: "
        "[str(v) for v in y]."
    )


def too_few_clusters(n_clusters: int, known: Collection[Any]) -> LabelsError:
    return LabelsError(
        f"n_clusters={n_clusters} is fewer than the {len(known)} labelled classes in y: "
        f"{_some(known)}. Set n_clusters to at least {len(known)}, or unlabel the classes that "
        "should not have a cluster of their own."
    )


def nothing_to_draw(n_new: int, n_available: int, n_clusters: int, n_known: int) -> LabelsError:
    return LabelsError(
        f"n_clusters={n_clusters} with {n_known} labelled classes leaves {n_new} cluster(s) to "
        f"find, but only {n_available} unlabelled row(s) of positive weight are left to draw "
        f"from. Lower n_clusters to at most {n_known + n_available}, or leave more rows unlabelled."
    )


def weightless_class(names: Collection[Any]) -> LabelsError:
    return LabelsError(
        f"Every labelled row of the class(es) {_some(names)} has weight 0, so nothing is known of "
        "where they lie. Give one of their rows a positive weight, or unlabel them."
    )


def cancelling_class(names: Collection[Any]) -> LabelsError:
    return LabelsError(
        f"The labelled rows of the class(es) {_some(names)} cancel: their mean direction is zero, "
        "which metric='cosine' cannot use as a centre. Label more of their rows, or use "
        "metric='euclidean'."
    )


# ---------------------------------------------------------------- weights


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


# ---------------------------------------------------------------- parameters


def bad_choice(name: str, value: object, choices: Sequence[str]) -> ParameterError:
    return ParameterError(f"{name}={value!r} is not one of {', '.join(map(repr, choices))}.")


def bad_number(name: str, value: object, wanted: str) -> ParameterError:
    return ParameterError(f"{name}={value!r}: {name} must be {wanted}.")


def bad_random_state(value: object) -> ParameterError:
    return ParameterError(
        f"random_state={value!r} is not None, an int from 0 to 2**32 - 1, a numpy RandomState or "
        "a numpy Generator."
    )


def init_rows(shape: Sequence[int], n_clusters: int, n_new: int) -> ParameterError:
    also = "" if n_new == n_clusters else f", or {n_new}: one for each class without labels"
    return ParameterError(
        f"The shape of the initial centers {tuple(shape)} does not match the number of clusters "
        f"{n_clusters}: init must have {n_clusters} rows, in the order of classes_{also}."
    )


def init_columns(shape: Sequence[int], n_features: int) -> ParameterError:
    return ParameterError(
        f"The shape of the initial centers {tuple(shape)} does not match the number of features "
        f"of the data {n_features}."
    )


def init_not_rows(reason: Exception) -> ParameterError:
    return ParameterError(
        f"init must be a name, a callable, or an array with one row for each centre: {reason}"
    )


def init_not_finite() -> ParameterError:
    return ParameterError("The initial centers in init hold NaN, infinite (inf) or masked values.")


def init_too_large(largest: float, limit: float) -> ParameterError:
    return ParameterError(
        f"init has values as large as {largest:.3g}, so far from the rows of X that squared "
        f"distances overflow: the limit here is about {limit:.3g}. Were X and init scaled alike?"
    )


def init_zero(rows: Collection[int]) -> ParameterError:
    return ParameterError(
        f"Row(s) {_some(rows)} of the initial centers are all zeros: metric='cosine' needs centres "
        "with a direction."
    )


# ---------------------------------------------------------------- warnings


def slow_backend(reason: str) -> SlowBackendWarning:
    return SlowBackendWarning(
        f"sskmeans runs on its NumPy reference, right but slow: {reason}. Install a C++ compiler "
        "and reinstall sskmeans; SSKMEANS_BACKEND=reference accepts the reference silently."
    )


def fewer_clusters(n_found: int, n_clusters: int, empty: Collection[Any]) -> FewerClustersWarning:
    return FewerClustersWarning(
        f"Number of distinct clusters ({n_found}) found smaller than n_clusters ({n_clusters}). "
        "Possibly due to duplicate points in X, or rows closer than 1e-154, whose squared distance "
        f"is 0. All centres were kept; no row carries the label(s) {_some(empty)}."
    )


def fewer_distinct_rows(n_distinct: int, n_clusters: int) -> FewerClustersWarning:
    return FewerClustersWarning(
        f"Only {n_distinct} of n_clusters={n_clusters} centres are distinct: every unlabelled row "
        "of positive weight already coincides with a centre, or is closer than 1e-154 to it, so that "
        "its squared distance is 0. The remaining centres repeat rows, drawn uniformly."
    )


def lonely_clusters(n_new: int, most_rows: int, n_unlabelled: int) -> LonelyClustersWarning:
    return LonelyClustersWarning(
        f"None of the {n_new} classes without labels holds more than {most_rows} of the "
        f"{n_unlabelled} unlabelled rows. Among many columns a single row is a poor start beside "
        "the mean of a labelled class. Try metric='cosine' for embeddings and texts, fewer columns "
        "(principal components), or init=centres of a clustering of the unlabelled rows alone."
    )


def one_init(n_init: int) -> IgnoredSettingWarning:
    return IgnoredSettingWarning(
        "Explicit initial center position passed: performing only one init instead of "
        f"n_init={n_init}."
    )


def elkan_one_cluster() -> IgnoredSettingWarning:
    return IgnoredSettingWarning(
        "algorithm='elkan' doesn't make sense for a single cluster. Using 'lloyd' instead."
    )
