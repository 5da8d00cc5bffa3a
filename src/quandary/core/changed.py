"""Changed copies of positions, for methods that run on every ply."""

from __future__ import annotations

from typing import Any, TypeVar

T = TypeVar("T")
_new, _set = object.__new__, object.__setattr__


def changed(position: T, **changes: Any) -> T:
    """Return what `dataclasses.replace` makes of a frozen dataclass without `__post_init__`.

    It takes less than half the time, because it gives the copy all its fields at once, where the
    constructor sets them one by one.
    """
    cls = type(position)
    values = {**position.__dict__, **changes}
    fields = cls.__dataclass_fields__  # type: ignore[attr-defined]
    if len(values) > len(fields):
        if unknown := changes.keys() - fields.keys():
            raise TypeError(f"{cls.__name__} has no field {min(unknown)!r}")
        # Only fields: a cached property may have been computed from one that changes.
        values = {name: values[name] for name in fields}
    copy = _new(cls)
    _set(copy, "__dict__", values)
    return copy
