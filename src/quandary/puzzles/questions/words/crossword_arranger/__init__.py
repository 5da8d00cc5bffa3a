"""Crossword arranger: fill a square board so that every row and column is a word of a list.

From TextGames.  Interpretations: no word may be used twice, whether as two rows or as a row and a
column, for which there is special feedback; every board that fits is right, so a board and its
mirror image along the diagonal both are.  Rows may also be written letter by letter.
Boards up to 5x5 are made of common words; larger ones need the rare words of a large dictionary.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Annotated

from quandary.core.answers import Answer, Grid
from quandary.core.boards import Cell, board, cards, stack
from quandary.core.bounds import Between
from quandary.core.contract import Doc, Language, Question, Seat, Verdict, WordPuzzle
from quandary.core.control_characters import printable
from quandary.core.scene import Scene
from quandary.core.words import Say
from quandary.puzzles._shared.reading import lowered
from quandary.puzzles._shared.square_grid import columns_of, rows_of
from quandary.puzzles.questions.words._shared.square_answers import read_square

from .solver import LARGEST, SMALLEST, lexicon, random_square, squares


@dataclass(frozen=True)
class CrosswordArranger(WordPuzzle, Question):
    words: Annotated[
        tuple[str, ...], Doc("the words in alphabetical order, each as long as the board is wide")
    ]

    version = 3
    rules_since = 2
    word_language = "en"
    kept_words = ("ask", "eke", "hat", "hue", "sun", "tee", "toy", "use")
    levels = {
        "easy": {"size": 3, "noise": 0.25},
        "medium": {"size": 4, "noise": 0.5},
        "hard": {"size": 5, "noise": 0.5},
    }
    form = "block"

    @classmethod
    def new(
        cls,
        rng: Random,
        *,
        size: Annotated[int, Between(SMALLEST, LARGEST)] = 3,
        noise: float = 0.25,
    ) -> CrosswordArranger:
        """Return the words of a filled board and others, which are the share `noise` of the
        list.
        """
        if not 0 <= noise < 1:
            raise ValueError(f"noise={noise} is out of bounds; write 0 or more and less than 1")
        known, others = lexicon(size).words, round(2 * size * noise / (1 - noise))
        if 2 * size + others > len(known):
            raise ValueError(f"there are only {len(known)} words of {size} letters")
        rows = random_square(rng, size)
        used = set(_lines("".join(rows)))
        spare = [word for word in rng.sample(known, others + len(used)) if word not in used]
        return cls(tuple(sorted([*used, *spare[:others]])))

    @property
    def size(self) -> int:
        return len(self.words[0])

    def check(self, answer: str, language: Language = "en") -> Verdict:
        size, say = self.size, self.say(language)
        cells, misshapen = read_square(answer or "", size, "letter", language)
        if misshapen:
            return Verdict(0.0, "shape", misshapen)
        left = set(self.words)
        for place, word in enumerate(_lines(lowered(cells))):
            if word in left:
                left.remove(word)
                continue
            is_row, number = place < size, place % size + 1
            if word in self.words:
                return Verdict(0.0, "used_twice", _used_twice(is_row, number, word, say))
            kind = "horizontal_word" if is_row else "vertical_word"
            return Verdict(0.0, kind, _not_listed(is_row, number, word, say))
        return Verdict(1.0)

    def solution(self) -> str:
        rows = next(squares(self.words), None)
        if rows is None:
            raise ValueError("no board can be filled with these words")
        return "\n".join(rows)

    def count_solutions(self) -> int:
        """Return how many boards would be accepted."""
        return sum(1 for _ in squares(self.words))

    def sample(self, rng: Random) -> str:
        return "\n".join(rng.sample(self.words, self.size))

    def answer_shape(self) -> Answer:
        return Grid(self.size, self.size)

    def rules(self, language: Language = "en") -> str:
        say = self.say(language)
        return say(
            "You are given a list of words, all of the same length, and an empty square board that "
            "is as wide and as high as a word is long. Write one letter into each cell of the "
            "board so that every row, read from left to right, and every column, read from top to "
            "bottom, is a word in the list.\n"
            "Each word may be used only once, either as a row or as a column. You need not use all "
            "words. Every board that fits is right.\n"
            "Answer with the filled board alone, one row per line, in capital or small letters. "
            "For example, if the words were ask eke hat hue sun tee toy use, you could answer:\n"
            "hat\nuse\neke"
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        return say(
            "Board: {size} rows of {size} letters\nWords: {words}",
            size=self.size,
            words=" ".join(self.words),
        )

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """Return the empty board above the words."""
        words = [Cell(word, "mark") for word in self.words]
        empty = board([[Cell()] * self.size] * self.size)
        return stack(empty, cards(words, columns=4, size=(2.5, 1.0)), align="middle")

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        say = self.say(language)
        return {"mark": say("the words of the list")}


def _lines(cells: str) -> list[str]:
    """Return the rows and then the columns of a board."""
    return rows_of(cells) + columns_of(cells)


def _used_twice(is_row: bool, number: int, word: str, say: Say) -> str:
    values = {"number": number, "word": printable(word)}
    if is_row:
        return say(
            "Row {number} reads '{word}', but that word is already on the board; use each word "
            "only once.",
            **values,
        )
    return say(
        "Column {number} reads '{word}', but that word is already on the board; use each word only "
        "once.",
        **values,
    )


def _not_listed(is_row: bool, number: int, word: str, say: Say) -> str:
    values = {"number": number, "word": printable(word)}
    if is_row:
        return say("Row {number} reads '{word}', which is not in the list.", **values)
    return say("Column {number} reads '{word}', which is not in the list.", **values)
