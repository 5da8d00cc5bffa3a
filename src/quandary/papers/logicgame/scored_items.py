"""Replies to questions with worked answers as arrays, and their figures in groups."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from quandary.core.json_answers import MALFORMED, NO_JSON
from quandary.scoring.groups import (
    SeatColumns,
    Texts,
    grouped,
    joined,
    mean_with_interval,
    played_levels,
)
from quandary.scoring.score_table import Cell
from quandary.statistics.estimates import Floats, Ints, floats

PLAYERS = ("player", "shots", "language")  # what the rows of most tables begin with
CORRECTNESS = ("A-Acc", "P-Acc", "AP-Acc")
HALF_RIGHT = "right answer, wrong process"
FIGURES = (*CORRECTNESS, "IFError", "JSError", "NIJ-Acc", HALF_RIGHT)
LENIENT = ("A-Acc", "lenient A-Acc", "AP-Acc", "lenient AP-Acc")
ALL = "all"  # domains together, or levels
FAMILY = re.compile(r",family=[^,@]*")  # in a level


class ScoredItems:
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
        # The first wrong entry of a process as a share of its entries; nan without one.
        self.first_wrong = seats.numbers("first_wrong_share")

    def domains(self) -> list[Texts]:
        """Return the domain of each reply, and where there are several all of them together;
        questions that are shown as pictures stand apart.
        """
        own = [self.seats.texts("domain"), self.seats.texts("modality")]
        each = joined(own, lambda domain, shown: f"{domain}{_pictured(shown)}")
        every = joined(own, lambda _, shown: f"{ALL}{_pictured(shown)}")
        return [each, every] if len(each.names) > len(every.names) else [each]

    def levels(self) -> Texts:
        """Return the level of each reply, whether or not its instance was drawn of a chosen
        family.
        """
        return joined([played_levels(self.seats)], lambda level: FAMILY.sub("", level))

    def parts(self) -> Iterator[tuple[Texts, Texts]]:
        """Domains, apart and together, each with its levels, apart and together."""
        every_level = Texts(np.zeros(len(self.seats), np.int64), [ALL])
        for domain in self.domains():
            for level in (self.levels(), every_level):
                yield domain, level

    def rows(
        self, domains: Sequence[Texts], *columns: Texts, figures: Sequence[str] = FIGURES
    ) -> list[list[Cell]]:
        """Return a row for each player, domain and what else columns tell apart."""
        found, players = list[list[Cell]](), [self.seats.texts(name) for name in PLAYERS]
        for domain in domains:
            for (player, shots, *other), at in grouped(*players, domain, *columns):
                key = [player, count_of(shots), *other]
                found.append([*key, *self._cells(at, figures)])
        return in_order(found, len(PLAYERS), len(columns))

    def _cells(self, every: Ints, figures: Sequence[str]) -> list[Cell]:
        at = every[self.has_result[every]]
        starts = self.seats.starts[at]
        shares = [mean_with_interval(self.figures[name][at], starts) for name in figures]
        return [len(at), len(every) - len(at), *shares]


def count_of(shots: str | None) -> int | None:
    return None if shots is None else int(shots)


def in_order(rows: Sequence[list[Cell]], players: int, more: int = 0) -> list[list[Cell]]:
    """Rows of a table, by the cells before and after the domain; what is together stands last."""

    def place(row: list[Cell]) -> tuple[object, ...]:
        domain, others = str(row[players]), row[players + 1 : players + 1 + more]
        return *map(str, row[:players]), domain.startswith(ALL), domain, *map(str, others)

    return sorted(rows, key=place)


def _pictured(shown: str | None) -> str:
    return "" if shown in (None, "text") else f" ({shown})"
