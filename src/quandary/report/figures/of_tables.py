"""Figures of the tables of scores; None where a table has nothing to draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from quandary.report.head_to_head import common_opponent
from quandary.report.scores import TitledTables
from quandary.scoring.score_table import Cell, Ranged, ScoreTable

from .bars import bars
from .curves import curves
from .dots import DotRow, intervals
from .figure import Figure
from .heatmap import heatmap
from .ratings import Rated, ratings
from .scatter import Spent, scatter

FEWEST_LEVELS = 2  # of a puzzle, to draw how scores fall from one to the next


def difficulty(levels: ScoreTable, players: Sequence[str]) -> Figure | None:
    """Return how scores fall from level to level; `players` in the order of the leaderboard."""
    several = len(set(levels.column("suite"))) > 1
    columns = "suite", "puzzle", "level", "player", "score"
    rows = [
        (f"{puzzle} ({suite})" if several else str(puzzle), *others)
        for suite, puzzle, *others in _columns(levels, *columns)
    ]
    return _curves("difficulty", "Difficulty curves", rows, players)


def accuracies(scores: Sequence[TitledTables], players: Sequence[str]) -> list[Figure | None]:
    """Return how answers about positions depend on what makes them difficult, as their depth."""
    found = list[Figure | None]()
    for title, table in ((each.title, table) for each in scores for table in each.tables):
        heads = "task", "puzzle", table.difficulty, "player", "accuracy"
        if set(heads) <= set(table.head):
            columns = _columns(table, *heads)
            rows = [(f"{task}:{puzzle}", *others) for task, puzzle, *others in columns]
            found.append(_curves(table.key, f"{table.title} ({title})", rows, players))
    return found


def _curves(
    key: str, title: str, rows: Sequence[Sequence[Cell]], players: Sequence[str]
) -> Figure | None:
    """Return a drawing for each puzzle of which several levels are known; rows have a puzzle, a
    level, a player and a score.
    """
    found = dict[str, dict[str, dict[str, Ranged]]]()
    order = dict[str, list[str]]()  # easiest first, as the rows have them
    for puzzle, level, player, score in rows:
        if isinstance(score, Ranged):
            by_level = found.setdefault(str(puzzle), {}).setdefault(str(player), {})
            by_level[str(level)] = score
            if level not in order.setdefault(str(puzzle), []):
                order[str(puzzle)].append(str(level))
    drawn = {puzzle: by for puzzle, by in found.items() if len(order[puzzle]) >= FEWEST_LEVELS}
    return curves(key, title, drawn, order, players) if drawn else None


def head_to_head(tables: Sequence[ScoreTable]) -> list[Figure | None]:
    """Elo beside fitted ratings, and who wins against and ties with whom: with the only opponent,
    if all met the same one.
    """
    known = {table.key: table for table in tables}
    if not {"ratings", "elo", "wins", "ties", "meetings"} <= known.keys():
        return []
    rated = _ratings(known["ratings"], known["elo"])
    if hub := common_opponent(known["meetings"]):
        return [
            rated,
            _against(known["wins"], hub, f"Wins against {hub}", "share of matches that were won"),
            _against(known["ties"], hub, f"Ties with {hub}", "share of matches that were tied"),
        ]
    return [
        rated,
        _squares(known["wins"], "share of matches that the player at the left won", "even"),
        _squares(known["ties"], "share of matches that ended in a tie", "more"),
    ]


def _ratings(fitted: ScoreTable, elo: ScoreTable) -> Figure:
    """Fitted points with their intervals; Elo in order, and one deviation around its mean."""
    by_player = {
        row[0]: row[1:] for row in _columns(elo, "player", "in order", "mean", "deviation")
    }
    rows = [
        Rated(
            str(player),
            _value(by_player[player][0]),
            _around(_value(by_player[player][1]), _value(by_player[player][2])),
            points if isinstance(points, Ranged) else None,
        )
        for player, points in _columns(fitted, "player", "points")
    ]
    return ratings("elo_and_ratings", "Elo and fitted ratings", rows)


def _around(mean: float, deviation: float) -> Ranged:
    return Ranged(mean, mean - deviation, mean + deviation)


def _against(table: ScoreTable, opponent: str, title: str, axis: str) -> Figure:
    """Return the shares of all players against one, each with its interval where there is one."""
    rows = [
        DotRow(str(player), share if isinstance(share, Ranged) else _around(_value(share), 0.0))
        for player, share in _columns(table, "player", opponent)
        if share is not None
    ]
    return intervals(table.key, title, rows, axis)


def _squares(table: ScoreTable, axis: str, ramp: str) -> Figure:
    names = [str(row[0]) for row in table.rows]
    shares = [[None if cell is None else _value(cell) for cell in row[1:]] for row in table.rows]
    return heatmap(
        table.key, table.title, names, shares, axis, "more" if ramp == "more" else "even"
    )


def factors(tables: Sequence[ScoreTable]) -> Figure | None:
    """Return what each setting changed, player by player."""
    for table in tables:
        if table.key == "factors" and table.rows:
            rows = [
                DotRow(f"{player}: {factor} {value}", difference)
                for factor, value, player, difference in _columns(
                    table, "factor", "to", "player", "difference"
                )
                if isinstance(difference, Ranged)
            ]
            axis = "difference of scores, 95 % interval"
            return intervals(table.key, "What settings changed", rows, axis, zero=True)
    return None


def statuses(table: ScoreTable) -> Figure | None:
    """Return how the matches of each player ended, as shares."""
    parts = table.head[table.head.index("legal") :]
    several = len(set(table.column("setting"))) > 1
    shares = dict[str, dict[str, float]]()
    for row in table.rows:
        cells = dict(zip(table.head, row, strict=True))
        name = f"{cells['player']} ({cells['setting']})" if several else str(cells["player"])
        shares[name] = {part: _value(cells[part]) for part in parts}
    occurring = [part for part in parts if any(by_part[part] for by_part in shares.values())]
    return bars("statuses", table.title, shares, occurring) if occurring else None


def tokens(board: ScoreTable, written: Mapping[str, float]) -> Figure | None:
    """Tokens per match against the score, of the players that write any."""
    points = [
        Spent(str(player), written[str(player)], score)
        for player, score in _columns(board, "player", "score")
        if isinstance(score, Ranged) and written.get(str(player))
    ]
    axis = "tokens written per match, thinking included (logarithmic)"
    return scatter("tokens", "Tokens and scores", points, axis) if points else None


def _columns(table: ScoreTable, *names: str) -> Sequence[tuple[Cell, ...]]:
    return list(zip(*(table.column(name) for name in names), strict=True))


def _value(cell: Cell) -> float:
    """Return a number of a table; 0 where there is none, which is then not drawn."""
    if isinstance(cell, Ranged):
        return cell.value
    return float(cell) if isinstance(cell, int | float) else 0.0
