"""Long checks over many matches and many seeds, for `make check-all`."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from quandary.catalogue import drawing, registry
from quandary.conformance.case import Case, as_game, pick
from quandary.core.contract import CHANCE, Game

CASES = [(name, level) for name in registry.names() for level in registry.load(name).levels]
# Without questions, which have no illegal moves.
GAMES = [(name, level) for name, level in CASES if issubclass(registry.load(name), Game)]

MATCHES, PLIES, BUDGET, SEEDS = 200, 150, 12, 300


@pytest.mark.heavy
@pytest.mark.parametrize(("name", "level"), GAMES, ids=[f"{name}/{level}" for name, level in GAMES])
def test_no_baseline_makes_an_illegal_move(name: str, level: str) -> None:
    """Two hundred matches per level, with all strategies against each other and against luck."""
    puzzle = registry.load(name)
    strategies = list(as_game(drawing.instance(f"{name}/{level}#0")).strategies.items())
    for match in range(MATCHES):
        position: Game = as_game(
            puzzle.new(Random(f"{name}/{level}#{match}"), **puzzle.levels[level])
        )
        rng, who = Random(match), strategies[match % len(strategies)]
        for ply in range(PLIES):
            options = position.options()
            if not options:
                break
            seat = rng.choice(sorted(options))
            lucky = seat == CHANCE or rng.random() < 0.25 or (ply % 2 and match % 3 == 0)
            move = (
                pick(position, seat, rng)
                if lucky
                else who[1](position.seen_by(seat), seat, rng, BUDGET)
            )
            listed = options[seat]
            assert seat == CHANCE or listed is None or move in listed, (
                f"{who[0]} plays {move!r} at {position}"
            )
            position = position.play(seat, move)


@pytest.mark.heavy
@pytest.mark.parametrize(("name", "level"), CASES)
def test_neighbouring_seeds_give_different_instances(name: str, level: str) -> None:
    """All of 300, except where `distinct_instances` says that instances repeat."""
    case = Case.of(registry.load(name), level)
    if level in case.puzzle.distinct_instances:
        pytest.skip("its instances repeat")

    assert all(one != other for one, other in pairwise(map(case.make, range(SEEDS))))
