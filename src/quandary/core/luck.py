"""Luck with a name: streams of random numbers that follow from a text alone."""

from __future__ import annotations

from hashlib import blake2b
from random import Random
from typing import Any

NUMBERS = 8  # drawn before the usual generator is seeded: as many as most turns need
BITS = 64  # per number
MASK = (1 << BITS) - 1
# SplitMix64 (Steele, Lea and Flood 2014): a counter and a mixing function.
STEP, FIRST_FACTOR, SECOND_FACTOR = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
TURN = 0xD1342543DE82EF95  # between the counters of two turns, far from all multiples of STEP


class Luck(Random):
    """A `Random` with one stream per turn, which costs little until many numbers are drawn.

    Seeding the usual generator takes longer than most turns.  So the first numbers of a turn come
    from a mixed counter, and only a turn that needs more seeds the generator.
    """

    __slots__ = ("_key", "_left", "_seeded", "_state")  # quicker to read than attributes

    def __init__(self, name: str = "") -> None:
        self._seeded, self.gauss_next = False, None  # without super(), which seeds the generator
        self._key = int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "big")
        self._state, self._left = self._key, NUMBERS

    def turn(self, number: int) -> Luck:
        """Begin the stream of a turn."""
        self._state, self._left = self._key + number * TURN, NUMBERS
        self.gauss_next = None
        if self._seeded:
            del self.random, self.getrandbits  # from now on, those of the usual generator
            self._seeded = False
        return self

    def random(self) -> float:
        left = self._left
        if not left:
            self._use_generator()
            return Random.random(self)
        # The 53 highest bits of `_number`, without the call: this is what most turns do.
        self._left = left - 1
        self._state = state = (self._state + STEP) & MASK
        state = (state ^ state >> 30) * FIRST_FACTOR & MASK
        state = (state ^ state >> 27) * SECOND_FACTOR & MASK
        return (state >> 11 ^ state >> 42) * 2.0**-53

    def getrandbits(self, k: int, /) -> int:
        if self._left and 0 <= k <= BITS:
            return self._number() >> (BITS - k)
        self._use_generator()
        return Random.getrandbits(self, k)

    def seed(self, a: Any = None, version: int = 2) -> None:
        """Seed the usual generator; all further numbers come from it."""
        super().seed(a, version)
        self._give_way()

    def _use_generator(self) -> None:
        """Seed the usual generator with the counter, unless it is in use already."""
        if not self._seeded:
            self.seed(self._state)

    def _give_way(self) -> None:
        """Let calls go straight to the usual generator."""
        self._seeded, self._left = True, 0
        self.random, self.getrandbits = super().random, super().getrandbits  # type: ignore[method-assign]

    def getstate(self) -> tuple[Any, ...]:
        return self._key, self._state, self._left, self._seeded, super().getstate()

    def setstate(self, state: tuple[Any, ...]) -> None:
        self.turn(0)
        self._key, self._state, self._left, seeded, generator = state
        super().setstate(generator)
        if seeded:
            self._give_way()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.getstate(),)

    def _number(self) -> int:
        """Return the next number of the counter."""
        self._left -= 1
        self._state = state = (self._state + STEP) & MASK
        state = (state ^ state >> 30) * FIRST_FACTOR & MASK
        state = (state ^ state >> 27) * SECOND_FACTOR & MASK
        return state ^ state >> 31


def _restored(state: tuple[Any, ...]) -> Luck:
    luck = Luck()
    luck.setstate(state)
    return luck
