"""A language model as a player."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from quandary.catalogue.spec import Spec
from quandary.core.contract import Game, Seat
from quandary.core.errors import StopRun, UserError
from quandary.core.question import form_of
from quandary.matches.player import Forfeit, Reply, Turn
from quandary.models.client import ModelClient
from quandary.models.provider import Decoding

from .asking import Asker, ModelSettings
from .prompts.conversation import Conversation
from .prompts.examples import Examples
from .prompts.settings import PromptSettings
from .tree_of_thoughts import decide


class Model(NamedTuple):
    """The part of a model player that is the same in all matches."""

    name: str  # the player's name
    client: Callable[[], ModelClient]
    prompt: PromptSettings
    decoding: Decoding
    attempts: int  # replies per turn that may be unreadable
    is_prompted_otherwise: bool  # than all models of the run are: its name says so

    def player(self, game: Game, spec: Spec, match: str) -> ModelPlayer:
        """Return the model as a player of one match; `match` names it in the journal."""
        examples = Examples(game, spec)
        settings = ModelSettings(self.prompt, self.decoding, examples, match, self.attempts)
        return ModelPlayer(self.name, self.client, settings)


class ModelPlayer:
    """A player that puts every turn to a language model."""

    def __init__(
        self, name: str, client: Callable[[], ModelClient], settings: ModelSettings
    ) -> None:
        self.name, self.client, self.settings = name, client, settings

    def take_seat(self, seat: Seat, luck: str) -> SeatedModel:
        try:
            return SeatedModel(self.client(), self.settings, seat, luck)
        except Exception as error:
            raise _stop_run(error) from _cause(error)


class SeatedModel:
    """One model at one seat of one match, with the conversation so far."""

    def __init__(self, client: ModelClient, settings: ModelSettings, seat: Seat, luck: str) -> None:
        self.asker = Asker(client, settings, seat)
        self.conversation = Conversation(settings.prompt, settings.examples, seat, luck)

    async def act(self, turn: Turn) -> Reply:
        asker = self.asker
        try:
            messages = self.conversation.ask(turn)
            if asker.prompt.prompting == "tree":
                answer = await decide(asker, turn, messages)
            else:
                [answer] = await asker.ask_for(
                    1, turn, messages, asker.next_step(), form_of(turn.position)
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
    """Turn errors on our side into StopRun: a model loses a match only by its replies."""
    if isinstance(error, UserError):
        return StopRun(str(error).removesuffix("."))
    if isinstance(error, OSError):
        return StopRun(f"the system refused: {error.strerror or error}")
    return StopRun(f"quandary itself failed ({type(error).__name__}: {error})")


def _cause(error: Exception) -> Exception | None:
    """Return what a traceback should show: nothing that the sentence does not say already."""
    return None if isinstance(error, UserError | OSError) else error
