"""A record as a transcript for people."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from quandary.core.contract import CHANCE, Game, JudgedMoves, Language, Move, Seat
from quandary.core.control_characters import visible
from quandary.core.words import Say, say_in
from quandary.matches.record import Record, allowed, replay
from quandary.matches.regret import judged
from quandary.tasks.question_game import asked_question

from .failed_players import failures
from .outcomes import outcome

LONGEST = 400  # moves listed one by one
LOST = 0.005  # worth or regret that is shown as 0.00


def transcript(
    record: Record,
    *,
    moves: bool = True,
    positions: bool = False,
    judge: bool = False,
    language: Language = "en",
) -> str:
    """Return who played what and how it ended; on request each position, and how good each move
    was.
    """
    say = say_in(__name__, language)
    lines = [say("{name}: {seats}", name=record.name, seats=seats_line(record, language))]
    if moves:
        lines += _moves(record, positions, judge, language)
    if judge and not isinstance(record.start, JudgedMoves):
        lines.append(say("No move is judged: this puzzle has no judge."))
    return visible("\n".join([*lines, result_line(record, language), *_why(record, say)]))


def heading(record: Record, language: Language = "en") -> str:
    """Return who played what and how it ended, in one line."""
    say = say_in(__name__, language)
    return say(
        "{name}: {seats}, {result}",
        name=record.name,
        seats=seats_line(record, language),
        result=result_line(record, language),
    )


def match_line(record: Record, language: Language = "en") -> str:
    """Return a whole match in one line."""
    say = say_in(__name__, language)
    return say(
        "{name}: {seats}, {count} {count:move|moves}, {result}",
        name=record.name,
        seats=seats_line(record, language),
        count=len(record.log),
        result=result_line(record, language),
    )


def seats_line(record: Record, language: Language = "en") -> str:
    """Return who sat where."""
    say = say_in(__name__, language)
    if len(record.players) == 1:
        return record.players[0]
    seated = [
        say("{player} (seat {seat})", player=player, seat=seat)
        for seat, player in enumerate(record.players)
    ]
    return reduce(lambda one, other: say("{one} against {other}", one=one, other=other), seated)


def result_line(record: Record, language: Language = "en") -> str:
    """Return how a match ended, in one line; values are in the order of the seats."""
    say = say_in(__name__, language)
    is_question = asked_question(record.start) is not None
    ended = outcome(
        record.players,
        record.scores,
        record.cause,
        is_question,
        language,
        answers=len(record.log),
    )
    if record.values is None:
        return ended
    values = _numbers(record.values)
    if len(record.values) == 1:
        return say("{ended}; value {values}", ended=ended, values=values)
    return say("{ended}; values {values}", ended=ended, values=values)


def _why(record: Record, say: Say) -> list[str]:
    """Return why players failed, a line for each; a match that is cut off has lost none."""
    if record.cause == "infrastructure":
        return []
    return [
        say("{who} failed: {why}", who=_seated(record, seat, say), why=" ".join(words.split()))
        for number, words in failures(record).items()
        for seat in [record.said[number].seat]
    ]


def _numbers(found: Sequence[float]) -> str:
    return " ".join(f"{number:g}" for number in found)


def _moves(record: Record, positions: bool, judge: bool, language: Language) -> list[str]:
    say, lines, shown = say_in(__name__, language), list[str](), replay(record)
    if positions:
        lines.append("\n" + _seen(shown[0], language) + "\n")
    for ply, (seat, move) in enumerate(record.log[:LONGEST]):
        who = say("chance") if seat == CHANCE else _seated(record, seat, say)
        foul = "" if allowed(shown[ply], seat, move) else say("  [against the rules]")
        text = shown[ply].translated(move, language)
        if len(text) > 300 or "\n" in text:
            text = "\n" + text[:2000]
        judgement = _judgement(shown[ply], seat, move, say) if judge else ""
        line = say("{who}: {move}", who=who, move=text)
        lines.append(f"{ply + 1:>4}. {line}{foul}{judgement}")
        if positions and ply + 1 < len(shown):
            lines.append("\n" + _seen(shown[ply + 1], language) + "\n")
    if len(record.log) > LONGEST:
        lines.append(say("      ... and {count} more moves", count=len(record.log) - LONGEST))
    return lines


def _seated(record: Record, seat: Seat, say: Say) -> str:
    return say("seat {seat} ({player})", seat=seat, player=record.players[seat])


def _judgement(position: Game, seat: Seat, move: Move, say: Say) -> str:
    found = judged(position, seat, move)
    if found is None:
        return ""
    if found.worth <= LOST:
        return say("  [already lost]") if position.seats > 1 else say("  [already beyond reach]")
    if found.regret <= LOST:
        return say("  [as good as best play]")
    regret, worth = f"{found.regret:.2f}", f"{found.worth:.2f}"
    return say("  [gave away {regret} of {worth}]", regret=regret, worth=worth)


def _seen(position: Game, language: Language) -> str:
    """Return the position as the seat to move sees it."""
    seat = max(0, min(position.options(), default=0))
    return position.seen_by(seat).text(seat, language)
