"""Themes of logic grids: titles and things of columns, in English, and what they are in Chinese."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import chain
from pkgutil import get_data
from random import Random
from typing import Any, NamedTuple, TypeAlias

Value: TypeAlias = int | float | str
LANGUAGES = ("zh",)  # besides English


class Column(NamedTuple):
    """The title and the things of a column."""

    title: str
    things: tuple[Value, ...]


def random_columns(rng: Random, size: int, count: int) -> list[Column]:
    """Columns of one theme, cut to a number of rows; the first one is ordered."""
    theme = rng.choice(_themes())
    first, others = theme[0], rng.sample(theme[1:], count - 1)
    chosen = sorted(rng.sample(range(len(first.things)), size))
    rows = Column(first.title, tuple(first.things[place] for place in chosen))
    return [rows, *(Column(title, tuple(rng.sample(things, size))) for title, things in others)]


def in_language(word: Value, language: str) -> Value:
    """Return a title or a thing as players of a language see it; those of no theme stay as they
    are.
    """
    return _translations().get(word, word) if language in LANGUAGES else word


@cache
def _themes() -> tuple[tuple[Column, ...], ...]:
    return tuple(tuple(_columns(raw)) for raw in _data())


def _columns(raw: Mapping[str, Any]) -> list[Column]:
    rows: tuple[Value, ...] = tuple(map(_english, raw.get("words", ())))
    if not rows:
        low, high, step = raw["numbers"]
        rows = tuple(range(low, high + 1, step))
    columns = [Column(_english(raw["title"]), rows)]
    for words in raw["columns"]:
        title, *things = map(_english, words)
        columns.append(Column(title, tuple(things)))
    return columns


@cache
def _translations() -> Mapping[Value, str]:
    words = list[str]()
    for raw in _data():
        words += [raw["title"], *raw.get("words", ()), *chain(*raw["columns"])]
    pairs = (word.partition("=") for word in words)
    return {english: other for english, _, other in pairs}


@cache
def _data() -> list[Mapping[str, Any]]:
    import tomllib  # here, because it takes milliseconds

    content = get_data(__package__, "themes.toml") or b""
    themes: list[Mapping[str, Any]] = tomllib.loads(content.decode())["theme"]
    return themes


def _english(word: str) -> str:
    return word.partition("=")[0]
