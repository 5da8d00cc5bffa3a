"""Ordering text: sort words by the points that some rules give them.

From TextGames, in the sizes of its published problems.  Interpretations: runs of vowels or
consonants are counted with overlaps, texts without; y is a consonant, hyphens and apostrophes are
neither; a beginning and an ending may share letters; words with equal points are sorted by the
alphabet.  An answer is exactly the words, so one order is right; capitals are ignored.
The words of an instance differ, are not shown in order, and at least two of them score; there are
at least two thirds as many different scores as words (fewer only outside the levels, if a few rules
cannot distinguish many words).  Half of the texts in rules are taken from words of the list,
because otherwise most rules would apply to none.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import astuple, dataclass
from functools import cached_property, lru_cache
from itertools import accumulate, compress, count
from operator import ne
from random import Random
from typing import Annotated

from quandary.core.answers import Answer, ListOf, Text
from quandary.core.boards import Cell, captions, cards, stack
from quandary.core.bounds import Between, Range
from quandary.core.contract import Doc, Language, Question, Seat, Verdict, WordPuzzle
from quandary.core.control_characters import printable
from quandary.core.scene import Scene
from quandary.core.words import Say
from quandary.puzzles._shared.reading import lowered
from quandary.puzzles.questions.words._shared.english_words import by_length

from .solver import KINDS, SOUNDS, Scoring, points_of, random_scoring

MOST_RULES, MOST_WORDS = 50, 200
COMMAS = ",，、"  # between words
SHOWN = 40  # characters of an unknown word in the feedback
WIDTH = 12  # of the picture
RIGHT = Verdict(1.0)
EXAMPLE = (Scoring(10, "consecutive", "cc"), Scoring(-5, "infix", part="e"))  # in the rules


@dataclass(frozen=True)
class OrderingText(WordPuzzle, Question):
    scoring: Annotated[tuple[Scoring, ...], Doc("the rules by which words get points")]
    words: Annotated[tuple[str, ...], Doc("the words to order, in lower case")]

    version = 2
    word_language = "en"
    kept_words = ("anana", "ana", "kiwi", "apple", "fig", "plum")
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
        rules: Annotated[Range, Between(1, MOST_RULES)] = (2, 2),
        words: Annotated[Range, Between(2, MOST_WORDS)] = (3, 3),
        length: tuple[int, int] = (3, 8),
        alike: bool = False,
    ) -> OrderingText:
        """Common words of equally likely lengths; rules of different kinds unless `alike`."""
        if not alike and rules[1] > len(KINDS):
            raise ValueError(f"there can be at most {len(KINDS)} rules of different kinds")
        pool, chances = _pool(*length)
        if len(pool) < words[1]:
            letters = f"{length[0]} to {length[1]} letters"
            raise ValueError(f"there are fewer than {words[1]} common words of {letters}")
        number, wanted = rng.randint(*rules), rng.randint(*words)

        def draw() -> list[str]:
            return rng.choices(pool, cum_weights=chances, k=wanted)

        scoring, scores = random_scoring(rng, draw, number, wanted, alike)
        shown = right = sorted(scores, key=lambda word: (-scores[word], word))
        while shown == right:
            shown = rng.sample(right, wanted)
        return cls(scoring, tuple(shown))

    def ordered(self) -> tuple[str, ...]:
        """Return the words from the most points to the fewest; ties by the alphabet."""
        return self._ordered

    @cached_property
    def _ordered(self) -> tuple[str, ...]:
        """The ordered words, computed once for all answers to a question."""
        return tuple(sorted(self.words, key=lambda word: (-points_of(self.scoring, word), word)))

    def check(self, answer: str, language: Language = "en") -> Verdict:
        plain = lowered(answer or "")
        for comma in COMMAS:
            plain = plain.replace(comma, " ")
        words = tuple(plain.split())
        if words == self._ordered:
            return RIGHT
        return Verdict(0.0, *self._fault(self.say(language), words))

    def _fault(self, say: Say, words: Sequence[str]) -> tuple[str, str]:
        """Return what is wrong with the words of an answer: its kind and a sentence."""
        if len(words) == len(self.words) and sorted(words) == sorted(self.words):
            place = next(compress(count(), map(ne, words, self._ordered)))
            return "order", say(
                "'{word}' does not belong in place {place}.", word=words[place], place=place + 1
            )
        unknown = [word for word in words if word not in self.words]
        mark = next((word for word in unknown if not word[0].isalpha()), "")
        if mark:
            return "mark", say(
                "Write the words alone, without bullets, numbers or other marks; '{word}' is not a "
                "word in the list.",
                word=_shortened(mark),
            )
        if len(words) != len(self.words):
            return "too_few" if len(words) < len(self.words) else "too_many", say(
                "There are {count} words to put in order; your answer has {found}.",
                count=len(self.words),
                found=len(words),
            )
        if unknown:
            return "unknown_word", say(
                "'{word}' is not a word in the list.", word=_shortened(unknown[0])
            )
        repeated = next(word for word in words if words.count(word) > self.words.count(word))
        return "repeated_word", say(
            "'{word}' occurs {count} {count:time|times} in the list, but {found} "
            "{found:time|times} in your answer.",
            word=repeated,
            count=self.words.count(repeated),
            found=words.count(repeated),
        )

    def answer_shape(self) -> Answer:
        return ListOf(Text(choices=self.words), count=len(self.words), lines=True)

    def rules(self, language: Language = "en") -> str:
        say = self.say(language)
        marked = any(letter not in SOUNDS for letter in map(ord, "".join(self.words)))
        return say.lines(
            say(
                "Each word in the list gets points by the rules shown; its total is the sum over "
                "all rules and can be negative. Put the words in order from the most points to "
                "the fewest. Words with equal points go in alphabetical order, a word before "
                "longer ones that begin with it.\n"
                "The vowels are a e i o u, and the other 21 letters are consonants. A rule that "
                "gives points for each of something counts every occurrence, overlaps included: "
                "four consonants in a row contain three pairs of neighbouring consonants. "
                "All other rules give their points once or not at all.\n"
                "Length is the number of characters; if a rule has several bounds, all of them "
                "must hold. If a word must start and end with something, it must do both; the two "
                "can share letters. A text that must occur an exact number of times is counted "
                "from left to right without overlaps: anana contains ana exactly once."
            ),
            marked
            and say(
                "Hyphens and apostrophes count towards the length, but they are neither vowels "
                "nor consonants; in alphabetical order a hyphen comes before a and "
                "an apostrophe after z."
            ),
            say(
                "Answer with all the words and nothing else, one per line or separated by blanks "
                "or commas. Upper and lower case make no difference. For example, if the rules "
                "were\n{rules}\n"
                "and the words kiwi, apple, fig and plum, apple would get 15 points, plum 10, "
                "fig and kiwi 0 each, and you would answer: apple, plum, fig, kiwi",
                rules="\n".join(_in_words(say, rule) for rule in EXAMPLE),
            ),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        return say(
            "Points for a word:\n{rules}\nWords to put in order:\n{words}",
            rules="\n".join([_in_words(say, rule) for rule in self.scoring]),
            words="\n".join(self.words),
        )

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """Return the rules above the words."""
        say = self.say(language)
        lines = [_in_words(say, rule) for rule in self.scoring]
        words = [Cell(word, "mark") for word in self.words]
        return stack(
            captions(*lines, width=WIDTH, indent="      "),
            cards(words, columns=2, size=(WIDTH / 2, 1.0)),
        )

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        say = self.say(language)
        return {"mark": say("the words to be ordered")}

    def solution(self) -> str:
        return "\n".join(self._ordered)

    def sample(self, rng: Random) -> str:
        return "\n".join(rng.sample(self.words, len(self.words)))

    def equivalent(self, rng: Random) -> OrderingText:
        scoring = tuple(rng.sample(self.scoring, len(self.scoring)))
        return OrderingText(scoring, tuple(rng.sample(self.words, len(self.words))))

    def canonical(self) -> Hashable:
        return tuple(sorted(map(astuple, self.scoring), key=repr)), tuple(sorted(self.words))


def _in_words(say: Say, rule: Scoring) -> str:
    points = f"{rule.points:+d}"
    if rule.kind == "consecutive":
        return _pattern_in_words(say, points, rule.pattern)
    if rule.kind == "length":
        return _length_in_words(say, points, rule)
    if rule.kind == "infix":
        about = {"points": points, "part": rule.part, "times": rule.times}
        if rule.times is None:
            return say('{points} if it contains "{part}"', **about)
        if rule.times == 1:
            return say('{points} if it contains "{part}" exactly once', **about)
        return say('{points} if it contains "{part}" exactly {times} times', **about)
    if not rule.suffix:
        return say('{points} if it starts with "{prefix}"', points=points, prefix=rule.prefix)
    if not rule.prefix:
        return say('{points} if it ends with "{suffix}"', points=points, suffix=rule.suffix)
    return say(
        '{points} if it starts with "{prefix}" and ends with "{suffix}"',
        points=points,
        prefix=rule.prefix,
        suffix=rule.suffix,
    )


def _pattern_in_words(say: Say, points: str, pattern: str) -> str:
    match pattern:
        case "c":
            return say("{points} for each consonant", points=points)
        case "v":
            return say("{points} for each vowel", points=points)
        case "cc":
            return say("{points} for each pair of neighbouring consonants", points=points)
        case "vv":
            return say("{points} for each pair of neighbouring vowels", points=points)
        case "vc":
            return say("{points} for each consonant directly after a vowel", points=points)
        case "cv":
            return say("{points} for each vowel directly after a consonant", points=points)
        case "ccc":
            return say("{points} for each run of three consonants", points=points)
        case _:
            return say("{points} for each run of three vowels", points=points)


def _length_in_words(say: Say, points: str, rule: Scoring) -> str:
    bounds = [
        rule.longer is not None and say("more than {length}", length=rule.longer),
        rule.shorter is not None and say("less than {length}", length=rule.shorter),
        rule.equal is not None and say("exactly {length}", length=rule.equal),
        rule.different is not None and say("not {length}", length=rule.different),
    ]
    *first, last = filter(None, bounds)
    if not first:
        return say("{points} if its length is {bound}", points=points, bound=last)
    return say(
        "{points} if its length is {bounds} and {last}",
        points=points,
        bounds=say.list(first),
        last=last,
    )


@lru_cache(maxsize=16)
def _pool(shortest: int, longest: int) -> tuple[Sequence[str], Sequence[float]]:
    """Common words with their cumulative chances; each length is equally likely."""
    lengths = [letters for letters in sorted(by_length()) if shortest <= letters <= longest]
    pool = [word for letters in lengths for word in by_length()[letters]]
    return pool, list(accumulate(1 / len(by_length()[len(word)]) for word in pool))


def _shortened(word: str) -> str:
    return printable(word if len(word) <= SHOWN else word[:SHOWN] + "…")
