"""Finds players by name: strategies, people and language models."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from quandary.catalogue.spec import Spec
from quandary.core.contract import Game, Language
from quandary.core.errors import UserError, unknown_language
from quandary.matches.match import ATTEMPTS
from quandary.matches.player import Player
from quandary.matches.record import Record
from quandary.models.pool import ClientPool
from quandary.models.provider import Decoding
from quandary.programs.library import Program, is_program, read_program
from quandary.programs.player import ProgramPlayer
from quandary.programs.pool import ProgramPool
from quandary.programs.settings import ProgramSettings
from quandary.tasks.published_wording import published_prompt

from .long_settings import ReadFile, read_setting_file
from .model_names import is_model, parse, setting_files
from .people import is_person
from .prompts.settings import Modality, PromptSettings
from .strategy import strategy_player

if TYPE_CHECKING:
    from .model import Model


@dataclass
class PlayerRegistry:
    """Finds players, and holds what the models among them share."""

    prompt_settings: PromptSettings = field(default_factory=PromptSettings)
    decoding: Decoding = field(default_factory=Decoding)
    attempts: int = ATTEMPTS  # replies per turn that may be unreadable
    clients: ClientPool = field(default_factory=ClientPool)
    read_file: ReadFile = read_setting_file  # reads the files that settings name
    programs: ProgramPool = field(default_factory=ProgramPool)
    programs_wait: bool = False  # whether other matches go on while a program thinks
    _programs: dict[str, Program] = field(default_factory=dict, init=False)
    # By name and prompt settings, because most of a model is the same in many matches.
    _models: dict[tuple[str, PromptSettings], Model] = field(default_factory=dict, init=False)

    def find(
        self,
        name: str,
        game: Game,
        spec: Spec,
        match: str = "",
        modality: Modality | None = None,
        language: Language | None = None,
    ) -> Player:
        """Return the player of that name for a match of `game`.

        `match` names the match in the journal; `modality` says how positions are shown to models,
        and `language` in which language players are asked, if not as in the prompt settings.
        """
        if "/" not in name and not is_person(name):
            return strategy_player(name, game, spec.level)
        usual = self.prompt_settings
        modality, language = modality or usual.modality, language or usual.language
        if is_program(name):
            self.programs.check()
            shared = not self.programs.settings.process_per_match
            return ProgramPlayer(
                self.program(name), self.programs, game, shared=shared, waits=self.programs_wait
            )
        if is_person(name):
            from .human import Human

            return Human(language=language, person=name)
        if is_model(name):
            if (modality, language) != (usual.modality, usual.language):
                usual = replace(usual, modality=modality, language=language)
            return self._model(name, game, spec, match or str(spec), usual)
        return strategy_player(name, game, spec.level)

    def program(self, name: str) -> Program:
        """Return a program, whose file is read once."""
        if name not in self._programs:
            self._programs[name] = read_program(name)
        return self._programs[name]

    def know(self, programs: Iterable[Program], settings: ProgramSettings | None) -> None:
        """Let programs play that need not have a file here, as some settings say."""
        for program in programs:
            self._programs[program.name] = program
        if settings is not None:
            self.programs.use(settings)

    def with_level(self, record: Record) -> Record:
        """Return a record that says how well its programs were sandboxed, if programs played."""
        if any(map(is_program, record.players)):
            return replace(record, sandbox=self.programs.level)
        return record

    def model(self, name: str) -> Model:
        """Return what is the same in all calls to a model."""
        usual = self.prompt_settings
        return self._models.get((name, usual)) or self._open(name, usual)

    def _model(
        self, name: str, game: Game, spec: Spec, match: str, defaults: PromptSettings
    ) -> Player:
        known = self._models.get((name, defaults)) or self._open(name, defaults)
        if published_prompt(game):
            if known.is_prompted_otherwise:
                raise UserError(
                    f"{name!r} sets how a model is prompted, but published prompts are sent as "
                    f"they are; leave that setting out, or use --wording ours."
                )
        elif known.prompt.language not in game.languages:
            raise unknown_language(known.prompt.language, game.languages, of=spec.name)
        return known.player(game, spec, match)

    def _open(self, name: str, defaults: PromptSettings) -> Model:
        """Return a model that no match has asked for yet."""
        from .model import Model

        provider, model, prompt, decoding = parse(name, defaults, self.decoding, self.read_file)
        self.clients.check(provider, decoding)
        self.clients.client(provider, model)  # fails now rather than in the middle of a run
        self._models[name, defaults] = opened = Model(
            name,
            lambda: self.clients.client(provider, model),
            prompt,
            decoding,
            self.attempts,
            is_prompted_otherwise=replace(prompt, parsing=defaults.parsing) != defaults,
        )
        return opened

    def decoding_of(self, name: str) -> Decoding:
        """Return how the replies of a model player are decoded."""
        return parse(name, self.prompt_settings, self.decoding, self.read_file).decoding

    def files(self, players: Sequence[str]) -> dict[str, str]:
        """Return the files that players' settings name, with their texts."""
        return setting_files(players, self.read_file)

    def servers(self, players: Sequence[str]) -> dict[str, str]:
        """Return the addresses at which the models among these players are called, by provider."""
        return self.clients.servers(
            player.partition("/")[0] for player in players if is_model(player)
        )
