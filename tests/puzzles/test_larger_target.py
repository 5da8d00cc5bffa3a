"""Larger target: what can be known against plain enumeration, known positions, and who beats
whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import reduce
from itertools import permutations, product
from math import isclose, sqrt
from random import Random

import pytest

from quandary.catalogue import drawing
from quandary.core.errors import Unreadable
from quandary.core.game import refusal
from quandary.core.mixins.turns import after_foul
from quandary.puzzles._shared.coin_bags.solver.draws import odds_of
from quandary.puzzles.duels.larger_target import LargerTarget

Bags = tuple[tuple[int, ...], ...]


def _after(bags: Bags, *draws: int) -> LargerTarget:
    """The position after drawing from these bags, one after the other."""
    return reduce(
        lambda position, bag: position.play(len(position.log) % 2, str(bag)),
        draws,
        LargerTarget.of(bags),
    )


def _worlds(bags: Bags) -> Iterator[Bags]:
    """Every way the bags may be numbered and their coins ordered, each as likely as any other."""
    for numbered in permutations(bags):
        yield from product(*(permutations(bag) for bag in numbered))


def _consistent(position: LargerTarget) -> list[Bags]:
    """All worlds in which the same draws would have shown the same."""
    found = []
    for world in _worlds(position.shown):
        same = (
            _after(world, *(draw.bag for draw in position.log))
            if _drawable(world, position)
            else None
        )
        if same and (same.log, same.empty) == (position.log, position.empty):
            found.append(world)
    return found


def _drawable(world: Bags, position: LargerTarget) -> bool:
    taken = Counter(draw.bag for draw in position.log)
    return all(taken[number] <= len(bag) for number, bag in enumerate(world))


def _somewhere(
    rng: Random, draws: int, bags: int = 3, most: int = 3, coin: int = 3
) -> LargerTarget:
    """A position after some random draws, from small bags with many coins alike."""
    position = LargerTarget.new(rng, bags=(bags, bags), length=(1, most), coin=(1, coin))
    for _ in range(draws):
        options = position.options()
        if options:
            [seat] = options
            position = position.play(seat, rng.choice(list(options[seat] or ())))
    return position


def _best_score(worlds: list[Bags], taken: tuple[int, ...], lead: int, left: int) -> Fraction:
    """What the mover can expect if both play as well as can be, by plain search over sets of
    worlds."""
    if not left:
        return Fraction(1 if lead > 0 else 0) if lead else Fraction(1, 2)
    return max(
        _score_of(worlds, taken, lead, left, bag)
        for bag, count in enumerate(taken)
        if count < len(worlds[0][bag])
    )


def _score_of(
    worlds: list[Bags], taken: tuple[int, ...], lead: int, left: int, bag: int
) -> Fraction:
    seen: dict[tuple[int, bool], list[Bags]] = {}
    for world in worlds:
        seen.setdefault((world[bag][taken[bag]], taken[bag] + 1 == len(world[bag])), []).append(
            world
        )
    later = tuple(count + (number == bag) for number, count in enumerate(taken))
    return sum(
        (
            Fraction(len(part), len(worlds))
            * (1 - _best_score(part, later, -lead - coin, left - 1))
            for (coin, _), part in seen.items()
        ),
        Fraction(0),
    )


def _match(start: LargerTarget, players: tuple[str, str], name: str) -> LargerTarget:
    position, luck = start, Random(name)
    while options := position.options():
        [seat] = options
        view, moves = position.seen_by(seat), list(options[seat] or ())
        player = players[seat]
        move = (
            luck.choice(moves)
            if player == "random"
            else LargerTarget.strategies[player](view, seat, Random(0), 5_000)
        )
        position = position.play(seat, move)
    return position


def test_a_coin_tells_which_bag_it_is() -> None:
    """PuzzlePlex's example: of bags [1, 2] and [3, 4], a 3 out of bag 0 means that a 4 is left
    there."""
    view = _after(((3, 4), (2, 1)), 0).seen_by(1)

    assert {((3, 4), (1, 2)), ((3, 4), (2, 1))} == {
        view.possible_position(Random(seed)).bags for seed in range(50)
    }
    assert {"0"} == {
        LargerTarget.strategies[name](view, 1, Random(0), 100) for name in ("greedy", "oracle")
    }


def test_the_published_instance() -> None:
    """PuzzlePlex, easy seed 1: 18 coins, 18 draws in all, so that every coin is drawn."""
    start = LargerTarget.of(((2, 5, 2, 8, 8, 8, 7, 4, 2, 8), (7,), (10, 1, 8, 5, 4, 10, 2)))

    assert ((1, 2, 4, 5, 8, 10, 10), (2, 2, 2, 4, 5, 7, 8, 8, 8, 8), (7,)) == start.shown
    assert "Draws left for both players together: 18." in start.text(0)

    end = reduce(
        lambda position, bag: position.play(len(position.log) % 2, bag),
        "012" + "0" * 9 + "2" * 6,
        start,
    )

    assert {} == end.options()
    assert (True, True, True) == end.empty
    assert (47.0, 54.0) == end.values()
    assert (0.0, 1.0) == end.scores()


def test_an_odd_coin_stays_in_its_bag() -> None:
    """Both players draw equally often; equal totals are a tie."""
    end = _after(((5, 9), (5,)), 0, 1)

    assert {} == end.options()
    assert (5.0, 5.0) == end.values()
    assert (0.5, 0.5) == end.scores()


def test_an_empty_bag_is_no_option() -> None:
    """A bag is open as long as it holds a coin; naming another one loses."""
    position = _after(((5,), (1, 2, 3)), 0)

    assert {1: ["1"]} == position.options()
    assert "- bag 0: 5 (opponent); now it is empty" in position.text(1)
    assert after_foul(position, 1, "0") is None


def test_beliefs_agree_with_enumeration() -> None:
    """How likely a bag holds what, counted over all numberings and orders; contents that look
    alike are one."""
    rng = Random(11)
    for draws in (0, 1, 2, 2, 3, 3, 4, 5, 6) * 4:
        position = _somewhere(rng, draws)
        worlds = _consistent(position)
        odds = odds_of(position.seen_by(0)._belief())
        for number in range(len(position.empty)):
            expected = Counter(tuple(sorted(world[number])) for world in worlds)
            found: Counter[tuple[int, ...]] = Counter()
            for held, chance in odds[number].items():
                found[position.shown[held]] += chance  # type: ignore[assignment]

            assert expected.keys() == found.keys()
            assert all(isclose(expected[coins] / len(worlds), found[coins]) for coins in expected)


def test_imagined_worlds_are_as_likely_as_they_should_be() -> None:
    """Many worlds of one view come as often as enumeration says, order of coins included."""
    position = _after(((2, 1, 1), (1, 2), (1, 3)), 1, 0)
    expected = Counter(_consistent(position))
    drawn = Counter(
        position.seen_by(0).possible_position(Random(f"world/{i}")).bags for i in range(6_000)
    )

    assert expected.keys() == drawn.keys()
    for bags in expected:
        assert isclose(expected[bags] / expected.total(), drawn[bags] / 6_000, abs_tol=0.02)


def test_worlds_are_imagined_where_nothing_is_known() -> None:
    """The most bags there may be, all alike but for one coin, and one coin drawn from each: the
    worst there is to count."""
    bags = tuple((1, number) for number in range(2, 16))
    view = _after(bags, *range(14)).seen_by(0)
    world = view.possible_position(Random(5))

    assert view == world.seen_by(0)
    assert list(bags) == sorted(world.bags)
    assert bags != world.bags


def test_greedy_takes_the_best_mean() -> None:
    """Its bag is one of highest mean next coin over all worlds that fit, with everything seen
    remembered."""
    rng = Random(23)
    for draws in (1, 2, 3, 4) * 8:
        position = _somewhere(rng, draws, coin=9)
        for seat, moves in position.options().items():
            worlds, taken = _consistent(position), Counter(draw.bag for draw in position.log)
            mean = {
                move: Fraction(
                    sum(world[int(move)][taken[int(move)]] for world in worlds), len(worlds)
                )
                for move in moves or ()
            }
            chosen = position.seen_by(seat).greedy(seat, rng, 1)

            assert max(mean.values()) == mean[chosen]


def test_worths_near_the_end_agree_with_plain_search() -> None:
    """The judge gives what best play of both yields, counted over worlds."""
    rng = Random(31)
    judged = 0
    for draws in (0, 1, 2, 3, 4) * 8:
        position = _somewhere(rng, draws, coin=5)
        left = sum(map(len, position.shown)) // 2 * 2 - draws
        for seat in position.options():
            worth = position.seen_by(seat).judge(seat)
            if worth is None:
                assert left > 6
                continue
            worlds, totals = _consistent(position), position.values()
            taken = tuple(sum(draw.bag == number for draw in position.log) for number in range(3))
            lead = int(totals[seat] - totals[1 - seat])
            judged += 1

            assert list(position.options()[seat] or ()) == list(worth)
            assert all(
                isclose(_score_of(worlds, taken, lead, left, int(move)), worth[move], abs_tol=1e-9)
                for move in worth
            )
    assert judged > 20


def test_the_oracle_minds_who_draws_last() -> None:
    """A 5 for certain is better than 1 or 10 by luck, if then the opponent has to try its luck:
    greedy does not see it."""
    view = _after(((7, 5), (10, 1)), 0).seen_by(1)

    assert {"0": 0.5, "1": 0.0} == view.judge(1)
    assert "1" == view.greedy(1, Random(0), 100)
    assert "0" == view.oracle(1, Random(0), 100)


def test_the_oracle_loses_nothing_to_greedy_in_the_long_run() -> None:
    """Over all worlds of small instances, with seats exchanged, it scores at least half: exactly,
    not by luck."""
    rng, total, matches = Random(41), 0.0, 0
    for _ in range(12):
        bags = LargerTarget.new(rng, bags=(3, 3), length=(1, 2), coin=(1, 9)).shown
        starts = [LargerTarget.of(world) for world in _worlds(bags)]
        first = [_match(start, ("oracle", "greedy"), "").scores()[0] for start in starts]
        second = [_match(start, ("greedy", "oracle"), "").scores()[1] for start in starts]

        assert sum(first) + sum(second) >= len(starts) - 1e-9
        total, matches = total + sum(first) + sum(second), matches + 2 * len(starts)
    assert total > matches / 2


def test_greedy_beats_luck() -> None:
    """In easy matches with seats exchanged."""
    starts = [LargerTarget.new(Random(seed), bags=(3, 5)) for seed in range(100)]
    won = sum(
        _match(start, ("greedy", "random"), f"{i}").scores()[0] for i, start in enumerate(starts)
    )
    won += sum(
        _match(start, ("random", "greedy"), f"{i}").scores()[1] for i, start in enumerate(starts)
    )

    assert won / 200 > 0.7


@pytest.mark.parametrize(
    ("said", "move"),
    [
        ("2", "2"),
        ("bag_index = [2]", "2"),
        ("bag_index=[ 2 ]", "2"),
        ("Bag 2", "2"),
        ("3 coins are left there: bag_index = [2]", "2"),
        ("02", "2"),
        ("-1", "-1"),
        ("99", "99"),
    ],
)
def test_notations_are_read(said: str, move: str) -> None:
    """The paper's form, also among other words, and plain numbers, whether there is such a bag or
    not."""
    assert move == LargerTarget.new(Random(0)).seen_by(0).read(0, said)


@pytest.mark.parametrize(
    "said", ["", "the first one", "1 or 2", "not [1] but [2]", "[1, 2]", "1.5", "12345678901"]
)
def test_other_words_are_refused(said: str) -> None:
    """What does not name exactly one bag is refused, with how to write a move."""
    view = LargerTarget.new(Random(0)).seen_by(0)
    with pytest.raises(Unreadable) as refused:
        view.read(0, said)
    assert "for example: 2" in refusal(view, refused.value)


@pytest.mark.parametrize(
    ("sizes", "bounds"),
    [
        ({"bags": (1, 3)}, "2 to 14"),
        ({"bags": (3, 15)}, "2 to 14"),
        ({"length": (0, 3)}, "1 or more"),
        ({"coin": (-1, 3)}, "0 to 10000"),
    ],
)
def test_sizes_that_cannot_be_played_are_refused(
    sizes: dict[str, tuple[int, int]], bounds: str
) -> None:
    """With a sentence, before any luck is spent."""
    [name] = sizes
    with pytest.raises(ValueError, match=f"{name}=.* is out of bounds; .* within {bounds}$"):
        LargerTarget.new(Random(0), **sizes)


def test_the_rules_say_how_bags_and_coins_are_drawn() -> None:
    """A player can compute chances from the rules alone, as in max target."""
    sentence = "All ways to number the bags and to order their coins are equally likely."

    for name in ("larger_target", "max_target"):
        assert sentence in drawing.game(f"{name}/easy#1").rules()


def test_all_orders_are_equally_likely() -> None:
    """As the rules say: of three bags and a coin that differs, each place comes about as often."""
    places: Counter[tuple[int, int]] = Counter()
    for seed in range(6_000):
        bags = LargerTarget.new(Random(seed), bags=(3, 3), length=(2, 2), coin=(1, 1_000)).bags
        top = max(coin for bag in bags for coin in bag)
        places[next((i, bag.index(top)) for i, bag in enumerate(bags) if top in bag)] += 1

    assert len(places) == 6
    assert all(abs(count - 1_000) < 5 * sqrt(1_000 * 5 / 6) for count in places.values())
