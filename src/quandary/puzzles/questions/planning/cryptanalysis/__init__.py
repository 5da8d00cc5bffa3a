"""Cryptanalysis: find a code from what was said about guesses, and tell what is known after each.

From LogicGame, with its sizes: a family begins with one symbol and goes on with a lock or several
unknowns.  A symbol is known when it is the same in every code that fits all that was said so far:
exact entailment, where the published processes sometimes leave open what is known.  One code is
left at the end, and no clue is idle: without it some entry of the process would be another one.
Entries tell something new before the last one, and at least half of them do.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Annotated, Self

from quandary.core.boards import TEXT_WIDTH, board, captions, stack
from quandary.core.bounds import Between
from quandary.core.contract import Doc, InstanceCount, Language, Seat
from quandary.core.scene import Scene
from quandary.core.words import Say
from quandary.core.worked import Words, Work, Worked, grown

from .solver.clues import drawn_clues, feedback_of
from .solver.codes import Clue, Kind, codes_of, fitting
from .words import NAMES, clue_words, kind_words

LOCK = Kind("99", mixed=True, unrepeated="symbols")
PAIRS = Kind("9F9", unrepeated="digits")
KINDS = {
    "a": (Kind("#", (0, 10)), LOCK, LOCK._replace(places="999"), LOCK._replace(places="99Z")),
    "b": (Kind("Z"), LOCK, LOCK._replace(places="999"), LOCK._replace(places="99FF")),
    "c": (Kind("z"), Kind("9F"), PAIRS, PAIRS._replace(places="9F9F")),
    "d": (Kind("#", (1, 9)), Kind("##", (1, 9)), Kind("###", (0, 10)), Kind("####", (0, 10))),
}


@dataclass(frozen=True)
class Cryptanalysis(Worked):
    kind: Annotated[Kind, Doc("which codes are possible")]
    clues: Annotated[
        tuple[Clue, ...], Doc("the clues in order: a guess, and what is said about it")
    ]

    version = 2
    families = {
        "a": "a number, then a lock with digits and in the end a letter",
        "b": "a letter, then a lock with digits and in the end two letters",
        "c": "a letter, then pairs of a digit and a letter that are compared",
        "d": "whole numbers of which facts are guessed",
    }
    sizes = {
        "a": grown(clues=(3, 4, 4, 4)),
        "b": grown(clues=(4, 4, 5, 6)),
        "c": grown(clues=(4, 3, 4, 4)),
        "d": grown(clues=(3, 4, 5, 6)),
    }
    distinct_instances = {
        "0": InstanceCount(1_000, "few guesses at one symbol", "at least"),
        "0,family=a": InstanceCount(100, "three guesses at a number from 0 to 10", "at least"),
        "0,family=b": InstanceCount(1_000, "four guesses at a letter", "at least"),
        "0,family=c": InstanceCount(3_000, "four guesses at a letter", "at least"),
        "0,family=d": InstanceCount(700, "three guesses at a number from 1 to 9", "at least"),
        "1,family=d": InstanceCount(25_000, "four clues to two numbers from 1 to 9", "at least"),
    }

    @classmethod
    def draw(
        cls, rng: Random, family: str, level: int, *, clues: Annotated[int, Between(2, 8)]
    ) -> Self | None:
        return cls._drawn(rng, family, level, KINDS[family][level], clues)

    def redraw(self, rng: Random, *, clues: int) -> Self | None:
        return self._drawn(rng, self.family, self.level, self.kind, clues)

    @classmethod
    def _drawn(cls, rng: Random, family: str, level: int, kind: Kind, clues: int) -> Self | None:
        entry = cls(family, level, kind, ())._entry
        row = drawn_clues(rng, kind, clues, feedback_of(family, kind.places), entry)
        made = cls(family, level, kind, row or ())
        return made if row and made._tells_gradually() else None

    def _tells_gradually(self) -> bool:
        """Return whether an entry before the last one tells something new, and half of all entries
        do, or as many as a code has places.
        """
        entries = [self._entry(codes_of(self.kind).everything), *self.work().process]
        new = [one != other for one, other in pairwise(entries)]
        return any(new[:-1]) and 2 * sum(new) >= min(len(new), 2 * len(self.kind.places))

    def rules_in_play(self) -> Sequence[Hashable]:
        return range(len(self.clues))

    def work(self, without: Hashable = None) -> Work:
        codes = codes_of(self.kind)
        clues = [
            codes.everything if place == without else fitting(self.kind, clue)
            for place, clue in enumerate(self.clues)
        ]
        return Work.of_steps(map(self._entry, codes.left_after(clues)))

    def _entry(self, left: int) -> str | list[str]:
        """Return what the process tells of the codes that are left."""
        codes = codes_of(self.kind)
        if self._form == "range":
            ends = [codes.first(left), codes.last(left)] if left else codes.agreed(left)
            return ["".join(end) for end in ends[: 1 if ends[0] == ends[1] else 2]]
        if self._form == "set":
            return [number for (number,) in codes.listed(left)]
        known = codes.agreed(left)
        return "".join(known) if self._form == "code" else list(known)

    @property
    def _form(self) -> str:
        if self.family == "d":
            return "set" if len(self.kind.places) == 1 else "numbers"
        return "range" if len(self.kind.places) == 1 or self.kind.places == "9F" else "code"

    def explain(self, say: Say) -> str:
        kind = kind_words(say, self.kind, named=self.family == "d")
        unique = say("All clues are true, and exactly one solution fits all of them.")
        return say.lines(kind, self._feedback(say), self._unmentioned(say), unique)

    def _unmentioned(self, say: Say) -> str:
        if len(self.kind.places) == 1:
            return ""
        if self.kind.mixed or self.kind.places == "####":
            return say("Counts are exact. What a clue does not mention may be true or false.")
        return say("What a clue does not mention may be true or false.")

    def _feedback(self, say: Say) -> str:
        if self.kind.mixed:
            letters = self.kind.places[-1] != "9"
            return say.lines(
                say(
                    "A digit of a guess is right if the code contains it, and in the right place "
                    "if it stands at the same place in both. The other digits of the guess are "
                    "wrong. Wrong digits are called too small if each of them is less than each "
                    "digit of the code that the guess lacks, and too large if each of them is "
                    "greater."
                ),
                letters
                and say(
                    "The same goes for letters, which are called too early or too late in the "
                    "alphabet. A place is a position in the whole code, digits and letters "
                    "together."
                ),
            )
        if self.family == "d" and len(self.kind.places) == 4:
            return say("A number of a guess is right if it is the value of its own letter.")
        if len(self.kind.places) > 1:
            return say(
                "Too small or too large means that what was guessed is less or greater than the "
                "true value."
            )
        return ""

    def words(self, say: Say) -> Words:
        if self._form == "range":
            code = {"#": "3 9 3 4 3", "9F": "3B 9D 3B 4C 3B"}.get(self.kind.places, "D M D E D")
            a, b, c, d, e = code.split()
            return Words(
                say("a list with one string, the secret."),
                say(
                    "a list with one entry per clue, in order: of all values that fit this clue "
                    "and those before it, the first and the last in order, as a list of two "
                    "strings; where only one value is left, a list of that one."
                ),
                Work.of_steps([[a, b], [c, d], [e]]),
            )
        if self._form == "set":
            return Words(
                say("a list with one string, the number L."),
                say(
                    "a list with one entry per clue, in order: all values that fit this clue and "
                    "those before it, from small to large, as a list of strings."
                ),
                Work.of_steps([["2", "6", "7"], ["2", "7"], ["7"]]),
            )
        if self._form == "code":
            return Words(
                say("a list with one string, the code."),
                say(
                    "a list with one string per clue, in order: the code, with * for every place "
                    "that is not known after this clue. A place is known if all codes that fit "
                    "this clue and those before it have the same symbol there; where no more is "
                    "known than before, the entry is the same as the previous one."
                ),
                Work.of_steps(["**", "1*", "1*", "13"]),
            )
        names = say.list(NAMES[len(self.kind.places)])
        return Words(
            say("a list of strings, the numbers {names} in this order.", names=names),
            say(
                "a list with one entry per clue, in order: the numbers as a list of strings in the "
                'same order, with "*" for every number that is not known after this clue. A number '
                "is known if it has the same value in every solution that fits this clue and those "
                "before it; where no more is known than before, the entry is the same as the "
                "previous one."
            ),
            Work.of_steps([["*", "*"], ["*", "3"], ["1", "3"]]),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        return say.lines(*self._lines(say))

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """Return each guess in cells, above what is said about it."""
        say, names = self.say(language), NAMES[len(self.kind.places)]
        column_names = names if self.family == "d" else ()
        return stack(
            *(
                stack(
                    board([clue.guess], column_names=column_names) if clue.guess else None,
                    captions(line, size=0.5, width=TEXT_WIDTH, indent="   "),
                    gap=0.2,
                )
                for clue, line in zip(self.clues, self._lines(say), strict=True)
            ),
            gap=0.5,
        )

    def _lines(self, say: Say) -> list[str]:
        names, lines = NAMES[len(self.kind.places)], list[str]()
        for number, clue in enumerate(self.clues, start=1):
            words = clue_words(say, self.kind, clue, named=self.family == "d")
            guess = say.list(clue.guess) if self.family == "d" else "".join(clue.guess)
            values = {"number": number, "guess": guess, "names": say.list(names), "words": words}
            if not clue.guess and clue.said[0].right:
                lines.append(say("{number}. Guess: {words}. Right.", **values))
            elif not clue.guess:
                lines.append(say("{number}. Guess: {words}. Wrong.", **values))
            elif self.family == "d":
                lines.append(say("{number}. Guess {names} = {guess}: {words}.", **values))
            else:
                lines.append(say("{number}. Guess {guess}: {words}.", **values))
        return lines

    def canonical(self) -> Hashable:
        return self.family, self.kind, self.clues
