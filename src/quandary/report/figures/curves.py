"""How scores fall with difficulty: one small drawing per puzzle, one line per player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from quandary.scoring.score_table import Ranged

from .figure import INK, Figure, colour, first_of, legend_height, marker, wrapped

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

COLUMNS = 2
PLAYERS = 8  # lines that can be told apart
PUZZLES = 40

Curves: TypeAlias = Mapping[str, Mapping[str, Mapping[str, Ranged]]]  # by puzzle, player, level


def curves(
    key: str, title: str, found: Curves, levels: Mapping[str, Sequence[str]], players: Sequence[str]
) -> Figure:
    """`levels` are those of each puzzle, easiest first; lines are drawn for the first players."""
    lines, puzzles = players[:PLAYERS], list(found)[:PUZZLES]
    columns = min(COLUMNS, len(puzzles))
    rows = -(-len(puzzles) // columns)

    def draw(canvas: Canvas) -> None:
        grid = canvas.subplots(rows, columns, squeeze=False, sharey=True)
        for at, axes in enumerate(grid.flat):
            if at >= len(puzzles):
                axes.set_axis_off()
                continue
            puzzle, order = puzzles[at], list(levels[puzzles[at]])
            for number, player in enumerate(lines):
                by_level = found[puzzle].get(player, {})
                known = [place for place, level in enumerate(order) if level in by_level]
                numbers = [by_level[order[place]] for place in known]
                shift = (number - (len(lines) - 1) / 2) * 0.05  # so that intervals do not overlap
                where = [place + shift for place in known]
                axes.vlines(
                    where, [each.low for each in numbers], [each.high for each in numbers],
                    color=colour(number), lw=1.2, alpha=0.6,
                )  # fmt: skip
                axes.plot(
                    where, [each.value for each in numbers], marker=marker(number), ms=3.5,
                    lw=1.3, color=colour(number), label=wrapped(player),
                )  # fmt: skip
            axes.set_title(wrapped(puzzle))
            axes.set_xticks(range(len(order)), [wrapped(level, 14) for level in order])
            axes.set_xlim(-0.4, len(order) - 0.6)
            axes.set_ylim(-0.05, 1.05)
        handles, names = grid.flat[0].get_legend_handles_labels()
        canvas.legend(
            handles, names, loc="outside upper center", ncols=2, labelcolor=INK, columnspacing=1.5
        )

    description = "; ".join(
        f"{puzzle}, {player}: "
        + ", ".join(f"{level} {by[level].value:.2f}" for level in levels[puzzle] if level in by)
        for puzzle in puzzles
        for player in lines
        if (by := found[puzzle].get(player))
    )
    legend = legend_height([wrapped(player) for player in lines], 2)
    height = (1.45 if columns > 1 else 1.9) * rows + legend + 0.2
    notes = first_of(PLAYERS, len(players), "players"), first_of(PUZZLES, len(found), "puzzles")
    note = " ".join(filter(None, notes))
    return Figure(key, title, f"{title}. Scores by level: {description}.", draw, height, note=note)
