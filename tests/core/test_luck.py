"""Luck with a name: one stream per name, like any other `Random`."""

from __future__ import annotations

import pickle
from collections import Counter
from copy import copy, deepcopy
from itertools import pairwise
from random import Random

import pytest

from quandary.core.luck import NUMBERS, Luck


@pytest.mark.parametrize(
    "draw",
    [
        lambda rng: [rng.random() for _ in range(3 * NUMBERS)],
        lambda rng: [rng.randrange(1_000) for _ in range(3 * NUMBERS)],
        lambda rng: rng.sample(range(100), 40),
        # Draws repeatedly within one call.
        lambda rng: [rng.randrange(2**i + 1) for i in range(60)],
        lambda rng: [rng.getrandbits(200), rng.random(), rng.getrandbits(64), rng.getrandbits(1)],
        lambda rng: [rng.gauss(0, 1), rng.gauss(0, 1), rng.choice("abc"), rng.shuffle([1, 2, 3])],
    ],
)
def test_a_name_has_one_stream_per_turn(draw) -> None:  # type: ignore[no-untyped-def]
    """A name always gives the same numbers, whatever was drawn before; other names give others."""
    luck = Luck("a")
    first = draw(luck.turn(1))
    draw(luck.turn(2))

    assert first == draw(luck.turn(1)) == draw(Luck("a").turn(1))
    assert first != draw(luck.turn(2)) and first != draw(Luck("b").turn(1))
    assert draw(Luck("a")) == draw(Luck("a"))


@pytest.mark.parametrize("streams", ["names", "turns", "numbers"])
def test_numbers_are_spread_evenly(streams: str) -> None:
    """First numbers of many names, of many turns, and numbers of one turn: a chi-square test."""
    count, luck = 20_000, Luck("even")
    drawn = {
        "names": (Luck(f"match {i}").random() for i in range(count)),
        "turns": (luck.turn(i).random() for i in range(count)),
        "numbers": (luck.random() for i in range(count)),
    }[streams]
    cells = Counter(int(10 * number) for number in drawn)

    # one fair stream in a thousand exceeds this
    assert sum((cells[i] - count / 10) ** 2 / (count / 10) for i in range(10)) < 27.9


def test_neighbouring_turns_are_not_correlated() -> None:
    """The first numbers of consecutive turns have no linear correlation."""
    luck, count = Luck("pairs"), 20_000
    first = [luck.turn(i).random() - 0.5 for i in range(count)]
    correlation = 12 * sum(one * two for one, two in pairwise(first)) / count

    assert abs(correlation) < 4 / count**0.5


def test_numbers_of_one_stream_do_not_repeat() -> None:
    """The change from the hash to the generator shows no seam."""
    luck = Luck("long")

    assert len({luck.random() for _ in range(10_000)}) == 10_000


def test_a_seed_makes_it_an_ordinary_generator() -> None:
    """After `seed` it gives the numbers of the standard library."""
    luck, usual = Luck("a"), Random(7)
    luck.seed(7)

    assert [usual.random() for _ in range(20)] == [luck.random() for _ in range(20)]


@pytest.mark.parametrize("drawn", [0, 3, 20])
def test_luck_can_be_copied_and_kept(drawn: int) -> None:
    """Copies, pickles and kept states go on with the same numbers."""
    luck = Luck("kept").turn(4)
    for _ in range(drawn):
        luck.random()
    state, copies = luck.getstate(), [copy(luck), deepcopy(luck), pickle.loads(pickle.dumps(luck))]
    following = [luck.random() for _ in range(20)]
    luck.setstate(state)

    assert following == [luck.random() for _ in range(20)]
    assert all(following == [other.random() for _ in range(20)] for other in copies)
