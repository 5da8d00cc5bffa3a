"""Finds players by name: strategies, people and language models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from quandary.catalogue.spec import Spec
from quandary.core.contract import Game, Language
from quandary.core.errors import UserError, unknown_language
from quandary.matches.engine import ATTEMPTS
from quandary.matches.player import Player
from quandary.models.pool import ClientPool
from quandary.models.provider import Decoding

from .long_settings import ReadFile, read_setting_file
from .model_names import is_model, is_program, parse, setting_files
from .prompts.settings import PromptSettings, Shown
from .strategy import strategy_player


@dataclass
class PlayerRegistry:
    """Finds players, and holds what the models among them share."""

    prompt_settings: PromptSettings = field(default_factory=PromptSettings)
    decoding: Decoding = field(default_factory=Decoding)
    attempts: int = ATTEMPTS  # replies per turn that may be unreadable
    clients: ClientPool = field(default_factory=ClientPool)
    read_file: ReadFile = read_setting_file  # reads the files that settings name

    def find(
        self,
        name: str,
        game: Game,
        spec: Spec,
        match: str = "",
        shown: Shown | None = None,
        language: Language | None = None,
    ) -> Player:
        """The player of that name for a match of `game`.

        `match` names the match in the journal; `shown` says how positions are shown to models,
        and `language` in which language players are asked, if not as in the prompt settings.
        """
        usual = self.prompt_settings
        if is_program(name):
            raise UserError(
                f"{name!r} is a program, and programs cannot play yet; name a strategy, a model "
                f"or human."
            )
        if name == "human":
            from .human import Human

            return Human(language=language or usual.language)
        if is_model(name):
            language = language or usual.language
            settings = replace(usual, shown=shown or usual.shown, language=language)
            return self._model(name, game, spec, match or str(spec), settings)
        return strategy_player(name, game, spec.level)

    def _model(
        self, name: str, game: Game, spec: Spec, match: str, defaults: PromptSettings
    ) -> Player:
        from .asking import ModelSettings
        from .model import ModelPlayer
        from .prompts.examples import Examples

        provider, model, prompt, decoding = parse(name, defaults, self.decoding, self.read_file)
        if game.published_prompt and replace(prompt, reading=defaults.reading) != defaults:
            raise UserError(
                f"{name!r} sets how a model is prompted, but published prompts are sent as they "
                f"are; leave that setting out, or use --wording ours."
            )
        if not game.published_prompt and prompt.language not in game.languages:
            raise unknown_language(prompt.language, game.languages, of=spec.name)
        self.clients.check(provider, decoding)
        examples = Examples(game, spec)
        settings = ModelSettings(prompt, decoding, examples, match, self.attempts)
        self.clients.client(provider, model)  # fails now rather than in the middle of a run
        return ModelPlayer(name, lambda: self.clients.client(provider, model), settings)

    def decoding_of(self, name: str) -> Decoding:
        """How the replies of a model player are decoded."""
        return parse(name, self.prompt_settings, self.decoding, self.read_file).decoding

    def files(self, players: Sequence[str]) -> dict[str, str]:
        """The files that players' settings name, with their texts."""
        return setting_files(players, self.read_file)

    def servers(self, players: Sequence[str]) -> dict[str, str]:
        """The addresses at which the models among these players are called, by provider."""
        return self.clients.servers(
            player.partition("/")[0] for player in players if is_model(player)
        )
