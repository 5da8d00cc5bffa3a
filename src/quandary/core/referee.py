"""The referee: seats players at a game and writes down what happens.

It asks for `options` once a ply, shows each seat its own view, asks again after words that are no move,
and leaves fouls to the rules.  Clocks belong to the players' side: see `players.clock`.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from math import isfinite
from random import Random
from typing import get_args

from .contract import CHANCE, Ending, Fault, Game, Move, Options, Seat
from .errors import Illegal, Unreadable
from .player import Forfeit, Player, Reply, Sitting, Status, Turn
from .record import Record, Said, settle

PLAYERS_FAULTS = (Exception, SystemExit)  # what may come out of a player's code
STATUSES = frozenset(get_args(Status))
ATTEMPTS = 5  # how often a turn's words may be unreadable before the match is lost
log_of_faults = logging.getLogger(__name__)


async def play_match(start: Game, players: Sequence[Player], name: str, *, attempts: int = ATTEMPTS, repeat: int = 0) -> Record:
    """Play `start` to its end.  `name` names the world's luck, so that it is the same whoever plays."""
    if len(players) != start.seats:
        raise ValueError(f"{name} has {start.seats} seats, but {len(players)} players came")
    match = _Match(start, name, attempts)
    turns = f"/{repeat}" if repeat else ""
    sittings = list[Sitting]()
    try:
        for seat, player in enumerate(players):
            try:
                sittings.append(player.sit(seat, Random(f"{name}/seat{seat}{turns}")))
            except PLAYERS_FAULTS as fault:
                ending = match.failed(seat, fault)
                break
        else:
            ending = await match.play(sittings)
    finally:
        for sitting in sittings:
            with suppress(*PLAYERS_FAULTS):  # what a player does when all is over is its own affair
                await sitting.leave()
    _, scores, values = settle(match.position, ending)
    names = tuple(player.name for player in players)
    return Record(name, names, start, tuple(match.log), tuple(match.said), scores, values, *ending, repeat)


class _Match:
    """A match under way."""

    __slots__ = ("attempts", "draws", "log", "luck", "name", "position", "said")

    def __init__(self, start: Game, name: str, attempts: int) -> None:
        self.position, self.name, self.attempts = start, name, attempts
        self.log: list[tuple[Seat, Move]] = []
        self.said: list[Said] = []
        self.draws = 0
        self.luck: Random | None = None

    async def play(self, sittings: Sequence[Sitting]) -> Ending:
        while options := self.position.options():
            if CHANCE in options:
                self.take(CHANCE, self.drawn(options[CHANCE]))
            elif len(options) == 1:
                [(seat, listed)] = options.items()
                move = await self.ask(seat, listed, sittings[seat])
                if ending := move if isinstance(move, Ending) else self.act(seat, move, listed):
                    return ending
            elif ending := await self.at_once(options, sittings):
                return ending
        return self.position.ending()

    def take(self, seat: Seat, move: Move) -> None:
        self.position = self.position.play(seat, move)
        self.log.append((seat, move))

    def drawn(self, outcomes: Collection[Move] | None) -> Move:
        self.luck = self.luck or Random(0)
        self.luck.seed(f"{self.name}/chance/{self.draws}")  # one stream a draw: nobody can shift the next one
        self.draws += 1
        return self.position.chance(self.luck) if outcomes is None else draw(outcomes, self.luck)

    async def at_once(self, options: Options, sittings: Sequence[Sitting]) -> Ending | None:
        """Ask all who may act at once, then let them act in the order of their seats."""
        seats = sorted(options)
        if all(sittings[seat].instant for seat in seats):
            moves = [await self.ask(seat, options[seat], sittings[seat]) for seat in seats]
        else:
            from asyncio import gather  # only those who wait for each other pay for it

            before = len(self.said)
            asked = (self.ask(seat, options[seat], sittings[seat]) for seat in seats)
            moves = [_answered(move) for move in await gather(*asked, return_exceptions=True)]  # nobody is left half asked
            self.said[before:] = sorted(self.said[before:], key=lambda said: said.seat)  # whoever was faster
        failures = [move for move in moves if isinstance(move, Ending)]
        if not failures:
            acted = [self.act(seat, str(move), options[seat]) for seat, move in zip(seats, moves, strict=True)]
            failures = [ending for ending in acted if ending]
        return _first_failure(failures) if failures else None

    def act(self, seat: Seat, move: Move, listed: Collection[Move] | None) -> Ending | None:
        """Make a move, or what the rules make of an illegal one; the ending if that loses the match."""
        try:
            if listed is None or move in listed:
                self.take(seat, move)
                return None
        except Illegal:
            pass
        after = self.position.foul(seat, move)
        self.log.append((seat, move))
        self.mark_illegal(seat)
        if after is None:
            return Ending("illegal", seat)
        self.position = after
        return None

    def mark_illegal(self, seat: Seat) -> None:
        last = max(i for i, said in enumerate(self.said) if said.seat == seat)
        self.said[last] = self.said[last]._replace(status="illegal")

    async def ask(self, seat: Seat, listed: Collection[Move] | None, sitting: Sitting) -> Move | Ending:
        """The seat's move, read from what it sees, so that a refusal gives nothing away; or how it failed."""
        seen, refused = self.position.seen_by(seat), ""
        offered = tuple(listed) if type(listed) is list else listed  # a player may not change what its moves are judged by
        for _ in range(self.attempts):
            try:
                reply = sound(await sitting.act(Turn(seat, seen, offered, refused)))
            except PLAYERS_FAULTS as fault:
                return self.failed(seat, fault)
            answer, status = reply.answer, reply.status
            if status == "answered" and listed is not None and answer in listed:
                self.note(seat, reply, answer)  # an option word for word needs no reading
                return answer
            move = self.heard(seat, seen, reply)
            if isinstance(move, str):
                return move
            refused = str(move)
        return Ending("unreadable", seat)

    def heard(self, seat: Seat, seen: Game, reply: Reply) -> Move | Unreadable:
        """Write a reply down, and read the move in it."""
        if reply.status != "answered":
            self.note(seat, reply, "", reply.status)
            return Unreadable("Your last reply held no answer.")
        try:
            move = seen.read(seat, reply.answer)
        except Unreadable as refusal:
            self.note(seat, reply, "", "unreadable")
            return refusal
        self.note(seat, reply, move)
        return move

    def note(self, seat: Seat, reply: Reply, move: Move, status: Status = "answered") -> None:
        answer, words, _, seconds, tokens = reply
        self.said.append(Said(seat, words or answer, status, move, seconds, tokens))

    def failed(self, seat: Seat, fault: BaseException) -> Ending:
        """Write down how a player gave up or broke: that costs it this match, and nobody else any."""
        if isinstance(fault, Forfeit) and fault.cause in get_args(Fault):
            status: Status = "unreadable"
            if fault.cause == "timeout" or fault.cause == "infrastructure":
                status = fault.cause
            try:
                lost = sound(Reply(fault.words, fault.words, status, fault.seconds, fault.tokens))
            except TypeError as odd:
                fault = odd
            else:
                self.note(seat, lost, "", status)
                return Ending(fault.cause, None if fault.cause == "infrastructure" else seat)
        words = clean(f"{type(fault).__name__}: {_told(fault)}")
        log_of_faults.warning("seat %d of %s raised %s", seat, self.name, words)
        self.said.append(Said(seat, words, "unreadable"))
        return Ending("crash", seat)


def sound(reply: Reply) -> Reply:
    """The reply as a record can hold it; TypeError where it is none."""
    if not isinstance(reply, Reply):
        raise TypeError(f"a player must answer with a Reply, not {_told(reply)}")
    answer, words, status, seconds, tokens = reply
    if not isinstance(answer, str) or not isinstance(words, str):
        raise TypeError(f"a player must answer with a Reply of words, not {_told(reply)}")
    if status not in STATUSES:
        raise TypeError(f"{_told(status)} is no status of a reply")
    if type(seconds) is not float or not isfinite(seconds) or type(tokens) is not int:
        raise TypeError("a reply counts its seconds as a float and its tokens as a whole number")
    if answer.isascii() and words.isascii():
        return reply
    return Reply(clean(answer), clean(words), status, seconds, tokens)


def clean(text: str) -> str:
    """The text without the halves of characters that no file can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _told(thing: object) -> str:
    """What a thing says of itself, however broken it is."""
    try:
        return str(thing)[:500]
    except Exception:
        return f"a {type(thing).__name__}"


def _answered(move: Move | Ending | BaseException) -> Move | Ending:
    if isinstance(move, BaseException):
        raise move
    return move


def draw(outcomes: Collection[Move], rng: Random) -> Move:
    """One of chance's outcomes, by weight where they have weights."""
    if isinstance(outcomes, Mapping):
        return str(rng.choices(list(outcomes), list(outcomes.values()))[0])
    return rng.choice(list(outcomes))


def _first_failure(endings: Sequence[Ending]) -> Ending:
    """One seat failed: it loses.  All failed in one breath: nobody wins, and no one seat is to blame."""
    for ending in endings:
        if ending.cause == "infrastructure":
            return ending
    return endings[0] if len(endings) == 1 else Ending(endings[0].cause, None)
