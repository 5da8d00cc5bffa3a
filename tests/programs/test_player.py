"""Programs play matches of real puzzles, and end as they deserve."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from quandary.catalogue import drawing
from quandary.matches.drivers import play_now
from quandary.matches.player import seat_luck
from quandary.matches.record import Record
from quandary.players.strategy import strategy_player
from quandary.programs.library import Program
from quandary.programs.player import ProgramPlayer, hidden_luck
from quandary.programs.pool import ProgramPool

NAME = "program/tried.py"
BODY = """
class Player:
    def __init__(self):
        self.turns = 0

    def play(self, view):
        self.turns += 1
        {line}
"""


@pytest.fixture(scope="module")
def pool() -> Iterator[ProgramPool]:
    pool = ProgramPool()
    yield pool
    pool.close()


def _program(code: str) -> Program:
    return Program(NAME, code, "tried")


def _line(line: str) -> Program:
    return _program(BODY.format(line=line))


def _played(pool: ProgramPool, spec: str, program: Program, against: str = "", **how) -> Record:
    game = drawing.game(spec)
    level = drawing.named(spec).level
    own = ProgramPlayer(program, pool, game, **how)
    others = [strategy_player(against or "random", game, level)] * (game.seats - 1)
    return play_now(game, [own, *others], spec)


CARD_NIM = """
        hand = [card for card in view["hands"][view["seat"]] if card <= view["stones"]]
        return {value}"""
LEGAL = {
    "text": CARD_NIM.format(value="str(hand[0])"),
    "a number": CARD_NIM.format(value="hand[0]"),
    "data": CARD_NIM.format(value='{"card": hand[0]}'),
}


@pytest.mark.parametrize("line", LEGAL.values(), ids=LEGAL)
def test_a_move_is_text_a_number_or_data(pool: ProgramPool, line: str) -> None:
    program = _program(BODY.format(line=line))
    record = _played(pool, "card_nim/easy#7", program)

    assert record.cause in ("goal", "no_move")
    assert record.log[0] == (0, "1")


TELLING = """
import sys

def luck():
    frame = sys._getframe()
    while frame:
        if getattr(frame.f_locals.get("self"), "luck", ""):
            return frame.f_locals["self"].luck
        frame = frame.f_back

class Player:
    def play(self, view):
        raise ValueError(luck())
"""


@pytest.mark.parametrize("spec", ["card_nim/easy#7", "larger_target/normal#3", "islands/easy#2"])
def test_luck_does_not_tell_the_name_of_the_instance(pool: ProgramPool, spec: str) -> None:
    """A program that tried all names would find its own, and with it all secrets."""
    told = _played(pool, spec, _program(TELLING)).said[0].words

    assert "ValueError: " in told
    for seat in range(2):
        assert seat_luck(spec, seat) not in told


def test_luck_follows_from_what_is_hidden() -> None:
    game = drawing.game("larger_target/normal#3")
    other = replace(game, bags=game.bags[::-1])  # type: ignore[call-arg,attr-defined]

    assert game.seen_by(0) == other.seen_by(0)
    assert hidden_luck("luck", game) == hidden_luck("luck", game) != hidden_luck("luck", other)
    assert hidden_luck("luck", game) != hidden_luck("other", game)


STATUSES = {
    "a long text": ("return 'x' * 70_000", "flood"),
    "a legal move in a long text": ("return '1' + ' ' * 70_000", "flood"),
    "the rules forbid it": ("return '999'", "illegal"),
    "words": ("return 'I do not know'", "unreadable"),
    "no move": ("return None", "unreadable"),
    "a truth value": ("return True", "unreadable"),
    "another shape of data": ("return {'stones': 1}", "unreadable"),
    "what JSON does not have": ("return {1, 2}", "unreadable"),
    "an error": ("return 1 / 0", "crash"),
    "an exit": ("raise SystemExit", "crash"),
    "a module that is not there": ("import requests", "crash"),
    "a file": ("return open('/etc/hostname').read()", "crash"),
    "too much memory": ("return len([bytearray(1 << 20) for _ in range(9999)])", "memory"),
    "an endless loop": ("while True: pass", "timeout"),
    "a long sleep": ("import time; time.sleep(600)", "timeout"),
    "a long reply": ("return 'x' * (2 << 20)", "flood"),
}


@pytest.mark.parametrize(("line", "cause"), STATUSES.values(), ids=STATUSES)
def test_a_program_that_fails_has_lost(pool: ProgramPool, line: str, cause: str) -> None:
    seconds = 1.0 if cause == "timeout" else 60.0
    record = _played(pool, "card_nim/easy#7", _line(line), seconds=seconds)

    assert (cause, 0) == (record.cause, record.offender)
    assert (0.0, 1.0) == record.scores


@pytest.mark.parametrize(
    ("code", "cause"),
    [
        ("class Player(:", "syntax"),
        ("x = 1", "unreadable"),
        ("class Player:\n    def __init__(self, seat): pass", "crash"),
        ("raise ValueError\nclass Player: pass", "crash"),
        ("class Player: pass", "crash"),
        ("(" * 100_000, "syntax"),
        ("\0", "syntax"),
    ],
)
def test_a_program_that_cannot_begin_has_lost(pool: ProgramPool, code: str, cause: str) -> None:
    record = _played(pool, "card_nim/easy#7", _program(code))

    assert (cause, 0) == (record.cause, record.offender)


def test_records_name_the_error_and_its_line(pool: ProgramPool) -> None:
    record = _played(pool, "card_nim/easy#7", _line("return view['stone']"))

    assert "KeyError: 'stone' (line 8)" == record.said[-1].words


COUNTING = """
count = 0

class Player:
    met = 0

    def __init__(self):
        self.turns = 0

    def play(self, view):
        global count
        count += 1
        Player.met += 1
        self.turns += 1
        assert count == Player.met == self.turns
        return [card for card in view["hands"][view["seat"]] if card <= view["stones"]][0]
"""


def test_an_object_lives_for_one_match(pool: ProgramPool) -> None:
    """What it keeps in itself, in its class or in its module is gone with the match."""
    program = _program(COUNTING)
    for seed in range(1, 6):
        record = _played(pool, f"card_nim/easy#{seed}", program)
        assert record.cause in ("goal", "no_move"), record.said[-1].words


def test_luck_is_that_of_the_turn(pool: ProgramPool) -> None:
    """Equal matches are played alike, whatever was played before in the same process."""
    program = _program(
        "import random\n"
        + BODY.format(
            line="return str(random.choice([card for card in view['hands'][view['seat']]"
            " if card <= view['stones']]))"
        )
    )
    first = [_played(pool, f"card_nim/normal#{seed}", program) for seed in range(1, 9)]
    again = [_played(pool, f"card_nim/normal#{seed}", program) for seed in range(8, 0, -1)]

    assert first == again[::-1]
    assert len({record.log[0] for record in first}) > 2
