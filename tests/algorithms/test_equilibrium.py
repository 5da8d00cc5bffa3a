"""Matrix games: known solutions, best replies, invariance."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

import pytest

from quandary.algorithms.equilibrium import cautious_mix, equilibrium, exact_equilibrium

PENNIES = [[1, -1], [-1, 1]]
ROCK_PAPER_SCISSORS = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
HALF, THIRD, SIXTH = Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)


def _matrix(
    rng: Random, height: int, width: int, entries: Sequence[float] | None = None
) -> list[list[float]]:
    return [
        [rng.choice(entries) if entries else rng.uniform(-1, 1) for _ in range(width)]
        for _ in range(height)
    ]


def _sure(game: Sequence[Sequence[float]], rows: Sequence[float]) -> float:
    """What a mix of rows gets against its best reply."""
    return min(
        sum(share * row[j] for share, row in zip(rows, game, strict=True))
        for j in range(len(game[0]))
    )


def _ceded(game: Sequence[Sequence[float]], columns: Sequence[float]) -> float:
    """What a mix of columns pays against its best reply."""
    return max(
        sum(share * entry for share, entry in zip(columns, row, strict=True)) for row in game
    )


def _two_by_two(game: Sequence[Sequence[float]]) -> float:
    """The value by the textbook: a saddle point, or else the formula of the mixed game."""
    (a, b), (c, d) = game
    low, high = max(min(a, b), min(c, d)), min(max(a, c), max(b, d))
    return low if low == high else (a * d - b * c) / (a + d - b - c)


@pytest.mark.parametrize(
    ("game", "value", "rows", "columns"),
    [
        (PENNIES, 0, (HALF, HALF), (HALF, HALF)),
        (ROCK_PAPER_SCISSORS, 0, (THIRD, THIRD, THIRD), (THIRD, THIRD, THIRD)),
        ([[3, -1], [-2, 1]], Fraction(1, 7),
         (Fraction(3, 7), Fraction(4, 7)), (Fraction(2, 7), Fraction(5, 7))),
        ([[4, 2, 3], [1, 0, 5], [0, 1, -2]], 2, (1, 0, 0), (0, 1, 0)),
        ([[2, 0, 0], [0, 3, 0], [0, 0, 6]], 1, (HALF, THIRD, SIXTH), (HALF, THIRD, SIXTH)),
        ([[7]], 7, (1,), (1,)),
        ([[1, 5, -2]], -2, (1,), (0, 0, 1)),
        ([[1], [5], [-2]], 5, (0, 1, 0), (1,)),
    ],
)  # fmt: skip
def test_known_games(
    game: list[list[int]], value: Fraction, rows: Sequence[Fraction], columns: Sequence[Fraction]
) -> None:
    """Games with one solution that books give, solved in fractions and in floats."""
    exact, near = exact_equilibrium(game), equilibrium(game)

    assert (value, tuple(rows), tuple(columns)) == exact
    assert float(value) == pytest.approx(near.value, abs=1e-12)
    assert [float(share) for share in rows] == pytest.approx(near.rows, abs=1e-12)
    assert [float(share) for share in columns] == pytest.approx(near.columns, abs=1e-12)


@pytest.mark.parametrize(
    "entries", [None, [0.0, 1.0], [0.0, 0.5, 1.0], [-3.0, -1.0, 0.0, 2.0], list(range(-50, 51))]
)
def test_nobody_gains_by_leaving(entries: list[float] | None) -> None:
    """Random games up to 30 by 30, many of them degenerate: both mixes are mixes, and no best reply
    gains 1e-9.
    """
    rng = Random(1)
    shapes = [(rng.randint(1, 8), rng.randint(1, 8)) for _ in range(80)] + [
        (12, 20),
        (20, 12),
        (30, 30),
        (30, 30),
    ]
    for height, width in shapes:
        game = _matrix(rng, height, width, entries)
        value, rows, columns = equilibrium(game)

        assert 1.0 == pytest.approx(sum(rows), abs=1e-12)
        assert 1.0 == pytest.approx(sum(columns), abs=1e-12)
        assert min(*rows, *columns) >= 0.0
        assert value - 1e-9 <= _sure(game, rows)
        assert value + 1e-9 >= _ceded(game, columns)


def test_fractions_leave_no_gap() -> None:
    """In fractions each mix guarantees exactly the value."""
    rng = Random(2)
    for _ in range(60):
        game = [[Fraction(rng.randint(-9, 9), rng.randint(1, 5)) for _ in range(rng.randint(3, 6))]]
        game += [[Fraction(rng.randint(-2, 2)) for _ in game[0]] for _ in range(rng.randint(2, 5))]
        value, rows, columns = exact_equilibrium(game)

        assert (1, 1) == (sum(rows), sum(columns))
        assert value == min(
            sum(p * line[j] for p, line in zip(rows, game, strict=True))
            for j in range(len(game[0]))
        )
        assert value == max(
            sum(p * entry for p, entry in zip(columns, line, strict=True)) for line in game
        )


def test_two_by_two_games_follow_the_formula() -> None:
    """All games of two rows and two columns with entries -2 to 2."""
    for code in range(5**4):
        a, b, c, d = (code // 5**i % 5 - 2 for i in range(4))
        game = [[a, b], [c, d]]

        assert _two_by_two(game) == pytest.approx(equilibrium(game).value, abs=1e-12)


def test_scaling_and_shifting_change_the_value_alone() -> None:
    """The value of a * game + b is a * value + b, and the old mixes still guarantee it; turning the
    table round turns its sign.
    """
    rng = Random(3)
    for factor, shift in ((2.0, 0.0), (1e-7, 0.0), (1e7, 0.0), (1.0, 1000.0), (0.5, -3.0)):
        game = _matrix(rng, 7, 9)
        moved = [[factor * entry + shift for entry in row] for row in game]
        turned = [[-entry for entry in column] for column in zip(*game, strict=True)]
        old, new = equilibrium(game), equilibrium(moved)

        assert factor * old.value + shift == pytest.approx(new.value, rel=1e-9)
        assert new.value == pytest.approx(_sure(moved, old.rows), rel=1e-9)
        assert new.value == pytest.approx(_ceded(moved, old.columns), rel=1e-9)
        assert -old.value == pytest.approx(equilibrium(turned).value, abs=1e-9)


def test_a_symmetric_game_is_fair() -> None:
    """A game that looks the same from both sides is worth nothing."""
    rng = Random(4)
    for size in range(2, 12):
        above = _matrix(rng, size, size)
        game = [[above[i][j] - above[j][i] for j in range(size)] for i in range(size)]

        assert pytest.approx(0.0, abs=1e-12) == equilibrium(game).value


def test_numbers_too_large_for_floats_are_solved_in_fractions() -> None:
    """The difference of two entries may be more than a float can hold."""
    assert (0.0, (0.5, 0.5), (0.5, 0.5)) == equilibrium([[1e308, -1e308], [-1e308, 1e308]])


@pytest.mark.parametrize(
    "game", [[], [[]], [[1.0, 2.0], [3.0]], [[float("nan")]], [[1.0, float("inf")]]]
)
def test_what_is_no_game_is_refused(game: list[list[float]]) -> None:
    """Empty, ragged and endless tables."""
    with pytest.raises(ValueError, match="a matrix game needs"):
        equilibrium(game)
    with pytest.raises(ValueError, match="a matrix game needs"):
        exact_equilibrium(game)


def test_a_cautious_mix_of_one_game_is_its_equilibrium() -> None:
    """With nothing hidden it guarantees the value, but for a little."""
    rng = Random(5)
    for _ in range(10):
        game = _matrix(rng, rng.randint(2, 6), rng.randint(2, 6))

        assert equilibrium(game).value == pytest.approx(
            _sure(game, cautious_mix([game], 1_000)), abs=5e-3
        )


def test_a_cautious_mix_is_the_best_guarantee_over_several_games() -> None:
    """Against a scan of all mixes of two rows: the mean of what is sure in each game comes near the
    most possible.
    """
    rng = Random(6)
    for _ in range(20):
        games = [_matrix(rng, 2, rng.randint(1, 4)) for _ in range(rng.randint(2, 4))]
        best = max(sum(_sure(game, (p / 500, 1 - p / 500)) for game in games) for p in range(501))
        mix = cautious_mix(games, 1_000)

        assert best == pytest.approx(sum(_sure(game, mix) for game in games), abs=0.02)
