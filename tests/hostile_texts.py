"""Repetitive texts, to find a reader or a checker that hangs over them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import product

import hanging
from hanging import hangs
from quandary.core.contract import Game, Puzzle, Question, StateTasks
from quandary.core.mixins.whole_answers import moves_in

MOTIFS = (
    "a", "A", "1", "0", " ", "\n", "\t", ".", ",", "-", "(", ")", "[", "{", '"', "'", "`", "*", "|", "\\", "#", "+", "<",
    "a ", "1 ", "1,", "1, ", "1.", "1-", "-1", " \n", "a\n", "1\n", "()", "[]", "[1,", "(1, 2), ", "ab", "a1", "**1", "1=", "1:",
)  # fmt: skip
TAILS = ("", "!", "\n§")
# Characters; where time doubles with each of them, a text that hangs has a predecessor that does not.
LENGTHS = (*range(12, 40, 2), 80, 320)
LONG = (640, 1_280, 2_560)  # which take longer than all of the others


def hanging_text(
    puzzle: Puzzle, lengths: Iterable[int] = LENGTHS, limit: float = hanging.LIMIT
) -> str:
    """The shortest of the texts over which `puzzle` hangs, or ""."""
    judges = list(_judges(puzzle))
    for text in repetitive_texts(puzzle, lengths):
        if any(hangs(judge, text, limit=limit) for judge in judges):
            return text
    return ""


def repetitive_texts(puzzle: Puzzle, lengths: Iterable[int]) -> Iterator[str]:
    """Texts that repeat a motif, and perhaps end in another one."""
    motifs = (*MOTIFS, *_own(puzzle))
    for length, motif, tail in product(lengths, motifs, TAILS):
        yield (motif * length)[:length] + tail


def _judges(puzzle: Puzzle) -> Iterator[Callable[[str], object]]:
    """All that looks at what players write."""
    if isinstance(puzzle, Question):
        yield puzzle.check
    elif isinstance(puzzle, Game):
        seat = max(puzzle.options())
        seen = puzzle.seen_by(seat)
        yield lambda text: seen.read(seat, text)
        if puzzle.seats == 1:
            yield partial(moves_in, seen)
        if isinstance(seen, StateTasks):
            yield seen.restate


def _own(puzzle: Puzzle) -> list[str]:
    """What a good player writes here, for a reader may get lost in many of its own words."""
    if isinstance(puzzle, Question):
        written = puzzle.seen_by(0).solution()
    else:
        assert isinstance(puzzle, Game)
        options = puzzle.options()
        written = next(iter(options[max(options)] or ()), "")
    return [motif for motif in (written, f"{written} ", f"{written}\n") if motif.strip()]
