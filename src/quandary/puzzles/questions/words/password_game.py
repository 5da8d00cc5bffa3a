"""Password game: write a password that meets some demands at once.

From TextGames.  Readings: no whitespace inside; a number may stand anywhere, so 5 is met by 153 and by -5; M is not among the
Roman letters; counts are exact and see the English letters only.  Names of capitals and continents are as `kit.countries` has them.
An accent that follows its letter is taken as part of it, so that what looks the same is judged the same.
A drawn password comes first and all counts are taken from it, so demands never contradict each other, and no answer is empty.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, product
from random import Random
from string import ascii_letters, digits
from textwrap import wrap
from typing import Literal, TypeAlias, get_args

from quandary.core.contract import Language, Question, Seat, Verdict
from quandary.core.scene import Box, Label, Scene, Shape
from quandary.kit.countries import composed, countries, country, folded
from quandary.kit.english_words import common
from quandary.solvers.passwords import MEMBERS, ROMANS, SPECIALS, Cells, cells_of, completed, count, counts_of, joined, outermost

Kind: TypeAlias = Literal[
    "contains", "capital_of", "continent_of", "expression", "spoken_expression",
    "romans", "letters", "digits", "specials", "uppercase", "lowercase", "letter", "length",
]  # fmt: skip
KINDS: tuple[Kind, ...] = get_args(Kind)  # what is sought in the password, then what is counted
SOUGHT, NAMES = frozenset(KINDS[:5]), frozenset(("capital_of", "continent_of"))
SPOKEN = {
    "0": "zero", "1": "one", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven", "8": "eight",
    "9": "nine", "+": "plus", "-": "minus", "*": "multiply by", "/": "divided by",
}  # fmt: skip
WRITTEN = {words.removesuffix(" by"): sign for sign, words in SPOKEN.items()}
WORDS = {
    "contains": 'contain "{text}"',
    "capital_of": "contain the capital of {text}", "continent_of": "contain the continent of {text}",
    "expression": "contain the value of {text}", "spoken_expression": "contain the value of {text}",
    "romans": "have exactly {number} Roman letter{s}", "letters": "have exactly {number} English letter{s}",
    "digits": "have exactly {number} digit{s}", "specials": "have exactly {number} special character{s}",
    "uppercase": "have exactly {number} upper-case letter{s}", "lowercase": "have exactly {number} lower-case letter{s}",
    "letter": "have exactly {number} of the letter {text}", "length": "have exactly {number} character{s} in all",
}  # fmt: skip
MOST = 50  # demands
MOST_SIGNS = 30  # in an expression; longer ones seldom come to a whole number
ABSENT = 0.1  # how often a letter is asked for 0 times
REDRAWS = 20  # before a demand is taken that others meet already: there are only six continents
LAYOUTS = 1 << 15  # ways to overlap what is sought that are tried; six demands have far fewer
RIGHT = Verdict(1.0)


@dataclass(frozen=True)
class Demand:
    kind: Kind
    text: str = ""  # a word, a country, an expression as shown, or a letter
    number: int = 0  # of what is counted

    @property
    def value(self) -> int:
        """What an expression comes to."""
        found = _value(self.text if self.kind == "expression" else _written(self.text))
        if found is None:
            raise ValueError(f"{self.text} is no whole number")
        return found

    @property
    def spellings(self) -> tuple[str, ...]:
        """The texts of which one must stand in the password; names are folded."""
        return _spellings(self.kind, self.text)

    def met_by(self, password: str) -> bool:
        if self.kind not in SOUGHT:
            return self.count(password) == self.number
        if self.kind in NAMES:
            password = folded(password)
        for spelling in _spellings(self.kind, self.text):  # noqa: SIM110 - `any` would double the price of grading
            if spelling in password:
                return True
        return False

    def implies(self, other: Demand) -> bool:
        """Whether whoever meets this demand has met the other one already, both being sought."""
        return all(map(other.met_by, self.spellings))

    def count(self, password: str) -> int:
        """How many there are of what is counted."""
        return password.count(self.text) if self.kind == "letter" else count(self.kind, password)

    def __str__(self) -> str:
        return WORDS[self.kind].format(text=self.text, number=self.number, s="" if self.number == 1 else "s")


@dataclass(frozen=True)
class PasswordGame(Question):
    demands: tuple[Demand, ...]

    version = 2
    levels = {"easy": {"demands": 2}, "medium": {"demands": 4}, "hard": {"demands": 6}}
    small = {"easy": "two demands that both count characters leave few numbers to ask for: about 1 in 10 drawn comes again"}

    @classmethod
    def new(cls, rng: Random, *, demands: int = 2, operators: tuple[int, int] = (1, 5)) -> PasswordGame:
        """A password that grows by each demand: by what is sought, or by some characters of the kind that is counted."""
        if not 1 <= demands <= MOST:
            raise ValueError(f"there can be 1 to {MOST} demands, not {demands}")
        if not 1 <= operators[0] <= operators[1] <= MOST_SIGNS:
            raise ValueError(f"an expression can have 1 to {MOST_SIGNS} operators")
        kinds, password, made = _kinds(rng, demands), "", list[Demand]()
        letters = iter(rng.sample(ascii_letters, kinds.count("letter")))
        for kind in kinds:
            if kind in SOUGHT:
                demand = _sought(rng, kind, password, made, operators)
                password += demand.spellings[0]
            else:
                demand = Demand(kind, next(letters) if kind == "letter" else "")
                password += _more(rng, demand, password)
            made.append(demand)
        game = cls(tuple(d if d.kind in SOUGHT else Demand(d.kind, d.text, d.count(password)) for d in made))
        assert game.check(password) is RIGHT, f"{password} must open {game}"
        return game

    def check(self, answer: str, language: Language = "en") -> Verdict:
        said = composed((answer or "").strip())
        if len(said.split(None, 1)) > 1:
            return Verdict(0.0, "whitespace", "A password has no blanks or line breaks inside.")
        for demand in self.demands:
            if not demand.met_by(said):
                found = "" if demand.kind in SOUGHT else f"; it has {demand.count(said)}"
                return Verdict(0.0, demand.kind, f"Your password must {demand}{found}.")
        return RIGHT

    def solution(self) -> str:
        wanted = counts_of((d.kind, d.number) for d in self.demands if d.kind not in SOUGHT and d.kind != "letter")
        exact = counts_of((d.text, d.number) for d in self.demands if d.kind == "letter")
        if wanted is not None and exact is not None:
            for cells in islice(self._layouts(), LAYOUTS):
                password = completed(cells, wanted, exact)
                if password is not None and self.check(password) is RIGHT:  # a text with blanks in it can be sought in vain
                    return password
        raise ValueError("no password is known that meets all these demands")

    def _layouts(self) -> Iterator[Cells]:
        """What is sought, put together in every way that no other can better, the spelled-out one first."""
        sought = [demand for demand in self.demands if demand.kind in SOUGHT]
        for spellings in product(*(demand.spellings for demand in sought)):
            pieces = [cells_of(spelling, loose=demand.kind in NAMES) for demand, spelling in zip(sought, spellings, strict=True)]
            yield from joined(outermost(pieces))

    def sample(self, rng: Random) -> str:
        sought = [rng.choice(demand.spellings) for demand in self.demands if demand.kind in SOUGHT and rng.random() < 0.8]
        return "".join(sought) + "".join(rng.choices(MEMBERS["length"], k=rng.randint(1, 6)))

    def canonical(self) -> Hashable:
        return tuple(sorted((demand.kind, demand.text, demand.number) for demand in self.demands))

    def rules(self, language: Language = "en") -> str:
        return (
            "Write one password that meets all the demands in the list. It may hold any characters but blanks and line breaks.\n"
            "A quoted text must stand in the password letter for letter, upper and lower case as shown.\n"
            "Capitals (of countries or territories, by their English names) and continents may be written in upper or lower case. "
            "Leave blanks out of them: newdelhi. Accents, apostrophes, hyphens and full stops of a name may be left out too, but "
            "none may be put in. The continents are Africa, Asia, Europe, NorthAmerica, SouthAmerica and Oceania; where a country "
            "has several capitals (by law, or because its government sits elsewhere) or lies in two continents, any of them will "
            "do.\n"
            "The value of an expression (multiplication and division come before addition and subtraction) is written in digits, "
            "with a - in front if it is negative. It may stand anywhere, also inside a longer number: 5 stands in 153 and in -5.\n"
            "Counts are exact and cover the whole password. English letters are A to Z and a to z, without accents; Roman letters "
            f"are the upper-case {' '.join(ROMANS)}, which are English letters too; special characters are {' '.join(SPECIALS)}. "
            "A single letter is counted in the case shown.\n"
            "Answer with the password alone. For example, if it had to contain the capital of France, contain the value of "
            "3 + 4 * 2, have exactly 2 special characters and have exactly 1 upper-case letter, you could answer: Paris11!?!"
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        return "\n".join(["The password must", *(f"- {demand}" for demand in self.demands)])

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """The demands above an empty field."""
        lines = ["The password must"]
        for demand in self.demands:
            lines += wrap(str(demand), 44, initial_indent="• ", subsequent_indent="   ")
        shapes: list[Shape] = [Label(0.3, 0.6 + 0.7 * row, line, 0.46, anchor="start") for row, line in enumerate(lines)]
        top = 0.7 * len(lines) + 0.5
        return Scene(12, top + 1.4, (*shapes, Box(0.3, top, 11.4, 1, fill="mark")))


def _kinds(rng: Random, demands: int) -> list[Kind]:
    """Kinds of demands in the order they are met; each count but that of a letter comes once."""
    kinds = list[Kind]()
    while len(kinds) < demands:
        kind = rng.choice(KINDS)
        if kind in SOUGHT or kind == "letter" or kind not in kinds:
            kinds.append(kind)
    return sorted(kinds, key=lambda kind: 0 if kind in SOUGHT else KINDS.index(kind))


def _sought(rng: Random, kind: Kind, password: str, others: Sequence[Demand], operators: tuple[int, int]) -> Demand:
    """A demand that the password does not meet yet, that meets none of the others, and whose answer is not in its own words."""
    for _ in range(REDRAWS):
        if kind == "contains":
            demand = Demand(kind, rng.choice(common()))
        elif kind in NAMES:
            demand = Demand(kind, rng.choice(countries()))
        else:
            demand = Demand(kind, _expression(rng, kind, operators))
        said = kind == "capital_of" and demand.met_by(demand.text.replace(" ", ""))
        if not said and not demand.met_by(password) and not any(map(demand.implies, others)):
            break
    return demand


def _expression(rng: Random, kind: Kind, operators: tuple[int, int]) -> str:
    """One-figure numbers and signs that come to a whole number."""
    while True:
        signs = rng.choices("+-*/", k=rng.randint(*operators))
        numbers = rng.choices(digits, k=len(signs) + 1)
        text = numbers[0] + "".join(f" {sign} {number}" for sign, number in zip(signs, numbers[1:], strict=True))
        if _value(text) is not None:
            return text if kind == "expression" else _spoken(text)


def _more(rng: Random, demand: Demand, password: str) -> str:
    """What a count adds to a password: one to five characters, or seldom nothing where a letter must not occur."""
    if demand.kind != "letter":
        return "".join(rng.choices(MEMBERS[demand.kind], k=rng.randint(1, 5)))
    if password and demand.text not in password and rng.random() < ABSENT:
        return ""
    return demand.text * rng.randint(1, 3)


def _value(text: str) -> int | None:
    """The value of numbers and signs with blanks between them; None where it is no whole number."""
    first, *rest = text.split()
    above, below, top, bottom = 0, 1, int(first), 1  # the sum so far and the product that is under way, as fractions
    for sign, number in zip(rest[::2], map(int, rest[1::2]), strict=True):
        if sign == "*":
            top *= number
        elif sign == "/":
            bottom *= number
        elif sign in ("+", "-"):
            above, below = above * bottom + top * below, below * bottom
            top, bottom = int(sign + "1") * number, 1
        else:
            raise ValueError(f"{sign} is no sign of arithmetic")
    above, below = above * bottom + top * below, below * bottom
    return above // below if below and above % below == 0 else None


def _spoken(text: str) -> str:
    return " ".join(SPOKEN[token] for token in text.split())


def _written(spoken: str) -> str:
    """An expression in words as numbers and signs."""
    text = spoken.lower().replace("multiplied", "multiply").replace(" by", "")
    return " ".join(WRITTEN.get(word, word) for word in text.split())


@lru_cache(maxsize=1 << 16)
def _spellings(kind: Kind, text: str) -> tuple[str, ...]:
    if kind == "capital_of":
        return country(text).capitals
    if kind == "continent_of":
        return country(text).continents
    return (text if kind == "contains" else str(Demand(kind, text).value),)
