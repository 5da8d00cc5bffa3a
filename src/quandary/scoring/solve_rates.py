"""Which share of questions is solved within 1, 2, 3 ... turns, per puzzle and over several."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from statistics import fmean
from typing import NamedTuple

from quandary.catalogue.drawing import puzzle_and_level
from quandary.catalogue.spec import Spec
from quandary.matches.record import Record
from quandary.results.match_facts import MatchFacts, facts_of


class QuestionResult(NamedTuple):
    """One question that was put to one player."""

    player: str
    puzzle: str
    level: str
    turns: int  # answers the player could give
    solved_on_turn: int | None  # the turn of the first right answer, counted from 1


class SolveRate(NamedTuple):
    """How many questions of one level of a puzzle a player solved, turn by turn."""

    player: str
    puzzle: str
    level: str
    asked: int
    solved_within: list[float]  # the shares solved within 1, 2, 3 ... turns


class OverallRate(NamedTuple):
    """The mean of a player's solve rates over all its levels, each with the same weight."""

    player: str
    levels: int
    asked: int
    solved_within: list[float]


class AverageRate(NamedTuple):
    """The mean of the solve rates of several puzzles, each with the same weight."""

    player: str
    games: str  # what the puzzles are called together
    level: str
    puzzles: tuple[str, ...]  # the puzzles that were played
    expected: int  # how many there are
    solved_within: list[float]


def results_of(records: Iterable[Record]) -> Iterator[QuestionResult]:
    """Return the questions among the matches that allowed several turns; without those cut off."""
    return results_in(facts_of(records))


def results_in(matches: Iterable[MatchFacts]) -> Iterator[QuestionResult]:
    """Yield the results of `results_of`, from what scores need of each match."""
    for match in matches:
        if match.tries is not None and match.tries > 1 and match.scores is not None:
            # A right answer ends the match, so it can only be the last one.
            solved_on_turn = match.plies if match.scores[0] >= 1.0 else None
            puzzle, level = puzzle_and_level(Spec.parse(match.name))
            yield QuestionResult(match.players[0], puzzle, level, match.tries, solved_on_turn)


def solve_rates(results: Iterable[QuestionResult]) -> list[SolveRate]:
    """Return one rate per player, puzzle and level, in the order they were played.

    All rates of a player have as many turns as its longest match could have.
    """
    return rates_of_counts(Counter(results))


def rates_of_counts(counted: Mapping[QuestionResult, int]) -> list[SolveRate]:
    """Return one rate per player, puzzle and level, from how often each result occurred."""
    asked = Counter[tuple[str, str, str]]()
    solved: dict[tuple[str, str, str], Counter[int]] = defaultdict(Counter)
    turns = defaultdict[str, int](int)
    for (player, puzzle, level, allowed, solved_on_turn), count in counted.items():
        asked[player, puzzle, level] += count
        turns[player] = max(turns[player], allowed)
        if solved_on_turn is not None:
            solved[player, puzzle, level][solved_on_turn] += count
    return [
        SolveRate(
            *key,
            count,
            [
                within / count
                for within in accumulate(solved[key][turn + 1] for turn in range(turns[key[0]]))
            ],
        )
        for key, count in asked.items()
    ]


def overall_rates(rates: Sequence[SolveRate]) -> list[OverallRate]:
    """Return one mean per player, in the order they were played."""
    by_player = defaultdict[str, list[SolveRate]](list)
    for rate in rates:
        by_player[rate.player].append(rate)
    return [
        OverallRate(player, len(found), sum(rate.asked for rate in found), _mean_rates(found))
        for player, found in by_player.items()
    ]


def _mean_rates(rates: Sequence[SolveRate]) -> list[float]:
    return [fmean(shares) for shares in zip(*(rate.solved_within for rate in rates), strict=True)]


def average_rates(
    rates: Sequence[SolveRate], averages: Mapping[str, Sequence[str]]
) -> list[AverageRate]:
    """Return the mean rates over sets of puzzles, per player and level; sets without any are left
    out.
    """
    members: dict[tuple[str, str, str], list[SolveRate]] = defaultdict(list)
    for player in dict.fromkeys(rate.player for rate in rates):
        for games, puzzles in averages.items():
            for rate in rates:
                if rate.player == player and rate.puzzle in puzzles:
                    members[player, games, rate.level].append(rate)
    return [
        AverageRate(
            *key,
            tuple(rate.puzzle for rate in found),
            len(averages[key[1]]),
            _mean_rates(found),
        )
        for key, found in members.items()
    ]
