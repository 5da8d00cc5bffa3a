"""Bradley-Terry of 20 players and 20,000 matches with 1,000 bootstraps, compared with choix.

Ours fits a seat effect too. choix has neither ties nor seats, so no match is tied. It is timed on 5
fits to resampled matches; the time for 1,000 is 1,000 times the quickest of them.
"""

from __future__ import annotations

from time import process_time

import numpy as np

from quandary.statistics.comparisons import Comparisons
from quandary.statistics.davidson import bootstrap_fits, fit
from quandary.statistics.estimates import Floats

PLAYERS, COUNT, DRAWS = 20, 20_000, 1_000
THEIR_FITS, PRIOR = 5, 1e-4


def matches(rng: np.random.Generator, starts: int | None = None) -> Comparisons:
    """Comparisons of random pairs; with `starts`, they are spread over so many."""
    strengths = np.linspace(-1.5, 1.5, PLAYERS)
    one = rng.integers(PLAYERS, size=COUNT)
    other = (one + rng.integers(1, PLAYERS, size=COUNT)) % PLAYERS
    chance = 1 / (1 + np.exp(strengths[other] - strengths[one]))
    result = (rng.random(COUNT) < chance) * 1.0
    clusters = np.arange(COUNT) if starts is None else rng.integers(starts, size=COUNT)
    names = tuple(f"player {number:02}" for number in range(PLAYERS))
    return Comparisons(names, one, other, result, np.unique(clusters, return_inverse=True)[1])


def _ours(played: Comparisons) -> float:
    begun = process_time()
    bootstrap_fits(played, np.random.default_rng(1), DRAWS)
    return process_time() - begun


def _theirs(played: Comparisons) -> tuple[float, float, Floats]:
    """Seconds of one fit by choix, from lists of matches and from a matrix of counts; and its
    strengths for the matches themselves.
    """
    import choix

    rng, listed, dense = np.random.default_rng(1), list[float](), list[float]()
    won = played.result == 1
    pairs = np.stack([played.first, played.second], axis=1)
    pairs[~won] = pairs[~won, ::-1]
    for _ in range(THEIR_FITS):
        drawn = pairs[rng.integers(COUNT, size=COUNT)]
        data = [(int(win), int(lose)) for win, lose in drawn]
        begun = process_time()
        choix.ilsr_pairwise(PLAYERS, data, alpha=PRIOR)
        listed.append(process_time() - begun)
        begun = process_time()
        counts = np.zeros((PLAYERS, PLAYERS))
        np.add.at(counts, (drawn[:, 0], drawn[:, 1]), 1)
        choix.ilsr_pairwise_dense(counts, alpha=PRIOR)
        dense.append(process_time() - begun)
    strengths = choix.ilsr_pairwise(PLAYERS, [(int(a), int(b)) for a, b in pairs], alpha=PRIOR)
    return min(listed), min(dense), strengths


def table() -> list[str]:
    """Seconds of processor time, in one run; the strengths of both must agree."""
    rng = np.random.default_rng(13)
    each, shared = matches(rng), matches(rng, starts=1_000)
    listed, dense, strengths = _theirs(each)
    unseated = Comparisons(
        each.players, each.first, each.second, each.result, each.clusters, seated=False
    )
    apart = np.abs(fit(unseated).strengths - (strengths - strengths.mean())).max()
    assert apart < 0.02, apart
    rows = [
        ("quandary, each match its own cluster", _ours(each)),
        ("quandary, 1,000 clusters", _ours(shared)),
        ("choix, `ilsr_pairwise_dense`", dense * DRAWS),
        ("choix, `ilsr_pairwise`", listed * DRAWS),
    ]
    return [
        "| | seconds of 1,000 bootstraps | ratio |",
        "|---|---|---|",
        *(f"| {name} | {taken:,.2f} | {rows[-1][1] / taken:,.0f} x |" for name, taken in rows),
        "",
        f"The strengths of both differ by at most {apart:.4f}.",
    ]
