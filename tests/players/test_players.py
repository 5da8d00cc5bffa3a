"""Finding players, random ones, and a person at the terminal."""

from __future__ import annotations

import asyncio
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from io import TextIOWrapper
from pathlib import Path
from random import Random

import pytest

from quandary.catalogue import drawing, registry
from quandary.core.contract import Game
from quandary.core.errors import UserError
from quandary.matches.drivers import play_match
from quandary.matches.player import Turn
from quandary.matches.record import Record
from quandary.players.clock import Clocked
from quandary.players.human import Human
from quandary.players.keyboard import Keyboard
from quandary.players.registry import PlayerRegistry
from quandary.players.strategy import player_names, random_move, strategy_player
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
    assert strategy_player("oracle@50", PILE).name == "oracle@50"


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("oracel", "did you mean 'oracle'"),
        ("oracle@", "not a budget"),
        ("oracle@x", "not a budget"),
        ("oracle@0", "not a budget"),
    ],
)
def test_unknown_players_get_advice(name: str, advice: str) -> None:
    """The sentence names the nearest player."""
    with pytest.raises(UserError, match=advice):
        strategy_player(name, PILE)


def test_every_puzzle_has_players() -> None:
    """Everyone who is offered can be found."""
    for name in registry.names():
        level = next(iter(registry.load(name).levels))
        spec = drawing.named(f"{name}/{level}#1")
        game = drawing.game(spec)
        for player in player_names(game):
            assert player == PlayerRegistry().find(player, game, spec).name


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("program/gone.py", "there is no program 'gone.py'"),
        ("program/folder", "is not a program; write program/ and the path of a .py file"),
        ("program/x.py,shots=1", "is not a program"),
    ],
)
def test_a_program_needs_its_file(name: str, why: str) -> None:
    """One sentence says so; no provider called `program` is looked for."""
    with pytest.raises(UserError, match=why):
        PlayerRegistry().find(name, PILE, drawing.named("card_nim/easy#1"))


def _typed(*lines: str) -> tuple[Human, list[str]]:
    """A person who types these lines and then hangs up."""
    left, received = list(lines), list[str]()

    async def ask(prompt: str) -> str:
        if not left:
            raise EOFError
        return left.pop(0)

    return Human(ask, received.append), received


def _played(person: Human, game: Game) -> Record:
    seated = [person, *(strategy_player("oracle", game) for _ in range(game.seats - 1))]
    return asyncio.run(play_match(game, seated, "test"))


def test_a_person_reads_the_rules_and_plays() -> None:
    """Rules first, then positions; a typing error is pointed out and costs nothing."""
    person, received = _typed("/moves", "nine", "9", "2", "1", "1")
    record = _played(person, PILE)

    assert PILE.rules() in received[0]
    assert "1, 2, 3" in received
    assert any("number" in line for line in received)
    assert any("not allowed" in line for line in received)
    assert record.log[0] == (0, "2")
    assert ("answered",) * len(record.said) == tuple(said.status for said in record.said)


@pytest.mark.parametrize("lines", [("/quit",), (" /QUIT ",), ()])
def test_a_person_may_resign_or_hang_up(lines: tuple[str, ...]) -> None:
    """Resigning and closing the terminal end the match by resignation."""
    person, _ = _typed(*lines)
    record = _played(person, PILE)

    assert (record.cause, record.offender, record.scores) == ("resigned", 0, (0.0, 1.0))


def test_words_that_are_answers_are_no_commands() -> None:
    """Only a leading slash makes a command; "rules" and "quit" may be answers to a puzzle."""
    question = drawing.game("anagram_scribble/easy#1", tries=3)
    person, received = _typed("rules", "quit", "/help", "/rules", "moves")
    record = _played(person, question)

    assert ((0, "rules"), (0, "quit"), (0, "moves")) == record.log
    assert any("Type your answer.\nYou can also type:\n" in text for text in received)
    assert question.rules() in received


def test_a_longer_answer_ends_with_an_empty_line_or_the_input() -> None:
    """The lines typed so far are the answer, whether an empty line or the end of input follows."""
    for lines in (("#..", "...", "", "rest"), ("#..", "...")):
        person, _ = _typed(*lines)
        assert ((0, "#..\n..."),) == _played(person, drawing.game("islands/easy#1")).log


@pytest.fixture
def pipe(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[bytes], None]]:
    """Standard input as a pipe: what writes to it; nothing written closes it."""
    reading, writing = os.pipe()

    def write(data: bytes) -> None:
        os.write(writing, data) if data else os.close(writing)

    with os.fdopen(reading) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        yield write


async def _lines(keyboard: Keyboard) -> list[str]:
    lines = list[str]()
    try:
        while True:
            lines.append(await keyboard.ask(""))
    except EOFError:
        return lines


def test_lines_that_arrive_together_are_read_one_by_one(pipe: Callable[[bytes], None]) -> None:
    """Nothing is lost: not the lines behind the first, not an empty one, not the last without its
    end.
    """
    pipe("one\r\n\nzwölf\n\xff\nlast".encode("latin-1"))
    pipe(b"")

    assert ["one", "", "zw\ufffdlf", "\ufffd", "last"] == asyncio.run(_lines(Keyboard()))


def test_lines_that_arrive_in_pieces_are_put_together(pipe: Callable[[bytes], None]) -> None:
    """A line is what stands before its end, however it came."""

    async def typing() -> tuple[str, str]:
        keyboard = Keyboard()
        asking = asyncio.gather(keyboard.ask(""), keyboard.ask(""))
        for piece in (b"fi", b"rst\nsec", b"ond\n"):
            pipe(piece)
            await asyncio.sleep(0.01)
        one, other = await asking
        return one, other

    assert ("first", "second") == asyncio.run(typing())
    pipe(b"")


def test_lines_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file, which no event loop can watch, is read as well."""
    path = tmp_path / "typed"
    path.write_text("2\n/quit\n")
    with path.open() as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        assert ["2", "/quit"] == asyncio.run(_lines(Keyboard()))


@pytest.mark.parametrize("state", ["none", "closed", "bad"])
def test_a_closed_input_is_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, state: str
) -> None:
    """Without standard input a person has hung up."""

    class Bad(TextIOWrapper):
        def fileno(self) -> int:
            return 9_999

    with (tmp_path / "typed").open("wb+") as file:
        stdin = Bad(file) if state == "bad" else None
        if state == "closed":
            stdin = TextIOWrapper((tmp_path / "typed").open("rb"))
            stdin.close()
        monkeypatch.setattr(sys, "stdin", stdin)
        record = _played(Human(Keyboard().ask, lambda line: None), PILE)

    assert ("resigned", 0) == (record.cause, record.offender)


def test_a_clock_interrupts_a_person(pipe: Callable[[bytes], None]) -> None:
    """Whoever types nothing loses on time."""
    person = Human(Keyboard().ask, lambda line: None)
    record = asyncio.run(
        play_match(PILE, [Clocked(person, 0.05), strategy_player("oracle", PILE)], "test")
    )

    assert ("timeout", 0) == (record.cause, record.offender)
    pipe(b"")
