"""Names of model players, with their settings: `openai/gpt-4.1,shots=1,history=no,temperature=0`.

Settings that a name leaves out come from the suite.  The name is part of every record, so a record
says how its model was prompted.  `temperature=none` leaves a decoding parameter to the server, even
if the suite sets it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import fields, replace
from typing import Any, NamedTuple, get_args

from quandary.core.errors import UserError, unknown, unknown_language
from quandary.core.translations import LIST_SEPARATORS
from quandary.models.provider import Decoding
from quandary.models.settings_check import check_values
from quandary.programs.library import is_program
from quandary.renamed import PLAYER_SETTINGS

from .long_settings import (
    FORMS,
    ReadFile,
    files_of,
    is_long_setting,
    read_setting_file,
    set_value,
)
from .people import is_person
from .prompts.settings import MOST_SHOTS, Modality, Prompting, PromptSettings, Strictness

CHOICES = {"Prompting": Prompting, "Modality": Modality, "Strictness": Strictness}
LANGUAGES = {"en": "English", "zh": "Chinese"}  # how sentences call them
NOT_IN_NAMES = ("headers",)  # set one by one


class ModelName(NamedTuple):
    """A model player's name, parsed."""

    provider: str
    model: str
    prompt_settings: PromptSettings
    decoding: Decoding


def is_model(name: str) -> bool:
    """Return whether a player's name means a language model."""
    return "/" in name.partition(",")[0] and not is_program(name) and not is_person(name)


def parse(
    name: str,
    prompt_settings: PromptSettings,
    decoding: Decoding,
    read_file: ReadFile = read_setting_file,
) -> ModelName:
    """Parse a name; settings it leaves out are taken from the arguments."""
    path, settings = _split(name)
    provider, _, model = path.partition("/")
    for key, text in settings.items():
        if is_long_setting(key):
            known = vars(prompt_settings) | vars(decoding)
            field, value = set_value(known, path, key, text, read_file)
        else:
            field, value = key, _value(path, key, text, TYPES[key])
        if hasattr(prompt_settings, field):
            prompt_settings = replace(prompt_settings, **{field: value})
        else:
            decoding = replace(decoding, **{field: value})
    _check_bounds(path, prompt_settings, decoding)
    return ModelName(provider, model, prompt_settings, decoding)


def prompt_choices(name: str, defaults: PromptSettings) -> PromptSettings:
    """Return the prompt settings of a recorded name, except for texts in files, which may
    be gone.
    """
    path, settings = _split(name)
    short = {key: text for key, text in settings.items() if hasattr(defaults, key)}
    values = {
        key: _value(path, key, text, TYPES[key])
        for key, text in short.items()
        if not is_long_setting(key)
    }
    return replace(defaults, **values)


def max_tokens_of(name: str, default: int | None) -> int | None:
    """Return how many tokens a reply of a recorded model may have; `default` unless its name
    sets it.
    """
    path, settings = _split(name)
    text = settings.get("max_tokens")
    if text is None:
        return default
    value: int | None = _value(path, "max_tokens", text, TYPES["max_tokens"])
    return value


def in_languages(players: Iterable[str], languages: Sequence[str]) -> list[str]:
    """Return the players, each model once in every one of some languages; others see no prompts."""
    found = list[str]()
    for player in players:
        if not is_model(player) or not languages:
            found.append(player)
        elif "language" in _split(player)[1]:
            raise UserError(f"{player} sets its language itself; leave that out, or --language.")
        else:
            found += [f"{player},language={language}" for language in languages]
    return found


def language_setting(player: str) -> str:
    """Return the language that the name of a model sets; "" if it sets none."""
    settings = player.split(",")[1:] if is_model(player) else []
    set_to = (part.partition("=")[2] for part in settings if part.startswith("language="))
    return next(set_to, "")


def without_language(player: str) -> str:
    """Return the name of a player, whatever the language in which it is asked."""
    return without_setting(player, "language")


def without_setting(player: str, key: str) -> str:
    """Return the name of a player, whatever this setting is."""
    return ",".join(part for part in player.split(",") if not part.startswith(f"{key}="))


def shared_settings(players: Iterable[str]) -> tuple[str, ...]:
    """Return the settings that the names of all models among some players have, if there are two or
    more models, and if their names are still different without these settings.
    """
    models = [player for player in players if is_model(player)]
    if len(models) < 2:
        return ()
    first, *others = (player.split(",")[1:] for player in models)
    shared = tuple(setting for setting in first if all(setting in each for each in others))
    short = {without_settings(player, shared) for player in models}
    return shared if len(short) == len(models) else ()


def without_settings(player: str, settings: Collection[str]) -> str:
    """Return the name of a player without some of the settings of models."""
    if not is_model(player):
        return player
    model, *own = player.split(",")
    return ",".join([model, *(setting for setting in own if setting not in settings)])


def setting_files(names: Iterable[str], read_file: ReadFile) -> dict[str, str]:
    """Return the files that the settings of models among some players name, with their texts."""
    settings = (_split(name)[1] for name in names if is_model(name))
    return {path: read_file(path) for named in settings for path in files_of(named)}


def _split(name: str) -> tuple[str, dict[str, str]]:
    """Return PROVIDER/NAME and the settings of a name.

    Messages do not repeat values, because they may be secrets, given by mistake.
    """
    path, *settings = name.split(",")
    provider, slash, model = path.partition("/")
    if not slash or not provider or not model:
        raise UserError(
            f"{path!r} is not a model; write PROVIDER/NAME, for example openai/gpt-4.1."
        )
    found = dict[str, str]()
    for setting in settings:
        key, equals, text = setting.partition("=")
        key = PLAYER_SETTINGS.get(key, key)  # also in names that are stored
        if key in found:
            raise UserError(f"{path} sets {key} twice.")
        if not equals or not (key in TYPES or is_long_setting(key)):
            known = [f"{known}=" for known in TYPES if not is_long_setting(known)]
            raise unknown("setting", key, [*known, *FORMS], of=path)
        found[key] = text
    return path, found


def _check_bounds(path: str, prompt_settings: PromptSettings, decoding: Decoding) -> None:
    shots = prompt_settings.shots
    if not 0 <= shots <= MOST_SHOTS:
        raise UserError(f"invalid shots={shots} of {path}; write 0 to {MOST_SHOTS} examples.")
    check_values(path, decoding)
    temperature = decoding.body.get("temperature", decoding.temperature)  # the body's is sent
    if prompt_settings.prompting == "tree" and temperature == 0:
        raise UserError(
            f"prompting=tree of {path} asks for five proposals, which are all equal at temperature "
            f"0; set a temperature above 0, or none."
        )


def _types(settings: type) -> dict[str, str]:
    return {
        field.name: str(field.type) for field in fields(settings) if field.name not in NOT_IN_NAMES
    }


TYPES = _types(PromptSettings) | _types(Decoding)


def _value(path: str, key: str, text: str, kind: str) -> Any:
    """Return the value that `key=text` sets, by the type of the field."""
    if kind == "bool":
        if text in ("yes", "no"):
            return text == "yes"
        raise UserError(f"invalid {key}={text} of {path}; write {key}=yes or {key}=no.")
    if kind in CHOICES:
        if text in get_args(CHOICES[kind]):
            return text
        raise unknown(key, text, get_args(CHOICES[kind]), of=path)
    if kind == "Language":
        if text in LIST_SEPARATORS:
            return text
        raise unknown_language(text, LIST_SEPARATORS, of=path)
    if "str" in kind:
        return text or None  # `none` is a value of its own: servers know reasoning_effort "none"
    if text == "none" and "None" in kind:
        return None
    number = r"-?[0-9]{1,12}" if "int" in kind else r"[0-9]{1,9}(\.[0-9]{1,9})?"
    if not re.fullmatch(number, text):
        wanted = "a whole number" if "int" in kind else "a number"
        wanted += ", or none to unset it" if "None" in kind else ""
        raise UserError(f"invalid {key}={text} of {path}; write {wanted}.")
    return int(text) if "int" in kind else float(text)
