"""Facts about exclusivity particles."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import combinations, product
from math import sqrt
from random import Random

import pytest

from quandary.core.contract import Ending, Strategy
from quandary.core.errors import Unreadable
from quandary.core.game import refusal
from quandary.puzzles.duels.exclusivity_particles import ExclusivityParticles

PUBLISHED = [
    (4, 1),
    (3, 1),
    (7, 3),
    (9, 3),
    (8, 1),
    (9, 1),
    (12, 6),
]  # PuzzlePlex, easy and normal seeds 1 to 5


def apart(one: str, other: str) -> int:
    return sum(a != b for a, b in zip(one, other, strict=True))


def places(dimension: int) -> list[str]:
    return ["".join(bits) for bits in product("01", repeat=dimension)]


def left(game: ExclusivityParticles) -> list[str]:
    """The places a particle may take, by trying each."""
    return [
        place
        for place in places(game.dimension)
        if all(apart(place, taken) >= game.distance for taken in game.particles)
    ]


def opposite(place: str) -> str:
    return "".join("10"[int(bit)] for bit in place)


@cache
def wins(particles: frozenset[str], dimension: int, distance: int) -> bool:
    """Whether the player to move wins: every line of play."""
    free = left(ExclusivityParticles(dimension, distance, tuple(particles)))
    return any(not wins(particles | {place}, dimension, distance) for place in free)


def at_random(game: ExclusivityParticles, seat: int, rng: Random, budget: int) -> str:
    return rng.choice(list(game.options()[seat] or ()))


def winner(
    game: ExclusivityParticles, players: tuple[Strategy, Strategy], rng: Random, budget: int
) -> int:
    while options := game.options():
        [seat] = options
        game = game.after(seat, players[seat](game, seat, rng, budget))
    return game.scores().index(1.0)


def won(
    ours: Strategy, theirs: Strategy, games: Iterable[ExclusivityParticles], budget: int
) -> list[float]:
    """Ours against theirs, both seats of every game: 1.0 where ours won."""
    rng, scores = Random(1), []
    for game in games:
        scores.append(float(winner(game, (ours, theirs), rng, budget) == 0))
        scores.append(float(winner(game, (theirs, ours), rng, budget) == 1))
    return scores


def test_the_papers_example_is_not_over() -> None:
    """With 3 bits and distance 2, after 000, 011 and 101 there is exactly one place left, and it
    leaves the first player none."""
    game = ExclusivityParticles(3, 2, ("000", "011", "101"))
    over = game.after(1, "110")

    assert {1: ["110"]} == {seat: list(moves or ()) for seat, moves in game.options().items()}
    assert ({}, (0.0, 1.0), Ending("no_move")) == (over.options(), over.scores(), over.ending())


def test_the_example_of_the_rules() -> None:
    """Particles at 000 and 011 leave 101 and 110."""
    assert ["101", "110"] == list(ExclusivityParticles(3, 2, ("000", "011")).options()[0] or ())


@pytest.mark.parametrize(
    ("dimension", "distance"), [(3, 2), (4, 2), (5, 3), (4, 1), (5, 5), (6, 3)]
)
def test_options_are_what_trying_every_place_finds(dimension: int, distance: int) -> None:
    """In ascending order, turn by turn, until none is left; whoever is then to move has lost."""
    rng, game = Random(dimension), ExclusivityParticles(dimension, distance)
    while options := game.options():
        [(seat, moves)] = options.items()

        assert (len(game.particles) % 2, left(game)) == (seat, list(moves or ()))
        assert game == ExclusivityParticles(dimension, distance, game.particles)
        assert options == ExclusivityParticles(dimension, distance, game.particles).options()
        game = game.after(seat, rng.choice(list(moves or ())))
    assert not left(game)
    assert ((0.0, 1.0) if len(game.particles) % 2 == 0 else (1.0, 0.0)) == game.scores()


@pytest.mark.parametrize(("dimension", "distance"), PUBLISHED)
def test_the_oracle_wins_the_second_seat_by_opposite_places(dimension: int, distance: int) -> None:
    """Whatever comes, its answer is the opposite place or as good: it never loses, even without
    looking at positions."""
    game, rng = ExclusivityParticles(dimension, distance), Random(3)

    assert opposite("0" * dimension) == game.after(0, "0" * dimension).oracle(1, rng, 1)
    assert [1] * 3 == [
        winner(game, (at_random, ExclusivityParticles.oracle), rng, 1) for _ in range(3)
    ]


@pytest.mark.parametrize(
    ("dimension", "distance"), [(2, 1), (3, 1), (3, 2), (3, 3), (4, 2), (4, 3), (5, 3), (6, 4)]
)
def test_the_first_player_loses_whatever_two_particles_come_first(
    dimension: int, distance: int
) -> None:
    """By every line of play: an empty cube, and a cube with any two particles, is lost; any reply
    to the first particle wins."""
    game = ExclusivityParticles(dimension, distance)
    reply = game.after(0, "0" * dimension)

    assert not wins(frozenset(), dimension, distance)
    assert all(
        not wins(frozenset(pair), dimension, distance)
        for pair in combinations(places(dimension), 2)
        if apart(*pair) >= distance
    )
    assert dict.fromkeys(places(dimension), 0.0) == game.judge(0)
    assert dict.fromkeys(left(reply), 1.0) == reply.judge(1)


@pytest.mark.parametrize(("dimension", "distance"), [(3, 1), (3, 2), (4, 2), (5, 3), (5, 2)])
def test_judge_agrees_with_every_line_of_play(dimension: int, distance: int) -> None:
    """Along random games, given particles or not, each place is worth what plain search says, and
    the oracle takes a best one."""
    for seed in range(6):
        rng, given = Random(seed), seed % 3 + (4 if (dimension, distance) == (5, 2) else 0)
        sizes = {
            "dimension": (dimension, dimension),
            "distance": (distance, distance),
            "given": (given, given),
        }
        game = ExclusivityParticles.new(rng, **sizes)
        while options := game.options():
            [(seat, moves)] = options.items()
            worth = {
                move: float(not wins(frozenset({*game.particles, move}), dimension, distance))
                for move in moves or ()
            }

            assert worth == game.judge(seat)
            assert max(worth.values()) == worth[game.oracle(seat, rng, 2_000)]
            assert game.judge(1 - seat) is None
            game = game.after(seat, rng.choice(list(moves or ())))


def test_the_oracle_sets_traps() -> None:
    """In a lost position it leaves as large a share of losing replies as any place does."""
    trapped = 0
    for seed in range(40):
        rng, game = Random(seed), ExclusivityParticles(4, 2)
        for _ in range(2):
            game = game.after(0, rng.choice(left(game)))
        shares = {}
        for place in left(game):
            after = frozenset({*game.particles, place})
            replies = left(ExclusivityParticles(4, 2, tuple(after)))
            shares[place] = sum(wins(after | {reply}, 4, 2) for reply in replies) / len(replies)
        trapped += len(set(shares.values())) > 1

        assert max(shares.values()) == shares[game.oracle(0, rng, 10_000)]
    assert trapped > 5


def test_baselines_know_what_they_promise() -> None:
    """Greedy takes a win, else anything; cautious too, and gives none away where it can."""
    chances, wins_missed, far_from_least = 0, 0, 0
    for seed in range(40):
        rng, game = Random(seed), ExclusivityParticles(4 + seed % 2, 2)
        for _ in range(rng.randint(2, 4) * (1 + seed % 2)):
            if left(game):
                game = game.after(0, rng.choice(left(game)))
        rests = {place: left(game.after(0, place)) for place in left(game)}
        if not rests:
            continue
        loses = {
            place: any(not left(game.after(0, place).after(0, reply)) for reply in rest)
            for place, rest in rests.items()
            if rest
        }
        [seat] = game.options()
        greedy, cautious = game.greedy(seat, rng, 1_000), game.cautious(seat, rng, 1_000)
        chances += 0 < sum(loses.values()) < len(rests)

        wins_missed += bool(rests[greedy]) and not all(rests.values())
        far_from_least += len(rests[greedy]) > min(map(len, rests.values()))
        assert not rests[cautious] or (
            all(rests.values()) and (not loses[cautious] or all(loses.values()))
        )
    assert chances > 5 and not wins_missed and far_from_least > 5


@pytest.mark.parametrize("distance", [1, 3])
def test_where_play_does_not_matter(distance: int) -> None:
    """Every game at distance 1, and every game at distance 3 in 6 dimensions, has an even number
    of turns."""
    for seed in range(20):
        assert 1 == winner(
            ExclusivityParticles(6, distance), (at_random, at_random), Random(seed), 1
        )


def test_three_particles_are_answered_by_a_fourth_that_pairs_them() -> None:
    """With three particles given the player to move wins, by the place that makes two equal
    pairs."""
    rng = Random(5)
    for _ in range(20):
        game = ExclusivityParticles.new(rng, dimension=(9, 9), distance=(3, 3), given=(3, 3))
        one, two, three = (int(place, 2) for place in game.particles)
        move = game.oracle(0, rng, 1)

        assert f"{one ^ two ^ three:09b}" == move
        assert [0] * 2 == [
            winner(game, (ExclusivityParticles.oracle, other), rng, 50)
            for other in (at_random, ExclusivityParticles.cautious)
        ]


def test_instances_keep_their_promises() -> None:
    """Sizes lie within the level; given particles keep the distance, leave a place, and the first
    player begins."""
    for level, sizes in ExclusivityParticles.levels.items():
        for seed in range(60):
            game = ExclusivityParticles.new(Random(f"{level}{seed}"), **sizes)
            low, high = sizes.get("given", (0, 0))

            assert sizes["dimension"][0] <= game.dimension <= sizes["dimension"][1]
            assert sizes["distance"][0] <= game.distance <= sizes["distance"][1]
            assert game.dimension <= 3 * game.distance and 2 * game.distance <= game.dimension
            assert low <= len(game.particles) == game.given <= high
            assert all(apart(*pair) >= game.distance for pair in combinations(game.particles, 2))
            assert [0] == list(game.options())


def test_sizes_that_are_asked_for_are_kept() -> None:
    """A range of one distance is that distance, however near or far."""
    sizes = [
        (dimension, distance) for dimension in range(1, 9) for distance in range(1, dimension + 1)
    ]

    for dimension, distance in sizes:
        game = ExclusivityParticles.new(
            Random(0), dimension=(dimension, dimension), distance=(distance, distance)
        )
        assert (dimension, distance) == (game.dimension, game.distance)


@pytest.mark.parametrize(
    ("sizes", "sentence"),
    [
        ({"dimension": (0, 0), "distance": (1, 1)}, "dimension=0 is out of bounds"),
        ({"dimension": (17, 17)}, "dimension=17 is out of bounds"),
        ({"dimension": (3, 3), "distance": (4, 4)}, "places of 3 bits cannot differ in 4 bits"),
        ({"distance": (0, 0)}, "distance=0 is out of bounds"),
        ({"given": (-1, -1)}, "given=-1 is out of bounds"),
        (
            {"dimension": (4, 4), "distance": (3, 3), "given": (2, 2)},
            "2 particles .* leave no place",
        ),
        (
            {"dimension": (3, 3), "distance": (1, 1), "given": (8, 8)},
            "8 particles .* leave no place",
        ),
    ],
)
def test_impossible_sizes_are_refused(sizes: dict[str, tuple[int, int]], sentence: str) -> None:
    """What cannot be made raises with a sentence."""
    with pytest.raises(ValueError, match=sentence):
        ExclusivityParticles.new(Random(0), **sizes)


def test_large_cubes_stay_quick_and_lazy() -> None:
    """Sixteen bits have 65536 options that are never written out; all strategies play on them."""
    game = ExclusivityParticles.new(Random(0), dimension=(16, 16), distance=(6, 6), given=(2, 2))
    moves = game.options()[0]

    assert moves is not None and 0 < len(moves) < 2**16
    for strategy in ExclusivityParticles.strategies.values():
        assert strategy(game, 0, Random(0), 30) in moves


def test_text_shows_the_whole_position() -> None:
    """Bits, distance, the last particle and who placed it, and all particles in order; given ones
    have no owner."""
    game = ExclusivityParticles(4, 2, ("0000", "1100"), 2)
    after = game.after(0, "1010")

    position = "Bits per place: 4. Minimum distance: 2.\nParticles (3): 0000 1100 1010"

    assert "Bits per place: 4. Minimum distance: 2.\nParticles (2): 0000 1100" == game.text(0)
    assert f"You placed a particle at 1010.\n{position}" == after.text(0)
    assert f"Your opponent placed a particle at 1010.\n{position}" == after.text(1)


def test_turned_cubes_are_the_same() -> None:
    """Flipping and swapping bits changes no distance, so the instance counts as the same; another
    distance does not."""
    game = ExclusivityParticles(4, 2, ("0000", "1100", "1111"), 3)
    turned = ExclusivityParticles(4, 2, ("1000", "1011", "0111"), 3)
    other = ExclusivityParticles(4, 2, ("0000", "1100", "0110"), 3)

    assert game.canonical() == turned.canonical() != other.canonical()


@pytest.mark.parametrize(
    "said",
    ["01101", " 01101 ", "0 1 1 0 1", "0,1,1,0,1", "[0, 1, 1, 0, 1]",
     "particle = [0,1,1,0,1]", "particle = 01101", "(0, 1, 1, 0, 1)", "'01101'",
     "['0', '1', '1', '0', '1']"],
)  # fmt: skip
def test_places_are_read(said: str) -> None:
    """Bits in a row, in a list or apart."""
    assert "01101" == ExclusivityParticles(5, 2).read(0, said)


@pytest.mark.parametrize(
    "said",
    [
        "",
        "place 01101 or 01100",
        "01201",
        "[0, 1, 2]",
        "[0.0, 1.0]",
        "[True, False]",
        "٠١",
        "0" * 5_000,
        "[" * 5_000,
        "-1",
        "[]",
    ],
)
def test_other_words_are_unreadable(said: str) -> None:
    """What is not one row of bits is refused with an example."""
    game = ExclusivityParticles(5, 2)
    with pytest.raises(Unreadable) as refused:
        game.read(0, said)
    assert "such as `01101` if there are 5" in refusal(game, refused.value)


def test_a_place_of_another_length_is_readable_but_no_option() -> None:
    """Length and distance are a matter of the rules."""
    game = ExclusivityParticles(3, 2, ("000",))

    assert ("01", "001") == (game.read(1, "01"), game.read(1, "001"))
    assert not {"01", "001", "000"} & set(game.options()[1] or ())


def interval(scores: list[float]) -> tuple[float, float]:
    """A 95 % interval of a share, after Wilson."""
    n, share = len(scores), sum(scores) / len(scores)
    middle, spread = share + 1.92 / n, 1.96 * sqrt(share * (1 - share) / n + 0.96 / n**2)
    return (middle - spread) / (1 + 3.84 / n), (middle + spread) / (1 + 3.84 / n)


@pytest.mark.heavy
@pytest.mark.parametrize(("level", "matches"), [("normal", 1_200), ("hard", 400)])
def test_the_house_is_stronger_than_luck(level: str, matches: int) -> None:
    """With swapped seats, its share of wins is above a half beyond chance."""
    game, seeds = ExclusivityParticles, range(matches // 2)
    games = [game.new(Random(f"{level}{seed}"), **game.levels[level]) for seed in seeds]

    assert interval(won(game.strategies[game.house[level]], at_random, games, 200))[0] > 0.5


@pytest.mark.heavy
@pytest.mark.parametrize("level", list(ExclusivityParticles.levels))
@pytest.mark.parametrize("other", ["random", "greedy", "cautious"])
def test_the_oracle_is_the_strongest(level: str, other: str) -> None:
    """Over 100 matches with swapped seats it wins more than half beyond chance, and from the
    second seat of an empty cube all."""
    game = ExclusivityParticles
    games = [game.new(Random(f"{level}{seed}"), **game.levels[level]) for seed in range(50)]
    scores = won(game.oracle, game.strategies.get(other, at_random), games, 500)

    assert interval(scores)[0] > 0.5
    if level != "hard":
        assert [1.0] * 50 == scores[1::2]
