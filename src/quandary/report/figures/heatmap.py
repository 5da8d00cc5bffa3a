"""Shares by pairs of players as coloured squares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from .figure import GRID, QUIET, Figure, line_height, line_width, wrapped

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

ROOMY, NARROW = 0.42, 0.26  # inches of a square with and without its number, if labels are short
NUMBERED = 16  # players up to which the squares have numbers
ON_PALE, ON_DEEP = "#102a43", "#fffffe"  # not those of paper and ink: squares keep their colours
RAMPS = {
    "even": ["#c8663a", "#f3e2d6", "#f4f6f8", "#d5e3f3", "#2f68b0"],  # 0.5 is the middle
    "more": ["#f4f6f8", "#cfe6dc", "#2e8a69"],
}


def heatmap(
    key: str,
    title: str,
    names: Sequence[str],
    shares: Sequence[Sequence[float | None]],
    axis: str,
    ramp: Literal["even", "more"],
) -> Figure:
    """Return one row per player and one column per opponent; None where they never met."""
    labels = [wrapped(name, 20) for name in names]
    # Labels of columns stand upright, so that those of many lines need no more than a square.
    square = max(ROOMY if len(names) <= NUMBERED else NARROW, line_height(labels) + 0.06)

    def draw(canvas: Canvas) -> None:
        from matplotlib.colors import LinearSegmentedColormap

        axes, size = canvas.subplots(), len(names)
        colours = LinearSegmentedColormap.from_list(ramp, RAMPS[ramp])
        filled = [[float("nan") if share is None else share for share in row] for row in shares]
        axes.imshow(filled, cmap=colours, vmin=0, vmax=1, aspect="equal")
        axes.set_yticks(range(size), labels)
        axes.set_xticks(range(size), labels, rotation=90)
        axes.tick_params(axis="x", labelcolor=QUIET)
        axes.grid(visible=False)
        axes.set_xlabel(axis)
        for spine in axes.spines.values():
            spine.set_visible(False)
        for row, line in enumerate(shares):
            for column, share in enumerate(line):
                if share is None:
                    axes.plot(column, row, marker=".", color=GRID, ms=3)
                elif size <= NUMBERED:
                    deep = share > 0.85 or (ramp == "even" and share < 0.15)
                    axes.text(
                        column, row, f"{share:.2f}".removeprefix("0") if share < 1 else "1",
                        ha="center", va="center", fontsize=8 if size < 10 else 6.5,
                        color=ON_DEEP if deep else ON_PALE,
                    )  # fmt: skip

    description = "; ".join(
        f"{name} against {other} {share:.2f}"
        for name, row in zip(names, shares, strict=True)
        for other, share in zip(names, row, strict=True)
        if share is not None
    )
    side, room = max(2.0, square * len(names)), line_width(labels) + 0.4
    words = f"{title}. {axis}: {description}."
    return Figure(key, title, words, draw, side + room, max(5.0, side + room))
