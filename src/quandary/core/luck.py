"""Named luck: a stream of random numbers determined by a name."""

from __future__ import annotations

from hashlib import blake2b
from random import Random
from struct import Struct
from typing import Any

NUMBERS = 8  # from one hash: as many as most turns need
BITS = 64  # per number
_unpacked = Struct(f">{NUMBERS}Q").unpack


class Luck(Random):
    """A `Random` that is renamed for every turn, at no cost until it is used.

    Seeding the usual generator takes longer than most turns.  So the first numbers after `rename`
    come from one hash of the name; later ones come from a generator seeded with the name.
    """

    def __init__(self, name: str = "") -> None:
        # `Random.__init__` is not called because it would seed the generator.
        self._seeded, self.gauss_next = False, None
        self.rename(name)

    def rename(self, name: str) -> Luck:
        """Begin the stream of another name."""
        self._name, self._used = name, -1
        if self._seeded:
            del self.random, self.getrandbits  # set by `seed`
            self._seeded = False
            self.gauss_next = None
        return self

    def random(self) -> float:
        number = self._number()
        return Random.random(self) if number < 0 else (number >> 11) * 2.0**-53

    def getrandbits(self, k: int, /) -> int:
        number = self._number(k)
        return Random.getrandbits(self, k) if number < 0 else number >> (BITS - k)

    def seed(self, a: Any = None, version: int = 2) -> None:
        """Seed the usual generator; all further numbers come from it."""
        super().seed(a, version)
        self._seeded = True
        self.random, self.getrandbits = super().random, super().getrandbits  # type: ignore[method-assign]

    def _number(self, bits: int = BITS) -> int:
        """The next number of the hash; -1 after seeding the generator if the hash is too short."""
        if self._seeded:  # during this call's caller, which still holds the unseeded method
            return -1
        used = self._used = self._used + 1
        if used == 0:
            self._numbers = _unpacked(blake2b(self._name.encode()).digest())
        if used < NUMBERS and bits <= BITS:
            return self._numbers[used]  # type: ignore[no-any-return]
        self.seed(self._name)
        return -1
