"""What `next:` accepts is exactly the strict set; each other step is called what it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from proofs.resumable import state_levels

from quandary.bases.grid_filling import Filling, write_fill
from quandary.catalogue import registry
from quandary.core.contract import Game
from quandary.puzzles.solo.game_of_24 import GameOf24
from quandary.puzzles.solo.graph_coloring import GraphColoring
from quandary.puzzles.solo.k_queens import KQueens
from quandary.puzzles.solo.logic_grid import LogicGrid
from quandary.puzzles.solo.tidy_tower import TidyTower
from quandary.tasks.next_state import NextState

LEVELS = list(state_levels())
FEW, MANY = 12, 100  # moves that are tried where there are more, in short and in long tests


def _moves(position: Game, most: int, seed: int) -> list[str]:
    moves = list(position.options().get(0) or ())
    return Random(seed).sample(moves, min(most, len(moves)))


def _expected(asked: NextState, most: int, seed: int) -> Iterator[tuple[str, str]]:
    """Positions as they are written, each with the kind that it must have."""
    position, parent = asked.position, asked.parent
    yield "this is no position", "unreadable"
    if not asked.status:
        yield parent.state(), ""
        yield position.state(), "not_parent"
        if asked.start.state() != parent.state():
            yield asked.start.state(), "not_parent"
        for move in _moves(parent, most, seed):
            sibling = parent.after(0, move).state()
            if sibling != position.state():
                yield sibling, "sibling"
        return
    tried = asked.tried.state() if asked.tried else ""
    yield position.state(), "no_move"
    yield parent.state(), "invalid_move"
    for move in _moves(position, most, seed):
        child = position.after(0, move)
        is_dead = "known_dead_end" if child.state() == tried else "dead_end"
        yield child.state(), "" if child.solvable() else is_dead
    conflicts = list(_conflicts(position))
    for conflict in Random(seed).sample(conflicts, min(most, len(conflicts))):
        yield conflict.state(), "invalid_move"
    yield from ((far.state(), "several_moves") for far in _far_ahead(position))


def _far_ahead(position: Game) -> list[Game]:
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
            [move] = _moves(position, 1, 0)
            yield replace(position.after(0, move), left=position.left)
            yield replace(position, left=position.left - 1)
        case TidyTower():
            [move] = _moves(position, 1, 0)
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


def _check(level: str, seeds: int, most: int) -> None:
    for seed in range(seeds):
        asked = registry.instance(f"next:{level}#{seed}")
        assert isinstance(asked, NextState)
        for said, kind in _expected(asked, most, seed):
            verdict = asked.check(said)
            assert (kind, kind == "") == (verdict.kind, verdict.score == 1.0), (seed, said)


@pytest.mark.parametrize("level", LEVELS)
def test_every_step_is_called_what_it_is(level: str) -> None:
    _check(level, 5, FEW)


@pytest.mark.heavy
@pytest.mark.parametrize("level", LEVELS)
def test_every_step_of_300_questions_is_called_what_it_is(level: str) -> None:
    """All moves of most levels; k_queens and tall towers have up to 900."""
    _check(level, 300, MANY)


@pytest.mark.parametrize("level", LEVELS)
def test_shortcuts_say_what_trying_moves_says(level: str) -> None:
    """What a puzzle knows about its moves without making them."""
    for seed in range(2):
        asked = registry.instance(f"next:{level}#{seed}")
        assert isinstance(asked, NextState)
        here = asked.position
        for move in _moves(here, 4, seed):
            child = here.after(0, move)
            assert child.solvable() == here.solvable_after(move), move
            assert (found := here.move_to(child)) and here.after(0, found).state() == child.state()
        for other in (here, asked.parent, *_far_ahead(here)):
            assert None is here.move_to(other) is Game.move_to(here, other), other.state()


def test_the_order_of_expressions_is_no_difference() -> None:
    for seed in range(20):
        asked = registry.instance(f"next:game_of_24/easy#{seed}")
        assert isinstance(asked, NextState)
        right = registry.instance(f"next:game_of_24/easy#{seed}").solution()  # type: ignore[attr-defined]
        texts = asked.position.restate(right).expressions  # type: ignore[attr-defined]

        assert 1.0 == asked.check(f"[{', '.join(reversed(texts))}]").score


@pytest.mark.heavy
@pytest.mark.parametrize("variant", ["standard", "published"])
def test_towers_lead_where_turns_lead(variant: Any) -> None:
    """By making all turns, up to three, of towers of three cubes."""
    towers = [first + second + third for first in "RY" for second in "RYBG" for third in "RYBG"]
    for start in (TidyTower(cubes, 3, variant) for cubes in towers):
        reached = {start}
        for left in (2, 1, 0) if start.options() else ():
            reached = {one.after(0, turn) for one in reached for turn in one.options().get(0) or ()}
            for cubes in towers:
                other = TidyTower(cubes, left, variant)
                assert start.leads_to(other) == (other in reached), (start, other)


@pytest.mark.heavy
def test_queens_lead_where_moves_lead() -> None:
    """By making all moves, up to two, of boards of side four."""
    rng = Random(1)
    squares = [(row, column) for row in range(4) for column in range(4)]
    boards = [tuple(sorted(rng.sample(squares, 4))) for _ in range(300)]
    for queens in boards[:20]:
        start = KQueens(queens, 2)
        reached = {start}
        for left in (1, 0):
            reached = {one.after(0, move) for one in reached for move in one.options().get(0) or ()}
            for other in (*(KQueens(one, left) for one in boards), *list(reached)[:100]):
                assert start.leads_to(other) == (other in reached), (start, other)
