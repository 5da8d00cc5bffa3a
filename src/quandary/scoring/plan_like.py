"""What an earlier run tells a plan: how much scores vary, and how much a model writes."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from quandary.core.errors import UserError
from quandary.results.run_context import context_of
from quandary.results.table import seats
from quandary.statistics.clusters import cluster_means
from quandary.statistics.estimates import numbered
from quandary.statistics.power import deviation_of_differences

from .plan_power import CORRELATION

COLUMNS = (
    "puzzle", "level", "player", "instance", "score", "model", "replies", "tokens_written",
)  # fmt: skip


class Measured(NamedTuple):
    """Of an earlier run."""

    deviation: float  # of the difference of two players on one start
    written: float | None  # tokens per reply; None without models


def measured_in(folder: Path) -> Measured:
    """The standard deviation of scores between starts, over all levels and players, and the
    tokens of a model's reply.
    """
    import pyarrow.compute as pc

    context_of(folder)  # refuses what is not a run
    rows = seats(folder, columns=COLUMNS)
    models = rows.filter(pc.is_valid(rows["model"]))
    replies = pc.sum(models["replies"]).as_py() or 0
    written = pc.sum(models["tokens_written"]).as_py()
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
    if not variances or not sum(variances):
        raise UserError(
            f"{folder} has no level of which the scores vary between starts, so it cannot tell "
            f"how much they would; leave --like out, or name a run with more seeds."
        )
    deviation = float(np.mean(variances)) ** 0.5
    return Measured(
        deviation_of_differences(deviation, deviation, CORRELATION),
        written / replies if written and replies else None,
    )
