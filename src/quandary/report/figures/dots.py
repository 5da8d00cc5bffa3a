"""Numbers with intervals, one line each: leaderboards and paired differences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from quandary.report.formats import shown
from quandary.scoring.score_table import Ranged

from .figure import COLOURS, INK, QUIET, Figure, short

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

ROW = 0.3  # inches
MOST = 40  # lines that a figure shows


class Measured(NamedTuple):
    """One line of the figure."""

    name: str
    number: Ranged
    beside: str = ""  # written at the right: letters of groups, for example


def intervals(
    key: str,
    title: str,
    rows: Sequence[Measured],
    axis: str,
    *,
    limits: tuple[float, float] | None = None,
    zero: bool = False,
) -> Figure:
    """Dots with their intervals, in the order of the rows; `zero` marks no difference."""
    rows = rows[:MOST]

    def draw(canvas: Canvas) -> None:
        axes = canvas.subplots()
        places = range(len(rows) - 1, -1, -1)
        for place, (_, number, beside) in zip(places, rows, strict=True):
            axes.plot([number.low, number.high], [place, place], color=COLOURS[0], lw=2.2)
            axes.plot(number.value, place, "o", color=COLOURS[0], ms=5.5)
            if beside:
                axes.annotate(
                    beside, (1, place), xycoords=("axes fraction", "data"), xytext=(4, 0),
                    textcoords="offset points", va="center", color=QUIET, fontsize=8.5,
                )  # fmt: skip
        if zero:
            axes.axvline(0, color=INK, lw=0.8)
        axes.set_yticks(list(places), [short(row.name) for row in rows])
        axes.set_ylim(-0.6, len(rows) - 0.4)
        axes.grid(visible=False, axis="y")
        axes.spines["left"].set_visible(False)
        axes.set_xlabel(axis)
        if limits:
            axes.set_xlim(*limits)

    words = "; ".join(
        f"{name} {shown(number)}{f' [{beside}]' if beside else ''}" for name, number, beside in rows
    )
    return Figure(key, title, f"{title}. {axis}: {words}.", draw, 0.7 + ROW * len(rows))
