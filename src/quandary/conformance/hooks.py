"""The first check: every hook takes what the contract says, and returns it.

No other check runs on a puzzle that fails it, because each would complain about an error that
follows from this one.
"""

from __future__ import annotations

import inspect
from collections.abc import (
    Callable,
    Collection,
    Hashable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import suppress
from functools import cache
from itertools import islice
from random import Random
from types import FunctionType, NoneType, UnionType
from typing import Annotated, Any, ClassVar, Literal, Self, Union, get_args, get_origin
from typing import get_type_hints as hints_of

from quandary.core.bounds import Range
from quandary.core.contract import Game, Puzzle, Question
from quandary.core.wrapper import task_of

from .case import Case, pick

CORE = "quandary.core."
FEW = 20  # entries of a large value that are looked at
# Not called here: what takes long, what other checks say better, and what needs a wrong move.
NOT_CALLED = frozenset(
    {
        "after_round",
        "chance",
        "equivalent",
        "foul",
        "languages",
        "legal",
        "play",
        "reference",
        "reference_is_bound",
        "say",
        "sibling",
        "upgraded",
        "why_illegal",
    }
)
# Called on a position that is over.
OF_THE_END = ("ending", "scores", "values")
PLAIN: Mapping[Any, str] = {
    str: "a text (str)",
    int: "a whole number (int)",
    bool: "True or False",
    None: "None",
    NoneType: "None",
    Hashable: "something that can be hashed, such as a tuple",
    tuple[float, ...]: "a tuple of numbers",
    tuple[str, ...]: "a tuple of texts",
}
SAID_LATER = frozenset({"distinct_instances"})  # whose entries have a check of their own


def hooks_follow_the_contract(case: Case) -> Iterator[str]:
    """Of tasks, which are the package's own, only the puzzles they ask about are checked."""
    if task_of(case.puzzle):
        return
    yield from _attributes(case.puzzle)
    yield from _signatures(case.puzzle)
    yield from _arguments(case)
    start = case.starts[0]
    if not isinstance(start, case.puzzle):
        yield f"`new` must return a {case.puzzle.__name__}, not {_kind(start)}"
        return
    yield from _strategies(start)
    if isinstance(start, Game):
        yield from _options(start)
    for name in _hooks(case.puzzle):
        if name not in (*NOT_CALLED, *OF_THE_END, "new", "options", "strategies"):
            yield from _returned(start, name)
    with suppress(Exception):  # which another check reports
        last = case.matches[0][-1]
        if isinstance(last, case.puzzle):
            for name in OF_THE_END:
                yield from _returned(last, name)


def _attributes(puzzle: type[Puzzle]) -> Iterator[str]:
    """What is wrong with the values of the class itself, such as `version`."""
    for base in _contract(puzzle):
        for name, hint in _class_hints(base).items():
            value = inspect.getattr_static(puzzle, name, None)
            if name in SAID_LATER:
                hint = get_origin(get_args(hint)[0])
            is_set = value is not None and not isinstance(value, property)
            if is_set and not fits(value, hint, puzzle):
                yield f"`{name}` must be {_words(hint)}, not {_kind(value)}"


def _signatures(puzzle: type[Puzzle]) -> Iterator[str]:
    for name, base in _hooks(puzzle).items():
        expected, own = vars(base)[name], inspect.getattr_static(puzzle, name)
        if isinstance(expected, property) or own is expected:
            continue
        kind = type(expected)
        if isinstance(expected, classmethod) and not isinstance(own, classmethod):
            definition = _definition(base, name)
            yield f"`{name}` must be a class method: write @classmethod above {definition}"
        elif not isinstance(own, kind) and not callable(own):
            yield f"`{name}` must be a method, not {_kind(own)}: write {_definition(base, name)}"
        elif not _takes(own, expected):
            yield (
                f"`{name}` takes {_parameters(_plain(own))}, but it is called with "
                f"{_parameters(_plain(expected))}: write {_definition(base, name)}"
            )


def _takes(own: Any, expected: Any) -> bool:
    """Return whether a hook can be called with all arguments, and with those that have no
    default.
    """
    mine, given = inspect.signature(_plain(own)), inspect.signature(_plain(expected))
    listed = [one for one in given.parameters.values() if one.kind is one.POSITIONAL_OR_KEYWORD]
    needed = [one for one in listed if one.default is one.empty]
    bind = mine.bind_partial if _has_level(given) else mine.bind
    try:
        bind(*listed)
        bind(*needed)
    except TypeError:
        return False
    return True


def _has_level(signature: inspect.Signature) -> bool:
    """Return whether a hook is also given the arguments of a level, which differ by puzzle."""
    return any(one.kind is one.VAR_KEYWORD for one in signature.parameters.values())


def _definition(base: type, name: str) -> str:
    """Return the first line of a hook as the contract has it."""
    function = _plain(vars(base)[name])
    return f"`def {name}{_written(inspect.signature(function))}`"


def _written(signature: inspect.Signature) -> str:
    """Return a signature without the quotes around its types."""
    parts = []
    for one in signature.parameters.values():
        star = "*" * (one.kind is one.VAR_POSITIONAL) or "**" * (one.kind is one.VAR_KEYWORD)
        hint = "" if one.annotation is one.empty else f": {one.annotation}"
        default = "" if one.default is one.empty else f' = "{one.default}"'
        parts.append(f"{star}{one.name}{hint}{default}")
    return f"({', '.join(parts)}) -> {signature.return_annotation}"


def _parameters(function: Any) -> str:
    """Return what a function takes, without the arguments of a level; [...] may be left out."""
    listed = inspect.signature(function).parameters.values()
    names = [
        one.name if one.default is one.empty else f"[{one.name}]"
        for one in listed
        if one.kind is one.POSITIONAL_OR_KEYWORD
    ]
    return f"({', '.join(names)})"


def _arguments(case: Case) -> Iterator[str]:
    """What is wrong with the types of the arguments that levels give `new`."""
    try:
        hints = hints_of(_plain(inspect.getattr_static(case.puzzle, "new")))
    except NameError:  # a name in them is not defined, and so they say nothing
        return
    for level, arguments in case.puzzle.levels.items():
        for name, value in arguments.items():
            if name in hints and not fits(value, hints[name], case.puzzle):
                is_range = type(value) is int and Range in (hints[name], *get_args(hints[name]))
                advice = f": write ({value}, {value})" if is_range else ""
                yield (
                    f"`levels` gives {name!r} of {level!r} the value {value!r}, but `new` takes "
                    f"{_words(hints[name])}{advice}"
                )


def _strategies(start: Puzzle) -> Iterator[str]:
    found: Any = start.strategies
    if not isinstance(found, Mapping):
        yield f'`strategies` must be a dict such as {{"oracle": oracle}}, not {_kind(found)}'
        return
    for name, strategy in found.items():
        if not callable(strategy):
            yield (
                f"`strategies` must map {name!r} to a method, not to {_kind(strategy)}: write its "
                f"name without quotes"
            )
            continue
        try:
            inspect.signature(strategy).bind(start, 0, Random(0), 1)
        except TypeError:
            yield (
                f"the strategy {name!r} takes {_parameters(strategy)}, but it is called with "
                f"(self, seat, rng, budget)"
            )


def _options(start: Game) -> Iterator[str]:
    options: Any = start.options()
    if not isinstance(options, Mapping):
        yield f"`options` must return a dict {{seat: list of moves}}, not {_kind(options)}"
        return
    for seat, moves in options.items():
        if type(seat) is not int:
            yield f"`options` must have seats as keys, which are numbers, not {_kind(seat)}"
        if moves is None:
            continue
        if isinstance(moves, (set, frozenset)):
            yield (
                f"`options` must list the moves of a seat in a fixed order, as a list or tuple, "
                f"not as {_kind(moves)}: it has another order in another process"
            )
        elif isinstance(moves, str) or not isinstance(moves, Collection):
            yield (
                f"`options` must give the moves of a seat as a list or tuple, not as {_kind(moves)}"
            )
        else:
            for move in islice(moves, FEW):
                if not isinstance(move, str):
                    yield f"`options` must list moves as texts (str), not {_kind(move)}"


def _returned(position: Puzzle, name: str) -> Iterator[str]:
    """What is wrong with the result of a hook, if it can be called here."""
    puzzle = type(position)
    base = _hooks(puzzle)[name]
    function = _plain(vars(base)[name])
    hint = _hook_hints(base, name).get("return", Any)
    try:
        if isinstance(vars(base)[name], property):
            value = getattr(position, name)
        else:
            value = _called(position, name, function)
    except Exception:  # which another check reports
        return
    if not fits(value, hint, puzzle):
        yield f"`{name}` must return {_words(hint, puzzle)}, not {_kind(value)}"


def _called(position: Puzzle, name: str, function: Any) -> Any:
    """Return what a hook returns to arguments that it may be called with."""
    given: dict[str, Any] = {"seat": 0, "language": "en", "rng": Random(0), "other": position}
    if isinstance(position, Game):
        given["seat"] = seat = next(iter(position.options()), 0)
        if position.options():
            given["move"] = pick(position, seat, Random(0))
            given["text"] = given["answer"] = given["move"]
    if isinstance(position, Question):
        given["answer"] = position.seen_by(0).solution()
    if name == "restate":
        given["text"] = position.state()  # type: ignore[attr-defined]
    wanted = [
        one.name
        for one in list(inspect.signature(function).parameters.values())[1:]
        if one.kind is one.POSITIONAL_OR_KEYWORD
    ]
    return getattr(position, name)(*(given[one] for one in wanted))


def fits(value: Any, hint: Any, puzzle: type) -> bool:
    """Return whether a value is of a type, as far as its first entries show."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint is Any:
        return True
    if hint is Self:
        return isinstance(value, Puzzle)
    if hint in (None, NoneType):
        return value is None
    if origin in (Annotated, ClassVar):
        return fits(value, arguments[0], puzzle)
    if origin in (Union, UnionType):
        return any(fits(value, one, puzzle) for one in arguments)
    if origin is Literal:  # which of the values are known, another check says
        return type(value) in {type(one) for one in arguments}
    if hint is Hashable:
        return isinstance(value, Puzzle) or _is_hashable(value)
    if hint is float:
        return isinstance(value, (int, float))
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    if origin is Callable or not isinstance(origin or hint, type):
        return True
    if not isinstance(value, origin or hint) or isinstance(value, str) != _is_text(hint):
        return False
    return _entries_fit(value, origin, arguments, puzzle)


def _entries_fit(value: Any, origin: Any, arguments: Sequence[Any], puzzle: type) -> bool:
    if not arguments:
        return True
    if origin is not None and issubclass(origin, Mapping):
        key, inner = arguments
        return all(
            fits(one, key, puzzle) and fits(each, inner, puzzle)
            for one, each in islice(value.items(), FEW)
        )
    if origin is tuple and arguments[-1] is not Ellipsis:
        return len(value) == len(arguments) and all(
            fits(one, each, puzzle) for one, each in zip(value, arguments, strict=True)
        )
    if origin is not None and issubclass(origin, Collection):
        return all(fits(one, arguments[0], puzzle) for one in islice(value, FEW))
    return True


def _is_text(hint: Any) -> bool:
    """Return whether a type admits a text; one is not a list of its letters."""
    return hint in (str, object)


def _is_hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _words(hint: Any, puzzle: type | None = None) -> str:
    """Return a type in words, or as a puzzle's author writes it."""
    if hint is Self and puzzle:
        return f"a {puzzle.__name__}"
    if hint in PLAIN:
        return PLAIN[hint]
    if get_origin(hint) in (ClassVar, Annotated):
        return _words(get_args(hint)[0], puzzle)
    if get_origin(hint) in (Union, UnionType):
        return " or ".join(_words(one, puzzle) for one in get_args(hint))
    if isinstance(hint, type) and get_origin(hint) is None:
        return f"{'an' if hint.__name__[0] in 'AEIOU' else 'a'} {hint.__name__}"
    return str(hint).replace("typing.", "").replace("collections.abc.", "")


def _kind(value: Any) -> str:
    """Return what a value is, in words."""
    if value is None or isinstance(value, bool):
        return str(value)
    if isinstance(value, (str, int, float)):
        return f"{value!r:.40}"
    if isinstance(value, tuple) and not _is_hashable(value):
        return "a tuple that holds lists, sets or dicts"
    name, shown = type(value).__name__, repr(value)
    kind = f"{'an' if name[0] in 'AEIOUaeiou' else 'a'} {name}"
    is_short = isinstance(value, (list, tuple, dict)) and 2 < len(shown) <= 30
    return f"{kind} such as {shown}" if is_short else kind


@cache
def _hooks(puzzle: type[Puzzle]) -> Mapping[str, type]:
    """Return the public methods and properties of the contract, with the class that has each."""
    found: dict[str, type] = {}
    for base in _contract(puzzle):
        for name, value in vars(base).items():
            is_hook = isinstance(value, (FunctionType, classmethod, property))
            if is_hook and not name.startswith("_"):
                found.setdefault(name, base)
    found.pop("seen_by", None)
    return found


def _contract(puzzle: type) -> list[type]:
    return [base for base in puzzle.__mro__ if base.__module__.startswith(CORE)]


@cache
def _class_hints(base: type) -> Mapping[str, Any]:
    own = inspect.get_annotations(base)
    hints = hints_of(base, include_extras=True)
    return {name: hints[name] for name in own if not name.startswith("_")}


@cache
def _hook_hints(base: type, name: str) -> Mapping[str, Any]:
    return hints_of(_plain(vars(base)[name]))


def _plain(hook: Any) -> Any:
    """Return the function of a method, a class method or a property."""
    return inspect.unwrap(getattr(hook, "__func__", None) or getattr(hook, "fget", None) or hook)
