"""The tasks on positions of a game (`check:`, `next:`, `whole:`), which are puzzles themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from quandary.catalogue import drawing, registry
from quandary.catalogue.spec import TASKS
from quandary.core.contract import Puzzle
from quandary.core.errors import UserError
from quandary.core.naming import name_of
from quandary.tasks.blind_rules import best_shares, highest_fair_share
from quandary.tasks.state_check import StateCheck
from quandary.tasks.state_task import StateTask

from .case import Case, Draws, Tell, tell_nobody

VISIBLE = {  # what a blind rule looks at, in words
    "moves": "the number of legal moves",
    "length": "the length of the state",
    "depth": "the depth",
    "is_child_shown": "whether a tried child is shown",
    "is_child_first": "whether the tried child is the first move",
}


def task_cases(
    puzzle: type[Puzzle],
    level: str,
    seeds: Sequence[int],
    draws: Draws,
    tell: Tell = tell_nobody,
) -> Iterator[Case]:
    """One level of a puzzle, asked in every other way that it can be asked in."""
    for task in TASKS:
        place = f"{task}:{name_of(puzzle)}/{level}"
        try:
            arguments = drawing.level_of(drawing.named(f"{place}#{seeds[0]}"))
            drawing.instance(f"{place}#{seeds[0]}")
        except UserError:  # this task does not exist on this puzzle, or not at this level
            continue
        wrapper = registry.load(task)
        yield Case(wrapper, place, "only", seeds, partial(_instance, place), arguments, draws, tell)


def _instance(place: str, seed: int) -> Puzzle:
    return drawing.instance(f"{place}#{seed}")


def state_tasks_show_their_puzzle(case: Case) -> Iterator[str]:
    """Whoever sees nothing but a state task must be able to answer it."""
    for task in (one for one in case.questions if isinstance(one, StateTask)):
        for language in task.languages:
            shown = task.text(0, language)
            if task.start.text(0, language) not in shown:
                yield "the state task hides its puzzle: `text` of its start is missing"
            if task.position.shown_state(language) not in shown:
                yield f"the state task does not show the position it asks about ({language})"


def labels_are_not_told(case: Case) -> Iterator[str]:
    """No threshold on one visible thing may get more labels right than luck does."""
    if not issubclass(case.puzzle, StateCheck):
        return
    drawn = case.drawn(case.name, case.make, case.draws.labels)
    questions: list[StateCheck] = list(drawn)  # type: ignore[arg-type]
    limit = highest_fair_share(len(questions))
    for thing, share in best_shares(questions).items():
        if share > limit:
            yield (
                f"the sampler tells the label: {VISIBLE[thing]} is enough to get {share:.0%} of "
                f"{len(questions)} labels right, where luck gets {limit:.0%} at most"
            )
