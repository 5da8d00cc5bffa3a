"""A match as one seat sees it, step by step.

It is built from the turns of the seat, its own replies and what it sees, never from the log of the
match, which has hidden moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from quandary.core.contract import Game, Language, Seat
from quandary.core.mixins.turns import feedback_of
from quandary.matches.match import Match
from quandary.matches.player import Turn
from quandary.matches.record import LoggedReply
from quandary.matches.verdicts import Checked, checked
from quandary.report.viewer.frames import Frames, spoken_language

LONGEST = 20_000  # characters of a reply that are shown


class SeatSteps:
    """The steps of a match as one seat sees them, which grow with its turns."""

    def __init__(self, start: Game, seat: Seat, language: Language) -> None:
        self.seats, self.seat = range(start.seats), seat
        self.language = spoken_language(language, start)
        self.frames = Frames([self.language] * start.seats)
        self.steps = list[dict[str, Any]]()  # in which the seat has replied
        self.last = dict[str, Any]()  # what it sees now, perhaps the last of these
        self.feedback = ""  # on its last answer, if it was asked a question
        self._added = 0  # turns of the seat that the steps have
        self._pictured: tuple[Game, int] | None = None  # the last position, and its frame
        self._positions = 0

    def update(self, match: Match, turns: Sequence[Turn]) -> None:
        """Add what the seat was asked and has replied since the last time, in its turns."""
        own = [reply for reply in match.said if reply.seat == self.seat]
        for number in range(self._added, len(turns)):
            self._add(turns[number], own[number])
        self._added = len(turns)
        turn = match.turns.get(self.seat)
        if turn is not None and turn.refused is not None and self.steps:
            self.last = self.steps[-1]
        else:
            self.last = self._begun(turn.position if turn else match.position.seen_by(self.seat))

    def _add(self, turn: Turn, reply: LoggedReply) -> None:
        if turn.refused is None or not self.steps:
            self.steps.append(self._begun(turn.position))
        step = self.steps[-1]
        position = turn.position
        step.setdefault("replies", []).append(self._reply(position, reply))
        if reply.move:
            number = step["frames"][self.seat]
            shown = position.translated(reply.move, self.language)
            step["moves"] = [{"seat": self.seat, "move": shown}]
            if marks := self.frames.marks(number, position.notation(), reply.move):
                step["marks"] = [marks if seat == self.seat else [] for seat in self.seats]

    def _begun(self, position: Game) -> dict[str, Any]:
        number = self._frame(position)
        return {"frames": [number if seat == self.seat else None for seat in self.seats]}

    def _frame(self, position: Game) -> int:
        """Return the number of a picture, which stays the same as long as the position does."""
        if self._pictured is None or self._pictured[0] != position:
            number = self.frames.number(self._positions, position, self.seat)
            self._positions += 1
            self._pictured = position, number
            self.feedback = feedback_of(position, self.language)
        return self._pictured[1]

    def _reply(self, position: Game, reply: LoggedReply) -> dict[str, Any]:
        found: dict[str, Any] = {
            "seat": self.seat,
            "status": reply.status,
            "text": reply.words[:LONGEST],
        }
        if reply.seconds:
            found["seconds"] = reply.seconds
        if reply.move:
            found["move"] = reply.move
            verdict: Checked | None = checked(position, reply.move, self.language)
            if verdict:
                found["checked"] = verdict._asdict()
        if reply.status == "illegal":
            found["why"] = position.why_illegal(self.seat, reply.move, self.language)
        return found

    def since(self, steps: int, frames: int, pieces: int) -> dict[str, Any]:
        """Return what a browser lacks that has so many steps, frames and pieces."""
        is_reply = self.steps and self.last is self.steps[-1]
        every = self.steps if is_reply else [*self.steps, self.last]
        known = self.frames
        if steps > len(every) or frames > len(known.frames) or pieces > len(known.pieces):
            steps = frames = pieces = 0
        first = max(0, steps - 1)
        return {
            "first": first,
            "steps": every[first:],
            "frames": known.frames[frames:],
            "pieces": known.pieces[pieces:],
        }
