"""String deletion: rules change or shorten a string at its ends until none of them applies.

From LogicGame, with its sizes and kinds of rules.  The rules have their turns in circles, as the
paper says; starting again from the first rule after each edit would give the same on all of its
items.  Rules are planted: each is made for the string that has been reached, so that all are used.
Each deletes letters, or replaces some by others that come earlier in a drawn order of the letters,
so that editing ends, also without one of the rules.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Annotated, Any, Self

from quandary.core.bounds import Between, Range
from quandary.core.contract import Doc, InstanceCount, Language, Seat
from quandary.core.scene import Scene
from quandary.core.words import Say
from quandary.core.worked import Words, Work, Worked, grown
from quandary.puzzles.questions.execution._shared.renaming import Names, exchanged_names, in_order
from quandary.puzzles.questions.execution._shared.rewriting import (
    Endless,
    in_circles,
    needs_all,
    planted_in_circles,
)
from quandary.puzzles.questions.execution._shared.string_picture import string_picture

from .solver import (
    ALPHABET,
    KINDS,
    SHORTEST,
    Edit,
    drawn,
    edited,
    kind_of,
    random_string,
    string_for,
)

FEW = "one rule on two of seven or eight letters, and some are drawn more often"
MORE = 3  # edits at most than there are rules
WAIT = 0.15  # the chance that a rule is planted only in a later circle
LONGER = 3  # letters more in some other strings for drawn rules: of the usual size few use them all
OTHERS, TRIES = 2, 20  # drawn rules are taken if so many other strings are found in so many tries


@dataclass(frozen=True)
class StringDeletion(Worked):
    edits: Annotated[
        tuple[Edit, ...], Doc("the rules in order, as lists of five: see the schema of an edit")
    ]
    string: Annotated[str, Doc("the string before the first edit")]

    drawn_rules = True
    families = {
        "a": "rules look at one end, and what they only delete is there",
        "b": "rules look at one end, and some delete letters at the other",
    }
    sizes = {
        "a": grown(kinds=(1, 3, 4, 5), rules=(1, 3, 4, 6), letters=((7, 8),) * 4),
        "b": grown(kinds=(1, 3, 4, 5), rules=(1, 3, 4, 6), letters=((7, 8),) * 4),
    }
    without_process = {"a": (0,), "b": (0,)}
    distinct_instances = {
        "0": InstanceCount(8_000, FEW, "at least"),
        "0,family=a": InstanceCount(4_000, FEW, "at least"),
        "0,family=b": InstanceCount(4_000, FEW, "at least"),
    }

    @classmethod
    def draw(
        cls,
        rng: Random,
        family: str,
        level: int,
        *,
        kinds: Annotated[int, Between(1, 5)],
        rules: Annotated[int, Between(1, 8)],
        letters: Annotated[Range, Between(6, 30)],
    ) -> Self | None:
        newest = KINDS[family][:kinds][-rules:]
        wanted = [*newest, *rng.choices(KINDS[family][:kinds], k=rules - len(newest))]
        rng.shuffle(wanted)
        order = rng.sample(ALPHABET, len(ALPHABET))

        def make(string: str, made: Sequence[Edit]) -> Iterator[Edit]:
            left = list(wanted)
            for other in made:
                left.remove(kind_of(other))
            for kind in dict.fromkeys(left):
                rule = drawn(rng, kind, string, order)
                if rule and not any(rule.contradicts(other) for other in made):
                    yield rule

        string = random_string(rng, rng.randint(*letters))
        most = rules + MORE
        edits = planted_in_circles(string, rules, make, edited, rng, wait=WAIT, most=most)
        made = edits and cls(family, level, tuple(edits), string)
        if not made or not made._is_good():
            return None
        others = set[str]()
        for _ in range(TRIES):
            if (other := made.redraw(rng, letters=letters)) is not None:
                others.add(other.string)
            if len(others) == OTHERS:
                return made
        return None

    def redraw(self, rng: Random, *, letters: Range, **sizes: Any) -> Self | None:
        size = rng.randint(letters[0], letters[1] + LONGER)
        string = string_for(rng, self.edits, size, len(self.edits) + MORE)
        other = string and replace(self, string=string)
        if not other or not other._is_good() or other._worked.answer == self._worked.answer:
            return None
        return other

    def _is_good(self) -> bool:
        """Return whether every rule is needed, in few edits that leave enough letters."""
        try:
            steps = in_circles(self.string, self.edits, edited, len(self.edits) + MORE)
        except Endless:
            return False
        left = len(steps[-1].state) if steps else 0
        return left >= SHORTEST and needs_all(self.string, self.edits, edited, steps)

    def rules_in_play(self) -> Sequence[Hashable]:
        return range(len(self.edits))

    def work(self, without: Hashable = None) -> Work:
        rules = [rule for place, rule in enumerate(self.edits) if place != without]
        strings = [step.state for step in in_circles(self.string, rules, edited)]
        return Work([strings[-1] if strings else self.string], strings)

    def explain(self, say: Say) -> str:
        listed = say.numbered(_worded(rule, say) for rule in self.edits)
        return say.lines(
            say("A string is edited by this rule:")
            if len(listed) == 1
            else say("A string is edited at its ends by these rules:"),
            *listed,
            say("Apply the rule again and again until it does not apply any more.")
            if len(listed) == 1
            else say(
                "The rules have their turns one after the other, in the order of their numbers, "
                "and after the last one the first one again. A rule whose condition holds when its "
                "turn comes is applied once, and the next turn is that of the next rule, not of "
                "rule 1; a rule whose condition does not hold is passed over. Stop as soon as no "
                "rule applies to the string any more."
            ),
            any(rule.new is not None and rule.first + rule.last for rule in self.edits)
            and say(
                "A rule that both deletes and replaces letters is applied as a whole: if the "
                "string is so short that a letter to be deleted is also one to be replaced, the "
                "rule does not apply and is passed over."
            ),
        )

    def words(self, say: Say) -> Words:
        return Words(
            say("a list with one string, the string when the rule does not apply any more.")
            if len(self.edits) == 1
            else say("a list with one string, the string when no rule applies any more."),
            say(
                "the list of the strings after each edit, in order. The string before the first "
                "edit is not included, and rules that are passed over add no entry; the string "
                "after the last edit is included."
            ),
            Work.of_steps(["xyyz", "yyz", "yy"]),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        return say("The string: {string}", string=self.string)

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """Return the string in cells, and the rules."""
        say = self.say(language)
        rules = say.numbered(_worded(rule, say) for rule in self.edits)
        return string_picture(say("The string"), self.string, rules)

    def equivalent(self, rng: Random) -> Self:
        return self._renamed(exchanged_names(rng, ALPHABET))

    def canonical(self) -> Hashable:
        """With the letters named in the order in which they come."""
        seen = "".join([self.string, *(rule.pattern + (rule.new or "") for rule in self.edits)])
        one = self._renamed(in_order(seen, ALPHABET))
        return self.asks_process, one.string, one.edits

    def _renamed(self, names: Names) -> Self:
        edits = tuple(
            rule._replace(
                pattern=rule.pattern.translate(names), new=rule.new and rule.new.translate(names)
            )
            for rule in self.edits
        )
        return replace(self, edits=edits, string=self.string.translate(names))


def _worded(rule: Edit, say: Say) -> str:
    """Return a rule as a sentence."""
    old, new, action = rule.pattern, rule.new, ""
    if rule.first:
        one, many = (
            say("delete its first letter"),
            say("delete its first {n} letters", n=rule.first),
        )
        action = one if rule.first == 1 else many
    if rule.last:
        one, many = say("delete its last letter"), say("delete its last {n} letters", n=rule.last)
        action = one if rule.last == 1 else many
    if new is not None:
        change = say('replace this "{old}" by "{new}"', old=old, new=new)
        action = say("{one} and {other}", one=action, other=change) if action else change
    if rule.end == "prefix":
        return say('If the string starts with "{old}", {action}.', old=old, action=action)
    return say('If the string ends with "{old}", {action}.', old=old, action=action)
