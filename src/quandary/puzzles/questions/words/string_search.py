"""String search: find a piece of a text that has some letters, lacks others and meets some more demands.

From TextGames, in the sizes of its published problems.  Readings: outer blanks and capitals are forgiven, quotation marks are not;
y is a consonant; every piece that meets the demands is right.  All forbidden letters occur in the text, and where a single answer
is promised, every piece of the text is looked at, also those that overlap the answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from textwrap import wrap
from typing import Literal, TypeAlias, get_args

from quandary.core.contract import Language, Question, Seat, Verdict
from quandary.core.scene import Box, Label, Scene, Shape
from quandary.kit.english_words import common

Clause: TypeAlias = Literal[
    "consonants_together", "no_consonants_together", "vowels_together", "no_vowels_together",
    "more_vowels", "fewer_vowels", "as_many_vowels",
]  # fmt: skip
CLAUSES: tuple[Clause, ...] = get_args(Clause)
TRUE_CLAUSES = 3  # of any piece: on its consonants, on its vowels and on their numbers
DEMANDS: Mapping[Clause, str] = {
    "consonants_together": "has two consonants side by side", "no_consonants_together": "has no two consonants side by side",
    "vowels_together": "has two vowels side by side", "no_vowels_together": "has no two vowels side by side",
    "more_vowels": "has more vowels than consonants", "fewer_vowels": "has fewer vowels than consonants",
    "as_many_vowels": "has as many vowels as consonants",
}  # fmt: skip
CONSONANTS, VOWELS = re.compile("[^aeiou]{2}"), re.compile("[aeiou]{2}")
NO_VOWELS = str.maketrans("", "", "aeiou")
MEETS: Mapping[Clause, Callable[[str], bool]] = {
    "consonants_together": lambda piece: CONSONANTS.search(piece) is not None,
    "no_consonants_together": lambda piece: CONSONANTS.search(piece) is None,
    "vowels_together": lambda piece: VOWELS.search(piece) is not None,
    "no_vowels_together": lambda piece: VOWELS.search(piece) is None,
    "more_vowels": lambda piece: 2 * len(piece.translate(NO_VOWELS)) < len(piece),
    "fewer_vowels": lambda piece: 2 * len(piece.translate(NO_VOWELS)) > len(piece),
    "as_many_vowels": lambda piece: 2 * len(piece.translate(NO_VOWELS)) == len(piece),
}
LONGEST_WORD = 8  # that a text is made of
LONGEST = 2_000  # letters of a text
REDRAWS = 1_000  # one or two are enough unless most letters are forbidden
COLUMNS = 15  # letters in a row of the picture
RIGHT = Verdict(1.0)


@dataclass(frozen=True)
class StringSearch(Question):
    letters: str  # the text
    length: int  # of the piece
    required: str
    forbidden: str
    palindrome: bool = False
    clauses: tuple[Clause, ...] = ()

    levels = {
        "easy": {"size": 15, "length": (3, 3), "required": (1, 1), "forbidden": (1, 2), "decoys": 2},
        "medium": {"size": 30, "length": (4, 5), "required": (1, 2), "forbidden": (1, 3), "decoys": 3},
        "hard": {
            "size": 60, "length": (5, 7), "required": (1, 3), "forbidden": (1, 4), "decoys": 4,
            "palindromes": 0.5, "clauses": (1, 2), "single": True,
        },
    }  # fmt: skip

    @classmethod
    def new(
        cls, rng: Random, *, size: int = 15, length: tuple[int, int] = (3, 3), required: tuple[int, int] = (1, 1),
        forbidden: tuple[int, int] = (1, 2), decoys: int = 2, palindromes: float = 0.0, clauses: tuple[int, int] = (0, 0),
        single: bool = False,
    ) -> StringSearch:  # fmt: skip
        """Words in a row, one piece of which is the answer and some of which are overwritten by near misses.

        An answer that is no palindrome gets the smaller number of clauses.
        """
        if not 1 <= length[0] <= length[1] < size <= LONGEST:
            raise ValueError(f"a text has up to {LONGEST} letters, and the piece is shorter")
        if min(required[0], forbidden[0]) < 1 or not 0 <= clauses[0] <= clauses[1] <= TRUE_CLAUSES or decoys < 0:
            raise ValueError(f"at least one letter is required, one is forbidden, and there are 0 to {TRUE_CLAUSES} clauses")
        for _ in range(REDRAWS):
            span, mirrored = rng.randint(*length), rng.random() < palindromes
            text = _words(rng, size)
            home, *elsewhere = _starts(rng, size, span, 1 + decoys)
            answer = _mirrored(text[home : home + span], span) if mirrored else text[home : home + span]
            text[home : home + span] = answer
            wanted = _some(rng, answer, required)
            barred = _some(rng, [letter for letter in text if letter not in answer], forbidden)
            if not wanted or not barred:
                continue
            fair = [letter for letter in text if letter not in barred]
            for number, start in enumerate(elsewhere):
                lacking = number > 0 and len(wanted) > 1 and rng.random() < 0.5
                text[start : start + span] = _decoy(rng, span, wanted, fair, "" if lacking else rng.choice(barred), mirrored)
            if not set(text).issuperset(barred):  # a decoy has hidden the last one
                continue
            true = [clause for clause in CLAUSES if MEETS[clause]("".join(answer))]
            chosen = rng.sample(true, rng.randint(*clauses) if mirrored else clauses[0])
            listed = tuple(sorted(chosen, key=CLAUSES.index))
            question = cls("".join(text), span, "".join(wanted), "".join(barred), mirrored, listed)
            return question._single(rng, "".join(answer), home) if single else question
        raise ValueError(f"no text of {size} letters was found with so many required and forbidden letters")

    def _single(self, rng: Random, answer: str, home: int) -> StringSearch:
        """The same question with every other right piece spoilt by a forbidden letter that lies outside the answer."""
        text = list(self.letters)
        for start in self._places():
            stop = start + self.length
            if "".join(text[start:stop]) == self.letters[start:stop] != answer:
                spots = [spot for spot in range(start, stop) if not home <= spot < home + self.length]
                harmless = [spot for spot in spots if text[spot] not in self.required]  # a decoy there stays a near miss
                text[rng.choice(harmless or spots)] = rng.choice(self.forbidden)
        return replace(self, letters="".join(text))

    def check(self, answer: str, language: Language = "en") -> Verdict:
        said = (answer or "").strip()
        if len(said) != self.length:
            return Verdict(0.0, "length", f"The piece must have exactly {self.length} letters; your answer has length {len(said)}.")
        piece = said.lower()
        if piece not in self.letters or not said.isascii():
            return Verdict(0.0, "not_in_text", f"The text does not have {said!r} in one piece.")
        for letter in self.required:
            if letter not in piece:
                return Verdict(0.0, "required", f"The piece must have the letter {letter!r}; {piece!r} has not.")
        for letter in self.forbidden:
            if letter in piece:
                return Verdict(0.0, "forbidden", f"The piece must not have the letter {letter!r}; {piece!r} has it.")
        if self.palindrome and piece != piece[::-1]:
            return Verdict(0.0, "palindrome", f"The piece must read the same backwards; {piece!r} does not.")
        for clause in self.clauses:
            if not MEETS[clause](piece):
                return Verdict(0.0, clause, f"The piece must be one that {DEMANDS[clause]}; {piece!r} is not.")
        return RIGHT

    def _places(self) -> Iterator[int]:
        """Where the right pieces begin."""
        for start in range(len(self.letters) - self.length + 1):
            if self.check(self.letters[start : start + self.length]) is RIGHT:
                yield start

    def solution(self) -> str:
        start = next(self._places(), None)
        if start is None:
            raise ValueError("no piece of the text meets all these demands")
        return self.letters[start : start + self.length]

    def count_solutions(self) -> int:
        """How many different pieces would be accepted."""
        return len({self.letters[start : start + self.length] for start in self._places()})

    def sample(self, rng: Random) -> str:
        start = rng.randint(0, len(self.letters) - self.length)
        return self.letters[start : start + self.length]

    def canonical(self) -> Hashable:
        """The order of the demands does not matter."""
        orderless = (tuple(sorted(listed)) for listed in (self.required, self.forbidden, self.clauses))
        return self.letters, self.length, self.palindrome, *orderless

    def rules(self, language: Language = "en") -> str:
        return (
            "You are given a text without blanks. Find a piece of it, that is, letters that stand in the text side by side and in "
            "that order, which has exactly the length asked for and meets all the demands in the list.\n"
            "A letter that must be there may be there more than once. The vowels are a, e, i, o and u; all other letters, "
            "y among them, are consonants.\n"
            "Answer with the piece alone, without quotation marks. For example, if the text were strawberry and you had to find "
            "4 letters that have a and w but not t, you could answer: rawb"
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        demands = [f"- {demand}" for demand in self._demands()]
        return "\n".join([f"Text: {self.letters}", f"Find a piece of exactly {self.length} letters that", *demands])

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """The text letter by letter above what is asked for."""
        shapes: list[Shape] = []
        for place, letter in enumerate(self.letters):
            row, column = divmod(place, COLUMNS)
            shapes.append(Box(column + 0.1, row + 0.1, fill="mark", text=letter, size=0.6, click=letter))
        top = 1.0 + len(self.letters[::COLUMNS])
        lines = [f"Find a piece of exactly {self.length} letters that"]
        for demand in self._demands():
            lines += wrap(demand, 42, initial_indent="• ", subsequent_indent="   ")
        shapes += [Label(0.2, top + 0.9 * row, line, 0.62, anchor="start") for row, line in enumerate(lines)]
        return Scene(COLUMNS + 0.2, top + 0.9 * len(lines), tuple(shapes))

    def _demands(self) -> list[str]:
        demands = [f"has {_listed(self.required, 'and')}", f"does not have {_listed(self.forbidden, 'or')}"]
        demands += ["reads the same backwards (is a palindrome)"] * self.palindrome
        return demands + [DEMANDS[clause] for clause in self.clauses]


@cache
def _pool() -> tuple[str, ...]:
    return tuple(word for word in common() if len(word) <= LONGEST_WORD)


def _words(rng: Random, size: int) -> list[str]:
    """Words in a row, cut to size, as letters."""
    text = ""
    while len(text) < size:
        text += rng.choice(_pool())
    return list(text[:size])


def _starts(rng: Random, size: int, span: int, pieces: int) -> list[int]:
    """Where pieces begin that do not overlap, in any order: as many as asked for, or as have room."""
    number = min(pieces, size // span)
    drawn = sorted(rng.sample(range(size - number * (span - 1)), number))  # as if all but their first letters took no room
    starts = [place + number * (span - 1) for number, place in enumerate(drawn)]
    rng.shuffle(starts)
    return starts


def _some(rng: Random, letters: Sequence[str], bounds: tuple[int, int]) -> list[str]:
    """Some of the letters, each once; none if there are too few."""
    different = sorted(set(letters))
    number = min(rng.randint(*bounds), len(different))
    return rng.sample(different, number) if number >= bounds[0] else []


def _decoy(rng: Random, span: int, wanted: Sequence[str], fair: Sequence[str], barred: str, mirrored: bool) -> list[str]:
    """A near miss: the required letters with a forbidden one, or, without that, all of them but one."""
    room = (span + 1) // 2 if mirrored else span
    missing = "" if barred else rng.choice(wanted)
    letters = [letter for letter in (barred, *wanted) if letter not in ("", missing)][:room]
    others = [letter for letter in fair if letter != missing]
    letters += rng.choices(others, k=room - len(letters))
    rng.shuffle(letters)
    return _mirrored(letters, span) if mirrored else letters


def _mirrored(letters: list[str], span: int) -> list[str]:
    """A palindrome of that length from its first half."""
    return letters[: (span + 1) // 2] + letters[: span // 2][::-1]


def _listed(letters: str, last: str) -> str:
    return f"{', '.join(letters[:-1])} {last} {letters[-1]}" if len(letters) > 1 else letters
