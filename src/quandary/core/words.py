"""The texts of puzzles and matches in several languages.

    say = self.say(language)                                  # in a puzzle
    say = say_in(__name__, language)                          # in any other module
    say("Stones: {count}", count=self.stones)
    say("{count} {count:row|rows}", count=2)                  # the form that fits the number
    say.list(["a", "b"])                                      # "a, b" or "a、b"
    say.lines(say("..."), self.last and say("..."), *rows)    # empty parts are left out
    say.numbered([say("..."), say("...")])                    # ["1. ...", "2. ..."]

English phrases are written in the code; `translations` describes the files of other languages.
Phrases are literals, so that they can be found without running the code.
Conditions stay in Python and choose whole sentences.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Literal, Protocol, cast

from .translations import (
    LIST_SEPARATORS,
    PLACEHOLDER,
    Translation,
    languages_beside,
    load_translation,
    placeholders,
    translation_file,
)

PLACEHOLDER_OR_PERCENT = re.compile(f"{PLACEHOLDER.pattern}|%", re.ASCII)


class Say(Protocol):
    """Says phrases in one language."""

    language: str

    def __call__(self, phrase: str, /, **values: object) -> str:
        """The phrase in this language, or in English where it has no translation."""

    def stored(self, phrase: str, values: Mapping[str, object]) -> str:
        """Say a phrase that was kept as data, as in `Unreadable`.

        Without values it may be any text, even a player's own, and its braces mean nothing.
        """

    def list(self, items: Iterable[object]) -> str:
        """Return the items in one line, with the separator of this language."""

    def lines(self, *parts: str | Literal[0, False] | None) -> str:
        """Return the parts that are not empty, one below the other."""

    def numbered(self, rules: Iterable[str]) -> Sequence[str]:
        """Return a line for each of the rules, with its number, from 1."""

    def label(self, name: str) -> str:
        """Return the displayed name of a move field or of a word used in moves."""

    def __hash__(self) -> int:
        """Make it hashable, so that sentences can be cached per language."""


def _new_say(language: str, translations: Iterable[Translation] = ()) -> Say:
    """Return a `Say` that uses the first translation with a phrase or label."""
    if language not in LIST_SEPARATORS:
        known = ", ".join(LIST_SEPARATORS)
        raise ValueError(f"unknown language {language!r}; known languages: {known}")
    translated: dict[str, str] = {}
    labels: dict[str, tuple[str, ...]] = {}
    for translation in translations:
        translated = {**translation.phrases, **translated}
        labels = {**translation.labels, **labels}
    templates = _Templates(translated)

    # Functions, because calling one takes half the time of calling an object with `__call__`.
    def say(phrase: str, /, **values: object) -> str:
        return templates[phrase] % values

    def stored(phrase: str, values: Mapping[str, object]) -> str:
        return say(phrase, **values) if values else translated.get(phrase, phrase)

    def listed(items: Iterable[object]) -> str:
        return LIST_SEPARATORS[language].join(map(str, items))

    def lines(*parts: str | Literal[0, False] | None) -> str:
        return "\n".join([part for part in parts if part])

    def numbered(rules: Iterable[str]) -> list[str]:
        return [f"{number}. {rule}" for number, rule in enumerate(rules, start=1)]

    def label(name: str) -> str:
        return labels[name][0] if name in labels else name.replace("_", " ")

    attributes = {"language": language, "stored": stored, "list": listed}
    vars(say).update(attributes, lines=lines, numbered=numbered, label=label)
    return cast(Say, say)


class _Templates(dict[str, "str | _PluralTemplate"]):
    """English phrase -> its %-template in one language, prepared on first use."""

    def __init__(self, translated: Mapping[str, str]) -> None:
        self.translated = translated

    def __missing__(self, phrase: str) -> str | _PluralTemplate:
        self[phrase] = template = _template(self.translated.get(phrase, phrase))
        return template


@dataclass(frozen=True)
class _PluralTemplate:
    """A %-template with words that depend on numbers."""

    template: str
    plurals: tuple[tuple[str, str, str, str], ...]  # key in the template, value, its two forms

    def __mod__(self, values: dict[str, object]) -> str:
        for key, name, one, many in self.plurals:
            values[key] = one if values[name] == 1 else many
        return self.template % values


def _template(phrase: str) -> str | _PluralTemplate:
    placeholders(phrase)  # rejects other braces
    plurals: list[tuple[str, str, str, str]] = []

    def marker(match: re.Match[str]) -> str:
        if match[0] == "%":
            return "%%"
        name, one, many = match.groups()
        if one is None:
            return f"%({name})s"
        key = f"{name}:{len(plurals)}"  # no value can have this name
        plurals.append((key, name, one, many))
        return f"%({key})s"

    template = PLACEHOLDER_OR_PERCENT.sub(marker, phrase)
    return _PluralTemplate(template, tuple(plurals)) if plurals else template


ENGLISH = _new_say("en")


@cache
def say_for(cls: type, language: str) -> Say:
    """Return how a puzzle speaks a language.

    Translations are looked up beside the modules of the class and its base classes, and beside the
    modules that any of them names by `speaks_with`, nearest first.
    """
    return _new_say(language, _translations(_module_files(cls), language))


@cache
def say_in(module_name: str, language: str) -> Say:
    """Return how a module that is not a puzzle speaks a language."""
    return _new_say(language, _translations([_named_module_file(module_name)], language))


@cache
def languages_of(cls: type) -> tuple[str, ...]:
    """Return English, and every language into which the module of the class is translated."""
    file = _imported_module_file(cls.__module__)
    return ("en", *languages_beside(file)) if file else ("en",)


@cache
def labels_of(cls: type) -> Mapping[str, tuple[str, ...]]:
    """Move field or word -> all its names in the translations that `say_for` uses."""
    files = _module_files(cls)
    merged: dict[str, dict[str, None]] = {}  # inner dicts as ordered sets
    for language in LIST_SEPARATORS:
        for translation in _translations(files, language):
            for name, words in translation.labels.items():
                merged.setdefault(name, {}).update(dict.fromkeys(words))
    return MappingProxyType({name: tuple(words) for name, words in merged.items()})


def _translations(module_files: Iterable[Path], language: str) -> Iterator[Translation]:
    if language == "en":
        return
    for module_file in module_files:
        path = translation_file(module_file, language)
        if path.is_file():
            yield _loaded(path, language)


_loaded = cache(load_translation)  # a file is shared by all classes that build on its module


def _module_files(cls: type) -> list[Path]:
    """Return the modules whose phrases a class uses, nearest first."""
    files: dict[Path, None] = {}
    for base in cls.__mro__:
        if file := _imported_module_file(base.__module__):
            files[file] = None
        for name in vars(base).get("_speaks_with", ()):
            files[_named_module_file(name)] = None
    return list(files)


def _imported_module_file(name: str) -> Path | None:
    """Return the file of a module; None for one without a file, such as `builtins`."""
    file = getattr(sys.modules.get(name), "__file__", None)
    return Path(file) if file else None


def _named_module_file(name: str) -> Path:
    """Return the file of a module that may not be imported yet."""
    if file := _imported_module_file(name):
        return file
    try:
        spec = find_spec(name)
    except (ModuleNotFoundError, ValueError):  # a parent package is missing, or it has no spec
        spec = None
    if spec is None or not spec.has_location or not spec.origin:
        raise ValueError(f"{name!r} has no module file, so its translations cannot be found")
    return Path(spec.origin)
