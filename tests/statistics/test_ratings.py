"""Davidson's model: known solutions, scales, ranks and bands."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from quandary.statistics import davidson
from quandary.statistics.comparisons import (
    Comparisons,
    Counts,
    by_score,
    comparisons,
    is_finite,
    parts,
)
from quandary.statistics.davidson import bootstrap_fits, fit, fit_counts
from quandary.statistics.ratings import ratings

NAMES = ("ann", "bob", "cat")


def _table(rows: list[tuple[str, str, int, int, int]], *, seated: bool = False) -> Comparisons:
    """Comparisons from counts: first, second, won, tied and lost by the first."""
    first, second, result = list[str](), list[str](), list[float]()
    for one, other, *counts in rows:
        first += [one] * sum(counts)
        second += [other] * sum(counts)
        result += np.repeat([1.0, 0.5, 0.0], counts).tolist()
    return comparisons(first, second, result, seated=seated)


def _counts(played: Comparisons) -> Counts:
    """Wins and ties of each pair, whatever the seats."""
    size = (len(played.players),) * 2
    wins, ties = np.zeros(size, np.int64), np.zeros(size, np.int64)
    one, other, result = played.first, played.second, played.result
    np.add.at(wins, (one[result == 1], other[result == 1]), 1)
    np.add.at(wins, (other[result == 0], one[result == 0]), 1)
    np.add.at(ties, (one[result == 0.5], other[result == 0.5]), 1)
    return Counts(wins, ties + ties.T)


def _simulated(strengths: list[float], seat: float, tie: float, count: int) -> Comparisons:
    rng, size = np.random.default_rng(4), len(strengths)
    one = rng.integers(size, size=count)
    other = (one + rng.integers(1, size, size=count)) % size
    off = np.array(strengths)[one] - np.array(strengths)[other] + seat
    chances = np.stack([np.exp(off / 2), np.full(count, tie), np.exp(-off / 2)])
    drawn = rng.random(count) * chances.sum(axis=0)
    result = np.where(drawn < chances[0], 1, np.where(drawn < chances[:2].sum(axis=0), 0.5, 0))
    return comparisons([f"p{i}" for i in one], [f"p{i}" for i in other], result)


def test_a_davidson_table_with_a_known_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts in the very proportions of p = (4, 1, 1/4) and tie = 1/2.

    ann - bob and bob - cat: 4 : 0.5 * 2 : 1; ann - cat: 4 : 0.5 * 1 : 0.25.  Without a prior,
    the fit is exact.
    """
    monkeypatch.setattr(davidson, "PRIOR", 1e-6)
    rows = [("ann", "bob", 40, 10, 10), ("bob", "cat", 40, 10, 10), ("ann", "cat", 160, 20, 10)]
    found = fit(_table(rows))

    assert found.strengths == pytest.approx(np.log([4, 1, 1 / 4]), abs=1e-5)
    assert (float(found.tie), float(found.seat)) == pytest.approx((0.5, 0.0), abs=1e-5)
    assert found.win_matrix()[0, 1] == pytest.approx(4 / 6)
    assert found.tie_matrix()[0, 2] == pytest.approx(0.5 / 4.75)
    total = found.win_matrix() + found.win_matrix().T + found.tie_matrix()
    assert total[~np.eye(3, dtype=bool)] == pytest.approx(np.ones(6))


def test_two_players_are_a_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    """With seats: the odds of the one in both seats give strength and seat effect by hand."""
    monkeypatch.setattr(davidson, "PRIOR", 1e-6)
    found = fit(_table([("ann", "bob", 80, 0, 20), ("bob", "ann", 50, 0, 50)], seated=True))

    assert found.strengths[0] - found.strengths[1] == pytest.approx(np.log(4) / 2, abs=1e-5)
    assert float(found.seat) == pytest.approx(np.log(4) / 2, abs=1e-5)
    assert float(found.tie) == 0.0
    assert found.win_matrix()[0, 1] == pytest.approx((0.8 + 0.5) / 2, abs=1e-5)


def test_newton_finds_what_a_general_optimiser_finds() -> None:
    """The likelihood with the prior's half comparisons, written down once more and maximised."""
    played = _simulated([1.0, 0.3, -0.2, -1.1], 0.4, 0.6, 300)
    one, other, result = played.first, played.second, played.result

    def loss(parameters: np.ndarray) -> float:
        strengths, seat, tie = parameters[:4], parameters[4], np.exp(parameters[5])
        half = (strengths[one] - strengths[other] + seat) / 2
        total = np.log(np.exp(half) + tie + np.exp(-half))
        own = np.where(result == 1, half, np.where(result == 0, -half, np.log(tie)))
        loss = (total - own).sum()
        for half in (*(strengths / 2), seat / 2):
            loss += 0.5 * (2 * np.log(np.exp(half) + tie + np.exp(-half)))
        return float(loss)

    theirs = minimize(loss, np.zeros(6), method="BFGS", options={"gtol": 1e-8}).x
    ours = fit(played)

    assert ours.strengths == pytest.approx(theirs[:4] - theirs[:4].mean(), abs=1e-4)
    assert float(ours.seat) == pytest.approx(theirs[4], abs=1e-4)
    assert float(ours.tie) == pytest.approx(np.exp(theirs[5]), abs=1e-4)


@pytest.mark.parametrize("seated", [False, True])
def test_strengths_exist_whatever_happened(seated: bool) -> None:
    """Undefeated players, ties alone, a single game, and sets that never met."""
    tables = [
        [("ann", "bob", 30, 0, 0), ("bob", "cat", 30, 0, 0), ("ann", "cat", 30, 0, 0)],
        [("ann", "bob", 0, 9, 0)],
        [("ann", "bob", 1, 0, 0)],
        [("ann", "bob", 3, 1, 2), ("cat", "dan", 1, 0, 5)],
    ]
    for rows in tables:
        played = _table(rows, seated=seated)
        found, drawn = fit(played), bootstrap_fits(played, np.random.default_rng(1), 50)
        assert np.isfinite(found.strengths).all() and np.isfinite(drawn.strengths).all()
        assert found.strengths.sum() == pytest.approx(0, abs=1e-9)
        assert seated or not np.any(drawn.seat)
    winner = fit(_table(tables[0])).strengths
    assert winner[0] - winner[1] > 2


def test_weights_without_clusters_have_the_spread_of_clusters_of_one() -> None:
    """The short way of drawing weights is the long one's: both agree with the curvature."""
    played = _simulated([0.8, 0.0, -0.8], 0.2, 0.5, 2_000)
    short = bootstrap_fits(played, np.random.default_rng(1), 800).strengths.std(axis=0)
    twin = np.append(
        np.arange(1_999), 1_998
    )  # two comparisons share a cluster, so nothing is skipped
    paired = Comparisons(played.players, played.first, played.second, played.result, twin)
    long = bootstrap_fits(paired, np.random.default_rng(2), 800).strengths.std(axis=0)

    assert short == pytest.approx(long, rel=0.12)


def test_matches_that_share_a_start_count_once() -> None:
    """Each game ten times in one cluster: intervals as long as those of the single comparisons."""
    played = _simulated([0.8, 0.0, -0.8], 0.2, 0.5, 400)
    many = np.repeat(np.arange(400), 10)
    tenfold = Comparisons(
        played.players, played.first[many], played.second[many], played.result[many], many
    )
    one = ratings(played, np.random.default_rng(1)).rows[0]
    other = ratings(tenfold, np.random.default_rng(1)).rows[0]

    assert other.high - other.low == pytest.approx(one.high - one.low, rel=0.15)


def test_anchors_fix_the_scale() -> None:
    """One player at 0, another at 1: both exactly, in every draw."""
    played = _simulated([1.5, 0.7, 0.0, -1.0], 0.3, 0.4, 3_000)
    plain = ratings(played, np.random.default_rng(1), draws=200)
    found = ratings(played, np.random.default_rng(1), anchors=("p3", "p0"), draws=200)
    rows = {row.player: row for row in found.rows}

    assert [row.player for row in found.rows] == ["p0", "p1", "p2", "p3"]
    assert (rows["p3"].low, rows["p3"].strength, rows["p3"].high) == (0, 0, 0)
    assert (rows["p0"].low, rows["p0"].strength, rows["p0"].high) == pytest.approx((1, 1, 1))
    strengths = {row.player: row.strength for row in plain.rows}
    share = (strengths["p1"] - strengths["p3"]) / (strengths["p0"] - strengths["p3"])
    assert rows["p1"].strength == pytest.approx(share)
    assert rows["p1"].low < 1.7 / 2.5 < rows["p1"].high
    assert found.seat[0] < 0.3 < found.seat[1] and found.tie[0] < 0.4 < found.tie[1]
    for wrong in (("nobody",), ("p0", "p0"), ("p0", "p1", "p2")):
        with pytest.raises(ValueError, match="anchors"):
            ratings(played, np.random.default_rng(1), anchors=wrong, draws=10)


def test_ranks_and_bands() -> None:
    """Two strong players who are alike and one weak one."""
    rows = [("ann", "bob", 51, 0, 49), ("ann", "cat", 90, 0, 10), ("bob", "cat", 90, 0, 10)]
    found = ratings(_table(rows), np.random.default_rng(1))

    assert [(row.player, row.best_rank, row.worst_rank) for row in found.rows] == [
        ("ann", 1, 2),
        ("bob", 1, 2),
        ("cat", 3, 3),
    ]
    assert found.bands == (("ann", "bob"), ("cat",))
    assert [row.comparisons for row in found.rows] == [200, 200, 200]
    assert len(found.parts) == 1


def test_strengths_are_without_the_noise_of_the_fit() -> None:
    """The second of three, as much above the third as below the first, is at 0, not at 2e-16."""
    rows = [("ann", "bob", 5, 0, 2), ("bob", "cat", 5, 0, 2), ("ann", "cat", 6, 0, 1)]

    assert fit(_table(rows)).strengths[1] == 0.0


def test_scores_become_comparisons_by_start() -> None:
    """Who has more wins, equal scores tie, and programs of one model do not meet."""
    found = by_score(["a", "b", "c", "a", "b"], [0.2, 0.9, 0.2, 0.5, 0.4], [1, 1, 1, 2, 2])

    assert (len(found), found.seated, found.clusters.tolist()) == (4, False, [0, 0, 0, 1])
    table = _counts(found)
    assert table.wins.tolist() == [[0, 1, 0], [1, 0, 1], [0, 0, 0]]
    assert table.ties.tolist() == [[0, 0, 1], [0, 0, 0], [1, 0, 0]]
    assert table.decided[0, 1] == 0.5 and np.isnan(table.decided[0, 2])
    sides = by_score(["m1", "m2", "n1"], [1, 0, 0.5], [1, 1, 1], ["m", "m", "n"])
    assert sorted(zip(sides.first, sides.second, strict=True)) == [(0, 2), (1, 2)]


def test_sets_that_never_met() -> None:
    """Their ratings rest on the prior alone, so they are named."""
    found = parts(_table([("ann", "bob", 1, 0, 0), ("cat", "dan", 1, 0, 0)]))

    assert found == (("ann", "bob"), ("cat", "dan"))


@pytest.mark.parametrize(
    ("second", "result"), [(["a"], [1.0]), (["b"], [0.7]), (["b", "c"], [1.0])]
)
def test_impossible_comparisons_are_refused(second: list[str], result: list[float]) -> None:
    """Against itself, with an unknown result, without an opponent."""
    with pytest.raises(ValueError, match=r"itself|result"):
        comparisons(["a"], second, result)


def test_equal_seeds_give_equal_ratings() -> None:
    """Everything drawn comes from the generator."""
    played = _simulated([0.5, 0.0, -0.5], 0.0, 0.3, 200)
    one, other = (ratings(played, np.random.default_rng(7), draws=100) for _ in range(2))

    assert one.rows == other.rows and one.bands == other.bands


def test_a_fit_of_counts_is_the_fit_of_their_comparisons() -> None:
    """Without an effect of the seat; and who never lost has no finite strength without a prior."""
    rows = [("ann", "bob", 5, 3, 2), ("bob", "cat", 4, 0, 1), ("ann", "cat", 1, 2, 6)]
    played = _table(rows)
    ours, theirs = fit_counts(played.players, _counts(played)), fit(played)

    assert ours.strengths == pytest.approx(theirs.strengths)
    assert float(ours.tie) == pytest.approx(float(theirs.tie))
    assert is_finite(_counts(played))
    assert not is_finite(_counts(_table([("ann", "bob", 5, 3, 0), ("ann", "cat", 1, 0, 1)])))
