"""Crossword arranger: fill a square board with words of a list, so that every row and every column is one of them.

From TextGames.  Readings: no word may be used twice, be it as two rows or as a row and a column, which has a feedback of its own;
every such board is right, so a board and its mirror image along the diagonal both are.  Rows may also be written letter by letter.
Boards up to 5x5 are made of common words; larger ones need the rare words of a large dictionary.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from string import ascii_lowercase, ascii_uppercase

from quandary.core.contract import Language, Question, Seat, Verdict
from quandary.core.scene import Box, Scene, Shape
from quandary.kit.crossword import LARGEST, SMALLEST, lexicon, random_square, squares
from quandary.kit.squares import square

SMALL = str.maketrans(ascii_uppercase, ascii_lowercase)
RIGHT = Verdict(1.0)
WIDTH, COLUMNS, LINE = 8, 4, 0.8  # of the picture: its width, words beside each other, and their height


@dataclass(frozen=True)
class CrosswordArranger(Question):
    words: tuple[str, ...]  # in alphabetical order, each as long as the board is wide

    version = 2
    levels = {
        "easy": {"size": 3, "noise": 0.25},
        "medium": {"size": 4, "noise": 0.5},
        "hard": {"size": 5, "noise": 0.5},
    }
    form = "block"

    @classmethod
    def new(cls, rng: Random, *, size: int = 3, noise: float = 0.25) -> CrosswordArranger:
        """The words of a filled board, and so many others that they are the share `noise` of the list."""
        if not SMALLEST <= size <= LARGEST or not 0 <= noise < 1:
            raise ValueError(f"a board has {SMALLEST} to {LARGEST} rows, and the share of other words is below 1")
        known, others = lexicon(size).words, round(2 * size * noise / (1 - noise))
        if 2 * size + others > len(known):
            raise ValueError(f"there are only {len(known)} words of {size} letters")
        rows = random_square(rng, size)
        used = set(_lines("".join(rows), size))
        spare = [word for word in rng.sample(known, others + len(used)) if word not in used]
        return cls(tuple(sorted([*used, *spare[:others]])))

    @property
    def size(self) -> int:
        return len(self.words[0])

    def check(self, answer: str, language: Language = "en") -> Verdict:
        size = self.size
        cells, misshapen = square(answer or "", size, "letter", language)
        if misshapen:
            return Verdict(0.0, "shape", misshapen)
        left = set(self.words)
        for place, word in enumerate(_lines(cells.translate(SMALL), size)):
            if word in left:
                left.remove(word)
                continue
            line, kind = ("Row", "horizontal_word") if place < size else ("Column", "vertical_word")
            where = f"{line} {place % size + 1} reads {word!r}"
            if word in self.words:
                return Verdict(0.0, "used_twice", f"{where}, but that word stands on the board already; use each only once.")
            return Verdict(0.0, kind, f"{where}, which is not in the list.")
        return RIGHT

    def solution(self) -> str:
        rows = next(squares(self.words), None)
        if rows is None:
            raise ValueError("no board can be filled with these words")
        return "\n".join(rows)

    def count_solutions(self) -> int:
        """How many boards would be accepted."""
        return sum(1 for _ in squares(self.words))

    def sample(self, rng: Random) -> str:
        return "\n".join(rng.sample(self.words, self.size))

    def rules(self, language: Language = "en") -> str:
        return (
            "You are given a list of words, all of the same length, and an empty square board that is as wide and as high as "
            "a word is long. Write one letter into each cell of the board, so that every row, read from left to right, "
            "and every column, read from top to bottom, is a word of the list.\n"
            "A word may be used only once, either as a row or as a column. Words of the list may be left over. "
            "Every board that fits is right.\n"
            "Answer with the filled board alone, one row a line. Capital and small letters mean the same.\n"
            "For example, if the words were ask eke hat hue sun tee toy use, you could answer:\nhat\nuse\neke"
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        return f"Board: {self.size} rows of {self.size} letters\nWords: {' '.join(self.words)}"

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """The empty board above the words."""
        size = self.size
        width, left = max(WIDTH, size), max(0.0, (WIDTH - size) / 2)
        shapes: list[Shape] = [Box(left + cell % size, 0.1 + cell // size) for cell in range(size * size)]
        for number, word in enumerate(self.words):
            row, column = divmod(number, COLUMNS)
            place = column * width / COLUMNS + 0.1, size + 0.5 + row * LINE
            shapes.append(Box(*place, width / COLUMNS - 0.2, LINE - 0.1, "mark", word, size=0.45, click=word))
        return Scene(width, size + 0.5 + LINE * len(self.words[::COLUMNS]), tuple(shapes))


def _lines(letters: str, size: int) -> list[str]:
    """The rows and then the columns of a board that is written row by row."""
    rows = [letters[start : start + size] for start in range(0, size * size, size)]
    return rows + [letters[column::size] for column in range(size)]
