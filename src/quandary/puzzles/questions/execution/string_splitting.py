"""String splitting: rules say where a string is cut, by the characters around the place.

From LogicGame, with its sizes and kinds of rules.  The paper lets one cut from the right or from
the left; as rules look at the given string and not at its pieces, both give the same.  Each rule
cuts at a place where no other one does.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from random import Random
from string import ascii_uppercase, digits
from typing import Annotated, Any, Literal, NamedTuple, Self, TypeAlias

from quandary.core.bounds import Between, Range
from quandary.core.contract import Language, Seat
from quandary.core.words import Say
from quandary.kit.worked import Words, Work, Worked, grown

Side: TypeAlias = Literal["before", "after"]
SIDES: tuple[Side, Side] = ("before", "after")
KINDS = {"letter": "[A-Za-z]", "digit": "[0-9]"}  # of characters, and patterns of them
LETTERS = 8  # that a string is made of
PLANTED = 10  # characters in which each rule has a place that is made for it


class Cut(NamedTuple):
    """A rule: cut on one side of certain characters, perhaps only with certain neighbours."""

    side: Side
    what: str  # one of KINDS, or these characters themselves
    left: str = ""  # what must be on the left, "" for anything
    right: str = ""

    def places(self, string: str) -> set[int]:
        """How many characters are before each cut; never none, and never all."""
        found = {match.start() for match in _pattern(self).finditer(string)}
        return found - {0, len(string)}

    def renamed(self, names: dict[str, str]) -> Cut:
        parts = (
            part if part in KINDS else "".join(names.get(letter, letter) for letter in part)
            for part in self[1:]
        )
        return Cut(self.side, *parts)

    def characters(self) -> str:
        """The characters that it names."""
        return "".join(part for part in self[1:] if part not in KINDS)


@lru_cache(maxsize=4_096)
def _pattern(cut: Cut) -> re.Pattern[str]:
    """What is before the place and behind it; without width, so that places may overlap."""
    what, left, right = (KINDS.get(part, re.escape(part)) for part in cut[1:])
    before, behind = (left, what + right) if cut.side == "before" else (left + what, right)
    return re.compile(f"(?<={before})(?={behind})")


@dataclass(frozen=True)
class StringSplitting(Worked):
    cuts: tuple[Cut, ...]
    string: str

    families = {
        "a": "cuts between letters and digits",
        "b": "cuts beside certain letters",
    }
    sizes = {
        family: grown(
            rules=(1, 1, 2, 3),
            between=(False, True, False, False),
            characters=((9, 15), (20, 25), (20, 25), (22, 27)),
        )
        for family in families
    }

    @classmethod
    def draw(
        cls,
        rng: Random,
        family: str,
        level: int,
        *,
        rules: Annotated[int, Between(1, 3)],
        between: bool,
        characters: Annotated[Range, Between(9, 80)],
    ) -> Self | None:
        kinds = _digits_and_letters if family == "a" else _letters
        cuts = tuple(kinds(rng, between))[:rules]
        return cls(family, level, cuts, "").redraw(rng, characters=characters)

    def redraw(self, rng: Random, *, characters: Range, **sizes: Any) -> Self | None:
        size = rng.randint(*characters)
        named = set("".join(cut.characters() for cut in self.cuts))
        letters = sorted(named - set(digits))
        letters += rng.sample(sorted(set(ascii_uppercase) - named), LETTERS - len(letters))
        kinds = {"letter": letters, "digit": list(digits)}
        parts = [_fitting(cut, kinds, rng) for cut in self.cuts * (size // PLANTED or 1)]
        used = [kinds["letter"], kinds["digit"]] if self.family == "a" else [letters]
        rest = size - sum(map(len, parts))
        parts += [rng.choice(rng.choice(used)) for _ in range(rest)]
        rng.shuffle(parts)
        other = replace(self, string="".join(parts))
        return other if other.string != self.string and other.uses_every_rule() else None

    def rules_in_play(self) -> Sequence[Hashable]:
        return range(len(self.cuts))

    def work(self, without: Hashable = None) -> Work:
        places = {0, len(self.string)}
        for number, cut in enumerate(self.cuts):
            if number != without:
                places |= cut.places(self.string)
        return Work.repeated([self.string[one:other] for one, other in pairwise(sorted(places))])

    def explain(self, say: Say) -> str:
        listed = [
            say("{number}. {rule}", number=number, rule=_worded(cut, say))
            for number, cut in enumerate(self.cuts, start=1)
        ]
        return say.lines(
            say("Cut a string into pieces by this rule:")
            if len(listed) == 1
            else say("Cut a string into pieces by these rules:"),
            *listed,
            say(
                "Cut at every place to which a rule applies, and nowhere else. The rules look at "
                "the string as it is given: characters that have been cut apart still count as "
                "neighbours, and matches may overlap. A place is cut only once."
            ),
            say("Never cut before the first or after the last character."),
            self.family == "a"
            and say("A digit is one of the characters 0 to 9, a letter one of A to Z."),
        )

    def words(self, say: Say) -> Words:
        return Words(
            say(
                "the list of the pieces as strings, from left to right. Joined together they are "
                "the whole string."
            ),
            say('the same list as in "answer".'),
            Work.repeated(["XY", "ZX", "Y"]),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        return say("The string: {string}", string=self.string)

    def alike(self, rng: Random) -> Self:
        letters, numbers = rng.sample(ascii_uppercase, 26), rng.sample(digits, 10)
        return self._renamed(dict(zip(ascii_uppercase + digits, [*letters, *numbers], strict=True)))

    def canonical(self) -> Hashable:
        """With letters and digits named in the order in which they come."""
        seen = dict.fromkeys(self.string + "".join(cut.characters() for cut in self.cuts))
        letters = (one for one in seen if one not in digits)
        numbers = (one for one in seen if one in digits)
        names = dict(zip(letters, ascii_uppercase, strict=False))
        one = self._renamed(names | dict(zip(numbers, digits, strict=False)))
        return one.cuts, one.string

    def _renamed(self, names: dict[str, str]) -> Self:
        string = "".join(names.get(letter, letter) for letter in self.string)
        return replace(self, cuts=tuple(cut.renamed(names) for cut in self.cuts), string=string)


def _digits_and_letters(rng: Random, between: bool) -> Iterator[Cut]:
    one, other = rng.sample(sorted(KINDS), 2)
    yield Cut(rng.choice(SIDES), other, one, one) if between else Cut("before", other, one)
    yield Cut("before", one, other)
    digit = rng.choice(digits)
    yield rng.choice((Cut("after", digit, right="digit"), Cut("before", digit, "digit")))


def _letters(rng: Random, between: bool) -> Iterator[Cut]:
    one, twin, first, second = rng.sample(ascii_uppercase, 4)
    side = rng.choice(SIDES)
    yield Cut(side, "letter", one, one) if between else Cut(side, one)
    yield Cut(rng.choice(SIDES), twin * 2)
    yield Cut(rng.choice(SIDES), first + second)


def _fitting(cut: Cut, kinds: dict[str, list[str]], rng: Random) -> str:
    """Characters to which a rule applies."""
    parts = (cut.left, cut.what, cut.right)
    return "".join(rng.choice(kinds[part]) if part in kinds else part for part in parts)


def _worded(cut: Cut, say: Say) -> str:
    """A rule as a sentence."""
    one = {"letter": say("letter"), "digit": say("digit")}
    beside = {"": "", "letter": say("a letter"), "digit": say("a digit")}
    pairs = {"": "", "letter": say("two letters"), "digit": say("two digits")}
    what = one.get(cut.what, say('"{text}"', text=cut.what))
    left, right = (beside.get(side, say('"{text}"', text=side)) for side in (cut.left, cut.right))
    pair = pairs.get(cut.left, say('two "{text}"s', text=cut.left))
    if pair and left == right:
        what = say("{what} that stands directly between {pair}", what=what, pair=pair)
    elif left and right:
        what = say(
            "{what} that has {left} directly on its left and {right} directly on its right",
            what=what,
            left=left,
            right=right,
        )
    elif left:
        what = say("{what} that has {left} directly on its left", what=what, left=left)
    elif right:
        what = say("{what} that has {right} directly on its right", what=what, right=right)
    if cut.side == "before":
        return say("Cut directly before every {what}.", what=what)
    return say("Cut directly after every {what}.", what=what)
