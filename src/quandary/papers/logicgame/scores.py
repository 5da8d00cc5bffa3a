"""The scores of LogicGame: answers, processes and both, and replies without readable JSON.

Every reply has the same weight: the paper's "Overall" is right items / all items, and the "Avg." of
its NIJ-Acc, which a caption calls the mean of two, is of this kind too.  Intervals are ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from quandary.scoring.groups import (
    SeatColumns,
    asked_puzzles,
    grouped,
    mean_with_interval,
)
from quandary.scoring.score import score
from quandary.scoring.score_table import Cell, ScoreTable, score_table

from .comparisons import LANGUAGE, SETTINGS, SHOTS, differences, language_means
from .scored_items import (
    CORRECTNESS,
    FIGURES,
    HALF_RIGHT,
    LENIENT,
    PLAYERS,
    ScoredItems,
    count_of,
    in_order,
)

if TYPE_CHECKING:
    import pyarrow as pa

SCORED = "domain"
COLUMNS: tuple[str, ...] = (
    "run", "match", "task", "puzzle", "level", "split", "family", "instance", "language", "player",
    "modality", "shots", *SETTINGS, "score", "domain", "error", "answer_right", "process_share",
    "lenient_answer_right", "lenient_right", "first_wrong_share",
)  # fmt: skip
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
PLACES = (
    "1 means that the last entry is the first wrong one, or that there are too many entries. "
    "Replies without readable JSON, and questions that ask for no process, are not among the n."
)


@score("LogicGame", columns=COLUMNS, scored=SCORED, summary=["logicgame_domains"])
def tables(seats: pa.Table) -> Iterator[ScoreTable]:
    own = SeatColumns(seats)
    items = ScoredItems(own.only(own.texts(SCORED).codes >= 0))
    if not len(items.seats):
        return
    both, domain = items.domains(), items.domains()[:1]
    puzzles, families = asked_puzzles(items.seats), items.seats.texts("family")
    yield _table("domains", "Worked answers", items.rows(both), "domain")
    rows = items.rows(both, items.levels())
    yield _table("levels", "Worked answers by level", rows, "domain", "level")
    rows = items.rows(domain, puzzles)
    yield _table("categories", "Worked answers by category", rows, "domain", "category")
    rows, heads = items.rows(domain, puzzles, families), ("domain", "category", "family")
    yield _table("families", "Worked answers by family", rows, *heads)
    yield score_table(
        "logicgame_lenient",
        "Worked answers, judged leniently",
        f"{WEIGHTS} The lenient figures treat 1, 1.0 and \"1\" as equal, and ignore blanks around "
        f"texts.",
        (*PLAYERS, "domain", "n", "left out", *LENIENT),
        items.rows(both, figures=LENIENT),
        (COUNTED,),
    )  # fmt: skip
    yield _both_languages(items)
    yield _differences("languages", "Differences between languages", items, LANGUAGE)
    yield _differences("shots", "Differences between numbers of shots", items, SHOTS)
    yield _first_wrong_steps(items)


def _table(key: str, title: str, rows: Sequence[Sequence[Cell]], *heads: str) -> ScoreTable:
    head = (*PLAYERS, *heads, "n", "left out", *FIGURES)
    notes = ERRORS, HALF, COUNTED
    return score_table(f"logicgame_{key}", title, FORMULA, head, rows, notes, main="AP-Acc")


def _both_languages(items: ScoredItems) -> ScoreTable:
    return score_table(
        "logicgame_both_languages",
        "Worked answers, mean of languages",
        "Means over languages, each with the same weight, of players who were asked in several; n "
        "replies in all, with 95 % intervals over starts.",
        ("player", "shots", "languages", "domain", "level", "n", *CORRECTNESS),
        language_means(items),
    )


def _differences(key: str, title: str, items: ScoredItems, setting: str) -> ScoreTable:
    kept = SHOTS if setting == LANGUAGE else LANGUAGE
    return score_table(
        f"logicgame_{key}",
        title,
        "A-Acc, P-Acc and AP-Acc with `to` minus those with `from`, for the same player on the "
        "same instances (pairs) with otherwise the same settings; 95 % intervals over starts.",
        ("player", kept, "from", "to", "domain", "level", "pairs", *CORRECTNESS),
        differences(items, setting),
    )


def _first_wrong_steps(items: ScoredItems) -> ScoreTable:
    """Return where a process that is asked for goes wrong."""
    seats, share, found = items.seats, items.first_wrong, list[list[Cell]]()
    players = [seats.texts(name) for name in PLAYERS]
    for domain, level in items.parts():
        for (player, shots, *part), every in grouped(*players, domain, level):
            at = every[~np.isnan(share[every])]
            if len(at):
                mean = mean_with_interval(share[at], seats.starts[at])
                found.append([player, count_of(shots), *part, len(at), mean])
    return score_table(
        "logicgame_first_wrong_steps",
        "First wrong steps",
        "Mean over the n replies with a wrong process: the place of the first wrong entry, divided "
        "by the number of entries of the right process; 95 % intervals over starts.",
        (*PLAYERS, "domain", "level", "n", "first wrong step"),
        in_order(found, len(PLAYERS), 1),
        (PLACES,),
    )
