"""Where a puzzle from outside the package was loaded from."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal["folder", "distribution"]


class Source(NamedTuple):
    """The folder or the installed distribution of a puzzle, and a hash of its files.

    Of a folder only the name is kept: records are the same wherever the folder stands.
    """

    kind: Kind
    name: str
    hash: str  # the first 16 digits of the SHA-256 of the file, or of all files of its folder

    def __str__(self) -> str:
        return f"the {self.kind} {self.name!r}"

    def tag(self) -> dict[str, str]:
        """As it stands in records: {"folder": "my_puzzles", "hash": "0123456789abcdef"}."""
        return {self.kind: self.name, "hash": self.hash}

    @classmethod
    def from_tag(cls, tag: Any) -> Source | None:
        """What a record says; None where it says nothing that can be read."""
        if not isinstance(tag, dict) or not all(isinstance(value, str) for value in tag.values()):
            return None
        for kind in ("folder", "distribution"):
            if tag.keys() == {kind, "hash"}:
                return cls(kind, tag[kind], tag["hash"])
        return None
