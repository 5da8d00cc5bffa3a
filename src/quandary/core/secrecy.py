"""Secrecy: which fields of a position are hidden, and what each seat sees of it.

A field marked `Secret` is hidden from all players; of a `Private` tuple, each seat sees its own
entry.  Positions inside positions are replaced by their own views.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from functools import cache
from random import Random
from typing import Annotated, Any, Self, TypeAlias, TypeVar, get_args, get_type_hints

Seat: TypeAlias = int  # the number of a side, counted from 0

T = TypeVar("T")
Secret = Annotated[T, "secret"]  # a field no player sees
Private = Annotated[T, "private"]  # a tuple with one entry per seat; each seat sees its own


class Viewable(ABC):  # noqa: B024 - `Puzzle` adds the abstract methods
    """A position that shows each seat only what that seat may know."""

    def seen_by(self, seat: Seat) -> Self:
        """Return this position with None in place of everything that `seat` may not know."""
        cls = type(self)
        marks = hidden_fields(cls)
        if not marks:
            return self
        # `dataclasses.replace` takes five times as long, and this runs on every ply.
        seen = object.__new__(cls)
        values = seen.__dict__
        values.update(self.__dict__)
        # Only declared fields: a cached property may have been computed from a secret.
        if len(values) > len(cls.__dataclass_fields__):  # type: ignore[attr-defined]
            for name in values.keys() - cls.__dataclass_fields__.keys():  # type: ignore[attr-defined]
                del values[name]
        for name, mark in marks:
            if mark == "private":
                value = values[name]
                if len(value) == 2:  # nearly every game, so it has a fast path
                    values[name] = (None, value[seat]) if seat else (value[0], None)
                else:
                    hidden = [None] * len(value)
                    hidden[seat] = value[seat]
                    values[name] = tuple(hidden)
            elif mark == "secret":
                values[name] = None
            else:
                values[name] = _nested(values[name], lambda inner: inner.seen_by(seat))
        return seen


class HiddenInformation(Viewable):
    """A position that hides something: it has fields that are `Secret` or `Private`."""

    @abstractmethod
    def possible_position(self, rng: Random) -> Self:
        """Return a complete position that has the same view as this one; called on a view."""


V = TypeVar("V", bound=Viewable)


def possible_position(view: V, rng: Random) -> V:
    """Return a complete position that has the same view as this one."""
    if isinstance(view, HiddenInformation):
        return view.possible_position(rng)
    changes: dict[str, Any] = {}
    for name, mark in hidden_fields(type(view)):
        if mark != "nested":
            raise NotImplementedError(
                f"{type(view).__name__} hides `{name}`, so it needs `HiddenInformation` and its "
                "own `possible_position`"
            )
        changes[name] = _nested(getattr(view, name), lambda inner: possible_position(inner, rng))
    return replace(view, **changes) if changes else view  # type: ignore[type-var]


@cache
def hidden_fields(cls: type[Viewable]) -> tuple[tuple[str, str], ...]:
    """Return the fields that a view changes, as pairs (name, "secret" | "private" | "nested")."""
    hints = get_type_hints(cls, include_extras=True)
    marks = ((field.name, _mark(hints[field.name])) for field in fields(cls))  # type: ignore[arg-type]
    return tuple((name, mark) for name, mark in marks if mark)


def _mark(hint: Any) -> str:
    for note in getattr(hint, "__metadata__", ()):
        if note in ("secret", "private"):
            return str(note)
    kinds = (hint, *_parts(hint))
    nested = any(isinstance(kind, type) and issubclass(kind, Viewable) for kind in kinds)
    return "nested" if nested else ""


def _parts(hint: Any) -> Iterator[Any]:
    for part in get_args(hint):
        yield part
        yield from _parts(part)


def _nested(value: Any, change: Callable[[Viewable], Viewable]) -> Any:
    if isinstance(value, Viewable):
        return change(value)
    return tuple(_nested(item, change) for item in value) if isinstance(value, tuple) else value
