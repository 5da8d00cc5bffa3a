"""What an earlier run tells a plan: how much scores vary, and how much a model writes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from quandary.arena.drawn_programs import stored_programs
from quandary.core.errors import UserError
from quandary.results.run_context import context_of
from quandary.results.table import seats
from quandary.statistics.clusters import cluster_means
from quandary.statistics.estimates import numbered
from quandary.statistics.power import deviation_of_differences

from .power import CORRELATION

if TYPE_CHECKING:
    import pyarrow as pa

COLUMNS = (
    "puzzle", "level", "player", "instance", "score", "model", "replies", "tokens_written",
)  # fmt: skip


class EarlierRun(NamedTuple):
    """Of an earlier run."""

    deviation: float | None  # of the difference of two players on one start; None: unknown
    reply: float | None  # tokens of a whole reply of a model, answer included; None: unknown


def measured_in(folder: Path) -> EarlierRun:
    """Return the standard deviation of scores between starts, over all levels and players, and the
    tokens of a model's reply.
    """
    context_of(folder)  # refuses what is not a run
    rows = seats(folder, columns=COLUMNS)
    found = EarlierRun(_deviation(rows), _reply(rows) or _reply_with_program(folder))
    if found == (None, None):
        raise UserError(
            f"{folder} has no level whose scores vary between starts and no model whose tokens are "
            "known, so no estimate follows from it; leave out --from-run, or name a run with more "
            "seeds."
        )
    return found


def _reply(rows: pa.Table) -> float | None:
    """Return the tokens of a reply, on average over matches of which they are known."""
    import pyarrow.compute as pc

    known = rows.filter(pc.and_(pc.is_valid(rows["model"]), pc.is_valid(rows["tokens_written"])))
    replies, written = (pc.sum(known[name]).as_py() for name in ("replies", "tokens_written"))
    return float(written / replies) if replies and written else None


def _reply_with_program(folder: Path) -> float | None:
    """Return the same of replies that were to be programs."""
    drawn = stored_programs(folder)
    written = sum(program.tokens for program in drawn)
    return written / sum(program.replies for program in drawn) if written else None


def _deviation(rows: pa.Table) -> float | None:
    """That of the difference of two players; None if scores do not vary."""
    import pyarrow.compute as pc

    scored = rows.filter(pc.is_valid(rows["score"]))
    scores = scored["score"].to_numpy()
    groups = np.zeros(len(scored), np.int64)
    for name in ("puzzle", "level", "player"):
        codes = pc.dictionary_encode(scored[name]).combine_chunks().indices.to_numpy()
        groups = groups * (int(codes.max(initial=0)) + 1) + codes
    starts = pc.dictionary_encode(scored["instance"]).combine_chunks().indices.to_numpy()
    variances = []
    for group in np.unique(groups):
        own = np.flatnonzero(groups == group)
        means, _ = cluster_means(scores[own], numbered(starts[own], len(own)))
        if len(means) > 1:
            variances.append(float(means.var(ddof=1)))
    if not sum(variances):
        return None
    deviation = float(np.mean(variances)) ** 0.5
    return deviation_of_differences(deviation, deviation, CORRELATION)
