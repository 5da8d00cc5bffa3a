"""Arguments in a spec, such as `size=5` or `depth=3..5`: their names, types and values."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from quandary.core.contract import Puzzle
from quandary.core.errors import UserError, unknown
from quandary.core.mixins.families import families_of
from quandary.core.naming import name_of


@cache
def arguments(puzzle: type[Puzzle]) -> dict[str, Any]:
    """Return the keywords of `new` and their types: what may stand in a spec."""
    return keywords(puzzle.new)


def keywords(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the arguments that a function takes by keyword alone, and their types."""
    hints = get_type_hints(function)
    known = inspect.signature(function).parameters.values()
    return {
        each.name: hints.get(each.name, str) for each in known if each.kind is each.KEYWORD_ONLY
    }


def defaults(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the values of those arguments if they are not given."""
    known = inspect.signature(function).parameters
    return {name: known[name].default for name in keywords(function)}


def argument(
    puzzle: type[Puzzle], key: str, text: str, others: Mapping[str, Any] | None = None
) -> Any:
    """Return the value `key=text` gives to `new`; `others` are arguments of a task on the
    puzzle.
    """
    known = dict(arguments(puzzle))
    if all("level" in level for level in puzzle.levels.values()):
        known.pop("level", None)  # which the name says
    if key not in known:
        raise unknown("argument", key, known | dict(others or {}), of=name_of(puzzle))
    value = read_argument(name_of(puzzle), known, key, text)
    families = families_of(puzzle)
    if key == "family" and families and value not in (None, *families):
        raise unknown("family", text, families, of=name_of(puzzle))
    return value


def read_argument(owner: str, known: Mapping[str, Any], key: str, text: str) -> Any:
    """Return the value of an argument by its type: numbers, words, yes or no, and ranges such as
    5..8.
    """
    try:
        return _value(known[key], text)
    except ValueError as reason:
        raise UserError(f"{key}={text} does not fit {owner}: {reason}.") from reason


def _value(kind: Any, text: str) -> Any:
    origin = get_origin(kind)
    if origin is Literal:
        for choice in get_args(kind):
            if str(choice) == text:
                return choice
        raise ValueError(f"choose one of {', '.join(map(str, get_args(kind)))}")
    if origin in (Union, UnionType):
        inner = [part for part in get_args(kind) if part is not NoneType]
        return None if text == "none" and NoneType in get_args(kind) else _value(inner[0], text)
    if origin is tuple:  # a range, inclusive
        low, dots, high = text.partition("..")
        if not re.fullmatch(r"-?[0-9]{1,9}(\.\.-?[0-9]{1,9})?", text):
            raise ValueError(f"write a number{_of_few_digits(text)}, or a range such as 3..4")
        ends = (_value(int, low), _value(int, high if dots else low))
        if ends[0] > ends[1]:
            raise ValueError("the range is empty")
        return ends
    if kind is bool:
        if text not in ("true", "false"):
            raise ValueError("write true or false")
        return text == "true"
    if kind in (int, float):
        if not re.fullmatch(r"-?[0-9]{1,9}" + (r"(\.[0-9]{1,9})?" if kind is float else ""), text):
            raise ValueError(f"write a number{_of_few_digits(text)}")
        return kind(text)
    return text


def _of_few_digits(text: str) -> str:
    """Return the limit of digits to name in an error, if a number in the text has too many."""
    return " of at most 9 digits" if re.search("[0-9]{10}", text) else ""
