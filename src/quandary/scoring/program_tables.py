"""What the programs of a model score together: their average, the best of them, how they end.

A model writes several samples per puzzle, each of which plays all levels and seats.  Sample 3 of
one puzzle has nothing to do with sample 3 of another one, so the best is chosen in each puzzle.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean, stdev
from typing import TYPE_CHECKING

import numpy as np

from quandary.arena.drawn_programs import DrawnProgram
from quandary.arena.seed_ranges import in_ranges
from quandary.catalogue.papers import papers
from quandary.programs.library import author_of, is_sample
from quandary.statistics.clusters import cluster_means
from quandary.statistics.estimates import Estimate, Flags, Floats, Ints
from quandary.statistics.intervals import average
from quandary.statistics.samples import Samples

from .groups import COPIED, SeatColumns, grouped, ranged, without_copies
from .level_groups import LevelKey, SeatGroup, by_level
from .pairings import families
from .score_table import Cell, ScoreTable, score_table
from .usage import FAILED_IMPORT, NAMES, failed_imports, statuses_of

if TYPE_CHECKING:
    import pyarrow as pa

COLUMNS = (
    *COPIED,
    "task",
    "puzzle",
    "version",
    "seed",
    "cause",
    "lost_by_failure",
    "legal",
    "exception",
)
SCORE = (
    "The score of a program is the mean over the levels of its puzzle, each the mean over starts. "
)
CHOSEN = (
    "best, other half: the program with the highest score on one half of the starts, scored on the "
    "other half, and the reverse; the mean of both, with its interval over starts for the chosen "
    "programs. The starts of a level, in the order of their hashes, go to the two halves in turn, "
    "in the same way for all models. If several programs are best, their mean counts."
)
IN_PAPER = "paper: the paper in which models also write programs for this puzzle."
SAME_STARTS = "Only starts count on which all programs of the model have a result."
OPPONENTS = "Scores in two-player games depend on who else plays in these runs."


def program_tables(
    groups: Sequence[SeatGroup], seats: pa.Table, drawn: Sequence[DrawnProgram]
) -> list[ScoreTable]:
    """Return the tables of the programs that models wrote; none if there are no samples.

    `groups` do not tell suites apart, `drawn` are the programs that the runs have drawn.
    """
    found = written(groups)
    tables = [
        _by_model(found, drawn),
        _best_of(found),
        _by_puzzle(found, drawn, _played(seats)),
        _statuses(seats),
        _tokens(drawn),
    ]
    return [table for table in tables if table.rows]


@dataclass(frozen=True)
class Written:
    """The programs of one model in one puzzle."""

    model: str
    puzzle: str
    levels: tuple[tuple[SeatGroup, ...], ...]  # of each level: a group per program
    halves: tuple[Flags, ...]  # of each level: which starts are in the first half, by number

    @cached_property
    def programs(self) -> list[str]:
        return sorted({group.player for level in self.levels for group in level})

    @property
    def matches(self) -> int:
        return sum(group.matches + group.repeats for level in self.levels for group in level)

    @property
    def missing(self) -> int:
        return sum(group.missing for level in self.levels for group in level)

    @cached_property
    def _shared(self) -> list[tuple[Floats, Ints]]:
        """Of each level, a row of scores per program, and the numbers of the starts."""
        return [_on_shared_starts(level, len(self.programs)) for level in self.levels]

    @cached_property
    def samples(self) -> Samples | None:
        """The scores; None if on some level there is no start that all programs have played."""
        if any(not len(starts) for _, starts in self._shared):
            return None
        return Samples(tuple(scores for scores, _ in self._shared))

    @cached_property
    def chosen(self) -> Estimate | None:
        """The score of the best program of one half of the starts on the other one."""
        if self.samples is None:
            return None
        halves = [half[starts] for half, (_, starts) in zip(self.halves, self._shared, strict=True)]
        return self.samples.chosen_on_other_half(halves)


def written(groups: Iterable[SeatGroup]) -> list[Written]:
    """Return the programs of each model in each puzzle, in the order of models and puzzles."""
    levels = by_level(group for group in groups if is_sample(group.player))
    halves = {key: _halves(own) for key, own in levels.items()}
    found = defaultdict[tuple[str, str], dict[LevelKey, list[SeatGroup]]](dict)
    for key, own in levels.items():
        for group in own:
            found[author_of(group.player), key.puzzle].setdefault(key, []).append(group)
    return [
        Written(model, puzzle, tuple(map(tuple, own.values())), tuple(halves[key] for key in own))
        for (model, puzzle), own in sorted(found.items())
    ]


def _halves(groups: Sequence[SeatGroup]) -> Flags:
    """Return which starts of a level are in the first half, by their numbers, which are in the
    order of their hashes.
    """
    starts = np.unique(np.concatenate([group.starts for group in groups]))
    first = np.zeros(int(starts.max()) + 1, bool)
    first[starts[::2]] = True
    return first


def _on_shared_starts(level: Sequence[SeatGroup], programs: int) -> tuple[Floats, Ints]:
    """Return a row of scores per program, on the starts on which all of them have a result."""
    starts = level[0].seen
    for group in level[1:]:
        starts = np.intersect1d(starts, group.seen)
    if len(level) < programs:
        starts = starts[:0]
    rows = list[Floats]()
    for group in level:
        means, _ = cluster_means(
            group.scores[group.there], np.searchsorted(group.seen, group.starts[group.there])
        )
        rows.append(means[np.searchsorted(group.seen, starts)])
    return np.array(rows), starts


def _by_model(found: Sequence[Written], drawn: Sequence[DrawnProgram]) -> ScoreTable:
    rows = list[list[Cell]]()
    for model, own in _of_models(found):
        samples = [each.samples for each in own if each.samples]
        if not samples:
            continue
        chosen = [each.chosen for each in own if each.samples]
        known = [each for each in chosen if each]
        rows.append(
            [
                model,
                len(own),
                _span([len(each.programs) for each in own]),
                _different(own, drawn),
                sum(each.matches for each in own),
                sum(each.starts for each in samples),
                sum(each.missing for each in own),
                ranged(average([each.average() for each in samples])),
                fmean(each.best() for each in samples),
                ranged(average(known)) if len(known) == len(chosen) else None,
            ]
        )
    head = ("player", "puzzles", "programs", "different", "n", "starts", "missing")
    return score_table(
        "programs",
        "Programs of models",
        f"{SCORE}average: the mean over the programs of a model; best of all: that of the best "
        f"program; each by puzzle, then the mean over puzzles. Interval of the average: 95 %, over "
        f"programs and starts.",
        (*head, "average", "best of all", "best, other half"),
        rows,
        (
            (
                "programs: per puzzle; equal ones count as often as they were drawn. different: "
                "how many distinct texts there are, over all puzzles. n: matches with a result."
            ),
            "best of all: chosen by the same matches that score it, and therefore too high.",
            CHOSEN,
            SAME_STARTS,
            OPPONENTS,
            *_unequal_puzzles(found),
        ),
    )


def _by_puzzle(
    found: Sequence[Written], drawn: Sequence[DrawnProgram], played: Mapping[str, tuple[str, str]]
) -> ScoreTable:
    rows = list[list[Cell]]()
    for each in found:
        row: list[Cell] = [each.model, each.puzzle, _paper_of(each.puzzle)]
        row += [*played.get(each.puzzle, (None, None))]
        row += [len(each.programs), _different([each], drawn)]
        row += [each.matches, each.samples.starts if each.samples else 0, each.missing]
        if each.samples:
            row += [ranged(each.samples.average()), each.samples.best()]
            rows.append([*row, ranged(each.chosen) if each.chosen else None])
        else:
            rows.append([*row, None, None, None])
    head = ("player", "puzzle", "paper", "version", "seeds", "programs", "different", "n", "starts")
    return score_table(
        "programs_by_puzzle",
        "Programs of models by puzzle",
        f"{SCORE}average: the mean over programs, with its 95 % interval over programs and starts; "
        f"best of all: the highest score of a program.",
        (*head, "missing", "average", "best of all", "best, other half"),
        rows,
        (IN_PAPER, CHOSEN, SAME_STARTS, OPPONENTS),
    )


def _paper_of(puzzle: str) -> str | None:
    """Return the paper in which models write programs for a puzzle."""
    return next((paper.title for paper in papers() if puzzle in paper.programs), None)


def _played(seats: pa.Table) -> dict[str, tuple[str, str]]:
    """Return the versions and the seeds of each puzzle that programs have played, in words."""
    columns = SeatColumns(seats)
    columns = columns.only(_of_samples(columns) & ~np.isnan(columns.numbers("score")))
    version, seed = columns.numbers("version"), columns.whole("seed")
    return {
        f"{task}:{puzzle}" if task else str(puzzle): (
            ", ".join(f"{number:.0f}" for number in np.unique(version[at]) if number == number),
            in_ranges(np.unique(seed[at]).tolist()),
        )
        for (task, puzzle), at in grouped(columns.texts("task"), columns.texts("puzzle"))
    }


def _of_samples(columns: SeatColumns) -> Flags:
    """Return which rows are of programs that are samples."""
    names = columns.texts("player")
    found: Flags = np.array([*map(is_sample, names.names), False], bool)[names.codes]
    return found


def _best_of(found: Sequence[Written]) -> ScoreTable:
    rows = list[list[Cell]]()
    for model, own in _of_models(found):
        samples = [each.samples for each in own if each.samples]
        fewest = min(map(len, samples), default=0)
        sizes = [1 << power for power in range(fewest.bit_length())]
        for k in dict.fromkeys([*sizes, fewest]) if fewest else ():
            best: Cell = ranged(average([each.best_of(k) for each in samples]))
            if 1 < k == fewest:
                best = fmean(each.best_of(k).mean for each in samples)
            rows.append([model, len(samples), _span(list(map(len, samples))), k, best])
    return score_table(
        "programs_best_of",
        "Best of k programs",
        f"{SCORE}best@k: the expected score of the best of k of a model's programs, drawn without "
        f"replacement: with scores in ascending order, the sum of C(j - 1, k - 1) / C(n, k) times "
        f"the j-th of n; by puzzle, then the mean over puzzles. 95 % interval over programs (by "
        f"leaving out each) and starts.",
        ("player", "puzzles", "programs", "k", "best@k"),
        rows,
        (
            (
                "The best is chosen by the scores that it has on these starts. The best of all "
                "programs has no interval, because no further ones were drawn."
            ),
            SAME_STARTS,
        ),
    )


def _statuses(seats: pa.Table) -> ScoreTable:
    """Return how the matches of each model's programs ended, and by whom."""
    columns = without_copies(SeatColumns(seats))
    columns = columns.only(_of_samples(columns))
    status, known = statuses_of(columns), ~np.isnan(columns.numbers("score"))
    own = np.where(columns.numbers("lost_by_failure") == 1, status, -1)
    imports = failed_imports(columns)
    rows = list[list[Cell]]()
    for (model,), at in grouped(families(columns.texts("player"))):
        at = at[known[at]]
        if not len(at):
            continue
        shares: list[Cell] = [float((status[at] == 0).mean())]
        shares += [float((own[at] == code).mean()) for code in range(1, len(NAMES))]
        others = float(((status[at] > 0) & (own[at] < 0)).mean())
        rows.append([model, len(at), *shares, others, float(imports[at].mean())])
    rows.sort(key=lambda row: str(row[0]))
    return score_table(
        "programs_statuses",
        "How matches of programs ended",
        "Shares of the n matches with a result. legal: the rules ended the match; the next "
        "columns: the program lost it by a failure of its own, by kind; then: an opponent failed. "
        f"{FAILED_IMPORT}: of the runtime errors, imports that failed.",
        ("player", "n", *NAMES, "failure of an opponent", FAILED_IMPORT),
        rows,
        ("The shares from legal to the failure of an opponent add up to 1.",),
    )


def _tokens(drawn: Sequence[DrawnProgram]) -> ScoreTable:
    """Return what the programs of each model took to be written."""
    models = defaultdict[str, list[DrawnProgram]](list)
    for program in drawn:
        models[program.author].append(program)
    rows = list[list[Cell]]()
    for model, own in sorted(models.items()):
        tokens = [program.tokens for program in own]
        deviation = stdev(tokens) if len(tokens) > 1 else None
        counts = [
            len({program.puzzle for program in own}),
            len(own),
            sum(not program.code for program in own),
            sum(program.replies for program in own),
            sum(program.repairs for program in own),
            sum(program.read for program in own),
            sum(tokens),
        ]
        rows.append([model, *counts, fmean(tokens), deviation])
    head = ("player", "puzzles", "programs", "without code", "replies", "repairs")
    return score_table(
        "programs_tokens",
        "Tokens of programs",
        "Over all programs that a model was asked for. without code: programs without code; "
        "replies: how many were asked for; repairs: how many of these followed a failed trial "
        "match. Then the tokens read and written, and the mean and standard deviation (n - 1) of "
        "the tokens written per program.",
        (*head, "tokens read", "tokens written", "per program", "per program: deviation"),
        rows,
        (
            (
                "Tokens are those that servers counted. A program is written once; playing it uses "
                "no tokens."
            ),
        ),
    )


def _of_models(found: Sequence[Written]) -> Iterable[tuple[str, list[Written]]]:
    models = defaultdict[str, list[Written]](list)
    for each in found:
        models[each.model].append(each)
    return models.items()


def _span(counts: Sequence[int]) -> Cell:
    """Return a number, or the lowest and the highest of several."""
    low, high = min(counts), max(counts)
    return low if low == high else f"{low}-{high}"


def _different(own: Sequence[Written], drawn: Collection[DrawnProgram]) -> Cell:
    """Return how many programs have different texts; None if their texts are not known."""
    hashes = {(each.puzzle, each.player): each.hash for each in drawn}
    of_puzzles = [
        {hashes.get((written.puzzle, player)) for player in written.programs} for written in own
    ]
    return None if any(None in found for found in of_puzzles) else sum(map(len, of_puzzles))


def _unequal_puzzles(found: Sequence[Written]) -> list[str]:
    """Return a note if models have programs for different puzzles."""
    puzzles = {model: {each.puzzle for each in own} for model, own in _of_models(found)}
    if len(set(map(frozenset, puzzles.values()))) < 2:
        return []
    return ["The models have programs for different puzzles, so their rows are not comparable."]
