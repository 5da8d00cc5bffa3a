"""Password game: write a password that meets several requirements at once.

From TextGames.  Readings: no whitespace inside; a number may stand anywhere, so 5 is met by 153
and by -5; M is not among the Roman numeral letters; counts are exact and cover English letters
only.  Names of capitals and continents are as `kit.countries` has them.
An accent that follows its letter is part of it, so what looks alike is judged alike.
A random password comes first and all counts are taken from it, so requirements never contradict
each other, and no answer is empty.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Annotated

from quandary.core.answers import Answer, Text
from quandary.core.boards import Cell, captions, cards, stack
from quandary.core.bounds import Between, Range
from quandary.core.contract import Doc, InstanceCount, Language, Question, Seat, Verdict, WordPuzzle
from quandary.core.scene import Scene
from quandary.core.words import Say

from .countries import composed
from .solver.demands import SOUGHT, Demand, candidate_passwords
from .solver.generator import guessed_password, random_demands
from .solver.passwords import ROMANS, SPECIALS

MOST = 50  # demands
MOST_SIGNS = 30  # in an expression; the value of longer ones is seldom a whole number
WIDTH = 12  # of the picture
EXAMPLE = (  # in the rules
    Demand("capital_of", "France"),
    Demand("expression", "3 + 4 * 2"),
    Demand("specials", number=2),
    Demand("uppercase", number=1),
)


@dataclass(frozen=True)
class PasswordGame(WordPuzzle, Question):
    demands: Annotated[tuple[Demand, ...], Doc("what the password must satisfy")]

    version = 3
    rules_since = 2
    word_language = "en"
    kept_words = (
        "newdelhi",
        "Africa",
        "Asia",
        "Europe",
        "NorthAmerica",
        "SouthAmerica",
        "Oceania",
        "France",
        "Paris",
    )
    levels = {"easy": {"demands": 2}, "medium": {"demands": 4}, "hard": {"demands": 6}}
    distinct_instances = {
        "easy": InstanceCount(
            14_000, "two demands that count characters have few numbers", "at least"
        )
    }

    @classmethod
    def new(
        cls,
        rng: Random,
        *,
        demands: Annotated[int, Between(1, MOST)] = 2,
        operators: Annotated[Range, Between(1, MOST_SIGNS)] = (1, 5),
    ) -> PasswordGame:
        """Demands that a random password meets."""
        return cls(random_demands(rng, demands, operators))

    def check(self, answer: str, language: Language = "en") -> Verdict:
        text = composed((answer or "").strip())
        unmet = [demand for demand in self.demands if not demand.met_by(text)]
        blank = len(text.split(None, 1)) > 1
        if blank or unmet:
            say = self.say(language)
            feedback = say.lines(
                blank and say("A password cannot contain blanks or line breaks."),
                *(_feedback(say, demand, text) for demand in unmet),
            )
            return Verdict(0.0, "whitespace" if blank else unmet[0].kind, feedback)
        return Verdict(1.0)

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
            "The value of an expression is written in digits, with a - in front if it is negative. "
            "Multiplication and division come before addition and subtraction; * and / are "
            "evaluated from left to right, and so are + and -: 8 / 4 * 2 - 3 + 1 is 2. The value "
            "can occur anywhere, even inside a longer number: 5 occurs in 153 and in -5.\n"
            "Counts are exact and cover the whole password. English letters are A to Z and a to z, "
            "without accents. Roman numeral letters are the uppercase letters {romans}; they are "
            "English letters too. Special characters are {specials}. "
            "A single letter is counted only in the case shown.\n"
            "Answer with the password alone. For example, with the requirements\n{example}\n"
            "you could answer: Paris11!?!",
            romans=" ".join(ROMANS),
            specials=" ".join(SPECIALS),
            example="\n".join(f"- {_in_words(say, demand)}" for demand in EXAMPLE),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        asked = say("Write a password that meets these requirements:")
        return "\n- ".join([asked, *(_in_words(say, demand) for demand in self.demands)])

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """Return the requirements above an empty field."""
        say = self.say(language)
        bullets = [f"• {_in_words(say, demand)}" for demand in self.demands]
        return stack(
            captions(say("Requirements:")),
            captions(*bullets, width=WIDTH, indent="   "),
            cards([Cell(fill="mark")], size=(WIDTH, 1)),
        )

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        say = self.say(language)
        return {"mark": say("the place for the password")}

    def solution(self) -> str:
        for password in candidate_passwords(self.demands):
            if self.check(password).score:  # a text with blanks in it is sought in vain
                return password
        raise ValueError("no password is known that meets all these demands")

    def sample(self, rng: Random) -> str:
        return guessed_password(rng, self.demands)

    def equivalent(self, rng: Random) -> PasswordGame:
        return PasswordGame(tuple(rng.sample(self.demands, len(self.demands))))

    def canonical(self) -> Hashable:
        return tuple(sorted((demand.kind, demand.text, demand.number) for demand in self.demands))


def _feedback(say: Say, demand: Demand, text: str) -> str:
    requirement = _in_words(say, demand)
    if demand.kind in SOUGHT:
        return say(
            "Your password does not meet this requirement: {requirement}.", requirement=requirement
        )
    return say(
        "Your password does not meet this requirement: {requirement}. Yours has {found}.",
        requirement=requirement,
        found=demand.count(text),
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
                "It must contain the letter {letter} exactly {n} {n:time|times}", letter=text, n=n
            )
        case "length":
            return say("It must have exactly {n} {n:character|characters} in total", n=n)
