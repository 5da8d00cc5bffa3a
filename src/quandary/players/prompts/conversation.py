"""The conversation with one model at one seat of one match."""

from __future__ import annotations

from quandary.core.contract import Seat
from quandary.core.luck import Luck
from quandary.matches.player import Status, Turn
from quandary.models.provider import Generation, Message
from quandary.players.reading.thinking import separate

from . import messages as prompts
from .examples import Examples
from .settings import PromptSettings

NO_ANSWER = "(no answer)"


class Conversation:
    """What was said so far; `ask` adds the next question, `answered` the reply to it."""

    def __init__(self, settings: PromptSettings, examples: Examples, seat: Seat, luck: str) -> None:
        """`luck` names the luck of the seat, by which examples are drawn and moves shuffled."""
        self.settings, self.luck = settings, luck
        self.shots = [
            examples.draw(Luck(f"{luck}/example{i}"), seat, settings) for i in range(settings.shots)
        ]
        self.messages = list[Message]()
        self.last: Status = "answered"  # the status of the last reply

    def ask(self, turn: Turn) -> list[Message]:
        """Add what the model is told next: a position, or what was wrong with its last reply."""
        settings, rng = self.settings, Luck(self.luck).turn(turn.number)
        if turn.refused:
            refusal = turn.position.refusal(turn.refused, settings.language)
            form = turn.position.form
            self.messages.append(prompts.correction(self.last, refusal, form, settings))
        elif self.messages and settings.history:
            self.messages.append(prompts.question(turn, settings, rng, again=True))
        else:
            self.messages = prompts.opening(turn, settings, self.shots, rng)
        return self.messages

    def answered(self, generation: Generation, status: Status) -> None:
        self.messages.append(as_message(generation))
        self.last = status


def as_message(generation: Generation) -> Message:
    """A reply as part of the conversation: without thinking, and never empty, which some servers
    reject.
    """
    _, said, _ = separate(generation)
    return Message("assistant", (said.strip() or NO_ANSWER,))
