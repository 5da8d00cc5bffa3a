"""Promises about playing."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping
from functools import partial
from math import isclose
from random import Random
from typing import get_args

from quandary.core import codec
from quandary.core.contract import CHANCE, Fault, Game, Move, Ruled, Seat, Strategy, solved
from quandary.core.errors import Unreadable
from quandary.matches.codec import record_from_json, record_json
from quandary.matches.drivers import play_now
from quandary.matches.player import Scripted, Turn
from quandary.matches.record import Record, Unfaithful, replay
from quandary.tasks.search_tree import refusal

from .case import Case, choose, pick, some, twice
from .secrecy import hides
from .texts import ODD_TEXTS, mutations

SMALL_BUDGET = 30
FEW_MOVES = 200  # plies after which a strategy has shown enough
RULED: tuple[str, ...] = get_args(Ruled)
CAUSES = (*RULED, *get_args(Fault))


def options_are_sound(case: Case) -> Iterator[str]:
    rng = Random(case.name)
    for position in case.positions():
        options = position.options()
        if list(options) != list(position.options()):
            yield "`options` differ when asked twice"
        if CHANCE in options and not position.luck:
            yield "chance is to move, but `luck` says it never does"
        if CHANCE in options and len(options) > 1:
            yield "chance and a player are to move at once"
        for seat, moves in options.items():
            if seat != CHANCE and not 0 <= seat < position.seats:
                yield f"seat {seat} may move, but there are {position.seats} seats"
            if moves is not None:
                yield from _moves_are_sound(position, seat, moves, rng)


def _moves_are_sound(position: Game, seat: Seat, moves: Collection[Move], rng: Random) -> Iterator[str]:
    if not len(moves):
        yield f"seat {seat} is to move but has no options: leave it out, or end the game"
    if len(moves) <= 5_000 and len(set(moves)) != len(moves):
        yield "`options` hold a move twice"
    if len(moves) <= 5_000 and list(moves) != list(position.options()[seat] or ()):
        yield "`options` list their moves in another order when asked twice"
    if seat == CHANCE:
        return
    seen = position.seen_by(seat)
    for move in some(moves, rng):
        if move not in moves:
            yield f"the option {move!r} is listed but not found in the options"
        for said in (move, f"  {move} \n", move.upper()):
            try:
                if seen.read(seat, said) != move:
                    yield f"the option {move!r}, written {said!r}, is read as {seen.read(seat, said)!r}"
            except Unreadable as refused:
                yield f"the option {move!r}, written {said!r}, is refused: {refused}"


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
        yield "playing moves the global random: luck belongs to chance"


def any_text_is_read_or_refused(case: Case) -> Iterator[str]:
    rng = Random(case.name)
    for position in case.positions()[:3]:
        for seat, moves in position.options().items():
            if seat == CHANCE:
                continue
            seen = position.seen_by(seat)
            near = [said for move in some(moves or (), rng, 4) for said in mutations(move, rng, 8)]
            for said in (*ODD_TEXTS, *near):
                yield from _is_read_or_refused(position, seen, seat, moves, said)


def _is_read_or_refused(position: Game, seen: Game, seat: Seat, moves: Collection[Move] | None, said: str) -> Iterator[str]:
    try:
        move = seen.read(seat, said)
    except Unreadable as refused:
        if not seen.refusal(refused).strip():
            yield "a refusal says nothing: tell how a move is written"
        return
    except Exception as reason:
        yield f"`read` raised {type(reason).__name__} on {said[:40]!r}: odd text must be Unreadable"
        return
    foul = moves is not None and move not in moves
    if foul and position.foul(seat, move) == position:  # and it must not raise, whatever was read
        yield f"the foul {move[:40]!r} leaves the position as it was: a stubborn player would go on for ever"


def matches_end(case: Case) -> Iterator[str]:
    for start, *_, last in case.matches:
        for position in (start, last):
            scores = position.scores()
            if not isinstance(scores, tuple) or len(scores) != position.seats:
                yield f"`scores` are {scores!r}, but there are {position.seats} seats"
            elif not all(isinstance(score, float) and 0.0 <= score <= 1.0 for score in scores):
                yield f"`scores` are {scores!r}: each must be a float from 0.0 to 1.0"
        if last.seats == 2 and not isclose(sum(last.scores()), 1.0):
            yield f"a match ends with scores {last.scores()}: two seats share one point"
        values = last.values()
        if values is not None and len(values) != last.seats:
            yield f"`values` are {values!r}, but there are {last.seats} seats"
        cause, offender = last.ending()
        if cause not in RULED:
            yield f"the rules end a match by {cause!r}; they may say {', '.join(RULED)}"
        if offender is not None and not 0 <= offender < last.seats:
            yield f"seat {offender} is to blame, but there are {last.seats} seats"


def legal(turn: Turn, rng: Random) -> str:
    return turn.position.sample(rng) if turn.options is None else choose(turn.options, rng)


def naughty(turn: Turn, rng: Random) -> str:
    """Mostly legal, sometimes odd, sometimes a legal move from elsewhere."""
    return rng.choice(ODD_TEXTS) if rng.random() < 0.3 else legal(turn, rng)


def logs_replay(case: Case) -> Iterator[str]:
    for seed, start in zip(case.seeds[:2], case.games[:2], strict=True):
        for speak in (legal, naughty):
            player = Scripted(speak.__name__, speak)
            record = play_now(start, [player] * start.seats, f"{case.name}/{case.level}#{seed}")
            yield from _replays(record)


def _replays(record: Record) -> Iterator[str]:
    if record.cause not in CAUSES:
        yield f"a match ended by {record.cause!r}, which is no cause"
    back = record_from_json(record_json(record))
    if back != record:
        yield "a record is not equal to itself after JSON"
    try:
        replay(back)
    except Unfaithful as reason:
        yield f"a record does not replay: {reason}"


def strategies_play_by_the_rules(case: Case) -> Iterator[str]:
    for level, name in case.games[0].house.items():
        if name not in ("random", *case.games[0].strategies):
            yield f"the house of {level} is {name!r}, which is no strategy of this game"
    for name, strategy in case.games[0].strategies.items():
        for budget in (1, SMALL_BUDGET):
            for start in case.games[:2]:
                yield from _plays_by_the_rules(start, name, strategy, budget)


def _plays_by_the_rules(start: Game, name: str, strategy: Strategy, budget: int) -> Iterator[str]:
    position, rng = start, Random(name)
    for _ in range(FEW_MOVES):
        options = position.options()
        if not options:
            return
        seat = rng.choice(sorted(options))
        moves = options[seat]
        if seat == CHANCE or rng.random() < 0.2:
            move = pick(position, seat, rng)
        else:
            move = strategy(position.seen_by(seat), seat, rng, budget)
            if moves is not None and move not in moves:
                yield f"the strategy {name!r} makes an illegal move: {move!r}"
                return
        position = position.after(seat, move)


def strategies_follow_from_their_luck(case: Case) -> Iterator[str]:
    for position in case.positions()[::6][:3]:
        for name, strategy in position.strategies.items():
            for seat in position.options().keys() - {CHANCE}:
                seen = position.seen_by(seat)
                once, again, moved = twice(partial(_lucky, strategy, seen, seat))
                if once != again:
                    yield f"the strategy {name!r} makes two moves of one view and equal luck: {once!r}, {again!r}"
                if moved:
                    yield f"the strategy {name!r} moves the global random: its luck must come from `rng` alone"


def _lucky(strategy: Strategy, seen: Game, seat: Seat) -> Move:
    return strategy(seen, seat, Random(0), SMALL_BUDGET)


def one_seat_games_can_be_won(case: Case) -> Iterator[str]:
    for start, last in case.matches_of_the_oracle:
        if not refusal(start):
            yield from _knows_the_end(last)
        if last.scores() != (1.0,) and last.values() is None:
            yield f"an instance cannot be solved, or the oracle cannot solve it: it ended by {last.ending().cause}"


def solvable_tells_the_truth(case: Case) -> Iterator[str]:
    for start, *_, last in _with_state_tasks(case):
        if not start.solvable():
            yield "an instance cannot be solved, or `solvable` wrongly denies it"
        yield from _knows_the_end(last)


def _knows_the_end(last: Game) -> Iterator[str]:
    if last.solvable() != solved(last):
        yield f"`solvable` is {last.solvable()} where the game is over and {'' if solved(last) else 'not '}solved"


def whole_games_are_read_or_refused(case: Case) -> Iterator[str]:
    rng = Random(case.name)
    for start, *_ in _with_state_tasks(case):
        line = "\n".join(some(start.options()[0], rng, 3))
        for said in (*ODD_TEXTS, *mutations(line, rng, 20)):
            try:
                if not all(isinstance(move, str) for move in start.moves(said)):
                    yield f"`moves` of {said[:40]!r} are no texts"
            except Unreadable as refused:
                if not start.refusal(refused).strip():
                    yield "`moves` refuses without a word: tell how moves are written"
            except Exception as reason:
                yield f"`moves` raised {type(reason).__name__} on {said[:40]!r}: odd text must be Unreadable"


def _with_state_tasks(case: Case) -> Iterator[list[Game]]:
    """The matches of a one-seat game whose positions can be judged; none of a question's attempts."""
    return (match for match in case.matches if isinstance(match[0], case.puzzle) and not refusal(match[0]))


def judgements_fit_the_options(case: Case) -> Iterator[str]:
    for position in [*case.positions()[::4][:8], *(match[-2] for match in case.matches if len(match) > 1)]:
        for seat, moves in position.options().items():
            if seat == CHANCE or moves is None:
                continue
            worth = position.seen_by(seat).judge(seat)
            if worth is not None and set(worth) != set(moves):
                yield "`judge` values other moves than the options"
            if worth is not None and not all(-1e-9 <= score <= 1 + 1e-9 for score in worth.values()):
                yield "`judge` gives a worth outside 0..1"
            if worth and list(position.options()) == [seat] and not hides(position):
                yield from _judges_the_end(position, seat, worth)


def _judges_the_end(position: Game, seat: Seat, worth: Mapping[Move, float]) -> Iterator[str]:
    """Where a move ends the match, there is nothing left to guess."""
    for move in some(worth, Random(0)):
        after = position.after(seat, move)
        if not after.options() and not isclose(worth[move], after.scores()[seat], abs_tol=1e-9):
            yield f"`judge` says {worth[move]} of {move!r}, which ends the match with {after.scores()[seat]}"
