"""Combinatorial calculation: put operators and brackets between numbers to reach a target.

From LogicGame, with its sizes.  The numbers stay in their order; values are exact fractions.  In
family b some operators are forbidden and others required.  Most targets are reached in several
ways, and each of them is right, with more brackets than needed too.  Our own answer is the shortest
one.  From level 2 on no answer does without brackets, and each operator that is forbidden or
required rules out an answer that would be right otherwise.  As in the paper, no process is asked
for at any level.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from random import Random
from typing import Annotated, NamedTuple, Self, cast

from quandary.core.boards import Cell, board, captions, stack
from quandary.core.bounds import Between
from quandary.core.contract import Doc, InstanceCount, Language, Seat
from quandary.core.scene import Scene
from quandary.core.words import Say
from quandary.core.worked import Words, Work, Worked, grown

from .solver import SIGNS, Calculation, obeys, reached, spelled, value_of

HIGHEST = 100  # target that is drawn
MANY = 4  # instances with the same numbers; numbers with fewer are seldom drawn
USED = 2  # the level from which on every rule must be needed


class Rule(NamedTuple):
    """What an expression may not or must contain."""

    kind: str  # forbidden or required
    sign: str


@dataclass(frozen=True)
class CombinatorialCalculation(Worked):
    numbers: Annotated[tuple[int, ...], Doc("the numbers in the order in which they must be used")]
    target: Annotated[int, Doc("the value that must be reached")]
    forbidden: Annotated[str, Doc("the operators that must not be used")] = ""
    required: Annotated[str, Doc("the operators that must be used")] = ""

    families = {
        "a": "any operator may be used",
        "b": "some operators are forbidden, and others required",
    }
    sizes = {
        "a": grown(
            numbers=(2, 3, 3, 5),
            largest=(9, 15, 15, 9),
            brackets=(0, 0, 1, 1),
            forbidden=(0, 0, 0, 0),
            required=(0, 0, 0, 0),
        ),
        "b": grown(
            numbers=(2, 3, 4, 4),
            largest=(9, 15, 15, 15),
            brackets=(0, 0, 1, 1),
            forbidden=(1, 1, 1, 1),
            required=(0, 1, 1, 2),
        ),
    }
    without_process = {"a": range(4), "b": range(4)}
    distinct_instances = {
        "0": InstanceCount(851, "two numbers from 1 to 9 reach few targets"),
        "0,family=a": InstanceCount(210, "two numbers from 1 to 9 reach few targets"),
        "0,family=b": InstanceCount(641, "two numbers from 1 to 9 reach few targets"),
        "2": InstanceCount(145_720, "three numbers from 1 to 15 seldom need brackets"),
        "2,family=a": InstanceCount(5_797, "three numbers from 1 to 15 seldom need brackets"),
        "3,family=b": InstanceCount(16_351, "four numbers from 1 to 15 seldom need all rules"),
    }

    @classmethod
    def draw(
        cls,
        rng: Random,
        family: str,
        level: int,
        *,
        numbers: Annotated[int, Between(2, 5)],
        largest: Annotated[int, Between(2, 99)],
        brackets: Annotated[int, Between(0, 3)],
        forbidden: Annotated[int, Between(0, 3)],
        required: Annotated[int, Between(0, 3)],
    ) -> Self | None:
        if forbidden + required > len(SIGNS) or required >= numbers:
            raise ValueError(
                f"{forbidden} forbidden and {required} required operators are too many for "
                f"{numbers} numbers; there are {len(SIGNS)} operators, and {numbers - 1} are used"
            )
        given = tuple(rng.randint(1, largest) for _ in range(numbers))
        # A rule that is needed rules out an answer that no other rule does.
        least = 1 + (forbidden + required if level >= USED else 0)
        targets = [
            target
            for target, ways in reached(given).items()
            if 0 < target <= HIGHEST and len(ways) >= least
        ]
        good = [
            made
            for (banned, needed), target in product(_policies(forbidden, required), targets)
            for made in [cls(family, level, given, target, banned, needed)]
            if made._is_good(brackets)
        ]
        # Numbers that make more instances are drawn more often, so that all are about as likely.
        return rng.choice(good) if len(good) > rng.randrange(MANY) else None

    def _is_good(self, brackets: int) -> bool:
        """Return whether it has answers, none with fewer brackets, and from level 2 on no idle
        rule.
        """
        found = self.right_answers()
        if not found or min(one.brackets for one in found) < brackets:
            return False
        return self.level < USED or self.uses_every_rule()

    def rules_in_play(self) -> Sequence[Hashable]:
        return [
            *(Rule("forbidden", sign) for sign in self.forbidden),
            *(Rule("required", sign) for sign in self.required),
        ]

    def work(self, without: Hashable = None) -> Work:
        """Return the shortest answer; without a rule, one that breaks it if there is such an
        answer.
        """
        best = min(
            self.right_answers(without),
            key=lambda one: (
                obeys(one.tokens, self.forbidden, self.required),
                len(one.tokens),
                one.tokens,
            ),
        )
        return Work.repeated(list(best.tokens))

    def right_answers(self, without: Hashable = None) -> list[Calculation]:
        """Return all expressions that are right, without superfluous brackets."""
        left = [cast(Rule, rule) for rule in self.rules_in_play() if rule != without]
        signs = {
            kind: "".join(sign for one, sign in left if one == kind)
            for kind in ("forbidden", "required")
        }
        return [
            one for one in reached(self.numbers).get(self.target, ()) if obeys(one.tokens, **signs)
        ]

    def accepts(self, answer: object) -> bool:
        tokens = cast("list[str]", answer)
        return value_of(tokens, self.numbers) == self.target and obeys(
            spelled(tokens), self.forbidden, self.required
        )

    def explain(self, say: Say) -> str:
        return say.lines(
            say(
                "A list of whole numbers and a target are given. Write an expression whose value "
                "is exactly the target. It uses each entry of the list exactly once, in the given "
                "order, with one of the operators + - * / between each entry and the next. "
                "Brackets ( ) may be added, even where they change nothing. For example, 9 / 3 + 1 "
                "reaches the target 4 with the numbers 9, 3, 1."
            ),
            say(
                "As usual, * and / are calculated before + and -, and operators of the same "
                "precedence from left to right. Intermediate results may be negative or fractions: "
                "divisions are exact, and nothing is rounded. Nothing may be divided by zero. A "
                "minus sign only subtracts, so -3 + 5 is not allowed, and numbers must not be "
                "joined into a longer one."
            ),
            (self.forbidden or self.required)
            and say(
                "A forbidden operator must not occur in the expression; each required operator "
                "must occur at least once."
            ),
            say(
                "There may be several right expressions; any of them counts. You may also write × "
                "for * and ÷ for /; they count as * and /."
            ),
        )

    def words(self, say: Say) -> Words:
        return Words(
            say(
                "the expression as a list of strings from left to right, one for each number, "
                "operator and bracket."
            ),
            "",
            Work.repeated(["3", "*", "(", "8", "-", "6", ")"]),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        return say.lines(
            say("Numbers: {numbers}", numbers=say.list(self.numbers)),
            say("Target: {target}", target=self.target),
            self.forbidden and say("Forbidden: {signs}", signs=" ".join(self.forbidden)),
            self.required and say("Required: {signs}", signs=" ".join(self.required)),
        )

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """Return the numbers with gaps for operators, and the target."""
        say = self.say(language)
        row: list[Cell] = []
        for number in self.numbers:
            row += [Cell(str(number)), Cell("?", "")]
        row = [*row[:-1], Cell("=", ""), Cell(str(self.target), "yellow")]
        return stack(
            board([row]),
            captions(
                say("Forbidden: {signs}", signs=" ".join(self.forbidden)) if self.forbidden else "",
                say("Required: {signs}", signs=" ".join(self.required)) if self.required else "",
            ),
        )

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        say = self.say(language)
        return {"yellow": say("the target")}

    def canonical(self) -> Hashable:
        return self.family, self.numbers, self.target, self.forbidden, self.required


def _policies(forbidden: int, required: int) -> Iterator[tuple[str, str]]:
    """Yield all choices of so many operators that are forbidden and required."""
    for banned in combinations(SIGNS, forbidden):
        left = [sign for sign in SIGNS if sign not in banned]
        for needed in combinations(left, required):
            yield "".join(banned), "".join(needed)
