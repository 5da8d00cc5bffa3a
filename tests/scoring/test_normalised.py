"""Normalised means: between random play and the strongest player, on the same instances."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from quandary.arena import suite as suites
from quandary.arena.headers import RecordKey
from quandary.arena.run import run
from quandary.catalogue import drawing
from quandary.cli.main import main
from quandary.matches.record import Record
from quandary.players.registry import PlayerRegistry
from quandary.scoring.normalised import REFERENCES, NormalisedRow, Scores, normalise, references

SUITE = """
[[puzzles]]
puzzle = "max_target"
levels = ["easy"]
seeds = "1-12"
[[puzzles]]
puzzle = "larger_target"
levels = ["easy"]
seeds = "1-4"
"""


def _record(seed: int, player: str, score: float) -> Record:
    spec = f"max_target/easy#{seed}"
    return Record(spec, (player,), drawing.game(spec), (), (), (score,), (1.0,), "goal")


def _scores(played: list[Record]) -> Scores:
    return {
        RecordKey(record.name, record.players, record.repeat): record.scores
        for record in played
        if record.scores is not None
    }


def _only(rows: list[NormalisedRow]) -> NormalisedRow:
    [row] = rows
    return row


def test_a_mean_half_way_between_is_a_half() -> None:
    """Whatever the instances are like: the differences are taken on each of them."""
    worst = [0.1 * seed for seed in range(1, 6)]
    gaps = [0.1, 0.2, 0.3, 0.2, 0.2]
    shares = [0.5, 0.7, 0.3, 0.6, 0.4]
    levels = list(zip(worst, gaps, shares, strict=True))
    records = [_record(i, "greedy", low + gap * part) for i, (low, gap, part) in enumerate(levels)]
    played = [_record(i, "random", low) for i, (low, *_) in enumerate(levels)]
    played += [_record(i, "oracle", low + gap) for i, (low, gap, _) in enumerate(levels)]
    row = _only(normalise(records, ["greedy"], _scores(played)))

    assert row.normalised == pytest.approx(sum(g * s for _, g, s in levels) / sum(gaps))
    assert row.low is not None and row.high is not None
    assert 0.2 < row.low < row.normalised < row.high < 0.9
    assert (row.kind, row.starts) == ("search", 5)


def test_players_may_lie_outside() -> None:
    """Better than the strongest that the puzzle has, or worse than random play."""
    played = [_record(i, "random", 0.4 + 0.01 * i) for i in range(6)]
    played += [_record(i, "oracle", 0.6 + 0.02 * i) for i in range(6)]
    better = [_record(i, "greedy", 0.9 + 0.01 * i) for i in range(6)]
    worse = [_record(i, "greedy", 0.1 + 0.01 * (i % 2)) for i in range(6)]

    for records, is_outside in ((better, lambda at: at > 1), (worse, lambda at: at < 0)):
        row = _only(normalise(records, ["greedy"], _scores(played)))
        assert all(is_outside(limit) for limit in (row.low, row.normalised, row.high))


def test_nothing_is_said_where_the_strongest_player_is_not_stronger() -> None:
    """A ratio to what may be nothing is no measure."""
    played = [_record(i, "random", 0.5 + 0.1 * (i % 2)) for i in range(6)]
    played += [_record(i, "oracle", 0.5 + 0.1 * (i % 3)) for i in range(6)]
    row = _only(
        normalise([_record(i, "greedy", 0.5) for i in range(6)], ["greedy"], _scores(played))
    )

    assert (None, None, None) == (row.normalised, row.low, row.high)


def test_doing_as_the_strongest_on_a_few_instances_is_no_certainty() -> None:
    """Three instances solved are not all instances solved."""
    played = [_record(i, "random", 0.0) for i in range(3)]
    played += [_record(i, "oracle", 1.0) for i in range(3)]
    row = _only(
        normalise([_record(i, "greedy", 1.0) for i in range(3)], ["greedy"], _scores(played))
    )

    assert row.normalised == row.high == 1.0
    assert row.low is not None and row.low < 0.6


def test_reference_matches_are_played_once_with_the_same_luck_and_opponents(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They are kept beside the run; a run that holds them needs none."""
    file = tmp_path / "two.toml"
    file.write_text(SUITE, "utf-8")
    suite, found = suites.load(str(file)), PlayerRegistry()
    records = run(suite, ["greedy"], tmp_path / "out", found).records
    played = references(records, ["greedy"], suite, found, tmp_path / "out")

    alone = [match for match in played if match.name.startswith("max_target")]
    duels = [match for match in played if match.name.startswith("larger_target")]
    assert 24 == len(alone)
    assert {("random", "house"), ("house", "random"), ("oracle", "house"), ("house", "oracle")} == {
        match.players for match in duels
    }
    kept = (tmp_path / "out" / REFERENCES).read_bytes()
    assert played == references(records, ["greedy"], suite, found, tmp_path / "out")
    assert kept == (tmp_path / "out" / REFERENCES).read_bytes()

    alone_only = replace(suite, entries=suite.entries[:12])
    together = run(alone_only, ["greedy", "random", "oracle"], tmp_path / "all", found).records
    held = references(together, ["greedy"], alone_only, found, tmp_path / "all")
    assert {match.name for match in alone} == {match.name for match in held}
    assert not (tmp_path / "all" / REFERENCES).exists()

    command = ["run", "--suite", str(file), "--player", "greedy", "--out", str(tmp_path / "out")]
    assert 0 == main([*command, "--normalised", "--json"])
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    expected = {row.puzzle: row.normalised for row in normalise(records, ["greedy"], played)}
    assert expected == {row["puzzle"]: row["normalised"] for row in rows if "normalised" in row}

    assert 0 == main([*command, "--normalised"])
    assert "normalised" in capsys.readouterr().out


def test_models_are_not_asked_again_to_compare() -> None:
    """Where the opponent is a model or a person, the match is left out."""
    spec = "card_nim/easy#1"
    game = drawing.game(spec)
    record = Record(spec, ("cautious", "openai/x"), game, (), (), (1.0, 0.0), None, "goal")

    assert [] == normalise([record], ["cautious"], {})
