"""Exclusivity probes: where the particles still hidden may be, and which place is likeliest.

What is known is a text with one mark per place, in ascending order.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from quandary.puzzles._shared.bit_strings.cube_symmetry import least_turn, mask_of
from quandary.puzzles._shared.bit_strings.hamming_distance import (
    draw_set,
    far,
    listed,
    lowest,
    roomiest,
    search_set,
)

OPEN, EMPTY, PARTICLE = "?.#"  # the marks of places; an open one has not been probed
OPEN_BITS = str.maketrans(OPEN + EMPTY + PARTICLE, "100")
EMPTY_BITS = str.maketrans(OPEN + EMPTY + PARTICLE, "010")
MOST_PARTICLES = 32
TRIES = 50_000  # sets drawn before they count as too rare; levels need at most 1,000 on average
WEIGHED = 1_024  # places that are weighed; among more the lowest one is taken


def found_places(known: str) -> list[int]:
    """Return the places of the particles found, in ascending order."""
    found, place = [], known.find(PARTICLE)
    while place >= 0:
        found.append(place)
        place = known.find(PARTICLE, place + 1)
    return found


def possible_places(known: str, distance: int, bits: int) -> int:
    """Return the mask of the places where a particle may still be."""
    places = int(known[::-1].translate(OPEN_BITS), 2)
    for place in found_places(known):
        places &= far(place, distance, bits)
    return places


def least_image(particles: Iterable[str], known: str, bits: int) -> tuple[str, ...]:
    """Return the masks of particles, of those found and of empty places, however the cube is
    turned.
    """
    hidden, found = mask_of(int(place, 2) for place in particles), mask_of(found_places(known))
    empty = int(known[::-1].translate(EMPTY_BITS), 2)
    return tuple(f"{mask:x}" for mask in least_turn([hidden, found, empty], bits))


def last_scores(count: int, probes: int, places: int, most: int) -> tuple[float, float]:
    """Return the mean score with one particle left in some places, and that after a wasted
    probe.
    """
    ends = range(probes + 1, probes + places + 2)  # the last if one is wasted
    scores = [count / end if end <= most else 0.0 for end in ends]
    return sum(scores[:-1]) / places, sum(scores[1:]) / places


def last_worths(
    known: str, count: int, distance: int, bits: int, probes: int
) -> list[float] | None:
    """Return the mean score after a probe of each place; None unless one particle is left."""
    if count - known.count(PARTICLE) != 1:
        return None
    places = listed(possible_places(known, distance, bits))
    best, wasted = last_scores(count, probes, len(places), len(known))
    worth = [wasted] * len(known)
    for place in places:
        worth[place] = best
    return worth


def hidden_set(rng: Random, count: int, distance: int, bits: int) -> list[int]:
    """Places drawn uniformly among all sets that keep the distance; ValueError if there is none."""
    if count > MOST_PARTICLES:
        raise ValueError(f"{count} particles are too many; at most {MOST_PARTICLES} are hidden")
    if distance > bits:
        raise ValueError(f"places of {bits} bits cannot differ in {distance} bits")
    hidden = draw_set(rng, range(1 << bits), count, distance, bits, TRIES)
    if hidden is None:
        raise ValueError(
            f"{count} places of {bits} bits at distance {distance} are impossible or too rare"
        )
    return hidden


def random_set(rng: Random, known: str, count: int, distance: int, bits: int) -> list[int]:
    """Return all particles: those found, and the others drawn uniformly among all sets that fit.

    Where those are one in 50,000, a search finds one of them.
    """
    found, places = found_places(known), listed(possible_places(known, distance, bits))
    left = count - len(found)
    hidden = draw_set(rng, places, left, distance, bits, TRIES)
    return [*found, *(search_set(rng, places, left, distance) if hidden is None else hidden)]


def likeliest(known: str, count: int, distance: int, bits: int, budget: int, *, exact: bool) -> int:
    """Return the place that leaves most room for the other particles.

    It is the likeliest one if two are left, or if all sets that fit are counted: `exact`, where the
    budget allows it.
    """
    places, others = possible_places(known, distance, bits), count - known.count(PARTICLE) - 1
    if not others or places.bit_count() > min(budget, WEIGHED):
        return lowest(places)
    counted = others if exact and places.bit_count() ** others <= budget else 1
    return roomiest(places, counted, distance, bits)
