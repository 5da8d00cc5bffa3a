"""Facts about exclusivity probes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, groupby
from random import Random

import pytest

from quandary.core.contract import Ending
from quandary.core.errors import Unreadable
from quandary.core.game import refusal
from quandary.puzzles.solo.exclusivity_probes import ExclusivityProbes

PUBLISHED = [
    (2, ("0111100", "1111101")),
    (1, ("101000", "101100")),
    (2, ("1001001", "1001100")),
]  # PuzzlePlex, easy seeds 1 to 3


def hidden(particles: Iterable[str], distance: int) -> ExclusivityProbes:
    places = tuple(sorted(particles))
    return ExclusivityProbes(
        len(places[0]), len(places), distance, places, "?" * 2 ** len(places[0])
    )


def after(game: ExclusivityProbes, *probes: str) -> ExclusivityProbes:
    for place in probes:
        game = game.play(0, place)
    return game


def apart(one: str, other: str) -> int:
    return sum(a != b for a, b in zip(one, other, strict=True))


def all_sets(dimension: int, count: int, distance: int) -> list[tuple[str, ...]]:
    places = [f"{place:0{dimension}b}" for place in range(2**dimension)]
    return [
        chosen
        for chosen in combinations(places, count)
        if all(apart(*pair) >= distance for pair in combinations(chosen, 2))
    ]


def fitting(game: ExclusivityProbes, probes: Iterable[str]) -> list[tuple[str, ...]]:
    """All sets that would have given the same answers to `probes`."""
    truth, probed = set(game.particles), set(probes)
    sets = all_sets(game.dimension, game.count, game.distance)
    return [chosen for chosen in sets if set(chosen) & probed == truth & probed]


@pytest.mark.parametrize(("distance", "particles"), PUBLISHED)
def test_published_instances(distance: int, particles: tuple[str, str]) -> None:
    """Straight to both particles: two probes, which nobody can beat; one miss more costs a third
    of the score."""
    game = hidden(particles, distance)
    straight, detour = after(game, *particles), after(game, "0" * game.dimension, *particles)

    assert apart(*particles) >= distance
    assert (straight.scores(), straight.values(), straight.ending()) == (
        (1.0,),
        (2.0,),
        Ending("goal"),
    )
    assert (detour.scores(), detour.values(), detour.reference()) == ((2 / 3,), (3.0,), 2.0)
    assert not detour.options()


def test_two_bits() -> None:
    """At distance 2 a particle at 00 leaves only 11 for the other; at distance 1 it leaves three
    places."""
    far, near = after(hidden(("00", "11"), 2), "00"), after(hidden(("00", "11"), 1), "00")

    assert {far.seen_by(0).possible_position(Random(seed)).particles for seed in range(20)} == {
        ("00", "11")
    }
    assert {near.seen_by(0).possible_position(Random(seed)).particles for seed in range(60)} == {
        ("00", "01"),
        ("00", "10"),
        ("00", "11"),
    }
    assert far.seen_by(0).elimination(0, Random(0), 1) == "11"
    assert near.seen_by(0).elimination(0, Random(0), 1) == "01"


def test_a_miss_rules_out_partners() -> None:
    """At distance 2 of two bits a miss at 00 leaves nothing at 11 either, and the oracle knows."""
    view = after(hidden(("01", "10"), 2), "00").seen_by(0)

    assert {view.possible_position(Random(seed)).particles for seed in range(20)} == {("01", "10")}
    assert view.oracle(0, Random(0), 1_000) in ("01", "10")


def test_answers_are_told_apart() -> None:
    """Found, already found, empty, and empty again have four answers; every repeat counts as a
    probe."""
    game = hidden(("000", "111"), 3)
    told = [
        after(game, *probes).seen_by(0).text(0).splitlines()[2]
        for probes in (["000"], ["000", "000"], ["010"], ["010", "010"])
    ]

    assert told == [
        "Your last probe, 000: there is a particle.",
        "Your last probe, 000: you had already found this particle.",
        "Your last probe, 010: there is no particle.",
        "Your last probe, 010: there is no particle, and you had probed this place before.",
    ]
    assert after(game, "000", "000", "010", "010").probes == 4


def test_text_shows_the_whole_position() -> None:
    """Sizes, counts and everything probed can be read without any history."""
    text = after(hidden(("000", "111"), 3), "010", "111", "100").seen_by(0).text(0)

    assert "Bits per place: 3. Particles: 2. Minimum distance: 3." in text
    assert "Probes made: 3 of at most 8. Particles found: 1." in text
    assert "Places with a particle: 111" in text
    assert text.endswith("in counting order): 010 100")


def test_neighbours_without_a_particle_are_told_together() -> None:
    """A run of empty places is written by its ends, so that long games stay readable."""
    text = after(hidden(("000", "111"), 3), "110", "001", "011", "010").seen_by(0).text(0)

    assert text.endswith("in counting order): 001-011 110")


def test_there_are_as_many_probes_as_places() -> None:
    """The last allowed probe may still win; without it the game is lost and has no value."""
    game = after(hidden(("00", "11"), 2), "01", "01", "00")
    lost, won = game.play(0, "01"), game.play(0, "11")

    assert game.options()
    assert (lost.options(), lost.scores(), lost.values(), lost.ending()) == (
        {},
        (0.0,),
        None,
        Ending("limit"),
    )
    assert (won.options(), won.scores(), won.values(), won.ending()) == (
        {},
        (0.5,),
        (4.0,),
        Ending("goal"),
    )


def test_options_are_all_places() -> None:
    """Fifteen bits have 32768 options that are never written out."""
    places = ExclusivityProbes.new(Random(1), dimension=(15, 15)).options()[0]

    assert places is not None
    assert len(places) == 2**15
    assert "0" * 15 in places and "1" * 15 in places
    assert places == ExclusivityProbes.new(Random(2), dimension=(15, 15)).options()[0]
    assert list(hidden(("00", "11"), 2).options()[0] or ()) == ["00", "01", "10", "11"]


def test_instances_keep_their_promises() -> None:
    """Sizes lie within the level, and any two particles are far enough apart."""
    for level, sizes in ExclusivityProbes.levels.items():
        for seed in range(40):
            game = ExclusivityProbes.new(Random(f"{level}{seed}"), **sizes)

            assert sizes["dimension"][0] <= game.dimension <= sizes["dimension"][1]
            assert (
                sizes["particles"][0] <= game.count == len(game.particles) <= sizes["particles"][1]
            )
            assert 2 <= game.distance <= game.dimension // 2
            assert all(apart(*pair) >= game.distance for pair in combinations(game.particles, 2))


@pytest.mark.parametrize(
    ("dimension", "count", "distance"), [(3, 2, 2), (4, 3, 2), (4, 2, 3), (3, 3, 1)]
)
def test_all_sets_are_equally_likely(dimension: int, count: int, distance: int) -> None:
    """Drawn often, every set that keeps the distance comes up about as often as every other."""
    sets, rng = all_sets(dimension, count, distance), Random(8)
    each = 200
    sizes = {
        "dimension": (dimension, dimension),
        "particles": (count, count),
        "distance": (distance, distance),
    }
    drawn = Counter(ExclusivityProbes.new(rng, **sizes).particles for _ in range(each * len(sets)))

    assert set(drawn) == set(sets)
    assert (
        sum((drawn[chosen] - each) ** 2 / each for chosen in sets)
        < len(sets) + 4 * (2 * len(sets)) ** 0.5
    )


@pytest.mark.parametrize(
    ("dimension", "count", "distance", "probed"),
    [(4, 2, 2, 5), (4, 3, 2, 4), (4, 2, 3, 9), (3, 3, 2, 2), (4, 4, 2, 6)],
)
def test_worlds_follow_the_answers(dimension: int, count: int, distance: int, probed: int) -> None:
    """Worlds are drawn evenly from the sets that would have answered alike, whatever was found."""
    for seed in range(4):
        rng = Random(seed)
        sizes = {
            "dimension": (dimension, dimension),
            "particles": (count, count),
            "distance": (distance, distance),
        }
        game = ExclusivityProbes.new(rng, **sizes)
        probes = rng.sample(list(game.options()[0] or ()), probed)
        position = after(game, *probes)
        sets = fitting(game, probes)
        each = max(60, 2_000 // len(sets))
        drawn = Counter(
            position.seen_by(0).possible_position(rng).particles for _ in range(each * len(sets))
        )

        assert set(drawn) == set(sets)
        assert (
            sum((drawn[chosen] - each) ** 2 / each for chosen in sets)
            < len(sets) + 4 * (2 * len(sets)) ** 0.5
        )


def test_the_oracle_probes_the_likeliest_place() -> None:
    """Its choice has the highest share of fitting sets, counted one by one; greedy's has, where
    two particles are left."""
    sure = 0
    for seed in range(60):
        rng = Random(seed)
        count = 2 + seed % 3
        game = ExclusivityProbes.new(
            rng, dimension=(4, 4), particles=(count, count), distance=(2, 2)
        )
        probes = rng.sample(list(game.options()[0] or ()), rng.randrange(8))
        position = after(game, *probes)
        if not position.options():
            continue
        shares = Counter(
            place for chosen in fitting(game, probes) for place in set(chosen) - set(probes)
        )
        likeliest = [place for place in shares if shares[place] == max(shares.values())]
        sure += len(likeliest) < len(shares)

        assert position.seen_by(0).oracle(0, rng, 100_000) in likeliest
        if game.count - position.known.count("#") == 2:
            assert position.seen_by(0).greedy(0, rng, 100_000) in likeliest
    assert sure > 10


def test_judge_knows_the_endgame() -> None:
    """With one particle left the worth of every probe is that of best play, tried out in full."""
    position = after(hidden(("000", "011"), 2), "100", "000", "000", "110", "110")
    open_places = frozenset(
        place
        for chosen in fitting(position, ("100", "000", "110"))
        for place in chosen
        if place != "000"
    )

    def best(left: frozenset[str], probes: int) -> Fraction:
        """The expected score of best play, by trying every probe; a place outside `left` is a lost
        probe."""
        if not left or probes >= 8:
            return Fraction(0)
        return max(worth(left, place, probes) for place in [*left, "elsewhere"])

    def worth(left: frozenset[str], place: str, probes: int) -> Fraction:
        if place not in left:
            return best(left, probes + 1)
        return (Fraction(2, probes + 1) + (len(left) - 1) * best(left - {place}, probes + 1)) / len(
            left
        )

    judged = position.seen_by(0).judge(0) or {}

    assert open_places == {"011", "101", "111"}
    assert len(judged) == 8
    assert all(abs(judged[place] - float(worth(open_places, place, 5))) < 1e-12 for place in judged)
    assert judged["011"] > judged["000"]
    assert hidden(("000", "011"), 2).seen_by(0).judge(0) is None


def test_crowded_sets_are_still_imagined() -> None:
    """Of sixteen places of seven bits at distance 3 there are few sets, but a world is always
    found."""
    code = list[str]()
    for place in (f"{number:07b}" for number in range(128)):
        if all(apart(place, other) >= 3 for other in code):
            code.append(place)
    position = after(hidden(code, 3), *code[:9], "0000001")
    world = position.seen_by(0).possible_position(Random(0))

    assert len(code) == len(set(world.particles)) == 16
    assert set(code[:9]) < set(world.particles)
    assert all(apart(*pair) >= 3 for pair in combinations(world.particles, 2))


def test_eliminating_beats_guessing() -> None:
    """Leaving out what cannot be never fails; it takes fewer probes than open places in random
    order do."""
    probes = {"elimination": 0, "greedy": 0, "any order": 0}
    for name in probes:
        for seed in range(60):
            game, rng = (
                ExclusivityProbes.new(
                    Random(seed), dimension=(7, 7), particles=(4, 4), distance=(4, 4)
                ),
                Random(seed),
            )
            order = rng.sample(list(game.options()[0] or ()), 128)
            while game.options():
                view = game.seen_by(0)
                strategy = ExclusivityProbes.strategies.get(name)
                place = strategy(view, 0, rng, 1_000) if strategy else order.pop()
                if strategy or all(
                    apart(place, found) >= 4
                    for found in game.particles
                    if game.known[int(found, 2)] == "#"
                ):
                    game = game.play(0, place)
            assert game.ending() == Ending("goal")
            probes[name] += game.probes

    assert probes["greedy"] < probes["elimination"] < probes["any order"]


@pytest.mark.parametrize(
    "said",
    ["01101", " 01101 ", "0 1 1 0 1", "0,1,1,0,1", "[0, 1, 1, 0, 1]",
     "position = [0,1,1,0,1]", "position = 01101", "(0, 1, 1, 0, 1)", "'01101'",
     "['0', '1', '1', '0', '1']"],
)  # fmt: skip
def test_places_are_read(said: str) -> None:
    """Bits in a row, in a list or apart."""
    assert hidden(("00000", "11111"), 2).read(0, said) == "01101"


@pytest.mark.parametrize(
    "said",
    [
        "",
        "probe 01101 or 01100",
        "01201",
        "[0, 1, 2]",
        "0.0",
        "true",
        "٠١",
        "0" * 5_000,
        "[" * 5_000,
        "-1",
        "[]",
    ],
)
def test_other_words_are_unreadable(said: str) -> None:
    """What is not one row of bits is refused with an example."""
    game = hidden(("00000", "11111"), 2)
    with pytest.raises(Unreadable) as refused:
        game.read(0, said)
    assert "such as `01101` if there are 5" in refusal(game, refused.value)


def test_a_place_of_another_length_is_readable_but_no_option() -> None:
    """Length is a matter of the rules."""
    game = hidden(("00000", "11111"), 2)

    assert game.read(0, "011") == "011"
    assert "011" not in (game.options()[0] or ())


@pytest.mark.parametrize(
    ("sizes", "sentence"),
    [
        ({"dimension": (0, 0)}, "dimension=0 is out of bounds"),
        ({"dimension": (21, 21)}, "dimension=21 is out of bounds"),
        ({"dimension": (3, 3), "distance": (4, 4)}, "places of 3 bits cannot differ in 4 bits"),
        ({"particles": (0, 0)}, "particles=0 is out of bounds"),
        ({"particles": (33, 33)}, "33 particles are too many"),
        (
            {"dimension": (3, 3), "particles": (3, 3), "distance": (3, 3)},
            "3 places of 3 bits at distance 3 are impossible or too rare",
        ),
    ],
)
def test_impossible_sizes_are_refused(sizes: dict[str, tuple[int, int]], sentence: str) -> None:
    """What cannot be made raises with a sentence."""
    with pytest.raises(ValueError, match=sentence):
        ExclusivityProbes.new(Random(0), **sizes)


def test_other_sizes_stay_correct() -> None:
    """Complements at full distance, one lonely particle, no distance to speak of, and twenty
    bits."""
    pair = ExclusivityProbes.new(Random(0), dimension=(9, 9), particles=(2, 2), distance=(9, 9))
    one = ExclusivityProbes.new(Random(0), dimension=(1, 1), particles=(1, 1), distance=(1, 1))
    full = ExclusivityProbes.new(Random(0), dimension=(2, 2), particles=(4, 4), distance=(1, 1))
    large = ExclusivityProbes.new(Random(0), dimension=(20, 20), particles=(5, 5), distance=(8, 8))

    assert apart(*pair.particles) == 9
    assert one.particles in (("0",), ("1",))
    assert full.particles == ("00", "01", "10", "11")
    assert all(apart(*two) >= 8 for two in combinations(large.particles, 2))
    assert large.seen_by(0).possible_position(Random(1)) != replace(
        large.seen_by(0), particles=large.particles
    )


def test_places_are_told_rightly_whatever_was_asked_before() -> None:
    """Each turn builds on the words of the turn before, if somebody asked for them; a repeated
    probe and a turn out of order tell the same."""

    def told(marks: str) -> str:
        runs = [
            list(run) for mark, run in groupby(range(len(marks)), marks.__getitem__) if mark == "."
        ]
        names = [[f"{place:0{bits}b}" for place in (run[0], run[-1])] for run in runs]
        return " ".join(one if one == other else f"{one}-{other}" for one, other in names)

    for seed in range(20):
        rng = Random(seed)
        position = ExclusivityProbes.new(rng)
        positions, bits = [position], position.dimension
        while position.options():
            position = position.after(0, rng.choice(position.legal()))
            positions.append(position)
        later = rng.sample(positions, len(positions) // 2)
        for position in (*(asked for asked in positions if rng.random() < 0.9), *later):
            found = [
                f"{place:0{bits}b}" for place, mark in enumerate(position.known) if mark == "#"
            ]
            with_one, without = position.text(0).splitlines()[-2:]

            assert with_one == f"Places with a particle: {' '.join(found) or 'none known'}"
            assert without.partition("): ")[2] == (told(position.known) or "none known")
