"""What rows say about an instance, computed once per name and version."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

from quandary.catalogue import drawing
from quandary.catalogue.spec import Spec
from quandary.catalogue.splits import canonical_hash
from quandary.core.contract import Form
from quandary.core.mixins.families import family_of
from quandary.core.mixins.objectives import better, reference, reference_is_bound
from quandary.core.question import form_of
from quandary.matches.record import Record
from quandary.tasks.question_game import asked_question

from .match_facts import start_digest
from .starts import listed_starts
from .state_questions import StateQuestion, state_question
from .worked_answers import domain_of

MOST_KEPT = 50_000  # instances; matches of one instance stand close together


class Instance(NamedTuple):
    """What rows say about one instance."""

    spec: Spec
    version: int | None  # of the puzzle, also if old records have it in their start alone
    level: str  # with its changes
    family: str
    id: str  # equal for equal starts
    digest: int  # equal for starts that are the same field by field
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
        self.kept = OrderedDict[tuple[str, int | None], Instance]()
        self.listed = dict[tuple[str, str, str], int | None]()

    def of(self, name: str, version: int | None, record: Callable[[], Record]) -> Instance:
        """Return the instance of a name, which stands for another one in another version of the
        puzzle.

        `record` gives a match of it, if it is not known yet.
        """
        found = self.kept.get((name, version))
        if found is None:
            found = self.kept[name, version] = self._made(name, record())
            if len(self.kept) > MOST_KEPT:
                self.kept.popitem(last=False)
        else:
            self.kept.move_to_end((name, version))
        return found

    def _made(self, name: str, record: Record) -> Instance:
        spec, start = Spec.parse(name), record.start
        level = drawing.level_name(spec)
        group = spec.task, spec.name, level
        if group not in self.listed:
            self.listed[group] = listed_starts(spec)
        best, asked = reference(start), asked_question(start)
        return Instance(
            spec,
            record.version,
            level,
            family_of(start),
            f"{canonical_hash(start):016x}",
            start_digest(start),
            self.listed[group],
            start.seats,
            best,
            None if best is None else reference_is_bound(start),
            better(start) == "low",
            asked.tries if asked else None,
            form_of(start),
            state_question(start),
            domain_of(start, spec.name),
        )
