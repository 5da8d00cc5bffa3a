"""Exclusivity particles: two players fill the corners of a cube of many dimensions with particles.

From PuzzlePlex, after Dennis Shasha.  Particles keep a distance; whoever cannot place one loses.
Interpretations: the game ends by itself when no place is left, where PuzzlePlex still asked the
player who was stuck for a move; every particle is shown in every turn, not only the last one.

On a cube that is empty at first the second player wins by force.  It answers every place with the
opposite one, which is always left; or with the place that differs from it in the same bits as the
first two particles differ in, wherever those are.  So easy and normal, which start empty, are fair
only if the players swap seats.  Hard starts with at least four random particles: after two the
player to move has lost, after one or three it wins, and after that nobody knows without search.

At some distances it does not matter how one plays.  At 1 every place is filled; above two thirds of
the dimension there is room for two particles; at distance 3 in 6 dimensions, too, every game has an
even number of turns.  PuzzlePlex drew such distances (and 1 most often); the levels avoid them.

The opponents are those of PuzzlePlex's table: brute force at the easy level, greedy at the normal
one.  Brute force searches as far as its budget goes, so it is the stronger of the two on equal
boards.  Greedy is what PuzzlePlex's program does: it looks one turn ahead for a place that leaves
none, and otherwise takes any place.  The program tries about 1,000 places and
replies drawn at random; here up to 1,000 places are tried, and all replies.  Leaving the opponent
as few places as possible is another possible greedy rule; at normal it does not beat random.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Annotated, Any

from quandary.algorithms.alphabeta import search
from quandary.core.boards import Cell, captions, stack
from quandary.core.bounds import Between, Range
from quandary.core.contract import Doc, InstanceCount, JudgedMoves, Language, Move, Options, Seat
from quandary.core.moves import Notation
from quandary.core.scene import Scene
from quandary.puzzles._shared.bit_strings import (
    MOST_MAPPED_BITS,
    Selection,
    letter_size,
    place_map,
    place_notation,
    turned_places,
    write_place,
)
from quandary.puzzles._shared.bit_strings.cube_symmetry import least_turn, mask_of, random_turn
from quandary.puzzles._shared.bit_strings.hamming_distance import far, listed
from quandary.puzzles.duels._shared.normal_play import NormalPlay

from . import solver

MOST_DIMENSIONS, MOST_GIVEN = 16, 64
TRIES = 200  # boards drawn before those that leave a place open count as too rare
JUDGED = 4_000  # positions that `judge` may search


@dataclass(frozen=True)
class ExclusivityParticles(JudgedMoves, NormalPlay):
    dimension: Annotated[int, Doc("bits per place")]
    distance: Annotated[int, Doc("bits in which any two particles differ at least")]
    particles: Annotated[
        tuple[str, ...],
        Doc("the places of the particles, as bits, in the order in which they were placed"),
    ] = ()
    given: Annotated[int, Doc("how many particles were there before the first turn")] = 0

    version = 2
    levels = {
        "easy": {"dimension": (4, 7), "distance": (2, 3)},
        "normal": {"dimension": (8, 12), "distance": (3, 5)},
        "hard": {"dimension": (8, 10), "distance": (3, 4), "given": (4, 6)},
    }
    house = {"easy": "brute_force", "normal": "greedy", "hard": "oracle"}
    distinct_instances = {
        "easy": InstanceCount(4, "empty cubes of 4 to 7 dimensions, with one distance each"),
        "normal": InstanceCount(
            8, "empty cubes of 8 to 12 dimensions, with one or two distances each"
        ),
        "hard": InstanceCount(15_000, "turned and mirrored cubes count as one", "at least"),
    }

    @classmethod
    def new(
        cls,
        rng: Random,
        *,
        dimension: Annotated[Range, Between(1, MOST_DIMENSIONS)] = (8, 12),
        distance: Annotated[Range, Between(1)] = (3, 5),
        given: Annotated[Range, Between(0, MOST_GIVEN)] = (0, 0),
    ) -> ExclusivityParticles:
        """Return the distance lies between a third and half of the dimension as far as its range
        allows.

        Given particles are placed one by one, uniformly among the places left, and leave a place.
        """
        if distance[1] > dimension[0]:
            raise ValueError(f"places of {dimension[0]} bits cannot differ in {distance[1]} bits")
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
        raise ValueError(f"{count} particles of {bits} bits at distance {apart} leave no place")

    @property
    def turn(self) -> Seat:
        return (len(self.particles) - self.given) % 2

    def options(self) -> Options:
        return {self.turn: Selection(self._open, self.dimension)} if self._open else {}

    def after(self, seat: Seat, move: Move) -> ExclusivityParticles:
        after = ExclusivityParticles(
            self.dimension, self.distance, (*self.particles, move), self.given
        )
        # finding the places left again would take long
        after.__dict__["_open"] = self._open & far(int(move, 2), self.distance, self.dimension)
        return after

    def why_illegal(self, seat: Seat, move: Move, language: Language = "en") -> str:
        say, bits = self.say(language), self.dimension
        if len(move) != bits:
            return say("A place has {bits} bits here, not {given}.", bits=bits, given=len(move))
        apart = {place: (int(place, 2) ^ int(move, 2)).bit_count() for place in self.particles}
        near, differing = min(apart.items(), key=lambda each: each[1])
        if not differing:
            return say("There is already a particle at {place}.", place=move)
        return say(
            "It differs from the particle at {place} in {differing} {differing:bit|bits} only.",
            place=near,
            differing=differing,
        )

    def notation(self) -> Notation:
        return place_notation(self.dimension)

    @classmethod
    def level_notation(cls, *, dimension: Range = (8, 12), **level: Any) -> Notation:
        return place_notation(dimension[1], shortest=dimension[0])

    def how(self, language: Language = "en") -> str:
        say = self.say(language)
        return say(
            "Write the bits of the place you choose, such as `01101` if there are 5 of them."
        )

    def rules(self, language: Language = "en") -> str:
        say = self.say(language)
        return say.lines(
            say(
                "Two players take turns placing particles. A place is a string of bits, and every"
                " string with the given number of bits is a place. You are told the number of bits"
                " per place and the minimum distance: any two particles, whoever placed them, must"
                " differ in at least that many bits. Particles never move. Some may already be"
                " there before the first turn.\n"
                "In your turn you place one particle. A place that is occupied, too near to a"
                " particle or of another length is not allowed, and naming it loses at once. A"
                " player who has to place a particle when no place is left for it loses.\n"
                "For example, with 3 bits and distance 2, particles at 000 and 011 leave 101 and"
                " 110 for the next one."
            ),
            self.how(language),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say, last = self.say(language), self._last()
        position = say(
            "Bits per place: {bits}. Minimum distance: {distance}.\nParticles ({count}): {places}",
            bits=self.dimension,
            distance=self.distance,
            count=len(self.particles),
            places=" ".join(self.particles) or say("none yet"),
        )
        if not last:
            return position
        if self.turn == seat:
            return say("Your opponent placed a particle at {place}.\n", place=last) + position
        return say("You placed a particle at {place}.\n", place=last) + position

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """Return a map of the places; if they are too many, of groups with the number of places
        left.
        """
        say, last, shown = self.say(language), self._last(), min(self.dimension, MOST_MAPPED_BITS)
        block, taken = 1 << self.dimension - shown, {place[:shown] for place in self.particles}

        def look(cell: int) -> Cell:
            name = write_place(cell, shown)
            left = (self._open >> cell * block & (1 << block) - 1).bit_count()
            fill = "green" if name in taken else "paper" if left else "shade"
            if last[:shown] == name:
                fill = "yellow"
            if block > 1:
                return Cell(str(left or ""), fill)
            can_be_chosen = left and seat == self.turn
            return Cell(
                "#" * (name in taken), fill, click={"place": name} if can_be_chosen else None
            )

        drawn, size = place_map(shown, look, self.dimension), letter_size(shown)
        width = max(drawn.width, 10)
        return stack(
            captions(
                say(
                    "{bits} {bits:bit|bits}, minimum distance {distance}",
                    bits=self.dimension,
                    distance=self.distance,
                ),
                say("last particle (yellow): {place}", place=last) if last else "",
                say("green: a particle; grey: too near")
                if block == 1
                else say(
                    "A cell stands for the {places} places that begin with the {bits} bits of its "
                    "row and its column; its number is that of places left, and without one "
                    "there is none. Green: there is a particle.",
                    places=block,
                    bits=shown,
                ),
                size=size,
                width=width,
            ),
            drawn,
            captions(
                say("particles: {places}", places=" ".join(self.particles))
                if block > 1 and self.particles
                else "",
                size=size,
                width=width,
            ),
        )

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        say = self.say(language)
        return {
            "green": say("there is a particle"),
            "yellow": say("there is the last particle"),
            "shade": say("no place left, because particles are too near"),
        }

    def equivalent(self, rng: Random) -> ExclusivityParticles:
        """With bits permuted and flipped, and the particles in another order."""
        turn, particles = random_turn(rng, self.dimension), self.particles
        places = turned_places(rng.sample(particles, len(particles)), turn)
        return ExclusivityParticles(self.dimension, self.distance, places, self.given)

    def canonical(self) -> Hashable:
        [least] = least_turn([mask_of(self._placed())], self.dimension)
        return self.dimension, self.distance, f"{least:x}"

    judge_budget = (JUDGED, solver.SEARCHED)

    def judge(self, seat: Seat) -> Mapping[Move, float] | None:
        """Return the value of each place, where the board is mirrored or few positions
        decide it.
        """
        if seat != self.turn:
            return None
        won = solver.won_places(self._placed(), listed(self._open), self.distance, JUDGED)
        if won is None:
            return None
        return {write_place(place, self.dimension): float(won[place]) for place in won}

    def greedy(self, seat: Seat, rng: Random, budget: int) -> Move:
        """Leaves the opponent no place if it can, else any: PuzzlePlex's normal baseline."""
        after = self._after(rng, budget)  # in random order
        place = next((place for place, left in after.items() if not left), next(iter(after)))
        return write_place(place, self.dimension)

    def cautious(self, seat: Seat, rng: Random, budget: int) -> Move:
        """Takes a win, avoids handing one over, and else leaves as many places as possible."""
        after = self._after(rng, budget)
        return write_place(solver.safest(after, self.distance, self.dimension), self.dimension)

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """Mirrors the board or finds another win; else leaves most room, or most ways to err."""
        if answers := solver.twins(self._placed(), self.dimension):
            return write_place(rng.choice(answers), self.dimension)
        if self._open.bit_count() <= solver.SEARCHED:
            place = solver.searched_place(rng, self._open, self.distance, budget)
            return write_place(place, self.dimension)
        after = self._after(rng, budget)
        return write_place(max(after, key=lambda place: after[place].bit_count()), self.dimension)

    def brute_force(self, seat: Seat, rng: Random, budget: int) -> Move:
        """PuzzlePlex's easy baseline: tries all continuations that the budget allows."""
        return search(self, seat, budget, rng=rng).move

    strategies = {
        "greedy": greedy,
        "cautious": cautious,
        "brute_force": brute_force,
        "oracle": oracle,
    }
    strongest = "search"

    @cached_property
    def _open(self) -> int:
        """The places left, as a mask."""
        places = (1 << (1 << self.dimension)) - 1
        for place in self._placed():
            places &= far(place, self.distance, self.dimension)
        return places

    def _placed(self) -> list[int]:
        return [int(place, 2) for place in self.particles]

    def _last(self) -> str:
        """Return the place taken in the last turn, "" before the first."""
        return self.particles[-1] if len(self.particles) > self.given else ""

    def _after(self, rng: Random, budget: int) -> dict[int, int]:
        """Return what is left after a particle at each place, or at some where they are many."""
        return solver.left_after(rng, self._open, self.distance, self.dimension, budget)
