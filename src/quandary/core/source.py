"""The source of a puzzle from outside the package."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, TypeAlias
from weakref import WeakKeyDictionary

Kind: TypeAlias = Literal["folder", "distribution"]


class Source(NamedTuple):
    """The folder or the installed distribution of a puzzle, and a hash of its files.

    Of a folder only the name is kept: records are the same wherever the folder stands.
    """

    kind: Kind
    name: str
    hash: str  # the first 16 digits of the SHA-256 of the file, or of all files in its folder

    def __str__(self) -> str:
        return f"the {self.kind} {self.name!r}"

    def tag(self) -> dict[str, str]:
        """Return the form in records: {"folder": "my_puzzles", "hash": "0123456789abcdef"}."""
        return {self.kind: self.name, "hash": self.hash}

    @classmethod
    def from_tag(cls, tag: Any) -> Source | None:
        """Return what a record says; None where it says nothing that can be read."""
        if not isinstance(tag, dict) or not all(isinstance(value, str) for value in tag.values()):
            return None
        for kind in ("folder", "distribution"):
            if tag.keys() == {kind, "hash"}:
                return cls(kind, tag[kind], tag["hash"])
        return None


_SOURCES: WeakKeyDictionary[type, Source] = WeakKeyDictionary()  # by class


def set_source(puzzle: type, source: Source) -> None:
    """Remember where a class was loaded from."""
    _SOURCES[puzzle] = source


def source_of(puzzle: type) -> Source | None:
    """Return where a class or one of its bases was loaded from; None within the package."""
    return next((_SOURCES[base] for base in puzzle.__mro__ if base in _SOURCES), None)
