"""Luck with a name: one stream per name, like any other `Random`."""

from __future__ import annotations

from collections import Counter
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
def test_a_name_has_one_stream(draw) -> None:  # type: ignore[no-untyped-def]
    """A name always gives the same numbers, whatever was drawn before; other names give others."""
    luck = Luck("a")
    first = draw(luck)
    draw(luck.rename("b"))

    assert first == draw(luck.rename("a")) == draw(Luck("a"))
    assert first != draw(luck.rename("b"))


def test_numbers_of_many_names_are_spread_evenly() -> None:
    """The first number of each of many names is uniform: a chi-square test with ten cells."""
    luck, names = Luck(), 20_000
    cells = Counter(int(10 * luck.rename(f"match/seat0/{i}").random()) for i in range(names))

    # 0.1 % of fair streams exceed it.
    assert sum((cells[i] - names / 10) ** 2 / (names / 10) for i in range(10)) < 27.9


def test_numbers_of_one_stream_do_not_repeat() -> None:
    """The change from the hash to the generator shows no seam."""
    luck = Luck("long")

    assert len({luck.random() for _ in range(10_000)}) == 10_000


def test_a_seed_makes_it_an_ordinary_generator() -> None:
    """After `seed` it gives the numbers of the standard library."""
    luck, usual = Luck("a"), Random(7)
    luck.seed(7)

    assert [usual.random() for _ in range(20)] == [luck.random() for _ in range(20)]
