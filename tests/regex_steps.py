"""The steps of regular expressions, counted by a matcher of our own that backtracks as `re` does.

Time would tell as much, but it depends on the machine.  Every match is compared with that of `re`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]
from types import ModuleType
from typing import Any, NamedTuple
from unittest.mock import patch

from quandary.core.late_pattern import LatePattern

NONE = -1  # no match
WINDOW = 120  # starts in the middle of a long text, which stand for all others there
EDGE = 30  # starts at its beginning and at its end
DEEPEST = 1_000_000  # calls within each other: a few for each character

Rest = Callable[[int], int]  # what follows in a pattern: where the match ends, or NONE


@dataclass
class Run:
    """One attempt to match at one place of a text."""

    text: str
    end: int
    steps: int = 0
    groups: dict[int, tuple[int, int]] = field(default_factory=dict)


Node = Callable[[Run, int, Rest], int]


class Character(NamedTuple):
    """Matches one character, or not."""

    fits: Callable[[str], bool]


def _same(at: int) -> int:
    return at


def _only_at(end: int) -> Rest:
    return lambda at: at if at == end else NONE


class Matcher:
    """A pattern, as functions that call what follows them and try again if that fails.

    They are plain functions all the way: calls through C, as of `partial`, cannot be so deep.
    """

    def __init__(self, real: re.Pattern[str]) -> None:
        parsed = _parser.parse(real.pattern, real.flags)
        self.state, self.real = parsed.state, real
        self.whole = self._sequence(parsed, real.flags)

    def steps(self, text: str, start: int, end: int, *, full: bool = False) -> int:
        """The steps of an attempt at one place, whose result must be that of `re`."""
        run, limit = Run(text, end), sys.getrecursionlimit()
        sys.setrecursionlimit(DEEPEST)
        try:
            found = self.whole(run, start, _only_at(end) if full else _same)
        finally:
            sys.setrecursionlimit(limit)
        expected = (self.real.fullmatch if full else self.real.match)(text, start, end)
        assert found == (expected.end() if expected else NONE), (self.real, text[start:][:40])
        return run.steps

    def _sequence(self, parsed: Any, flags: int) -> Node:
        nodes = [self._node(code, given, flags) for code, given in parsed]

        def match(run: Run, at: int, rest: Rest, number: int = 0) -> int:
            for place in range(number, len(nodes)):
                node = nodes[place]
                if not isinstance(node, Character):
                    return node(run, at, follow(run, rest, place + 1))
                run.steps += 1
                if at >= run.end or not node.fits(run.text[at]):
                    return NONE
                at += 1
            return rest(at)

        def follow(run: Run, rest: Rest, number: int) -> Rest:
            return lambda at: match(run, at, rest, number)

        return match

    def _node(self, code: Any, given: Any, flags: int) -> Node | Character:
        match str(code):
            case "LITERAL" | "NOT_LITERAL" | "ANY" | "IN":
                return Character(self._alone(code, given, flags))
            case "AT":
                return self._place(code, given, flags)
            case "BRANCH":
                return _branch([self._sequence(one, flags) for one in given[1]])
            case "SUBPATTERN":
                group, added, removed, inner = given
                assert not removed
                return _group(group, self._sequence(inner, flags | added))
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                return self._repeat(str(code), *given, flags)
            case "ATOMIC_GROUP":
                return _atomic(self._sequence(given, flags))
            case "ASSERT" | "ASSERT_NOT":
                return self._assertion(str(code) == "ASSERT", *given, flags)
            case "GROUPREF":
                return _reference(given)
            case "GROUPREF_EXISTS":
                group, yes, no = given
                return _condition(
                    group, self._sequence(yes, flags), self._sequence(no or [], flags)
                )
        raise AssertionError(f"{code} is not known")

    def _compiled(self, code: Any, given: Any, flags: int) -> re.Pattern[str]:
        part = _parser.SubPattern(self.state, [(code, given)])
        return _compiler.compile(part, flags)  # type: ignore[no-any-return]

    def _alone(self, code: Any, given: Any, flags: int) -> Callable[[str], bool]:
        pattern = self._compiled(code, given, flags)
        return lru_cache(maxsize=None)(lambda sign: pattern.fullmatch(sign) is not None)

    def _place(self, code: Any, given: Any, flags: int) -> Node:
        pattern = self._compiled(code, given, flags)

        def match(run: Run, at: int, rest: Rest) -> int:
            run.steps += 1
            return rest(at) if pattern.match(run.text, at, run.end) else NONE

        return match

    def _assertion(self, wanted: bool, direction: int, inner: Any, flags: int) -> Node:
        back = inner.getwidth()[0] if direction < 0 else 0
        node = self._sequence(inner, flags)

        def match(run: Run, at: int, rest: Rest) -> int:
            run.steps += 1
            found = at >= back and node(run, at - back, _same) != NONE
            return rest(at) if found == wanted else NONE

        return match

    def _repeat(self, kind: str, least: int, most: Any, inner: Any, flags: int) -> Node:
        limit = sys.maxsize if most is _constants.MAXREPEAT else int(most)
        nodes = [self._node(code, given, flags) for code, given in inner]
        if len(nodes) == 1 and isinstance(nodes[0], Character):
            return _repeated_character(kind, least, limit, nodes[0])
        return _repeated(kind, least, limit, self._sequence(inner, flags))


def _branch(ways: Sequence[Node]) -> Node:
    def match(run: Run, at: int, rest: Rest) -> int:
        for way in ways:
            run.steps += 1
            if (end := way(run, at, rest)) != NONE:
                return end
        return NONE

    return match


def _group(group: int | None, inner: Node) -> Node:
    if group is None:
        return inner

    def match(run: Run, at: int, rest: Rest) -> int:
        def close(to: int) -> int:
            before = run.groups.get(group)
            run.groups[group] = at, to
            end = rest(to)
            if end == NONE and before is None:
                del run.groups[group]
            elif end == NONE and before is not None:
                run.groups[group] = before
            return end

        return inner(run, at, close)

    return match


def _atomic(inner: Node) -> Node:
    def match(run: Run, at: int, rest: Rest) -> int:
        to = inner(run, at, _same)
        return NONE if to == NONE else rest(to)

    return match


def _reference(group: int) -> Node:
    def match(run: Run, at: int, rest: Rest) -> int:
        start, end = run.groups.get(group, (0, NONE))
        run.steps += max(1, end - start)
        same = end != NONE and run.text[start:end] == run.text[at : at + end - start]
        return rest(at + end - start) if same and at + end - start <= run.end else NONE

    return match


def _condition(group: int, yes: Node, no: Node) -> Node:
    def match(run: Run, at: int, rest: Rest) -> int:
        return (yes if group in run.groups else no)(run, at, rest)

    return match


def _repeated_character(kind: str, least: int, most: int, character: Character) -> Node:
    def reach(run: Run, at: int, limit: int) -> int:
        last = min(run.end, at + limit)
        to = at
        while to < last and character.fits(run.text[to]):
            to += 1
        run.steps += to - at + 1
        return to

    def greedy(run: Run, at: int, rest: Rest) -> int:
        for to in range(reach(run, at, most), at + least - 1, -1):
            run.steps += 1
            if (end := rest(to)) != NONE or kind == "POSSESSIVE_REPEAT":
                return end
        return NONE

    def lazy(run: Run, at: int, rest: Rest) -> int:
        to = reach(run, at, least)
        while to - at >= least:
            run.steps += 1
            if (end := rest(to)) != NONE:
                return end
            if to - at >= most or to >= run.end or not character.fits(run.text[to]):
                break
            to += 1
        return NONE

    return lazy if kind == "MIN_REPEAT" else greedy


def _repeated(kind: str, least: int, most: int, inner: Node) -> Node:
    def greedy(run: Run, at: int, rest: Rest, count: int = 0) -> int:
        run.steps += 1

        def again(to: int) -> int:
            is_empty = to == at and count >= least
            return NONE if is_empty else greedy(run, to, rest, count + 1)

        end = inner(run, at, again) if count < most else NONE
        return rest(at) if end == NONE and count >= least else end

    def lazy(run: Run, at: int, rest: Rest, count: int = 0) -> int:
        run.steps += 1
        end = rest(at) if count >= least else NONE
        if end != NONE or count >= most:
            return end
        return inner(run, at, lambda to: NONE if to == at else lazy(run, to, rest, count + 1))

    if kind == "POSSESSIVE_REPEAT":
        return _atomic(greedy)
    return lazy if kind == "MIN_REPEAT" else greedy


matcher = lru_cache(maxsize=None)(Matcher)


@lru_cache(maxsize=100_000)
def steps_of(real: re.Pattern[str], method: str, text: str, start: int, end: int) -> float:
    """The steps of a call of a pattern's method; of a long text, some starts stand for others."""
    known = matcher(real)
    if method in ("match", "fullmatch"):
        return known.steps(text, start, end, full=method == "fullmatch")
    starts = list(_starts(real, method, text, start, end))
    if len(starts) <= WINDOW + 2 * EDGE:
        return sum(known.steps(text, at, end) for at in starts)
    middle = starts[EDGE:-EDGE]
    at = (len(middle) - WINDOW) // 2
    seen = sorted(known.steps(text, at, end) for at in middle[at : at + WINDOW])
    edges = sum(known.steps(text, at, end) for at in (*starts[:EDGE], *starts[-EDGE:]))
    # The highest may be the only one of its kind; others come up again in a repetitive text.
    return edges + seen[-1] + sum(seen[:-1]) / (WINDOW - 1) * (len(middle) - 1)


def _starts(real: re.Pattern[str], method: str, text: str, start: int, end: int) -> Iterator[int]:
    """Where a search tries to match."""
    for found in real.finditer(text, start, end):
        yield from range(start, found.start() + 1)
        if method == "search":
            return
        start = max(found.end(), found.start() + 1)
    yield from range(start, end + 1)


class Use(NamedTuple):
    """One call of a method of a pattern."""

    real: re.Pattern[str]
    method: str
    text: str
    start: int
    end: int

    def steps(self) -> float:
        return steps_of(*self)


class CountedPattern:
    """A pattern that writes down how it is used."""

    def __init__(self, real: re.Pattern[str], uses: list[Use]) -> None:
        self.real, self.uses = real, uses

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.real, name)
        if not callable(found):
            return found

        def use(*given: Any, **named: Any) -> Any:
            first = 1 if name in ("sub", "subn") else 0
            text = given[first] if len(given) > first else named["string"]
            places = given[1:] if name not in ("sub", "subn", "split") else ()
            start = min(places[0], len(text)) if places else 0
            end = min(places[1], len(text)) if len(places) > 1 else len(text)
            self.uses.append(Use(self.real, name, text, start, end))
            return found(*given, **named)

        return use


@contextmanager
def written_down(*modules: ModuleType) -> Iterator[list[Use]]:
    """How patterns of these modules, and others that are compiled meanwhile, are used."""
    uses = list[Use]()
    compiled = re._compile  # type: ignore[attr-defined]

    def compile_counted(pattern: Any, flags: int) -> Any:
        if isinstance(pattern, CountedPattern):
            return pattern
        return CountedPattern(compiled(pattern, flags), uses)

    with patch.object(re, "_compile", compile_counted):
        replaced = [
            patch.object(module, name, _counted(value, uses))
            for module in modules
            for name, value in vars(module).items()
            if isinstance(value, re.Pattern | LatePattern)
        ]
        for one in replaced:
            one.start()
        try:
            yield uses
        finally:
            for one in replaced:
                one.stop()


def _counted(value: Any, uses: list[Use]) -> CountedPattern:
    if isinstance(value, LatePattern):
        text, flags = value._given
        value = re.compile(text, flags)
    return value if isinstance(value, CountedPattern) else CountedPattern(value, uses)
