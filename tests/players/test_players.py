"""Finding players, random ones, and a person at the terminal."""

from __future__ import annotations

import asyncio
from collections import Counter
from random import Random

import pytest

from quandary.core import registry
from quandary.core.contract import Game
from quandary.core.mistake import Mistake
from quandary.core.player import Turn
from quandary.core.record import Record
from quandary.core.referee import play_match
from quandary.players.human import Human
from quandary.players.strategy import random_move
from quandary.players.table import find, names
from quandary.puzzles.duels.card_nim import CardNim

PILE = CardNim(5, ((1, 2, 3), (1, 2, 3)))


def test_random_is_uniform_over_legal_moves() -> None:
    """Each of three legal cards is played about a third of the time."""
    rng = Random(1)
    turn = Turn(0, PILE, PILE.options()[0])
    counts = Counter(random_move(turn, rng) for _ in range(6_000))

    assert {"1", "2", "3"} == set(counts)
    assert all(1_850 < count < 2_150 for count in counts.values())


def test_a_budget_is_part_of_a_players_name() -> None:
    """`oracle@50` is the oracle looking at fifty positions."""
    assert find("oracle@50", PILE).name == "oracle@50"


@pytest.mark.parametrize(
    ("name", "advice"),
    [("oracel", "did you mean 'oracle'"), ("oracle@", "no budget"), ("oracle@x", "no budget"), ("oracle@0", "no budget")],
)
def test_unknown_players_get_advice(name: str, advice: str) -> None:
    """The sentence names the nearest player."""
    with pytest.raises(Mistake, match=advice):
        find(name, PILE)


def test_every_puzzle_has_players() -> None:
    """Everyone who is offered can be found."""
    for name in registry.names():
        level = next(iter(registry.load(name).levels))
        game = registry.game(f"{name}/{level}#1")
        for player in names(game):
            assert player == find(player, game, level).name


def _typed(*lines: str) -> tuple[Human, list[str]]:
    """A person who types these lines and then hangs up."""
    left, heard = list(lines), list[str]()

    def ask(prompt: str) -> str:
        if not left:
            raise EOFError
        return left.pop(0)

    return Human(ask, heard.append), heard


def _played(person: Human, game: Game) -> Record:
    seated = [person, *(find("oracle", game) for _ in range(game.seats - 1))]
    return asyncio.run(play_match(game, seated, "test"))


def test_a_person_reads_the_rules_and_plays() -> None:
    """Rules first, then positions; a typing error is pointed out and costs nothing."""
    person, heard = _typed("moves", "nine", "9", "2", "1", "1")
    record = _played(person, PILE)

    assert PILE.rules() in heard[0]
    assert "1, 2, 3" in heard
    assert any("number" in line for line in heard)
    assert any("not allowed" in line for line in heard)
    assert record.log[0] == (0, "2")
    assert ("answered",) * len(record.said) == tuple(said.status for said in record.said)


@pytest.mark.parametrize("lines", [("resign",), ()])
def test_a_person_may_resign_or_hang_up(lines: tuple[str, ...]) -> None:
    """Resigning and closing the terminal end the match by resignation."""
    person, _ = _typed(*lines)
    record = _played(person, PILE)

    assert (record.cause, record.offender, record.scores) == ("resigned", 0, (0.0, 1.0))
