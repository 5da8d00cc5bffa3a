"""Sets of bit strings that keep a Hamming distance: counting, drawing and searching them.

A place is a bit string, stored as a number.  The distance of two places is the number of bits in
which they differ; a distance to keep is between 1 and the number of bits.  A set of places is a
mask, one wide integer with bit p for place p, so the places far from several others take one `&`
for each.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random


def listed(mask: int) -> list[int]:
    """Return the places of a mask, in ascending order."""
    return [place for place, bit in enumerate(reversed(f"{mask:b}")) if bit == "1"]


def lowest(mask: int) -> int:
    """Return the first place of a mask, which must have one."""
    return (mask & -mask).bit_length() - 1


@lru_cache(maxsize=1 << 12)
def far(place: int, distance: int, bits: int) -> int:
    """Return the mask of all places at least `distance` from `place`."""
    if not place:
        return int(
            "".join("01"[other.bit_count() >= distance] for other in reversed(range(1 << bits))), 2
        )
    axis = place & -place  # the result for a neighbour, mirrored along the axis between them
    nearby = far(place ^ axis, distance, bits)
    lower = ((1 << (1 << bits)) - 1) // ((1 << axis) + 1)
    return (nearby & lower) << axis | nearby >> axis & lower


def count_sets(mask: int, count: int, distance: int, bits: int) -> int:
    """Return how many sets of `count` places of the mask, one or more, keep the distance."""
    if count == 1:
        return mask.bit_count()
    total = 0
    while mask:
        place = lowest(mask)
        mask ^= 1 << place
        total += count_sets(mask & far(place, distance, bits), count - 1, distance, bits)
    return total


def roomiest(mask: int, others: int, distance: int, bits: int) -> int:
    """Return the place of a mask that leaves most sets of `others` more places; the lowest of
    equals.
    """
    return max(
        listed(mask),
        key=lambda place: count_sets(mask & far(place, distance, bits), others, distance, bits),
    )


def draw_set(
    rng: Random, places: Sequence[int], count: int, distance: int, bits: int, tries: int
) -> list[int] | None:
    """Return a uniformly random set of `count` of the places that keeps the distance.

    The first place is drawn evenly from `places`, each other one evenly from `places` or from all
    that are far from the first, whichever are fewer; a set that does not fit is discarded whole.
    So every sequence that fits has the same chance.  None if `tries` draws find none.
    """
    if count > len(places):
        return None
    allowed = places if isinstance(places, range) else frozenset(places)
    from_first = len(places) > far(0, distance, bits).bit_count()
    for _ in range(tries if count else 1):
        drawn = [rng.choice(places)] if count else []
        while len(drawn) < count:
            place = drawn[0] ^ _shift(rng, distance, bits) if from_first else rng.choice(places)
            if place not in allowed or any(
                (place ^ other).bit_count() < distance for other in drawn
            ):
                break
            drawn.append(place)
        else:
            return drawn
    return None


def search_set(rng: Random, places: Sequence[int], count: int, distance: int) -> list[int]:
    """Return some set of `count` of the places that keeps the distance; [] if there is none."""
    order = rng.sample(places, len(places))
    for index, place in enumerate(order[: len(order) - count + 1]):
        rest = [other for other in order[index + 1 :] if (place ^ other).bit_count() >= distance]
        if count == 1:
            return [place]
        if others := search_set(rng, rest, count - 1, distance):
            return [place, *others]
    return []


def _shift(rng: Random, distance: int, bits: int) -> int:
    while (shift := rng.getrandbits(bits)).bit_count() < distance:
        pass
    return shift
