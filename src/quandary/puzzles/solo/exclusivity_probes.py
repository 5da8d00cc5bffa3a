"""Exclusivity probes: find particles hidden on the corners of a cube of many dimensions with as few probes as possible.

From PuzzlePlex, after Dennis Shasha.  Readings: the game is won when every particle has been probed, not when the places are known;
a repeated probe counts; there are at most as many probes as places, and whoever has not found all by then has no value at all.
All sets of places that keep the distance are equally likely, and the rules say so; PuzzlePlex's own generator put every further
particle at exactly the least distance and told nobody.  The set is drawn by rejection, which is exact: see
`quandary.solvers.hamming_distance`.

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
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from random import Random

from quandary.core.contract import Ending, Game, Language, Move, Options, Seat, Secret
from quandary.core.scene import Box, Label, Scene, Shape
from quandary.families.bit_strings import (
    map_labels,
    places_of,
    read_place,
    write_place,
    write_places,
    write_run,
)
from quandary.solvers.hamming_distance import draw_set, far, listed, lowest, roomiest, search_set

HOW = "Write the place you probe as its bits, for example: 01101"
OPEN, EMPTY, PARTICLE = "?.#"
EMPTY_RUN = re.compile(re.escape(EMPTY) + "+")
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
    small = {
        "easy": "there are few ways to hide two particles in 32 or 64 places, so every seventh instance comes again"
    }
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
        if not (
            1 <= bits <= MOST_DIMENSIONS and 1 <= apart <= bits and 1 <= count <= MOST_PARTICLES
        ):
            raise ValueError(
                f"1 to {MOST_DIMENSIONS} bits, 1 to {MOST_PARTICLES} particles and a distance within the bits can be made"
            )
        hidden = draw_set(rng, range(1 << bits), count, apart, bits, TRIES)
        if hidden is None:
            raise ValueError(
                f"{count} places of {bits} bits at distance {apart} or more do not exist, or are too rare to be drawn"
            )
        return cls(bits, count, apart, write_places(hidden, bits), OPEN * (1 << bits))

    def options(self) -> Options:
        over = self.known.count(PARTICLE) == self.count or self.probes >= len(self.known)
        return {} if over else {0: places_of(self.dimension)}

    def after(self, seat: Seat, move: Move) -> ExclusivityProbes:
        place = int(move, 2)
        mark = PARTICLE if move in self.particles else EMPTY
        known = self.known[:place] + mark + self.known[place + 1 :]
        again = self.known[place] != OPEN
        return ExclusivityProbes(
            self.dimension,
            self.count,
            self.distance,
            self.particles,
            known,
            self.probes + 1,
            move,
            again,
        )

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
        found, places = self._found(), listed(self._open())
        hidden = draw_set(
            rng, places, self.count - len(found), self.distance, self.dimension, TRIES
        )
        if hidden is None:
            hidden = search_set(rng, places, self.count - len(found), self.distance)
        return replace(self, particles=write_places([*found, *hidden], self.dimension))

    def read(self, seat: Seat, said: str) -> Move:
        return read_place(said, HOW)

    def rules(self, language: Language = "en") -> str:
        return (
            "Particles are hidden in a space of places. A place is a row of bits, and every row of that length is a place. "
            "You are told the number of bits, the number of particles and their least distance: any two particles "
            "differ in at least that many bits. Apart from that, all sets of places are equally likely.\n"
            "In each turn you probe one place and are told whether a particle is there. Particles never move. "
            "You may probe a place again, but that counts as a probe and tells you nothing new.\n"
            "The game ends when you have probed every particle: knowing where one must be is not enough. "
            "Use as few probes as you can; your score is the number of particles divided by the number of probes. "
            "You may make as many probes as there are places; if particles are still hidden after that, "
            "or if you name what is no place, you have failed.\n"
            "For example, with 2 bits, 2 particles and distance 2, a particle at 00 leaves only 11 for the other.\n"
            + HOW
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        found = self._found()
        told = f"Your last probe, {self.last}: {self._told(len(found))}.\n" if self.last else ""
        return (
            f"Bits of a place: {self.dimension}. Particles: {self.count}. Least distance: {self.distance}.\n"
            f"Probes made: {self.probes} of at most {len(self.known)}. Particles found: {len(found)}.\n{told}"
            f"Places with a particle: {' '.join(write_places(found, self.dimension)) if found else 'none known'}\n"
            f"Places without (a-b stands for all from a to b, counting upwards): {self._empty() or 'none known'}"
        )

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """A map of the places by their leading bits; a cell that stands for several tells how many of them were not probed."""
        shown = min(self.dimension, SHOWN_BITS)
        down, across = shown // 2, shown - shown // 2
        block = len(self.known) >> shown
        legend = "; numbers: places not probed" if block > 1 else ""
        shapes: list[Shape] = [
            Label(
                0,
                0.5,
                f"{self.count} particles, distance {self.distance}{legend}",
                size=0.6,
                anchor="start",
            ),
            Label(
                0,
                1.4,
                f"{self.probes} of {len(self.known)} probes, last {self.last or 'none'}",
                size=0.6,
                anchor="start",
            ),
        ]
        shapes += map_labels(down, across)
        for cell in range(1 << shown):
            marks, (y, x) = self.known[cell * block : (cell + 1) * block], divmod(cell, 1 << across)
            left = marks.count(OPEN)
            fill = "green" if PARTICLE in marks else "paper" if left else "shade"
            words = marks.replace(OPEN, "") if block == 1 else str(left)
            shapes.append(
                Box(
                    3 + x,
                    2.8 + y,
                    fill=fill,
                    text=words,
                    size=0.4,
                    click=f"{cell:0{shown}b}" if block == 1 and left else "",
                )
            )
        rows = write_places(self._found(), self.dimension)
        bottom = 2.8 + (1 << down)
        shapes += [
            Label(0, bottom + 0.6 + 0.8 * row, f"# {place}", size=0.6, anchor="start", mono=True)
            for row, place in enumerate(rows)
        ]
        return Scene(max(11, 3 + (1 << across)), bottom + 0.8 * self.count + 0.3, tuple(shapes))

    def judge(self, seat: Seat) -> Mapping[Move, float] | None:
        """Known once one particle is left: every order of the open places is best, and a probe elsewhere is lost."""
        places = listed(self._open())
        if self.count - len(self._found()) != 1:
            return None
        ends = range(
            self.probes + 1, self.probes + len(places) + 2
        )  # the last one only after a lost probe
        scores = [self.count / end if end <= len(self.known) else 0.0 for end in ends]
        worth = dict.fromkeys(places_of(self.dimension), sum(scores[1:]) / len(places))
        return worth | dict.fromkeys(
            write_places(places, self.dimension), sum(scores[:-1]) / len(places)
        )

    def elimination(self, seat: Seat, rng: Random, budget: int) -> Move:
        """Counts upwards, leaving out what was probed and what is too near to a particle found."""
        return write_place(lowest(self._open()), self.dimension)

    def greedy(self, seat: Seat, rng: Random, budget: int) -> Move:
        """The place that leaves most room for the other particles: the likeliest where two are left, and nearly so where more."""
        return self._likeliest(budget, exact=False)

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """The likeliest place, with all sets that fit counted where the budget allows it, else as `greedy`."""
        return self._likeliest(budget, exact=True)

    strategies = {"elimination": elimination, "greedy": greedy, "oracle": oracle}

    def _likeliest(self, budget: int, exact: bool) -> Move:
        unprobed, others = self._open(), self.count - len(self._found()) - 1
        best = lowest(unprobed)
        if others and unprobed.bit_count() <= min(budget, WEIGHED):
            counted = others if exact and unprobed.bit_count() ** others <= budget else 1
            best = roomiest(unprobed, counted, self.distance, self.dimension)
        return write_place(best, self.dimension)

    def _told(self, found: int) -> str:
        """What the last probe told."""
        if self.known[int(self.last, 2)] == EMPTY:
            return (
                "there is no particle, and you had probed this place before"
                if self.repeated
                else "there is no particle"
            )
        return (
            "you had found this particle already"
            if self.repeated
            else f"there is a particle ({found} of {self.count} found)"
        )

    def _empty(self) -> str:
        """The places without, neighbours taken together, or a long game would fill a book every turn."""
        bits = self.dimension
        return " ".join(
            [
                write_run(start, end, bits)
                for start, end in map(re.Match.span, EMPTY_RUN.finditer(self.known))
            ]
        )

    def _found(self) -> list[int]:
        """The places of the particles found, in ascending order."""
        found, at = [], self.known.find(PARTICLE)
        while at >= 0:
            found.append(at)
            at = self.known.find(PARTICLE, at + 1)
        return found

    def _open(self) -> int:
        """The places where a particle may still be, as bits of a number."""
        places = int(
            self.known[::-1].translate({ord(OPEN): "1", ord(EMPTY): "0", ord(PARTICLE): "0"}), 2
        )
        for place in self._found():
            places &= far(place, self.distance, self.dimension)
        return places
