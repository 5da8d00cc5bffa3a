"""Refuses arguments of a wrong type with one sentence, before they cause an error elsewhere."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import ParamSpec, TypeVar

from quandary.core.errors import UserError, unknown
from quandary.players.prompts.settings import PromptSettings
from quandary.renamed import PLAYER_SETTINGS as EARLIER_KEYWORDS
from quandary.renamed import typed_keys

P = ParamSpec("P")
T = TypeVar("T")

SHOWN = 60  # characters of a wrong value that a sentence quotes


def taking_earlier_names(function: Callable[P, T]) -> Callable[P, T]:
    """Make a function take earlier names of its keywords, with a warning."""

    @wraps(function)
    def called(*args: P.args, **keywords: P.kwargs) -> T:
        where = f"{function.__qualname__.removesuffix('.__init__')}()"
        named = typed_keys(keywords, EARLIER_KEYWORDS, where)
        return function(*args, **named)

    return called


def refusing_unknown_settings(function: Callable[P, T]) -> Callable[P, T]:
    """Make a function refuse a keyword that it does not have with UserError."""
    known = inspect.signature(function).parameters

    @wraps(function)
    def called(*args: P.args, **keywords: P.kwargs) -> T:
        for name in keywords:
            if name not in known:
                raise unknown("prompt setting", name, vars(PromptSettings()))
        return function(*args, **keywords)

    return called


def check_texts(**given: object) -> None:
    """Raise UserError for an argument that is not a text."""
    for name, value in given.items():
        if not isinstance(value, str):
            raise UserError(f"{name} must be a string, not {_quoted(value)}.")


def check_counts(least: int = 1, **given: object) -> None:
    """Raise UserError for a count that is not a whole number of `least` or more."""
    for name, value in given.items():
        if type(value) is not int or value < least:
            raise UserError(
                f"{name}={_quoted(value)} is not valid; write a whole number of {least} or more."
            )


def check_names(name: str, given: object) -> None:
    """Raise UserError unless an argument is a list or a tuple of texts."""
    if not isinstance(given, (list, tuple)) or not all(isinstance(one, str) for one in given):
        raise UserError(f"{name} must be a list of names, not {_quoted(given)}.")


def check_flags(**given: object) -> None:
    """Raise UserError for an argument that is neither True nor False."""
    for name, value in given.items():
        if not isinstance(value, bool):
            raise UserError(f"{name} must be True or False, not {_quoted(value)}.")


def path_of(name: str, given: object) -> Path:
    """Return the path that an argument names; UserError if it is not one."""
    if not isinstance(given, (str, Path)) or "\0" in str(given):
        raise UserError(f"{name} must be a path (str or Path), not {_quoted(given)}.")
    return Path(given)


def _quoted(value: object) -> str:
    text = repr(value)
    return text if len(text) <= SHOWN else f"a {type(value).__name__}"
