"""Checks of the arguments of `new`: bounds declared in their types, and known families.

    def new(
        cls,
        rng: Random,
        *,
        side: Annotated[int, Between(2, 26)] = 8,
        stones: Annotated[Range, Between(1, MOST_STONES)] = (20, 40),
        dealt: Annotated[Range, Between(1)] | None = None,
    ) -> CardNim:

Every puzzle checks the arguments it is given when `new` is called; `new` itself checks only what
depends on several arguments at once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, wraps
from typing import Any, TypeAlias, get_args, get_type_hints

Range: TypeAlias = tuple[int, int]  # the lowest and the highest, both included


@dataclass(frozen=True)
class Between:
    """The lowest and the highest value of a number, or of both ends of a range."""

    low: float
    high: float | None = None  # None for no highest value

    def __str__(self) -> str:
        return f"{self.low} or more" if self.high is None else f"{self.low} to {self.high}"

    def refusal(self, value: Any) -> str:
        """Return why a number or a range is not allowed; "" if it is."""
        low, high = value if isinstance(value, tuple) else (value, value)
        if self.low <= low <= high and (self.high is None or high <= self.high):
            return ""
        if low > high:
            return "is empty; write the lower end first"
        kind = "a range within " if isinstance(value, tuple) else ""
        return f"is out of bounds; write {kind}{self}"


def check_arguments(new: Callable[..., Any], level: Mapping[str, Any]) -> None:
    """Raise ValueError for the first argument that is out of the bounds its type declares."""
    bounds = _bounds(new)
    if not bounds:
        return
    for name, value in level.items():
        if name in bounds and value is not None and (refusal := bounds[name].refusal(value)):
            raise ValueError(f"{name}={argument_text(value)} {refusal}")


def checked(new: classmethod[Any, Any, Any]) -> classmethod[Any, Any, Any]:
    """Return the method `new` of a puzzle, with its arguments checked first."""
    plain = new.__func__

    @wraps(plain)
    def checking(cls: Any, rng: Any, *args: Any, **level: Any) -> Any:
        check_arguments(plain, level)
        check_family(level.get("family"), getattr(cls, "families", ()))
        return plain(cls, rng, *args, **level)

    return classmethod(checking)


def check_family(family: str | None, families: Collection[str]) -> None:
    """Raise ValueError for a family that a puzzle with families does not have."""
    if family is not None and families and family not in families:
        raise ValueError(f"family={family} is unknown; choose one of {', '.join(families)}")


def argument_text(value: object) -> str:
    """Return an argument of `new` as it is written in a spec: 8, 3..4, true, none."""
    if isinstance(value, tuple):
        low, high = value
        return str(low) if low == high else f"{low}..{high}"
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)


@cache
def _bounds(new: Callable[..., Any]) -> Mapping[str, Between]:
    """Read the bounds when first needed: the types may name a class that is not yet defined."""
    hints = get_type_hints(new, include_extras=True)
    return {name: bounds for name, hint in hints.items() for bounds in _declared(hint)}


def _declared(hint: Any) -> Iterator[Between]:
    """Yield the bounds in a type, which may be one of several alternatives: `Annotated[...] |
    None`.
    """
    for part in (hint, *get_args(hint)):
        for note in getattr(part, "__metadata__", ()):
            if isinstance(note, Between):
                yield note
