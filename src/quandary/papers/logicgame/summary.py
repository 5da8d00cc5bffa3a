"""What was read of the published items, by category and family, and what was left out and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .categories import CATEGORIES, EXECUTION
from .items import LANGUAGES
from .reading import ReadItem, ReadPair

NONE = "none read"


class FamilyCounts(NamedTuple):
    """The items of a family; counts are English, then Chinese ones."""

    category: str
    family: str  # its key, or NONE
    items: tuple[int, int]
    read: tuple[int, int]

    @property
    def left_out(self) -> tuple[int, int]:
        return self.items[0] - self.read[0], self.items[1] - self.read[1]


class LeftOut(NamedTuple):
    """Items of one family that are left out for the same reason."""

    category: str
    family: str
    why: str
    items: list[str]  # by language and number, such as "en 54"


def family_counts(pairs: Sequence[ReadPair]) -> list[FamilyCounts]:
    """Return one row per family."""
    return [
        FamilyCounts(category, family, (len(own), len(own)), (_read(own, 0), _read(own, 1)))
        for (category, family), own in _families(pairs).items()
    ]


def totals(counts: Sequence[FamilyCounts], *, execution: bool) -> FamilyCounts:
    """Return the sum of a domain: execution or planning."""
    own = [row for row in counts if (row.category in EXECUTION.values()) == execution]
    items = sum(row.items[0] for row in own), sum(row.items[1] for row in own)
    read = sum(row.read[0] for row in own), sum(row.read[1] for row in own)
    families = sum(row.family != NONE for row in own)
    return FamilyCounts("execution" if execution else "planning", f"all {families}", items, read)


def left_out(pairs: Sequence[ReadPair]) -> list[LeftOut]:
    """Return why items are left out."""
    found = dict[tuple[str, str, str], list[str]]()
    for (category, family), own in _families(pairs).items():
        for one in _items(own):
            if one.question is None:
                named = f"{one.item.language} {one.item.number}"
                found.setdefault((category, family, one.why), []).append(named)
    return [LeftOut(*key, items) for key, items in found.items()]


def _families(pairs: Sequence[ReadPair]) -> dict[tuple[str, str], list[ReadPair]]:
    """Return the pairs of each family."""
    placed = dict[tuple[str, int], list[ReadPair]]()
    for pair in pairs:
        placed.setdefault((pair.en.item.category, pair.place), []).append(pair)
    found = dict[tuple[str, str], list[ReadPair]]()
    for (category, _), own in placed.items():
        found.setdefault((category, _family(own)), []).extend(own)
    order = list(CATEGORIES.values())
    return dict(sorted(found.items(), key=lambda one: (order.index(one[0][0]), one[0][1])))


def _family(pairs: Sequence[ReadPair]) -> str:
    """Return the family of the items that are read."""
    read = (one.question.family for one in _items(pairs) if one.question is not None)
    return next(read, NONE)


def _items(pairs: Sequence[ReadPair]) -> Iterator[ReadItem]:
    for at in range(len(LANGUAGES)):
        yield from (pair[1:][at] for pair in pairs)


def _read(pairs: Sequence[ReadPair], language: int) -> int:
    return sum(pair[1:][language].question is not None for pair in pairs)
