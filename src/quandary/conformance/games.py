"""Checks of playing: options, moves, replies, endings and records."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from math import isclose
from random import Random
from typing import get_args

from quandary.core import codec
from quandary.core.contract import CHANCE, ChanceMoves, FailureCause, Game, Move, Ruled, Seat
from quandary.core.errors import Illegal, Unreadable
from quandary.core.game import refusal
from quandary.core.mixins.turns import after_foul
from quandary.matches.codec import record_from_json, record_json
from quandary.matches.drivers import play_now
from quandary.matches.player import Scripted, Turn
from quandary.matches.record import Record, ReplayMismatch, replay

from .case import Case, any_move, pick, some
from .texts import ODD_TEXTS, mutations

RULED: tuple[str, ...] = get_args(Ruled)
CAUSES = (*RULED, *get_args(FailureCause))
IMPOSSIBLE_DRAWS = ("", "no such draw")


def options_are_sound(case: Case) -> Iterator[str]:
    rng = Random(case.name)
    for position in case.positions():
        options = position.options()
        if list(options) != list(position.options()):
            yield "`options` differ when asked twice"
        if CHANCE in options and not isinstance(position, ChanceMoves):
            yield "chance is to move, but the game is no `ChanceMoves`"
        if CHANCE in options and len(options) > 1:
            yield "chance and a player are to move at once"
        for seat, moves in options.items():
            if seat != CHANCE and not 0 <= seat < position.seats:
                yield f"seat {seat} may move, but there are {position.seats} seats"
            if moves is not None:
                yield from _moves_are_sound(position, seat, moves, rng)


def _moves_are_sound(
    position: Game, seat: Seat, moves: Collection[Move], rng: Random
) -> Iterator[str]:
    if not len(moves):
        yield f"seat {seat} is to move but has no options: leave it out, or end the game"
    if len(moves) <= 5_000 and len(set(moves)) != len(moves):
        yield "`options` contain a move twice"
    if len(moves) <= 5_000 and list(moves) != list(position.options()[seat] or ()):
        yield "`options` list their moves in another order when asked twice"
    if seat == CHANCE:
        return
    seen, listed = position.seen_by(seat), set(moves) if len(moves) <= 5_000 else set[Move]()
    for move in some(moves, rng):
        if move not in moves:
            yield f"the option {move!r} is listed but not found in the options"
        for other in mutations(move, rng, 8) if listed else ():
            if other in moves and other not in listed:
                yield f"{other!r} is found in the options but not listed"
        for text in (move, f"  {move} \n", move.upper()):
            try:
                if seen.read(seat, text) != move:
                    yield (
                        f"the option {move!r}, written {text!r}, is read as "
                        f"{seen.read(seat, text)!r}"
                    )
            except Unreadable as refused:
                yield f"the option {move!r}, written {text!r}, is refused: {refused}"


def playing_changes_nothing_but_the_result(case: Case) -> Iterator[str]:
    before, rng = random.getstate(), Random(case.name)
    for position in case.positions():
        frozen = codec.to_json(position)
        for seat, moves in position.options().items():
            for move in [pick(position, seat, rng)] if moves is None else some(moves, rng, 3):
                if position.after(seat, move) != position.after(seat, move):
                    yield "`play` gives two results for one move: luck belongs to chance"
        if codec.to_json(position) != frozen:
            yield "`play` changes the position it is called on"
    if random.getstate() != before:
        yield "playing uses the global random: luck belongs to chance"


def impossible_draws_are_refused(case: Case) -> Iterator[str]:
    """Where the outcomes of chance are not listed, `after` has to know them."""
    for position in case.positions():
        if position.options().get(CHANCE, ()) is not None:
            continue
        for move in IMPOSSIBLE_DRAWS:
            try:
                position.play(CHANCE, move)
            except Illegal:
                continue
            except Exception as reason:
                fault = f"raises {type(reason).__name__}"
            else:
                fault = "accepts it"
            yield f"chance cannot draw {move!r}, but `after` {fault}: it must raise Illegal"


def any_text_is_read_or_refused(case: Case) -> Iterator[str]:
    rng = Random(case.name)
    for position in case.positions()[:3]:
        for seat, moves in position.options().items():
            if seat == CHANCE:
                continue
            seen = position.seen_by(seat)
            near = [text for move in some(moves or (), rng, 4) for text in mutations(move, rng, 8)]
            for text in (*ODD_TEXTS, *near):
                yield from _is_read_or_refused(position, seen, seat, moves, text)


def _is_read_or_refused(
    position: Game, seen: Game, seat: Seat, moves: Collection[Move] | None, text: str
) -> Iterator[str]:
    try:
        move = seen.read(seat, text)
    except Unreadable as refused:
        if not refusal(seen, refused).strip():
            yield "a refusal is empty: say how a move is written"
        return
    except Exception as reason:
        yield f"`read` raised {type(reason).__name__} on {text[:40]!r}: odd text must be Unreadable"
        return
    foul = moves is not None and move not in moves
    # and it must not raise, whatever was read
    if foul and after_foul(position, seat, move) == position:
        yield (
            f"the foul {move[:40]!r} does not change the position, so a player could repeat it "
            f"endlessly"
        )


def each_seat_has_a_score(case: Case) -> Iterator[str]:
    for start, *_, last in case.matches:
        for position in (start, last):
            scores = position.scores()
            if not isinstance(scores, tuple) or len(scores) != position.seats:
                yield f"`scores` are {scores!r}, but there are {position.seats} seats"


def matches_end(case: Case) -> Iterator[str]:
    for start, *_, last in case.matches:
        if last.options():
            yield "a match of legal moves stops before its end: one of them is refused"
        for position in (start, last):
            scores = position.scores()
            if not all(isinstance(score, float) and 0.0 <= score <= 1.0 for score in scores):
                yield f"`scores` are {scores!r}: each must be a float from 0.0 to 1.0"
        if last.seats == 2 and not isclose(sum(last.scores()), 1.0):
            yield f"a match ends with scores {last.scores()}: those of two seats must sum to 1"
        values = last.values()
        if values is not None and len(values) != last.seats:
            yield f"`values` are {values!r}, but there are {last.seats} seats"
        cause, offender = last.ending()
        if cause not in RULED:
            yield f"the rules end a match by {cause!r}; choose one of {', '.join(RULED)}"
        if offender is not None and not 0 <= offender < last.seats:
            yield f"the offender is seat {offender}, but there are {last.seats} seats"


def careless(turn: Turn, rng: Random) -> str:
    """Return a legal move, or sometimes an odd text."""
    return rng.choice(ODD_TEXTS) if rng.random() < 0.3 else any_move(turn, rng)


def logs_replay(case: Case) -> Iterator[str]:
    for seed, start in zip(case.seeds[:2], case.games[:2], strict=True):
        for speak in (any_move, careless):
            player = Scripted(speak.__name__, speak)
            record = play_now(start, [player] * start.seats, f"{case.name}/{case.level}#{seed}")
            yield from _replays(record)


def _replays(record: Record) -> Iterator[str]:
    if record.cause not in CAUSES:
        yield f"a match ended by {record.cause!r}, which is not a cause"
    back = record_from_json(record_json(record))
    if back != record:
        yield "a record is not equal to itself after JSON"
    try:
        replay(back)
    except ReplayMismatch as reason:
        yield f"a record does not replay: {reason}"
