"""Exact cover: take some of the choices so that every item is covered exactly once (Algorithm X).

All items in `primary` must be covered; any other item may be covered at most once.  A choice that
covers no primary item is never taken.  The remaining choices are the bits of one integer, so taking
one removes all conflicting choices in a few operations.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import islice
from random import Random


def covers(
    primary: Sequence[Hashable], choices: Sequence[Sequence[Hashable]], rng: Random | None = None
) -> Iterator[tuple[int, ...]]:
    """Yield every exact cover once, as the sorted numbers of its choices.

    The order of covers is fixed, or random with `rng`; the first is then a random cover, though not
    a uniform draw.
    """
    rivals: dict[Hashable, int] = dict.fromkeys(primary, 0)  # item -> the choices that cover it
    for number, choice in enumerate(choices):
        for item in choice:
            rivals[item] = rivals.get(item, 0) | 1 << number
    everything: tuple[int, tuple[Hashable, ...], tuple[int, ...]] = (
        (1 << len(choices)) - 1,
        tuple(dict.fromkeys(primary)),
        (),
    )
    stack = [everything]
    while stack:
        still_open, unmet, taken = stack.pop()
        if not unmet:
            yield tuple(sorted(taken))
            continue
        hardest = min(unmet, key=lambda item: (rivals[item] & still_open).bit_count())
        for number in _order(rivals[hardest] & still_open, rng):
            struck, covered = 0, set(choices[number])
            for item in covered:
                struck |= rivals[item]
            stack.append(
                (
                    still_open & ~struck,
                    tuple(item for item in unmet if item not in covered),
                    (*taken, number),
                )
            )


def count(
    primary: Sequence[Hashable], choices: Sequence[Sequence[Hashable]], limit: int | None = None
) -> int:
    """Return how many exact covers there are; the search stops at `limit`."""
    return sum(1 for _ in islice(covers(primary, choices), limit))


def _order(bits: int, rng: Random | None) -> list[int]:
    """Return the set bits, highest first because the search takes the last one first; or
    shuffled.
    """
    numbers = []
    while bits:
        numbers.append(bits.bit_length() - 1)
        bits ^= 1 << numbers[-1]
    if rng:
        rng.shuffle(numbers)
    return numbers
