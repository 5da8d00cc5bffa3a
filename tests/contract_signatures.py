"""The public names of a class with their signatures, as `docs/contract.md` writes them."""

from __future__ import annotations

import inspect
import re
from typing import Any


def public_names(cls: type) -> list[str]:
    return [name for name in dir(cls) if not name.startswith("_")]


def signature_of(cls: type, name: str) -> str:
    """`after(seat: Seat, move: Move) -> Self` for a method, `seats: int` for what is a value."""
    owner = next(base for base in cls.__mro__ if name in vars(base))
    found = vars(owner)[name]
    if isinstance(found, property):
        return f"{name}: {found.fget.__annotations__['return']}"  # type: ignore[union-attr]
    function = getattr(found, "__func__", found)
    if not inspect.isfunction(function):
        return f"{name}: {_annotation(owner, name)}"
    _, *parameters = inspect.signature(function).parameters.values()
    shown = ", ".join(map(_parameter, parameters))
    return f"{name}({shown}) -> {function.__annotations__['return']}"


def _annotation(owner: type, name: str) -> str:
    annotation = inspect.get_annotations(owner).get(name)
    if annotation is None:  # a value for what a base declares
        return _declared(owner.__mro__[1:], name)
    return re.sub(r"^ClassVar\[(.*)\]$", r"\1", annotation)


def _declared(bases: tuple[type, ...], name: str) -> str:
    base = next(base for base in bases if name in vars(base))
    found = vars(base)[name]
    if isinstance(found, property):
        return str(found.fget.__annotations__["return"])  # type: ignore[union-attr]
    return _annotation(base, name)


def _parameter(one: inspect.Parameter) -> str:
    stars = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
    default: Any = "" if one.default is one.empty else f" = {one.default!r}".replace("'", '"')
    return f"{stars}{one.name}: {one.annotation}{default}"
