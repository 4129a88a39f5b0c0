"""Reading `y`: which rows are labelled, with what, and how the k classes are called.

A label may be an integer, a boolean, a string, or any value that can be sorted among its like;
floats count as integers when they are whole (pandas turns integers with holes into floats).
Unlabelled are `missing_label` and, always, NaN, None and pandas' NA.

The k classes are sorted, and a slot is a position among them; `names` calls the new ones.
Booleans stay booleans while they are all; beside a new class they are the integers 0 and 1, which
compare equal to them.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from sskmeans import messages
from sskmeans.kernels.types import Array
from sskmeans.names import name_classes, whole_numbers

# What people write for "not labelled", and what -1, NaN, None, NaT and NA become as strings.
MARKERS = {"", "-", "-1", "-1.0", "?", "nan", "nat", "none", "<na>", "na", "n/a", "null"}
MARKERS |= {"unknown", "unlabelled", "unlabeled", "missing"}
BOOLEANS = bool, np.bool_
UNLABELLED = -1  # the code of an unlabelled row, whatever `missing_label` is


@dataclass(frozen=True)
class Labels:
    """What y says about the rows and the classes."""

    codes: Array  # (n,) int32, positions in `classes`, UNLABELLED where y says nothing
    classes: Array  # (k,) sorted values
    is_known: Array  # (k,) bool, whether y holds the class

    @property
    def labelled(self) -> Array:
        """Positions of the labelled rows."""
        return np.flatnonzero(self.codes != UNLABELLED)

    @property
    def unlabelled(self) -> Array:
        """Positions of the unlabelled rows."""
        return np.flatnonzero(self.codes == UNLABELLED)


def read_labels(y: Any, n_samples: int, n_clusters: int, missing_label: Any) -> Labels:
    """Codes, class values and which of them are known, for the n rows of X."""
    if hasattr(missing_label, "__len__") and not isinstance(missing_label, (str, bytes, tuple)):
        raise messages.bad_number("missing_label", missing_label, "one value, as -1, '?' or None")
    if y is None:
        codes = np.full(n_samples, UNLABELLED, dtype=np.int32)
        return Labels(codes, np.arange(n_clusters), np.zeros(n_clusters, dtype=bool))
    values = _one_column(y)
    if len(values) != n_samples:
        raise messages.wrong_length(len(values), n_samples)
    with np.errstate(over="ignore"):  # what float64 cannot hold becomes infinite: it is no class
        given = ~_missing(values, missing_label)
        labels = _narrow(values[given], np.flatnonzero(given))
    _refuse_markers(labels, missing_label)
    marker = isinstance(missing_label, str) or _is_number(missing_label)
    if marker and given.all() and missing_label != UNLABELLED and missing_label == missing_label:
        warnings.warn(messages.marker_not_found(missing_label, n_samples), stacklevel=5)
    try:
        known, positions = np.unique(labels, return_inverse=True)
    except (TypeError, ValueError):
        raise messages.unsortable(type(labels[0]).__name__) from None
    if len(known) > n_clusters:
        raise messages.too_few_clusters(n_clusters, known)
    classes = name_classes(known, n_clusters, {missing_label} if marker else set())
    is_known = np.isin(classes, known)
    codes = np.full(n_samples, UNLABELLED, dtype=np.int32)
    codes[given] = np.flatnonzero(is_known)[positions]
    return Labels(codes, classes, is_known)


def _one_column(y: Any) -> Array:
    """`y` as one array: typed where it comes typed, of objects otherwise."""
    values: Array
    if isinstance(y, np.ma.MaskedArray):
        masked, y = np.ma.getmaskarray(y), y.data.astype(object)
        y[masked] = None
    typed = isinstance(getattr(y, "dtype", None), np.dtype)
    if not typed and hasattr(y, "to_list"):  # pandas' extension types, polars
        values = np.empty(len(y), dtype=object)
        values[:] = y.to_list()
    else:
        values = np.asarray(y) if typed else np.array(y, dtype=object)
    if values.ndim == 0:
        raise messages.not_a_column(type(y).__name__)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        raise messages.wrong_shape(values.shape)
    return values


def _missing(values: Array, missing_label: Any) -> Array:
    """Which values mean unlabelled: `missing_label`, None, NA, and what differs from itself."""
    kind = values.dtype.kind
    if kind in "iufU":
        comparable = isinstance(missing_label, str) if kind == "U" else _is_number(missing_label)
        missing = np.isnan(values) if kind == "f" else np.zeros(len(values), dtype=bool)
        try:
            return missing | (values == missing_label) if comparable else missing
        except OverflowError:  # an integer that no float is
            return missing
    return np.fromiter((_is_missing(v, missing_label) for v in values), bool, len(values))


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number)) and not isinstance(value, BOOLEANS)


def _is_nothing(value: Any) -> bool:
    return value is None or value is np.ma.masked or type(value).__name__ == "NAType"


def _is_missing(value: Any, missing_label: Any) -> bool:
    if _is_nothing(value):
        return True
    if isinstance(value, str):
        return isinstance(missing_label, str) and value == missing_label
    other = _is_nothing(missing_label) or isinstance(missing_label, str)
    if isinstance(value, BOOLEANS) != isinstance(missing_label, BOOLEANS):
        other = True  # True is not the marker 1
    try:
        return bool(value != value) or (not other and bool(value == missing_label))
    except (TypeError, ValueError):  # records, arrays: what cannot be compared is no marker
        return False


def _narrow(values: Array, positions: Array) -> Array:
    """Labels as integers, strings or booleans if they all are; floats only where whole."""
    if values.dtype == object:
        values = _type_objects(values)
    if values.dtype.kind != "f":
        return values
    whole = (values == np.trunc(values)) & (np.abs(values) < 2.0**63)
    if not whole.all():
        first = int(np.argmin(whole))
        raise messages.continuous(float(values[first]), int(positions[first]))
    return values.astype(np.int64)


def _type_objects(values: Array) -> Array:
    numbers = sum(isinstance(v, (int, float, np.integer, np.floating, np.bool_)) for v in values)
    strings = sum(isinstance(v, str) for v in values)
    if numbers == len(values):
        return _type_numbers(values.tolist())
    if strings == len(values):
        return values
    kinds = sorted({type(v).__name__ for v in values})
    if numbers or strings or len(kinds) > 1:
        raise messages.mixed_kinds(kinds)
    return values


def _type_numbers(values: list[Any]) -> Array:
    if values and all(isinstance(v, BOOLEANS) for v in values):
        return np.array(values, dtype=bool)
    floats = [float(v) if isinstance(v, (float, np.floating)) else 0.0 for v in values]
    if not all(v.is_integer() and abs(v) < 2.0**63 for v in floats):
        return np.array(floats)  # to be refused, for one of these
    return whole_numbers([int(v) for v in values])


def _refuse_markers(labels: Array, missing_label: Any) -> None:
    """Refuse what is surely, or nearly so, another marker than the one that was named."""
    texts = (str, bytes)
    if len(labels) and isinstance(labels[0], texts) and not isinstance(missing_label, texts):
        found = [v for v in labels.tolist() if _in_writing(v).strip().lower() in MARKERS]
        if found:
            raise messages.suspicious_string(found[0], found.count(found[0]))
    if labels.dtype.kind == "u" and _is_number(missing_label) and missing_label < 0:
        largest = np.iinfo(labels.dtype).max  # which is what -1 becomes there
        if (labels == largest).any():
            raise messages.suspicious_unsigned(int(largest), str(labels.dtype))


def _in_writing(label: str | bytes) -> str:
    return label.decode("latin-1") if isinstance(label, bytes) else label
