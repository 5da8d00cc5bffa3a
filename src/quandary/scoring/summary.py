"""Records to numbers: mean scores with 95 % intervals."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import sqrt
from statistics import fmean, stdev

from quandary.catalogue.spec import Spec
from quandary.matches.record import Record

T95 = (
    12.706,
    4.303,
    3.182,
    2.776,
    2.571,
    2.447,
    2.365,
    2.306,
    2.262,
    2.228,
    2.201,
    2.179,
    2.160,
    2.145,
    2.131,
    2.120,
    2.110,
    2.101,
    2.093,
    2.086,
)
Z95 = 1.959964


@dataclass(frozen=True)
class SummaryRow:
    """How one player did on one level of one puzzle."""

    puzzle: str
    level: str  # with its changes and split, for example easy,height=2@train
    player: str
    matches: int  # scored ones
    instances: int
    # Mean over instances of the mean over their matches; None without scored matches.
    score: float | None
    low: float | None  # of the 95 % interval
    high: float | None
    causes: tuple[tuple[str, int], ...]  # how its matches ended, most frequent first
    unscored: int  # cut off by the infrastructure


def summarise(records: Iterable[Record]) -> list[SummaryRow]:
    """One row per puzzle, level and player, in the order they were played."""
    groups: dict[tuple[str, str, str], list[tuple[str, Record, int]]] = defaultdict(list)
    for record in records:
        puzzle, _, level = (
            str(replace(Spec.parse(record.name), seed=0)).removesuffix("#0").partition("/")
        )
        for seat, player in enumerate(record.players):
            groups[puzzle, level, player].append((record.name, record, seat))
    return [_row(*key, played) for key, played in groups.items()]


def _row(puzzle: str, level: str, player: str, played: list[tuple[str, Record, int]]) -> SummaryRow:
    by_instance: dict[str, list[float]] = defaultdict(list)
    for name, record, seat in played:
        if record.scores is not None:
            by_instance[name].append(record.scores[seat])
    means = [fmean(scores) for scores in by_instance.values()]
    matches = sum(map(len, by_instance.values()))
    causes = Counter(
        record.cause if record.offender in (None, seat) else f"opponent {record.cause}"
        for _, record, seat in played
    )
    score, low, high = (fmean(means), *interval(means)) if means else (None, None, None)
    return SummaryRow(
        puzzle,
        level,
        player,
        matches,
        len(means),
        score,
        low,
        high,
        tuple(causes.most_common()),
        len(played) - matches,
    )


def interval(means: list[float]) -> tuple[float, float]:
    """The 95 % interval of a mean over instances.

    It is Wilson's if all means are 0 or 1, or all equal; otherwise Student's t.
    """
    count, mean = len(means), fmean(means)
    if count == 1 or all(score in (0.0, 1.0) for score in means):
        return wilson(mean, count)
    half = student(count - 1) * stdev(means) / sqrt(count)
    return (max(0.0, mean - half), min(1.0, mean + half)) if half else wilson(mean, count)


def student(freedom: int) -> float:
    """The quantile of Student's t for a 95 % interval.

    Beyond the table it is computed by an expansion around the normal quantile.
    """
    if freedom <= len(T95):
        return T95[freedom - 1]
    return (
        Z95
        + (Z95**3 + Z95) / (4 * freedom)
        + (5 * Z95**5 + 16 * Z95**3 + 3 * Z95) / (96 * freedom**2)
    )


def wilson(share: float, count: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share of `count` cases."""
    centre = (share + Z95**2 / (2 * count)) / (1 + Z95**2 / count)
    half = Z95 / (1 + Z95**2 / count) * sqrt(share * (1 - share) / count + Z95**2 / (4 * count**2))
    # Rounding must not leave the share outside.
    return min(share, max(0.0, centre - half)), max(share, min(1.0, centre + half))
