"""How many repetitions a sound level may show."""

from __future__ import annotations

from math import comb

import pytest

from quandary.conformance.repetition import CHANCE, SHARE, _most_repeats


@pytest.mark.parametrize("drawn", [1, 20, 100, 400])
def test_the_bound_is_the_smallest_that_chance_hardly_exceeds(drawn: int) -> None:
    """The tail of a binomial, summed exactly."""

    def tail(repeats: int) -> float:
        return sum(
            comb(drawn, k) * (1 - SHARE) ** k * SHARE ** (drawn - k)
            for k in range(repeats + 1, drawn + 1)
        )

    most = _most_repeats(drawn)
    assert tail(most) < CHANCE
    assert most == 0 or tail(most - 1) >= CHANCE


def test_many_draws_do_not_overflow() -> None:
    assert 100 < _most_repeats(1_900) < 150
