"""Exact expanding nim: the lost piles for each number of resets and largest take so far."""

from __future__ import annotations

from functools import lru_cache
from itertools import zip_longest
from typing import TypeAlias

# (own resets, other's resets, reset called) -> lost piles, one bit each.
Lost: TypeAlias = dict[tuple[int, int, bool], int]
START = 3  # the limit at the start, and after a reset
EXACT = 40_000  # most piles times pairs of resets that are solved, in about half a second


def is_lost(stones: int, largest: int, own: int, other: int, reset: bool) -> bool | None:
    """Return whether the player to move loses under perfect play; None if that takes too long."""
    # Below 2 the limit is 3 as well, and above the pile it does not matter.
    largest = max(2, min(largest, stones))
    # A player cannot use more resets than they have moves left.
    own, other = min(own, (stones + 1) // 2), min(other, stones // 2)
    most, start = max(own, other), stones + largest * (largest + 1) // 2 - 3
    size = 1 << max(6, start.bit_length())
    if size * (most + 1) * (most + 2) > 2 * EXACT:
        return None
    return bool(lost_piles(size, most)[largest - 2][own, other, reset] >> stones & 1)


@lru_cache(maxsize=32)
def lost_piles(stones: int, most: int) -> tuple[Lost, ...]:
    """Return the piles that lose for the player to move, by the largest take so far: 2, 3, 4 and so
    on.

    A take larger than all before is larger by one, so each table needs that many piles fewer than
    the one before it.
    """
    sizes = [stones]
    while (size := sizes[-1] - len(sizes) - 2) > 0:
        sizes.append(size)
    resets = [
        (own, total - own)
        for total in range(2 * most + 1)
        for own in range(max(0, total - most), total // 2 + 1)
    ]
    table: Lost = {
        (*pair, reset): 1 for a, b in resets for pair in ((a, b), (b, a)) for reset in (False, True)
    }
    tables = list[Lost]()
    for place in reversed(range(len(sizes))):
        table = _table(place + 2, sizes[place], resets, table)
        tables.append(table)
    return tuple(reversed(tables))


def _table(largest: int, stones: int, resets: list[tuple[int, int]], above: Lost) -> Lost:
    """Return one table, computed from the one after it; `resets` are pairs, the fewest first."""
    here, every = Lost(), (2 << stones) - 1

    def reached(own: int, other: int, reset: bool, limit: int) -> int:
        """Return the piles from which a take up to the limit leaves a lost one to the other
        player.
        """
        lost = here[own, other, reset]
        piles = above[own, other, reset] << largest + 1 if limit > largest else 0
        for take in range(1, min(limit, largest) + 1):
            piles |= lost << take
        return piles

    def unless(own: int, other: int, won: int, limit: int) -> int:
        """Return the piles neither won already nor by a take that comes with a reset."""
        return every & ~(won | reached(other, own - 1, True, limit) if own else won)

    for a, b in resets:
        first = unless(a, b, above[b, a, False] << largest + 1, largest + 1)
        second = unless(b, a, above[a, b, False] << largest + 1, largest + 1)
        here[a, b, False], here[b, a, False] = _settle(first, second, largest)
        for own, other in ((a, b), (b, a)):
            here[own, other, True] = unless(own, other, reached(other, own, False, START), START)
    return here


def _settle(first: int, second: int, reach: int) -> tuple[int, int]:
    """Return which open piles of two players are lost.

    A lost pile wins the other player the piles within reach above it.
    """
    last_first = last_second = -reach - 1
    lost_first, lost_second = list[str](), list[str]()
    for pile, (one, other) in enumerate(zip_longest(bin(first)[:1:-1], bin(second)[:1:-1])):
        loses_first, loses_second = (
            one == "1" and pile - last_second > reach,
            other == "1" and pile - last_first > reach,
        )
        if loses_first:
            last_first = pile
        if loses_second:
            last_second = pile
        lost_first.append("01"[loses_first])
        lost_second.append("01"[loses_second])
    return int("".join(reversed(lost_first)), 2), int("".join(reversed(lost_second)), 2)
