"""A match as the viewer shows it: every position, what was sent, thought and said, how it was read,
what became of it, and what the move was worth.

A step is a position with all that was said about it until it changed: several replies where a
player was asked again, and those of all players where they move at the same time.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

from quandary.arena.exchanges import Exchange
from quandary.core.contract import CHANCE, Game, Move, Seat
from quandary.core.errors import Unreadable
from quandary.core.json_answers import canonical
from quandary.core.json_replies import json_text, parsed
from quandary.matches.record import MOVED, LoggedReply, Record, ReplayMismatch, replay
from quandary.matches.verdicts import right_answer
from quandary.players.model_names import is_model
from quandary.report.conversations import Spoken, spoken
from quandary.report.outcomes import cause_words, outcome
from quandary.results.judging import SeatJudged
from quandary.results.lines import Played
from quandary.tasks.published_wording import is_scored
from quandary.tasks.question_game import asked_question
from quandary.tasks.state_task import StateTask

from .frames import Frames, spoken_language

LONGEST = 400  # replies that are shown
LINE = re.compile(r"\(line (\d+)\)$")  # of a program, in which it failed


class MatchSummary(NamedTuple):
    """What the list of matches says of one besides its row in the tables."""

    result: str
    moves: int
    statuses: tuple[str, ...]  # of its replies, each once
    ending: str


def transcript(
    record: Record,
    calls: Mapping[Seat, Sequence[Exchange]],
    judged: Mapping[Seat, SeatJudged],
    languages: Sequence[str],
    reader: str = "en",
) -> dict[str, Any]:
    """Plain data; `calls` are those of the journal by seat, `judged` the seats that are judged.

    `languages` has one for each seat, for positions and for what puzzles say about moves and
    answers.  `reader` is the language of all other words of the page.
    """
    is_question = asked_question(record.start) is not None
    data: dict[str, Any] = {
        "name": record.name,
        "players": record.players,
        "scores": record.scores,
        "values": record.values,
        "result": outcome(
            record.players,
            record.scores,
            record.cause,
            is_question,
            languages[0] if len(set(languages)) == 1 else "en",
            answers=len(record.log),
        ),
        "question": is_question,
        "languages": list(languages),
        "models": [is_model(player) for player in record.players],
        "judged": sorted(judged),
        "left_out": max(0, len(record.said) - LONGEST),
        "rules": record.start.rules(spoken_language(languages[0], record.start)),
    }
    try:
        positions = replay(record)
    except ReplayMismatch as reason:
        return data | {"problem": f"This match does not replay: {reason}.", "steps": []}
    frames = Frames([spoken_language(each, record.start) for each in languages])
    shown = [_plain(step) for step in _Steps(record, calls, judged, frames, positions, reader)]
    if legend := frames.legend():
        data["legend"] = legend
    if solution := right_answer(record.start, frames.languages[0]):
        data["solution"] = solution
        data["label"] = is_label(record.start)
    return data | {"steps": shown, **frames.plain()}


def summary_of(record: Record) -> MatchSummary:
    """Return what the list says of a match."""
    return summary_of_played(record, asked_question(record.start) is not None)


def summary_of_played(played: Record | Played, is_question: bool) -> MatchSummary:
    """Return the same, for a record whose start may not be decoded."""
    return MatchSummary(
        outcome(played.players, played.scores, played.cause, is_question, answers=len(played.log)),
        sum(seat != CHANCE for seat, _ in played.log),
        tuple(dict.fromkeys(reply.status for reply in played.said)),
        cause_words(played.cause, is_question, answers=len(played.log)),
    )


def steps(record: Record, positions: Sequence[Game]) -> list[list[int]]:
    """Return the numbers of the replies of each step."""
    found, ply, waiting = list[list[int]](), 0, set[Seat]()
    for number, reply in enumerate(record.said):
        while ply < len(record.log) and record.log[ply][0] == CHANCE:
            ply += 1
        if not waiting:
            found.append([])
            waiting = set(positions[min(ply, len(positions) - 1)].options())
        found[-1].append(number)
        if reply.move:
            waiting.discard(reply.seat)
            ply += 1
    return found


def step_of(record: Record, seat: Seat, turn: int | None = None) -> int:
    """Return the number of the step, from 1, in which a turn of a seat ended; that of its last turn
    if `turn` is None.  A turn ends with its move, if it has one.
    """
    own = [number for number, reply in enumerate(record.said) if reply.seat == seat]
    moved = [number for number in own if record.said[number].move]
    wanted = own[-1] if turn is None or turn > len(moved) else moved[turn - 1]
    places = enumerate(steps(record, replay(record)), start=1)
    return next(place for place, numbers in places if wanted in numbers)


def position_at(record: Record, step: int) -> Game:
    """Return the position at which a step begins, from 1."""
    positions = replay(record)
    numbers = steps(record, positions)[step - 1]
    moved, ply = sum(bool(reply.move) for reply in record.said[: numbers[0]]), 0
    while ply < len(record.log) and (moved or record.log[ply][0] == CHANCE):
        moved -= record.log[ply][0] != CHANCE
        ply += 1
    return positions[ply]


@dataclass
class _Step:
    ply: int  # how many moves the log has before it
    frames: list[int]  # one per seat
    chance: list[str]  # what was drawn just before it
    replies: list[dict[str, Any]] = field(default_factory=list)
    moves: list[dict[str, Any]] = field(default_factory=list)
    marks: list[list[int]] = field(default_factory=list)  # per seat: pieces of its picture that
    # belong to a move


def _plain(step: _Step) -> dict[str, Any]:
    """Return a step without what it does not have."""
    data = {key: value for key, value in vars(step).items() if value not in ([], "")}
    if not any(step.marks):
        data.pop("marks", None)
    return data


class _Steps:
    """The steps of a match; the last one has no reply: it is where the match ended."""

    def __init__(
        self,
        record: Record,
        calls: Mapping[Seat, Sequence[Exchange]],
        judged: Mapping[Seat, SeatJudged],
        frames: Frames,
        positions: Sequence[Game],
        reader: str,
    ) -> None:
        self.record, self.judged, self.frames = record, judged, frames
        self.positions = positions
        self.replies = spoken(record, calls, frames.languages, reader)
        self.moved = Counter[Seat]()
        self.covered = 0  # moves of the log

    def __iter__(self) -> Iterator[_Step]:
        """The steps; a move is marked for the other seats when the next position is known."""
        before: _Step | None = None
        for step in self._steps():
            if before is not None:
                self._mark_for_others(before, step)
                yield before
            before = step
        if before is not None:
            yield before

    def _mark_for_others(self, step: _Step, after: _Step) -> None:
        """Not where several moved: then it is open whose move changed a picture."""
        if len(step.moves) != 1:
            return
        mover = step.moves[0]["seat"]
        for seat, (here, then) in enumerate(zip(step.frames, after.frames, strict=True)):
            if seat != mover:
                step.marks[seat] = self.frames.shared(step.marks[mover], here, then)

    def _steps(self) -> Iterator[_Step]:
        for numbers in steps(self.record, self.positions):
            if numbers[-1] >= LONGEST:
                break
            replies = list(islice(self.replies, len(numbers)))
            step = self._begun(replies[0].ply)
            for number, reply in zip(numbers, replies, strict=True):
                step.replies.append(_reply(reply, self.record.said[number]))
                if reply.move:
                    step.moves.append(self._move(step, reply.seat, reply.move))
                    self.covered = reply.ply + 1
            yield step
        yield self._begun(len(self.positions) - 1)

    def _begun(self, ply: int) -> _Step:
        """Return a step with nothing said yet."""
        position = self.positions[ply]
        numbers = [
            self.frames.number(ply, position, seat) for seat in range(self.record.start.seats)
        ]
        drawn = [
            self.positions[at].translated(move, self.frames.languages[0])
            for at, (seat, move) in enumerate(
                self.record.log[self.covered : ply], start=self.covered
            )
            if seat == CHANCE
        ]
        return _Step(ply, numbers, drawn, marks=[[] for _ in numbers])

    def _move(self, step: _Step, seat: Seat, move: Move) -> dict[str, Any]:
        """Return a move, which is marked in the picture, and what it was worth where that
        is known.
        """
        position = self.positions[step.ply]
        data: dict[str, Any] = {
            "seat": seat,
            "move": position.translated(move, self.frames.languages[seat]),
        }
        step.marks[seat] = self.frames.marks(step.frames[seat], position.notation(), move)
        known = self.judged[seat].turns if seat in self.judged else []
        at = self.moved[seat]
        if at < len(known) and (found := known[at]):
            data["worth"], data["regret"] = found.worth, found.regret
            if found.best not in ("", move):
                data["best"] = position.translated(found.best, self.frames.languages[seat])
        self.moved[seat] += 1
        if process := worked_process(position, move):
            data["process"] = process
        return data


def is_label(start: Game) -> bool:
    """Return whether the answer is a label of a position: solvable or not."""
    asked = asked_question(start)
    return bool(asked and isinstance(asked.question, StateTask))


def worked_process(position: Game, answer: str) -> dict[str, Any] | None:
    """Return the process of a worked answer, entry by entry, up to the first wrong one and beyond;
    None where all of it is right, or nothing can be compared.
    """
    asked = asked_question(position)
    if asked is None or not is_scored(asked.question):
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
    """Return the entries of a process as they are written; none if there is no list."""
    text = json_text(answer)
    try:
        found = parsed(text) if text else None
    except Unreadable:
        return []
    process = found.get("process") if isinstance(found, dict) else None
    entries = process if isinstance(process, list) else []
    return list(map(_entry, entries))


def _entry(found: Any) -> str:
    """Return an entry of a process for people: a text, a list, or a board row by row."""
    if not isinstance(found, list):
        return found if isinstance(found, str) else canonical(found)
    if any(isinstance(each, list) for each in found):
        return "\n".join(map(_entry, found))
    return " ".join(each if isinstance(each, str) else canonical(each) for each in found)


def _reply(reply: Spoken, logged: LoggedReply) -> dict[str, Any]:
    """Return a reply without what it does not have."""
    if reply.status == "infrastructure" and not reply.failure:  # the words say why none came
        reply = reply._replace(failure=reply.text, text="", answer="", why="")
    line = LINE.search(reply.failure)
    plain: dict[str, Any] = {
        "seat": reply.seat,
        "status": reply.status,
        "sent": [list(message) for call in reply.calls for message in call.sent],
        "branches": [each._asdict() for each in reply.branches],
        "thought": reply.thinking,
        "text": reply.text,
        "answer": reply.answer if reply.status not in MOVED or reply.answer != reply.move else "",
        "move": reply.move,
        "why": reply.why,
        "failure": reply.failure,
        "line": int(line[1]) if line else "",
        "checked": reply.checked._asdict() if reply.checked else "",
        "strictly": reply.strictly,
        "tokens": logged.tokens or "",
        "seconds": round(logged.seconds, 3) or "",
    }
    return {key: value for key, value in plain.items() if value not in ("", [])}
