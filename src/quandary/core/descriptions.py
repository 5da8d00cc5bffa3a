"""Descriptions of the fields of a position, for authors of programs that get them.

stones: Annotated[int, Doc("stones left in the pile")]

The same goes for the classes of values inside fields: dataclasses, named tuples and structs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from inspect import cleandoc
from typing import Any, NamedTuple, get_args, get_type_hints

from .secrecy import Viewable, hidden_fields


class Doc(NamedTuple):
    """The description of a field, beside its type."""

    text: str


@cache
def descriptions_of(cls: type) -> dict[str, str]:
    """Return the fields of a class that are described, with their descriptions."""
    hints = get_type_hints(cls, include_extras=True)
    found = {name: _description(hint) for name, hint in hints.items()}
    return {name: text for name, text in found.items() if text}


def fields_of(cls: type) -> tuple[str, ...]:
    """Return the names of the fields of a dataclass, a named tuple or a struct; none of other
    classes.
    """
    if is_dataclass(cls):
        return tuple(field.name for field in fields(cls))
    return getattr(cls, "_fields", ()) or getattr(cls, "__struct_fields__", ())


def parts_of(cls: type[Viewable]) -> dict[type, str]:
    """Return the classes of values that some seat sees inside a puzzle, each with a field that
    holds them.

    Puzzles inside puzzles are not among them: they have their own views.
    """
    hints, hidden = (
        get_type_hints(cls),
        [name for name, veil in hidden_fields(cls) if veil == "secret"],
    )
    found: dict[type, str] = {}
    for name in fields_of(cls):
        if name not in hidden:
            for part in _parts(hints[name], set(found)):
                found[part] = name
    return found


def describe(schema: dict[str, Any], cls: type) -> None:
    """Write the descriptions of the fields of a class into its JSON schema.

    Where its values are lists in JSON, nobody could tell their entries apart without the names of
    the fields, so these become titles.
    """
    names, texts = fields_of(cls), descriptions_of(cls)
    if "description" in schema:  # the docstring; new versions of Python remove the indent
        schema["description"] = cleandoc(schema["description"])
    if "prefixItems" in schema:
        entries = schema["prefixItems"]
        start = len(entries) - len(names)  # a struct may have its tag before its fields
        for place, name in enumerate(names, start):
            entries[place] = {"title": name} | _described(entries[place], texts.get(name))
        return
    properties = schema["properties"]
    for name, key in zip(names, getattr(cls, "__struct_encode_fields__", names), strict=True):
        if key in properties:
            properties[key] = _described(properties[key], texts.get(name))


def _described(schema: dict[str, Any], text: str | None) -> dict[str, Any]:
    return {"description": text} | schema if text else schema


def _description(hint: Any) -> str:
    notes = getattr(hint, "__metadata__", ())
    return next((note.text for note in notes if isinstance(note, Doc)), "")


def _parts(kind: Any, known: set[type]) -> Iterator[type]:
    """Yield the classes with fields in a type, and in the types of their fields, that are not
    known.
    """
    if isinstance(kind, type) and fields_of(kind) and not issubclass(kind, Viewable):
        if kind in known:
            return
        known.add(kind)
        yield kind
        hints = get_type_hints(kind)
        for name in fields_of(kind):
            yield from _parts(hints.get(name), known)
    for inner in get_args(kind):
        yield from _parts(inner, known)
