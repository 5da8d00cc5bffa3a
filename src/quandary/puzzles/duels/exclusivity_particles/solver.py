"""Exact play of exclusivity particles: symmetric sets, and a search by sums of games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from random import Random

from quandary.puzzles._shared.bit_strings.hamming_distance import far, listed, lowest

SEARCHED = 200  # places left beyond which exact play is out of reach
WEIGHED = 1_024  # places that a strategy weighs; where more are left, nothing is decided yet


def mirrored(places: Sequence[int], distance: int) -> bool:
    """Return whether some shift by the distance or more maps the places onto themselves.

    Shifting a place flips some of its bits; the empty set is mirrored.  If what is placed, or what
    is open, is mirrored, then whoever is to place next can always be answered: the shift of any
    open place is open, far from that place, and leaves a mirrored board again.
    """
    members = frozenset(places)
    shifts = (places[0] ^ place for place in places[1:]) if len(members) % 2 == 0 else ()
    return not members or any(
        shift.bit_count() >= distance and all(p ^ shift in members for p in places)
        for shift in shifts
    )


def closes(left: int, distance: int, bits: int) -> bool:
    """Return whether one more particle can close all the places left."""
    near = (1 << bits) - far(0, distance, bits).bit_count()
    if left.bit_count() > near:
        return False
    return not all(left & far(place, distance, bits) for place in listed(left))


def twins(places: Sequence[int], bits: int) -> list[int]:
    """Return the places that make a set mirrored; where the set keeps a distance, they keep
    it too.
    """
    members, found = frozenset(places), set[int]()
    if len(places) == 1:
        return [places[0] ^ (1 << bits) - 1]  # every place will do, and this one is the furthest
    if len(places) % 2:
        for shift in {one ^ other for one in places[:2] for other in places if one != other}:
            alone = list(
                islice((place ^ shift for place in places if place ^ shift not in members), 2)
            )
            found.update(alone if len(alone) == 1 else ())
    return sorted(found)


def left_after(rng: Random, left: int, distance: int, bits: int, most: int) -> dict[int, int]:
    """Return what is left after a particle at each place, in random order; at some if they are
    many.
    """
    places = listed(left)
    some = rng.sample(places, min(len(places), max(1, most), WEIGHED))
    return {place: left & far(place, distance, bits) for place in some}


def safest(after: Mapping[int, int], distance: int, bits: int) -> int:
    """Return a place that leaves nothing, or the one that leaves most without handing over
    a win.
    """
    order = sorted(after, key=lambda place: after[place].bit_count())
    if not after[order[0]]:
        return order[0]
    safe = (place for place in reversed(order) if not closes(after[place], distance, bits))
    return next(safe, order[-1])


def searched_place(rng: Random, left: int, distance: int, budget: int) -> int:
    """Return the best place that a search finds, whichever comes first among equals."""
    places = listed(left)
    rng.shuffle(places)
    return ParticleSearch(places, distance, budget).best()


def won_places(
    placed: Sequence[int], places: Sequence[int], distance: int, budget: int
) -> dict[int, bool] | None:
    """Return whether each of the places left wins; None if the budget does not decide it."""
    if mirrored(placed, distance):
        return dict.fromkeys(places, False)
    if len(placed) == 1:
        return dict.fromkeys(places, True)
    if len(places) > SEARCHED:
        return None
    search, found = ParticleSearch(places, distance, budget), dict[int, bool]()
    for place, rest in zip(places, search.after, strict=True):
        is_answered = not mirrored([*placed, place], distance) and search.wins(rest)
        if is_answered is None:
            return None
        found[place] = not is_answered
    return found


class ParticleSearch:
    """Exact play where players take a place and all places near it; having none left loses.

    What is left is a mask over the places as they were listed at first, so cubes of all sizes are
    searched alike.  Groups of places that are not near each other are independent, so each but the
    largest counts as the nim heap it is worth.
    """

    def __init__(self, places: Sequence[int], distance: int, budget: int) -> None:
        self.places, self.distance, self.budget = places, distance, budget
        self.after = [  # what each place leaves of all
            sum(
                1 << index
                for index, other in enumerate(places)
                if (place ^ other).bit_count() >= distance
            )
            for place in places
        ]
        self.known: dict[tuple[int, int], bool] = {}

    def best(self) -> int:
        """Return the first winning place, else one that may win and leaves most, else the best
        trap.
        """
        unsure, order = (
            [],
            sorted(range(len(self.places)), key=lambda index: self.after[index].bit_count()),
        )
        for index in order:
            won = self.wins(self.after[index])
            if won is False:
                return self.places[index]
            if won is None:
                unsure.append(index)
        return self.places[unsure[-1] if unsure else max(reversed(order), key=self._traps)]

    def _traps(self, index: int) -> float:
        """Return the share of replies to a place that are known to lose."""
        replies = [
            self.wins(self.after[index] & self.after[reply]) for reply in listed(self.after[index])
        ]
        return replies.count(True) / len(replies)

    def wins(self, left: int, heap: int = 0) -> bool | None:
        """Return whether the player to move wins with these places and a nim heap; None if
        undecided.
        """
        if not left:
            return heap > 0
        if self.budget <= 0 or left.bit_count() > SEARCHED:
            return None
        *small, largest = self._groups(left)
        for group in small:
            worth = self.worth(group)
            if worth is None:
                return None
            heap ^= worth
        if (largest, heap) not in self.known:
            self.budget -= 1
            won = self._search(largest, heap)
            if won is None:
                return None
            self.known[largest, heap] = won
        return self.known[largest, heap]

    def worth(self, group: int) -> int | None:
        """Return the nim heap that these places are worth; None if the budget does not
        decide it.
        """
        if group.bit_count() == 1:
            return 1
        heap = 0
        while won := self.wins(group, heap):
            heap += 1
        return None if won is None else heap

    def _search(self, left: int, heap: int) -> bool | None:
        places = listed(left)
        if not heap and mirrored([self.places[index] for index in places], self.distance):
            return False
        turns = [
            (rest, heap)
            for rest in sorted({left & self.after[index] for index in places}, key=_size)
        ]
        for turn in [*turns, *((left, less) for less in range(heap))]:
            won = self.wins(*turn)
            if not won:
                return None if won is None else True
        return False

    def _groups(self, left: int) -> list[int]:
        """Return the places left in connected groups of near places, the smallest group first."""
        found = []
        while left:
            group = reached = left & -left
            left ^= group
            while reached:
                near = left & ~self.after[lowest(reached)]
                left ^= near
                group |= near
                reached = reached & reached - 1 | near
            found.append(group)
        return sorted(found, key=_size)


def _size(mask: int) -> tuple[int, int]:
    return mask.bit_count(), mask
