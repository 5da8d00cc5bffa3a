"""Elo, which depends on the order of the games, beside fitted ratings, which do not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from quandary.report.formats import shown
from quandary.scoring.score_table import Ranged

from .figure import COLOURS, INK, Figure, first_of, line_height, wrapped

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

ROW = 0.32
APART = 0.15  # of a row: Elo in order above, over orders below, or one would hide the other
MOST = 40


class Rated(NamedTuple):
    """One player; None where a rating is not known."""

    name: str
    in_order: float | None  # Elo after the games in the order of the file
    orders: Ranged | None  # Elo over other orders: mean and spread
    fitted: Ranged | None  # with its 95 % interval


def ratings(key: str, title: str, rows: Sequence[Rated]) -> Figure:
    """Two drawings with the same lines: Elo at the left, fitted ratings at the right."""
    note, rows = first_of(MOST, len(rows), "players"), rows[:MOST]
    labels = [wrapped(row.name, 20) for row in rows]
    row_height = max(ROW, line_height(labels) + 0.1)

    def draw(canvas: Canvas) -> None:
        elo, fit = canvas.subplots(1, 2, sharey=True)
        places = range(len(rows) - 1, -1, -1)
        for place, (_, in_order, orders, fitted) in zip(places, rows, strict=True):
            if orders:
                below = place - APART
                elo.plot([orders.low, orders.high], [below, below], color=COLOURS[1], lw=2.2)
                elo.plot(orders.value, below, "|", color=COLOURS[1], ms=7, mew=2)
            if in_order is not None:
                elo.plot(in_order, place + APART, "D", color=INK, ms=4)
            if fitted:
                fit.plot([fitted.low, fitted.high], [place, place], color=COLOURS[0], lw=2.2)
                fit.plot(fitted.value, place, "o", color=COLOURS[0], ms=5.5)
        elo.set_xlabel("Elo in order (diamond);\nmean ± deviation over orders")
        fit.set_xlabel("fitted points;\n95 % interval")
        elo.set_yticks(list(places), labels)
        elo.set_ylim(-0.6, len(rows) - 0.4)
        for axes in (elo, fit):
            axes.grid(visible=False, axis="y")
            axes.spines["left"].set_visible(False)
            axes.locator_params(axis="x", nbins=4)

    description = "; ".join(
        f"{row.name}: Elo in order {shown(row.in_order)}, over orders {shown(row.orders)}, "
        f"fitted {shown(row.fitted)}"
        for row in rows
    )
    return Figure(
        key, title, f"{title}. {description}.", draw, 0.9 + row_height * len(rows), note=note
    )
