"""Choosing kinds of brackets for words, and a place in a text for every such word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Generic, NamedTuple, TypeVar

MOST_STEPS = 100_000  # of the search; published problems need only a few
Kind = TypeVar("Kind", bound=str)


class Block(NamedTuple, Generic[Kind]):
    """A part of the text that no bracket may divide, and the kinds of brackets around it."""

    start: int
    stop: int
    kinds: tuple[Kind, ...]


class Wanted(NamedTuple, Generic[Kind]):
    """A word that must be inside brackets of a kind, as its places in the text."""

    kind: Kind
    places: tuple[tuple[int, int], ...]


def random_kinds(rng: Random, kinds: Sequence[Kind], demands: int, depth: int) -> list[Kind]:
    """Return a kind for each demand: more different ones than the depth, if possible."""
    least = depth + 1 if depth < min(demands, len(kinds)) else 1
    while len(set(drawn := rng.choices(kinds, k=demands))) < least:
        pass
    return drawn


def find_blocks(
    text: str, inside: Sequence[tuple[str, Kind]], depth: int
) -> list[Block[Kind]] | None:
    """Blocks in the order of the text that satisfy every word and need no more kinds than `depth`.

    None if there are no such blocks or the search takes too long.
    """
    wanted = [Wanted(kind, tuple(_places(text, word))) for word, kind in inside]
    wanted.sort(key=lambda word: len(word.places))  # those with the least choice first
    found = next(_arrangements(wanted, (), depth, iter(range(MOST_STEPS))), None)
    return None if found is None else sorted(found)


def _places(text: str, word: str) -> Iterator[tuple[int, int]]:
    """Yield where a word begins and ends, for all its occurrences."""
    start = text.find(word)
    while start >= 0:
        yield start, start + len(word)
        start = text.find(word, start + 1)


def _arrangements(
    wanted: Sequence[Wanted[Kind]],
    blocks: tuple[Block[Kind], ...],
    depth: int,
    steps: Iterator[int],
) -> Iterator[tuple[Block[Kind], ...]]:
    """Yield each way to choose a place for every word with at most `depth` kinds of brackets per
    block.

    Words that share letters make one block, because a bracket between them would divide one.
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
            first = min([start, *(block.start for block in met)])
            last = max([stop, *(block.stop for block in met)])
            joined = Block(first, last, tuple(sorted(kinds)))
            others = tuple(block for block in blocks if block not in met)
            yield from _arrangements(rest, (*others, joined), depth, steps)
