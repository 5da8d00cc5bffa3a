"""Exclusivity particles: two players fill the corners of a cube of many dimensions, keeping a distance; who cannot place loses.

From PuzzlePlex, after Dennis Shasha.  Readings: the game ends by itself when no place is left, where PuzzlePlex asked the player
who was stuck for a move all the same; every particle is shown in every turn, not only the last one.

On a cube that is empty at first the second player wins by force.  It answers every place with the opposite one, which is always
left; or with the place that differs from it in the same bits as the first two particles differ in, wherever those are.
So easy and normal, which start empty, are fair only if the players swap seats.  Hard starts with some particles drawn at random,
four at least: after two the player to move has lost, after one or three it wins, and after that nobody knows without looking ahead.

At some distances it does not matter how one plays.  At 1 every place is filled; above two thirds of the dimension there is room
for two particles; at distance 3 in 6 dimensions, too, every game has an even number of turns.  PuzzlePlex drew such distances
(and 1 most often); the levels avoid them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random

from quandary.core.contract import Ending, Game, Language, Move, Options, Seat
from quandary.core.scene import Box, Label, Scene, Shape
from quandary.families.bit_strings import Selection, map_labels, read_place, write_place
from quandary.solvers.exclusivity_particles import SEARCHED, ParticleSearch, mirrored, twins
from quandary.solvers.hamming_distance import far, listed

HOW = "Write the place of your particle as its bits, for example: 01101"
MOST_DIMENSIONS, MOST_GIVEN = 16, 64
TRIES = 200  # boards drawn before those that leave a place open count as too rare
JUDGED = 4_000  # positions a verdict may cost
WEIGHED = 1_024  # places a strategy weighs; where more are left, nothing is decided yet
SHOWN_BITS = 8  # the picture is a map of so many leading bits at most


@dataclass(frozen=True)
class ExclusivityParticles(Game):
    dimension: int  # bits of a place
    distance: int  # bits in which any two particles differ at least
    particles: tuple[str, ...] = ()  # in the order they were placed
    given: int = 0  # how many of them were there before the first turn

    levels = {
        "easy": {"dimension": (4, 7), "distance": (2, 3)},
        "normal": {"dimension": (8, 12), "distance": (3, 5)},
        "hard": {"dimension": (8, 10), "distance": (3, 4), "given": (4, 6)},
    }
    house = {"easy": "random", "normal": "cautious", "hard": "oracle"}
    small = {
        "easy": "4: empty cubes of 4 to 7 dimensions, each with the one distance that makes a contest",
        "normal": "8: empty cubes of 8 to 12 dimensions, each with one or two distances",
    }

    @classmethod
    def new(
        cls,
        rng: Random,
        *,
        dimension: tuple[int, int] = (8, 12),
        distance: tuple[int, int] = (3, 5),
        given: tuple[int, int] = (0, 0),
    ) -> ExclusivityParticles:
        """The distance is held between a third and half of the dimension as far as its range goes, for games neither long nor void.

        Particles that are given are placed one by one, each evenly among the places left; one place at least is left after them.
        """
        if not (
            1 <= dimension[0] <= dimension[1] <= MOST_DIMENSIONS
            and 1 <= distance[0] <= distance[1] <= dimension[0]
        ):
            raise ValueError(f"1 to {MOST_DIMENSIONS} bits and a distance within them can be made")
        if not 0 <= given[0] <= given[1] <= MOST_GIVEN:
            raise ValueError(f"0 to {MOST_GIVEN} particles can be given")
        bits = rng.randint(*dimension)
        nearest = max(distance[0], min(distance[1], (bits + 2) // 3))
        apart = rng.randint(nearest, max(nearest, min(distance[1], (bits - 1) // 2)))
        count = rng.randint(*given)
        for _ in range(TRIES):
            board = cls(bits, apart)
            while board._open and len(board.particles) < count:
                places = Selection(board._open, bits)
                board = board.after(0, places[rng.randrange(len(places))])
            if board._open:
                return cls(bits, apart, board.particles, count)
        raise ValueError(
            f"{count} particles of {bits} bits at distance {apart} never leave a place, or hardly ever"
        )

    def options(self) -> Options:
        return {self._turn(): Selection(self._open, self.dimension)} if self._open else {}

    def after(self, seat: Seat, move: Move) -> ExclusivityParticles:
        after = ExclusivityParticles(
            self.dimension, self.distance, (*self.particles, move), self.given
        )
        after.__dict__["_open"] = self._open & far(
            int(move, 2), self.distance, self.dimension
        )  # or it would be found anew
        return after

    def scores(self) -> tuple[float, float]:
        """Whoever is to move when no place is left has lost."""
        if self._open:
            return (0.5, 0.5)
        return (0.0, 1.0) if self._turn() == 0 else (1.0, 0.0)

    def ending(self) -> Ending:
        return Ending("no_move")

    def canonical(self) -> Hashable:
        """How far every particle is from the others, which stays the same however the cube is turned."""
        places = self._placed()
        spans = sorted(sorted((one ^ other).bit_count() for other in places) for one in places)
        return self.dimension, self.distance, self._turn(), tuple(map(tuple, spans))

    def read(self, seat: Seat, said: str) -> Move:
        return read_place(said, HOW)

    def rules(self, language: Language = "en") -> str:
        return (
            "Two players take turns placing particles. A place is a row of bits, and every row of that length is a place. "
            "You are told the number of bits and the least distance: any two particles, whoever placed them, "
            "must differ in at least that many bits. Particles never move. Some may be there before the first turn.\n"
            "In your turn you place one particle. A place that is taken, too near to a particle or of another length "
            "is not allowed and loses at once. A player who has to place a particle when no place is left for it loses.\n"
            "For example, with 3 bits and distance 2, particles at 000 and 011 leave 101 and 110 for the next one.\n"
            + HOW
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        lines = [f"Bits of a place: {self.dimension}. Least distance: {self.distance}."]
        if last := self._last():
            who = "Your opponent" if self._turn() == seat else "You"
            lines.append(f"{who} placed the last particle, at {last}.")
        lines.append(f"Particles ({len(self.particles)}): {' '.join(self.particles) or 'none yet'}")
        return "\n".join(lines)

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """A map of the places by their leading bits; a cell that stands for several tells how many of them are left."""
        shown = min(self.dimension, SHOWN_BITS)
        down, across, block = shown // 2, shown - shown // 2, 1 << self.dimension - shown
        last, taken = self._last(), {place[:shown] for place in self.particles}
        legend = "number: places left" if block > 1 else "grey: too near"
        shapes: list[Shape] = [
            Label(
                0,
                0.5,
                f"{self.dimension} bits, distance {self.distance}, last {last or 'none'}",
                size=0.5,
                anchor="start",
            ),
            Label(
                0, 1.4, f"green: a particle; yellow: the last; {legend}", size=0.5, anchor="start"
            ),
        ]
        shapes += map_labels(down, across)
        for cell in range(1 << shown):
            name, (y, x) = write_place(cell, shown), divmod(cell, 1 << across)
            left = (self._open >> cell * block & (1 << block) - 1).bit_count()
            fill = (
                "yellow"
                if last[:shown] == name
                else "green"
                if name in taken
                else "paper"
                if left
                else "shade"
            )
            words = str(left) if block > 1 else "#" if name in taken else ""
            click = name if block == 1 and left and seat == self._turn() else ""
            shapes.append(Box(3 + x, 2.8 + y, fill=fill, text=words, size=0.4, click=click))
        width, bottom = max(15, 3 + (1 << across)), 2.8 + (1 << down)
        below, per_row = (
            self.particles if block > 1 else (),
            max(1, int(width / (0.4 * self.dimension + 0.6))),
        )
        for number, place in enumerate(below):
            y, x = divmod(number, per_row)
            shapes.append(
                Label(
                    x * width / per_row,
                    bottom + 0.6 + 0.8 * y,
                    place,
                    size=0.6,
                    anchor="start",
                    mono=True,
                )
            )
        return Scene(width, bottom + 0.8 * -(-len(below) // per_row) + 0.3, tuple(shapes))

    def judge(self, seat: Seat) -> Mapping[Move, float] | None:
        """Each place's worth under perfect play, where the board is mirrored or few enough positions decide it."""
        if seat != self._turn():
            return None
        placed, places = self._placed(), listed(self._open)
        if mirrored(placed, self.distance):
            return dict.fromkeys(Selection(self._open, self.dimension), 0.0)
        if len(placed) == 1:
            return dict.fromkeys(Selection(self._open, self.dimension), 1.0)
        if len(places) > SEARCHED:
            return None
        search, worth = ParticleSearch(places, self.distance, JUDGED), {}
        for place, rest in zip(places, search.after, strict=True):
            won = not mirrored([*placed, place], self.distance) and search.wins(rest)
            if won is None:
                return None
            worth[write_place(place, self.dimension)] = float(not won)
        return worth

    def greedy(self, seat: Seat, rng: Random, budget: int) -> Move:
        """Leaves the opponent as few places as possible."""
        after = self._after(self._some(rng, budget))
        return write_place(min(after, key=lambda place: after[place].bit_count()), self.dimension)

    def cautious(self, seat: Seat, rng: Random, budget: int) -> Move:
        """Looks one round ahead: takes a win, avoids handing one over, and else leaves as many places as possible."""
        after = self._after(self._some(rng, budget))
        order = sorted(after, key=lambda place: after[place].bit_count())
        if not after[order[0]]:
            return write_place(order[0], self.dimension)
        safe = (place for place in reversed(order) if not self._decides(after[place]))
        return write_place(next(safe, order[-1]), self.dimension)

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """Makes the board mirrored or finds another win; else leaves most room, or where all is lost most ways to err."""
        if answers := twins(self._placed(), self.dimension):
            return write_place(rng.choice(answers), self.dimension)
        if self._open.bit_count() <= SEARCHED:
            places = listed(self._open)
            rng.shuffle(places)
            return write_place(ParticleSearch(places, self.distance, budget).best(), self.dimension)
        after = self._after(self._some(rng, budget))
        return write_place(max(after, key=lambda place: after[place].bit_count()), self.dimension)

    strategies = {"greedy": greedy, "cautious": cautious, "oracle": oracle}

    @cached_property
    def _open(self) -> int:
        """The places left, as a mask."""
        places = (1 << (1 << self.dimension)) - 1
        for place in self._placed():
            places &= far(place, self.distance, self.dimension)
        return places

    def _placed(self) -> list[int]:
        return [int(place, 2) for place in self.particles]

    def _turn(self) -> Seat:
        return (len(self.particles) - self.given) % 2

    def _last(self) -> str:
        """The place taken in the last turn, "" before the first."""
        return self.particles[-1] if len(self.particles) > self.given else ""

    def _some(self, rng: Random, budget: int) -> list[int]:
        """The places left in random order, or some of them where they are many."""
        places = listed(self._open)
        return rng.sample(places, min(len(places), max(1, budget), WEIGHED))

    def _after(self, places: Iterable[int]) -> dict[int, int]:
        """What is left after a particle at each of some places."""
        return {place: self._open & far(place, self.distance, self.dimension) for place in places}

    def _decides(self, left: int) -> bool:
        """Whether some particle on the places left leaves nothing."""
        near = (1 << self.dimension) - far(0, self.distance, self.dimension).bit_count()
        return left.bit_count() <= near and not all(
            left & far(place, self.distance, self.dimension) for place in listed(left)
        )
