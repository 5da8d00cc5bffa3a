"""Shares that add up to one, a bar per player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from .figure import COLOURS, GRID, INK, Figure, first_of, line_height, wrapped

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

MOST = 40
ORDER = (2, 0, 5, 4, 1, 6, 3, 7)  # of colours: green for what went well comes first
UNKNOWN = "#a7b0ba"


def bars(
    key: str, title: str, shares: Mapping[str, Mapping[str, float]], parts: Sequence[str]
) -> Figure:
    """`shares` by player and part; `parts` in the order in which they are drawn."""
    names = list(shares)[:MOST]
    labels = [wrapped(name) for name in names]
    row_height = max(0.28, line_height(labels) + 0.1)

    def draw(canvas: Canvas) -> None:
        axes, places = canvas.subplots(), range(len(names) - 1, -1, -1)
        left = [0.0] * len(names)
        for number, part in enumerate(parts):
            widths = [shares[name].get(part, 0.0) for name in names]
            fill = COLOURS[ORDER[number]] if number < len(ORDER) else UNKNOWN
            axes.barh(
                list(places), widths, left=left, height=0.62, color=fill, label=part,
                edgecolor=GRID, linewidth=0.4,
            )  # fmt: skip
            left = [so_far + width for so_far, width in zip(left, widths, strict=True)]
        axes.set_yticks(list(places), labels)
        axes.set_ylim(-0.6, len(names) - 0.4)
        axes.set_xlim(0, 1)
        axes.set_xlabel("share of matches")
        axes.grid(visible=False, axis="y")
        axes.spines["left"].set_visible(False)
        canvas.legend(loc="outside upper center", ncols=3, labelcolor=INK, columnspacing=1.2)

    description = "; ".join(
        f"{name}: "
        + ", ".join(f"{part} {shares[name][part]:.0%}" for part in parts if shares[name].get(part))
        for name in names
    )
    height = 0.8 + row_height * len(names) + 0.2 * -(-len(parts) // 3)
    note = first_of(MOST, len(shares), "players")
    return Figure(key, title, f"{title}. {description}.", draw, height, note=note)
