"""Draw docs/images/speed.png from `results/`: the fastest peer's time over ours, row by row.

`python -m benchmarks.picture`, after `scripts/bench`. A bar to the right of the line at 1 is a row
where sskmeans was faster; every row that was measured is drawn, whoever won it.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from benchmarks.report import RESULTS, geometric_mean

PICTURE = Path(__file__).parent.parent / "docs" / "images" / "speed.png"
OURS, THEIRS, INK = "#0072B2", "#D55E00", "#222222"
PANELS = [  # title, result, which rows, their ratio
    ("Lloyd, same start and stop", "lloyd", {}, "ratio"),
    ("k-means++ alone, exact law", "seeding", {"law": "exact"}, "ratio"),
    ("greedy k-means++ alone", "seeding", {"law": "greedy"}, "ratio"),
    ("whole fit", "fit", {}, "ratio"),
    ("whole fit, greedy start", "fit", {}, "greedy ratio"),
]


def bars(name: str, which: dict[str, str], ratio: str) -> list[tuple[str, float]]:
    """Name and ratio of each row."""
    rows = json.loads((RESULTS / f"{name}.json").read_text())["rows"]
    return [
        (f"{row['data']}, k={row['k']}", float(row[ratio]))
        for row in rows
        if all(row.get(key) == value for key, value in which.items())
        and isinstance(row.get(ratio), float)
        and not math.isnan(row[ratio])
    ]


def panel(axes: Axes, title: str, found: list[tuple[str, float]]) -> None:
    """One bar a row, on a logarithmic scale from 1."""
    names, ratios = zip(*found, strict=True)
    places = range(len(found), 0, -1)
    colours = [OURS if value >= 1 else THEIRS for value in ratios]
    axes.barh(places, [value - 1 for value in ratios], left=1, color=colours, height=0.7)
    for place, value in zip(places, ratios, strict=True):
        side = {"ha": "left", "x": 1.06} if value >= 1 else {"ha": "right", "x": 0.94}
        x = side.pop("x")
        axes.text(value * x, place, f"{value:.3g}", va="center", fontsize=8, color=INK, **side)
    axes.set_yticks(places, names, fontsize=8)
    axes.set(xscale="log", xlim=(0.6, 2.2 * max(ratios)))
    axes.set_xticks([1, 10, 100], ["1", "10", "100"], fontsize=8)
    if max(ratios) < 20:
        axes.set_xticks([1, 2, 5, 10], ["1", "2", "5", "10"], fontsize=8)
    axes.minorticks_off()
    axes.axvline(1, color=INK, linewidth=1)
    axes.set_title(f"{title}: {geometric_mean(ratios):.2g} times", fontsize=10, loc="left")
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.tick_params(axis="y", length=0)


def draw() -> Any:
    """Lloyd's rows on the left, all others beside them."""
    plt.rcParams.update({"font.family": "DejaVu Sans"})
    found = [(title, bars(name, which, ratio)) for title, name, which, ratio in PANELS]
    heights = [len(rows) for _, rows in found]
    figure = plt.figure(figsize=(13.5, 8.5))
    grid = figure.add_gridspec(1, 3, wspace=0.72, left=0.15, right=0.985, top=0.93, bottom=0.06)
    panel(figure.add_subplot(grid[0]), *found[0])
    for column, pair in ((1, (1, 2)), (2, (3, 4))):
        part = grid[column].subgridspec(2, 1, height_ratios=[heights[i] for i in pair], hspace=0.22)
        for place, i in enumerate(pair):
            panel(figure.add_subplot(part[place]), *found[i])
    figure.text(0.01, 0.975, "Time of the fastest peer over that of sskmeans", fontsize=12)
    return figure


if __name__ == "__main__":
    PICTURE.parent.mkdir(exist_ok=True)
    draw().savefig(PICTURE, dpi=120, metadata={"Software": None})
    print(f"wrote {PICTURE.name}")
