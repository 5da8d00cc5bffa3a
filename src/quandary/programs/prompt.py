"""The prompt that asks a model for a program, derived from what a puzzle declares."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count, islice
from random import Random
from typing import TypeAlias

from quandary.catalogue import drawing
from quandary.catalogue.spec import Spec
from quandary.catalogue.splits import TRAIN, is_test_only
from quandary.core import codec
from quandary.core.contract import Game, Puzzle, Question
from quandary.core.errors import UserError
from quandary.core.mixins.families import families_of
from quandary.core.mixins.turns import sample_of
from quandary.core.naming import name_of
from quandary.matches.match import Match

from .imports import MODULES
from .settings import MEMORY

CLOCK = 300  # seconds of processor time per match
AGAIN = "Reply in the same form, with the whole module."
TEMPLATE = '''class Player:
    """One object per match: what you keep in self lasts until the match ends."""

    def play(self, view: dict):
        ...'''
FAILURES = {  # of a program in a match, by their causes
    "syntax": "it does not compile",
    "unreadable": "there is no class Player, or what it returned is no move",
    "illegal": "it made a move that the rules forbid",
    "crash": "it ended with an error",
    "timeout": "it took too much time",
    "memory": "it took too much memory",
    "flood": "it wrote too much",
}
NO_PROGRAM = f"Your reply has no program with a class Player. {AGAIN}"
WHERE = "{where}"  # stands for the levels, if there are several texts
FITS = f"It may also return data that fits this JSON schema{WHERE}:\n"
FITS_ONE = (
    f"It may also return data. For one question{WHERE} it would have to fit this JSON schema; its "
    f"bounds and words are those of that question, and other questions have their own:\n"
)
LIKE_IT = 8  # questions that tell whether the answers to all fit one schema
REPLY = '{"reasoning": "how the program plays", "code": "the whole module"}'


Examples: TypeAlias = Mapping[str, Puzzle]  # instances by level and family


def program_prompt(
    puzzle: type[Puzzle],
    instance: Puzzle | None = None,
    clock: int = CLOCK,
    place: str = "",
    libraries: Sequence[str] = (),
) -> str:
    """Return what a model is sent; with an instance, its rules and not those of all levels.

    `place` is the level of the instance, with its family.  UserError if a puzzle that draws its
    rules comes without an instance.
    """
    name = name_of(puzzle)
    if puzzle.drawn_rules and instance is None:
        level = next(iter(puzzle.levels))
        raise UserError(
            f"{name} draws its rules with each instance; name one, for example {name}/{level}#1."
        )
    examples = {place: instance} if instance else dict(_examples(puzzle))
    parts = [
        _task(puzzle, instance, place),
        *_rules(examples),
        *_view_and_move(examples),
        f"Define this class. What else the module contains runs before every match.\n\n{TEMPLATE}",
        _limits(clock, libraries),
        f"Reply with one JSON object and nothing else:\n{REPLY}",
    ]
    return "\n\n".join(parts)


def repair_prompt(cause: str, words: str, where: str) -> str:
    """Return what a model is told of a failure of its program in a trial match."""
    return f"Your program lost a trial match ({where}): {FAILURES[cause]} ({words!r}). {AGAIN}"


def _task(puzzle: type[Puzzle], instance: Puzzle | None, place: str) -> str:
    name, where = name_of(puzzle), "of every level"
    if instance:
        where = "with the rules below" if puzzle.drawn_rules else f"of the level {place}"
    if issubclass(puzzle, Question):
        return f"Write a Python program that answers questions of {name} {where}."
    return f"Write a Python program that plays games of {name} {where}, from every seat."


def _examples(puzzle: type[Puzzle]) -> Iterator[tuple[str, Puzzle]]:
    """Yield an instance of each level and family; not one that tests are made of, if there are
    others.
    """
    for level in puzzle.levels:
        for family in families_of(puzzle) or ("",):
            place = f"{level},family={family}" if family else level
            yield place, next(_instances(puzzle, place))


def _instances(puzzle: type[Puzzle], place: str) -> Iterator[Puzzle]:
    """Instances of a level and family."""
    spec = _spec(puzzle, place)
    if not is_test_only(puzzle, spec.level, dict(spec.changes).get("family", "")):
        spec = replace(spec, split=TRAIN)
    for seed in count(1):
        yield drawing.instance(spec.with_seed(seed), puzzle)


def _spec(puzzle: type[Puzzle], place: str) -> Spec:
    return Spec.parse(f"{name_of(puzzle)}/{place}#1")


def _rules(examples: Examples) -> Iterator[str]:
    for text, where in _by_text(examples, lambda _, example: example.rules()).items():
        yield f"Rules{where}:\n{text}"


def _view_and_move(examples: Examples) -> Iterator[str]:
    """Yield what the program is given, and what it returns, with schemas and an example."""
    example = next(iter(examples.values()))
    schema = json.dumps(codec.schema(type(example)), ensure_ascii=False)
    seen, seat, answer = _asked(example)
    is_game = isinstance(example, Game)
    when, asked = ("In each turn", "position") if is_game else ("For each question", "question")
    yield f"{when}, `play` is given a dict that fits this JSON schema:\n{schema}"
    yield (
        f"For example, the {asked}\n\n{seen.text(seat)}\n\nis given as\n"
        f"{codec.view_json(seen, seat)}"
    )
    what = "the move" if is_game else "the answer"
    form = "such as" if is_game else "such as (this shows the form and may be wrong)"
    yield f"`play` returns {what} as text in the form that the rules ask for, {form} {answer!r}."
    for text, where in _by_text(examples, _data).items():
        if text:
            yield text.replace(WHERE, where, 1)


def _asked(example: Puzzle) -> tuple[Puzzle, int, str]:
    """Return what is seen first, by which seat, and something that it could say."""
    if isinstance(example, Game):
        turn = next(iter(Match(example, "").turns.values()))  # after what chance has drawn
        move = next(iter(turn.options)) if turn.options else sample_of(turn.position, Random(0))
        return turn.position, turn.seat, move
    assert isinstance(example, Question)
    seen = example.seen_by(0)
    return seen, 0, seen.sample(Random(0))


def _data(place: str, example: Puzzle) -> str:
    """Return the data that may be returned at a level, with a place for where; "" if text alone may
    be.
    """
    if isinstance(example, Game):
        # Not that of the example, which may have fewer moves than other instances of the level.
        widest = example.level_notation(**drawing.level_of(_spec(type(example), place)))
        notation = example.notation() and (widest or example.notation())
        return f"{FITS}{json.dumps(notation.schema())}" if notation else ""
    schema = _schema_of_answer(example)
    if schema is None:
        return ""
    others = islice(_instances(type(example), place), LIKE_IT)
    is_shared = all(_schema_of_answer(other) == schema for other in others)
    return f"{FITS if is_shared else FITS_ONE}{json.dumps(schema)}"


def _schema_of_answer(example: Puzzle) -> object:
    assert isinstance(example, Question)
    shape = example.seen_by(0).answer_shape()
    return shape.schema() if shape else None


def _by_text(examples: Examples, text_of: Callable[[str, Puzzle], str]) -> dict[str, str]:
    """Return each different text, with the levels and families that it belongs to if there are
    others.
    """
    places = dict[str, list[str]]()
    for place, example in examples.items():
        places.setdefault(text_of(place, example), []).append(place)
    several = len(places) > 1
    return {text: f" ({', '.join(where)})" if several else "" for text, where in places.items()}


def _limits(clock: int, libraries: Sequence[str]) -> str:
    public = (module for module in MODULES if not module.startswith("_"))
    modules = ", ".join((*public, *libraries))
    return (
        f"The program runs on Python 3.11 or newer and may import these modules: {modules}. It has "
        f"no files and no network, and cannot start threads or processes, whatever it imports. "
        f"What it prints is dropped. `random` is seeded before each turn. A match may take "
        f"{clock} seconds of processor time and {MEMORY >> 20} MiB of memory. The match is lost by "
        f"an error, by going beyond a limit, and by a move that the rules forbid, unless they say "
        f"otherwise."
    )
