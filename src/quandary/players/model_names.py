"""Names of model players, with their settings: `openai/gpt-4.1,shots=1,history=no,temperature=0`.

Settings that a name leaves out come from the suite.  The name is part of every record, so a record
says how its model was prompted.  `temperature=none` leaves a decoding parameter to the server, even
if the suite sets it.
"""

from __future__ import annotations

import re
from dataclasses import fields, replace
from typing import Any, NamedTuple, get_args

from quandary.core.errors import UserError, unknown
from quandary.models.provider import Decoding

from .prompts.settings import MOST_SHOTS, PromptSettings, Shown, Strictness, Thoughts

PROGRAM = "program/"
CHOICES = {"Thoughts": Thoughts, "Shown": Shown, "Strictness": Strictness}
NOT_IN_NAMES = ("language", "stop")  # set by the suite alone


class ModelName(NamedTuple):
    """A model player's name, parsed."""

    provider: str
    model: str
    prompt_settings: PromptSettings
    decoding: Decoding


def is_program(name: str) -> bool:
    """Whether a player's name means a program."""
    return name.startswith(PROGRAM)


def is_model(name: str) -> bool:
    """Whether a player's name means a language model."""
    return "/" in name.partition(",")[0] and not is_program(name)


def parse(name: str, prompt_settings: PromptSettings, decoding: Decoding) -> ModelName:
    """Parse a name; settings it leaves out are taken from the arguments."""
    path, *settings = name.split(",")
    provider, slash, model = path.partition("/")
    if not slash or not provider or not model:
        raise UserError(
            f"{name!r} is not a model; write PROVIDER/NAME, for example openai/gpt-4.1."
        )
    types = _types(PromptSettings) | _types(Decoding)
    for key in NOT_IN_NAMES:
        del types[key]
    seen = set[str]()
    for setting in settings:
        key, equals, text = setting.partition("=")
        if key in seen:
            raise UserError(f"{name!r} sets {key} twice.")
        if key not in types or not equals:
            wrong = key if equals else setting
            raise unknown("setting", wrong, [f"{known}=" for known in types], of=path)
        value = _value(path, key, text, types[key])
        if hasattr(prompt_settings, key):
            prompt_settings = replace(prompt_settings, **{key: value})
        else:
            decoding = replace(decoding, **{key: value})
        seen.add(key)
    _check_bounds(path, prompt_settings, decoding)
    return ModelName(provider, model, prompt_settings, decoding)


def _check_bounds(path: str, prompt_settings: PromptSettings, decoding: Decoding) -> None:
    shots, max_tokens = prompt_settings.shots, decoding.max_tokens
    if not 0 <= shots <= MOST_SHOTS:
        raise UserError(f"invalid shots={shots} of {path}; write 0 to {MOST_SHOTS} examples.")
    if max_tokens is not None and max_tokens < 1:
        raise UserError(f"invalid max_tokens={max_tokens} of {path}; write 1 or more.")


def _types(settings: type) -> dict[str, str]:
    return {field.name: str(field.type) for field in fields(settings)}


def _value(path: str, key: str, text: str, kind: str) -> Any:
    """The value that `key=text` sets, by the type of the field."""
    if kind == "bool":
        if text in ("yes", "no"):
            return text == "yes"
        raise UserError(f"invalid {key}={text} of {path}; write {key}=yes or {key}=no.")
    if kind in CHOICES:
        if text in get_args(CHOICES[kind]):
            return text
        raise unknown(key, text, get_args(CHOICES[kind]), of=path)
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
