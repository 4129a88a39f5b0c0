"""Draw docs/images/half-labelled.png: half-labelled rows, before and after a fit.

Needs the extra `plot`.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.lines import Line2D

from sskmeans import SSKMeans

ROOT = Path(__file__).parent.parent
PLACES = {"cat": (-3.3, 1.3), "dog": (-0.9, -1.7), "?": (1.9, 1.6), "??": (4.0, -1.2)}
N, N_LABELLED = 70, 4
NAMES = {"cat": (-2.2, 3.75), "dog": (-0.9, -4.15), "new-1": (3.7, 3.7), "new-0": (4.2, -3.55)}
# Colours of Okabe and Ito, and of Tol: colour-blind readers see four; so do readers without colour.
LOOKS = {
    "cat": ("#0072B2", "o", 30),
    "dog": ("#D55E00", "s", 26),
    "new-0": ("#009E73", "^", 32),
    "new-1": ("#AA4499", "D", 24),
}
INK, GREY = "#222222", "#8c8c8c"
PLAIN = {"linewidths": 0, "alpha": 0.8}
LABELLED = {"s": 120, "edgecolors": INK, "linewidths": 1.8, "zorder": 3}
CENTRE = {"s": 190, "c": "white", "marker": "X", "edgecolors": INK, "linewidths": 1.5, "zorder": 4}


def rows():
    """280 rows in four clouds; four rows of `cat` and four of `dog` are labelled."""
    rng = np.random.default_rng(3)
    X = np.concatenate([rng.normal(place, (0.95, 0.75), (N, 2)) for place in PLACES.values()])
    y = np.full(len(X), None, dtype=object)
    y[:N_LABELLED], y[N : N + N_LABELLED] = "cat", "dog"
    return X, y


def write_names(axes, known):
    """The names of the classes; a question mark where nobody has named one."""
    for name, place in NAMES.items():
        text, colour = (name, LOOKS[name][0]) if name in known else ("?", GREY)
        axes.annotate(
            text, place, ha="center", va="center", color=colour, fontsize=18, fontweight="bold"
        )


def draw():
    """Two panels: what was given, and what was found."""
    X, y = rows()
    labelled = np.array([value is not None for value in y])
    model = SSKMeans(n_clusters=4, random_state=0).fit(X, y)
    plt.rcParams.update({"font.family": "DejaVu Sans", "font.size": 14})
    figure, (before, after) = plt.subplots(1, 2, figsize=(11, 4.9), sharex=True, sharey=True)
    before.scatter(*X[~labelled].T, s=16, c=GREY, **PLAIN)
    for name, (colour, marker, size) in LOOKS.items():
        given, found = y == name, model.labels_ == name
        after.scatter(*X[found & ~labelled].T, s=size, c=colour, marker=marker, **PLAIN)
        for axes in (before, after):
            axes.scatter(*X[given].T, c=colour, marker=marker, **LABELLED)
    write_names(before, set(y[labelled]))
    write_names(after, set(model.classes_))
    after.scatter(*model.cluster_centers_.T, **CENTRE)
    before.set_title("before: 8 of 280 rows have a label", pad=10)
    after.set_title("after: all do, and two classes are new", pad=10)
    for axes in (before, after):
        axes.set(xticks=[], yticks=[], xlim=(-6.2, 6.6), ylim=(-4.75, 4.5))
        axes.spines[:].set_color("#cccccc")
    figure.legend(handles=legend(), loc="lower center", ncols=3, frameon=False, fontsize=13)
    figure.tight_layout(rect=(0, 0.07, 1, 1), w_pad=1.5)
    return figure


def legend():
    """What the shapes mean; the names of the classes stand in the picture."""
    shape = {"linestyle": "", "color": "white", "markeredgecolor": INK}
    return [
        Line2D([], [], marker="o", ms=10, mew=1.8, label="labelled row", **shape),
        Line2D([], [], marker="o", ms=5, ls="", color=GREY, label="row without a label"),
        Line2D([], [], marker="X", ms=11, mew=1.4, label="centre", **shape),
    ]


if __name__ == "__main__":
    picture = Path("docs", "images", "half-labelled.png")
    (ROOT / picture).parent.mkdir(exist_ok=True)
    draw().savefig(ROOT / picture, dpi=150, metadata={"Software": None})
    print(f"wrote {picture}")
