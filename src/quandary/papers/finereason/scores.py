"""The scores of FineReason: state checking (`check:`) and state transition (`next:`).

Within a puzzle each question has the same weight, as in the paper.  Intervals are ours: positions
in the search tree of the same puzzle belong together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from quandary.scoring.groups import (
    SeatColumns,
    Texts,
    grouped,
    mean_with_interval,
    played_levels,
    ranged,
)
from quandary.scoring.level_groups import fixed_rng
from quandary.scoring.score import score
from quandary.scoring.score_table import Cell, ScoreTable, level_place, score_table
from quandary.statistics.estimates import Estimate, Floats, Ints
from quandary.statistics.intervals import average, pooled_estimate
from quandary.tasks.state_task import TREE_CAP

from .fitted_rules import DRAWS, fitted_rules, shuffled_share
from .ranges import decades, equal_ranges
from .state_answers import CHECK, NEXT, StateAnswers, puzzles_without_task

if TYPE_CHECKING:
    import pyarrow as pa

SUMMARY = ("finereason_checking_means", "finereason_transition_means")
COLUMNS: tuple[str, ...] = (
    "run", "match", "spec", "task", "puzzle", "level", "split", "modality", "instance", "player",
    "score", "label", "depth", "gaps", "legal_moves", "dead_tree", "state_length", "tried", "tree",
    "error",
)  # fmt: skip
WHOLE = "whole"
# Our kinds of errors in `next:` -> the paper's; it has no name for the others.
PAPER_ERRORS = {
    "several_moves": "multiple moves",
    "invalid_move": "invalid move",
    "dead_end": "unsolvable child",
    "known_dead_end": "unsolvable child",
    "not_parent": "backtracking failure",
    "sibling": "sibling",
}
LOOK_AHEAD = f"how many distinct positions lie below a dead end, counted up to {TREE_CAP:,}"
DIFFICULTIES = (  # columns, what they are called, and their ranges
    ("depth", "depth", "the number of moves from the start of the puzzle", equal_ranges),
    ("gaps", "empty cells", "the number of empty cells, in puzzles that fill cells", equal_ranges),
    ("dead_tree", "look-ahead", LOOK_AHEAD, partial(decades, cap=TREE_CAP)),
)
DRAWN = ("depth", "gaps")  # columns of difficulties that the report draws
OVER_TREES = "95 % intervals over puzzles: positions of the same puzzle belong together."
POSITIVE = (
    "precision: share of the positions called unsolvable that are unsolvable.",
    "recall: share of the unsolvable positions that were called so; F1: harmonic mean of the two.",
    "An answer without a readable label is wrong: it lowers accuracy and recall, not precision.",
)
MEANS = "Mean over puzzles, each with the same weight, with its 95 % interval,"
FORWARD = (
    "forward: from a solvable position, one move to another one; back: from a dead end, to the "
    "position before it."
)
FITTED = (
    "the best threshold on one feature, fitted on the same questions, so it overstates the share, "
    "and more so with few questions"
)
BLIND = f"blind rule: the share that is right without looking at the puzzle, by {FITTED}."
DASH = "A dash: not every puzzle has such answers, or there is no error."


@score("FineReason", columns=COLUMNS, scored="label", summary=SUMMARY)
def tables(seats: pa.Table) -> Iterator[ScoreTable]:
    columns = SeatColumns(seats)
    answers = StateAnswers(columns)
    if not len(answers):
        return
    checks, steps = answers.of_task(CHECK), answers.of_task(NEXT)
    yield _checking_means(checks)
    yield _transition_means(steps)
    yield _accuracy(columns, answers)
    yield _checking(checks)
    yield _transition(steps)
    yield _errors(steps)
    yield from _by_difficulty(answers)
    yield _blind_rules(checks)


def _checking_means(checks: StateAnswers) -> ScoreTable:
    """Means over puzzles."""
    rows = list[list[Cell]]()
    for player, parts in _by_player(checks):
        found = [checks.checking(at) for at in parts]
        figures = zip(*(each[4:] for each in found), strict=True)
        n = sum(each.n for each in found)
        blind = float(np.mean([checks.blind_share(at) for at in parts]))
        rows.append([player, len(parts), n, *(_mean(each) for each in figures), blind])
    return score_table(
        SUMMARY[0],
        "State checking",
        f"{MEANS} of the figures of `check:`.",
        ("player", "puzzles", "n", "accuracy", "precision", "recall", "F1", "blind rule"),
        rows,
        (*POSITIVE, BLIND, DASH),
    )


def _transition_means(steps: StateAnswers) -> ScoreTable:
    rows = list[list[Cell]]()
    for player, parts in _by_player(steps):
        own = np.concatenate(parts)
        shares = [
            _mean([steps.share(steps.right, some) for some in chosen])
            for chosen in (parts, *(_of_class(steps, parts, is_dead) for is_dead in (False, True)))
        ]
        rows.append([player, len(parts), len(own), *shares, _most_frequent(steps, own)])
    return score_table(
        SUMMARY[1],
        "State transition",
        f"{MEANS} of the share of right steps in `next:`. {FORWARD}",
        ("player", "puzzles", "n", "accuracy", "forward", "back", "most frequent error"),
        rows,
        (DASH,),
    )


def _most_frequent(steps: StateAnswers, at: Ints) -> str | None:
    """Return the kind of error that occurs most often; of several, the first by name."""
    codes, names = steps.seats.texts("error")
    found = codes[at[~steps.right[at]]]
    return names[int(np.bincount(found).argmax())] if len(found) else None


def _accuracy(seats: SeatColumns, answers: StateAnswers) -> ScoreTable:
    """Return both tasks and their mean, as the paper's table 3; whole puzzles, as its table 2."""
    whole = seats.only(seats.texts("task").where(WHOLE) & ~np.isnan(seats.numbers("score")))
    starts, score = whole.texts("instance").codes, whole.numbers("score")
    solved = {
        key: (len(at), mean_with_interval(score[at], starts[at]))
        for key, at in grouped(puzzles_without_task(whole), whole.texts("player"))
    }
    tasks, rows = [answers.of_task(task) for task in (CHECK, NEXT)], list[list[Cell]]()
    own = [dict(each.by_puzzle()) for each in tasks]
    none: Ints = np.empty(0, np.int64)
    for key, _ in answers.by_puzzle():
        places = [found.get(key, none) for found in own]
        shares = [each.share(each.right, at) for each, at in zip(tasks, places, strict=True)]
        both = zip(map(len, places), map(_shown, shares), strict=True)
        row = [cell for pair in both for cell in pair]
        rows.append([*key, *row, _mean(shares), *solved.get(key, (0, None))])
    return score_table(
        "finereason_accuracy",
        "Accuracy by task",
        f"Share of right answers to `check:` and `next:`, and the mean of the two; share of whole "
        f"puzzles solved in one answer (`whole:`). {OVER_TREES}",
        ("puzzle", "player", "check n", "check", "next n", "next", "average", "whole n", "whole"),
        rows,
    )


def _checking(checks: StateAnswers) -> ScoreTable:
    rows = list[list[Cell]]()
    for place, at in checks.by_level():
        n, dead, called_dead, unread, *figures = checks.checking(at)
        shares = map(_shown, figures)
        rows.append([*place, n, dead, called_dead, unread, *shares, checks.blind_share(at)])
    return score_table(
        "finereason_checking",
        "State checking by puzzle",
        "For n answers: how many positions are unsolvable, how many answers say so, and how many "
        f"answers have no readable label. {OVER_TREES}",
        (
            *("puzzle", "level", "player", "n", "unsolvable", "said so", "no label"),
            *("accuracy", "precision", "recall", "F1", "blind rule"),
        ),
        rows,
        (*POSITIVE, BLIND),
    )


def _transition(steps: StateAnswers) -> ScoreTable:
    rows = list[list[Cell]]()
    for place, at in steps.by_level():
        classes = [at, *(each for dead in (False, True) for each in _of_class(steps, [at], dead))]
        figures = [(len(some), _shown(steps.share(steps.right, some))) for some in classes]
        rows.append([*place, *(cell for figure in figures for cell in figure)])
    return score_table(
        "finereason_transition",
        "State transition by class",
        f"Share of right steps. {FORWARD} {OVER_TREES}",
        ("puzzle", "level", "player", "n", "accuracy", "forward n", "forward", "back n", "back"),
        rows,
    )


def _errors(steps: StateAnswers) -> ScoreTable:
    """Return what was wrong with steps, as shares of all steps of the class."""
    error, rows = steps.seats.texts("error"), list[list[Cell]]()
    for (puzzle, player), own in steps.by_puzzle():
        for label, is_dead in (("solvable", False), ("unsolvable", True)):
            at = own[steps.dead[own] == is_dead]
            kinds = {error.names[code] for code in error.codes[at[~steps.right[at]]]}
            found = [(kind, error.where(kind)) for kind in sorted(kinds)]
            for kind, flags in sorted(found, key=lambda each: -each[1][at].sum()):
                count, share = int(flags[at].sum()), _shown(steps.share(flags, at))
                paper = PAPER_ERRORS.get(kind)
                rows.append([puzzle, player, label, kind, paper, count, len(at), share])
    return score_table(
        "finereason_errors",
        "Errors of state transition",
        "Share of the n steps from positions of this class that are wrong in this way. in the "
        f"paper: its name for the error. {OVER_TREES}",
        ("puzzle", "player", "from", "error", "in the paper", "count", "n", "share"),
        rows,
    )


def _by_difficulty(answers: StateAnswers) -> Iterator[ScoreTable]:
    for column, head, what, divide in DIFFICULTIES:
        yield score_table(
            f"finereason_{column}",
            f"Accuracy by {head}",
            f"Share of right answers by {what}. {OVER_TREES}",
            ("task", "puzzle", "player", head, "n", "accuracy"),
            _in_ranges(answers, column, divide),
            difficulty=head if column in DRAWN else "",
        )


def _in_ranges(
    answers: StateAnswers, column: str, divide: Callable[[Floats], Texts]
) -> list[list[Cell]]:
    """Return a row for each task, puzzle, player and range; the ranges of a puzzle are those of all
    its players, and answers of which the number is not known are left out.
    """
    values, (codes, names) = answers.seats.numbers(column), answers.seats.texts("player")
    known, rows = ~np.isnan(values), list[list[Cell]]()
    for (task, puzzle), every in grouped(answers.seats.texts("task"), answers.puzzles):
        at = every[known[every]]
        if not len(at):
            continue
        ranges, players = divide(values[at]), Texts(codes[at], names)
        for place in range(len(names) * len(ranges.names)):
            player, number = divmod(place, len(ranges.names))
            own = at[(players.codes == player) & (ranges.codes == number)]
            if len(own):
                share = _shown(answers.share(answers.right, own))
                rows.append([task, puzzle, names[player], ranges.names[number], len(own), share])
    return sorted(rows, key=lambda row: (str(row[0]), str(row[1])))


def _blind_rules(checks: StateAnswers) -> ScoreTable:
    """Return the best rule of each feature, on all questions that anyone was asked."""
    rows = list[list[Cell]]()
    for (puzzle, level), every in grouped(checks.puzzles, played_levels(checks.seats)):
        at = checks.questions(every)
        features, dead = checks.blind_features(at), checks.dead[at]
        rules = fitted_rules(features, dead)
        chance = shuffled_share(features, dead, fixed_rng())
        for rule in rules:
            share = ranged(pooled_estimate(rule.right, checks.trees[at]))
            by_chance = chance if rule is rules[0] else None
            asked = puzzle, level, len(at), float(dead.mean())
            rows.append([*asked, rule.feature, rule.words, share, by_chance])
    rows.sort(key=lambda row: (str(row[0]), level_place(str(row[0]), str(row[1]))))
    return score_table(
        "finereason_blind_rules",
        "What blind rules reach in state checking",
        f"The rule is {FITTED}; the best one for each puzzle and level comes first. unsolvable: "
        "share of the n questions. shuffled: the share that the best rule of all features reaches "
        f"with shuffled labels, by fitting alone: mean, and the range of 95 % of {DRAWS} draws.",
        ("puzzle", "level", "n", "unsolvable", "feature", "rule", "share", "shuffled"),
        rows,
        (
            (
                "The interval of a share assumes a rule that was chosen beforehand; this rule was "
                "chosen afterwards."
            ),
        ),
    )


def _by_player(answers: StateAnswers) -> list[tuple[str, list[Ints]]]:
    """Return the answers of each player, by puzzle."""
    found = dict[str, list[Ints]]()
    for (_, player), at in answers.by_puzzle():
        found.setdefault(player, []).append(at)
    return sorted(found.items())


def _of_class(answers: StateAnswers, parts: Sequence[Ints], is_dead: bool) -> list[Ints]:
    """Of some answers, those about dead ends, or about solvable positions."""
    return [at[answers.dead[at] == is_dead] for at in parts]


def _mean(parts: Sequence[Estimate | None]) -> Cell:
    """Return the mean of some figures; None if one of them is missing."""
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    return ranged(known[0] if len(known) == 1 else average(known))


def _shown(found: Estimate | None) -> Cell:
    return None if found is None else ranged(found)
