"""The referee: who is asked, what is written down, and how matches end."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

import pytest

from quandary.core.contract import Ending, Game, Language, Move, Options, Private, Seat
from quandary.core.errors import Illegal, Unreadable
from quandary.core.game import refusal
from quandary.matches.codec import record_from_json, record_json
from quandary.matches.drivers import play_match
from quandary.matches.player import Forfeit, Player, Reply, Scripted, Turn
from quandary.matches.record import LoggedReply, Record, ReplayMismatch, replay
from quandary.players.clock import Clocked
from quandary.puzzles.duels.card_nim import CardNim

PILE = CardNim(5, ((1, 2, 3), (1, 2, 3)))


def says(*words: str) -> Scripted:
    """A player who says these words, one a turn, and the last ones for ever."""
    left = list(words)
    return Scripted("scripted", lambda turn, rng: left.pop(0) if len(left) > 1 else left[0])


def played(*players: Player, start: Game = PILE, **settings: int) -> Record:
    return asyncio.run(play_match(start, players, "test", **settings))


def test_words_that_are_no_move_are_asked_again() -> None:
    """Unreadable words are recorded and refused with a sentence, and the next reading counts."""
    refusals = list[str]()

    def speak(turn: Turn, rng: Random) -> str:
        refusals.append(refusal(turn.position, turn.refused) if turn.refused else "")
        return "2" if turn.refused else "two of them"

    record = played(Scripted("careless", speak), says("3"))

    assert record.log == ((0, "2"), (1, "3"))
    assert [said.status for said in record.said] == ["unreadable", "answered", "answered"]
    assert record.said[0].words == "two of them"
    assert refusals[0] == "" and "number" in refusals[1]
    assert (record.cause, record.offender, record.scores) == ("goal", None, (0.0, 1.0))


def test_five_unreadable_replies_lose() -> None:
    """The papers' five format attempts."""
    record = played(says("hello"), says("1"))

    assert (record.cause, record.offender, record.scores) == ("unreadable", 0, (0.0, 1.0))
    assert len(record.said) == 5


def test_an_illegal_move_loses_and_is_not_asked_again() -> None:
    """A move that can be read but is not allowed ends the match at once."""
    record = played(says("1"), says("9"))

    assert (record.cause, record.offender, record.scores) == ("illegal", 1, (1.0, 0.0))
    assert [said.status for said in record.said] == ["answered", "illegal"]
    assert record.log[-1] == (1, "9")
    assert PILE.play(0, "1") == replay(record)[-1]


def test_a_player_that_raises_loses_its_own_match() -> None:
    """A bug in a player is that player's loss."""

    def speak(turn: Turn, rng: Random) -> str:
        raise RuntimeError("out of ideas")

    record = played(says("1"), Scripted("buggy", speak))

    assert (record.cause, record.offender, record.scores) == ("crash", 1, (1.0, 0.0))
    assert "out of ideas" in record.said[-1].words


@pytest.mark.parametrize(
    ("cause", "scores"),
    [
        ("resigned", (0.0, 1.0)),
        ("syntax", (0.0, 1.0)),
        ("memory", (0.0, 1.0)),
        ("infrastructure", None),
    ],
)
def test_a_player_may_give_up(cause: str, scores: tuple[float, ...] | None) -> None:
    """A forfeit names its cause; what the infrastructure cuts off has no scores and no offender."""

    def speak(turn: Turn, rng: Random) -> str:
        raise Forfeit(cause)  # type: ignore[arg-type]

    record = played(Scripted("tired", speak), says("1"))

    assert (cause, scores) == (record.cause, record.scores)
    assert (None if scores is None else 0) == record.offender


class Sleeper:
    """Takes its time."""

    name = "sleeper"

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def take_seat(self, seat: Seat, luck: str) -> Sleeper:
        return self

    async def act(self, turn: Turn) -> Reply:
        await asyncio.sleep(self.seconds)
        return Reply("1")

    async def leave(self) -> None:
        pass


def test_overrunning_the_clock_loses() -> None:
    """A player with a clock has so many seconds for the whole match."""
    record = played(Clocked(Sleeper(600), 0.05), says("1"))

    assert (record.cause, record.offender, record.scores) == ("timeout", 0, (0.0, 1.0))
    assert record.said[-1].status == "timeout"
    assert 0.05 <= record.said[-1].seconds < 60


def test_time_is_written_down_where_there_is_a_clock() -> None:
    """Seconds of a turn are part of the record."""
    record = played(Clocked(Sleeper(0.01), 10), says("2"))

    assert record.said[0].seconds >= 0.01


def test_one_match_failing_leaves_others_alone() -> None:
    """Matches played side by side end each on their own account."""

    async def both() -> tuple[Record, Record]:
        def speak(turn: Turn, rng: Random) -> str:
            raise RuntimeError

        bad = play_match(PILE, [Scripted("bad", speak), says("1")], "bad")
        good = play_match(PILE, [Clocked(Sleeper(0.01), 10), says("2")], "good")
        return await asyncio.gather(bad, good)  # type: ignore[return-value]

    bad, good = asyncio.run(both())

    assert bad.cause == "crash"
    assert good.cause in ("goal", "no_move", "illegal") and good.said


def test_a_record_survives_json_and_replays() -> None:
    """A record on disk is the match."""
    record = played(says("nonsense", "1"), says("9"))

    assert record == record_from_json(record_json(record))
    assert replay(record)[-1] == PILE.play(0, "1")


@pytest.mark.parametrize(
    "forge",
    [
        lambda record: replace(record, scores=(1.0, 0.0)),
        lambda record: replace(record, log=record.log[:-1]),
        lambda record: replace(record, cause="limit"),
        lambda record: replace(record, log=((0, "9"), *record.log)),
    ],
)
def test_a_forged_record_is_unfaithful(forge: Callable[[Record], Record]) -> None:
    """Scores, causes and logs that do not belong together are found out."""
    record = played(says("2"), says("3"))

    with pytest.raises(ReplayMismatch):
        replay(forge(record))


@dataclass(frozen=True)
class Pennies(Game):
    """Both show a coin at once; equal ones win for seat 0."""

    shown: Private[tuple[str | None, ...]] = (None, None)

    @classmethod
    def new(cls, rng: Random) -> Pennies:
        return cls()

    def options(self) -> Options:
        return {seat: ["head", "tail"] for seat in (0, 1) if self.shown[seat] is None}

    def after(self, seat: Seat, move: Move) -> Pennies:
        return Pennies(tuple(move if i == seat else old for i, old in enumerate(self.shown)))

    def scores(self) -> tuple[float, ...]:
        return (1.0, 0.0) if self.shown[0] == self.shown[1] else (0.0, 1.0)

    def read(self, seat: Seat, text: str) -> Move:
        if not text.isalpha():
            raise Unreadable("Write head or tail.")
        return text

    def ending(self) -> Ending:
        return Ending("goal")

    def rules(self, language: Language = "en") -> str:
        return "Show head or tail."

    def text(self, seat: Seat, language: Language = "en") -> str:
        return f"You show {self.shown[seat]}."


def test_simultaneous_seats_are_asked_without_seeing_each_other() -> None:
    """Both are asked from the same position, whoever answers first."""
    seen = list[Game]()

    def speak(turn: Turn, rng: Random) -> str:
        seen.append(turn.position)
        return "head"

    record = played(Scripted("a", speak), Scripted("b", speak), start=Pennies())

    assert [Pennies((None, None))] * 2 == seen
    assert record.scores == (1.0, 0.0)


@pytest.mark.parametrize(
    ("first", "second", "ending"),
    [
        ("edge", "head", ("illegal", 0, (0.0, 1.0))),
        ("head", "edge", ("illegal", 1, (1.0, 0.0))),
        ("edge", "edge", ("illegal", None, (0.0, 0.0))),
        ("7", "head", ("unreadable", 0, (0.0, 1.0))),
        ("7", "7", ("unreadable", None, (0.0, 0.0))),
        ("edge", "7", ("illegal", None, (0.0, 0.0))),
        ("7", "edge", ("illegal", None, (0.0, 0.0))),
    ],
)
def test_failing_at_once_is_a_loss_for_each_who_fails(
    first: str, second: str, ending: tuple[object, ...]
) -> None:
    """One failing seat loses; if all fail at the same time, no seat wins and none is to blame."""
    record = played(says(first), says(second), start=Pennies())

    assert ending == (record.cause, record.offender, record.scores)
    assert replay(record)


def test_an_illegal_move_beside_a_failure_is_logged_and_marked() -> None:
    """The record shows both faults, and blaming nobody needs both of them."""
    record = played(says("edge"), says("7"), start=Pennies())
    statuses = [said.status for said in record.said]

    assert record.log == ((0, "edge"),)
    assert statuses == ["illegal", *["unreadable"] * 5]
    with pytest.raises(ReplayMismatch, match="of several seats"):
        replay(replace(record, said=(*record.said[:1], record.said[0]._replace(seat=1))))
    with pytest.raises(ReplayMismatch, match="loses by the rules"):
        replay(replace(record, cause="unreadable"))


def test_an_illegal_move_is_not_judged_if_the_infrastructure_failed() -> None:
    """There is no result, so nobody is to blame."""

    def fail(turn: Turn, rng: Random) -> str:
        raise Forfeit("infrastructure")

    record = played(says("edge"), Scripted("b", fail), start=Pennies())

    assert (record.cause, record.offender, record.scores) == ("infrastructure", None, None)
    assert replay(record)


def test_the_worlds_luck_does_not_depend_on_the_players() -> None:
    """Chance draws from streams named after the match, so players' own luck cannot shift it."""
    from quandary.catalogue import drawing, registry

    names = [name for name in registry.names() if getattr(registry.load(name), "luck", False)]
    for name in names:
        game = drawing.game(f"{name}/{next(iter(registry.load(name).levels))}#1")

        def drawn(greed: int, game: Game = game) -> str:
            def speak(turn: Turn, rng: Random) -> str:
                for _ in range(greed):
                    rng.random()
                return next(iter(turn.options or ()))

            record = played(*[Scripted("any", speak)] * 2, start=game)
            return next(move for seat, move in record.log if seat == -1)

        assert drawn(0) == drawn(7)


class Odd:
    """Says whatever it is told to, Reply or not."""

    name = "odd"

    def __init__(self, said: object) -> None:
        self.said = said

    def take_seat(self, seat: Seat, luck: str) -> Odd:
        if self.said == "stand up":
            raise RuntimeError("no chair")
        return self

    async def act(self, turn: Turn) -> Reply:
        if isinstance(self.said, BaseException):
            raise self.said
        return self.said  # type: ignore[return-value]

    async def leave(self) -> None:
        if self.said == "stay":
            raise RuntimeError("not leaving")


class Mute(Exception):
    def __str__(self) -> str:
        raise RuntimeError("it cannot even say so")


@pytest.mark.parametrize(
    "said",
    [
        None, "1", Reply(None), Reply(3), Reply(["3"]), Reply(b"3"), Reply("1", words=5),
        Reply("1", status="filtered"),
        Reply("1", seconds=float("nan")), Reply("1", seconds=None), Reply("1", tokens=1.5),
        Mute(), SystemExit(3), Forfeit("out_of_money"), Forfeit(None), Forfeit("goal"),
        Forfeit("crash", words=None),
        RuntimeError("half a character: \ud83d"), "stand up",
    ],
)  # fmt: skip
def test_whatever_a_player_does_costs_it_its_own_match(said: object) -> None:
    """Odd replies, odd exceptions and odd forfeits are a crash of that seat, and the record can be
    kept.
    """
    record = played(Odd(said), says("1"))

    assert ("crash", 0, (0.0, 1.0)) == (record.cause, record.offender, record.scores)
    assert record == record_from_json(record_json(record))
    assert replay(record)


def test_who_will_not_leave_is_left() -> None:
    """A player that raises when all is over changes nothing."""
    record = played(says("2"), Odd("stay"))

    assert record.cause == "crash"  # its words were no Reply
    assert replay(record)


def test_half_characters_are_kept_as_question_marks() -> None:
    """What no file can hold does not stop a record from being written."""
    record = played(Scripted("odd", lambda turn, rng: "\ud83d"), says("1"))

    assert record.cause == "unreadable"
    assert record == record_from_json(record_json(record))


def test_players_cannot_change_what_their_moves_are_judged_by() -> None:
    """A player's copy of its options is its own."""

    def cheat(turn: Turn, rng: Random) -> str:
        with pytest.raises(AttributeError):
            turn.options.append("29")  # type: ignore[union-attr]
        return "29"

    record = played(Scripted("cheat", cheat), says("1"))

    assert ("illegal", 0) == (record.cause, record.offender)


def test_a_players_own_timeout_is_not_its_clock() -> None:
    """A TimeoutError from inside a player is a crash, not an overrun clock."""
    record = played(Clocked(Odd(TimeoutError("read timed out")), 1000.0), says("1"))

    assert record.cause == "crash"


@pytest.mark.parametrize(
    "changes",
    [
        {"cause": "timeout", "offender": 7, "scores": (1.0, 1.0)},
        {"cause": "illegal", "offender": 0, "scores": (0.0, 1.0)},
        {"log": ((0, "2"),), "cause": "goal", "offender": None, "scores": (0.0, 0.0)},
        {"log": ((0, "2"), (-1, "3"))},
        {"log": ((0, "99"),), "cause": "illegal", "offender": 1, "scores": (1.0, 0.0)},
        {"players": ()},
        {"said": ()},
        {"said": (LoggedReply(0, "3", "answered", "3"), LoggedReply(1, "3", "answered", "3"))},
        {
            "said": (
                LoggedReply(0, "2", "answered", "2"),
                LoggedReply(1, "3", "answered", "3"),
                LoggedReply(0, "1", "answered", "1"),
            )
        },
        {"said": (LoggedReply(1, "2", "answered", "2"), LoggedReply(0, "3", "answered", "3"))},
        {"name": "sudoku/hard#99"},
        {"start": CardNim(5, ((1, 2, 3), (1, 2, 3)), 5)},
    ],
)
def test_records_that_contradict_themselves_are_unfaithful(changes: dict[str, object]) -> None:
    """Causes, offenders, seats, moves and what was said must belong together."""
    record = played(says("2"), says("3"))

    with pytest.raises(ReplayMismatch):
        replay(replace(record, **changes))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        (
            {"log": ((0, "1"), (1, "1"), (0, "9"), (1, "2"))},
            "the illegal move 3, '9' of seat 0, loses by the rules, but the log",
        ),
        (
            {"log": ((0, "1"), (1, "9"), (1, "2"))},
            "the illegal move 2, '9' of seat 1, loses by the rules, but the log goes on",
        ),
        (
            {"log": ((0, "1"), (1, "9"))},
            "the illegal move 2, '9' of seat 1, loses by the rules, but the record ends by goal",
        ),
        ({"cause": "illegal", "offender": 0}, "the log ends by goal"),
        (
            {"log": (), "cause": "illegal", "offender": 0},
            "by an illegal move of seat 0, and the log shows none",
        ),
        ({"log": ((1, "1"),)}, "seat 1 is not to move, but plays '1' as move 1"),
        ({"players": ("a",)}, "its number of players is 1, but the game has 2 seats"),
        ({"offender": 7}, "seat 7 is to blame, but the last seat is 1"),
        ({"said": ()}, "seat 0 is quoted with other moves than the log has"),
    ],
)
def test_what_contradicts_itself_is_named(changes: dict[str, object], reason: str) -> None:
    """A record is refused for the one thing that is wrong with it."""
    record = played(says("2"), says("3"))

    with pytest.raises(ReplayMismatch, match=re.escape(reason)):
        replay(replace(record, **changes))  # type: ignore[arg-type]


def test_what_was_said_at_once_with_somebody_who_failed_is_no_contradiction() -> None:
    """A move that was never played is on record, because another seat failed in the same breath;
    but only one.
    """
    record = played(says("head"), says("7"), start=Pennies())
    [heads, *_] = record.said

    assert ((), "head") == (record.log, heads.move)
    assert replay(record)
    with pytest.raises(ReplayMismatch, match="seat 0 is quoted"):
        replay(replace(record, said=(heads, *record.said)))


@dataclass(frozen=True)
class Shout(Pennies):
    """Free text, of which the rules refuse some."""

    def options(self) -> Options:
        return dict.fromkeys(super().options())

    def after(self, seat: Seat, move: Move) -> Shout:
        if move not in ("head", "tail"):
            raise Illegal(f"{move} is no side of a coin")
        return Shout(super().after(seat, move).shown)


def test_moves_that_only_play_refuses_replay() -> None:
    """If options are free text, `play` decides what is illegal, in matches and in replays."""
    record = played(says("edge"), says("head"), start=Shout())

    assert ("illegal", 0, (0.0, 1.0)) == (record.cause, record.offender, record.scores)
    assert [Shout(), Shout(), Shout((None, "head"))] == replay(record)
