"""Game of 24: join numbers two at a time with + - * / until one expression is left that equals 24.

From FineReason.  Readings: arithmetic is exact, so fractions and negative values are allowed on the way; dividing by zero is not.
A position is a multiset of expressions: neither their order nor the order inside a sum or a product tells two positions apart.
A position that cannot be won any more is played on: only the last expression ends the game.

Every instance is solvable.  Difficulty is the number of first steps (of 36 at most) after which it still is: an easy one has
seven or more, a medium one three to six, a hard one one or two, as 3 3 8 8 has, which takes 8 / (3 - 8 / 3).
Of the 1820 ways to take four numbers from 1 to 13, 1362 are solvable.  A fifth number makes it easier, not harder.
"""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, islice
from random import Random

from quandary.core.contract import Ending, Game, Language, Move, Options, Seat
from quandary.core.errors import Unreadable
from quandary.core.scene import Box, Label, Scene, Shape
from quandary.kit.expressions import LONGEST, SPELLINGS, Expression, joined, joins, read_expression
from quandary.solvers.game_of_24 import can_reach, ratios

HOW = "Write a step as two expressions with +, -, * or / between them, for example: 6 + 2"
LIST = 'Write the position as a list of expressions, for example: ["(6 + 2)", "3"]'
MOST_NUMBERS = 6  # what can be proven unsolvable in about a second
TRIES = 1_000  # sets drawn before a wish is given up
ANY = (1, 90)  # six numbers have 90 first steps at most


@dataclass(frozen=True)
class GameOf24(Game):
    expressions: tuple[str, ...]  # what is left to join, in the order of `_ranked`
    target: int = 24

    seats = 1
    levels = {"easy": {"openings": (7, 36)}, "medium": {"openings": (3, 6)}, "hard": {"openings": (1, 2)}}
    small = {
        "easy": "504 sets of four numbers from 1 to 13 have seven or more good first steps",
        "medium": "555 sets of four numbers from 1 to 13 have three to six good first steps",
        "hard": "303 sets of four numbers from 1 to 13 have one or two good first steps",
    }

    @classmethod
    def new(cls, rng: Random, *, openings: tuple[int, int] = ANY, count: int = 4, target: int = 24, high: int = 13) -> GameOf24:
        """A solvable set of numbers from 1 to `high` with so many good first steps; all such sets are equally likely."""
        if not (2 <= count <= MOST_NUMBERS and 1 <= high < 10**9):
            raise ValueError(f"a set holds 2 to {MOST_NUMBERS} numbers from 1 to at most a billion")
        for _ in range(TRIES):
            bars = sorted(rng.sample(range(high + count - 1), count))  # stars and bars: every multiset has the same chance
            game = cls(_ranked(str(bar - place + 1) for place, bar in enumerate(bars)), target)
            if game.solvable() and (openings == ANY or game._good_steps(openings[1] + 1) in range(openings[0], openings[1] + 1)):
                return game
        raise ValueError(f"{TRIES} sets of {count} numbers up to {high} were drawn, and none makes {target} as it should")

    def options(self) -> Options:
        pairs = combinations(map(_parsed, self.expressions), 2)
        steps = [_step(expression) for one, two in pairs for expression in joins(one, two)]
        return {0: list(dict.fromkeys(steps))} if steps else {}

    def after(self, seat: Seat, move: Move) -> GameOf24:
        step, left = _parsed(move), list(self.expressions)
        for part in step.parts:
            left.remove(part.text)
        return GameOf24(_ranked([*left, step.text]), self.target)

    def scores(self) -> tuple[float, ...]:
        return (float(len(self.expressions) == 1 and _parsed(self.expressions[0]).value == self.target),)

    def ending(self) -> Ending:
        return Ending("goal" if self.scores() == (1.0,) else "dead_end")

    def read(self, seat: Seat, said: str) -> Move:
        """Operands are expressions or their values: 8 * 3 is (6 + 2) * 3 where no 8 stands alone."""
        step, left = _line(said), list(self.expressions)
        one, two = (_taken(part, left) or part.text for part in step.parts)
        return _step(joined(_parsed(one), step.sign, _parsed(two)))

    def moves(self, said: str) -> Sequence[Move]:
        if len(said) > MOST_NUMBERS * LONGEST:
            raise Unreadable(HOW)
        left, steps = list(self.expressions), list[Move]()

        def join(node: Expression) -> str:
            one, two = (_taken(part, left) or (join(part) if part.parts else part.text) for part in node.parts)
            steps.append(_step(joined(_parsed(one), node.sign, _parsed(two))))
            return f"({steps[-1]})"

        for line in filter(str.strip, said.splitlines()):
            step = _line(line)
            if step.text not in left:  # else it sums up what was reached
                left.append(join(step))
        return steps

    def state(self) -> str:
        return json.dumps(self.expressions)

    def restate(self, said: str) -> GameOf24:
        inside = re.fullmatch(r"\[([^\[\]]*)\]", said.strip()) if len(said) <= LONGEST else None
        items = [re.fullmatch(r"""\s*(["']?)([^"']+)\1\s*""", item) for item in inside[1].split(",")] if inside else [None]
        try:
            nodes = [read_expression(item[2].translate(SPELLINGS) if item else "") for item in items]
        except Unreadable:
            raise Unreadable(LIST) from None
        if any(node.value is None for node in nodes):
            raise Unreadable("An expression divides by zero.")
        return GameOf24(_ranked(node.text for node in nodes), self.target)

    def canonical(self) -> Hashable:
        return self.target, tuple(sorted(int(number) for text in self.expressions for number in re.findall(r"\d+", text)))

    def solvable(self) -> bool:
        return can_reach(ratios(map(_value, self.expressions)), (self.target, 1))

    def whole_form(self, language: Language = "en") -> str:
        say = self.say(language)
        return say(
            "Give the whole solution in one answer: either one expression that uses every number exactly once, "
            "such as (6 + 2) * 3, or all steps in their order, one a line."
        )

    def rules(self, language: Language = "en") -> str:
        return (
            f"You are given some numbers. Join them into one expression that equals {self.target}; every number is used once.\n"
            "In each step you take two of the expressions that are left (at first they are the bare numbers) and join them with "
            "+, -, * or /; the joined expression replaces the two. Arithmetic is exact: fractions and negative values are allowed "
            "on the way, dividing by zero is not. No step can be taken back, and a step that is not allowed loses.\n"
            f"The game ends when one expression is left. It is solved if that equals {self.target}, and lost otherwise.\n"
            "Write one step: two expressions with the sign between them, for example 6 + 2, and then perhaps (6 + 2) * 3. "
            "An expression may also be written as its value: 8 * 3."
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        shown = [text if text.isdigit() else f"{text} = {_value(text)}" for text in self.expressions]
        return f"Make {self.target}. Expressions left:\n" + "\n".join(shown)

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        shapes: list[Shape] = [Label(0.1, 0.5, f"make {self.target}", size=0.6, anchor="start")]
        for row, text in enumerate(self.expressions, start=1):
            shapes.append(Box(0.1, 1.2 * row, 2, fill="mark", text=str(_value(text)), click=text))
            if not text.isdigit():
                shapes.append(Label(2.3, 1.2 * row + 0.5, text, size=min(0.45, 9 / len(text)), anchor="start"))
        bottom = 1.2 * len(self.expressions) + 1.4
        shapes += [Box(0.1 + 1.2 * place, bottom, fill="shade", text=sign, click=sign) for place, sign in enumerate("+-*/")]
        return Scene(8, bottom + 1.1, tuple(shapes))

    def judge(self, seat: Seat) -> Mapping[Move, float] | None:
        """1.0 for every step after which the target can still be made; of six numbers that takes too long."""
        if len(self.expressions) == MOST_NUMBERS:
            return None
        return {step: float(self.after(seat, step).solvable()) for step in self.branches()}

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """A step after which the target can still be made, where there is one: exact play."""
        steps = list(self.branches())
        rng.shuffle(steps)
        return next((step for step in steps if self.after(seat, step).solvable()), steps[0])

    strategies = {"oracle": oracle}

    def _good_steps(self, enough: int) -> int:
        """The number of steps that keep the game solvable, counted up to `enough`."""
        return len(list(islice((step for step in self.branches() if self.after(0, step).solvable()), enough)))


def _parsed(text: str) -> Expression:
    try:
        return read_expression(text)
    except Unreadable:
        raise Unreadable(HOW) from None


def _line(said: str) -> Expression:
    """One step as players write it, perhaps with its result behind an equals sign and what is left in brackets."""
    if len(said) > LONGEST:
        raise Unreadable(HOW)
    words = re.sub(r"\(left:[^()]*\)$", "", " ".join(said.casefold().split())).translate(SPELLINGS)
    written, *results = words.split("=")
    step = _parsed(written)
    if not step.parts or len(results) > 1:
        raise Unreadable(HOW)
    if results:
        claim = re.fullmatch(r" ?(-?[0-9]{1,30}(?:/[1-9][0-9]{0,29}|\.[0-9]{1,30})?) ?", results[0])
        if not claim or Fraction(claim[1]) != step.value:
            raise Unreadable(f"What stands after = is not the exact value of {written.strip()}. {HOW}")
    return step


def _step(expression: Expression) -> Move:
    """What makes an expression, as it is written: without the outer brackets."""
    return expression.text[1:-1]


def _taken(meant: Expression, left: list[str]) -> str:
    """The expression an operand names, taken out of what is left: itself, or one of its value if it is a number or a fraction."""
    name = meant.text if meant.text in left else ""
    value = meant.value
    if (
        not name
        and value is not None
        and meant.text == (f"({value.numerator} / {value.denominator})" if value.denominator > 1 else str(value))
    ):
        name = next((text for text in left if _value(text) == value), "")
    if name:
        left.remove(name)
    return name


def _value(text: str) -> Fraction:
    return _parsed(text).value or Fraction(0)


def _ranked(texts: Iterable[str]) -> tuple[str, ...]:
    """Longest expressions first, which puts the newest in front as FineReason does; then by value."""
    return tuple(sorted(texts, key=lambda text: (-text.count("("), _value(text), text)))
