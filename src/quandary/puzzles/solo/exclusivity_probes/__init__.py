"""Exclusivity probes: find particles hidden on the corners of a many-dimensional cube.

From PuzzlePlex, after Dennis Shasha.  Interpretations: the game is won when every particle has been
probed, not when the places are known; a repeated probe counts; there are at most as many probes as
places, and without all particles by then there is no value.  All sets of places that keep the
distance are equally likely, and the rules say so; PuzzlePlex's own generator put every further
particle at exactly the minimum distance and did not say so.  The set is drawn by rejection, which
is exact: see `quandary.puzzles._shared.bit_strings.hamming_distance`.

Levels: easy (32 or 64 places) and normal (128 to 1024) can be played by people and language models;
hard has the dimensions of PuzzlePlex's upper level, where a game takes thousands of probes, for
programs and strategies.  It has at most six particles: seven of 14 bits at distance 7 occur once in
50,000 draws.

PuzzlePlex's easy opponent is random, and here it never probes a place twice, for a repetition is
merely a wasted turn; the opponent of the upper levels is greedy.
With one particle left, every open place is as good as any other.  With more, a place is the
likelier the more of its neighbourhood has been ruled out, so probes should be crowded.  Counting
upwards does that so well that weighing all places gains nothing for two particles and a few per
cent for crowded sets (7 dimensions, 4 particles at distance 4: 40.4 probes instead of 42.7; open
places in random order take 49.8).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Annotated, Any

from quandary.core.boards import captions, stack
from quandary.core.bounds import Between, Range
from quandary.core.changed import changed
from quandary.core.contract import (
    Doc,
    Ending,
    Game,
    HiddenInformation,
    InstanceCount,
    JudgedMoves,
    Language,
    Move,
    Objective,
    Options,
    Seat,
    Secret,
)
from quandary.core.moves import Notation
from quandary.core.scene import Scene
from quandary.core.words import say_for
from quandary.puzzles._shared.bit_strings import (
    MOST_MAPPED_BITS,
    extended_runs,
    letter_size,
    marks_map,
    place_notation,
    places_of,
    turned_marks,
    turned_places,
    write_place,
    write_places,
    write_runs,
)
from quandary.puzzles._shared.bit_strings.cube_symmetry import random_turn
from quandary.puzzles._shared.bit_strings.hamming_distance import lowest

from . import solver
from .solver import EMPTY, OPEN, PARTICLE

MOST_DIMENSIONS = 20
MOST_DRAWN_BITS = 10  # of a map with a cell per place
FILLS = {PARTICLE: "green", EMPTY: "shade"}  # in a map


@dataclass(frozen=True)
class ExclusivityProbes(HiddenInformation, JudgedMoves, Objective, Game):
    dimension: Annotated[int, Doc("bits per place")]
    count: Annotated[int, Doc("how many particles are hidden")]
    distance: Annotated[int, Doc("bits in which any two of them differ at least")]
    particles: Secret[tuple[str, ...]]  # in ascending order
    known: Annotated[
        str, Doc("what is known of each place in ascending order, one letter per place")
    ]
    probes: Annotated[int, Doc("how many probes were made")] = 0
    last: Annotated[str, Doc("the place that was probed last, empty at the start")] = ""
    repeated: Annotated[bool, Doc("whether it had been probed before")] = False

    version = 2
    seats = 1
    better = "low"
    levels = {
        "easy": {"dimension": (5, 6), "particles": (2, 3), "distance": (2, 3)},
        "normal": {"dimension": (7, 10), "particles": (2, 5), "distance": (2, 5)},
        "hard": {"dimension": (11, 15), "particles": (2, 6), "distance": (2, 7)},
    }
    house = {"easy": "no_repeats", "normal": "greedy", "hard": "greedy"}
    distinct_instances = {
        "easy": InstanceCount(34, "turned and mirrored cubes count as one"),
        "normal": InstanceCount(2_000, "turned and mirrored cubes count as one", "at least"),
        "hard": InstanceCount(1_700, "turned and mirrored cubes count as one", "at least"),
    }

    @classmethod
    def new(
        cls,
        rng: Random,
        *,
        dimension: Annotated[Range, Between(1, MOST_DIMENSIONS)] = (5, 6),
        particles: Annotated[Range, Between(1)] = (2, 3),
        distance: Annotated[Range, Between(1)] = (2, 3),
    ) -> ExclusivityProbes:
        """Particles and distance are limited to half the dimension, where sets are plentiful."""
        bits = rng.randint(*dimension)
        count = rng.randint(particles[0], max(particles[0], min(particles[1], (bits + 1) // 2)))
        apart = rng.randint(distance[0], max(distance[0], min(distance[1], bits // 2)))
        hidden = solver.hidden_set(rng, count, apart, bits)
        return cls(bits, count, apart, write_places(hidden, bits), OPEN * (1 << bits))

    def options(self) -> Options:
        is_over = self._is_solved() or self.probes >= len(self.known)
        return {} if is_over else {0: places_of(self.dimension)}

    def after(self, seat: Seat, move: Move) -> ExclusivityProbes:
        place, known = int(move, 2), self.known
        repeated = known[place] != OPEN
        if not repeated:
            mark = PARTICLE if move in self.particles else EMPTY
            known = known[:place] + mark + known[place + 1 :]
        return changed(self, known=known, probes=self.probes + 1, last=move, repeated=repeated)

    def scores(self) -> tuple[float, ...]:
        """Nobody can need fewer probes than there are particles."""
        return (self.count / self.probes if self._is_solved() else 0.0,)

    def ending(self) -> Ending:
        return Ending("goal" if self._is_solved() else "limit")

    def values(self) -> tuple[float, ...] | None:
        return (float(self.probes),) if self._is_solved() else None

    def reference(self) -> float:
        return float(self.count)

    def notation(self) -> Notation:
        return place_notation(self.dimension)

    @classmethod
    def level_notation(cls, *, dimension: Range = (5, 6), **level: Any) -> Notation:
        return place_notation(dimension[1], shortest=dimension[0])

    def how(self, language: Language = "en") -> str:
        say = self.say(language)
        return say("Write the bits of the place you probe, such as `01101` if there are 5 of them.")

    def rules(self, language: Language = "en") -> str:
        say = self.say(language)
        return say.lines(
            say(
                "Particles are hidden in a space of places. A place is a string of bits, and every"
                " string with the given number of bits is a place. You are told the number of bits"
                " per place, the number of particles and their minimum distance: any two particles"
                " differ in at least that many bits. Apart from that, all sets of places are"
                " equally likely.\n"
                "In each turn you probe one place and are told whether a particle is there."
                " Particles never move. You may probe a place again, but that counts as a probe"
                " and tells you nothing new.\n"
                "The game ends when you have probed every particle; knowing where one must be is"
                " not enough. Use as few probes as you can: your score is the number of particles"
                " divided by the number of probes. You may make as many probes as there are"
                " places. If particles are still hidden after that, or if you name something that"
                " is not a place, you fail and your score is 0.\n"
                "For example, with 2 bits, 2 particles and distance 2, a particle at 00 leaves"
                " only 11 for the other one."
            ),
            self.how(language),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        known, last, sizes = self.known, self.last, (self.dimension, self.count, self.distance)
        progress = _progress(sizes, self.probes, known.count(PARTICLE), language)
        latest = int(last or "0", 2)
        places = _places(known, latest, language)[2]
        if not last:
            return f"{progress}\n{places}"
        return f"{progress}\n{_answer(last, known[latest], self.repeated, language)}\n{places}"

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """Return a map of the places; if they are too many, of groups with the number not
        probed.
        """
        say, is_whole = self.say(language), self.dimension <= MOST_DRAWN_BITS
        shown = self.dimension if is_whole else MOST_MAPPED_BITS
        found = " ".join(write_places(solver.found_places(self.known), self.dimension))
        drawn, size = marks_map(self.known, shown, OPEN, FILLS), letter_size(shown)
        width = max(drawn.width, 10)
        sizes = {"count": self.count, "distance": self.distance}
        group = {"places": 1 << self.dimension - shown, "bits": shown}
        return stack(
            captions(
                say("{count} {count:particle|particles}, minimum distance {distance}", **sizes),
                say("probes: {probes} of {most}", probes=self.probes, most=len(self.known)),
                say("last probe: {place}", place=self.last) if self.last else "",
                ""
                if is_whole
                else say(
                    "A cell stands for the {places} places that begin with the {bits} bits of its "
                    "row and its column; its number is that of places not probed.",
                    **group,
                ),
                size=size,
                width=width,
            ),
            drawn,
            captions(say("found: {places}", places=found) if found else "", size=size, width=width),
        )

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        say = self.say(language)
        if self.dimension <= MOST_DRAWN_BITS:
            empty = say("probed, and there is no particle")
        else:
            runs = _places(self.known, int(self.last or "0", 2), language)[1]
            empty = say("there is no particle at {places} (a-b: all from a to b)", places=runs)
        return {"green": say("there is a particle"), "shade": empty}

    def equivalent(self, rng: Random) -> ExclusivityProbes:
        """With bits permuted and flipped."""
        turn = random_turn(rng, self.dimension)
        hidden = tuple(sorted(turned_places(self.particles, turn)))
        [last] = turned_places([self.last], turn) if self.last else [""]
        return replace(self, particles=hidden, known=turned_marks(self.known, turn), last=last)

    def canonical(self) -> Hashable:
        sizes = (self.dimension, self.count, self.distance, self.probes)
        return *sizes, *solver.least_image(self.particles, self.known, self.dimension)

    def possible_position(self, rng: Random) -> ExclusivityProbes:
        particles = solver.random_set(rng, self.known, self.count, self.distance, self.dimension)
        return replace(self, particles=write_places(particles, self.dimension))

    def judge(self, seat: Seat) -> Mapping[Move, float] | None:
        """Known when one particle is left: any possible place is best, another one is wasted."""
        sizes = (self.count, self.distance, self.dimension)
        worth = solver.last_worths(self.known, *sizes, self.probes)
        return None if worth is None else dict(zip(places_of(self.dimension), worth, strict=True))

    def no_repeats(self, seat: Seat, rng: Random, budget: int) -> Move:
        """Any place that has not been probed yet."""
        places = [place for place, mark in enumerate(self.known) if mark == OPEN]
        return write_place(rng.choice(places), self.dimension)

    def elimination(self, seat: Seat, rng: Random, budget: int) -> Move:
        """Counts upwards, omitting places already probed or too near to a particle found."""
        places = solver.possible_places(self.known, self.distance, self.dimension)
        return write_place(lowest(places), self.dimension)

    def greedy(self, seat: Seat, rng: Random, budget: int) -> Move:
        """The place that leaves most room for the others: the likeliest if two are left."""
        return self._likeliest(budget, exact=False)

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """The likeliest place, by counting all sets that fit if the budget allows it."""
        return self._likeliest(budget, exact=True)

    strategies = {
        "no_repeats": no_repeats,
        "elimination": elimination,
        "greedy": greedy,
        "oracle": oracle,
    }
    strongest = "heuristic"

    def _likeliest(self, budget: int, exact: bool) -> Move:
        sizes = (self.count, self.distance, self.dimension)
        place = solver.likeliest(self.known, *sizes, budget, exact=exact)
        return write_place(place, self.dimension)

    def _is_solved(self) -> bool:
        return self.known.count(PARTICLE) == self.count


# The lines of `text` are cached, because few different ones are said again and again.
@lru_cache(maxsize=1 << 10)
def _progress(sizes: tuple[int, int, int], probes: int, found: int, language: Language) -> str:
    say, (bits, count, distance) = say_for(ExclusivityProbes, language), sizes
    return say(
        "Bits per place: {bits}. Particles: {count}. Minimum distance: {distance}.\n"
        "Probes made: {probes} of at most {most}. Particles found: {found}.",
        **{"bits": bits, "count": count, "distance": distance},
        **{"probes": probes, "most": 1 << bits, "found": found},
    )


@lru_cache(maxsize=1 << 10)
def _answer(place: Move, mark: str, is_repeated: bool, language: Language) -> str:
    """Return what the last probe found."""
    say = say_for(ExclusivityProbes, language)
    if mark == PARTICLE and is_repeated:
        return say("Your last probe, {place}: you had already found this particle.", place=place)
    if mark == PARTICLE:
        return say("Your last probe, {place}: there is a particle.", place=place)
    if is_repeated:
        return say(
            "Your last probe, {place}: there is no particle, and you had probed this place before.",
            place=place,
        )
    return say("Your last probe, {place}: there is no particle.", place=place)


def _places(known: str, latest: int, language: Language) -> list[str]:
    """Return the places with a particle, runs of those without one, and both in the lines of
    `text`.

    They are found quickly if they were asked for just before the latest probe.
    """
    kept = _kept_places(known, language)
    if not kept:
        before = known[:latest] + OPEN + known[latest + 1 :]
        kept_before = _kept_places(before, language)
        if not kept_before:
            found, empty = _found(known), write_runs(known, EMPTY)
        elif known[latest] == EMPTY:
            found, empty, _ = kept_before
            empty = extended_runs(empty, before, EMPTY, latest)
        else:
            found, empty = _found(known), kept_before[1]
        kept += found, empty, _places_lines(found, empty, language)
    return kept


@lru_cache(maxsize=64)  # a turn needs those of the turn before; they can be long
def _kept_places(known: str, language: Language) -> list[str]:
    """Return where `_places` keeps what it has written; empty before that."""
    return []


def _found(known: str) -> str:
    bits = len(known).bit_length() - 1
    return " ".join([write_place(place, bits) for place in solver.found_places(known)])


def _places_lines(found: str, empty: str, language: Language) -> str:
    none, before, between, after = _places_words(language)
    return f"{before}{found or none}{between}{empty or none}{after}"


@lru_cache(maxsize=2)  # putting words together takes longer than the rest of a turn
def _places_words(language: Language) -> tuple[str, str, str, str]:
    """Return what is said where there is none, and what stands around the two lists of places."""
    say, mark = say_for(ExclusivityProbes, language), "\0"
    before, between, after = say(
        "Places with a particle: {found}\n"
        "Places without one (a-b means all places from a to b in counting order): {empty}",
        found=mark,
        empty=mark,
    ).split(mark)
    return say("none known"), before, between, after
