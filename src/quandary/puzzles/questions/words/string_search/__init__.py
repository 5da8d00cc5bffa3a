"""String search: find a substring that contains some letters, lacks others and meets conditions.

From TextGames, in the sizes of its published problems.  Interpretations: surrounding blanks and
capitals are ignored, quotation marks are not; y is a consonant; every substring that meets the
conditions is right.  All forbidden letters occur in the text; if there is to be a single answer,
every substring of the text is checked, even those that overlap the answer.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Annotated, Literal, TypeAlias

from quandary.core.answers import Answer, Text
from quandary.core.boards import captions, cards, stack
from quandary.core.bounds import Between, Range
from quandary.core.contract import Doc, Language, Question, Seat, Verdict, WordPuzzle
from quandary.core.control_characters import printable
from quandary.core.scene import Scene
from quandary.core.words import Say

from .solver import (
    CLAUSES,
    MEETS,
    TRUE_CLAUSES,
    Clause,
    near_miss,
    random_letters,
    random_starts,
    random_words,
    to_palindrome,
)

Condition: TypeAlias = Literal["required", "forbidden", "palindrome"] | Clause
LONGEST = 2_000  # letters of a text
REDRAWS = 1_000  # one or two are enough unless most letters are forbidden
COLUMNS = 15  # letters per row of the picture
RIGHT = Verdict(1.0)


@dataclass(frozen=True)
class StringSearch(WordPuzzle, Question):
    letters: Annotated[str, Doc("the text")]
    length: Annotated[int, Doc("letters of the substring")]
    required: Annotated[str, Doc("letters that it must contain")]
    forbidden: Annotated[str, Doc("letters that it must not contain")]
    palindrome: Annotated[bool, Doc("whether it must read the same backwards")] = False
    clauses: Annotated[
        tuple[Clause, ...], Doc("further conditions on its vowels and consonants")
    ] = ()

    version = 2
    word_language = "en"
    kept_words = ("strawberry", "rawb")
    levels = {
        "easy": {
            "size": 15, "length": (3, 3), "required": (1, 1), "forbidden": (1, 2), "decoys": 2,
        },
        "medium": {
            "size": 30, "length": (4, 5), "required": (1, 2), "forbidden": (1, 3), "decoys": 3,
        },
        "hard": {
            "size": 60, "length": (5, 7), "required": (1, 3), "forbidden": (1, 4), "decoys": 4,
            "palindromes": 0.5, "clauses": (1, 2), "single": True,
        },
    }  # fmt: skip

    @classmethod
    def new(
        cls,
        rng: Random,
        *,
        size: Annotated[int, Between(2, LONGEST)] = 15,
        length: Annotated[Range, Between(1)] = (3, 3),
        required: Annotated[Range, Between(1)] = (1, 1),
        forbidden: Annotated[Range, Between(1)] = (1, 2),
        decoys: Annotated[int, Between(0)] = 2,
        palindromes: float = 0.0,
        clauses: Annotated[Range, Between(0, TRUE_CLAUSES)] = (0, 0),
        single: bool = False,
    ) -> StringSearch:
        """Words in a row; one substring is the answer, and near misses overwrite some others.

        An answer that is not a palindrome gets the smaller number of clauses.
        """
        if length[1] >= size:
            raise ValueError("the substring must be shorter than the text")
        for _ in range(REDRAWS):
            span, mirrored = rng.randint(*length), rng.random() < palindromes
            text = random_words(rng, size)
            home, *elsewhere = random_starts(rng, size, span, 1 + decoys)
            answer = text[home : home + span]
            if mirrored:
                answer = text[home : home + span] = to_palindrome(answer, span)
            wanted = random_letters(rng, answer, required)
            others = [letter for letter in text if letter not in answer]
            barred = random_letters(rng, others, forbidden)
            if not wanted or not barred:
                continue
            fair = [letter for letter in text if letter not in barred]
            for number, start in enumerate(elsewhere):
                lacking = number > 0 and len(wanted) > 1 and rng.random() < 0.5
                spoiler = "" if lacking else rng.choice(barred)
                text[start : start + span] = near_miss(rng, span, wanted, fair, spoiler, mirrored)
            if not set(text).issuperset(barred):  # a decoy has overwritten the last one
                continue
            true = [clause for clause in CLAUSES if MEETS[clause]("".join(answer))]
            chosen = rng.sample(true, rng.randint(*clauses) if mirrored else clauses[0])
            listed = tuple(sorted(chosen, key=CLAUSES.index))
            question = cls("".join(text), span, "".join(wanted), "".join(barred), mirrored, listed)
            return question._single(rng, "".join(answer), home) if single else question
        raise ValueError(
            f"no text of {size} letters was found with so many required and forbidden letters"
        )

    def _single(self, rng: Random, answer: str, home: int) -> StringSearch:
        """This question with forbidden letters put into all other right substrings."""
        text, kept = list(self.letters), range(home, home + self.length)
        for start in self._places():
            stop = start + self.length
            if "".join(text[start:stop]) == self.letters[start:stop] != answer:
                spots = [spot for spot in range(start, stop) if spot not in kept]
                # A decoy that keeps its required letters stays a near miss.
                harmless = [spot for spot in spots if text[spot] not in self.required]
                text[rng.choice(harmless or spots)] = rng.choice(self.forbidden)
        return replace(self, letters="".join(text))

    def check(self, answer: str, language: Language = "en") -> Verdict:
        text = (answer or "").strip()
        if len(text) != self.length:
            say = self.say(language)
            feedback = say(
                "The substring must have exactly {length} {length:letter|letters}; "
                "your answer has {found} {found:character|characters}.",
                length=self.length,
                found=len(text),
            )
            return Verdict(0.0, "length", feedback)
        part = text.lower()
        if part not in self.letters or not text.isascii():
            say = self.say(language)
            feedback = say("'{answer}' does not occur in the text.", answer=printable(text))
            return Verdict(0.0, "not_in_text", feedback)
        broken = self._broken(part)
        if not broken:
            return RIGHT
        say = self.say(language)
        condition = _in_words(say, *broken)
        feedback = say(
            "'{answer}' does not meet this condition: {condition}.",
            answer=printable(text),
            condition=condition,
        )
        return Verdict(0.0, broken[0], feedback)

    def _broken(self, part: str) -> tuple[Condition, str] | None:
        """Return the first condition that a substring breaks, with the letter that is at fault."""
        for letter in self.required:
            if letter not in part:
                return "required", letter
        for letter in self.forbidden:
            if letter in part:
                return "forbidden", letter
        if self.palindrome and part != part[::-1]:
            return "palindrome", ""
        for clause in self.clauses:
            if not MEETS[clause](part):
                return clause, ""
        return None

    def answer_shape(self) -> Answer:
        return Text()

    def rules(self, language: Language = "en") -> str:
        say = self.say(language)
        return say(
            "You are given a text without blanks. Find a substring of it: letters that follow each "
            "other directly in the text, in that order. The substring must have exactly the given "
            "length and meet all the conditions in the list.\n"
            "A required letter may occur more than once. The vowels are a, e, i, o and u; all "
            "other letters, including y, are consonants.\n"
            "Answer with the substring alone, without quotation marks. For example, if the text "
            "were strawberry and you had to find 4 letters that contain a and w but not t, "
            "you could answer: rawb"
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        asked = say(
            "Text: {text}\nFind a substring of exactly {length} {length:letter|letters} that "
            "meets these conditions:",
            text=self.letters,
            length=self.length,
        )
        return "\n- ".join([asked, *self._conditions(say)])

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """Return the text letter by letter, above the conditions."""
        say = self.say(language)
        asked = say("Find a substring of {length} {length:letter|letters}:", length=self.length)
        bullets = [f"• {condition}" for condition in self._conditions(say)]
        conditions = captions(*bullets, width=COLUMNS, indent="   ")
        letters = cards(list(self.letters), columns=COLUMNS)
        return stack(letters, stack(captions(asked), conditions, gap=0))

    def _conditions(self, say: Say) -> Iterator[str]:
        yield _in_words(say, "required", self.required)
        yield _in_words(say, "forbidden", self.forbidden)
        if self.palindrome:
            yield _in_words(say, "palindrome")
        for clause in self.clauses:
            yield _in_words(say, clause)

    def _places(self) -> Iterator[int]:
        """Yield where the right substrings begin."""
        for start in range(len(self.letters) - self.length + 1):
            if not self._broken(self.letters[start : start + self.length]):
                yield start

    def solution(self) -> str:
        start = next(self._places(), None)
        if start is None:
            raise ValueError("no substring of the text meets all these conditions")
        return self.letters[start : start + self.length]

    def count_solutions(self) -> int:
        """Return how many different substrings would be accepted."""
        return len({self.letters[start : start + self.length] for start in self._places()})

    def sample(self, rng: Random) -> str:
        start = rng.randint(0, len(self.letters) - self.length)
        return self.letters[start : start + self.length]

    def equivalent(self, rng: Random) -> StringSearch:
        """With the conditions, and the letters in each, in another order."""
        listed = (self.required, self.forbidden)
        required, forbidden = ("".join(rng.sample(each, len(each))) for each in listed)
        clauses = tuple(rng.sample(self.clauses, len(self.clauses)))
        return replace(self, required=required, forbidden=forbidden, clauses=clauses)

    def canonical(self) -> Hashable:
        listed = (self.required, self.forbidden, self.clauses)
        return self.letters, self.length, self.palindrome, *(tuple(sorted(each)) for each in listed)


def _in_words(say: Say, condition: Condition, letters: str = "") -> str:
    values = {"count": len(letters), "letters": say.list(letters)}
    match condition:
        case "required":
            return say("It must contain {count:the letter|all of the letters} {letters}", **values)
        case "forbidden":
            return say(
                "It must not contain {count:the letter|any of the letters} {letters}", **values
            )
        case "palindrome":
            return say("It must be a palindrome (read the same backwards)")
        case "consonants_together":
            return say("It must contain two consecutive consonants")
        case "no_consonants_together":
            return say("It must not contain two consecutive consonants")
        case "vowels_together":
            return say("It must contain two consecutive vowels")
        case "no_vowels_together":
            return say("It must not contain two consecutive vowels")
        case "more_vowels":
            return say("It must have more vowels than consonants")
        case "fewer_vowels":
            return say("It must have fewer vowels than consonants")
        case "as_many_vowels":
            return say("It must have as many vowels as consonants")
