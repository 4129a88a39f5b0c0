"""What is said of y."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from sskmeans.errors import LabelsError
from sskmeans.messages.listed import listed


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


def not_a_column(kind: str) -> LabelsError:
    return LabelsError(
        f"y is of type {kind}, which is no column of labels. Give a list or an array, one label a "
        "row: list(y) of an iterator, y.toarray().ravel() of a sparse matrix."
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


def suspicious_unsigned(value: int, dtype: str) -> LabelsError:
    return LabelsError(
        f"y holds {value}, the largest {dtype}, which is what -1 becomes in unsigned integers. Is "
        f"that your marker for unlabelled rows? Then pass missing_label={value}. If it really is a "
        "class, give y as signed integers: y.astype('int64')."
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
        "[str(v) for v in y], but None where there is none."
    )


def too_few_clusters(n_clusters: int, known: Collection[Any]) -> LabelsError:
    return LabelsError(
        f"n_clusters={n_clusters} is fewer than the {len(known)} labelled classes in y: "
        f"{listed(known)}. Set n_clusters to at least {len(known)}, or unlabel the classes that "
        "should not have a cluster of their own."
    )


def nothing_to_draw(
    n_new: int, n_available: int, n_clusters: int, known: Collection[Any]
) -> LabelsError:
    marker = f" If one of the labels {listed(known)} means unlabelled, pass it as missing_label."
    return LabelsError(
        f"n_clusters={n_clusters} with {len(known)} labelled classes leaves {n_new} cluster(s) to "
        f"find, but only {n_available} unlabelled row(s) of positive weight are left to draw from. "
        f"Lower n_clusters to at most {len(known) + n_available}, or leave more rows unlabelled."
        + (marker if known else "")
    )


def weightless_class(names: Collection[Any]) -> LabelsError:
    return LabelsError(
        f"Every labelled row of the class(es) {listed(names)} has weight 0, so nothing is known of "
        "where they lie. Give one of their rows a positive weight, or unlabel them."
    )


def cancelling_class(names: Collection[Any]) -> LabelsError:
    return LabelsError(
        f"The labelled rows of the class(es) {listed(names)} cancel: their mean direction is zero, "
        "which metric='cosine' cannot use as a centre. Label more of their rows, or use "
        "metric='euclidean'."
    )
