"""LogicGame imported into a folder: published prompts, with the questions that give them a key."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from quandary.arena.store import Store
from quandary.core.errors import UserError
from quandary.papers.imports import (
    Problem,
    check_target,
    keep_import,
    manifest_for,
    write_problems,
)
from quandary.tasks.published_wording import Unscored

from . import defects
from .items import COUNTS, FILES, LANGUAGES, REFERENCES, Item, pairs, read_items
from .reading import ReadItem, ReadPair, read_pair

PAPER = "logicgame"


class Compared(NamedTuple):
    """A published reference beside our key."""

    item: Item
    key: dict[str, object] | None  # None if the item is left out
    why: str  # it is left out
    defect: str  # of the reference, if one is known

    @property
    def agrees(self) -> bool:
        return self.key == self.item.reference


class Imported(NamedTuple):
    """What an import brought."""

    pairs: list[ReadPair]
    references: list[Compared]
    counts: dict[str, int]  # items by file

    @property
    def problems(self) -> Iterator[Problem]:
        """All English ones, then all Chinese ones."""
        for language in LANGUAGES:
            yield from (_problem(getattr(pair, language)) for pair in self.pairs)

    @property
    def other_counts(self) -> Iterator[tuple[str, int, int]]:
        """Files with another number of items than the published ones, which comes last."""
        for file, count in self.counts.items():
            if count != COUNTS[file]:
                yield file, count, COUNTS[file]


def bring(source: Path, folder: Path) -> Imported:
    """Import the published files in `source`."""
    check_target(folder, source)
    found = load(source)
    problems = list(found.problems)

    def write(draft: Path) -> None:
        with Store(draft, manifest_for(PAPER, problems)):
            write_problems(draft, problems)

    keep_import(folder, write)
    return found


def load(source: Path) -> Imported:
    """Return all items, read; UserError names the file and the line of a wrong one."""
    if not source.is_dir():
        raise UserError(f"{source} is not a folder; give the one with the published files.")
    items = {language: read_items(source, FILES[language], language) for language in LANGUAGES}
    if both := {item.qid for item in items["en"]} & {item.qid for item in items["zh"]}:
        raise UserError(
            f"both languages have an item {min(both)}; take both files as published, in which "
            f"each item has a qid of its own."
        )
    references = {
        language: read_items(source, REFERENCES[language], language) for language in LANGUAGES
    }
    found = [read_pair(pair) for pair in pairs(items["en"], items["zh"])]
    counts = {FILES[language]: len(items[language]) for language in LANGUAGES}
    counts |= {REFERENCES[language]: len(references[language]) for language in LANGUAGES}
    read = {one.item.qid: one for pair in found for one in (pair.en, pair.zh)}
    given = [item for language in LANGUAGES for item in references[language]]
    known = {
        one.item.qid: defects.REFERENCES.get(pair.en.item.number, "")
        for pair in found
        for one in (pair.en, pair.zh)
    }
    compared = [_compared(item, read.get(item.qid), known.get(item.qid, "")) for item in given]
    return Imported(found, compared, counts)


def _compared(item: Item, read: ReadItem | None, defect: str) -> Compared:
    if read is None:
        raise UserError(f"{item.qid} has a reference, but is not among the items.")
    if item.reference is None:
        raise UserError(f"{item.qid} is among the references, but has none.")
    key = json.loads(read.question.solution()) if read.question else None
    return Compared(item, key, read.why, defect)


def _problem(read: ReadItem) -> Problem:
    item = read.item
    asked = read.question or Unscored(item.prompt, item.language, read.why)
    return Problem(
        PAPER, item.category, str(item.level), item.qid, asked, item.language, item.prompt
    )
