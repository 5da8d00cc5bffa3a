"""Anagram scribble: write an English word of a given length with some letter tiles.

From TextGames.  Readings: an answer always exists, so there is no "none" reply; where tiles may not be reused, an answer may use
a letter as often as there are tiles with it; any word of the dictionary counts, not only the one the tiles were drawn from.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from random import Random

from quandary.core.contract import Language, Question, Seat, Verdict
from quandary.core.scene import Box, Label, Scene, Shape
from quandary.kit.english_words import by_length, dictionary, dictionary_by_length

ALPHABET = "abcdefghijklmnopqrstuvwxyz"
COLUMNS = 10  # tiles and places in one row of the picture


@dataclass(frozen=True)
class AnagramScribble(Question):
    length: int
    tiles: str  # one letter a tile, in the order shown
    reuse: bool  # whether a tile may be used any number of times

    version = 2
    levels = {
        "easy": {"length": (3, 5)},
        "medium": {"length": (6, 7)},
        "hard": {"length": (8, 10), "reuse": False},
    }

    @classmethod
    def new(cls, rng: Random, *, length: tuple[int, int] = (3, 5), tiles: int = 10, reuse: bool = True) -> AnagramScribble:
        """The letters of a common word, each as often as it has them, and different letters it has not."""
        letters = rng.randint(*length)
        words = by_length().get(letters)
        if not words:
            raise ValueError(f"there is no common word of {letters} letters")
        word = rng.choice(words)
        others = [letter for letter in ALPHABET if letter not in word]
        if not 0 <= tiles - letters <= len(others):
            raise ValueError(f"a word of {letters} letters needs {letters} to {letters + len(others)} tiles, not {tiles}")
        drawn = [*word, *rng.sample(others, tiles - letters)]
        rng.shuffle(drawn)
        return cls(letters, "".join(drawn), reuse)

    def check(self, answer: str, language: Language = "en") -> Verdict:
        said = (answer or "").strip()
        if len(said) != self.length:
            return Verdict(0.0, "length", f"The word must have {self.length} letters; your answer has length {len(said)}.")
        foreign = next((letter for letter in said if not letter.isascii() or letter.lower() not in self.tiles), "")
        if foreign:
            return Verdict(0.0, "tile", f"There is no tile with {foreign!r}.")
        word = said.lower()
        scarce = "" if self.reuse else next((letter for letter in word if word.count(letter) > self.tiles.count(letter)), "")
        if scarce:
            used, there = (_times(letters.count(scarce)) for letters in (word, self.tiles))
            return Verdict(0.0, "tile_count", f"You use {scarce!r} {used}, but the tiles hold it only {there}.")
        if word not in dictionary():
            return Verdict(0.0, "not_a_word", f"The dictionary does not know {word!r}.")
        return Verdict(1.0)

    def solution(self) -> str:
        word = next(self._fitting(by_length()), "") or next(self._fitting(dictionary_by_length()), "")
        if not word:
            raise ValueError(f"no word of {self.length} letters fits the tiles {self.tiles}")
        return word

    def count_solutions(self) -> int:
        """How many words would be accepted."""
        return sum(1 for _ in self._fitting(dictionary_by_length()))

    def sample(self, rng: Random) -> str:
        letters = rng.choices(self.tiles, k=self.length) if self.reuse else rng.sample(self.tiles, self.length)
        return "".join(letters)

    def canonical(self) -> Hashable:
        return self.length, "".join(sorted(self.tiles)), self.reuse

    def rules(self, language: Language = "en") -> str:
        if self.reuse:
            usage = (
                "You may use each tile as often as you like, and you need not use all of them.\n"
                "For example, if 6 letters were asked for and the tiles were a b k n r, you could answer: banana"
            )
        else:
            usage = (
                "Each tile may be used only once, so a letter may stand in your word at most as often as there are tiles with it. "
                "You need not use all tiles.\n"
                "For example, if 6 letters were asked for and the tiles were a a b k n n a r, you could answer: banana"
            )
        return (
            "You are given some tiles, each with one letter. Write one English word of exactly the number of letters asked for, "
            "made from these tiles.\n"
            "Every such word is right that a large dictionary has. Names of people and places do not count, and initials only "
            "where they have become words, such as tv.\n"
            f"{usage}\n"
            "Answer with the word alone. Capital and small letters mean the same."
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        usage = "each as often as you like" if self.reuse else "each at most once"
        return f"Letters in the word: {self.length}\nTiles ({usage}): {' '.join(self.tiles)}"

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        usage = "use tiles as often as you like" if self.reuse else "use each tile at most once"
        shapes: list[Shape] = [Label(COLUMNS / 2, 0.5, f"a word of {self.length} letters", size=0.6)]
        shapes.append(Label(COLUMNS / 2, 1.3, usage, size=0.5, colour="quiet"))
        top = 2.0
        for i, letter in enumerate(self.tiles):
            row, column = divmod(i, COLUMNS)
            shapes.append(Box(column + 0.05, top + row + 0.05, 0.9, 0.9, "yellow", letter, size=0.6, click=letter))
        top += _rows(len(self.tiles)) + 0.5
        for i in range(self.length):
            row, column = divmod(i, COLUMNS)
            left = (COLUMNS - min(self.length - row * COLUMNS, COLUMNS)) / 2
            shapes.append(Box(left + column + 0.05, top + row + 0.05, 0.9, 0.9))
        return Scene(COLUMNS, top + _rows(self.length), tuple(shapes))

    def _fitting(self, words: Mapping[int, tuple[str, ...]]) -> Iterator[str]:
        letters = frozenset(self.tiles)
        for word in filter(letters.issuperset, words.get(self.length, ())):
            if self.reuse or all(word.count(letter) <= self.tiles.count(letter) for letter in word):
                yield word


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _rows(boxes: int) -> int:
    return (boxes + COLUMNS - 1) // COLUMNS
