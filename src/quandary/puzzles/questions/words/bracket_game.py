"""Bracket game: put brackets into a text so that some words stand inside pairs of their kinds, as deep as asked for.

From TextGames, in the sizes of its published problems.  Readings: brackets are well nested by kind and all closed; the depth is
the largest number of pairs around one place, and a pair may hold nothing; a word counts at any place of the text where it stands
in one piece, inside a pair of its kind at any distance.  Nothing but the letters and brackets may be written; blanks, capitals
and quotation marks around the whole are forgiven.  Where that can be, more kinds of brackets are asked for than fit into the
depth, so that brackets around the whole text are not enough.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from random import Random
from textwrap import wrap
from typing import Literal, NamedTuple, TypeAlias, get_args

from quandary.core.contract import Language, Question, Seat, Verdict
from quandary.core.scene import Box, Label, Scene, Shape
from quandary.kit.english_words import common

Kind: TypeAlias = Literal["block", "curly", "round", "angle"]
KINDS: tuple[Kind, ...] = get_args(Kind)
OPENER: dict[Kind, str] = {"block": "[", "curly": "{", "round": "(", "angle": "<"}
CLOSER = {"[": "]", "{": "}", "(": ")", "<": ">"}
BRACKET = re.compile(r"((?:\[\]|{}|\(\)|<>)+|[][{}()<>])")  # pairs around nothing come as one, for there may be millions of them
BARE, GAPS = (str.maketrans(dict.fromkeys("[]{}()<>", instead)) for instead in ("", " "))
QUOTES = "\"'`“”‘’"
SHORTEST = 3  # letters of a word
MOST = 200  # words in a text
DEEPEST = 100
STEPS = 100_000  # of the search for a solution; a published problem takes a few
RIGHT = Verdict(1.0)


class Block(NamedTuple):
    """A part of the text that no bracket may divide, and the kinds of brackets it needs around it."""

    start: int
    stop: int
    kinds: tuple[Kind, ...]


Wanted: TypeAlias = tuple[Kind, tuple[tuple[int, int], ...]]  # a word's kind of bracket and the places where it stands


@dataclass(frozen=True)
class BracketGame(Question):
    letters: str  # the text
    depth: int
    inside: tuple[tuple[str, Kind], ...]  # each word that must stand in brackets, and their kind

    levels = {
        "easy": {"words": 3, "demands": 3, "depth": 2},
        "medium": {"words": 5, "demands": 5, "depth": 2},
        "hard": {"words": 10, "demands": 7, "depth": 3, "compounds": 0.5},
    }

    @classmethod
    def new(cls, rng: Random, *, words: int = 3, demands: int = 3, depth: int = 2, compounds: float = 0.0) -> BracketGame:
        """Different words in a row, some of them perhaps two common words in one, and some of them asked for."""
        if not 1 <= demands <= words <= MOST:
            raise ValueError(f"a text has 1 to {MOST} words and no more demands than words")
        if not 1 <= depth <= DEEPEST:
            raise ValueError(f"brackets can be 1 to {DEEPEST} deep, not {depth}")
        drawn = list[str]()
        while len(drawn) < words:
            word = _word(rng) + (_word(rng) if rng.random() < compounds else "")
            if word not in drawn:
                drawn.append(word)
        asked = sorted(rng.sample(drawn, demands))
        return cls("".join(drawn), depth, tuple(zip(asked, _kinds(rng, demands, depth), strict=True)))

    def check(self, answer: str, language: Language = "en") -> Verdict:
        said = "".join((answer or "").split()).strip(QUOTES)
        bare = said.translate(BARE)
        kept = bare.isascii() and bare.lower() == self.letters
        fault = self._misplaced(said.lower()) if kept else self._altered(bare)
        return Verdict(0.0, *fault) if fault else RIGHT

    def _misplaced(self, said: str) -> tuple[str, str] | None:
        """What is wrong with the brackets: its kind and a sentence."""
        stack, deepest, brackets = list[str](), 0, 0
        held: dict[str, list[str]] = {opener: [] for opener in CLOSER}  # the pieces of text inside each kind
        for number, piece in enumerate(BRACKET.split(said)):
            if number % 2 == 0:
                if piece and deepest <= self.depth:  # else it is wrong anyway
                    for opener in set(stack):
                        held[opener].append(piece)
                continue
            brackets += len(piece)
            if len(piece) > 1:
                deepest = max(deepest, len(stack) + 1)
            elif piece in CLOSER:
                stack.append(piece)
                deepest = max(deepest, len(stack))
            elif piece != CLOSER.get(opened := stack.pop() if stack else ""):
                why = f"the last one open there is a {opened}" if opened else "none is open there"
                return "unmatched", f"Bracket {brackets} of your answer is a {piece}, but {why}."
        if stack:
            return "unclosed", f"Your answer ends while a {stack[-1]} is still open."
        if deepest != self.depth:
            return "depth", f"The depth must be exactly {self.depth}; that of your answer is {deepest}."
        for word, kind in self.inside:
            if word not in " ".join(held[OPENER[kind]]):
                if word not in said.translate(GAPS):
                    return "split_word", f"The word {word!r} must stay in one piece, with no bracket between its letters."
                return "not_inside", f"The word {word!r} must stand inside {kind} brackets {_pair(kind)}."
        return None

    def _altered(self, bare: str) -> tuple[str, str]:
        """What is wrong where an answer without its brackets is not the text."""
        letters = zip_longest(filter(str.isalpha, bare), self.letters, fillvalue="")
        for number, (found, letter) in enumerate(letters, start=1):
            if not found.isascii() or found.lower() != letter:
                there = f"the text has {letter!r}" if letter else "the text has ended"
                yours = f"your answer has {found!r}" if found else "your answer has ended"
                return "letters", f"Keep all letters in their order; at letter {number}, {there} and {yours}."
        sign = next(sign for sign in bare if not sign.isalpha())
        return "foreign_sign", f"Write only the letters of the text and brackets; {sign!r} is neither."

    def solution(self) -> str:
        wanted = [(kind, tuple(_places(self.letters, word))) for word, kind in self.inside]
        wanted.sort(key=lambda one: len(one[1]))  # those with the least choice first
        blocks = next(_arranged(wanted, (), self.depth, iter(range(STEPS))), None)
        if blocks is None:
            raise ValueError("no way is known to meet all these demands")
        done, end = "", 0
        for start, stop, kinds in sorted(blocks):
            done += self.letters[end:start] + _within(self.letters[start:stop], kinds)
            end = stop
        spare = self.depth - max((len(block.kinds) for block in blocks), default=0)
        return _within(done + self.letters[end:], ["round"] * spare)

    def sample(self, rng: Random) -> str:
        """Some parts of the text in brackets of any kind, and as many around the whole as the depth still needs."""
        cuts = sorted(rng.sample(range(len(self.letters) + 1), min(2 * len(self.inside), len(self.letters) + 1)))
        done, end = "", 0
        for start, stop in zip(cuts[::2], cuts[1::2], strict=False):
            done += self.letters[end:start] + _within(self.letters[start:stop], [rng.choice(KINDS)])
            end = stop
        return _within(done + self.letters[end:], rng.choices(KINDS, k=self.depth - 1))

    def canonical(self) -> Hashable:
        """Which bracket is which does not matter, nor does the order of the demands."""
        names = dict[Kind, int]()
        return self.letters, self.depth, tuple((word, names.setdefault(kind, len(names))) for word, kind in sorted(self.inside))

    def rules(self, language: Language = "en") -> str:
        return (
            "You are given a text, which is some words written without blanks. Put brackets into it so that every word in the list "
            "stands inside a pair of brackets of its kind. The kinds are block [ ], curly { }, round ( ) and angle < >.\n"
            "Do not add, leave out or move any letter. No bracket may divide a listed word; if the word is in "
            "the text more than once, it is enough that one of them is as asked for. The pair need not be close around the word: "
            "there may be other letters and brackets between them.\n"
            "Every bracket must be closed by one of its own kind, and brackets close in the reverse order in which they open. "
            "You may use as many pairs as you like, also around nothing.\n"
            "The depth is the largest number of pairs that are open at the same place; it must be exactly the number asked for.\n"
            "Answer with the text and its brackets alone. For example, if the text were redhatbox, red had to stand inside round "
            "brackets, box inside curly brackets, and the depth had to be 2, you could answer: <(red)hat{box}>"
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        demands = [f'- "{word}" inside {kind} brackets {_pair(kind)}' for word, kind in self.inside]
        return "\n".join([f"Text: {self.letters}", f"Depth: exactly {self.depth}", *demands])

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """The text above the words that are asked for, each beside its brackets."""
        lines = wrap(self.letters, 32)
        shapes: list[Shape] = [Label(0.3, 0.6 + 0.8 * row, line, 0.58, anchor="start", mono=True) for row, line in enumerate(lines)]
        top = 0.8 * len(lines) + 0.4
        shapes.append(Label(0.3, top + 0.4, f"depth exactly {self.depth}", 0.5, "quiet", "start"))
        for word, kind in self.inside:
            parts = wrap(word, 36)
            top += 0.9
            shapes.append(Box(0.3, top, 1.2, 0.8, "mark", _pair(kind), size=0.5))
            shapes += [Label(1.8, top + 0.4 + 0.6 * row, part, 0.44, "ink", "start", True) for row, part in enumerate(parts)]
            top += 0.6 * (len(parts) - 1)
        return Scene(12, top + 1.2, tuple(shapes))


def _word(rng: Random) -> str:
    while len(word := rng.choice(common())) < SHORTEST:
        pass
    return word


def _kinds(rng: Random, demands: int, depth: int) -> list[Kind]:
    """A kind for each demand; where there can be more kinds than the depth, there are."""
    least = depth + 1 if depth < min(demands, len(KINDS)) else 1
    while len(set(kinds := rng.choices(KINDS, k=demands))) < least:
        pass
    return kinds


def _places(text: str, word: str) -> Iterator[tuple[int, int]]:
    """Where a word begins and ends, for all its occurrences."""
    start = text.find(word)
    while start >= 0:
        yield start, start + len(word)
        start = text.find(word, start + 1)


def _arranged(wanted: Sequence[Wanted], blocks: tuple[Block, ...], depth: int, steps: Iterator[int]) -> Iterator[tuple[Block, ...]]:
    """Each way to choose a place for every word so that no block needs more kinds of brackets than the depth allows.

    Words that share letters make one block, for a bracket between them would divide one of them.
    """
    if not wanted:
        yield blocks
        return
    (kind, places), *rest = wanted
    for start, stop in places:
        if next(steps, None) is None:
            return
        met = [block for block in blocks if block.start < stop and start < block.stop]
        kinds = {kind}.union(*(block.kinds for block in met))
        if len(kinds) <= depth:
            first, last = min([start, *(block.start for block in met)]), max([stop, *(block.stop for block in met)])
            joined = Block(first, last, tuple(sorted(kinds)))
            yield from _arranged(rest, (*(block for block in blocks if block not in met), joined), depth, steps)


def _within(text: str, kinds: Sequence[Kind]) -> str:
    for kind in kinds:
        text = OPENER[kind] + text + CLOSER[OPENER[kind]]
    return text


def _pair(kind: Kind) -> str:
    return f"{OPENER[kind]} {CLOSER[OPENER[kind]]}"
