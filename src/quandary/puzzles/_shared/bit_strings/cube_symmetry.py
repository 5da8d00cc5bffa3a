"""Symmetries of the cube of bit strings: permuted bits and flipped bits.

A set of places is a mask as in `hamming_distance`, so that exchanging or flipping a bit of all
places takes a few operations on wide integers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations, pairwise
from random import Random
from typing import NamedTuple, TypeAlias

from quandary.algorithms.canonical_labelling import Colours, Order, Structure, least_image, ranked

from .hamming_distance import far, listed

Masks: TypeAlias = tuple[int, ...]  # sets of places that are turned together


class CubeSymmetry(NamedTuple):
    """One symmetry of the cube."""

    order: tuple[int, ...]  # for each bit, counted from the right, the one that it comes from
    flipped: int  # the bits that are flipped afterwards

    def place(self, place: int) -> int:
        """Return where a place goes."""
        bits = (1 << new for new, old in enumerate(self.order) if place >> old & 1)
        return sum(bits) ^ self.flipped

    def places(self) -> list[int]:
        """Return where each place goes, in ascending order of the places."""
        found, goals = [self.flipped], {old: new for new, old in enumerate(self.order)}
        for old in range(len(self.order)):
            found += [place ^ 1 << goals[old] for place in found]
        return found


def random_turn(rng: Random, bits: int) -> CubeSymmetry:
    """Return a symmetry of the cube, drawn uniformly."""
    return CubeSymmetry(tuple(rng.sample(range(bits), bits)), rng.getrandbits(bits))


def mask_of(places: Iterable[int]) -> int:
    """Return the mask of some places."""
    mask = 0
    for place in places:
        mask |= 1 << place
    return mask


def least_turn(masks: Sequence[int], bits: int) -> Masks:
    """Return the least image of some sets of places over all turns of the cube.

    One of the places of the first set that is not empty becomes 0, so only the order of bits is
    left to find.  Only places whose distances to the others of their set are rarest are tried.
    """
    origins = _rarest(next((listed(mask) for mask in masks if mask), [0]))
    images = (_BitOrder([_flip(mask, at, bits) for mask in masks], bits) for at in origins)
    return least_image(images, bits)


def _rarest(places: list[int]) -> list[int]:
    """Return the places with the rarest distances from all others, the least distances
    where tied.
    """
    kinds = dict[tuple[int, ...], list[int]]()
    for place in places:
        kinds.setdefault(tuple(sorted((place ^ other).bit_count() for other in places)), []).append(
            place
        )
    return min((len(alike), distances, alike) for distances, alike in kinds.items())[2]


class _BitOrder(Structure[Masks]):
    """Sets of places up to the order of their bits."""

    def __init__(self, masks: Sequence[int], bits: int) -> None:
        self.masks, self.bits = tuple(masks), bits
        layers = _layers(bits)
        self.parts = [part for mask in masks for layer in layers if (part := mask & layer)]

    def refined(self, colours: Colours, fixed: Order) -> list[int]:
        """Bits by how many places have them, alone and together with each other bit."""
        axes = _axes(self.bits)
        parts = self.parts
        for bit in fixed:  # whatever the numbers of the bits, empty parts are the same ones
            halves = (half for part in parts for half in (part & axes[bit], part & ~axes[bit]))
            parts = list(filter(None, halves))
        having = [[part & axis for part in parts] for axis in axes]
        alone = [tuple(map(int.bit_count, own)) for own in having]
        both: list[list[tuple[int, ...]]] = [[()] * self.bits for _ in axes]
        for one, other in combinations(range(self.bits), 2):
            counts = tuple([(part & axes[other]).bit_count() for part in having[one]])
            both[one][other] = both[other][one] = counts
        found = ranked(list(zip(colours, alone, strict=True)))
        while True:
            keys = [
                (own, sorted(zip(found, with_others, strict=True)))
                for own, with_others in zip(found, both, strict=True)
            ]
            again = ranked([(own, tuple(near)) for own, near in keys])
            if len(set(again)) == len(set(found)):
                return found
            found = again

    def image(self, order: Order) -> Masks:
        masks, places = self.masks, list(range(self.bits))  # the bits as they are now
        for new, old in enumerate(order):
            at = places.index(old)
            if at != new:
                masks = tuple(_exchanged(mask, new, at, self.bits) for mask in masks)
                places[new], places[at] = places[at], places[new]
        return masks

    def interchangeable(self, one: int, other: int) -> bool:
        return all(_exchanged(mask, one, other, self.bits) == mask for mask in self.masks)


@cache
def _axes(bits: int) -> tuple[int, ...]:
    """For each bit the places that have it."""
    everywhere = (1 << (1 << bits)) - 1
    widths = (1 << bit for bit in range(bits))
    return tuple(everywhere // ((1 << width) + 1) << width for width in widths)


@cache
def _layers(bits: int) -> tuple[int, ...]:
    """Return the places with no bit, with one bit, with two bits, ..."""
    far_away = [far(0, bits_set, bits) for bits_set in range(bits + 1)]
    return tuple(one & ~more for one, more in pairwise([*far_away, 0]))


def _flip(mask: int, flipped: int, bits: int) -> int:
    """Return the places with some of their bits flipped."""
    for bit, axis in enumerate(_axes(bits)):
        if flipped >> bit & 1:
            width = 1 << bit
            mask = (mask & axis) >> width | (mask & ~axis) << width
    return mask


def _exchanged(mask: int, one: int, other: int, bits: int) -> int:
    """Return the places with two of their bits exchanged."""
    low, high = sorted((one, other))
    axes, width = _axes(bits), (1 << high) - (1 << low)
    up, down = mask & axes[low] & ~axes[high], mask & axes[high] & ~axes[low]
    return mask ^ up ^ down | up << width | down >> width
