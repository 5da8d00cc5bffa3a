"""What the rows of a run need besides its records: settings from the manifest and player names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from quandary.arena.manifest import LANGUAGES, PICTURES, PLAYERS, SPECS
from quandary.arena.store import manifest_of
from quandary.arena.suite import PLAY
from quandary.core.errors import UserError
from quandary.players.model_names import is_model, prompt_choices
from quandary.players.prompts.settings import Modality, PromptSettings
from quandary.programs.library import is_program


class Seated(NamedTuple):
    """A player as rows describe it; None where it is not a model."""

    model: str | None
    setting: str
    language: str | None = None
    modality: str | None = None
    shots: int | None = None
    history: bool | None = None
    list_moves: bool | None = None
    prompting: str | None = None
    parsing: str | None = None


@dataclass(frozen=True)
class RunContext:
    """The settings of a run."""

    suite: Mapping[str, Any]  # as the manifest has them
    pictures: frozenset[str] = frozenset()  # instances that are shown as pictures
    # Of problems that are not asked in the language of the suite.
    languages: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return str(self.suite.get("name", ""))

    @property
    def language(self) -> str:
        return str(self.suite.get("language", "en"))

    @property
    def max_tokens(self) -> int | None:
        """How many tokens a reply may have where the name of the player does not set it."""
        found: int | None = self.suite.get("decoding", {}).get("max_tokens")
        return found

    def language_of(self, spec: str) -> str:
        """Return the language in which an instance is asked."""
        return self.languages.get(spec, self.language)

    def languages_of(self, spec: str, players: Sequence[str]) -> list[str]:
        """Return the language in which each seat of a match is told; models may have one of their
        own.

        Other players are told as the first model is, so that a match is in one language if it can.
        """
        usual = self.language_of(spec)
        own = [self.take_seats(player, "text", usual).language for player in players]
        first = next(filter(None, own), usual)
        return [language or first for language in own]

    @cached_property
    def prompt(self) -> PromptSettings:
        """How models are prompted, except for what their names set."""
        return PromptSettings(
            shots=self.suite.get("shots", 0),
            prompting=self.suite.get("prompting", "steps"),
            language=self.language,
        )

    def modality(self, spec: str) -> Modality:
        """Return how an instance is shown to models whose names do not set it."""
        chosen: Modality | None = self.suite.get("modality")
        return chosen or ("image" if spec in self.pictures else "text")

    def take_seats(self, player: str, modality: Modality, language: str) -> Seated:
        """Return how rows describe a player, if positions are shown and asked this way by
        default.
        """
        setting = PLAY[1] if is_program(player) else self.suite.get("setting") or PLAY[0]
        if not is_model(player):
            return Seated(None, setting)
        prompt = prompt_choices(player, replace(self.prompt, modality=modality, language=language))
        return Seated(
            player.partition(",")[0],
            setting,
            prompt.language,
            prompt.modality,
            prompt.shots,
            prompt.history,
            prompt.list_moves,
            prompt.prompting,
            prompt.parsing,
        )


def context_of(folder: Path) -> RunContext:
    """Return the settings of the run in a folder."""
    manifest = manifest_of(folder, without=(SPECS,))  # of a large run they take much memory
    if manifest is None:
        raise UserError(f"{folder} is not the folder of a run; give the --out of `quandary run`.")
    if "suite" not in manifest:
        raise UserError(
            f"the manifest of {folder} does not say how the run was played, so no table can be "
            f"made of it; restore it from a copy, or name another folder."
        )
    pictures, languages = manifest.get(PICTURES, ()), manifest.get(LANGUAGES, {})
    return RunContext(manifest["suite"], frozenset(pictures), languages)


def named_players(folders: Iterable[Path]) -> list[str]:
    """Return the players that runs were made for, without opponents that nobody named."""
    manifests = (manifest_of(folder, without=(SPECS,)) or {} for folder in folders)
    return list(dict.fromkeys(name for found in manifests for name in found.get(PLAYERS, ())))
