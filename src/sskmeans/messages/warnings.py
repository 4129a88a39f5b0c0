"""What is said beside an answer: warnings."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sskmeans.errors import (
    FewerClustersWarning,
    IgnoredSettingWarning,
    LonelyClustersWarning,
    SlowBackendWarning,
)
from sskmeans.messages.listed import listed


def slow_backend(reason: str) -> SlowBackendWarning:
    return SlowBackendWarning(
        f"sskmeans runs on its NumPy reference, right but slow: {reason}. Install a C++ compiler "
        "and reinstall sskmeans; SSKMEANS_BACKEND=reference accepts the reference silently."
    )


def fewer_clusters(
    n_found: int, n_clusters: int, empty: Collection[Any], known: Collection[Any]
) -> FewerClustersWarning:
    why = []
    if len(known) < len(empty):
        why.append(
            "Possibly due to duplicate points in X, or rows closer than 1e-154, whose squared "
            "distance is 0."
        )
    if known:
        why.append(
            f"All rows went to other centres than the labelled class(es) {listed(known)}: "
            "supervision='seed' uses labels for the start alone. Was init far from their rows? "
            "supervision='clamp' keeps them in their class."
        )
    return FewerClustersWarning(
        f"Number of distinct clusters ({n_found}) found smaller than n_clusters ({n_clusters}). "
        f"{' '.join(why)} All centres were kept; no row carries the label(s) {listed(empty)}."
    )


def fewer_distinct_rows(n_distinct: int, n_clusters: int) -> FewerClustersWarning:
    return FewerClustersWarning(
        f"Only {n_distinct} of n_clusters={n_clusters} centres are distinct: every unlabelled row "
        "of positive weight already coincides with a centre, or is closer than 1e-154 to it, so "
        "that its squared distance is 0. The remaining centres repeat rows, drawn uniformly."
    )


def lonely_clusters(n_new: int, most_rows: int, n_unlabelled: int) -> LonelyClustersWarning:
    return LonelyClustersWarning(
        f"None of the {n_new} classes without labels holds more than {most_rows} of the "
        f"{n_unlabelled} unlabelled rows. Among many columns a single row is a poor start beside "
        "the mean of a labelled class. Try metric='cosine' for embeddings and texts, fewer columns "
        "(principal components), or init=centres found without labels, one for each new class."
    )


def marker_not_found(missing_label: Any, n_samples: int) -> IgnoredSettingWarning:
    return IgnoredSettingWarning(
        f"missing_label={missing_label!r} does not occur in y, so all {n_samples} rows count as "
        "labelled. Is the marker spelt otherwise there? If every row is labelled, leave "
        "missing_label out."
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
