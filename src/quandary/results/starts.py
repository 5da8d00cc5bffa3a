"""Which matches have the same start, and where the starts are a short list."""

from __future__ import annotations

from quandary.catalogue import drawing, registry
from quandary.catalogue.spec import Spec
from quandary.catalogue.splits import canonical_hash, has_few
from quandary.matches.record import Record


class Starts:
    """Gives equal starts the same number; it is computed once for each instance."""

    def __init__(self) -> None:
        self.numbers = dict[str, int]()

    def of(self, record: Record) -> int:
        if record.name not in self.numbers:
            self.numbers[record.name] = canonical_hash(record.start)
        return self.numbers[record.name]


def listed_starts(spec: Spec) -> int | None:
    """How many starts the level of an instance has, if that is a short list."""
    if spec.task not in ("", "whole"):  # the others ask about positions, of which there are more
        return None
    few = registry.load(spec.name).small.get(drawing.level_name(spec))
    return few.instances if few and has_few(few) else None
