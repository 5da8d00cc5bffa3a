"""String splitting: rules say where a string is cut, by the characters around the place.

From LogicGame, with its sizes and kinds of rules.  The paper lets one cut from the right or from
the left; as rules look at the given string and not at its pieces, both give the same.  Each rule
cuts at a place where no other one does.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random
from string import ascii_uppercase, digits
from typing import Annotated, Any, Self

from quandary.core.bounds import Between, Range
from quandary.core.contract import Doc, Language, Seat
from quandary.core.scene import Scene
from quandary.core.words import Say
from quandary.core.worked import Words, Work, Worked, grown
from quandary.puzzles.questions.execution._shared.renaming import Names, exchanged_names, in_order
from quandary.puzzles.questions.execution._shared.string_picture import string_picture

from .solver import Cut, digit_cuts, letter_cuts, string_for


@dataclass(frozen=True)
class StringSplitting(Worked):
    cuts: Annotated[
        tuple[Cut, ...],
        Doc("the rules: side, characters to cut at, and what must be left and right of them"),
    ]
    string: Annotated[str, Doc("the string to cut")]

    drawn_rules = True
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
        kinds = digit_cuts if family == "a" else letter_cuts
        cuts = tuple(kinds(rng, between))[:rules]
        return cls(family, level, cuts, "").redraw(rng, characters=characters)

    def redraw(self, rng: Random, *, characters: Range, **sizes: Any) -> Self | None:
        string = string_for(rng, self.cuts, rng.randint(*characters), self.family == "a")
        other = replace(self, string=string)
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
        listed = say.numbered(_worded(cut, say) for cut in self.cuts)
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

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """Return the string in cells, and the rules."""
        say = self.say(language)
        rules = say.numbered(_worded(cut, say) for cut in self.cuts)
        return string_picture(say("The string"), self.string, rules)

    def equivalent(self, rng: Random) -> Self:
        return self._renamed(exchanged_names(rng, ascii_uppercase) | exchanged_names(rng, digits))

    def canonical(self) -> Hashable:
        """With letters and digits named in the order in which they come."""
        seen = self.string + "".join(cut.characters() for cut in self.cuts)
        letters = (one for one in seen if one not in digits)
        numbers = (one for one in seen if one in digits)
        one = self._renamed(in_order(letters, ascii_uppercase) | in_order(numbers, digits))
        return one.cuts, one.string

    def _renamed(self, names: Names) -> Self:
        cuts = tuple(cut.renamed(names) for cut in self.cuts)
        return replace(self, cuts=cuts, string=self.string.translate(names))


def _worded(cut: Cut, say: Say) -> str:
    """Return a rule as a sentence."""
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
