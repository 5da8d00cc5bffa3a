"""The match as a state machine: awaited replies, failures in and out of turn, matches saved and
resumed.
"""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import permutations
from random import Random
from typing import Any

import numpy as np
import pytest

from quandary.catalogue import drawing, registry
from quandary.core.contract import Ending, Game, Move, Options, Private, Seat
from quandary.core.errors import UserError
from quandary.matches.codec import record_from_json, record_json, saved_from_json, saved_json
from quandary.matches.drivers import play_now, turns
from quandary.matches.match import Match, NotAsked
from quandary.matches.player import Forfeit, Reply, Scripted, SeatedScript, Status, Turn
from quandary.matches.record import replay
from quandary.matches.saved import ReceivedReply
from quandary.players.strategy import random_move
from quandary.puzzles.duels.card_nim import CardNim
from small_games import Tiny

PILE = CardNim(5, ((1, 2, 3), (1, 2, 3)))
AT_ONCE = ("bid_that", "bid_that_vickrey", "beat_or_bomb_det", "beat_or_bomb_sto")
PARTS, QUICK_PARTS, MATCHES = 10, 3, 200  # matches per part; later parts are heavy


@dataclass(frozen=True)
class Three(Tiny):
    """Three seats show a number at once."""

    shown: Private[tuple[str | None, ...]] = (None, None, None)
    seats = 3

    def options(self) -> Options:
        return {seat: ["1", "2"] for seat in range(3) if self.shown[seat] is None}

    def after(self, seat: Seat, move: Move) -> Three:
        return Three(tuple(move if i == seat else old for i, old in enumerate(self.shown)))

    def scores(self) -> tuple[float, ...]:
        return (0.5, 0.5, 0.5)

    def ending(self) -> Ending:
        return Ending("goal")


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_a_round_is_logged_in_seat_order(order: tuple[Seat, ...]) -> None:
    """Whoever replies first: records do not depend on how long players think."""
    match = Match(Three(), "test")
    for seat in order:
        match.receive(seat, Reply("12"[seat % 2]))

    assert [said.seat for said in match.said] == [0, 1, 2]
    assert match.log == [(0, "1"), (1, "2"), (2, "1")]
    assert match.position == Three(("1", "2", "1"))


def test_only_awaited_replies_are_heard() -> None:
    """A reply out of turn, or after the end, is an error of the driver."""
    match = Match(PILE, "test")
    with pytest.raises(NotAsked, match="seat 1"):
        match.receive(1, Reply("1"))
    for seat, move in ((0, "2"), (1, "3")):
        match.receive(seat, Reply(move))

    assert match.ending == Ending("goal") and not match.pending()
    with pytest.raises(NotAsked):
        match.receive(0, Reply("1"))
    with pytest.raises(NotAsked):
        match.fail(0, Forfeit("resigned"))


def test_pending_is_a_snapshot() -> None:
    """What a driver holds does not change under its hands."""
    match = Match(PILE, "test")
    before = match.pending()
    match.receive(0, Reply("2"))

    assert list(before) == [0] and list(match.pending()) == [1]
    assert before[0].position == PILE


def test_turns_come_until_the_match_is_over() -> None:
    """Code without players is given each awaited turn, also one whose reply was refused."""
    match, replies = Match(PILE, "test"), iter(["2", "nonsense", "3"])
    given = [(turn.seat, turn.refused is not None) for turn in received(match, replies)]

    assert given == [(0, False), (1, False), (1, True)]
    assert match.ending == Ending("goal")


def received(match: Match, replies: Iterator[str]) -> Iterator[Turn]:
    for turn in turns(match):
        match.receive(turn.seat, Reply(next(replies)))
        yield turn


def test_pending_cannot_be_changed() -> None:
    """Whoever holds the awaited turns cannot change the match by them."""
    match = Match(PILE, "test")
    pending = match.pending()
    with pytest.raises(TypeError):
        pending[1] = pending[0]  # type: ignore[index]
    with pytest.raises(AttributeError):
        pending.clear()  # type: ignore[attr-defined]
    match.receive(0, Reply("2"))

    assert list(match.pending()) == [1]


@pytest.mark.parametrize(
    "reply",
    [
        *("1", None, 1, ("1", "", "answered", 0.0, 0), Reply(None), Reply(1), Reply(["1"])),
        *(Reply("1", 5), Reply("1", "", "fine"), Reply("1", "", "answered", None)),
        *(Reply("1", "", "answered", "1"), Reply("1", "", "answered", 0.0, 1.5)),
        *(Reply("1", "", ["answered"]), Reply("1", "", "answered", False)),
        *(Reply("1", "", "answered", 0.0, False), Reply("1", "", "answered", 0.0, 0.0)),
        *(Reply("1", "", "answered", -1.0), Reply("1", "", "answered", 0.0, -1)),
    ],
)
def test_odd_replies_change_nothing(reply: Reply) -> None:
    """A reply of a wrong type is an error of the driver; the match goes on as if it never came."""
    match = Match(PILE, "test")
    with pytest.raises(TypeError, match=r"(?i)reply"):
        match.receive(0, reply)
    match.receive(0, Reply("1"))

    assert match.record(["a", "b"]) == _received(Reply("1")).record(["a", "b"])
    assert match.saved() == _received(Reply("1")).saved()


@pytest.mark.parametrize("status", ["illegal", "ambiguous", "timeout", "infrastructure"])
def test_some_statuses_are_not_a_players_to_give(status: Status) -> None:
    """The rules say what is illegal or ambiguous, and who gets no reply raises Forfeit."""
    given = Reply("1", "", status)
    assert_refused(TypeError, f"status {status}; choose", lambda match: match.receive(0, given))
    record = play_now(PILE, [Repeating(given), Repeating(given)], "test")

    assert (record.cause, record.offender) == ("crash", 0)
    assert replay(record)[-1] == PILE


class Repeating:
    """A player that always gives the same reply."""

    name = "repeating"

    def __init__(self, reply: Reply) -> None:
        self.reply = reply

    def take_seat(self, seat: Seat, luck: str) -> Repeating:
        return self

    def answer(self, turn: Turn) -> Reply:
        return self.reply


@pytest.mark.parametrize("seat", [0.0, True, False, "0", None, [0], -1, 2, np.int64(0)])
def test_a_seat_is_a_whole_number(seat: Any) -> None:
    """What is equal to a seat is not one, because no record could store it."""
    assert_refused(
        NotAsked,
        f"awaits no reply from seat {re.escape(repr(seat))}; it awaits one from 0$",
        lambda match: match.receive(seat, Reply("1")),
    )
    assert_refused(
        NotAsked,
        f"has no seat {re.escape(repr(seat))}; its seats are 0 and 1$",
        lambda match: match.fail(seat, Forfeit("resigned")),
    )


@pytest.mark.parametrize("fault", ["resigned", None, Forfeit, ("resigned", 0)])
def test_a_player_fails_by_an_exception(fault: Any) -> None:
    assert_refused(TypeError, "fails by an exception", lambda match: match.fail(0, fault))


def test_a_seat_fails_once() -> None:
    """Also while the other replies of a simultaneous round are awaited."""
    name = "bid_that/easy#1"
    match = Match(drawing.game(name), name)
    match.fail(1, Forfeit("crash"))
    before = _state(match)
    with pytest.raises(NotAsked, match="seat 1 of bid_that/easy#1 has failed already"):
        match.fail(1, Forfeit("resigned"))

    assert _state(match) == before


@pytest.mark.parametrize("players", [["a"], ["a", "b", "c"], []])
def test_a_record_names_a_player_for_each_seat(players: Any) -> None:
    assert_refused(
        ValueError, "one player for each of its seats, 2", lambda match: match.record(players)
    )


@pytest.mark.parametrize("number", [-1, 2, True, 0.0, "0"])
def test_only_turns_of_the_match_can_be_taken_back(number: Any) -> None:
    assert_refused(ValueError, "has turns 0 to 1", lambda match: match.taken_back(number), "2")


def assert_refused(
    error: type[Exception], words: str, call: Callable[[Match], object], *received: str
) -> None:
    """A wrong call raises one sentence, and the match is as it was."""
    match = _received(*map(Reply, received))
    before = _state(match)
    with pytest.raises(error, match=words) as refused:
        call(match)

    assert _state(match) == before
    assert "\n" not in str(refused.value)


def _state(match: Match) -> dict[str, object]:
    """Everything that a match holds."""
    names = [name for name in Match.__slots__ if hasattr(match, name)]
    return {name: deepcopy(getattr(match, name)) for name in names}


def test_texts_of_numpy_become_plain() -> None:
    """A move drawn by numpy is played, and can be stored."""
    match = _received(Reply(np.str_("2")), Reply(np.str_("3"), np.str_("three: 3")))
    record = match.record(["a", "b"])

    assert match.ending == Ending("goal")
    assert record_from_json(record_json(record)) == record
    assert Match.resumed(saved_from_json(saved_json(match.saved()))).saved() == match.saved()


def test_a_forfeit_of_an_odd_cause_is_a_crash() -> None:
    """Whatever a player raises costs only its own match."""
    match = Match(PILE, "test")
    match.fail(0, Forfeit(["resigned"]))  # type: ignore[arg-type]

    assert match.ending == Ending("crash", 0)


def _received(*replies: Reply) -> Match:
    match = Match(PILE, "test")
    for number, reply in enumerate(replies):
        match.receive(number % 2, reply)
    return match


@pytest.mark.parametrize(
    "changes",
    [
        {"received": (ReceivedReply(1, Reply("1")),)},
        {
            "received": (
                ReceivedReply(0, Reply("2")),
                ReceivedReply(1, Reply("3")),
                ReceivedReply(0, Reply("1")),
            )
        },
        {
            "received": (
                ReceivedReply(0, Reply("1")),
                ReceivedReply(5, Reply("resigned"), "resigned"),
            )
        },
        {"received": (ReceivedReply(0, Reply("1"), "illegal"),)},
        {"received": (ReceivedReply(0, Reply("1"), "goal"),)},
        {"received": (ReceivedReply(0, Reply(None)),)},
        {"received": (ReceivedReply(0, None),)},
        {"received": (ReceivedReply("0", Reply("1")),)},
        {"received": ((0, Reply("1")),)},
        {"received": None},
        {"attempts": "3"},
        {"start": None},
        {"name": None},
    ],
)
def test_a_damaged_saved_match_is_refused(changes: dict[str, object]) -> None:
    """A saved match that cannot have been saved like this is refused with one sentence."""
    saved = _received(Reply("1")).saved()
    assert Match.resumed(saved).saved() == saved

    with pytest.raises(UserError, match=r"^the saved match is damaged: [^\n]+\.$"):
        Match.resumed(replace(saved, **changes))  # type: ignore[arg-type]


def test_a_match_under_way_has_a_record_without_scores() -> None:
    """The record of a match that is not over says so, and replays."""
    match = Match(PILE, "test")
    match.receive(0, Reply("2"))
    record = match.record(["a", "b"])

    assert (record.cause, record.offender, record.scores) == ("unfinished", None, None)
    assert replay(record)[-1] == match.position


def test_a_player_can_give_up_out_of_turn() -> None:
    """Resigning while the other thinks ends the match at once."""
    match = Match(PILE, "test")
    match.fail(1, Forfeit("resigned", "enough"))
    record = match.record(["a", "b"])

    assert (record.cause, record.offender, record.scores) == ("resigned", 1, (1.0, 0.0))


@pytest.mark.parametrize("name", AT_ONCE)
def test_every_seat_of_a_round_is_awaited(name: str) -> None:
    """One seat's failure does not spare the other its reply, and nothing is decided before it has
    come.
    """
    match = Match(drawing.game(f"{name}/easy#1"), "test")
    match.fail(0, ValueError("broken"))

    assert match.ending is None and list(match.pending()) == [1]

    match.receive(1, Reply(random_move(match.pending()[1], Random(1))))

    assert match.ending == Ending("crash", 0)


@pytest.mark.parametrize("name", AT_ONCE)
def test_who_has_answered_can_still_give_up_in_the_round(name: str) -> None:
    """A seat that resigns after its reply loses, but the other seat is awaited first."""
    match = Match(drawing.game(f"{name}/easy#1"), "test")
    match.receive(0, Reply(random_move(match.pending()[0], Random(1))))
    match.fail(0, Forfeit("resigned"))

    assert match.ending is None

    match.receive(1, Reply(random_move(match.pending()[1], Random(1))))

    assert match.ending == Ending("resigned", 0)


@pytest.mark.parametrize("name", AT_ONCE)
def test_the_order_of_arrival_changes_nothing(name: str) -> None:
    """Simultaneous replies lead to the same record in any order."""
    records = set[str]()
    for order in permutations(range(2)):
        match = Match(drawing.game(f"{name}/easy#2"), "test", attempts=3)
        for round_number in range(3):
            replies = {
                seat: _replies(match, seat, Random(f"{seat} {round_number}"))
                for seat in order
                if match.pending()
            }
            for seat, said in replies.items():
                for reply in said:
                    match.receive(seat, reply)
        records.add(record_json(match.record(["a", "b"])))

    assert len(records) == 1


def _replies(match: Match, seat: Seat, rng: Random) -> list[Reply]:
    """A move, sometimes after words that are not one."""
    words = [Reply("hm")] if rng.random() < 0.5 else []
    return [*words, Reply(random_move(match.pending()[seat], rng))]


def test_every_turn_of_a_seat_has_a_number_of_its_own() -> None:
    """Turns that repeat a refused one have another number too, whoever is faster."""
    numbers: dict[int, list[int]] = {0: [], 1: []}
    match = Match(drawing.game("bid_that/easy#1"), "test")
    while pending := match.pending():
        for seat, turn in pending.items():
            numbers[seat].append(turn.number)
            refused = seat == 1 and not turn.refused
            match.receive(seat, Reply("hm" if refused else random_move(turn, Random(0))))

    assert all(len(set(own)) == len(own) > 2 and own == sorted(own) for own in numbers.values())


@dataclass(frozen=True)
class Step:
    seat: Seat
    reply: Reply | None  # None: the player resigns


def _play(match: Match, rng: Random) -> list[Step]:
    """Random replies to the end, some of them unreadable, illegal or long, and rarely a
    resignation.
    """
    steps = list[Step]()
    while pending := match.pending():
        seat = rng.choice(sorted(pending))
        move = random_move(pending[seat], rng)
        words = (
            rng.choice([move, move, move, move, "hm", "", "9 9 9"]) if rng.random() < 0.3 else move
        )
        longer = f"I think {words} is best" if rng.random() < 0.3 else ""
        steps.append(Step(seat, None if rng.random() < 0.005 else Reply(words, longer)))
        _take(match, steps[-1])
    return steps


def _take(match: Match, step: Step) -> None:
    if step.reply is None:
        match.fail(step.seat, Forfeit("resigned", "enough"))
    else:
        match.receive(step.seat, step.reply)


@pytest.mark.parametrize(
    "part",
    [
        pytest.param(part, marks=() if part < QUICK_PARTS else pytest.mark.heavy)
        for part in range(PARTS)
    ],
)
def test_a_match_can_be_interrupted_anywhere(part: int) -> None:
    """Saved as JSON after any reply, also between two simultaneous ones, and resumed, it ends in
    the same record.
    """
    names = sorted(registry.names())
    for number in range(part * MATCHES, (part + 1) * MATCHES):
        rng = Random(f"interrupted {number}")
        name = names[number % len(names)]
        spec = f"{name}/{next(iter(registry.load(name).levels))}#{rng.randrange(1_000)}"
        start: Game = drawing.game(spec, tries=3)
        whole = Match(start, spec, 3)
        steps = _play(whole, rng)
        stop = rng.randrange(len(steps) + 1)
        first = Match(start, spec, 3)
        for step in steps[:stop]:
            _take(first, step)
        second = Match.resumed(saved_from_json(saved_json(first.saved())))

        assert dict(first.pending()) == dict(second.pending())

        for step in steps[stop:]:
            _take(second, step)

        assert record_json(whole.record("ab"[: start.seats])) == record_json(
            second.record("ab"[: start.seats])
        )


def test_what_is_unreadable_can_be_pickled() -> None:
    """A turn can be sent to another process, refusal included."""
    match = Match(PILE, "test")
    match.receive(0, Reply("hm"))
    turn = match.pending()[0]

    assert pickle.loads(pickle.dumps(turn)) == turn


def test_players_that_take_time_need_an_event_loop() -> None:
    """The synchronous driver says which one to use."""

    class Slow(Scripted):
        def take_seat(self, seat: Seat, luck: str) -> object:  # type: ignore[override]
            class SeatedPlayer:
                async def act(self, turn: object) -> Reply: ...
                async def leave(self) -> None: ...

            return SeatedPlayer()

    with pytest.raises(ValueError, match="play_match"):
        play_now(PILE, [Slow("slow", random_move)] * 2, "test")


def test_players_are_not_told_which_instance_they_play() -> None:
    """Secrets follow from the name of an instance, so neither a seat nor its luck tells it."""
    given = list[str]()

    class Curious(Scripted):
        def take_seat(self, seat: Seat, luck: str) -> SeatedScript:
            given.append(luck)
            return super().take_seat(seat, luck)

    play_now(drawing.game("card_nim/easy#1"), [Curious("a", random_move)] * 2, "card_nim/easy#1")

    assert len(set(given)) == 2
    assert not any("card_nim" in luck or "easy" in luck for luck in given)


@pytest.mark.parametrize("seat", [-1, 2, 99])
def test_only_seats_of_the_match_can_fail(seat: int) -> None:
    """A failure of a seat that does not exist decides nothing."""
    match = Match(PILE, "test")
    with pytest.raises(NotAsked):
        match.fail(seat, Forfeit("resigned"))

    assert match.ending is None


def test_a_player_cannot_claim_an_illegal_move() -> None:
    """Only the rules find a move illegal; a player that says so has crashed."""
    match = Match(PILE, "test")
    match.fail(0, Forfeit("illegal"))
    record = match.record(["a", "b"])

    assert (record.cause, record.offender) == ("crash", 0)
    assert replay(record)[-1] == PILE


def test_a_player_without_a_readable_reply_uses_up_one_try() -> None:
    """A tree of thoughts asks again by itself; if that fails, it costs a turn, not the match."""
    question = drawing.game("anagram_scribble/easy#1", tries=2)
    match = Match(question, "anagram_scribble/easy#1", count_unreadable=True)
    match.fail(0, Forfeit("unreadable", "hm"))
    resumed = Match.resumed(saved_from_json(saved_json(match.saved())))
    assert match.ending is None and resumed.position == match.position
    match.fail(0, Forfeit("unreadable", "hm"))
    record = match.record(["a"])

    assert (record.cause, record.offender, record.scores) == ("limit", None, (0.0,))
    assert [question.no_answer] * 2 == [said.move for said in record.said]
    assert 3 == len(replay(record))


def test_unreadable_replies_can_count_as_turns() -> None:
    """A question has a move that stands for them; the match can be saved and replayed anywhere."""
    question = drawing.game("anagram_scribble/easy#1", tries=3)
    match = Match(question, "anagram_scribble/easy#1", count_unreadable=True)
    for status in ("unreadable", "refused"):
        match.receive(0, Reply("", "what now?", status))
        resumed = Match.resumed(saved_from_json(saved_json(match.saved())))
        assert resumed.position == match.position and resumed.pending() == match.pending()
        assert match.pending()[0].refused is None
    record = match.record(["a"])

    assert [question.no_answer] * 2 == [move for _, move in record.log]
    assert [("unreadable", "what now?"), ("refused", "what now?")] == [
        (said.status, said.words) for said in record.said
    ]
    assert 3 == len(replay(record))

    match.fail(0, Forfeit("resigned"))
    assert match.ending == Ending("resigned", 0)
    replay(match.record(["a"]))


def test_unreadable_replies_are_no_turns_by_default() -> None:
    """Nor in a game, which has no move that stands for them."""
    question = drawing.game("anagram_scribble/easy#1", tries=3)
    for match in (Match(question, "test"), Match(PILE, "test", count_unreadable=True)):
        match.receive(0, Reply("", "what now?", "unreadable"))

        assert match.pending()[0].refused is not None
        assert match.log == []


def test_short_answers_share_their_reply() -> None:
    """A strategy says the same few moves again and again; what is long, or no text, is not kept."""

    def replied(answer: Any) -> Reply:
        return SeatedScript(lambda turn, rng: answer, "").answer(Match(PILE, "test").turns[0])

    assert replied("2") is replied("2") and replied("2") == Reply("2")
    for answer in ("2" * 1_000, np.str_("2"), 2, True, [2]):
        assert replied(answer) is not replied(answer) and replied(answer) == Reply(answer)
        assert type(replied(answer).answer) is type(answer)
