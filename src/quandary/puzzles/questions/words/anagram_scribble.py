"""Anagram scribble: write an English word of a given length with some letter tiles.

From TextGames.  Interpretations: an answer always exists, so there is no "none" reply; if tiles may
not be reused, a letter may be used as often as there are tiles with it; any word of the dictionary
counts, not only the one that the tiles were drawn from.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from string import ascii_lowercase
from typing import Annotated

from quandary.core.answers import Answer, Text
from quandary.core.boards import Cell, captions, cards, stack
from quandary.core.bounds import Range
from quandary.core.contract import Doc, Language, Question, Seat, Verdict, WordPuzzle
from quandary.core.control_characters import printable
from quandary.core.scene import Scene
from quandary.puzzles.questions.words._shared.english_words import (
    by_length,
    dictionary,
    dictionary_by_length,
)


@dataclass(frozen=True)
class AnagramScribble(WordPuzzle, Question):
    length: Annotated[int, Doc("letters of the word")]
    tiles: Annotated[str, Doc("one letter per tile")]
    reuse: Annotated[bool, Doc("whether a tile may be used any number of times")]

    version = 3
    rules_since = 2
    word_language = "en"
    kept_words = ("tv", "banana")
    levels = {
        "easy": {"length": (3, 5)},
        "medium": {"length": (6, 7)},
        "hard": {"length": (8, 10), "reuse": False},
    }

    @classmethod
    def new(
        cls, rng: Random, *, length: Range = (3, 5), tiles: int = 10, reuse: bool = True
    ) -> AnagramScribble:
        """Return the letters of a common word, each as often as in the word, and other letters
        once.
        """
        letters = rng.randint(*length)
        return cls(letters, random_tiles(rng, letters, tiles), reuse)

    def check(self, answer: str, language: Language = "en") -> Verdict:
        say, text = self.say(language), (answer or "").strip()
        if len(text) != self.length:
            fault = say(
                "The word must have {length} letters; your answer has {found} "
                "{found:character|characters}.",
                length=self.length,
                found=len(text),
            )
            return Verdict(0.0, "length", fault)
        for letter in text:
            if not letter.isascii() or letter.lower() not in self.tiles:
                fault = say("There is no tile with '{letter}'.", letter=printable(letter))
                return Verdict(0.0, "tile", fault)
        word = text.lower()
        if not self.reuse and (scarce := overused_letter(word, self.tiles)):
            fault = say(
                "Your word contains '{letter}' {used} times, but only {there} {there:tile has|"
                "tiles have} that letter.",
                letter=scarce,
                used=word.count(scarce),
                there=self.tiles.count(scarce),
            )
            return Verdict(0.0, "tile_count", fault)
        if word not in dictionary():
            fault = say("'{word}' is not in the dictionary.", word=word)
            return Verdict(0.0, "not_a_word", fault)
        return Verdict(1.0)

    def solution(self) -> str:
        common, every = self._fitting(by_length()), self._fitting(dictionary_by_length())
        word = next(common, "") or next(every, "")
        if not word:
            raise ValueError(f"no word of {self.length} letters fits the tiles {self.tiles}")
        return word

    def count_solutions(self) -> int:
        """Return how many words would be accepted."""
        return sum(1 for _ in self._fitting(dictionary_by_length()))

    def sample(self, rng: Random) -> str:
        if self.reuse:
            return "".join(rng.choices(self.tiles, k=self.length))
        return "".join(rng.sample(self.tiles, self.length))

    def answer_shape(self) -> Answer:
        return Text()

    def rules(self, language: Language = "en") -> str:
        say = self.say(language)
        words = say(
            "You are given some tiles with one letter each. Write one English word with exactly "
            "the number of letters asked for, made from these tiles.\n"
            "Any such word in a large dictionary is right. Names of people and places do not "
            "count, and initials count only if they have become words, such as tv."
        )
        if self.reuse:
            return say.lines(
                words,
                say(
                    "You may use each tile as often as you like, and you need not use all tiles.\n"
                    "Answer with the word alone, in capital or small letters. For example, if 6 "
                    "letters were asked for and the tiles were a b k n r, you could answer: banana"
                ),
            )
        return say.lines(
            words,
            say(
                "You may use each tile only once, so your word can contain a letter at most as "
                "often as there are tiles with it. You need not use all tiles.\n"
                "Answer with the word alone, in capital or small letters. For example, if 6 "
                "letters were asked for and the tiles were a a b k n n a r, you could answer: "
                "banana"
            ),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say, tiles = self.say(language), " ".join(self.tiles)
        if self.reuse:
            return say(
                "Letters in the word: {length}\nTiles (each as often as you like): {tiles}",
                length=self.length,
                tiles=tiles,
            )
        return say(
            "Letters in the word: {length}\nTiles (each at most once): {tiles}",
            length=self.length,
            tiles=tiles,
        )

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """Return the tiles above an empty place for each letter of the word."""
        say = self.say(language)
        return stack(
            captions(say("A word of {length} letters", length=self.length), size=0.6),
            captions(
                say("Use each tile as often as you like")
                if self.reuse
                else say("Use each tile at most once"),
                size=0.5,
                colour="quiet",
            ),
            cards([Cell(letter, "yellow") for letter in self.tiles], columns=10),
            cards([Cell()] * self.length, columns=10),
            align="middle",
        )

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        say = self.say(language)
        return {"yellow": say("the tiles")}

    def equivalent(self, rng: Random) -> AnagramScribble:
        tiles = "".join(rng.sample(self.tiles, len(self.tiles)))
        return AnagramScribble(self.length, tiles, self.reuse)

    def canonical(self) -> Hashable:
        return self.length, "".join(sorted(self.tiles)), self.reuse

    def _fitting(self, words: Mapping[int, tuple[str, ...]]) -> Iterator[str]:
        """Return the words that can be made from the tiles."""
        return fitting_words(words.get(self.length, ()), self.tiles, reuse=self.reuse)


def random_tiles(rng: Random, length: int, tiles: int) -> str:
    """Return the letters of a common word, each as often as in the word, and other letters once."""
    words = by_length().get(length)
    if not words:
        raise ValueError(f"there is no common word of {length} letters")
    word = rng.choice(words)
    others = [letter for letter in ascii_lowercase if letter not in word]
    most = length + len(others)
    if not length <= tiles <= most:
        raise ValueError(f"a word of {length} letters needs {length} to {most} tiles, not {tiles}")
    drawn = [*word, *rng.sample(others, tiles - length)]
    rng.shuffle(drawn)
    return "".join(drawn)


def fitting_words(words: Iterable[str], tiles: str, *, reuse: bool) -> Iterator[str]:
    """Yield the words that can be made from the tiles; with `reuse`, each tile any number
    of times.
    """
    for word in filter(frozenset(tiles).issuperset, words):
        if reuse or not overused_letter(word, tiles):
            yield word


def overused_letter(word: str, tiles: str) -> str:
    """Return the first letter that the word has more often than the tiles, "" if there is none."""
    return next((letter for letter in word if word.count(letter) > tiles.count(letter)), "")
