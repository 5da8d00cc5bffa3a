"""Short names of players, where they are unambiguous: of models, without the provider and without
the settings that all of them have.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from quandary.players.model_names import is_model, shared_settings, without_settings
from quandary.scoring.score_table import Cell, ScoreTable


def short_names(players: Iterable[str]) -> dict[str, str]:
    """Return the short name of each player; its own, if another player has the short one."""
    names = list(dict.fromkeys(players))
    shared = _shared(names)
    short = {name: _without_provider(without_settings(name, shared)) for name in names}
    count = Counter(short.values())
    return {
        name: own if count[own] == 1 and (own == name or own not in short) else name
        for name, own in short.items()
    }


def _shared(names: list[str]) -> tuple[str, ...]:
    """Return the settings that every model has; all those of a model that is alone."""
    models = [name for name in names if is_model(name)]
    return tuple(models[0].split(",")[1:]) if len(models) == 1 else shared_settings(models)


def _without_provider(name: str) -> str:
    if not is_model(name):
        return name
    model, comma, settings = name.partition(",")
    return f"{model.rpartition('/')[2] or model}{comma}{settings}"


def in_tables(tables: Iterable[ScoreTable]) -> dict[str, str]:
    """Return the short names of all players of some tables."""
    return short_names(
        str(player) for each in tables if "player" in each.head for player in each.column("player")
    )


def renamed(table: ScoreTable, names: Mapping[str, str]) -> ScoreTable:
    """Return a table whose players have other names, also where they are the heads of columns."""

    def other(cell: Cell) -> Cell:
        return names.get(cell, cell) if isinstance(cell, str) else cell

    at = table.head.index("player")
    rows = tuple((*row[:at], other(row[at]), *row[at + 1 :]) for row in table.rows)
    head = tuple(names.get(each, each) for each in table.head)
    return replace(table, head=head, rows=rows, shared_settings=())
