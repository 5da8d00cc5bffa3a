"""The published files of LogicGame: items in two languages, in pairs, and references."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from quandary.core.errors import UserError
from quandary.papers.imports import read_lines

from .categories import CATEGORIES

LANGUAGES = ("en", "zh")
FILES = {"en": "en_all_304.jsonl", "zh": "zh_all_304.jsonl"}
REFERENCES = {"en": "dev/en_dev_10.jsonl", "zh": "dev/zh_dev_10.jsonl"}
COUNTS = {**dict.fromkeys(FILES.values(), 304), **dict.fromkeys(REFERENCES.values(), 10)}


class Line(msgspec.Struct):
    """A line of a file; those of references have more."""

    qid: str
    contexts: tuple[str]
    level: int
    category: str
    reference: dict[str, Any] | None = None


class Item(NamedTuple):
    """A published prompt."""

    language: str
    qid: str
    number: int  # the last part of `qid`
    category: str  # by our name
    level: int
    prompt: str
    reference: dict[str, Any] | None  # the published answer, with its process if that is asked for


class Pair(NamedTuple):
    """An item in both languages."""

    en: Item
    zh: Item
    place: int  # of its family within its category, from 0


def read_items(source: Path, file: str, language: str) -> list[Item]:
    """The items of a file, by number; UserError if one is not as published."""
    if not (source / file).is_file():
        needed = ", ".join(COUNTS)
        raise UserError(f"{source} has no {file}; give the folder with {needed}.")
    found = dict[str, Item]()
    for where, line in read_lines(source / file, Line, "an item of LogicGame"):
        number = line.qid.rpartition("_")[2]
        if not (number.isascii() and number.isdigit()):
            raise UserError(f"{where} has the qid {line.qid!r}, which does not end with a number.")
        if line.category not in CATEGORIES or not 0 <= line.level <= 3:
            raise UserError(
                f"{where} has the category {line.category!r} and the level {line.level}, which "
                f"LogicGame does not have."
            )
        if line.qid in found:
            raise UserError(f"{where} has the qid {line.qid!r} of an earlier line.")
        found[line.qid] = Item(
            language,
            line.qid,
            int(number),
            CATEGORIES[line.category],
            line.level,
            line.contexts[0],
            line.reference,
        )
    return sorted(found.values(), key=lambda item: item.number)


def pairs(english: list[Item], chinese: list[Item]) -> Iterator[Pair]:
    """The items of both languages: those of a category and level are in the same order."""
    for category in CATEGORIES.values():
        for level in range(4):
            of = [
                [item for item in items if (item.category, item.level) == (category, level)]
                for items in (english, chinese)
            ]
            if len(of[0]) != len(of[1]):
                raise UserError(
                    f"there are {len(of[0])} English and {len(of[1])} Chinese items of {category} "
                    f"at level {level}, which cannot be paired; take both files as published."
                )
            for place, (one, other) in enumerate(zip(*of, strict=True)):
                yield Pair(one, other, place)
