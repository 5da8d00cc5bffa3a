"""Exclusivity probes: find particles hidden on the corners of a cube of many dimensions with as few probes as possible.

From PuzzlePlex, after Dennis Shasha.  Readings: the game is won when every particle has been probed, not when the places are known;
a repeated probe counts; there are at most as many probes as places, and whoever has not found all by then has no value at all.
All sets of places that keep the distance are equally likely, and the rules say so; PuzzlePlex's own generator put every further
particle at exactly the least distance and told nobody.  The set is drawn by rejection, which is exact: see `_drawn`.

Levels: easy (32 or 64 places) and normal (128 to 1024) can be played by people and language models; hard has the dimensions of
PuzzlePlex's upper level, where a game takes thousands of probes, for programs and strategies.  It has six particles at most,
because seven of 14 bits at distance 7 are met once in 50,000 draws.

What can be known: with one particle left every open place is as good as any other.  With more, a place is the likelier the more
room it leaves for the others, that is the more of its neighbourhood has been ruled out; so probes should be crowded.
Counting upwards does that so well that weighing all places gains nothing for two particles and a few per cent for sets that are
crowded themselves (7 dimensions, 4 particles at distance 4: 40.4 probes in place of 42.7; open places in random order take 49.8).
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import overload

from quandary.core.contract import Ending, Game, Language, Move, Options, Seat, Secret, Unreadable
from quandary.core.scene import Box, Label, Scene, Shape

HOW = "Write the place you probe as its bits, for example: 01101"
OPEN, EMPTY, PARTICLE = "?.#"
MOST_DIMENSIONS, MOST_PARTICLES = 20, 32
TRIES = 50_000  # sets drawn before they count as too rare; those of the levels need a thousand on average at worst
WEIGHED = 1_024  # open places a strategy weighs; among more it counts upwards
SHOWN_BITS = 8  # the picture is a map of so many leading bits at most


@dataclass(frozen=True)
class ExclusivityProbes(Game):
    dimension: int  # bits of a place
    count: int  # particles hidden
    distance: int  # bits in which any two of them differ at least
    particles: Secret[tuple[str, ...]]  # in ascending order
    known: str  # one letter a place, in ascending order: "?" not probed, "." no particle, "#" a particle
    probes: int = 0
    last: str = ""  # the place just probed
    repeated: bool = False  # whether that had been probed before

    seats = 1
    better = "low"
    levels = {
        "easy": {"dimension": (5, 6), "particles": (2, 3), "distance": (2, 3)},
        "normal": {"dimension": (7, 10), "particles": (2, 5), "distance": (2, 5)},
        "hard": {"dimension": (11, 15), "particles": (2, 6), "distance": (2, 7)},
    }
    small = {"easy": "there are few ways to hide two particles in 32 or 64 places, so every seventh instance comes again"}
    house = {"easy": "random", "normal": "elimination", "hard": "greedy"}

    @classmethod
    def new(
        cls,
        rng: Random,
        *,
        dimension: tuple[int, int] = (5, 6),
        particles: tuple[int, int] = (2, 3),
        distance: tuple[int, int] = (2, 3),
    ) -> ExclusivityProbes:
        """All three are drawn evenly; the upper ends of the last two are held to half the dimension, where sets are plentiful."""
        bits = rng.randint(*dimension)
        count = rng.randint(particles[0], max(particles[0], min(particles[1], (bits + 1) // 2)))
        apart = rng.randint(distance[0], max(distance[0], min(distance[1], bits // 2)))
        if not (1 <= bits <= MOST_DIMENSIONS and 1 <= apart <= bits and 1 <= count <= MOST_PARTICLES):
            raise ValueError(
                f"1 to {MOST_DIMENSIONS} bits, 1 to {MOST_PARTICLES} particles and a distance within the bits can be made"
            )
        hidden = _drawn(rng, range(1 << bits), count, apart, bits)
        if hidden is None:
            raise ValueError(f"{count} places of {bits} bits at distance {apart} or more do not exist, or are too rare to be drawn")
        return cls(bits, count, apart, _written(hidden, bits), OPEN * (1 << bits))

    def options(self) -> Options:
        over = self.known.count(PARTICLE) == self.count or self.probes >= len(self.known)
        return {} if over else {0: Places(self.dimension)}

    def play(self, seat: Seat, move: Move) -> ExclusivityProbes:
        place = int(move, 2)
        mark = PARTICLE if move in self.particles else EMPTY
        known = self.known[:place] + mark + self.known[place + 1 :]
        return replace(self, known=known, probes=self.probes + 1, last=move, repeated=self.known[place] != OPEN)

    def scores(self) -> tuple[float, ...]:
        """No play can need fewer probes than there are particles."""
        return (self.count / self.probes if self.known.count(PARTICLE) == self.count else 0.0,)

    def values(self) -> tuple[float, ...] | None:
        return (float(self.probes),) if self.known.count(PARTICLE) == self.count else None

    def ending(self) -> Ending:
        return Ending("goal" if self.known.count(PARTICLE) == self.count else "limit")

    def reference(self) -> float:
        return float(self.count)

    def canonical(self) -> Hashable:
        return self.dimension, self.count, self.distance, self.particles

    def world(self, rng: Random) -> ExclusivityProbes:
        """The particles not yet found, dealt anew: evenly among all sets that fit, or by a search where those are one in 50,000."""
        found, places = self._found(), _listed(self._open())
        hidden = _drawn(rng, places, self.count - len(found), self.distance, self.dimension)
        if hidden is None:
            hidden = _searched(rng, places, self.count - len(found), self.distance)
        return replace(self, particles=_written([*found, *hidden], self.dimension))

    def read(self, seat: Seat, said: str) -> Move:
        lists = re.findall(r"\[([^\[\]]*)\]", said[:1_000])
        words = lists[-1] if lists else said.rpartition("=")[2]
        bits = re.sub(r"[\s,()'\"]+", "", words) if len(said) <= 1_000 else ""
        if not re.fullmatch(r"[01]{1,64}", bits):
            raise Unreadable(HOW)
        return bits

    def rules(self, language: Language = "en") -> str:
        return (
            "Particles are hidden in a space of places. A place is a row of bits, and every row of that length is a place. "
            "You are told the number of bits, the number of particles and their least distance: any two particles "
            "differ in at least that many bits. Apart from that, all sets of places are equally likely.\n"
            "In each turn you probe one place and are told whether a particle is there. Particles never move. "
            "You may probe a place again, but that counts as a probe and tells you nothing new.\n"
            "The game ends when you have probed every particle: knowing where one must be is not enough. "
            "Use as few probes as you can; your score is the number of particles divided by the number of probes. "
            "You may make as many probes as there are places; if particles are still hidden after that, you have failed.\n"
            "For example, with 2 bits, 2 particles and distance 2, a particle at 00 leaves only 11 for the other.\n" + HOW
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        found, empty = self._marked(PARTICLE), self._runs(EMPTY)
        told = {
            (PARTICLE, False): f"there is a particle ({len(found)} of {self.count} found)",
            (PARTICLE, True): "you had found this particle already",
            (EMPTY, False): "there is no particle",
            (EMPTY, True): "there is no particle, and you had probed this place before",
        }
        lines = [
            f"Bits of a place: {self.dimension}. Particles: {self.count}. Least distance: {self.distance}.",
            f"Probes made: {self.probes} of at most {len(self.known)}. Particles found: {len(found)}.",
        ]
        if self.last:
            lines.append(f"Your last probe, {self.last}: {told[self.known[int(self.last, 2)], self.repeated]}.")
        lines.append(f"Places with a particle: {' '.join(found) or 'none known'}")
        lines.append(f"Places without (a-b stands for all from a to b, counting upwards): {' '.join(empty) or 'none known'}")
        return "\n".join(lines)

    def scene(self, seat: Seat) -> Scene:
        """A map of the places by their leading bits; a cell that stands for several tells how many of them were not probed."""
        shown = min(self.dimension, SHOWN_BITS)
        down, across = shown // 2, shown - shown // 2
        block = len(self.known) >> shown
        legend = "; numbers: places not probed" if block > 1 else ""
        shapes: list[Shape] = [
            Label(0, 0.5, f"{self.count} particles, distance {self.distance}{legend}", size=0.6, anchor="start"),
            Label(0, 1.4, f"{self.probes} of {len(self.known)} probes, last {self.last or 'none'}", size=0.6, anchor="start"),
        ]
        shapes += [Label(3.5 + x, 2.3, f"{x:0{across}b}", size=0.35, colour="quiet") for x in range(1 << across)]
        shapes += [
            Label(2.8, 3.3 + y, f"{y:0{down}b}", size=0.5, colour="quiet", anchor="end") for y in range(1 << down if down else 0)
        ]
        for cell in range(1 << shown):
            marks, (y, x) = self.known[cell * block : (cell + 1) * block], divmod(cell, 1 << across)
            left = marks.count(OPEN)
            fill = "green" if PARTICLE in marks else "paper" if left else "shade"
            words = marks.replace(OPEN, "") if block == 1 else str(left)
            shapes.append(
                Box(3 + x, 2.8 + y, fill=fill, text=words, size=0.4, click=f"{cell:0{shown}b}" if block == 1 and left else "")
            )
        rows = self._marked(PARTICLE)
        bottom = 2.8 + (1 << down)
        shapes += [
            Label(0, bottom + 0.6 + 0.8 * row, f"# {place}", size=0.6, anchor="start", mono=True) for row, place in enumerate(rows)
        ]
        return Scene(max(11, 3 + (1 << across)), bottom + 0.8 * self.count + 0.3, tuple(shapes))

    def judge(self, seat: Seat) -> Mapping[Move, float] | None:
        """Known once one particle is left: every order of the open places is best, and a probe elsewhere is lost."""
        places = _listed(self._open())
        if self.count - len(self._found()) != 1:
            return None
        ends = range(self.probes + 1, self.probes + len(places) + 2)  # the last one only after a lost probe
        scores = [self.count / end if end <= len(self.known) else 0.0 for end in ends]
        worth = dict.fromkeys(Places(self.dimension), sum(scores[1:]) / len(places))
        return worth | dict.fromkeys(_written(places, self.dimension), sum(scores[:-1]) / len(places))

    def elimination(self, seat: Seat, rng: Random, budget: int) -> Move:
        """Counts upwards, leaving out what was probed and what is too near to a particle found."""
        return f"{_lowest(self._open()):0{self.dimension}b}"

    def greedy(self, seat: Seat, rng: Random, budget: int) -> Move:
        """The place that leaves most room for the other particles: the likeliest where two are left, and nearly so where more."""
        return self._likeliest(budget, exact=False)

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """The likeliest place, with all sets that fit counted where the budget allows it, else as `greedy`."""
        return self._likeliest(budget, exact=True)

    strategies = {"elimination": elimination, "greedy": greedy, "oracle": oracle}

    def _likeliest(self, budget: int, exact: bool) -> Move:
        unprobed, others = self._open(), self.count - len(self._found()) - 1
        best = _lowest(unprobed)
        if others and unprobed.bit_count() <= min(budget, WEIGHED):
            places = _listed(unprobed)
            counted = others if exact and len(places) ** others <= budget else 1

            def room(place: int) -> int:
                return _sets(unprobed & _far(place, self.distance, self.dimension), counted, self.distance, self.dimension)

            best = max(places, key=room)
        return f"{best:0{self.dimension}b}"

    def _marked(self, mark: str) -> list[str]:
        return [f"{at.start():0{self.dimension}b}" for at in re.finditer(re.escape(mark), self.known)]

    def _runs(self, mark: str) -> list[str]:
        """The same with neighbours taken together, or a long game would fill a book every turn."""
        runs = [(at.start(), at.end() - 1) for at in re.finditer(re.escape(mark) + "+", self.known)]
        return [f"{a:0{self.dimension}b}" + (f"-{b:0{self.dimension}b}" if b > a else "") for a, b in runs]

    def _found(self) -> list[int]:
        return [int(place, 2) for place in self._marked(PARTICLE)]

    def _open(self) -> int:
        """The places where a particle may still be, as bits of a number."""
        places = int(self.known[::-1].translate({ord(OPEN): "1", ord(EMPTY): "0", ord(PARTICLE): "0"}), 2)
        for place in self._found():
            places &= _far(place, self.distance, self.dimension)
        return places


@dataclass(frozen=True)
class Places(Sequence[Move]):
    """All rows of some bits, in ascending order; none is stored."""

    bits: int

    def __len__(self) -> int:
        return 1 << self.bits

    @overload
    def __getitem__(self, index: int) -> Move: ...
    @overload
    def __getitem__(self, index: slice) -> list[Move]: ...
    def __getitem__(self, index: int | slice) -> Move | list[Move]:
        chosen = range(len(self))[index]
        return f"{chosen:0{self.bits}b}" if isinstance(chosen, int) else [f"{place:0{self.bits}b}" for place in chosen]

    def __contains__(self, move: object) -> bool:
        return isinstance(move, str) and len(move) == self.bits and not move.strip("01")

    def __iter__(self) -> Iterator[Move]:
        return (f"{place:0{self.bits}b}" for place in range(len(self)))


def _written(places: Sequence[int], bits: int) -> tuple[str, ...]:
    return tuple(f"{place:0{bits}b}" for place in sorted(places))


def _listed(places: int) -> list[int]:
    return [place for place, bit in enumerate(reversed(f"{places:b}")) if bit == "1"]


def _lowest(places: int) -> int:
    return (places & -places).bit_length() - 1


@lru_cache(maxsize=1 << 12)
def _far(place: int, distance: int, bits: int) -> int:
    """The places at least `distance` from `place`, as bits of a number."""
    if not place:
        return int("".join("01"[other.bit_count() >= distance] for other in reversed(range(1 << bits))), 2)
    axis = place & -place  # what is far from a neighbour, mirrored along the axis between them
    nearby = _far(place ^ axis, distance, bits)
    lower = ((1 << (1 << bits)) - 1) // ((1 << axis) + 1)
    return (nearby & lower) << axis | nearby >> axis & lower


def _sets(places: int, count: int, distance: int, bits: int) -> int:
    """How many sets of `count` of the places keep the distance."""
    if count == 1:
        return places.bit_count()
    total = 0
    while places:
        place = _lowest(places)
        places ^= 1 << place
        total += _sets(places & _far(place, distance, bits), count - 1, distance, bits)
    return total


def _drawn(rng: Random, places: Sequence[int], count: int, distance: int, bits: int) -> list[int] | None:
    """A set of `count` places that keeps the distance, all such sets equally likely; None if none is met.

    The first place is drawn evenly from `places`, each other one evenly from `places` or from all that are far from the first,
    whichever are fewer; a set that does not fit is thrown away whole.  So every sequence that fits has the same chance.
    """
    allowed = places if isinstance(places, range) else frozenset(places)
    from_first = len(places) > _far(0, distance, bits).bit_count()
    for _ in range(TRIES if count else 1):
        drawn = [rng.choice(places)] if count else []
        while len(drawn) < count:
            place = drawn[0] ^ _shift(rng, distance, bits) if from_first else rng.choice(places)
            if place not in allowed or any((place ^ other).bit_count() < distance for other in drawn):
                break
            drawn.append(place)
        else:
            return drawn
    return None


def _shift(rng: Random, distance: int, bits: int) -> int:
    while (shift := rng.getrandbits(bits)).bit_count() < distance:
        pass
    return shift


def _searched(rng: Random, places: Sequence[int], count: int, distance: int) -> list[int]:
    """Some set of `count` places that keeps the distance, found for certain where there is one; [] where there is none."""
    order = rng.sample(places, len(places))
    for index, place in enumerate(order[: len(order) - count + 1]):
        rest = [other for other in order[index + 1 :] if (place ^ other).bit_count() >= distance]
        if count == 1:
            return [place]
        if others := _searched(rng, rest, count - 1, distance):
            return [place, *others]
    return []
