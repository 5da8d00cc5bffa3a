"""Answers to questions on positions of search trees: what was asked, said and right.

A reply in which no label can be read is wrong and says neither class: it lowers accuracy and recall
and leaves precision as it is.  FineReason's tables 3 and 9 fit this way of counting.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from quandary.scoring.groups import (
    SeatColumns,
    Texts,
    asked_puzzles,
    grouped,
    joined,
    played_levels,
)
from quandary.scoring.score_table import level_place
from quandary.statistics.estimates import Estimate, Flags, Floats, Ints, floats
from quandary.statistics.intervals import pooled_estimate

from .fitted_rules import fitted_rules

CHECK, NEXT = "check", "next"
WRONG_LABEL = "wrong_label"  # the error of a label that was read and is wrong
ALL = "all"  # levels


class Place(NamedTuple):
    """Whose answers to which questions."""

    puzzle: str
    level: str  # or ALL
    player: str


class Checking(NamedTuple):
    """How well a player tells dead ends; *unsolvable* is the positive class."""

    n: int
    dead: int  # questions whose position is unsolvable
    called_dead: int  # answers that say so
    unread: int  # answers without a label
    accuracy: Estimate | None
    precision: Estimate | None  # None if no answer says unsolvable
    recall: Estimate | None  # None if no position is
    f1: Estimate | None  # None if no position is, as recall


class StateAnswers:
    """The answers that have a result, as arrays with an entry for each."""

    def __init__(self, seats: SeatColumns) -> None:
        asked = (seats.texts("label").codes >= 0) & ~np.isnan(seats.numbers("score"))
        self.seats = seats.only(asked)
        self.right: Flags = self.seats.numbers("score") >= 1.0
        self.dead = self.seats.texts("label").where("unsolvable")
        self.trees = self.seats.texts("tree").codes

    def __len__(self) -> int:
        return len(self.seats)

    @cached_property
    def puzzles(self) -> Texts:
        return puzzles_without_task(self.seats)

    @cached_property
    def called_dead(self) -> Flags:
        """Which answers to `check:` say unsolvable."""
        wrong = self.seats.texts("error").where(WRONG_LABEL)
        called_dead: Flags = np.where(self.dead, self.right, wrong)
        return called_dead

    @cached_property
    def is_read(self) -> Flags:
        """In which answers to `check:` a label can be read."""
        read: Flags = self.right | self.seats.texts("error").where(WRONG_LABEL)
        return read

    def of_task(self, task: str) -> StateAnswers:
        return StateAnswers(self.seats.only(self.seats.texts("task").where(task)))

    def by_puzzle(self) -> Iterator[tuple[tuple[str, str], Ints]]:
        """Puzzle and player, with the numbers of their answers."""
        found = grouped(self.puzzles, self.seats.texts("player"))
        for (puzzle, player), at in sorted(found, key=lambda each: str(each[0])):
            yield (str(puzzle), str(player)), at

    def by_level(self) -> Iterator[tuple[Place, Ints]]:
        """By puzzle, level and player; all levels together too, where there are several."""
        places = dict[Place, Ints]()
        columns = self.puzzles, played_levels(self.seats), self.seats.texts("player")
        for (puzzle, level, player), at in grouped(*columns):
            places[Place(str(puzzle), str(level), str(player))] = at
        for (puzzle, player), at in self.by_puzzle():
            if sum(place.puzzle == puzzle and place.player == player for place in places) > 1:
                places[Place(puzzle, ALL, player)] = at
        yield from sorted(places.items(), key=lambda each: _order(each[0]))

    def share(self, flags: Flags, at: Ints) -> Estimate | None:
        """Return the share of some answers for which something holds, with its interval
        over trees.
        """
        return pooled_estimate(flags[at], self.trees[at]) if len(at) else None

    def checking(self, at: Ints) -> Checking:
        """Return the figures of some answers to `check:`."""
        called_dead, dead = self.called_dead[at], self.dead[at]
        agreed = self.share(self.dead & self.called_dead, at[called_dead | dead])
        return Checking(
            len(at),
            int(dead.sum()),
            int(called_dead.sum()),
            int((~self.is_read[at]).sum()),
            self.share(self.right, at),
            self.share(self.dead, at[called_dead]),
            self.share(self.called_dead, at[dead]),
            _f1(agreed) if agreed and dead.any() else None,
        )

    def questions(self, at: Ints) -> Ints:
        """Return one answer to each question among some answers, in the order of their names:
        labels are shuffled, and the result must not depend on the order of play.
        """
        _, first = np.unique(self.seats.texts("spec").codes[at], return_index=True)
        found: Ints = at[first]
        return found

    def blind_share(self, at: Ints) -> float:
        """Return the share of labels that the best blind rule gets on the questions of some
        answers.
        """
        asked = self.questions(at)
        return float(fitted_rules(self.blind_features(asked), self.dead[asked])[0].right.mean())

    def blind_features(self, at: Ints) -> dict[str, Floats]:
        """Return what blind rules may look at: `tasks.blind_rules.Visible`, as the tables
        have it.
        """
        tried = self.seats.texts("tried")
        values = {
            "legal moves": self.seats.numbers("legal_moves"),
            "characters": self.seats.numbers("state_length"),
            "depth": self.seats.numbers("depth"),
            "a tried child is shown": floats(~tried.where("none")),
            "the first move was tried": floats(tried.where("first")),
        }
        return {name: column[at] for name, column in values.items()}


def _f1(agreed: Estimate) -> Estimate:
    """F1 = 2 TP / (2 TP + FP + FN), from the share TP / (TP + FP + FN), with which it grows.

    So the interval of the share gives its own; that of a weighted mean would be too short where
    few dead ends are found.
    """
    mean, low, high = (2 * share / (1 + share) for share in (agreed.mean, agreed.low, agreed.high))
    slope = 2 / (1 + agreed.mean) ** 2
    strata = tuple(
        one._replace(mean=mean + slope * (one.mean - agreed.mean), variance=slope**2 * one.variance)
        for one in agreed.strata
    )
    error = slope * agreed.error
    return replace(agreed, mean=mean, low=low, high=high, error=error, strata=strata)


def puzzles_without_task(seats: SeatColumns) -> Texts:
    """Return the puzzles of questions on them, whatever the task: `sudoku`, `sudoku (image)`."""
    return joined([asked_puzzles(seats)], lambda asked: asked.partition(":")[2])


def _order(place: Place) -> tuple[object, ...]:
    is_all = place.level == ALL
    return place.puzzle, is_all, level_place(place.puzzle, place.level), place.player
