"""Statistical counting: runs of equal letters change a score.

From LogicGame, with its sizes; its second family begins with a pattern that is looked for from the
back of the string.  Which letters have a rule and what they score is drawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from random import Random
from string import ascii_uppercase
from typing import Annotated, Self

from quandary.core.bounds import Between
from quandary.core.contract import Doc, InstanceCount, Language, Seat
from quandary.core.scene import Scene
from quandary.core.words import Say
from quandary.core.worked import Words, Work, Worked, grown
from quandary.puzzles.questions.execution._shared.renaming import Names, exchanged_names, in_order
from quandary.puzzles.questions.execution._shared.string_picture import string_picture

STARTS = {"a": 0, "b": 10}  # the score before runs are counted
LENGTHS = (1, 1, 1, 2, 2, 2, 3, 3, 4, 6)  # of stretches of equal letters
MOST_POINTS = 9  # of one rule
SHORTEST = 2  # letters of a run


@dataclass(frozen=True)
class StatisticalCounting(Worked):
    string: Annotated[str, Doc("the letters that are scored")]
    start: Annotated[int, Doc("the score before the first rule")]
    points: Annotated[
        tuple[tuple[str, int], ...],
        Doc("a letter, for its runs, or a longer pattern, with its points"),
    ]

    drawn_rules = True
    families = {
        "a": "runs of equal letters add to a score",
        "b": "runs of equal letters add to a score or take from it; at level 0 a pattern does",
    }
    sizes = {
        "a": grown(
            length=(5, 18, 24, 34), letters=(2, 4, 4, 6), rules=(1, 3, 4, 6), pattern=(0, 0, 0, 0)
        ),
        "b": grown(
            length=(12, 26, 39, 51), letters=(2, 4, 4, 6), rules=(1, 3, 4, 6), pattern=(3, 0, 0, 0)
        ),
    }
    without_process = {"a": (0,), "b": (0,)}
    distinct_instances = {
        "0": InstanceCount(221_472, "half of the instances are of family a, which has few"),
        "0,family=a": InstanceCount(288, "32 strings of two letters, and 9 numbers of points"),
    }

    @classmethod
    def draw(
        cls,
        rng: Random,
        family: str,
        level: int,
        *,
        length: Annotated[int, Between(2, 200)],
        letters: Annotated[int, Between(2, 20)],
        rules: Annotated[int, Between(1, 9)],
        pattern: Annotated[int, Between(0, 5)],
    ) -> Self | None:
        """With `pattern` letters in each pattern; 0 counts runs."""
        alphabet = rng.sample(ascii_uppercase, letters)
        if pattern:
            drawn = ("".join(rng.choices(alphabet, k=pattern)) for _ in range(rules))
            scored = [one for one in dict.fromkeys(drawn) if len(set(one)) > 1]
        else:
            scored = alphabet[:rules]
        if len(scored) < rules:
            return None
        losses = rules - rules // 3 if rules > 1 else rng.randrange(2)
        losses = losses if family == "b" else 0
        signs = rng.sample([-1] * losses + [1] * (rules - losses), rules)
        sizes = rng.sample(range(1, MOST_POINTS + 1), rules)
        points = tuple(zip(scored, map(int.__mul__, signs, sizes), strict=True))
        made = cls(family, level, "", 0 if pattern else STARTS[family], points)
        return made._with_string(rng, alphabet, length)

    def redraw(self, rng: Random, **sizes: int) -> Self | None:
        others = sizes["letters"] - len(self._letters)
        unused = [letter for letter in ascii_uppercase if letter not in self._letters]
        alphabet = [*self._letters, *rng.sample(unused, max(0, others))]
        return self._with_string(rng, alphabet, sizes["length"])

    def _with_string(self, rng: Random, alphabet: Sequence[str], length: int) -> Self | None:
        """A string is shuffled of stretches, of which each letter with a rule has one to count.

        At level 0 all strings are as likely, also those in which there is nothing to count.
        """
        if self.level == 0:
            return replace(self, string="".join(rng.choices(alphabet, k=length)))
        needed = [what for what, _ in self.points if len(what) == 1]
        stretches = [letter * max(SHORTEST, rng.choice(LENGTHS)) for letter in needed]
        while (missing := length - sum(map(len, stretches))) > 0:
            stretches.append(rng.choice(alphabet) * min(missing, rng.choice(LENGTHS)))
        rng.shuffle(stretches)
        made = replace(self, string="".join(stretches))
        return made if missing == 0 and made.uses_every_rule() else None

    @property
    def _letters(self) -> list[str]:
        """Those of the rules, in order."""
        return list(dict.fromkeys("".join(what for what, _ in self.points)))

    def rules_in_play(self) -> Sequence[Hashable]:
        single = ["single"] if all(len(what) == 1 for what, _ in self.points) else []
        return [what for what, _ in self.points] + single

    def work(self, without: Hashable = None) -> Work:
        shortest = 1 if without == "single" else SHORTEST
        runs = Counter(letter for letter, amount in _runs(self.string) if amount >= shortest)
        from_back, counts = self.string[::-1], list[int]()
        for what, _ in self.points:
            often = runs[what] if len(what) == 1 else _often(what, from_back)
            counts.append(0 if what == without else often)
        score = self.start + sum(
            often * each for often, (_, each) in zip(counts, self.points, strict=True)
        )
        return Work([str(score)], [str(often) for often in counts])

    def explain(self, say: Say) -> str:
        return say.lines(
            say(
                "A string is scored. The score starts at {start} and changes by these rules:",
                start=self.start,
            ),
            *[self._rule(say, *rule) for rule in enumerate(self.points, 1)],
            any(len(what) == 1 for what, _ in self.points)
            and say(
                "A run is two or more equal letters in a row, taken as far as they go. However "
                "long it is, it counts once, and a single letter is not a run: P P Q P P P Q Q P "
                "has two runs of P and one run of Q. Letters without a rule change nothing."
            ),
            any(len(what) > 1 for what, _ in self.points)
            and say(
                "The string is scanned from the back: its last letter comes first. A pattern is "
                "found wherever its letters come directly one after another in the scan; finds may "
                "overlap. In S R R P P the pattern R R S is found once, because the scan reads "
                "P P R R S, and the pattern S R R is not found."
            ),
        )

    def _rule(self, say: Say, number: int, rule: tuple[str, int]) -> str:
        what, points = rule
        values = {"number": number, "what": what, "points": abs(points)}
        if len(what) > 1 and points > 0:
            return say("{number}. Each time the pattern {what} is found, add {points}.", **values)
        if len(what) > 1:
            return say(
                "{number}. Each time the pattern {what} is found, subtract {points}.", **values
            )
        if points > 0:
            return say("{number}. For each run of {what}, add {points}.", **values)
        return say("{number}. For each run of {what}, subtract {points}.", **values)

    def words(self, say: Say) -> Words:
        return Words(
            say(
                "a list with one string, the score after the whole string; a score below zero has "
                'a minus sign, as in "-3".'
            ),
            say(
                "a list with one string for each rule, in the order of the rules: how many times "
                "that rule changes the score."
            ),
            Work(["14"], ["2", "0", "1"]),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        return say("What is the score of the string {string}?", string=self.string)

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """Return the string in cells, and the rules."""
        say = self.say(language)
        rules = [self._rule(say, *rule) for rule in enumerate(self.points, 1)]
        return string_picture(say("The string"), self.string, rules)

    def equivalent(self, rng: Random) -> Self:
        return self._renamed(exchanged_names(rng, ascii_uppercase))

    def canonical(self) -> Hashable:
        """Return which letters there are does not matter, only where they are equal."""
        one = self._renamed(in_order([*self._letters, *self.string], ascii_uppercase))
        return self.family, self.asks_process, one.string, one.start, one.points

    def _renamed(self, names: Names) -> Self:
        points = tuple((what.translate(names), each) for what, each in self.points)
        return replace(self, string=self.string.translate(names), points=points)


def _runs(string: str) -> Iterator[tuple[str, int]]:
    """Letters and how many of them stand there, from left to right."""
    return ((letter, len(list(run))) for letter, run in groupby(string))


def _often(pattern: str, string: str) -> int:
    return sum(string.startswith(pattern, place) for place in range(len(string)))
