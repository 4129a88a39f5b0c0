"""What raises each error about labels, and what that error must say."""

import enum

import numpy as np
import pandas as pd
from scipy import sparse

from refused_rows import HUGE, INF, NAN, NONE, ONES, X, fit, put

Colour = enum.Enum("Colour", "RED BLUE")
# {message: [(what raises it, what it must say), ...]}
REFUSED_LABELS = {
    "wrong_length": [
        (lambda: fit(y=[1] * 59), "59", "60", "one label a row"),
        (lambda: fit(y=[]), "0 labels", "60"),
    ],
    "wrong_shape": [
        (lambda: fit(y=np.zeros((60, 2))), "(60, 2)", "one column"),
    ],
    "not_a_column": [
        (lambda: fit(y=3), "type int", "one label a row"),
        (lambda: fit(y="ox"), "type str"),
        (lambda: fit(y={0: "ox"}), "type dict"),
        (lambda: fit(y=(i % 2 for i in range(60))), "type generator", "list(y)"),
        (lambda: fit(y=sparse.csr_array(ONES)), "csr_array", "y.toarray().ravel()"),
        (lambda: fit(y=np.array(3)), "ndarray"),
    ],
    "continuous": [
        (lambda: fit(y=put(ONES, i7=1.5)), "1.5", "position 7", "continuous", "strings"),
        (lambda: fit(y=put(NONE, i7=1.0, i8=-0.5)), "-0.5", "position 8"),
        (lambda: fit(y=put(ONES, i7=INF)), "inf", "position 7"),
        (lambda: fit(y=put(ONES, i7=1e300)), "1e+300", "position 7"),
        (lambda: fit(y=put(ONES.astype("f2"), i7=INF)), "inf", "position 7"),
        (lambda: fit(y=put(ONES.astype("f2"), i7=1.5), missing_label=1e300), "1.5"),
        (lambda: fit(y=put(NONE, i7=HUGE)), "inf", "position 7"),
        (lambda: fit(y=put(NONE, i0=10**400, i7=1.5)), "1.5", "position 7"),
    ],
    "suspicious_string": [
        (lambda: fit(y=put(NONE, i0="a", i1="-1")), "'-1'", "missing_label='-1'"),
        (lambda: fit(y=put(NONE, i0="a", i1="", i2="")), "2 label(s)", "missing_label=''"),
        (lambda: fit(y=np.array(["a"] * 59 + [NAN])), "missing_label='nan'"),
        (lambda: fit(y=np.array(["a"] * 59 + [None]).astype(str)), "missing_label='None'"),
        (lambda: fit(y=[str(v) for v in [*"ab" * 29, pd.NA, pd.NA]]), "2 label(s)", "'<NA>'"),
        *(
            (lambda v=v: fit(y=["a"] * 59 + [v]), f"missing_label={v!r}")
            for v in (
                "?",
                "-",
                "-1.0",
                "NaT",
                "Unknown",
                "NA",
                "n/a",
                " ",
                "NaN",
                "NULL",
                "unlabelled",
            )
        ),
        (lambda: fit(y=[b"a"] * 59 + [b"?"]), "b'?'", "missing_label=b'?'"),
        (
            lambda: fit(y=np.array(["a"] * 59 + [""], dtype=np.dtypes.StringDType())),
            "missing_label=''",
        ),
    ],
    "suspicious_unsigned": [
        (
            lambda: fit(y=put(np.full(60, 255, dtype=np.uint8), i0=1, i1=2)),
            "y holds 255, the largest uint8",
            "missing_label=255",
            "astype",
        ),
    ],
    "mixed_kinds": [(lambda: fit(y=put(NONE, i0="a", i1=5)), "int, str", "strings")],
    "unsortable": [
        (lambda: fit(y=put(NONE, i0=Colour.RED, i1=Colour.BLUE)), "Colour", "str(v)"),
        (lambda: fit(y=list(np.ones(60, dtype=[("a", int), ("b", float)]))), "void", "str(v)"),
        (lambda: fit(y=[ONES[: i % 2 + 2] for i in range(60)]), "ndarray", "str(v)"),
    ],
    "unextendable": [
        (lambda: fit(y=put(NONE, i0=b"ox", i1=b"ant")), "2 classes", "n_clusters=3", "str(v)"),
        (lambda: fit(y=np.ones(60, dtype=[("a", int), ("b", float)])), "void", "str(v)"),
        (lambda: fit(y=[[1], [2, 3], *NONE[2:]]), "2 classes of kind list", "str(v)"),
    ],
    "too_few_clusters": [
        (
            lambda: fit(y=put(NONE, i0="ox", i1="ant", i2="bee", i3="cat")),
            "n_clusters=3",
            "4 labelled",
            "'ant', 'bee', 'cat', 'ox'",
            "at least 4",
        ),
        (lambda: fit(y=np.arange(60)), "60 labelled", "0, 1, 2", "60 in all"),
    ],
    "nothing_to_draw": [
        (
            lambda: fit(y=[0] * 60),
            "n_clusters=3",
            "1 labelled",
            "2 cluster",
            "only 0",
            "at most 1",
        ),
        (
            lambda: fit(y=["ox"] * 20 + ["tbd"] * 40),
            "labels 'ox', 'tbd' means unlabelled",
            "missing_label",
        ),
        (lambda: fit(y=put([0] * 60, i9=None)), "only 1 unlabelled", "at most 2"),
        (
            lambda: fit(y=put([0] * 60, i9=None, i8=None), weights=put(ONES, i9=0)),
            "only 1 unlabelled",
            "positive weight",
        ),
        (lambda: fit(weights=put(ONES * 0, i9=1)), "n_clusters=3", "only 1"),
    ],
    "weightless_class": [
        (
            lambda: fit(y=put(NONE, i0="ox", i1="ox", i2="ant"), weights=put(ONES, i0=0, i1=0)),
            "'ox'",
            "weight 0",
            "positive weight",
        )
    ],
    "cancelling_class": [
        (
            lambda: fit(np.r_[[[1, 2, 3], [-1, -2, -3]], X], y=[7, 7, *NONE], metric="cosine"),
            "7",
            "cancel",
            "euclidean",
        )
    ],
}
