"""Long checks over many matches and many seeds, for `make check-all`."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from quandary.catalogue import registry
from quandary.conformance.case import as_game, pick
from quandary.core.contract import CHANCE, Game

CASES = [(name, level) for name in registry.names() for level in registry.load(name).levels]
# Without questions, which have no illegal moves.
GAMES = [(name, level) for name, level in CASES if issubclass(registry.load(name), Game)]

MATCHES, PLIES, BUDGET, SEEDS = 1_000, 150, 12, 2_000


@pytest.mark.heavy
@pytest.mark.parametrize(("name", "level"), GAMES, ids=[f"{name}/{level}" for name, level in GAMES])
def test_no_baseline_makes_an_illegal_move(name: str, level: str) -> None:
    """A thousand matches per level, with all strategies against each other and against luck."""
    puzzle = registry.load(name)
    strategies = list(as_game(registry.instance(f"{name}/{level}#0")).strategies.items())
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


FAMILIES = [
    (name, level, family) for name, level in CASES for family in ("", *registry.load(name).families)
]


@pytest.mark.heavy
@pytest.mark.parametrize(("name", "level", "family"), FAMILIES)
def test_seeds_give_distinct_instances(name: str, level: str, family: str) -> None:
    """Nearly all of 2,000 instances differ, and all neighbours do, except as `small` says."""
    puzzle = registry.load(name)
    key = f"{level},family={family}" if family else level
    arguments = {**puzzle.levels[level], **({"family": family} if family else {})}
    made = [puzzle.new(Random(f"{name}/{key}#{seed}"), **arguments) for seed in range(SEEDS)]
    if key in puzzle.small:
        assert len({puzzle.canonical() for puzzle in made}) < 0.95 * SEEDS, (
            "it is not small; take the note away"
        )
        return
    assert len(set(made)) >= 0.95 * SEEDS
    assert all(one != other for one, other in pairwise(made))
