"""Bracket game: put brackets into a text so that words are inside their kinds, at a given depth.

From TextGames, in the sizes of its published problems.  Interpretations: brackets are nested and
all closed; the depth is the largest number of pairs around one place, and a pair may be empty;
a word counts at any place of the text where it is unbroken, inside a pair of its kind at any
distance.  Only the letters and brackets may be written; spaces, capitals and quotation marks around
the whole are ignored.  Where possible, more kinds of brackets are asked for than the depth allows
around one place, so that brackets around the whole text are not enough.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, zip_longest
from random import Random
from typing import Annotated, Literal, TypeAlias, get_args

from quandary.core.answers import Answer, Text
from quandary.core.boards import Cell, board, captions, stack
from quandary.core.bounds import Between
from quandary.core.contract import Doc, Language, Question, Seat, Verdict, WordPuzzle
from quandary.core.control_characters import printable
from quandary.core.scene import Scene
from quandary.core.words import Say
from quandary.puzzles.questions.words._shared.english_words import common

from .solver import find_blocks, random_kinds

Kind: TypeAlias = Literal["block", "curly", "round", "angle"]
KINDS: tuple[Kind, ...] = get_args(Kind)
OPENER: dict[Kind, str] = {"block": "[", "curly": "{", "round": "(", "angle": "<"}
CLOSER = {"[": "]", "{": "}", "(": ")", "<": ">"}
PAIR = {kind: f"{opener} {CLOSER[opener]}" for kind, opener in OPENER.items()}
# Empty pairs side by side are one piece, because there may be millions of them.
BRACKET = re.compile(r"((?:\[\]|{}|\(\)|<>)+|[][{}()<>])")
BARE, GAPS = (str.maketrans(dict.fromkeys("[]{}()<>", instead)) for instead in ("", " "))
QUOTES = "\"'`“”‘’"
SHORTEST = 3  # letters of a word
MOST_WORDS = 200
DEEPEST = 100


@dataclass(frozen=True)
class BracketGame(WordPuzzle, Question):
    letters: Annotated[str, Doc("the text")]
    depth: Annotated[int, Doc("how deep brackets must be nested")]
    inside: Annotated[
        tuple[tuple[str, Kind], ...], Doc("each word that must be inside brackets, and their kind")
    ]

    version = 2
    word_language = "en"
    kept_words = ("redhatbox", "red", "hat", "box")
    levels = {
        "easy": {"words": 3, "demands": 3, "depth": 2},
        "medium": {"words": 5, "demands": 5, "depth": 2},
        "hard": {"words": 10, "demands": 7, "depth": 3, "compounds": 0.5},
    }

    @classmethod
    def new(
        cls,
        rng: Random,
        *,
        words: Annotated[int, Between(1, MOST_WORDS)] = 3,
        demands: Annotated[int, Between(1)] = 3,
        depth: Annotated[int, Between(1, DEEPEST)] = 2,
        compounds: float = 0.0,
    ) -> BracketGame:
        """Different words, some of them made of two common words, and demands on some of them."""
        if demands > words:
            raise ValueError(f"{words} words are too few for {demands} demands")
        drawn = list[str]()
        while len(drawn) < words:
            word = _word(rng) + (_word(rng) if rng.random() < compounds else "")
            if word not in drawn:
                drawn.append(word)
        asked = sorted(rng.sample(drawn, demands))
        inside = tuple(zip(asked, random_kinds(rng, KINDS, demands, depth), strict=True))
        return cls("".join(drawn), depth, inside)

    def check(self, answer: str, language: Language = "en") -> Verdict:
        say = self.say(language)
        text = "".join((answer or "").split()).strip(QUOTES)
        bare = text.translate(BARE)
        kept = bare.isascii() and bare.lower() == self.letters
        fault = self._misplaced(text.lower(), say) if kept else self._altered(bare, say)
        return Verdict(0.0, *fault) if fault else Verdict(1.0)

    def solution(self) -> str:
        blocks = find_blocks(self.letters, self.inside, self.depth)
        if blocks is None:
            raise ValueError("no way is known to meet all these demands")
        parts = [(block.start, block.stop, block.kinds) for block in blocks]
        spare = self.depth - max((len(kinds) for *_, kinds in parts), default=0)
        return _enclosed(self._bracketed(parts), ["round"] * spare)

    def sample(self, rng: Random) -> str:
        """Return some parts of the text in random brackets, and as many around all of it as fit."""
        places = range(len(self.letters) + 1)
        cuts = sorted(rng.sample(places, min(2 * len(self.inside), len(places))))
        pairs = zip(cuts[::2], cuts[1::2], strict=False)
        parts = [(start, stop, [rng.choice(KINDS)]) for start, stop in pairs]
        return _enclosed(self._bracketed(parts), rng.choices(KINDS, k=self.depth - 1))

    def answer_shape(self) -> Answer:
        return Text()

    def rules(self, language: Language = "en") -> str:
        say = self.say(language)
        return say(
            "You are given a text of some words written without spaces, and a list of words with "
            "brackets. Put brackets into the text so that every word in the list is inside a pair "
            "of its brackets. The kinds of brackets are {pairs}.\n"
            "Do not add, leave out or move any letter. No bracket may divide a listed word; if the "
            "word is in the text more than once, it is enough if one of its occurrences is "
            "undivided and inside its brackets. The pair need not be directly around the word: "
            "there may be other letters and brackets between them.\n"
            "Every bracket must be closed by one of its own kind, and brackets must be closed in "
            "the reverse of the order in which they are opened. You may use any number of pairs, "
            "including empty ones.\n"
            "The depth is the largest number of pairs that are open at the same place; it must be "
            "exactly the number asked for.\n"
            "Answer with the text and its brackets alone. For example, if the text were redhatbox, "
            "the depth 2 and the list red {round} and box {curly}, you could answer: {answer}",
            pairs=say.list(PAIR.values()),
            round=PAIR["round"],
            curly=PAIR["curly"],
            answer="<(red)hat{box}>",
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        return say(
            "Text: {text}\nDepth: exactly {depth}\nWords and their brackets:\n{words}",
            text=self.letters,
            depth=self.depth,
            words="\n".join([f"{word} {PAIR[kind]}" for word, kind in self.inside]),
        )

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """Return the text above the words that are asked for, each beside its brackets."""
        say = self.say(language)
        brackets = board(
            [[Cell(PAIR[kind], "mark")] for _, kind in self.inside],
            row_names=[word for word, _ in self.inside],
            size=(1.25, 1.0),
        )
        return stack(
            captions(self.letters, size=0.58, mono=True, width=12),
            captions(say("Depth: exactly {depth}", depth=self.depth), size=0.5, colour="quiet"),
            brackets,
        )

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        say = self.say(language)
        return {"mark": say("the kind of brackets that the word beside it needs")}

    def equivalent(self, rng: Random) -> BracketGame:
        """With other kinds of brackets, and the demands in another order."""
        kinds = dict(zip(KINDS, rng.sample(KINDS, len(KINDS)), strict=True))
        inside = ((word, kinds[kind]) for word, kind in rng.sample(self.inside, len(self.inside)))
        return BracketGame(self.letters, self.depth, tuple(inside))

    def canonical(self) -> Hashable:
        demands, orders = self.inside, permutations(KINDS)
        named = (sorted((word, kinds.index(kind)) for word, kind in demands) for kinds in orders)
        return self.letters, self.depth, tuple(min(named))

    def _bracketed(self, parts: Iterable[tuple[int, int, Sequence[Kind]]]) -> str:
        """Return the text with brackets of some kinds around each part, in the order of the
        text.
        """
        done, end = "", 0
        for start, stop, kinds in parts:
            done += self.letters[end:start] + _enclosed(self.letters[start:stop], kinds)
            end = stop
        return done + self.letters[end:]

    def _misplaced(self, text: str, say: Say) -> tuple[str, str] | None:
        """Return what is wrong with the brackets: its kind and a sentence."""
        opened, deepest, brackets = list[str](), 0, 0
        held: dict[str, list[str]] = {opener: [] for opener in CLOSER}  # pieces inside each kind
        for number, piece in enumerate(BRACKET.split(text)):
            if number % 2 == 0:
                if piece and deepest <= self.depth:  # otherwise it is wrong anyway
                    for opener in set(opened):
                        held[opener].append(piece)
                continue
            brackets += len(piece)
            if len(piece) > 1:
                deepest = max(deepest, len(opened) + 1)
            elif piece in CLOSER:
                opened.append(piece)
                deepest = max(deepest, len(opened))
            elif piece != CLOSER.get(last := opened.pop() if opened else ""):
                return "unmatched", _unmatched(brackets, piece, last, say)
        if opened:
            fault = say("Your answer ends while {bracket} is still open.", bracket=opened[-1])
            return "unclosed", fault
        if deepest != self.depth:
            return "depth", say(
                "The depth must be exactly {depth}; that of your answer is {found}.",
                depth=self.depth,
                found=deepest,
            )
        return self._missed(text, held, say)

    def _missed(self, text: str, held: Mapping[str, list[str]], say: Say) -> tuple[str, str] | None:
        """Return the first word that is not inside its brackets: the kind of the fault and a
        sentence.
        """
        for word, kind in self.inside:
            if word in " ".join(held[OPENER[kind]]):
                continue
            if word not in text.translate(GAPS):
                return "split_word", say(
                    "The word '{word}' must stay in one piece, with no bracket between its "
                    "letters.",
                    word=word,
                )
            return "not_inside", say(
                "The word '{word}' must be inside {pair}.", word=word, pair=PAIR[kind]
            )
        return None

    def _altered(self, bare: str, say: Say) -> tuple[str, str]:
        """Return what is wrong with an answer that, without its brackets, is not the text."""
        letters = zip_longest(filter(str.isalpha, bare), self.letters, fillvalue="")
        for number, (found, letter) in enumerate(letters, start=1):
            if not found.isascii() or found.lower() != letter:
                return "letters", _altered_letter(number, letter, found, say)
        sign = next(sign for sign in bare if not sign.isalpha())
        return "foreign_sign", say(
            "Write only the letters of the text and brackets; '{sign}' is neither.",
            sign=printable(sign),
        )


def _word(rng: Random) -> str:
    while len(word := rng.choice(common())) < SHORTEST:
        pass
    return word


def _enclosed(text: str, kinds: Iterable[Kind]) -> str:
    for kind in kinds:
        text = OPENER[kind] + text + CLOSER[OPENER[kind]]
    return text


def _unmatched(number: int, found: str, last: str, say: Say) -> str:
    values = {"number": number, "found": found, "last": last}
    if not last:
        return say(
            "Bracket {number} of your answer is {found}, but no bracket is open there.", **values
        )
    return say(
        "Bracket {number} of your answer is {found}, but the last open bracket there is {last}.",
        **values,
    )


def _altered_letter(number: int, letter: str, found: str, say: Say) -> str:
    values = {"number": number, "letter": letter, "found": found}
    if not found:
        return say(
            "Keep all letters in order; at letter {number}, the text has '{letter}', but your "
            "answer has ended.",
            **values,
        )
    if not letter:
        return say(
            "Keep all letters in order; at letter {number}, the text has ended, but your answer "
            "has '{found}'.",
            **values,
        )
    return say(
        "Keep all letters in order; at letter {number}, the text has '{letter}', but your answer "
        "has '{found}'.",
        **values,
    )
