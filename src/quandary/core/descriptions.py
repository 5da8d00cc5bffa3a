"""What the fields of a position mean, for whoever writes a program that is given them.

stones: Annotated[int, Doc("stones left in the pile")]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import is_dataclass
from functools import cache
from typing import Any, NamedTuple, get_args, get_type_hints


class Doc(NamedTuple):
    """The description of a field, beside its type."""

    text: str


@cache
def descriptions_of(cls: type) -> dict[str, str]:
    """The fields of a class that are described, with their descriptions."""
    hints = get_type_hints(cls, include_extras=True)
    found = {name: _description(hint) for name, hint in hints.items()}
    return {name: text for name, text in found.items() if text}


def name_entries(definitions: dict[str, Any], cls: type) -> None:
    """Give the entries of named tuples their names, as titles, in the schemas of a class's parts.

    In JSON a named tuple is a list, so without the names nobody could tell its entries apart.
    """
    for part in _parts(cls, set()):
        entries = definitions.get(part.__name__, {}).get("prefixItems", [])
        if len(entries) == len(names := getattr(part, "_fields", ())):
            for entry, name in zip(entries, names, strict=True):
                entry["title"] = name


def _description(hint: Any) -> str:
    notes = getattr(hint, "__metadata__", ())
    return next((note.text for note in notes if isinstance(note, Doc)), "")


def _parts(kind: Any, known: set[type]) -> Iterator[type]:
    """A class, and the classes of the fields of its fields."""
    if isinstance(kind, type) and (is_dataclass(kind) or hasattr(kind, "_fields")):
        if kind in known:
            return
        known.add(kind)
        yield kind
        for hint in get_type_hints(kind).values():
            yield from _parts(hint, known)
    for inner in get_args(kind):
        yield from _parts(inner, known)
