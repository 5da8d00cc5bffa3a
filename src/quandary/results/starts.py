"""Which matches have the same start, and where the starts are a short list."""

from __future__ import annotations

from collections.abc import Hashable

from quandary.catalogue import registry
from quandary.catalogue.spec import Spec
from quandary.catalogue.splits import has_few
from quandary.matches.record import Record


class Starts:
    """Gives equal starts the same key; the canonical form of each instance is computed once."""

    def __init__(self) -> None:
        self.keys = dict[str, Hashable]()

    def of(self, record: Record) -> Hashable:
        if record.name not in self.keys:
            self.keys[record.name] = record.start.canonical()
        return self.keys[record.name]


def listed_starts(spec: Spec) -> int | None:
    """How many starts the level of an instance has, if that is a short list."""
    if spec.task not in ("", "whole"):  # the others ask about positions, of which there are more
        return None
    key = spec.level + "".join(f",{name}={value}" for name, value in spec.changes)
    few = registry.load(spec.name).small.get(key)
    return few.instances if few and has_few(few) else None
