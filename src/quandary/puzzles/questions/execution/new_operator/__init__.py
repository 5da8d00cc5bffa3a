"""New operators: operators that are defined by formulas are worked out.

From LogicGame, with its sizes; formulas are drawn from its kinds.  Published processes need the
operators inside most brackets first, wherever they stand.  At level 3, family a has coefficients
that follow from known results; in the other families four operators are mixed.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import islice
from random import Random
from typing import Annotated, Self

from quandary.core.boards import TEXT_WIDTH, captions, stack
from quandary.core.bounds import Between
from quandary.core.contract import Doc, Language, Seat
from quandary.core.scene import Scene
from quandary.core.words import Say
from quandary.core.worked import Words, Work, Worked, grown

from .solver.formulas import (
    COEFFICIENTS,
    Exact,
    NotExact,
    applications,
    decimal,
    fitting,
    worked_out,
)
from .solver.generator import KINDS, Drawing, drawn_formulas

SYMBOLS = "△★◎@#&※◇□◆"
UNKNOWNS = "mnk"  # coefficients


@dataclass(frozen=True)
class NewOperator(Worked):
    operators: Annotated[
        tuple[tuple[str, str], ...],
        Doc("the symbols of the operators with their formulas of x and y"),
    ]
    expression: Annotated[str, Doc("what is to be computed")]
    unknowns: Annotated[str, Doc("the letters of coefficients that follow from the facts")] = ""
    facts: Annotated[
        tuple[tuple[str, str], ...],
        Doc("expressions with their values, from which the coefficients follow"),
    ] = ()

    drawn_rules = True
    families = {
        "a": "sums, products and quotients; at level 3 with unknown coefficients",
        "b": "sums, products and quotients; at level 3 several operators",
        "c": "powers and logarithms; at level 3 several operators",
    }
    sizes = {
        "a": grown(applications=(1, 1, 2, 2)),
        "b": grown(applications=(1, 1, 2, 5)),
        "c": grown(applications=(1, 1, 2, 5)),
    }
    without_process = {"a": (0, 1), "b": (0, 1), "c": (0, 1)}

    @classmethod
    def draw(
        cls,
        rng: Random,
        family: str,
        level: int,
        *,
        applications: Annotated[int, Between(1, 8)],
    ) -> Self | None:
        kinds = KINDS[family][level]
        operators = tuple(
            zip(rng.sample(SYMBOLS, len(kinds)), drawn_formulas(rng, kinds), strict=True)
        )
        unknowns = "".join(name for name in UNKNOWNS if any(name in one for _, one in operators))
        made = cls(family, level, operators, "", unknowns)
        return made.redraw(rng, applications=applications)

    def redraw(self, rng: Random, **sizes: int) -> Self | None:
        symbols = [symbol for symbol, _ in self.operators]
        more = sizes["applications"] - len(symbols)
        if more < 0:
            return None
        order = symbols + rng.choices(symbols, k=more)
        rng.shuffle(order)
        values = {name: rng.choice(COEFFICIENTS) for name in self.unknowns}
        used = [symbols[:1], symbols] if values else []  # by the facts
        drawing = Drawing(rng, dict(self.operators), values)
        try:
            facts = [drawing.expression(each) for each in used]
            expression, _ = drawing.expression(order)
        except NotExact:
            return None
        known = tuple((text, decimal(value)) for text, value in facts)
        made = replace(self, expression=expression, facts=known)
        return made if made._has_needed_facts() else None

    def _has_needed_facts(self) -> bool:
        """Return whether the facts leave one set of coefficients, and no fact can be left out."""
        fewer = [[one for one in self.facts if one != without] for without in self.facts]
        return not self._is_open(self.facts) and all(map(self._is_open, fewer))

    def _is_open(self, facts: Sequence[tuple[str, str]]) -> bool:
        """Return whether several sets of coefficients fit."""
        return len(list(islice(fitting(self.operators, self.unknowns, facts), 2))) > 1

    def rules_in_play(self) -> Sequence[Hashable]:
        return self.facts or [symbol for symbol, _ in self.operators]

    def work(self, without: Hashable = None) -> Work:
        if not self.unknowns:
            return self._worked_out(without)
        facts = [one for one in self.facts if one != without]
        found = list(fitting(self.operators, self.unknowns, facts))
        results = [worked_out(self.expression, self.operators, one)[0] for one in found]
        coefficients = [_agreed([one[name] for one in found]) for name in self.unknowns]
        return Work([_agreed(results)], coefficients)

    def _worked_out(self, without: Hashable) -> Work:
        try:
            value, values = worked_out(self.expression, self.operators, without=without)
            return Work([decimal(value)], [decimal(one) for one in values])
        except NotExact:
            if without is None:
                raise
            return Work(["?"], [])

    def explain(self, say: Say) -> str:
        formulas = "".join(formula for _, formula in self.operators)
        return say.lines(
            say(
                "{count:A new operator is|New operators are} defined for two numbers x and y:",
                count=len(self.operators),
            ),
            *self._formulas(),
            self.unknowns
            and say(
                "Here {names} and {last} are unknown whole numbers from {least} to {most}. The "
                "known results below leave only one value for each of them.",
                names=say.list(self.unknowns[:-1]),
                last=self.unknowns[-1],
                least=COEFFICIENTS[0],
                most=COEFFICIENTS[-1],
            ),
            say("× and ÷ come before + and -, and equal ranks are worked out from left to right."),
            "^" in formulas
            and say("^ is a power and comes before these: 2^3 = 8, and for x = -3, x^2 = 9."),
            "log" in formulas and say("log is a logarithm: log_2(8) = 3, because 2 × 2 × 2 = 8."),
            self._is_compound
            and say(
                "In an expression, what is in brackets comes first, inner brackets before outer "
                "ones. All new operators are equal in rank: without brackets they are worked out "
                "from left to right."
            ),
        )

    @property
    def _is_compound(self) -> bool:
        texts = [self.expression, *(text for text, _ in self.facts)]
        symbols = "".join(symbol for symbol, _ in self.operators)
        return any(len(list(applications(text, symbols))) > 1 for text in texts)

    def words(self, say: Say) -> Words:
        answer = say(
            "a list with one string, the exact value of the expression, as a whole number or a "
            'decimal without zeros at its end: "10", "-3" or "0.5".'
        )
        if self.unknowns:
            process = say(
                "the list of the values of {names} and {last}, in this order, as strings.",
                names=say.list(self.unknowns[:-1]),
                last=self.unknowns[-1],
            )
            return Words(answer, process, Work(["31"], ["4", "1", "5"]))
        process = say(
            "the list of the values of all new operators in the expression, in the same form. "
            "Those inside more brackets come before those inside fewer, and those inside equally "
            "many from left to right; the last value is the answer. Results of +, -, × and "
            "other ordinary signs are not listed."
        )
        return Words(answer, process, Work.of_steps(["7", "-2.5", "10"]))

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        return say.lines(
            bool(self.facts) and say("Known: {facts}", facts=self._facts_line(say)),
            say("Work out: {expression}", expression=self.expression),
        )

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """Return what is to be computed, and the formulas of the operators."""
        text = self.text(seat, language)
        return stack(
            captions(*self._formulas(), size=0.5, colour="quiet"),
            captions(text, size=0.5, width=TEXT_WIDTH, indent="   "),
        )

    def _formulas(self) -> list[str]:
        return [f"x {symbol} y = {formula}" for symbol, formula in self.operators]

    def _facts_line(self, say: Say) -> str:
        facts = map(" = ".join, self.facts)
        return reduce(lambda one, other: say("{one}, {other}", one=one, other=other), facts)

    def equivalent(self, rng: Random) -> Self:
        return self._renamed(rng.sample(SYMBOLS, len(self.operators)))

    def canonical(self) -> Hashable:
        """Return which symbols the operators have does not matter."""
        one = self._renamed(SYMBOLS)
        return one.family, one.asks_process, one.operators, one.expression, one.unknowns, one.facts

    def _renamed(self, symbols: Sequence[str]) -> Self:
        new = {ord(symbol): to for (symbol, _), to in zip(self.operators, symbols, strict=False)}
        return replace(
            self,
            operators=tuple((new[ord(symbol)], formula) for symbol, formula in self.operators),
            expression=self.expression.translate(new),
            facts=tuple((text.translate(new), value) for text, value in self.facts),
        )


def _agreed(values: Sequence[Exact]) -> str:
    """Return a value that is the same whatever else holds."""
    return decimal(values[0]) if len(set(values)) == 1 else "?"
