"""Max target: known positions, what can be known and reached against plain enumeration, and how
strong the strategies are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import reduce
from itertools import permutations, product
from math import isclose, sqrt
from random import Random
from statistics import fmean, stdev

import pytest

from quandary.core.errors import Unreadable
from quandary.core.game import refusal
from quandary.core.mixins.turns import after_foul
from quandary.puzzles._shared.coin_bags.solver.search import solo_values
from quandary.puzzles.solo.max_target import MaxTarget

Bags = tuple[tuple[int, ...], ...]


def _after(bags: Bags, draws: int, *chosen: int) -> MaxTarget:
    """The position after drawing from these bags, one after the other."""
    return reduce(
        lambda position, bag: position.play(0, str(bag)), chosen, MaxTarget.of(bags, draws)
    )


def _worlds(bags: Bags) -> Iterator[Bags]:
    """Every way the bags may be numbered and their coins ordered, each as likely as any other."""
    for numbered in permutations(bags):
        yield from product(*(permutations(bag) for bag in numbered))


def _consistent(position: MaxTarget) -> list[Bags]:
    """All worlds in which the same draws would have shown the same."""
    found = []
    for world in _worlds(position.shown):
        drawn = {
            number: tuple(draw.coin for draw in position.log if draw.bag == number)
            for number in range(len(world))
        }
        same_coins = all(
            bag[: len(drawn[number])] == drawn[number] for number, bag in enumerate(world)
        )
        if same_coins and position.empty == tuple(
            bag == drawn[number] for number, bag in enumerate(world)
        ):
            found.append(world)
    return found


def _largest(bags: Bags, draws: int) -> int:
    """The largest total of so many draws, by trying how many to make from each bag."""
    splits = product(*(range(len(bag) + 1) for bag in bags))
    return max(
        sum(sum(bag[:n]) for bag, n in zip(bags, split, strict=True))
        for split in splits
        if sum(split) == draws
    )


def _gains(
    worlds: Sequence[tuple[Bags, Fraction]], taken: tuple[int, ...], left: int
) -> dict[int, Fraction]:
    """The sum over weighted worlds of what is drawn from now on, by the first bag, by plain
    search."""
    gains = {}
    for bag, count in enumerate(taken):
        if count == len(worlds[0][0][bag]):
            continue
        seen: dict[tuple[int, bool], list[tuple[Bags, Fraction]]] = {}
        for world in worlds:
            seen.setdefault((world[0][bag][count], count + 1 == len(world[0][bag])), []).append(
                world
            )
        later = tuple(n + (number == bag) for number, n in enumerate(taken))
        gains[bag] = sum(
            (coin * sum(weight for _, weight in part) for (coin, _), part in seen.items()),
            Fraction(0),
        )
        if left > 1:
            gains[bag] += sum(max(_gains(part, later, left - 1).values()) for part in seen.values())
    return gains


def _somewhere(rng: Random, most: int = 4) -> MaxTarget:
    """A position with up to so many draws left, from small bags with many coins alike."""
    start = MaxTarget.new(
        rng, bags=(2, 3), length=(1, 3), coin=(1, rng.choice([3, 9])), share=(40, 100)
    )
    position = start
    while len(position.log) < start.draws - rng.randint(1, most):
        position = position.play(0, rng.choice(list(position.options()[0] or ())))
    return position


def _taken(position: MaxTarget) -> tuple[int, ...]:
    return tuple(
        sum(draw.bag == number for draw in position.log) for number in range(len(position.empty))
    )


def _played(start: MaxTarget, name: str, luck: str, budget: int = 1_000) -> MaxTarget:
    position, rng = start, Random(luck)
    while options := position.options():
        moves = list(options[0] or ())
        strategy = MaxTarget.strategies.get(name)
        position = position.play(
            0, strategy(position.seen_by(0), 0, rng, budget) if strategy else rng.choice(moves)
        )
    return position


def test_a_coin_tells_which_bag_it_is() -> None:
    """PuzzlePlex's example: of bags [1, 2] and [3, 4], a 4 out of bag 0 means that a 3 is left
    there, so it is drawn again."""
    position = _after(((4, 3), (2, 1)), 2, 0)
    view = position.seen_by(0)

    assert {((4, 3), (1, 2)), ((4, 3), (2, 1))} == {
        view.possible_position(Random(seed)).bags for seed in range(50)
    }
    assert {"0"} == {
        strategy(view, 0, Random(0), 100) for strategy in MaxTarget.strategies.values()
    }

    end = position.play(0, "0")

    assert {} == end.options()
    assert ((7.0,), (1.0,), 7.0) == (end.values(), end.scores(), end.reference())


def test_bags_are_not_in_the_order_shown() -> None:
    """PuzzlePlex's other example: told of [1, 2] and [2, 3], bag 0 may be either; a 3 out of it
    settles that, a 2 does not."""
    settled, open_question = _after(((3, 2), (1, 2)), 3, 0), _after(((2, 3), (1, 2)), 3, 0)

    assert ((1, 2), (2, 3)) == settled.shown == open_question.shown
    assert {(2, 3)} == {
        tuple(sorted(settled.seen_by(0).possible_position(Random(seed)).bags[0]))
        for seed in range(50)
    }
    assert {(1, 2), (2, 3)} == {
        tuple(sorted(open_question.seen_by(0).possible_position(Random(seed)).bags[0]))
        for seed in range(50)
    }


def test_two_coins_rule_out_what_one_model_believed() -> None:
    """PuzzlePlex, figure 33: a 2 and a 3 out of bag 0 leave a 3 there for certain, and not two
    4s."""
    position = _after(((2, 3, 3), (4, 4, 4, 2), (1, 4, 3, 1), (3, 1)), 6, 0, 0)
    belief = position.seen_by(0)._belief()

    assert {(2, 3, 3)} == {
        position.seen_by(0).possible_position(Random(seed)).bags[0] for seed in range(50)
    }
    assert belief.known(0) and not belief.known(1)
    assert isclose(3.0, belief.means()[0])


def test_a_poor_first_coin() -> None:
    """PuzzlePlex, figure 33: a 1 out of bag 0 is four times as likely from [1, 1] as from [4, 2,
    2, 1]: other bags are better."""
    view = _after(((1, 4, 2, 2), (4, 3, 3, 4), (3, 3, 2), (1, 1)), 8, 0).seen_by(0)
    others = Fraction(4, 5) * (Fraction(7, 2) + Fraction(9, 4) + Fraction(8, 3)) / 3
    others += Fraction(1, 5) * (Fraction(7, 2) + Fraction(8, 3) + 1) / 3
    means = view._belief().means()

    assert isclose(Fraction(4, 5) * 1 + Fraction(1, 5) * Fraction(8, 3), means[0])
    assert all(isclose(others, means[bag]) for bag in (1, 2, 3))
    assert "0" not in {
        strategy(view, 0, Random(0), 100)
        for name, strategy in MaxTarget.strategies.items()
        if name != "elimination"
    }


def test_the_oracle_looks_into_bags_for_what_they_tell() -> None:
    """Bag 0 has 17/3 a coin left and the others 5, but one look tells which of them holds nines:
    23 for 59/3 in three draws."""
    view = _after(((5, 6, 5, 6), (1, 1, 1, 1), (9, 9, 9, 9)), 4, 0).seen_by(0)
    worth = solo_values(view._belief(), 3, 100_000)
    judged = view.judge(0) or {}

    assert [0, 1, 2] == list(worth)
    assert all(isclose(a, b) for a, b in zip((59 / 3, 23, 23), worth.values(), strict=True))
    assert all(
        isclose(a, judged[bag])
        for bag, a in zip("012", ((5 + 59 / 3) / 36, 28 / 36, 28 / 36), strict=True)
    )
    assert "0" == view.greedy(0, Random(0), 1_000)
    assert all(view.oracle(0, Random(seed), 1_000) in "12" for seed in range(5))


def test_elimination_trusts_what_is_certain_alone() -> None:
    """A bag surely known is compared with the mean of the others, of which any is taken; greedy
    weighs what is likely."""
    rich, poor = (
        _after(((9, 8), (1, 2), (3, 4)), 4, 0).seen_by(0),
        _after(((1, 2), (9, 8), (3, 4)), 4, 0).seen_by(0),
    )

    assert {"0"} == {rich.elimination(0, Random(seed), 1) for seed in range(20)}
    assert {"1", "2"} == {poor.elimination(0, Random(seed), 1) for seed in range(20)}


def test_an_empty_bag_is_no_option() -> None:
    """A bag is open as long as it holds a coin; naming another one ends the game with nothing."""
    position = _after(((5,), (1, 2, 3)), 3, 0)

    assert {0: ["1"]} == position.options()
    assert "- bag 0: 5; now it is empty" in position.seen_by(0).text(0)
    assert after_foul(position, 0, "0") is None


def test_text_shows_the_whole_position() -> None:
    """Contents, draws, total and what is left can be read without any history."""
    position = _after(((5, 7), (1, 2, 3)), 3, 1, 0)

    assert position.seen_by(0).text(0).splitlines() == [
        "Contents of the bags at the start, in sorted order:",
        "- 1 2 3",
        "- 5 7",
        "Draws from each bag:",
        "- bag 0: 5",
        "- bag 1: 1",
        "You drew 5 from bag 0.",
        "Your total: 6. Draws left: 1 of 3.",
    ]
    assert position.play(0, "0").seen_by(0).text(0).endswith("Your total: 13. Draws left: 0 of 3.")


def test_the_reference_is_what_one_who_saw_every_coin_could_draw() -> None:
    """Of each bag some first coins: here a 1 and a 2 have to go for the 9 behind them, and it is
    worth it only with three draws."""
    bags = ((1, 2, 9), (4, 3, 1))

    assert [4, 7, 12, 16, 19, 20] == [
        MaxTarget.of(bags, draws).reference() for draws in range(1, 7)
    ]
    assert (7 / 12,) == _after(bags, 3, 1, 0, 0).scores()


def test_references_agree_with_trying_all() -> None:
    """Also in the middle of a game, which does not change them."""
    rng = Random(3)
    for _ in range(60):
        start = MaxTarget.new(rng, bags=(2, 5), length=(1, 5), share=(1, 100))
        end = _played(start, "random", str(rng.random()))

        assert _largest(start.bags, start.draws) == start.reference() == end.reference()
        assert 0 < end.scores()[0] <= 1


def test_imagined_worlds_are_as_likely_as_they_should_be() -> None:
    """Many worlds of one view come as often as enumeration says, order of coins included."""
    position = _after(((2, 1, 1), (1, 2), (1, 3)), 4, 1, 0)
    expected = Counter(_consistent(position))
    drawn = Counter(
        position.seen_by(0).possible_position(Random(f"world/{i}")).bags for i in range(6_000)
    )

    assert expected.keys() == drawn.keys()
    for bags in expected:
        assert isclose(expected[bags] / expected.total(), drawn[bags] / 6_000, abs_tol=0.02)


def test_the_oracle_agrees_with_plain_search() -> None:
    """What draws are worth on average, of all bags, and the bag that is drawn from."""
    rng = Random(19)
    for _ in range(80):
        position = _somewhere(rng)
        left, view = position.draws - len(position.log), position.seen_by(0)
        worlds = [(world, Fraction(1)) for world in _consistent(position)]
        gains = _gains(worlds, _taken(position), left)
        worth = solo_values(view._belief(), left, 1_000_000)

        assert gains.keys() == worth.keys()
        assert all(isclose(gains[bag] / len(worlds), worth[bag]) for bag in gains)
        assert max(gains.values()) == gains[int(view.oracle(0, rng, 1_000_000))]


def test_the_judge_agrees_with_plain_search() -> None:
    """What each bag scores on average under the play that scores best, the measure being hidden as
    well."""
    rng = Random(29)
    judged = 0
    for _ in range(80):
        position = _somewhere(rng)
        worth = position.seen_by(0).judge(0)
        worlds = _consistent(position)
        if worth is None:
            continue
        weighed = [
            (world, Fraction(1, len(worlds) * _largest(world, position.draws))) for world in worlds
        ]
        before = sum(draw.coin for draw in position.log) * sum(weight for _, weight in weighed)
        gains = _gains(weighed, _taken(position), position.draws - len(position.log))
        judged += 1

        assert list(position.options()[0] or ()) == list(worth)
        assert all(isclose(before + gains[int(bag)], worth[bag]) for bag in worth)
    assert judged > 70


def test_the_judge_says_nothing_where_too_much_is_open() -> None:
    """There are too many ways the coins may lie at the start of any level, and nothing is left to
    judge at the end."""
    for level, sizes in MaxTarget.levels.items():
        assert MaxTarget.new(Random(f"{level}1"), **sizes).seen_by(0).judge(0) is None
    assert _after(((1, 2), (3,)), 1, 0).seen_by(0).judge(0) is None


def test_nobody_collects_more_than_the_oracle() -> None:
    """Over all worlds of small instances, and more than greedy in some: exactly, for equal luck
    chooses alike in equal views."""
    rng, ahead = Random(43), 0
    for _ in range(6):
        start = MaxTarget.new(rng, bags=(3, 3), length=(1, 3), coin=(1, 9), share=(50, 60))
        worlds = Counter(_worlds(start.shown))
        total = dict.fromkeys(("random", *MaxTarget.strategies), 0.0)
        for name in total:
            for world, weight in worlds.items():
                total[name] += (
                    weight * _played(MaxTarget.of(world, start.draws), name, "", 10_000).values()[0]
                )
        ahead += total["oracle"] > total["greedy"]

        assert max(total.values()) == total["oracle"]
    assert ahead > 0


def test_instances_keep_their_promises() -> None:
    """Sizes lie within the level, and the draws are the promised share of the coins."""
    assert ["easy", "normal", "hard"] == list(MaxTarget.levels)
    for level, (bags, length, coin, share) in {
        "easy": ((3, 7), (1, 10), (1, 10), (50, 70)),
        "normal": ((8, 12), (1, 10), (1, 10), (50, 70)),
        "hard": ((10, 12), (3, 9), (1, 20), (25, 35)),
    }.items():
        for seed in range(100):
            start = MaxTarget.new(Random(f"{level}{seed}"), **MaxTarget.levels[level])
            coins = [value for bag in start.bags for value in bag]

            assert bags[0] <= len(start.bags) <= bags[1]
            assert all(length[0] <= len(bag) <= length[1] for bag in start.bags)
            assert all(coin[0] <= value <= coin[1] for value in coins)
            assert share[0] * len(coins) // 100 <= start.draws <= share[1] * len(coins) // 100


def test_large_bags_are_judged_near_the_end() -> None:
    """Where all coins are drawn every order brings the same, however many ways lead there."""
    position = MaxTarget.new(
        Random(2), bags=(4, 4), length=(90, 100), coin=(7, 8), share=(100, 100)
    )
    while position.draws - len(position.log) > 3:
        position = position.play(
            0, list(position.options()[0] or ())[-1 if len(position.log) % 2 else 0]
        )
    judged = position.seen_by(0).judge(0) or {}

    assert list(position.options()[0] or ()) == list(judged)
    assert all(isclose(1.0, worth) for worth in judged.values())


def test_all_coins_or_a_single_one_may_be_drawn() -> None:
    """The whole range of shares can be played; with all coins drawn nothing can be lost."""
    everything = MaxTarget.new(Random(1), bags=(14, 14), share=(100, 100))
    single = MaxTarget.new(Random(1), bags=(2, 2), length=(1, 1), share=(1, 1))

    assert 1 == single.draws
    assert (1.0,) == _played(everything, "random", "").scores()


def test_coins_all_alike_in_large_bags() -> None:
    """Nothing can be learnt there, and no strategy gets lost in looking ahead."""
    start = MaxTarget.new(Random(1), bags=(2, 2), length=(100, 100), coin=(7, 7))

    assert 7.0 * start.draws == start.reference()
    assert all(
        strategy(start.seen_by(0), 0, Random(0), 1_000) in "01"
        for strategy in MaxTarget.strategies.values()
    )


@pytest.mark.parametrize(
    ("said", "move"),
    [
        ("2", "2"),
        ("bag_index = [2]", "2"),
        ("Operation: bag_index = [0]", "0"),
        ("Bag 2", "2"),
        ("99", "99"),
    ],
)
def test_notations_are_read(said: str, move: str) -> None:
    """The papers' form and plain numbers, whether there is such a bag or not."""
    assert move == MaxTarget.new(Random(0)).seen_by(0).read(0, said)


@pytest.mark.parametrize(
    "said",
    [
        "",
        "the first one",
        "1 or 2",
        "not [1] but [2]",
        "bag_index = [1, 2]",
        "1.5",
        "12345678901",
        "[" * 9_999,
    ],
)
def test_other_words_are_refused(said: str) -> None:
    """What does not name exactly one bag is refused, with how to write a move."""
    view = MaxTarget.new(Random(0)).seen_by(0)
    with pytest.raises(Unreadable) as refused:
        view.read(0, said)
    assert "for example: 2" in refusal(view, refused.value)


@pytest.mark.parametrize(
    ("sizes", "bounds"),
    [
        ({"bags": (1, 3)}, "2 to 14"),
        ({"bags": (3, 15)}, "2 to 14"),
        ({"length": (0, 3)}, "1 to 100"),
        ({"length": (1, 101)}, "1 to 100"),
        ({"coin": (0, 3)}, "1 to 10000"),
        ({"share": (0, 50)}, "1 to 100"),
        ({"share": (50, 101)}, "1 to 100"),
    ],
)
def test_sizes_that_cannot_be_played_are_refused(
    sizes: dict[str, tuple[int, int]], bounds: str
) -> None:
    """With a sentence, before any luck is spent."""
    [name] = sizes
    with pytest.raises(ValueError, match=f"{name}=.* is out of bounds; .* within {bounds}$"):
        MaxTarget.new(Random(0), **sizes)


@pytest.mark.heavy
@pytest.mark.parametrize(("level", "matches"), [("easy", 120), ("normal", 30), ("hard", 30)])
def test_who_collects_more(level: str, matches: int) -> None:
    """With equal instances the house is well ahead of luck, and the oracle behind nobody by more
    than two standard errors."""
    starts = [
        MaxTarget.new(Random(f"max_target/{level}#{seed}"), **MaxTarget.levels[level])
        for seed in range(matches)
    ]
    scores = {
        name: [
            _played(start, name, f"{level}/{seed}").scores()[0] for seed, start in enumerate(starts)
        ]
        for name in ("random", *MaxTarget.strategies)
    }
    ahead = [
        mine - theirs
        for mine, theirs in zip(scores[MaxTarget.house[level]], scores["random"], strict=True)
    ]

    assert fmean(ahead) > 0.05
    assert fmean(ahead) - 2 * stdev(ahead) / sqrt(matches) > 0
    for name, theirs in scores.items():
        ahead = [mine - other for mine, other in zip(scores["oracle"], theirs, strict=True)]

        assert name == "oracle" or fmean(ahead) + 2 * stdev(ahead) / sqrt(matches) > 0
