"""Finding puzzles and making instances.

A puzzle's name is that of its file or folder; there is no list to keep.  Puzzles from outside the
package are found by `outside`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from itertools import islice
from random import Random
from typing import Any

from quandary.core import codec
from quandary.core.bounds import argument_text, check_arguments
from quandary.core.contract import Game, Language, Puzzle, Question, Seat, name_of
from quandary.core.errors import UserError, unknown, unknown_language
from quandary.tasks.attempt import Attempt
from quandary.tasks.next_state import NextState
from quandary.tasks.published_wording import PublishedWording, Unscored
from quandary.tasks.search_tree import deepest
from quandary.tasks.state_check import StateCheck
from quandary.tasks.whole import Whole

from . import loading, outside
from .arguments import argument, defaults, keywords, read_argument
from .discovery import HOME, built_in
from .published_seeds import advice, published_instance
from .spec import Spec
from .splits import PUBLISHED, belongs, check_split

DRAWS = 1_000  # instances that are drawn to find one of a split
BASES, TASKS_PER_BASE = 200, 10  # instances and tasks on each that are drawn to find a task
SHALLOW = 50  # instances without a position of the wanted depth, after which none is expected
REGISTERED: dict[str, type[Puzzle]] = {}  # classes that are known for a while: see `registered`
WRAPPERS: dict[str, type[Puzzle]] = {
    wrapper.task: wrapper
    for wrapper in (Attempt, Whole, StateCheck, NextState, PublishedWording, Unscored)
}


def modules() -> dict[str, str]:
    """Puzzle name -> module: those of the package in the order of the groups, then others."""
    usable, _ = _outside(outside.surroundings())
    return built_in() | {name: puzzle.module for name, puzzle in usable.items()}


@cache
def _outside(
    where: outside.Surroundings | None,
) -> tuple[dict[str, outside.OutsidePuzzle], dict[str, str]]:
    return outside.sort_out(outside.find(where), {*built_in(), *WRAPPERS})


def names() -> list[str]:
    return list(modules())


def refused() -> dict[str, str]:
    """Names of puzzles from outside that cannot be used, and why."""
    return dict(_outside(outside.surroundings())[1])


def group(name: str) -> str:
    """The folder a puzzle lives in, below `puzzles`: "duels", "questions/words".

    From outside it is "outside", or the name of the distribution.
    """
    if name in built_in():
        return built_in()[name].removeprefix(HOME + ".").rpartition(".")[0].replace(".", "/")
    if name in REGISTERED:
        return "outside"
    puzzle = _outside(outside.surroundings())[0][name]
    return "outside" if puzzle.kind == "folder" else puzzle.origin


def load(name: str) -> type[Puzzle]:
    """The puzzle of that name.  Only its own file is imported."""
    known = WRAPPERS.get(name) or REGISTERED.get(name)
    return known or _load(name, outside.surroundings())


@cache
def _load(name: str, where: outside.Surroundings | None) -> type[Puzzle]:
    usable, refusals = _outside(where)
    if name in refusals:
        raise UserError(refusals[name])
    if name in usable:
        return loading.load_outside(usable[name])
    if name not in built_in():
        raise unknown("puzzle", name, names())
    return loading.load_built_in(name, built_in()[name])


@contextmanager
def registered(puzzle: type[Puzzle]) -> Iterator[None]:
    """Knows a class that was defined anywhere by its name for a while."""
    name = name_of(puzzle)
    if name in WRAPPERS or puzzle.__module__.startswith(HOME + "."):
        yield
        return
    REGISTERED[name] = puzzle
    try:
        yield
    finally:
        del REGISTERED[name]


def named(text: str) -> Spec:
    """The spec a text stands for, in its one spelling: an instance has one name."""
    spec = Spec.parse(text)
    if not spec.changes:
        return spec
    usual = level_of(replace(spec, changes=())) | (
        defaults(_drawing(spec.task)) if spec.task else {}
    )
    given = level_of(spec) | _given_to_task(spec)
    changes = tuple(
        (key, argument_text(given[key]))
        for key, _ in spec.changes
        if key not in usual or usual[key] != given[key]
    )
    return replace(spec, changes=changes)


def level_of(spec: Spec) -> dict[str, Any]:
    """The arguments of `new` that a spec stands for."""
    return _level_of(spec, load(spec.name))


def level_name(spec: Spec) -> str:
    """The level of an instance with its changes, such as `easy,height=2`.

    Arguments of a task choose among the questions of a level, so they are left out.
    """
    of_task = task_arguments(spec.task)
    changes = (f",{key}={value}" for key, value in spec.changes if key not in of_task)
    return spec.level + "".join(changes)


@cache
def task_arguments(task: str) -> dict[str, Any]:
    """The arguments of a task, which stand among the changes of a spec, and their types."""
    return keywords(_drawing(task)) if task else {}


def _drawing(task: str) -> Callable[..., Iterator[Puzzle]]:
    return WRAPPERS[task].drawn  # type: ignore[attr-defined, no-any-return]


def _given_to_task(spec: Spec) -> dict[str, Any]:
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


def _level_of(spec: Spec, puzzle: type[Puzzle]) -> dict[str, Any]:
    if puzzle.task:  # a task is named as a prefix
        raise unknown("puzzle", spec.name, names())
    if spec.level not in puzzle.levels:
        raise unknown("level", spec.level, puzzle.levels, of=spec.name)
    level, of_task = dict(puzzle.levels[spec.level]), task_arguments(spec.task)
    for key, text in spec.changes:
        if key not in of_task:
            level[key] = argument(puzzle, key, text, of_task)
    return level


def instance(spec: Spec | str) -> Puzzle:
    """The puzzle a spec names: `card_nim/hard#7` is the seventh hard one, always and everywhere.

    A task on positions is about the first instance, from that of its base on, that has a fitting
    position.
    """
    spec = named(str(spec)) if isinstance(spec, str) or spec.changes else spec
    if spec.problem:
        raise UserError(
            f"{spec} is a problem of an import; play it with quandary run --problems DIR."
        )
    puzzle = load(spec.name)
    level = _level_of(spec, puzzle)
    check_split(spec, puzzle)
    of_task = task_arguments(spec.task)
    changes = tuple((key, text) for key, text in spec.changes if key not in of_task)
    drawn = _drawn(replace(spec.base, changes=changes), puzzle, level)
    return _task(spec, drawn) if spec.task else next(drawn)


def _drawn(spec: Spec, puzzle: type[Puzzle], level: Mapping[str, Any]) -> Iterator[Puzzle]:
    """The instances of the spec's split, in the order in which its luck draws them."""
    if spec.split == PUBLISHED:
        yield published_instance(spec, puzzle)
        return
    rng, missed = Random(str(spec)), 0
    while missed < DRAWS:
        try:
            made = puzzle.new(rng, **level)
        except ValueError as reason:
            raise _refusal(spec, reason) from reason
        if belongs(made, spec.split, spec.level):
            yield made
            missed = 0
        missed += 1
    raise UserError(
        f"{spec}: none of {DRAWS} drawn instances belongs to {spec.split}; change the arguments, "
        f"or use another split."
    )


def _task(spec: Spec, drawn: Iterator[Puzzle]) -> Puzzle:
    """The first task on one of the drawn instances that belongs to the spec's split."""
    wrapper, rng, given = WRAPPERS[spec.task], Random(str(spec)), _given_to_task(spec)

    def fits(position: Puzzle) -> bool:
        return belongs(position, spec.split, spec.level)

    (wanted, _), reached = given.get("depth") or (0, 0), 0.0  # depths
    for number, base in enumerate(islice(drawn, BASES), start=1):
        if not isinstance(base, Game):
            raise UserError(
                f"{spec.name} is a single question, so there is no {spec.task}: task on it."
            )
        if refusal := wrapper.refusal(base):  # type: ignore[attr-defined]
            raise UserError(f"{spec.name} has no {spec.task}: task, because {refusal}.")
        reached = max(reached, deepest(base))
        if number == SHALLOW and reached < wanted:
            break
        for made in islice(_drawing(spec.task)(rng, base, fits, **given), TASKS_PER_BASE):
            if belongs(made, spec.split, spec.level):
                return made
    raise UserError(f"{spec}: {_nothing_fits(spec, reached if reached < wanted else None)}.")


def _nothing_fits(spec: Spec, deepest: float | None) -> str:
    """Why no instance has a task, and what to do; `deepest` is given if it is not deep enough."""
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
    """`new` refuses what it cannot make with a few words; here they become a sentence."""
    return UserError(f"{spec}: {str(reason).rstrip('.')}.")


def game(spec: Spec | str, *, tries: int = 1, language: Language = "en") -> Game:
    """The instance as something to play; a question becomes an `Attempt` of some tries.

    A language that the puzzle does not speak is refused.
    """
    return as_game(instance(spec), tries=tries, language=language)


def as_game(puzzle: Puzzle, *, tries: int = 1, language: Language = "en") -> Game:
    """A puzzle as something to play: see `game`."""
    if language not in puzzle.languages:
        raise unknown_language(language, puzzle.languages, of=name_of(type(puzzle)))
    if isinstance(puzzle, Question):
        return Attempt(puzzle, tries if puzzle.retry else 1)
    return puzzle  # type: ignore[return-value]


def from_json(text: str | bytes) -> Puzzle:
    """The position that JSON stands for; its puzzle is looked up by name."""
    return codec.unpack(codec.decode(text), load)


def from_view_json(text: str | bytes) -> tuple[Puzzle, Seat]:
    """The view a seat was sent, as a position with None for what it may not know."""
    return codec.unpack_view(codec.decode(text), load)
