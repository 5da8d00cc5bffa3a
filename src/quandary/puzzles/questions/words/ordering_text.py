"""Ordering text: sort words by the points that some rules give them.

From TextGames, in the sizes of its published problems.  Readings: runs of vowels or consonants are counted with overlaps, a text
that must be there so many times without; y is a consonant, hyphens and apostrophes are neither; a beginning and an ending may
share letters; equal points go by the alphabet.  An answer is exactly the words, so one order is right; capitals are forgiven.
The words of an instance differ, are not shown in order, and at least two of them score; there are at least two thirds as many
different scores as words (fewer only beyond the levels, where a few rules cannot tell many words apart).  Half of the texts that
rules look for are cut from words of the list, as else most rules would bear on none.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate, chain, compress, count
from operator import ne
from random import Random
from textwrap import wrap
from typing import Any, Literal, TypeAlias, get_args

from quandary.core.contract import Language, Question, Seat, Verdict
from quandary.core.scene import Box, Label, Scene, Shape
from quandary.kit.english_words import by_length

Kind: TypeAlias = Literal["consecutive", "length", "affix", "infix"]
KINDS: tuple[Kind, ...] = get_args(Kind)
VOWELS, CONSONANTS = "aeiou", "bcdfghjklmnpqrstvwxyz"
SOUNDS = str.maketrans(VOWELS + CONSONANTS, "v" * len(VOWELS) + "c" * len(CONSONANTS))
PATTERNS = {
    "c": "each consonant", "v": "each vowel",
    "cc": "each pair of neighbouring consonants", "vv": "each pair of neighbouring vowels",
    "vc": "each consonant directly after a vowel", "cv": "each vowel directly after a consonant",
    "ccc": "each run of three consonants", "vvv": "each run of three vowels",
}  # fmt: skip
OVERLAPPING = {pattern: re.compile(f"(?={pattern})") for pattern in PATTERNS}
RUNS = (("c", "v"), ("cc",), ("vv",), ("vc",), ("cv",), ("ccc", "vvv"))  # equally likely
BOUNDS = (
    ("longer",), ("shorter",), ("equal",), ("equal",), ("different",), ("different",),
    ("longer", "shorter"), ("longer", "different"), ("shorter", "different"), ("longer", "shorter", "different"),
)  # fmt: skip
AFFIXES = (("prefix",), ("suffix",), ("prefix", "suffix"))
MOST_RULES, MOST_WORDS = 50, 200
BATCHES = 4  # of as many words as are needed, before the rules are drawn anew
TRIES = 300  # before more ties are allowed; the levels need a few
SHOWN = 40  # characters of a strange word in the feedback
WIDTH = 12  # of the picture
RIGHT = Verdict(1.0)


@dataclass(frozen=True)
class Scoring:
    """One rule: the points a word gets, once or for each time it has what is counted."""

    points: int
    kind: Kind
    pattern: str = ""  # consecutive: letters in a row, c a consonant and v a vowel
    longer: int | None = None  # length: more characters than that; all that are given must hold
    shorter: int | None = None
    equal: int | None = None
    different: int | None = None
    prefix: str = ""  # affix: both must hold where both are given
    suffix: str = ""
    part: str = ""  # infix
    times: int | None = None  # exactly so many, without overlaps from the left; None is at least once

    def earned(self, word: str) -> int:
        """The points this rule gives a word."""
        if self.kind == "consecutive":
            return self.points * len(OVERLAPPING[self.pattern].findall(word.translate(SOUNDS)))
        if self.kind == "affix":
            holds = word.startswith(self.prefix) and word.endswith(self.suffix)
        elif self.kind == "infix":
            holds = self.part in word if self.times is None else word.count(self.part) == self.times
        else:
            holds = self._fits(len(word))
        return self.points if holds else 0

    def _fits(self, length: int) -> bool:
        return (
            (self.longer is None or length > self.longer)
            and (self.shorter is None or length < self.shorter)
            and (self.equal is None or length == self.equal)
            and length != self.different
        )

    def __str__(self) -> str:
        if self.kind == "consecutive":
            return f"{self.points:+d} for {PATTERNS[self.pattern]}"
        if self.kind == "affix":
            affixes = (("starts with", self.prefix), ("ends with", self.suffix))
            return f"{self.points:+d} if it " + _listed(f'{where} "{affix}"' for where, affix in affixes if affix)
        if self.kind == "infix":
            exactly = "" if self.times is None else f" exactly {_times(self.times)}"
            return f'{self.points:+d} if it contains "{self.part}"{exactly}'
        bounds = (("more than ", self.longer), ("less than ", self.shorter), ("exactly ", self.equal), ("not ", self.different))
        return f"{self.points:+d} if its length is " + _listed(f"{how}{bound}" for how, bound in bounds if bound is not None)


@dataclass(frozen=True)
class OrderingText(Question):
    scoring: tuple[Scoring, ...]
    words: tuple[str, ...]  # in small letters, in the order shown

    levels = {
        "easy": {"rules": (2, 2), "words": (3, 3)},
        "medium": {"rules": (2, 4), "words": (4, 6)},
        "hard": {"rules": (4, 8), "words": (5, 10), "length": (3, 15), "alike": True},
    }
    form = "block"

    @classmethod
    def new(
        cls,
        rng: Random,
        *,
        rules: tuple[int, int] = (2, 2),
        words: tuple[int, int] = (3, 3),
        length: tuple[int, int] = (3, 8),
        alike: bool = False,
    ) -> OrderingText:
        """Common words of equally likely lengths; rules of different kinds, or of any kinds where they may be `alike`."""
        most = MOST_RULES if alike else len(KINDS)
        if not 1 <= rules[0] <= rules[1] <= most:
            raise ValueError(f"there can be 1 to {most} rules")
        if not 2 <= words[0] <= words[1] <= MOST_WORDS:
            raise ValueError(f"there can be 2 to {MOST_WORDS} words")
        pool, chances = _pool(*length)
        if len(pool) < words[1]:
            raise ValueError(f"there are no {words[1]} common words of {length[0]} to {length[1]} letters")
        number, wanted = rng.randint(*rules), rng.randint(*words)
        for tried in count():
            if tried % TRIES == 0:
                kinds = [] if alike else rng.sample(KINDS, number)
            drawn, others = (rng.choices(pool, cum_weights=chances, k=wanted) for _ in range(2))
            scoring = _rules(rng, kinds or iter(lambda: rng.choice(KINDS), None), number, (drawn, others))
            more = (word for _ in range(BATCHES) for word in rng.choices(pool, cum_weights=chances, k=wanted))
            ties = wanted // 3 if tried < TRIES else wanted - 2
            scores = _told_apart(scoring, chain(drawn, others, more), wanted, ties)
            if len(scores) == wanted:
                break
        shown = right = sorted(scores, key=lambda word: (-scores[word], word))
        while shown == right:
            shown = rng.sample(right, wanted)
        return cls(scoring, tuple(shown))

    def ordered(self) -> tuple[str, ...]:
        """The words from the most points to the fewest, equal ones by the alphabet."""
        return self._ordered

    @cached_property
    def _ordered(self) -> tuple[str, ...]:
        """Worked out once: grading many answers to one question must cost next to nothing."""
        return tuple(sorted(self.words, key=lambda word: (-_points(self.scoring, word), word)))

    def check(self, answer: str, language: Language = "en") -> Verdict:
        said = tuple(_small(answer or "").replace(",", " ").split())
        return RIGHT if said == self._ordered else Verdict(0.0, *self._fault(said))

    def _fault(self, said: Sequence[str]) -> tuple[str, str]:
        """What is wrong with the words of an answer: its kind and a sentence."""
        if len(said) == len(self.words) and sorted(said) == sorted(self.words):
            place = next(compress(count(), map(ne, said, self._ordered)))
            return "order", f"{said[place]!r} does not belong in place {place + 1}."
        mark = next((word for word in said if not word[0].isalpha() and word not in self.words), "")
        if mark:
            return "mark", f"Write the words alone, without bullets, numbers or other marks; {_short(mark)} is no word of the list."
        if len(said) != len(self.words):
            kind = "too_few" if len(said) < len(self.words) else "too_many"
            return kind, f"There are {len(self.words)} words to put in order; your answer has {len(said)}."
        unknown = next((word for word in said if word not in self.words), "")
        if unknown:
            return "unknown_word", f"{_short(unknown)} is no word of the list."
        repeated = next(word for word in said if said.count(word) > self.words.count(word))
        shown, given = (_times(words.count(repeated)) for words in (self.words, said))
        return "repeated_word", f"{repeated!r} stands in the list {shown}; your answer has it {given}."

    def solution(self) -> str:
        return "\n".join(self._ordered)

    def sample(self, rng: Random) -> str:
        return "\n".join(rng.sample(self.words, len(self.words)))

    def canonical(self) -> Hashable:
        return tuple(sorted(map(repr, self.scoring))), tuple(sorted(self.words))

    def rules(self, language: Language = "en") -> str:
        strange = any(letter not in SOUNDS for letter in map(ord, "".join(self.words)))
        marks = (
            " Hyphens and apostrophes count for the length, but they are neither vowels nor consonants; "
            "in alphabetical order a hyphen comes before a and an apostrophe after z."
        )
        return (
            "Each word in the list gets points by the rules shown; its points are the sum over all rules, and may be negative. "
            "Put the words in order from the most points to the fewest. Words with equal points go in alphabetical order, "
            "a word before longer ones that begin with it.\n"
            "The vowels are a e i o u, and the other 21 letters are consonants. Where a rule gives points for each of something, "
            "it does so as often as the word has it, overlaps included: four consonants in a row hold three pairs of neighbouring "
            "consonants. All other rules give their points once or not at all.\n"
            "Length is the number of characters, and every bound that is named must hold. If a word must start and end with "
            "something, it must do both; the two may share letters. A text that must be contained exactly so many times is counted "
            "from left to right without overlaps: anana contains ana exactly once."
            f"{marks if strange else ''}\n"
            "Answer with all the words and nothing else, one a line or with blanks or commas between them. "
            "Capital and small letters mean the same. For example, if the rules were\n"
            "+10 for each pair of neighbouring consonants\n"
            '-5 if it contains "e"\n'
            "and the words kiwi, apple, fig and plum, apple would get 15 points, plum 10, fig and kiwi 0 each, "
            "and you would answer: apple, plum, fig, kiwi"
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        return "\n".join(["Points for a word:", *map(str, self.scoring), "Words to put in order:", *self.words])

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """The rules above the words."""
        lines = [part for rule in self.scoring for part in wrap(str(rule), 48, subsequent_indent="      ")]
        shapes: list[Shape] = [Label(0.3, 0.5 + 0.7 * row, line, 0.46, anchor="start") for row, line in enumerate(lines)]
        top = 0.7 * len(lines) + 0.5
        for place, word in enumerate(self.words):
            row, column = divmod(place, 2)
            shapes.append(Box(0.3 + 5.8 * column, top + row, 5.6, 0.85, "mark", word, size=0.5, click=word))
        return Scene(WIDTH, top + (len(self.words) + 1) // 2 + 0.2, tuple(shapes))


def _points(scoring: Iterable[Scoring], word: str) -> int:
    """What all rules together give a word."""
    return sum([rule.earned(word) for rule in scoring])


def _told_apart(scoring: Sequence[Scoring], words: Iterable[str], wanted: int, ties: int) -> dict[str, int]:
    """The points of the first words that will do: at least two score, and so many at most tie with one before."""
    scores = dict[str, int]()
    for word in words:
        score = _points(scoring, word)
        tied = score in scores.values()
        if word in scores or (score == 0 and len(scores) < 2) or (tied and not ties):
            continue
        ties -= tied
        scores[word] = score
        if len(scores) == wanted:
            break
    return scores


@lru_cache(maxsize=16)
def _pool(shortest: int, longest: int) -> tuple[Sequence[str], Sequence[float]]:
    """Common words, and their chances added up: each length is equally likely, and so is each word of one length."""
    lengths = [letters for letters in sorted(by_length()) if shortest <= letters <= longest]
    pool = [word for letters in lengths for word in by_length()[letters]]
    return pool, list(accumulate(1 / len(by_length()[len(word)]) for word in pool))


def _rules(rng: Random, kinds: Iterable[Kind], number: int, sources: Sequence[Sequence[str]]) -> tuple[Scoring, ...]:
    """Rules of these kinds, no two with the same condition; texts are cut from words of either source alike."""
    conditions = list[dict[str, Any]]()
    for kind in kinds:
        source = rng.choice(rng.choice(sources))
        condition = {"kind": kind, **_condition(rng, kind, source)}
        if condition not in conditions:
            conditions.append(condition)
        if len(conditions) == number:
            break
    return tuple(Scoring(5 * rng.randint(1, 20) * rng.choice((1, -1)), **condition) for condition in conditions)


def _condition(rng: Random, kind: Kind, source: str) -> dict[str, Any]:
    """What a rule asks for; texts are cut from the source."""
    if kind == "consecutive":
        return {"pattern": rng.choice(rng.choice(RUNS))}
    if kind == "length":
        return _bounds(rng, rng.choice(BOUNDS))
    if kind == "affix":
        cuts = {"prefix": source[: rng.randint(1, 3)], "suffix": source[-rng.randint(1, 3) :]}
        return {affix: cuts[affix] for affix in rng.choice(AFFIXES)}
    size = min(len(source), rng.choices((1, 2, 3), (4, 5, 1))[0])
    start = rng.randint(0, len(source) - size)
    return {"part": source[start : start + size], "times": rng.choice((None, None, 1, 2))}


def _bounds(rng: Random, named: Sequence[str]) -> dict[str, int]:
    bounds = dict[str, int]()
    if "longer" in named:
        bounds["longer"] = rng.randint(2, 8)
    if "shorter" in named:
        bounds["shorter"] = rng.randint(bounds.get("longer", 2) + 3, 12)
    if "equal" in named:
        bounds["equal"] = rng.randint(3, 11)
    if "different" in named:
        bounds["different"] = rng.randint(bounds.get("longer", 1) + 1, bounds.get("shorter", 12) - 1)
    return bounds


def _small(answer: str) -> str:
    """The answer with its English letters small, and no others: the Kelvin sign is no k."""
    if answer.isascii():
        return answer.lower()
    return answer.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")


def _short(word: str) -> str:
    return repr(word if len(word) <= SHOWN else word[:SHOWN] + "…")


def _listed(parts: Iterable[str]) -> str:
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")
