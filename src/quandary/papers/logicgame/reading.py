"""Published items read into our questions, category by category.

The reader of a category is the module of its name in `readers`: `read` takes a prompt and its
level, accounts for all of its text, and raises `NotRead` with the reason why it is not read.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from typing import NamedTuple

from quandary.core.worked import Worked
from quandary.papers.imports import unusable

from .defects import DIFFERENT, defects
from .families import at_place
from .items import LANGUAGES, Item, Pair
from .prompts import NotRead
from .wordings import Reader

FIELD = re.compile(r"process ?['’\"”]")  # a name of a field, not the word in a sentence


class ReadItem(NamedTuple):
    """A published item, and its question or why it has none."""

    item: Item
    question: Worked | None
    why: str = ""


class ReadPair(NamedTuple):
    """Both languages of an item."""

    place: int  # of its family within its category
    en: ReadItem
    zh: ReadItem

    @property
    def differs(self) -> bool:
        """Whether both are read, but as different questions."""
        questions = self.en.question, self.zh.question
        return None not in questions and questions[0] != questions[1]


@cache
def reader_of(category: str) -> Reader[Worked]:
    """Return what reads the items of a category."""
    read: Reader[Worked] = import_module(f"{__package__}.readers.{category}").read
    return read


def read_pair(pair: Pair) -> ReadPair:
    """Return both items of a pair, read; a difference that is not known means that one is
    misread.
    """
    known = defects(pair)
    en, zh = (_read(item, pair.place, known.get(item.language, "")) for item in (pair.en, pair.zh))
    found = ReadPair(pair.place, en, zh)
    if not found.differs or pair.en.number in DIFFERENT:
        return found
    why = f"{pair.en.qid} and {pair.zh.qid} should ask the same, but are read differently"
    return ReadPair(pair.place, ReadItem(pair.en, None, why), ReadItem(pair.zh, None, why))


def _read(item: Item, place: int, defect: str) -> ReadItem:
    try:
        made = at_place(reader_of(item.category)(item.prompt, item.level), place)
    except NotRead as reason:
        return ReadItem(item, None, defect or str(reason))
    except Exception as reason:  # a file that was changed may break a reader anywhere
        return ReadItem(item, None, f"it cannot be read ({type(reason).__name__}: {reason})")
    why = defect or _mismatch(item, made)
    return ReadItem(item, None if why else made, why)


def _mismatch(item: Item, made: Worked) -> str:
    """Return why a question is not what an item asks; "" if it is."""
    if made.level != item.level:
        return f"it is of level {item.level}, but read as one of level {made.level}"
    if made.asks_process != bool(FIELD.search(item.prompt)):
        if made.asks_process:
            return "our question asks for a process, and it does not"
        return "it asks for a process, and our question does not"
    if missing := [language for language in LANGUAGES if language not in made.languages]:
        return f"our question does not speak {missing[0]}"
    return unusable(made)
