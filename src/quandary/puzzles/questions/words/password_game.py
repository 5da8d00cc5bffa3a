"""Password game: write a password that meets several requirements at once.

From TextGames.  Interpretations: no whitespace inside; a number may stand anywhere, so 5 is met by
153 and by -5; M is not among the Roman numeral letters; counts are exact and cover English letters
only.  Names of capitals and continents are those in `kit.countries`.
A combining accent is part of its letter, so texts that look alike are judged alike.
A random password is drawn first and all counts are taken from it, so requirements never contradict
each other, and no answer is empty.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from random import Random
from string import ascii_letters
from typing import Annotated

from quandary.core.answers import Answer, Text
from quandary.core.boards import Cell, captions, cards, stack
from quandary.core.bounds import Between, Range
from quandary.core.contract import Language, Question, Seat, Verdict
from quandary.core.scene import Scene
from quandary.core.words import Say
from quandary.kit.countries import composed, countries
from quandary.kit.english_words import common
from quandary.solvers import passwords
from quandary.solvers.password_demands import KINDS, NAMES, SOUGHT, Demand, Kind
from quandary.solvers.password_expressions import random_expression, spoken

MOST = 50  # demands
MOST_SIGNS = 30  # in an expression; the value of longer ones is seldom a whole number
ABSENT = 0.1  # how often a letter must not occur
REDRAWS = 20  # before a redundant demand is accepted: there are only six continents
LAYOUTS = 1 << 15  # overlaps of sought texts that are tried; six demands have far fewer
WIDTH = 12  # of the picture
RIGHT = Verdict(1.0)
EXAMPLE = (  # in the rules
    Demand("capital_of", "France"),
    Demand("expression", "3 + 4 * 2"),
    Demand("specials", number=2),
    Demand("uppercase", number=1),
)


@dataclass(frozen=True)
class PasswordGame(Question):
    demands: tuple[Demand, ...]

    version = 2
    levels = {"easy": {"demands": 2}, "medium": {"demands": 4}, "hard": {"demands": 6}}
    small = {
        "easy": "two demands that both count characters leave few numbers to ask for: about 1 in "
        "10 drawn comes again"
    }

    @classmethod
    def new(
        cls,
        rng: Random,
        *,
        demands: Annotated[int, Between(1, MOST)] = 2,
        operators: Annotated[Range, Between(1, MOST_SIGNS)] = (1, 5),
    ) -> PasswordGame:
        """A password that grows with each demand: by what is sought, or by what is counted."""
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
        counted = [d if d.kind in SOUGHT else replace(d, number=d.count(password)) for d in made]
        game = cls(tuple(counted))
        assert game.check(password) is RIGHT, f"{password} must open {game}"
        return game

    def check(self, answer: str, language: Language = "en") -> Verdict:
        said = composed((answer or "").strip())
        if len(said.split(None, 1)) > 1:
            say = self.say(language)
            feedback = say("A password cannot contain blanks or line breaks.")
            return Verdict(0.0, "whitespace", feedback)
        for demand in self.demands:
            if not demand.met_by(said):
                return Verdict(0.0, demand.kind, _feedback(self.say(language), demand, said))
        return RIGHT

    def answer_shape(self) -> Answer:
        return Text()

    def rules(self, language: Language = "en") -> str:
        say = self.say(language)
        return say(
            "Write one password that meets all the requirements in the list. It can contain any "
            "characters except blanks and line breaks.\n"
            "A quoted text must occur in the password letter for letter, in upper and lower case "
            "as shown.\n"
            "Capitals (of countries or territories, by their English names) and continents can be "
            "written in upper or lower case. Leave out their blanks: newdelhi. You can also leave "
            "out the accents, apostrophes, hyphens and full stops of a name, but you cannot add "
            "any. The continents are Africa, Asia, Europe, NorthAmerica, SouthAmerica and "
            "Oceania. If a country has several capitals (by law, or because its government sits "
            "elsewhere) or lies in two continents, any one of them is accepted.\n"
            "The value of an expression (multiplication and division come before addition and "
            "subtraction) is written in digits, with a - in front if it is negative. It can occur "
            "anywhere, even inside a longer number: 5 occurs in 153 and in -5.\n"
            "Counts are exact and cover the whole password. English letters are A to Z and a to z, "
            "without accents. Roman numeral letters are the uppercase letters {romans}; they are "
            "English letters too. Special characters are {specials}. "
            "A single letter is counted only in the case shown.\n"
            "Answer with the password alone. For example, with the requirements\n{example}\n"
            "you could answer: Paris11!?!",
            romans=" ".join(passwords.ROMANS),
            specials=" ".join(passwords.SPECIALS),
            example="\n".join(f"- {_in_words(say, demand)}" for demand in EXAMPLE),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        asked = say("Write a password that meets these requirements:")
        return "\n- ".join([asked, *(_in_words(say, demand) for demand in self.demands)])

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """The requirements above an empty field."""
        say = self.say(language)
        bullets = [f"• {_in_words(say, demand)}" for demand in self.demands]
        return stack(
            captions(say("Requirements:")),
            captions(*bullets, width=WIDTH, indent="   "),
            cards([Cell(fill="mark")], size=(WIDTH, 1)),
        )

    def solution(self) -> str:
        counted = [demand for demand in self.demands if demand.kind not in SOUGHT]
        wanted = passwords.counts_of((d.kind, d.number) for d in counted if d.kind != "letter")
        exact = passwords.counts_of((d.text, d.number) for d in counted if d.kind == "letter")
        if wanted is not None and exact is not None:
            for cells in islice(self._layouts(), LAYOUTS):
                password = passwords.completed(cells, wanted, exact)
                # A text with blanks cannot occur in a password.
                if password is not None and self.check(password) is RIGHT:
                    return password
        raise ValueError("no password is known that meets all these demands")

    def _layouts(self) -> Iterator[passwords.Cells]:
        """The sought texts, joined in every way worth trying, side by side first."""
        sought = [demand for demand in self.demands if demand.kind in SOUGHT]
        loose = [demand.kind in NAMES for demand in sought]
        for spellings in product(*(demand.spellings for demand in sought)):
            pieces = map(passwords.cells_of, spellings, loose)
            yield from passwords.joined(passwords.outermost(pieces))

    def sample(self, rng: Random) -> str:
        sought = [demand for demand in self.demands if demand.kind in SOUGHT]
        parts = [rng.choice(demand.spellings) for demand in sought if rng.random() < 0.8]
        return "".join(parts + rng.choices(passwords.MEMBERS["length"], k=rng.randint(1, 6)))

    def canonical(self) -> Hashable:
        return tuple(sorted((demand.kind, demand.text, demand.number) for demand in self.demands))


def _feedback(say: Say, demand: Demand, said: str) -> str:
    requirement = _in_words(say, demand)
    if demand.kind in SOUGHT:
        return say(
            "Your password does not meet this requirement: {requirement}.", requirement=requirement
        )
    return say(
        "Your password does not meet this requirement: {requirement}. Yours has {found}.",
        requirement=requirement,
        found=demand.count(said),
    )


def _in_words(say: Say, demand: Demand) -> str:
    text, n = demand.text, demand.number
    match demand.kind:
        case "contains":
            return say('It must contain "{text}"', text=text)
        case "capital_of":
            return say("It must contain the capital of {country}", country=text)
        case "continent_of":
            return say("It must contain the continent of {country}", country=text)
        case "expression" | "spoken_expression":
            return say("It must contain the value of {expression}", expression=text)
        case "romans":
            return say("It must have exactly {n} Roman numeral {n:letter|letters}", n=n)
        case "letters":
            return say("It must have exactly {n} English {n:letter|letters}", n=n)
        case "digits":
            return say("It must have exactly {n} {n:digit|digits}", n=n)
        case "specials":
            return say("It must have exactly {n} special {n:character|characters}", n=n)
        case "uppercase":
            return say("It must have exactly {n} uppercase {n:letter|letters}", n=n)
        case "lowercase":
            return say("It must have exactly {n} lowercase {n:letter|letters}", n=n)
        case "letter":
            return say(
                "It must contain the letter {letter} exactly {n} {n:time|times}",
                letter=text,
                n=n,
            )
        case "length":
            return say("It must have exactly {n} {n:character|characters} in total", n=n)


def _kinds(rng: Random, demands: int) -> list[Kind]:
    """Kinds of demands in the order they are met; each count but that of a letter comes once."""
    kinds = list[Kind]()
    while len(kinds) < demands:
        kind = rng.choice(KINDS)
        if kind in SOUGHT or kind == "letter" or kind not in kinds:
            kinds.append(kind)
    return sorted(kinds, key=lambda kind: 0 if kind in SOUGHT else KINDS.index(kind))


def _sought(
    rng: Random, kind: Kind, password: str, others: Sequence[Demand], operators: Range
) -> Demand:
    """A demand that neither is met yet nor meets another one, and whose text is no solution."""
    for _ in range(REDRAWS):
        if kind == "contains":
            demand = Demand(kind, rng.choice(common()))
        elif kind in NAMES:
            demand = Demand(kind, rng.choice(countries()))
        else:
            drawn = random_expression(rng, operators)
            demand = Demand(kind, drawn if kind == "expression" else spoken(drawn))
        said = kind == "capital_of" and demand.met_by(demand.text.replace(" ", ""))
        if not said and not demand.met_by(password) and not any(map(demand.implies, others)):
            break
    return demand


def _more(rng: Random, demand: Demand, password: str) -> str:
    """The characters that a count adds to a password; rarely none, for a single letter."""
    if demand.kind != "letter":
        return "".join(rng.choices(passwords.MEMBERS[demand.kind], k=rng.randint(1, 5)))
    if password and demand.text not in password and rng.random() < ABSENT:
        return ""
    return demand.text * rng.randint(1, 3)
