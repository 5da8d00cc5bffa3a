"""The scores of LogicGame: answers, processes and both, and replies without readable JSON.

Every reply has the same weight: the paper's "Overall" is right items / all items, and the "Avg." of
its NIJ-Acc, which a caption calls the mean of two, is of this kind too.  Intervals are ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from quandary.core.json_answers import MALFORMED, NO_JSON
from quandary.scoring.groups import (
    SeatColumns,
    Texts,
    asked_puzzles,
    grouped,
    joined,
    mean_with_interval,
    played_levels,
)
from quandary.scoring.score import score
from quandary.scoring.score_table import Cell, ScoreTable, score_table
from quandary.statistics.estimates import Floats, Ints, floats

if TYPE_CHECKING:
    import pyarrow as pa

SCORED = "domain"
COLUMNS: tuple[str, ...] = (
    "run", "match", "task", "puzzle", "level", "split", "family", "instance", "language", "player",
    "shown", "shots", "score", "domain", "error", "answer_right", "process_share",
    "lenient_answer_right", "lenient_right",
)  # fmt: skip
PLAYERS = ("player", "shots", "language")  # what the rows of all tables begin with
HALF_RIGHT = "right answer, wrong process"
FIGURES = ("A-Acc", "P-Acc", "AP-Acc", "IFError", "JSError", "NIJ-Acc", HALF_RIGHT)
LENIENT = ("A-Acc", "lenient A-Acc", "AP-Acc", "lenient AP-Acc")
WEIGHTS = "Means over n replies, each with the same weight, with 95 % intervals over starts."
FORMULA = (
    f"{WEIGHTS} A-Acc: the answer is right; P-Acc: share of the process that agrees from the left; "
    f"AP-Acc: both are right; NIJ-Acc = AP-Acc / (1 - IFError - JSError)."
)
ERRORS = (
    "IFError: share of replies without JSON; JSError: share of replies whose JSON breaks off or "
    "does not parse. All parts of such replies count as wrong."
)
HALF = f"{HALF_RIGHT}: share of all n replies."
COUNTED = (
    "Of several replies in a match the last one counts. left out: matches without a result, "
    "because the infrastructure failed; they are not among the n."
)


@score("LogicGame", columns=COLUMNS, scored=SCORED, summary=["logicgame_domains"])
def tables(seats: pa.Table) -> Iterator[ScoreTable]:
    own = SeatColumns(seats)
    items = Items(own.only(own.texts(SCORED).codes >= 0))
    if not len(items.seats):
        return
    both, domain = items.domains(), items.domains()[:1]
    puzzles, levels = asked_puzzles(items.seats), played_levels(items.seats)
    families = items.seats.texts("family")
    yield _table("domains", "Worked answers", items.rows(both), "domain")
    yield _table("levels", "Worked answers by level", items.rows(both, levels), "domain", "level")
    rows = items.rows(domain, puzzles)
    yield _table("categories", "Worked answers by category", rows, "domain", "category")
    rows, heads = items.rows(domain, puzzles, families), ("domain", "category", "family")
    yield _table("families", "Worked answers by family", rows, *heads)
    yield score_table(
        "logicgame_lenient",
        "Worked answers, judged leniently",
        f"{WEIGHTS} The lenient figures take 1, 1.0 and \"1\" for equal, and ignore blanks around "
        f"texts.",
        (*PLAYERS, "domain", "n", "left out", *LENIENT),
        items.rows(both, figures=LENIENT),
        (COUNTED,),
    )  # fmt: skip


def _table(key: str, title: str, rows: Sequence[Sequence[Cell]], *heads: str) -> ScoreTable:
    head = (*PLAYERS, *heads, "n", "left out", *FIGURES)
    return score_table(f"logicgame_{key}", title, FORMULA, head, rows, (ERRORS, HALF, COUNTED))


class Items:
    """Replies to questions with worked answers, as arrays with an entry for each."""

    def __init__(self, seats: SeatColumns) -> None:
        self.seats = seats
        score, error = seats.numbers("score"), seats.texts("error")
        self.has_result = ~np.isnan(score)
        is_right, answer = score >= 1.0, seats.numbers("answer_right")
        without, broken = error.where(NO_JSON), error.where(MALFORMED)
        self.figures: dict[str, Floats] = {  # nan: the reply does not count
            "A-Acc": answer,
            "P-Acc": seats.numbers("process_share"),
            "AP-Acc": floats(is_right),
            "IFError": floats(without),
            "JSError": floats(broken),
            # AP is 0 where there is an error, so this mean over the others is the paper's quotient.
            "NIJ-Acc": np.where(without | broken, np.nan, is_right),
            HALF_RIGHT: floats((answer >= 1.0) & ~is_right),
            "lenient A-Acc": seats.numbers("lenient_answer_right"),
            "lenient AP-Acc": seats.numbers("lenient_right"),
        }

    def domains(self) -> list[Texts]:
        """The domain of each reply, and where there are several all of them together; questions
        that are shown as pictures stand apart.
        """
        own = [self.seats.texts("domain"), self.seats.texts("shown")]
        each = joined(own, lambda domain, shown: f"{domain}{_pictured(shown)}")
        every = joined(own, lambda _, shown: f"all{_pictured(shown)}")
        return [each, every] if len(each.names) > len(every.names) else [each]

    def rows(
        self, domains: Sequence[Texts], *columns: Texts, figures: Sequence[str] = FIGURES
    ) -> list[list[Cell]]:
        """A row for each player, domain and what else columns tell apart."""
        found, players = list[list[Cell]](), [self.seats.texts(name) for name in PLAYERS]
        for domain in domains:
            for (player, shots, *other), at in grouped(*players, domain, *columns):
                key = [player, None if shots is None else int(shots), *other]
                found.append([*key, *self._cells(at, figures)])
        width = len(PLAYERS) + 1 + len(columns)
        return sorted(found, key=lambda row: _order(row[:width]))

    def _cells(self, every: Ints, figures: Sequence[str]) -> list[Cell]:
        at = every[self.has_result[every]]
        starts = self.seats.starts[at]
        shares = [mean_with_interval(self.figures[name][at], starts) for name in figures]
        return [len(at), len(every) - len(at), *shares]


def _pictured(shown: str | None) -> str:
    return "" if shown in (None, "text") else f" ({shown})"


def _order(key: Sequence[Cell]) -> tuple[object, ...]:
    """By player first; all domains together stand last."""
    domain = str(key[len(PLAYERS)])
    return *map(str, key[: len(PLAYERS)]), domain.startswith("all"), *map(str, key[len(PLAYERS) :])
