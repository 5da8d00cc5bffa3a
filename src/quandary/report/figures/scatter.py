"""What players write against what they score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from quandary.report.formats import shown
from quandary.scoring.score_table import Ranged

from .figure import INK, Figure, colour, legend_height, marker, wrapped

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas


class Spent(NamedTuple):
    name: str
    spent: float  # tokens per match, for example
    score: Ranged


def scatter(key: str, title: str, points: Sequence[Spent], axis: str) -> Figure:
    """Spent on a logarithmic axis, scores with their intervals."""

    def draw(canvas: Canvas) -> None:
        from matplotlib.ticker import LogLocator, NullLocator

        axes = canvas.subplots()
        for number, (name, spent, score) in enumerate(points):
            axes.plot([spent, spent], [score.low, score.high], color=colour(number), lw=1.4)
            axes.plot(
                spent, score.value, marker(number), color=colour(number), ms=6, label=wrapped(name)
            )
        axes.set_xscale("log")
        axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axes.xaxis.set_major_formatter(lambda number, _: f"{number:,.0f}")
        axes.xaxis.set_minor_locator(NullLocator())
        all_spent = [point.spent for point in points]
        axes.set_xlim(min(all_spent) / 1.6, max(all_spent) * 1.6)
        axes.set_xlabel(axis)
        axes.set_ylabel("score")
        axes.set_ylim(-0.03, 1.03)
        canvas.legend(loc="outside upper center", ncols=2, labelcolor=INK)

    description = "; ".join(
        f"{name}: {spent:,.0f}, score {shown(score)}" for name, spent, score in points
    )
    height = 2.9 + legend_height([wrapped(point.name) for point in points], 2)
    return Figure(key, title, f"{title}. {axis}: {description}.", draw, height)
