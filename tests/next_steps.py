"""What `next:` must call a step, by making all moves: one way for short and for long tests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

from quandary.core.contract import Game
from quandary.puzzles._shared.grid_filling import Filling, write_fill
from quandary.puzzles.solo.game_of_24 import GameOf24
from quandary.puzzles.solo.graph_coloring import GraphColoring
from quandary.puzzles.solo.k_queens import KQueens
from quandary.puzzles.solo.logic_grid import LogicGrid
from quandary.puzzles.solo.tidy_tower import TidyTower
from quandary.tasks.next_state import NextState


def some_moves(position: Game, most: int, seed: int) -> list[str]:
    moves = list(position.options().get(0) or ())
    return Random(seed).sample(moves, min(most, len(moves)))


def _expected(asked: NextState, most: int, seed: int) -> Iterator[tuple[str, str]]:
    """Positions as they are written, each with the kind that it must have."""
    position, parent = asked.position, asked.parent
    yield "not a position", "unreadable"
    if not asked.status:
        yield parent.state(), ""
        yield position.state(), "not_parent"
        if asked.start.state() != parent.state():
            yield asked.start.state(), "not_parent"
        for move in some_moves(parent, most, seed):
            sibling = parent.after(0, move).state()
            if sibling != position.state():
                yield sibling, "sibling"
        return
    tried = asked.tried.state() if asked.tried else ""
    yield position.state(), "no_move"
    yield parent.state(), "invalid_move"
    for move in some_moves(position, most, seed):
        child = position.after(0, move)
        is_dead = "known_dead_end" if child.state() == tried else "dead_end"
        yield child.state(), "" if child.solvable() else is_dead
    conflicts = list(_conflicts(position))
    for conflict in Random(seed).sample(conflicts, min(most, len(conflicts))):
        yield conflict.state(), "invalid_move"
    yield from ((far.state(), "several_moves") for far in far_ahead(position))


def far_ahead(position: Game) -> list[Game]:
    """Right moves ahead, two and, where a puzzle can tell, three and all, unless one move leads
    there too.
    """
    line, near = [position], {position.after(0, move).state() for move in position.options()[0]}
    while step := next(filter(line[-1].solvable_after, line[-1].options().get(0) or ()), None):
        line.append(line[-1].after(0, step))
    if position.leads_to(line[-1]) is None:
        line = line[:3]
    return [far for far in (*line[2:4], *line[4:][-1:]) if far.state() not in near]


def _conflicts(position: Any) -> Iterator[Game]:
    """Positions that no legal move leads to, some of every sort."""
    match position:
        case Filling():
            fills, side = position.fills(), round(len(position.cells) ** 0.5)
            values = set(position.cells) - {"."}
            for cell, value in ((cell, value) for cell in range(side**2) for value in values):
                fill = write_fill(side, cell, value)
                if position.cells[cell] == "." and fill not in fills[cell]:
                    yield position.after(0, fill)
        case KQueens():
            [move] = some_moves(position, 1, 0)
            yield replace(position.after(0, move), left=position.left)
            yield replace(position, left=position.left - 1)
        case TidyTower():
            [move] = some_moves(position, 1, 0)
            yield replace(position.after(0, move), left=position.left)
            yield replace(position, left=position.left - 1)
        case GameOf24():
            yield replace(position, expressions=(str(position.target),))
            yield replace(position, expressions=position.expressions[1:])
        case GraphColoring():
            for vertex, near in enumerate(position.neighbours):
                for colour in {position.colouring[other] for other in near} - {0}:
                    if not position.colouring[vertex]:
                        yield replace(position, colouring=_put(position.colouring, vertex, colour))
        case LogicGrid():
            for row, things in enumerate(position.table):
                for column, thing in enumerate(things[1:], start=1):
                    others = {other[column] for other in position.table} - {-1}
                    for other in others if thing < 0 else {-1}:  # in two rows, or taken out
                        entries = _put(things, column, other)
                        yield replace(position, table=_put(position.table, row, entries))


def _put(old: tuple[Any, ...], place: int, entry: Any) -> tuple[Any, ...]:
    return (*old[:place], entry, *old[place + 1 :])


def check_steps(asked: NextState, most: int, seed: int) -> None:
    """Every step is called what it is; of moves and conflicts, at most so many are tried."""
    for text, kind in _expected(asked, most, seed):
        verdict = asked.check(text)
        assert (kind, kind == "") == (verdict.kind, verdict.score == 1.0), (seed, text)
