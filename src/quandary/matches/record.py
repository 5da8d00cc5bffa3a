"""The record of a match, complete enough to replay it and to recompute every number."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import NamedTuple, get_args

from quandary.catalogue.spec import Spec
from quandary.core.contract import CHANCE, Cause, Ending, Game, Move, Ruled, Seat
from quandary.core.errors import Illegal, UserError
from quandary.core.mixins.turns import after_foul
from quandary.core.naming import name_of
from quandary.core.wrapper import innermost
from quandary.tasks.published_wording import is_scored

from .player import Readings, Status

RULED = frozenset(get_args(Ruled))  # causes by which the rules end a match
NO_RESULT = ("infrastructure", "unfinished")  # causes of matches that have no scores
MOVED: tuple[Status, ...] = ("answered", "illegal")  # statuses of replies that contain a move
NO_REPLY: tuple[Status, ...] = ("infrastructure", "timeout")  # statuses of replies that never came


class LoggedReply(NamedTuple):
    """One reply of a player, accepted or refused."""

    seat: Seat
    words: str
    status: Status
    move: Move = ""
    seconds: float = 0.0
    tokens: int = 0
    readings: Readings | None = (
        None  # how the words were read, if an answer had to be found in them
    )


@dataclass(frozen=True)
class Record:
    """A finished match.

    Folding `log` over `start` reaches `scores`; no luck and no player is needed.
    """

    name: str  # usually a spec
    players: tuple[str, ...]  # one per seat
    start: Game
    log: tuple[tuple[Seat, Move], ...]  # all moves in order, with those of chance and fouls
    said: tuple[LoggedReply, ...]
    # None if the infrastructure failed, so that there is no result, or if there is no key.
    scores: tuple[float, ...] | None
    values: tuple[float, ...] | None
    cause: Cause
    offender: Seat | None = None
    repeat: int = 0  # counts the playings of the same match by the same players
    version: int | None = None  # the version of the puzzle when it was played
    sandbox: str = ""  # how well programs were sandboxed: their level, "" if none played


class Outcome(NamedTuple):
    """The result of a match."""

    position: Game
    scores: tuple[float, ...] | None
    values: tuple[float, ...] | None


class ReplayMismatch(ValueError):
    """A record with a log that does not lead to its result."""


def allowed(position: Game, seat: Seat, move: Move) -> bool:
    """Return whether the rules let `seat` make this move now."""
    options = position.options()
    if seat not in options:
        return False
    listed = options[seat]
    return listed is None or move in listed


def settle(position: Game, ending: Ending) -> Outcome:
    """Return the result of a match that ended at `position`, by the rules or by a failure."""
    if ending.cause in NO_RESULT or not is_scored(position):
        return Outcome(position, None, None)
    if ending.cause in RULED or not position.options():
        return Outcome(position, position.scores(), position.values())
    if ending.offender is None:  # several seats failed at once: no seat wins
        return Outcome(position, (0.0,) * position.seats, None)
    return Outcome(
        position, tuple(float(seat != ending.offender) for seat in range(position.seats)), None
    )


def replay(record: Record) -> list[Game]:
    """Return the positions that the log leads through; ReplayMismatch if it ends otherwise."""
    seats = record.start.seats
    if len(record.players) != seats:
        raise ReplayMismatch(
            f"its number of players is {len(record.players)}, but the game has {seats} seats"
        )
    if record.offender not in (None, *range(seats)):
        raise ReplayMismatch(
            f"seat {record.offender} is to blame, but the last seat is {seats - 1}"
        )
    if not _named_rightly(record):
        raise ReplayMismatch("it is named after another puzzle than the one that was played")
    try:
        positions, losers = _folded(record)
        last, ending = positions[-1], Ending(record.cause, record.offender)
        _check_ending(last, ending, losers, _failed_otherwise(record, last) - losers.keys())
        _check_quotes(record, last)
        _, scores, values = settle(last, ending)
    except ReplayMismatch:
        raise
    except Exception as reason:  # records come from files, and forged ones may break any rules
        raise ReplayMismatch(
            f"its log cannot be played ({type(reason).__name__}: {reason})"
        ) from reason
    if (scores, values) != (record.scores, record.values):
        raise ReplayMismatch(
            f"the log leads to scores {scores} and values {values}, the record says "
            f"{record.scores} and {record.values}"
        )
    if scores is not None and not all(0.0 <= score <= 1.0 for score in scores):
        raise ReplayMismatch(f"scores {scores} are not from 0 to 1")
    return positions


def _named_rightly(record: Record) -> bool:
    """Return whether a record that is named after an instance is a match of that puzzle."""
    try:
        spec = Spec.parse(record.name)
    except UserError:
        return True  # the name is not a spec
    return name_of(type(innermost(record.start))) == spec.name


def _folded(record: Record) -> tuple[list[Game], dict[Seat, str]]:
    """Return the positions, and the seats that lost by an illegal move, each with that move.

    A losing move does not change the position.
    """
    positions, losers = [record.start], dict[Seat, str]()
    for number, (seat, move) in enumerate(record.log, start=1):
        here = positions[-1]
        to_move = seat in here.options()
        if losers and (seat in losers or not to_move):
            raise ReplayMismatch(
                f"{next(iter(losers.values()))} loses by the rules, but the log goes on"
            )
        if not to_move:
            raise ReplayMismatch(f"seat {seat} is not to move, but plays {move!r} as move {number}")
        after = _after(here, seat, move)
        if after is None:
            losers[seat] = f"the illegal move {number}, {move!r} of seat {seat},"
        positions.append(here if after is None else after)
    return positions, losers


def _after(here: Game, seat: Seat, move: Move) -> Game | None:
    """Return the position after a move, legal or a foul; None if the move loses the match."""
    try:
        if allowed(here, seat, move):
            return here.after(seat, move)
    except Illegal:
        pass
    if seat == CHANCE:
        raise ReplayMismatch(f"chance cannot draw {move!r} there")
    return after_foul(here, seat, move)


def _failed_otherwise(record: Record, last: Game) -> set[Seat]:
    """Return the seats of the last round whose last reply contains no move."""
    replies = {reply.seat: reply for reply in record.said}
    acting = [replies[seat] for seat in last.options() if seat in replies]
    return {reply.seat for reply in acting if reply.status not in MOVED and not reply.move}


def _check_ending(last: Game, ending: Ending, losers: dict[Seat, str], failed: set[Seat]) -> None:
    """Raise ReplayMismatch unless the recorded cause follows from the log.

    `failed` are the seats that may have failed at once with the losers.
    """
    over = not last.options()
    if losers and ending.cause != "illegal":
        raise ReplayMismatch(
            f"{next(iter(losers.values()))} loses by the rules, but the record ends by "
            f"{ending.cause}"
        )
    if ending.cause in RULED and not over:
        raise ReplayMismatch(
            f"the record ends by {ending.cause}, but the rules do not end the match there"
        )
    if over and ending.cause != "infrastructure" and last.ending() != ending:
        raise ReplayMismatch(
            f"the log ends by {last.ending().cause}, the record says {ending.cause}"
        )
    several = len(losers) > 1 or (len(losers) == 1 and bool(failed))
    blamed = set(losers) == {ending.offender} if ending.offender is not None else several
    if ending.cause == "illegal" and not blamed:
        whose = f"of seat {ending.offender}" if ending.offender is not None else "of several seats"
        raise ReplayMismatch(
            f"the record ends by an illegal move {whose}, and the log shows "
            f"{next(iter(losers.values()), 'none')}"
        )


def _check_quotes(record: Record, last: Game) -> None:
    """Raise ReplayMismatch unless the logged replies have the moves of the log.

    A reply given while another seat failed may have one more move.
    """
    played, quoted = defaultdict[Seat, list[Move]](list), defaultdict[Seat, list[Move]](list)
    for seat, move in record.log:
        if seat != CHANCE:
            played[seat].append(move)
    for reply in record.said:
        if reply.status in MOVED or reply.move:  # unreadable replies may be moves
            quoted[reply.seat].append(reply.move)
    if played == quoted:
        return
    alone = record.cause == "illegal" and record.offender is not None
    at_once = {} if alone or record.cause in RULED else last.options()
    for seat in sorted(played | quoted):
        spare = len(quoted[seat]) - len(played[seat])
        if quoted[seat][: len(played[seat])] != played[seat] or spare > (
            len(at_once) > 1 and seat in at_once
        ):
            raise ReplayMismatch(f"seat {seat} is quoted with other moves than the log has")
