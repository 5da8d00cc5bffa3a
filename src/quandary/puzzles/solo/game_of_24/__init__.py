"""Game of 24: combine numbers two at a time with + - * / into one expression that equals 24.

From FineReason.  Interpretations: arithmetic is exact, so intermediate fractions and negative
values are allowed; dividing by zero is not.  A position is a multiset of expressions: positions
that differ only in the order of expressions, or in the order inside sums and products, are equal.
A game that can no longer be won goes on: only the last expression ends it.

Every instance is solvable.  Difficulty is the number of first moves (of 36 at most) after which it
still is: an easy one has seven or more, a medium one three to six, a hard one one or two, as
3 3 8 8 has, which takes 8 / (3 - 8 / 3).  Of the 1820 ways to take four numbers from 1 to 13, 1362
are solvable.  A fifth number makes it easier, not harder.
"""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from random import Random
from typing import Annotated

from quandary.core.boards import captions, cards, stack
from quandary.core.bounds import Between, Range
from quandary.core.contract import (
    Doc,
    Ending,
    Game,
    Implied,
    InstanceCount,
    JudgedMoves,
    Language,
    Move,
    Options,
    Seat,
    StateTasks,
    WholeAnswers,
)
from quandary.core.errors import Unreadable
from quandary.core.moves import half_width
from quandary.core.scene import Scene
from quandary.puzzles._shared.expressions import (
    LONGEST,
    SPELLINGS,
    Exact,
    Expression,
    Steps,
    is_made_of,
    joined,
    number_text,
    read_expression,
)

from .solver import ANY, TRIES, can_reach, random_numbers, ratios

MOST_NUMBERS = 6  # so many can be proven unsolvable in about a second
LEFT = re.compile(r"\(left:[^()]*\)$")
# in half width: 第一步:13 - 6, 先算 9 * 8, 我选择:**9 + 8**
CHINESE_LEAD = re.compile(r"(?:第 ?[一1] ?步|我?(?:选择?|先)?(?:计?算)?) ?:? ?")
CHINESE_SIGNS = (("加", "+"), ("减", "-"), ("乘以", "*"), ("乘", "*"), ("除以", "/"))
RESULT = re.compile(r" ?(-?[0-9]{1,30}(?:/[1-9][0-9]{0,29}|\.[0-9]{1,30})?) ?")
LIST = re.compile(r"\[([^\[\]]*)\]")
LIST_ENTRY = re.compile(r"""\s*(["']?)([^"']+)\1\s*""")


@dataclass(frozen=True)
class GameOf24(
    StateTasks,
    WholeAnswers,
    JudgedMoves,
    Game,
    speaks_with=("quandary.puzzles._shared.expressions",),
):
    expressions: Annotated[tuple[str, ...], Doc("what is left to join")]
    target: Annotated[int, Doc("the value that must be reached")] = 24

    version = 2
    state_task_version = 1
    seats = 1
    levels = {
        "easy": {"openings": (7, 36)},
        "medium": {"openings": (3, 6)},
        "hard": {"openings": (1, 2)},
    }
    distinct_instances = {
        "easy": InstanceCount(
            504, "sets of four numbers up to 13 with seven or more good first moves"
        ),
        "medium": InstanceCount(
            555, "sets of four numbers up to 13 with three to six good first moves"
        ),
        "hard": InstanceCount(
            303, "sets of four numbers up to 13 with one or two good first moves"
        ),
    }

    @classmethod
    def new(
        cls,
        rng: Random,
        *,
        openings: Range = ANY,
        count: Annotated[int, Between(2, MOST_NUMBERS)] = 4,
        target: int = 24,
        high: Annotated[int, Between(1, 999_999_999)] = 13,
    ) -> GameOf24:
        """Return a solvable set with so many good first moves; all such sets are equally likely."""
        if numbers := random_numbers(rng, count, high, target, openings):
            return cls(_ranked(map(str, numbers)), target)
        raise ValueError(
            f"none of {TRIES} sets of {count} numbers up to {high} makes {target} with "
            f"{openings[0]} to {openings[1]} good first moves"
        )

    def options(self) -> Options:
        return {0: Steps(self.expressions)} if len(self.expressions) > 1 else {}

    def after(self, seat: Seat, move: Move) -> GameOf24:
        step, left = read_expression(f"({move})"), list(self.expressions)
        for part in step.parts:
            left.remove(part.text)
        return GameOf24(_ranked([*left, step.text]), self.target)

    def scores(self) -> tuple[float, ...]:
        return (float([_value(text) for text in self.expressions] == [self.target]),)

    def ending(self) -> Ending:
        return Ending("goal" if self.scores() == (1.0,) else "dead_end")

    def read(self, seat: Seat, text: str) -> Move:
        """Return the move that `text` names; an operand may be a value, as 8 * 3 for (6 +
        2) * 3.
        """
        step, left = _line(text), list(self.expressions)
        one, two = (_taken(part, left) or part.text for part in step.parts)
        return joined(read_expression(one), step.sign, read_expression(two)).step

    def moves(self, text: str) -> Sequence[Move]:
        if len(text) > MOST_NUMBERS * LONGEST:
            raise Unreadable()
        left, steps = list(self.expressions), list[Move]()

        def operand(part: Expression) -> Expression:
            if name := _taken(part, left):
                return part if name == part.text else read_expression(name)
            return join(part) if part.parts else part

        def join(node: Expression) -> Expression:
            one, two = map(operand, node.parts)
            is_same = (one, two) == node.parts
            made = node if is_same else joined(one, node.sign, two)
            steps.append(made.step)
            return made

        for line in filter(str.strip, text.splitlines()):
            step = _line(line)
            if step.text not in left:  # otherwise it repeats what was reached
                left.append(join(step).text)
        return steps if "\n" in text.strip() else Implied(steps)

    def how(self, language: Language = "en") -> str:
        say = self.say(language)
        return say(
            "Write one move as two expressions with +, -, * or / between them, for example: 6 + 2, "
            "and then perhaps (6 + 2) * 3. Instead of an expression you may write its value: 8 * 3."
            " Write a fraction in brackets, such as 6 / (1/4), and no decimals."
        )

    def whole_form(self, language: Language = "en") -> str:
        say = self.say(language)
        return say(
            "Give the solution in one answer: either one expression that uses every number exactly "
            "once, such as (6 + 2) * 3, or all moves in order, one per line and nothing else. A "
            "minus sign may stand only between two expressions."
        )

    def rules(self, language: Language = "en") -> str:
        say = self.say(language)
        rules = say(
            "You are given some numbers. Combine them into one expression that equals {target}; "
            "every number is used exactly once.\n"
            "In each move you take two of the expressions that are left (at first, the numbers "
            "themselves) and combine them with +, -, * or /; the new expression replaces the two. "
            "Arithmetic is exact: fractions and negative values are allowed on the way, dividing "
            "by zero is not. No move can be taken back.\n"
            "The game ends when only one expression is left. You win if that expression equals "
            "{target}; otherwise you lose. An illegal move loses at once.",
            target=self.target,
        )
        return say.lines(rules, self.how(language))

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        title = say("Make {target}. Expressions left:", target=self.target)
        return "\n".join([title, *_with_values(self.expressions)])

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        say = self.say(language)
        return stack(
            captions(say("Make {target}", target=self.target), size=0.6),
            cards(_with_values(self.expressions), columns=1, size=(8, 1)),
        )

    def state_form(self, language: Language = "en") -> str:
        say = self.say(language)
        return say(
            "A position is a JSON list of the expressions left, in any order; a move joins two of "
            'them in a new pair of brackets and is not worked out, as in ["(6 + 2)", "3"].'
        )

    def state(self) -> str:
        return json.dumps(self.expressions)

    def restate(self, text: str) -> GameOf24:
        plain = half_width(text).strip()
        inside = LIST.fullmatch(plain) if len(text) <= LONGEST else None
        entries = map(LIST_ENTRY.fullmatch, inside[1].split(",")) if inside else [None]
        try:
            nodes = [read_expression(one[2].translate(SPELLINGS) if one else "") for one in entries]
        except Unreadable:
            raise Unreadable(
                'Write the position as a list of expressions, for example: ["(6 + 2)", "3"]'
            ) from None
        if any(node.value is None for node in nodes):
            raise Unreadable("An expression divides by zero.")
        return GameOf24(_ranked(node.text for node in nodes), self.target)

    def canonical(self) -> Hashable:
        """Return the values that are left, whatever they were made of."""
        return self.target, *map(str, sorted(map(_value, self.expressions)))

    def appearance(self) -> Hashable:
        """Return the signs in the expressions, each with whether the smaller value stands before
        it.

        Most quotients, for one, lead nowhere, and so do most differences below zero.
        """
        return tuple(sorted(sign for text in self.expressions for sign in _signs(text)))

    def leads_to(self, other: GameOf24) -> bool:
        return is_made_of([read_expression(text) for text in other.expressions], self.expressions)

    def move_to(self, other: GameOf24) -> Move | None:
        """Return the move that makes one of its expressions and leaves the others."""
        made = (one.step for one in map(read_expression, other.expressions) if one.parts)
        steps = (step for step in made if step in Steps(self.expressions))
        return next((step for step in steps if self.after(0, step) == other), None)

    def solvable(self) -> bool:
        return can_reach(ratios(map(_value, self.expressions)), (self.target, 1))

    judge_budget = (MOST_NUMBERS,)

    def judge(self, seat: Seat) -> Mapping[Move, float] | None:
        """1.0 for moves after which the target can still be made; six numbers take too long."""
        if len(self.expressions) == MOST_NUMBERS:
            return None
        return {step: float(self.after(seat, step).solvable()) for step in self.branches()}

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """A move after which the target can still be made, if there is one: exact play."""
        steps = list(self.branches())
        rng.shuffle(steps)
        return next((step for step in steps if self.after(seat, step).solvable()), steps[0])

    strategies = {"oracle": oracle}
    strongest = "optimal"


def _line(text: str) -> Expression:
    """Return one move as players write it, with or without its result after = and what is left."""
    if len(text) > LONGEST:
        raise Unreadable()
    line = " ".join(text.translate(SPELLINGS).casefold().split())
    if not line.isascii():
        line = CHINESE_LEAD.sub("", line, count=1).removeprefix("**").removesuffix("**")
        for word, sign in CHINESE_SIGNS:
            line = line.replace(word, sign)
    written, *results = LEFT.sub("", line).split("=")
    step = read_expression(written)
    if not step.parts or len(results) > 1:
        raise Unreadable()
    claims = map(RESULT.fullmatch, results)
    if any(not claim or Fraction(claim[1]) != step.value for claim in claims):
        raise Unreadable(
            "What you wrote after = is not the exact value of {step}.", step=written.strip()
        )
    return step


def _taken(meant: Expression, left: list[str]) -> str:
    """Return the expression that an operand names, taken out of what is left; "" if there is none.

    A number or a fraction in lowest terms also names an expression of that value.
    """
    name, value = meant.text if meant.text in left else "", meant.value
    is_named = bool(name) or meant.sign not in ("", "/")
    if not is_named and value is not None and meant.text == number_text(value):
        name = next((text for text in left if _value(text) == value), "")
    if name:
        left.remove(name)
    return name


@lru_cache(maxsize=1 << 13)
def _signs(text: str) -> tuple[tuple[str, bool], ...]:
    """Return the signs in an expression, each with whether the smaller value stands before it."""
    step = read_expression(text)
    if not step.parts:
        return ()
    one, two = step.parts
    own = step.sign, (one.value or 0) < (two.value or 0)
    return own, *_signs(one.text), *_signs(two.text)


def _with_values(texts: Iterable[str]) -> list[str]:
    """Return the expressions as they are shown: with their values, unless they are bare numbers."""
    return [text if text.isdigit() else f"{text} = {_value(text)}" for text in texts]


def _value(text: str) -> Exact:
    return read_expression(text).value or 0


def _ranked(texts: Iterable[str]) -> tuple[str, ...]:
    """Longest expressions first, so that the newest leads as in FineReason; then by value."""
    return tuple(sorted(texts, key=_rank))


@lru_cache(maxsize=1 << 13)
def _rank(text: str) -> tuple[int, Exact, str]:
    return -text.count("("), _value(text), text
