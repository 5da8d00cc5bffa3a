"""The conversation with one model at one seat of one match."""

from __future__ import annotations

from quandary.core.contract import Seat
from quandary.core.mixins.turns import feedback_of
from quandary.core.question import form_of
from quandary.matches.player import Status, Turn
from quandary.models.provider import Generation, Message
from quandary.players.reading.thinking import separate

from . import messages as prompts
from .examples import Examples
from .settings import PromptSettings

NO_ANSWER = "(no answer)"


class Conversation:
    """The conversation so far; `ask` adds the next question, `answered` the reply to it."""

    def __init__(self, settings: PromptSettings, examples: Examples, seat: Seat, luck: str) -> None:
        """Take in `luck` the name of the seat's luck, which draws examples and shuffles moves."""
        self.settings, self.luck = settings, luck
        self.shots = examples.draw(luck, seat, settings)
        self.messages: list[Message] = []
        self.reply: Generation | None = None  # the last one, which is not a message yet
        self.last: Status = "answered"  # the status of the last reply
        self.turn: Turn | None = None  # the last turn whose position was shown
        # The index of its question among the messages, and what replaces it later.
        self.question: tuple[int, Message] | None = None

    def ask(self, turn: Turn) -> list[Message]:
        """Add what the model is told next: a position, or what was wrong with its last reply."""
        settings, luck = self.settings, self.luck
        if self.reply:
            self.messages.append(as_message(self.reply))
            self.reply = None
        if turn.refused:
            refusal = prompts.refusal(turn.position, turn.refused, settings)
            form = form_of(turn.position)
            self.messages.append(prompts.correction(self.last, refusal, form, settings))
        elif self.messages and settings.history:
            self._shorten_last_question()
            self.messages.append(prompts.question(turn, settings, luck, again=True))
            self._remember(turn)
        else:
            self.messages = prompts.opening(turn, settings, self.shots, luck)
            self.turn = turn
        return self.messages

    def _shorten_last_question(self) -> None:
        """Reduce positions to their changes, except for the first and the current one."""
        if self.question:
            place, shorter = self.question
            self.messages[place] = shorter
            self.question = None

    def _remember(self, turn: Turn) -> None:
        if self.turn and not feedback_of(turn.position, self.settings.language):
            shorter = prompts.earlier_question(turn, self.turn, self.settings)
            self.question = len(self.messages) - 1, shorter
        self.turn = turn

    def answered(self, generation: Generation, status: Status) -> None:
        """The reply becomes part of the conversation with the next question, if there is one."""
        self.reply, self.last = generation, status


def as_message(generation: Generation) -> Message:
    """Return a reply as part of the conversation: without thinking, and never empty, which some
    servers reject.
    """
    _, text, _ = separate(generation)
    return Message("assistant", (text.strip() or NO_ANSWER,))
