"""A match as the viewer shows it: every position, what was sent, thought and said, how it was read,
what became of it, and what the move was worth.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from quandary.arena.exchanges import Exchange
from quandary.core.contract import CHANCE, Game, Seat
from quandary.core.errors import Unreadable
from quandary.core.json_answers import canonical
from quandary.core.json_replies import json_text, parsed
from quandary.matches.record import MOVED, Record, Unfaithful, replay
from quandary.matches.verdicts import right_answer
from quandary.players.model_names import is_model
from quandary.report.conversations import Spoken, spoken
from quandary.report.outcomes import outcome
from quandary.results.judging import SeatJudged
from quandary.tasks.state_task import StateTask

from .frames import Frames, spoken_language

LONGEST = 400  # replies that are shown


def transcript(
    record: Record,
    calls: Mapping[Seat, Sequence[Exchange]],
    judged: Mapping[Seat, SeatJudged],
    languages: Sequence[str],
) -> dict[str, Any]:
    """Plain data; `calls` are those of the journal by seat, `judged` the seats that are judged.

    `languages` has one for each seat: positions, reasons and verdicts are told in it.
    """
    is_question = record.start.asked_question() is not None
    told: dict[str, Any] = {
        "name": record.name,
        "players": record.players,
        "scores": record.scores,
        "values": record.values,
        "result": outcome(record.players, record.scores, record.cause, is_question),
        "question": is_question,
        "languages": list(languages),
        "models": [is_model(player) for player in record.players],
        "judged": sorted(judged),
        "left_out": max(0, len(record.said) - LONGEST),
    }
    try:
        positions = replay(record)
    except Unfaithful as reason:
        return told | {"problem": f"This match does not replay: {reason}.", "turns": []}
    frames = Frames([spoken_language(each, record.start) for each in languages])
    turns = list(_turns(record, calls, judged, frames))
    last = max(0, record.log[-1][0]) if record.log else 0
    end = frames.number(len(positions) - 1, positions[-1], last)
    if solution := right_answer(record.start, frames.languages[0]):
        told["solution"] = solution
        told["label"] = is_label(record.start)
    return told | {"turns": turns, "end": end, **frames.plain()}


def _turns(
    record: Record,
    calls: Mapping[Seat, Sequence[Exchange]],
    judged: Mapping[Seat, SeatJudged],
    frames: Frames,
) -> Iterator[dict[str, Any]]:
    positions, moved, told = replay(record), Counter[Seat](), 0
    replies = zip(spoken(record, calls, frames.languages), record.said, strict=True)
    for number, (reply, logged) in enumerate(replies):
        if number == LONGEST:
            return
        yield from ({"chance": move} for _, move in _drawn_by_chance(record, told, reply.ply))
        told = reply.ply
        turn = _reply(reply) | {
            "frame": frames.number(reply.ply, positions[reply.ply], reply.seat),
            "tokens": logged.tokens,
            "seconds": round(logged.seconds, 3),
        }
        if reply.move:
            language = frames.languages[reply.seat]
            turn["move"] = positions[reply.ply].translated(reply.move, language)
            known = judged[reply.seat].turns if reply.seat in judged else []
            if moved[reply.seat] < len(known) and (found := known[moved[reply.seat]]):
                turn["worth"], turn["regret"] = found
            moved[reply.seat] += 1
            if process := worked_process(positions[reply.ply], reply.move):
                turn["process"] = process
        yield turn


def is_label(start: Game) -> bool:
    """Whether the answer is a label of a position: solvable or not."""
    asked = start.asked_question()
    return bool(asked and isinstance(asked.question, StateTask))


def worked_process(position: Game, answer: str) -> dict[str, Any] | None:
    """The process of a worked answer, entry by entry, up to the first wrong one and beyond; None
    where all of it is right, or nothing can be compared.
    """
    asked = position.asked_question()
    if asked is None or not asked.question.is_scored:
        return None
    wrong = asked.question.check(answer).first_wrong_step
    if wrong is None:
        return None
    given = _process_in(answer)
    right = _process_in(asked.question.seen_by(0).solution())
    return {
        "given": given[:LONGEST],
        "wrong": wrong,
        "right": right[wrong - 1] if wrong <= len(right) else "",
    }


def _process_in(answer: str) -> list[str]:
    """The entries of a process as they are written; none if there is no list."""
    text = json_text(answer)
    try:
        found = parsed(text) if text else None
    except Unreadable:
        return []
    process = found.get("process") if isinstance(found, dict) else None
    entries = process if isinstance(process, list) else []
    return list(map(_entry, entries))


def _entry(found: Any) -> str:
    """An entry of a process for people: a text, a list, or a board row by row."""
    if not isinstance(found, list):
        return found if isinstance(found, str) else canonical(found)
    if any(isinstance(each, list) for each in found):
        return "\n".join(map(_entry, found))
    return " ".join(each if isinstance(each, str) else canonical(each) for each in found)


def _drawn_by_chance(record: Record, begin: int, end: int) -> list[tuple[Seat, str]]:
    return [entry for entry in record.log[begin:end] if entry[0] == CHANCE]


def _reply(reply: Spoken) -> dict[str, Any]:
    """A reply without what it does not have."""
    plain: dict[str, Any] = {
        "seat": reply.seat,
        "status": reply.status,
        "calls": [
            {
                "step": call.step,
                "sent": [list(message) for message in call.sent],
                "thought": call.thought,
                "said": call.said if len(reply.calls) > 1 else "",
            }
            for call in reply.calls
        ],
        "thought": reply.thought,
        "said": reply.said,
        "answer": reply.answer if reply.status not in MOVED or reply.answer != reply.move else "",
        "move": reply.move,
        "why": reply.why,
        "failure": reply.failure,
        "checked": reply.checked._asdict() if reply.checked else "",
    }
    return {key: value for key, value in plain.items() if value not in ("", [])}
