"""From a spec to an instance: parse, find, check arguments, draw, divide, wrap, in this order.

sudoku/hard,empty=50@train#7   the spec is parsed                        `spec.Spec.parse`
Sudoku                         its puzzle is found                       `registry.load`
{"empty": 50, ...}             its arguments are checked                 `_arguments`
Sudoku(...), Sudoku(...), ...  instances are drawn                       `_drawn`
Sudoku(...)                    the first one of the split is taken       `_of_split`
StateCheck(Sudoku(...), ...)   a task on it is drawn, if one is named    `_task`
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import chain, islice
from random import Random
from typing import Any, NamedTuple

from quandary.core.bounds import argument_text, check_arguments
from quandary.core.contract import AskedOnce, Game, Language, Puzzle, Question, StateTasks
from quandary.core.errors import UserError, unknown, unknown_language
from quandary.core.naming import name_of
from quandary.core.wrapper import task_of
from quandary.tasks.question_game import QuestionGame
from quandary.tasks.search_tree import deepest

from .arguments import argument, defaults, keywords, read_argument
from .published_seeds import advice, published_instance
from .registry import WRAPPERS, load, names
from .spec import Spec
from .splits import PUBLISHED, belongs, check_split

DRAWS = 1_000  # instances that are drawn to find one of a split
BASES, TASKS_PER_BASE = 200, 10  # instances and tasks on each that are drawn to find a task
ALIKE = 20  # instances without positions that are alike, after which they need not be
SHALLOW = 50  # instances without a position of the wanted depth, after which none is expected


def game(spec: Spec | str, *, tries: int = 1, language: Language = "en") -> Game:
    """Return the instance as something to play; a question becomes an `QuestionGame` of some tries.

    A language that the puzzle does not speak is refused.
    """
    return as_game(instance(spec), tries=tries, language=language)


def as_game(puzzle: Puzzle, *, tries: int = 1, language: Language = "en") -> Game:
    """Return a puzzle as something to play: see `game`."""
    if language not in puzzle.languages:
        raise unknown_language(language, puzzle.languages, of=name_of(type(puzzle)))
    if isinstance(puzzle, Question):
        return QuestionGame(puzzle, 1 if isinstance(puzzle, AskedOnce) else tries)
    return puzzle  # type: ignore[return-value]


def instance(spec: Spec | str, puzzle: type[Puzzle] | None = None) -> Puzzle:
    """Return the puzzle a spec names: `card_nim/hard#7` is the seventh hard one, always and
    everywhere.

    A task on positions is about the first instance, from that of its base on, that has a fitting
    position.  `puzzle` is the class that the spec names, if it has been looked up.
    """
    asked = _asked(spec, puzzle)
    check_split(asked.spec, asked.puzzle)
    instances = _of_split(asked.base, _drawn(asked))
    return _task(asked, instances) if asked.spec.task else next(instances)


def named(text: str) -> Spec:
    """Return the spec a text stands for, in its one spelling: an instance has one name."""
    spec = Spec.parse(text)
    return _asked(spec).spec if spec.changes else spec


def level_of(spec: Spec) -> dict[str, Any]:
    """Return the arguments of `new` that a spec stands for."""
    return _arguments(spec, load(spec.name))


def level_name(spec: Spec) -> str:
    """Return the level of an instance with its changes, such as `easy,height=2`.

    Arguments of a task choose among the questions of a level, so they are left out.
    """
    return spec.level + "".join(f",{key}={value}" for key, value in _changes_of_level(spec))


def puzzle_and_level(spec: Spec) -> tuple[str, str]:
    """Return puzzle and level as tables name them: with task, changes and split."""
    task = f"{spec.task}:" if spec.task else ""
    split = "" if spec.split == "test" else f"@{spec.split}"
    return f"{task}{spec.name}", f"{level_name(spec)}{split}"


class _Asked(NamedTuple):
    """The instance that a spec asks for."""

    spec: Spec  # in its one spelling
    base: Spec  # without the task and its arguments
    puzzle: type[Puzzle]
    level: Mapping[str, Any]  # arguments of `new`
    given: Mapping[str, Any]  # arguments of the task


def _asked(spec: Spec | str, puzzle: type[Puzzle] | None = None) -> _Asked:
    spec = Spec.parse(spec) if isinstance(spec, str) else spec
    if spec.problem:
        raise UserError(
            f"{spec} is a problem of an import; play it with quandary run --problems DIR."
        )
    puzzle = puzzle or load(spec.name)
    level = _arguments(spec, puzzle)
    if not spec.task and not spec.changes:
        return _Asked(spec, spec, puzzle, level, {})
    given = _task_arguments(spec)
    spec = _in_one_spelling(spec, puzzle, level | given)
    base = replace(spec.base, changes=_changes_of_level(spec)) if spec.task else spec
    return _Asked(spec, base, puzzle, level, given)


def _arguments(spec: Spec, puzzle: type[Puzzle]) -> dict[str, Any]:
    """Return the arguments of `new`: those of the level, with the changes of the spec."""
    if task_of(puzzle):  # a task is named as a prefix
        raise unknown("puzzle", spec.name, names())
    if spec.level not in puzzle.levels:
        raise unknown("level", spec.level, puzzle.levels, of=spec.name)
    level = dict(puzzle.levels[spec.level])
    of_task = task_arguments(spec.task) if spec.changes else {}
    for key, text in spec.changes:
        if key not in of_task:
            level[key] = argument(puzzle, key, text, of_task)
    return level


def _task_arguments(spec: Spec) -> dict[str, Any]:
    """Return the arguments of the task, which stand among the changes of the spec."""
    if not (known := task_arguments(spec.task)):
        return {}
    given = {
        key: read_argument(spec.task, known, key, text)
        for key, text in spec.changes
        if key in known
    }
    try:
        check_arguments(_drawing(spec.task), given)
    except ValueError as reason:
        raise _refusal(spec, reason) from reason
    return given


@cache
def task_arguments(task: str) -> dict[str, Any]:
    """Return the arguments that a task takes, and their types."""
    return keywords(_drawing(task)) if task else {}


def _drawing(task: str) -> Callable[..., Iterator[Puzzle]]:
    return WRAPPERS[task].drawn  # type: ignore[attr-defined, no-any-return]


def _in_one_spelling(spec: Spec, puzzle: type[Puzzle], given: Mapping[str, Any]) -> Spec:
    """Return the spec without changes that change nothing, and with each value in its one
    spelling.
    """
    if not spec.changes:
        return spec
    usual = dict(puzzle.levels[spec.level])
    if spec.task:
        usual |= defaults(_drawing(spec.task))
    changes = tuple(
        (key, argument_text(given[key]))
        for key, _ in sorted(spec.changes)
        if key not in usual or usual[key] != given[key]
    )
    return replace(spec, changes=changes)


def _changes_of_level(spec: Spec) -> tuple[tuple[str, str], ...]:
    of_task = task_arguments(spec.task)
    return tuple((key, text) for key, text in spec.changes if key not in of_task)


def _drawn(asked: _Asked) -> Iterator[Puzzle]:
    """Yield instances of the level, in the order in which the luck of the spec draws them."""
    if asked.base.split == PUBLISHED:
        yield published_instance(asked.base, asked.puzzle)
        return
    rng = Random(str(asked.base))
    while True:
        try:
            made = asked.puzzle.new(rng, **asked.level)
        except ValueError as reason:
            raise _refusal(asked.base, reason) from reason
        yield made


def _of_split(spec: Spec, drawn: Iterator[Puzzle]) -> Iterator[Puzzle]:
    """Yield the drawn instances that belong to the split of the spec."""
    missed = 0
    for made in drawn:
        if spec.split == PUBLISHED or belongs(made, spec.split, spec.level):
            yield made
            missed = 0
        missed += 1
        if missed == DRAWS:
            raise UserError(
                f"{spec}: none of {DRAWS} drawn instances belongs to {spec.split}; change the "
                f"arguments, or use another split."
            )


def _task(asked: _Asked, instances: Iterator[Puzzle]) -> Puzzle:
    """Return the first task on one of the instances that belongs to the split of the spec."""
    spec, given, rng = asked.spec, asked.given, Random(str(asked.spec))
    wrapper = WRAPPERS[spec.task]

    def fits(position: Puzzle) -> bool:
        return belongs(position, spec.split, spec.level)

    (wanted, _), reached = given.get("depth") or (0, 0), 0.0  # depths
    for number, (base, is_alike) in enumerate(islice(_bases(instances), BASES), start=1):
        if not isinstance(base, Game):
            raise UserError(
                f"{spec.name} is a single question, so there is no {spec.task}: task on it."
            )
        if refusal := wrapper.refusal(base):  # type: ignore[attr-defined]
            raise UserError(f"{spec.name} has no {spec.task}: task, because {refusal}.")
        reached = max(reached, deepest(base))
        if number == SHALLOW and reached < wanted:
            break
        drawn = _drawing(spec.task)(rng, base, fits, is_alike, **given)
        for made in islice(drawn, TASKS_PER_BASE):
            if belongs(made, spec.split, spec.level):
                return made
    raise UserError(f"{spec}: {_nothing_fits(spec, reached if reached < wanted else None)}.")


def _bases(instances: Iterator[Puzzle]) -> Iterator[tuple[Puzzle, bool]]:
    """Yield instances to draw tasks on, and whether the two positions of a task must be alike.

    In a small split, such as dev of `game_of_24/hard`, hardly any two positions are.
    """
    tried = list[Puzzle]()
    for base in islice(instances, ALIKE):
        yield base, True
        if isinstance(base, StateTasks) and base.appearance() is not None:
            tried.append(base)
    for base in chain(tried, instances):
        yield base, False


def _nothing_fits(spec: Spec, deepest: float | None) -> str:
    """Return why no instance has a task, and what to do; `deepest` if none is deep enough."""
    if deepest is not None:
        return f"no instance is so deep; choose a depth of at most {deepest:.0f}"
    if spec.split == PUBLISHED:
        return (
            f"{spec.base} has no position that it can ask about; take another published seed, or "
            f"leave @published out{advice(spec.name)}"
        )
    remedy = (
        "change its arguments, or choose another level" if spec.changes else "take another seed"
    )
    return f"no position of {BASES} instances fits; {remedy}"


def _refusal(spec: Spec, reason: ValueError) -> UserError:
    """Turn the few words with which `new` refuses its arguments into a sentence."""
    return UserError(f"{spec}: {str(reason).rstrip('.')}.")
