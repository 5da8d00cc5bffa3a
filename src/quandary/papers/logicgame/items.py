"""The published files of LogicGame: items in two languages, in pairs, and references."""

from __future__ import annotations

import re
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
QID = re.compile(r"(?a:(?:[\w.-]*_)?(\d{1,9}))")
LONGEST = 5_000  # characters of a prompt; the longest one has 2,660
LONG_NUMBER = re.compile(r"\d{19,}")
COUNTS = {**dict.fromkeys(FILES.values(), 304), **dict.fromkeys(REFERENCES.values(), 10)}


class ItemRow(msgspec.Struct):
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
    """Return the items of a file, by number; UserError if one is not as published."""
    if not (source / file).is_file():
        needed = ", ".join(COUNTS)
        raise UserError(f"{source} has no {file}; give the folder with {needed}.")
    found = dict[str, Item]()
    for where, line in read_lines(source / file, ItemRow, "an item of LogicGame"):
        if fault := _fault(line):
            raise UserError(f"{where} has {fault}.")
        if line.qid in found:
            raise UserError(f"{where} has the qid {line.qid!r} of an earlier line.")
        found[line.qid] = Item(
            language,
            line.qid,
            number_of(line.qid),
            CATEGORIES[line.category],
            line.level,
            line.contexts[0],
            line.reference,
        )
    return sorted(found.values(), key=lambda item: item.number)


def number_of(qid: str) -> int:
    """Return the last part of a qid, by which the published files are ordered; 0 without one."""
    found = QID.fullmatch(qid)
    return int(found[1]) if found else 0


def _fault(line: ItemRow) -> str:
    """Return what is wrong with a line, as the end of a sentence; "" if nothing is."""
    if not QID.fullmatch(line.qid):
        return f"the qid {line.qid!r}, which does not end with a number of LogicGame"
    if line.category not in CATEGORIES or not 0 <= line.level <= 3:
        return (
            f"the category {line.category!r} and the level {line.level}, which LogicGame does not "
            f"have"
        )
    (prompt,) = line.contexts
    if not prompt.strip():
        return "an empty prompt"
    if len(prompt) > LONGEST:
        return f"a prompt of {len(prompt):,} characters, more than {LONGEST:,}"
    if number := LONG_NUMBER.search(prompt):
        return f"a number of {len(number[0])} digits in its prompt"
    return _reference_fault(line.reference)


def _reference_fault(reference: dict[str, Any] | None) -> str:
    if reference is None:
        return ""
    if not reference.get("answer"):
        return "a reference without an answer"
    if odd := [name for name, value in reference.items() if not isinstance(value, list)]:
        return f"a reference whose {' and '.join(odd)} is not a list"
    return ""


def pairs(english: list[Item], chinese: list[Item]) -> Iterator[Pair]:
    """Yield the items of both languages: those of a category and level are in the same order."""
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
