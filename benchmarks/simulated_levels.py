"""Simulated levels with few seeds, whose true means are known: intervals of averages over levels.

All samples of a case are computed at once, by the functions that leaderboards use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple, TypeAlias
from zlib import crc32

import numpy as np
from numpy.random import Generator

from quandary.statistics.estimates import Floats, Ints
from quandary.statistics.intervals import average, strata_ends
from quandary.statistics.paired import paired, with_tangos_interval
from quandary.statistics.ranking import claims, consistent, p_of_differences
from quandary.statistics.strata import Strata

from .simulated import SEED, Point, simulate

Draw: TypeAlias = Callable[[Generator, tuple[int, ...]], Floats]  # of a shape: ..., levels, seeds


class Levels(NamedTuple):
    """Levels whose scores have known means."""

    draw: Draw
    means: Floats
    weights: Floats


Shapes: TypeAlias = Mapping[str, Callable[[int], Levels]]  # for a number of levels


def right_or_wrong(rates: Floats, weights: Floats | None = None) -> Levels:
    """Levels with these rates."""

    def draw(rng: Generator, shape: tuple[int, ...]) -> Floats:
        return (rng.random(shape) < rates[:, None]) * 1.0

    return Levels(draw, rates, _weights(len(rates), weights))


def graded(means: Floats, sharp: float, weights: Floats | None = None) -> Levels:
    """Levels with these means of beta-distributed scores, closer to them the sharper they are."""

    def draw(rng: Generator, shape: tuple[int, ...]) -> Floats:
        return rng.beta(sharp * means[:, None], sharp * (1 - means[:, None]), shape)

    return Levels(draw, means, _weights(len(means), weights))


def mostly(share: float, score: float, low: float, high: float) -> Callable[[int], Levels]:
    """A share of starts with one score, the others evenly between two."""
    mean = share * score + (1 - share) * (low + high) / 2

    def draw(rng: Generator, shape: tuple[int, ...]) -> Floats:
        return np.where(rng.random(shape) < share, score, rng.uniform(low, high, shape))

    return lambda count: Levels(draw, np.full(count, mean), _weights(count))


def _weights(count: int, weights: Floats | None = None) -> Floats:
    found = np.ones(count) if weights is None else weights
    return found / found.sum()


def _split(values: Sequence[float], shares: Sequence[float], count: int) -> Floats:
    """Values for shares of the levels."""
    return np.repeat(values, np.round(np.array(shares) * count).astype(int))


def _in_turn(values: Sequence[float], count: int) -> Floats:
    return np.resize(np.array(values, dtype=np.float64), count)


SHAPES: Shapes = {
    "right or wrong, 0.95": lambda count: right_or_wrong(np.full(count, 0.95)),
    "right or wrong, 0.05": lambda count: right_or_wrong(np.full(count, 0.05)),
    "right or wrong, 0.5": lambda count: right_or_wrong(np.full(count, 0.5)),
    "right or wrong, from 0.05 to 0.95": lambda count: right_or_wrong(
        np.linspace(0.05, 0.95, count)
    ),
    "right or wrong, half 0.98, half 0.1": lambda count: right_or_wrong(
        _split([0.98, 0.1], [0.5, 0.5], count)
    ),
    "right or wrong, 80 % 1, 10 % 0.5, 10 % 0": lambda count: right_or_wrong(
        _split([1.0, 0.5, 0.0], [0.8, 0.1, 0.1], count)
    ),
    "right or wrong, 20 % 0.5 with triple weight, 80 % 0.98": lambda count: right_or_wrong(
        _split([0.5, 0.98], [0.2, 0.8], count), _split([3.0, 1.0], [0.2, 0.8], count)
    ),
    "graded, even from 0 to 1": lambda count: graded(np.full(count, 0.5), 2.0),
    "graded, skewed, mean 0.1": lambda count: graded(np.full(count, 0.1), 3.0),
}
OTHERS: Shapes = {
    "right or wrong, 60 % 0.97, 20 % 0.5, 20 % 0.03": lambda count: right_or_wrong(
        _split([0.97, 0.5, 0.03], [0.6, 0.2, 0.2], count)
    ),
    "right or wrong, 10 % 0.5 with half of the weight, 90 % 0.9": lambda count: right_or_wrong(
        _split([0.5, 0.9], [0.1, 0.9], count), _split([9.0, 1.0], [0.1, 0.9], count)
    ),
    "right or wrong, 0.95, 0.8, 0.6, 0.4 with weights 1, 2, 3, 4": lambda count: right_or_wrong(
        _in_turn([0.95, 0.8, 0.6, 0.4], count), _in_turn([1, 2, 3, 4], count)
    ),
    "right or wrong, 0.02": lambda count: right_or_wrong(np.full(count, 0.02)),
    "graded, 80 % of starts 0": mostly(0.8, 0.0, 0.0, 1.0),
    "graded, 85 % of starts 1": mostly(0.85, 1.0, 0.0, 2 / 3),
    "graded, nearly 0 or nearly 1, mean 0.8": lambda count: graded(np.full(count, 0.8), 0.5),
    "graded, close together, means from 0.3 to 0.6": lambda count: graded(
        np.linspace(0.3, 0.6, count), 200.0
    ),
    "graded, skewed, mean 0.1, with weights 1, 2, 3, 4": lambda count: graded(
        np.full(count, 0.1), 5.0, _in_turn([1, 2, 3, 4], count)
    ),
}
FEW: Shapes = {
    "right or wrong, 0.9": lambda count: right_or_wrong(np.full(count, 0.9)),
    "right or wrong, from 0.1 to 0.9": lambda count: right_or_wrong(np.linspace(0.1, 0.9, count)),
    "right or wrong, one 0.5, the others 0.97": lambda count: right_or_wrong(
        np.append(0.5, np.full(count - 1, 0.97))
    ),
    "right or wrong, one 0.5 with triple weight, the others 0.97": lambda count: right_or_wrong(
        np.append(0.5, np.full(count - 1, 0.97)), np.append(3.0, np.ones(count - 1))
    ),
    "graded, skewed, mean 0.1": SHAPES["graded, skewed, mean 0.1"],
    "graded, nearly 0 or nearly 1, mean 0.8": OTHERS["graded, nearly 0 or nearly 1, mean 0.8"],
}
UNEVEN: Mapping[str, tuple[Callable[[int], Levels], Sequence[float]]] = {
    "right or wrong, from 0.05 to 0.95; 1, 2, 3, 5 seeds in turn": (
        SHAPES["right or wrong, from 0.05 to 0.95"], (1, 2, 3, 5),
    ),
    "right or wrong, 0.9; 1, 2, 3, 5 seeds in turn": (FEW["right or wrong, 0.9"], (1, 2, 3, 5)),
    "graded, skewed, mean 0.1; 1, 2, 3, 5 seeds in turn": (
        SHAPES["graded, skewed, mean 0.1"], (1, 2, 3, 5),
    ),
    "right or wrong, 0.98; 2, 5, 10, 30 seeds in turn": (
        lambda count: right_or_wrong(np.full(count, 0.98)), (2, 5, 10, 30),
    ),
    "right or wrong, 0.98, 0.9, 0.7, 0.5; 2, 5, 10, 30 seeds in turn": (
        lambda count: right_or_wrong(_in_turn([0.98, 0.9, 0.7, 0.5], count)), (2, 5, 10, 30),
    ),
    "right or wrong, 0.5, 0.7, 0.9, 0.98; 2, 5, 10, 30 seeds in turn": (
        lambda count: right_or_wrong(_in_turn([0.5, 0.7, 0.9, 0.98], count)), (2, 5, 10, 30),
    ),
    "right or wrong, every fifth 0.5 with 1 seed, the others 0.98 with 5": (
        lambda count: right_or_wrong(_in_turn([0.5, 0.98, 0.98, 0.98, 0.98], count)),
        (1, 5, 5, 5, 5),
    ),
}  # fmt: skip
SEEDS, LEVELS, FEW_LEVELS = (1, 2, 3, 5), (10, 40), (2, 3, 4, 6)
DESIGNS = 150
AT_ONCE = 5_000  # samples, so that memory stays small


def strata(scores: Floats, seeds: Ints, weights: Floats) -> Strata:
    """The strata of many samples of levels, of which each has the first `seeds` of its scores."""
    there = np.arange(scores.shape[-1]) < seeds[:, None]
    means = (scores * there).sum(axis=-1) / seeds
    squares = ((scores - means[..., None]) ** 2 * there).sum(axis=-1)
    return Strata(weights, seeds * 1.0, means, squares / np.maximum(seeds - 1, 1))


def sampled(case: str, levels: Levels, seeds: Ints | int, trials: int = 4_000) -> Point:
    """How often the interval of the average covers the true value, and how wide it is."""
    seeds = np.resize(seeds, len(levels.means))
    rng = np.random.default_rng([SEED, crc32(case.encode())])
    shape = (len(levels.means), int(seeds.max()))
    ends = [
        strata_ends(
            strata(levels.draw(rng, (min(AT_ONCE, trials - begun), *shape)), seeds, levels.weights)
        )
        for begun in range(0, trials, AT_ONCE)
    ]
    low, high = np.concatenate(ends, axis=1)
    truth = float(levels.weights @ levels.means)
    held = (low - 1e-12 <= truth) & (truth <= high + 1e-12)
    widths = high - low
    return Point(
        case, float(held.mean()), trials, float(widths.mean()), float(np.quantile(widths, 0.95))
    )


def _grid(shapes: Shapes, counts: Sequence[int], trials: int) -> Iterator[Point]:
    for (shape, make), count, seeds in product(shapes.items(), counts, SEEDS):
        case = f"{shape}; {count} levels x {seeds} seeds"
        yield sampled(case, make(count), seeds, trials)


def averages(trials: int) -> Iterator[Point]:
    """The grid on which the constants of `statistics.strata` were chosen."""
    return _grid(SHAPES, LEVELS, trials)


def other_averages(trials: int) -> Iterator[Point]:
    """Other shapes."""
    return _grid(OTHERS, LEVELS, trials)


def averages_of_few(trials: int) -> Iterator[Point]:
    """Very few levels."""
    return _grid(FEW, FEW_LEVELS, trials)


def uneven_averages(trials: int) -> Iterator[Point]:
    """Levels with different numbers of seeds."""
    for (shape, (make, seeds)), count in product(UNEVEN.items(), LEVELS):
        yield sampled(f"{shape}; {count} levels", make(count), np.array(seeds), trials)


def random_averages(trials: int) -> Iterator[Point]:
    """Random puzzles, levels, numbers of seeds and means, with ten starts at least."""
    rng = np.random.default_rng([SEED, DESIGNS])
    for number in range(DESIGNS):
        levels, seeds = _design(rng)
        yield sampled(f"design {number + 1}: {int(seeds.sum())} starts", levels, seeds, trials)


def _design(rng: Generator) -> tuple[Levels, Ints]:
    puzzles = int(rng.integers(1, 13))
    sizes = rng.integers(1, 6, puzzles) if rng.random() < 0.7 else np.ones(puzzles, np.int64)
    weights, count = np.repeat(1 / sizes, sizes), int(sizes.sum())
    most = 31 if rng.random() < 0.2 else 6
    seeds = rng.integers(1, most, count if rng.random() < 0.5 else 1)
    means = rng.beta(rng.choice([0.2, 0.5, 1, 3]), rng.choice([0.2, 0.5, 1, 3]), count)
    means = means.clip(0.02, 0.98)
    sharp = rng.choice([0.5, 2.0, 10.0, 50.0])
    levels = right_or_wrong(means, weights) if rng.random() < 0.5 else graded(means, sharp, weights)
    seeds = np.resize(seeds, count)
    return (levels, seeds) if count > 1 and seeds.sum() >= 10 else _design(rng)


def tabulated(points: Sequence[Point]) -> list[str]:
    """Lines of a table, with the cases of a grid that differ in seeds alone on one line."""
    return [
        _line(*points[at].case.rpartition("; ")[::2], points[at : at + len(SEEDS)])
        for at in range(0, len(points), len(SEEDS))
    ]


def tabulated_uneven(points: Sequence[Point]) -> list[str]:
    """Lines of the same table, for levels with different numbers of seeds."""
    return [_line(*point.case.rpartition("; ")[::2], [point]) for point in points]


def _line(shape: str, design: str, points: Sequence[Point]) -> str:
    shares = ", ".join(f"{point.share:.1%}" for point in points)
    widths = ", ".join(f"{point.width:.3f}" for point in points)
    wide = ", ".join(f"{point.wide:.3f}" for point in points)
    return f"| {shape} | {design.split()[0]} | {shares} | {widths} | {wide} |"


def differences(trials: int) -> Iterator[Point]:
    """Two players on levels with few seeds: right or wrong, and graded."""
    shapes = {
        "each alone right 0.05": (0.05, 0.05, 1.0),
        "each alone right 0.2": (0.2, 0.2, 1.0),
        "one alone right 0.8, never the other": (0.8, 0.0, 1.0),
        "one alone right 0.3, the other 0.1": (0.3, 0.1, 1.0),
        "one alone right 0.9 on half of the levels": (0.9, 0.0, 0.5),
    }
    for (shape, chances), (count, seeds), kind in product(
        shapes.items(), ((3, 2), (10, 1), (10, 2), (10, 5)), ("right or wrong", "graded")
    ):
        case = f"{kind}, {shape}; {count} levels x {seeds} seeds"
        yield simulate(case, trials, _difference, *chances, count, seeds, kind == "graded")


def _difference(
    rng: Generator, ahead: float, behind: float, part: float, count: int, seeds: int, graded: bool
) -> list[bool]:
    """Whether the interval of the mean difference holds it; `part` of the levels tell the players
    apart.
    """
    tells = np.arange(count)[:, None] < np.ceil(part * count)
    luck = rng.random((count, seeds))
    off = np.where(luck < ahead, 1.0, np.where(luck < ahead + behind, -1.0, 0.0)) * tells
    if graded:
        off *= rng.random(off.shape)
    pairs = [(level.clip(0), (-level).clip(0)) for level in off]
    averaged = average(
        [paired(one, other, rng=rng).difference for one, other in pairs], bounds=None
    )
    found = with_tangos_interval(averaged, off.reshape(-1) / off.size)
    truth = (ahead - behind) * float(tells.mean()) * (0.5 if graded else 1.0)
    return [found.low - 1e-9 <= truth <= found.high + 1e-9]


def boards(trials: int) -> Iterator[Point]:
    """Leaderboards of equal players: how often any two are told apart."""
    kinds: dict[str, Callable[[int], Levels]] = {
        "right or wrong, 0.5": SHAPES["right or wrong, 0.5"],
        "right or wrong, from 0.05 to 0.95": SHAPES["right or wrong, from 0.05 to 0.95"],
        "graded, skewed, mean 0.1": SHAPES["graded, skewed, mean 0.1"],
        "graded, close together, means from 0.3 to 0.6": OTHERS[
            "graded, close together, means from 0.3 to 0.6"
        ],
    }
    for (kind, make), players, (count, seeds) in product(
        kinds.items(), (4, 6), ((1, 12), (2, 5), (4, 2), (6, 1), (12, 1), (10, 2), (12, 3))
    ):
        case = f"{players} players, {kind}; {count} levels x {seeds} seeds"
        rng = np.random.default_rng([SEED, crc32(case.encode())])
        levels = make(count)
        scores = levels.draw(rng, (trials, players, count, seeds))
        yield Point(case, float(np.mean([*told_apart(scores, levels.weights)])), trials)


def told_apart(scores: Floats, weights: Floats) -> Iterator[bool]:
    """Whether any two players of each board are told apart; axes are boards, players, levels and
    seeds.
    """
    players, seeds = scores.shape[1], np.full(scores.shape[2], scores.shape[3])
    above = np.triu_indices(players, 1)
    p = p_of_differences(strata(scores[:, above[0]] - scores[:, above[1]], seeds, weights))
    values = np.round(strata(scores, seeds, weights).mean, 12)
    for own, of_pairs in zip(values, p, strict=True):
        table = np.ones((players, players))
        table[above] = of_pairs
        yield bool(consistent(claims(own, np.minimum(table, table.T)), own).any())
