"""What rows say about an instance, computed once per name."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

from quandary.catalogue import drawing
from quandary.catalogue.spec import Spec
from quandary.catalogue.splits import canonical_hash
from quandary.core.contract import Form, Game, family_of

from .starts import listed_starts
from .state_questions import StateQuestion, state_question
from .worked_answers import domain_of

MOST_KEPT = 50_000  # instances; matches of one instance stand close together


class Instance(NamedTuple):
    """What rows say about one instance."""

    spec: Spec
    level: str  # with its changes
    family: str
    id: str  # equal for equal starts
    listed: int | None
    seats: int
    reference: float | None
    reference_is_bound: bool | None
    lower_is_better: bool
    tries: int | None  # answers that are allowed; None for games
    form: Form
    state: StateQuestion
    domain: str | None  # of a question with a worked answer


class Instances:
    """Instances by name, in a cache that drops the least recently used."""

    def __init__(self) -> None:
        self.kept = OrderedDict[str, Instance]()
        self.listed = dict[tuple[str, str, str], int | None]()

    def of(self, name: str, start: Callable[[], Game]) -> Instance:
        """The instance of a name; `start` gives its first position if it is not known yet."""
        found = self.kept.get(name)
        if found is None:
            found = self.kept[name] = self._made(name, start())
            if len(self.kept) > MOST_KEPT:
                self.kept.popitem(last=False)
        else:
            self.kept.move_to_end(name)
        return found

    def _made(self, name: str, start: Game) -> Instance:
        spec = Spec.parse(name)
        level = drawing.level_name(spec)
        group = spec.task, spec.name, level
        if group not in self.listed:
            self.listed[group] = listed_starts(spec)
        reference, asked = start.reference(), start.asked_question()
        return Instance(
            spec,
            level,
            family_of(start),
            f"{canonical_hash(start):016x}",
            self.listed[group],
            start.seats,
            reference,
            None if reference is None else start.reference_is_bound(),
            start.better == "low",
            asked.tries if asked else None,
            start.form,
            state_question(start),
            domain_of(start, spec.name),
        )
