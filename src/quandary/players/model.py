"""A language model as a player."""

from __future__ import annotations

from collections.abc import Callable

from quandary.core.contract import Seat
from quandary.core.errors import StopRun, UserError
from quandary.matches.player import Forfeit, Reply, Turn
from quandary.models.client import ModelClient

from .asking import Asker, ModelSettings
from .prompts.conversation import Conversation
from .tree_of_thoughts import decide


class ModelPlayer:
    """A player that puts every turn to a language model."""

    def __init__(
        self, name: str, client: Callable[[], ModelClient], settings: ModelSettings
    ) -> None:
        self.name, self.client, self.settings = name, client, settings

    def sit(self, seat: Seat, luck: str) -> ModelSitting:
        try:
            return ModelSitting(self.client(), self.settings, seat, luck)
        except Exception as error:
            raise _stop_run(error) from _cause(error)


class ModelSitting:
    """One model at one seat of one match, with the conversation so far."""

    def __init__(self, client: ModelClient, settings: ModelSettings, seat: Seat, luck: str) -> None:
        self.asker = Asker(client, settings, seat)
        self.conversation = Conversation(settings.prompt, settings.examples, seat, luck)

    async def act(self, turn: Turn) -> Reply:
        asker = self.asker
        try:
            messages = self.conversation.ask(turn)
            if asker.prompt.thoughts == "tree":
                answer = await decide(asker, turn, messages)
            else:
                [answer] = await asker.ask_for(
                    1, turn, messages, asker.next_step(), turn.position.form
                )
            self.conversation.answered(answer.generation, answer.reply.status)
        except Forfeit:
            raise
        except Exception as error:
            raise _stop_run(error) from _cause(error)
        return answer.reply

    async def leave(self) -> None:
        pass


def _stop_run(error: Exception) -> StopRun:
    """Errors on our side stop the run: a model loses a match by its replies alone."""
    if isinstance(error, UserError):
        return StopRun(str(error).removesuffix("."))
    if isinstance(error, OSError):
        return StopRun(f"the system refused: {error.strerror or error}")
    return StopRun(f"quandary itself failed ({type(error).__name__}: {error})")


def _cause(error: Exception) -> Exception | None:
    """What a traceback should show: nothing that the sentence does not say already."""
    return None if isinstance(error, UserError | OSError) else error
