"""Numbers with intervals, one line each: paired differences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from quandary.report.formats import shown
from quandary.scoring.score_table import Ranged

from .figure import COLOURS, INK, Figure, first_of, line_height, wrapped

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

ROW = 0.3  # inches
MOST = 40  # lines that a figure shows


class DotRow(NamedTuple):
    """One line of the figure."""

    name: str
    number: Ranged


def intervals(
    key: str,
    title: str,
    rows: Sequence[DotRow],
    axis: str,
    *,
    zero: bool = False,
) -> Figure:
    """Dots with their intervals, in the order of the rows; `zero` marks no difference."""
    note, rows = first_of(MOST, len(rows), "lines"), rows[:MOST]
    labels = [wrapped(row.name) for row in rows]
    row_height = max(ROW, line_height(labels) + 0.1)

    def draw(canvas: Canvas) -> None:
        axes = canvas.subplots()
        places = range(len(rows) - 1, -1, -1)
        for place, (_, number) in zip(places, rows, strict=True):
            axes.plot([number.low, number.high], [place, place], color=COLOURS[0], lw=2.2)
            axes.plot(number.value, place, "o", color=COLOURS[0], ms=5.5)
        if zero:
            axes.axvline(0, color=INK, lw=0.8)
        axes.set_yticks(list(places), labels)
        axes.set_ylim(-0.6, len(rows) - 0.4)
        axes.grid(visible=False, axis="y")
        axes.spines["left"].set_visible(False)
        axes.set_xlabel(axis)
        axes.locator_params(axis="x", nbins=5)

    words = "; ".join(f"{name} {shown(number)}" for name, number in rows)
    height = 0.7 + row_height * len(rows)
    return Figure(key, title, f"{title}. {axis}: {words}.", draw, height, note=note)
