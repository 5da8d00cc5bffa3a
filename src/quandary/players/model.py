"""A language model as a player."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

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
        with stop_run_on_errors():
            return ModelSitting(self.client(), self.settings, seat, luck)


class ModelSitting:
    """One model at one seat of one match, with the conversation so far."""

    def __init__(self, client: ModelClient, settings: ModelSettings, seat: Seat, luck: str) -> None:
        self.asker = Asker(client, settings, seat)
        self.conversation = Conversation(settings.prompt, settings.examples, seat, luck)

    async def act(self, turn: Turn) -> Reply:
        with stop_run_on_errors():
            return await self._act(turn)

    async def _act(self, turn: Turn) -> Reply:
        asker, messages = self.asker, self.conversation.ask(turn)
        if asker.prompt.thoughts == "tree":
            answer = await decide(asker, turn, messages)
        else:
            answer = await asker.ask(turn, messages, asker.next_step(), turn.position.form)
        self.conversation.answered(answer.generation, answer.reply.status)
        return answer.reply

    async def leave(self) -> None:
        pass


@contextmanager
def stop_run_on_errors() -> Iterator[None]:
    """Turn errors on our side into StopRun: a model loses a match by its replies alone."""
    try:
        yield
    except Forfeit:
        raise
    except UserError as error:
        raise StopRun(str(error).removesuffix(".")) from None
    except OSError as reason:
        raise StopRun(f"the system refused: {reason.strerror or reason}") from None
    except Exception as error:
        raise StopRun(f"quandary itself failed ({type(error).__name__}: {error})") from error
