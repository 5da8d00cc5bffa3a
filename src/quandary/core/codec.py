"""Positions and views as JSON, both ways, validated.

Every puzzle is an object tagged with its name and version; puzzles inside puzzles likewise.
A position of a puzzle from outside the package also says where that was loaded from, under `from`,
which is a name that no field can have.
A view is the JSON of what one seat may know: it has no Secret fields, and only the seat's own
entry of a Private field.
Reading takes a function `find` that looks up a puzzle by name, because this module cannot import
the catalogue.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import MISSING, fields
from functools import cache
from typing import Annotated, Any, Literal, TypeAlias, get_args, get_type_hints

import msgspec

from .contract import Puzzle, Seat
from .descriptions import describe, descriptions_of, parts_of
from .errors import Malformed, OtherVersion, UnknownName, UserError, unknown
from .mixins.earlier_versions import EarlierVersions
from .mixins.families import families_of, family_of
from .naming import name_of
from .secrecy import hidden_fields
from .source import Source, source_of

TAGS = ("puzzle", "version", "from")
OWN_SEAT = "the seat that is asked, counted from 0"
PLAIN = frozenset({str, int, float, bool, type(None)})  # `isinstance` of a Puzzle takes longer
encode = msgspec.json.Encoder().encode
log_of_changes = logging.getLogger(__name__)

Find: TypeAlias = Callable[[str], type[Puzzle]]  # the puzzle with a name


def to_json(puzzle: Puzzle) -> str:
    """Return a whole position, secrets included."""
    return encode(pack(puzzle)).decode()


def view_json(puzzle: Puzzle, seat: Seat) -> str:
    """Return what `seat` sees, as JSON for programs and pages."""
    return encode(view(puzzle, seat)).decode()


def seen_json(seen: Puzzle, seat: Seat) -> bytes:
    """Return the same JSON, from what `seat` was given to see."""
    return encode({"seat": seat, **_view(seen, seat)})


def pack(puzzle: Puzzle) -> dict[str, Any]:
    """Return a position as plain data."""
    cls = type(puzzle)
    plain = _tag(cls)
    if source := source_of(cls):
        plain["from"] = source.tag()
    for name in _names(cls):
        value = getattr(puzzle, name)
        plain[name] = value if type(value) in PLAIN else _packed(value)
    return plain


def view(puzzle: Puzzle, seat: Seat) -> dict[str, Any]:
    """Return what `seat` sees of a position (or of its own view), as plain data."""
    return {"seat": seat} | _view(puzzle.seen_by(seat), seat)


def unpack(raw: Any, find: Find) -> Puzzle:
    """Return the position that plain data describes."""
    cls = _class_of(raw, find)
    body = {name: value for name, value in raw.items() if name not in TAGS}
    if raw["version"] < cls.version:
        body = _upgraded(cls, body, raw["version"])
    for name in body:
        if name not in _names(cls):
            raise Malformed(f"{raw['puzzle']} has no field {name!r}.")
    return _of_known_family(convert(body, cls, raw["puzzle"], find))


def _upgraded(cls: type[Puzzle], body: dict[str, Any], version: int) -> dict[str, Any]:
    """Return the fields of a position of an earlier version as this one has them; they may be
    anything.
    """
    if not issubclass(cls, EarlierVersions):
        return body
    try:
        return cls.upgraded(body, version)
    except (TypeError, ValueError, LookupError):
        raise Malformed(f"this is no {name_of(cls)} of version {version}.") from None


def unpack_view(raw: Any, find: Find) -> tuple[Puzzle, Seat]:
    """Return the view that a seat was sent, as a position with None in its hidden fields."""
    if not isinstance(raw, dict) or not isinstance(raw.get("seat"), int):
        raise UserError("a view needs a whole number under `seat`.")
    seat = raw["seat"]
    return _unpack_view(
        {name: value for name, value in raw.items() if name != "seat"}, seat, find
    ), seat


def schema(cls: type[Puzzle]) -> dict[str, Any]:
    """Return the JSON schema of what a seat sees, for programs and pages."""
    parts = parts_of(cls)
    (made, *references), definitions = msgspec.json.schema_components(
        (_view_type(cls), *parts), schema_hook=lambda _: {"type": "object"}
    )
    for part, reference in zip(parts, references, strict=True):
        describe(definitions[reference["$ref"].removeprefix("#/$defs/")], part)
    return made | {"$defs": definitions}


def decode(text: str | bytes) -> Any:
    """Return plain data from JSON; raise Malformed if the text is not JSON."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as reason:
        raise Malformed(f"this is not JSON: {reason}.") from None


def convert(raw: Any, kind: Any, what: str, find: Find) -> Any:
    """Convert plain data to a value of `kind`, positions inside it included."""

    def hook(wanted: type, inner: Any) -> Any:
        if issubclass(wanted, Puzzle):
            puzzle = unpack(inner, find)
            if isinstance(puzzle, wanted):
                return puzzle
        raise msgspec.ValidationError(f"expected a {wanted.__name__}")

    try:
        return msgspec.convert(raw, kind, dec_hook=hook)
    except (msgspec.ValidationError, RecursionError) as reason:
        raise Malformed(f"this is no {what}: {reason}.") from None


@cache
def _names(cls: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(cls))


def _tag(cls: type[Puzzle]) -> dict[str, Any]:
    return {"puzzle": name_of(cls), "version": cls.version}


def _class_of(raw: Any, find: Find) -> type[Puzzle]:
    if not isinstance(raw, dict) or not isinstance(raw.get("puzzle"), str):
        raise Malformed("a position needs the name of its puzzle under `puzzle`.")
    name, recorded = raw["puzzle"], Source.from_tag(raw.get("from"))
    try:
        cls = find(name)
    except UnknownName as reason:
        raise _missing(name, recorded) if recorded else reason from None
    if recorded:
        _check_source(name, recorded, source_of(cls))
    version = raw.get("version")
    if type(version) is not int:
        raise Malformed(f"a position of {name} needs a whole number under `version`.")
    if not cls.rules_since <= version <= cls.version:
        raise OtherVersion(name, version, cls.rules_since, cls.version)
    return cls


def _missing(name: str, recorded: Source) -> UserError:
    remedy = (
        "give that folder with --puzzles DIR"
        if recorded.kind == "folder"
        else "install that distribution"
    )
    return UserError(f"the puzzle {name!r} is missing; it was loaded from {recorded}, so {remedy}.")


def _check_source(name: str, recorded: Source, here: Source | None) -> None:
    if here is None:
        raise UserError(
            f"this {name} was loaded from {recorded}, and here {name} is a puzzle of the package; "
            f"use the quandary that wrote it."
        )
    if here.hash != recorded.hash:
        _warn_of_change(name, recorded, here)


@cache  # once, however many records there are
def _warn_of_change(name: str, recorded: Source, here: Source) -> None:
    log_of_changes.warning(
        "the file of %s has changed since the record was made: its hash was %s in %s, and is %s "
        "in %s.",
        name,
        recorded.hash,
        recorded,
        here.hash,
        here,
    )


def _packed(value: Any) -> Any:
    kind = type(value)
    if kind in PLAIN:
        return value
    if kind is tuple:
        # Most tuples hold plain values alone, and asking whether each is a puzzle takes long.
        return value if PLAIN.issuperset(map(type, value)) else tuple(map(_packed, value))
    return pack(value) if isinstance(value, Puzzle) else value


def _view(seen: Puzzle, seat: Seat) -> dict[str, Any]:
    plain = _tag(type(seen))
    for name, mark in _shown_fields(type(seen)):
        value = getattr(seen, name)
        if mark == "private":
            value = value[seat]
        elif type(value) not in PLAIN:
            value = _viewed(value, seat)
        plain[name] = value
    return plain


@cache
def _shown_fields(cls: type[Puzzle]) -> tuple[tuple[str, str], ...]:
    """Return the fields that are part of a view, with their marks."""
    marks = dict(hidden_fields(cls))
    marked = ((name, marks.get(name, "")) for name in _names(cls))
    return tuple((name, mark) for name, mark in marked if mark != "secret")


def _viewed(value: Any, seat: Seat) -> Any:
    if type(value) in PLAIN:
        return value
    if type(value) is tuple:
        return tuple([_viewed(item, seat) for item in value])
    return _view(value, seat) if isinstance(value, Puzzle) else value


@cache
def _hints(cls: type) -> dict[str, Any]:
    return get_type_hints(cls, include_extras=True)


def _unpack_view(raw: Any, seat: Seat, find: Find) -> Any:
    """Build a view field by field, because it has None where a full position has a value."""
    cls = _class_of(raw, find)
    hints, marks = _hints(cls), dict(hidden_fields(cls))
    seats = getattr(cls, "seats", 1)
    values: dict[str, Any] = {}
    for field in fields(cls):  # type: ignore[arg-type]
        name, mark = field.name, marks.get(field.name)
        if mark == "secret":
            values[name] = None
        elif name not in raw:
            if field.default is MISSING:
                raise UserError(f"{raw['puzzle']} needs the field {name!r}.")
            values[name] = field.default
        elif mark == "private":
            entry = convert(raw[name], get_args(get_args(hints[name])[0])[0], name, find)
            values[name] = tuple(entry if i == seat else None for i in range(seats))
        elif mark == "nested":
            values[name] = _unviewed(raw[name], seat, find)
        else:
            values[name] = convert(raw[name], hints[name], name, find)
    return _of_known_family(cls(**values))


def _of_known_family(puzzle: Puzzle) -> Puzzle:
    family, families = family_of(puzzle), families_of(type(puzzle))
    if families and family not in families:
        raise unknown("family", family, families, of=name_of(type(puzzle)))
    return puzzle


def _unviewed(raw: Any, seat: Seat, find: Find) -> Any:
    if isinstance(raw, list):
        return tuple(_unviewed(item, seat, find) for item in raw)
    return _unpack_view(raw, seat, find) if isinstance(raw, dict) else raw


@cache
def _view_type(cls: type[Puzzle]) -> type:
    hints, marks, described = _hints(cls), dict(hidden_fields(cls)), descriptions_of(cls)
    kept: list[tuple[str, Any]] = [
        ("seat", Annotated[int, msgspec.Meta(description=OWN_SEAT)]),
        ("puzzle", str),
        ("version", int),
    ]
    for name in _names(cls):
        mark, kind = marks.get(name), hints[name]
        if mark == "secret":
            continue
        if mark == "private":
            kind = get_args(get_args(kind)[0])[0]
        elif name == "family" and (families := families_of(cls)):
            kind = Literal[tuple(families)]
        if name in described:
            kind = Annotated[kind, msgspec.Meta(description=described[name])]
        kept.append((name, kind))
    return msgspec.defstruct(cls.__name__, kept)
