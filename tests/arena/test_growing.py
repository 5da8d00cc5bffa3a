"""Runs that grow by players, seeds and repeats, and runs that are merged."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from quandary.arena.merge import Merged, merge
from quandary.arena.run import run
from quandary.arena.store import MANIFEST, RECORDS, records
from quandary.arena.suite import Suite
from quandary.arena.suite import read as read_suite
from quandary.cli.main import main
from quandary.core.errors import UserError
from quandary.matches.codec import record_json
from quandary.players.registry import PlayerRegistry
from run_files import stored


def _suite(seeds: str, settings: str = "") -> Suite:
    duels = f'[[puzzles]]\npuzzle = "card_nim"\nlevels = ["easy"]\nseeds = "{seeds}"\n'
    alone = f'[[puzzles]]\npuzzle = "islands"\nlevels = ["easy"]\nseeds = "{seeds}"\n'
    return read_suite("growing", settings + duels + alone)


SUITE = _suite("1-3")
TWO, THREE = ["random", "oracle"], ["random", "oracle", "house"]


def _played(folder: Path, suite: Suite = SUITE, players: Sequence[str] = TWO) -> bytes:
    run(suite, players, folder, PlayerRegistry())
    return (folder / RECORDS).read_bytes()


@pytest.mark.parametrize(
    ("suite", "players"),
    [
        (SUITE, THREE),
        (SUITE, THREE[::-1]),
        (_suite("1-5"), TWO),
        (_suite("1-4", "repeats = 2\n"), THREE),
    ],
    ids=["players", "other order", "seeds", "all at once"],
)
def test_a_run_grows(tmp_path: Path, suite: Suite, players: list[str]) -> None:
    """Nothing is played again, and it comes to what the whole run would have come to."""
    before = _played(tmp_path / "grown")
    after = _played(tmp_path / "grown", suite, players)
    _played(tmp_path / "whole", suite, players)

    assert after.startswith(before) and len(after) > len(before)
    assert stored(tmp_path / "whole") == stored(tmp_path / "grown")
    manifests = [json.loads((tmp_path / run / MANIFEST).read_text()) for run in ("grown", "whole")]
    assert manifests[0] == manifests[1]


def test_a_lone_player_and_its_rivals_meet_the_house(tmp_path: Path) -> None:
    """A second player does not change whom the first one met: the schedule stays."""
    _played(tmp_path, players=["oracle"])
    played = run(SUITE, ["oracle", "random"], tmp_path, PlayerRegistry())

    assert "house" == json.loads((tmp_path / MANIFEST).read_text())["schedule"]
    assert {"oracle", "house", "random"} == {name for r in played.records for name in r.players}
    assert ("oracle", "random") not in {record.players for record in played.records}


@pytest.mark.parametrize(
    ("suite", "players", "why"),
    [
        (
            SUITE,
            ["random", "house"],
            "the player oracle, which this command lacks; name everything",
        ),
        (_suite("2-9"), THREE, "another run, with the instance card_nim/easy#1"),
        (_suite("1-3", "attempts = 3\n"), THREE, "suite: attempts, 5 in .* and 3 in this command"),
    ],
)
def test_what_would_change_records_is_refused(
    tmp_path: Path, suite: Suite, players: list[str], why: str
) -> None:
    """With the difference, and without touching the run."""
    before = _played(tmp_path)
    manifest = (tmp_path / MANIFEST).read_bytes()

    with pytest.raises(UserError, match=why):
        _played(tmp_path, suite, players)
    assert (before, manifest) == (
        (tmp_path / RECORDS).read_bytes(),
        (tmp_path / MANIFEST).read_bytes(),
    )


def test_other_versions_and_schedules_are_refused(tmp_path: Path) -> None:
    """A record of another version of a puzzle is a record of another puzzle."""
    _played(tmp_path)
    path = tmp_path / MANIFEST
    manifest = json.loads(path.read_text())
    manifest["versions"]["card_nim"] -= 1
    path.write_text(json.dumps(manifest))
    with pytest.raises(UserError, match=r"versions of card_nim, 1 in .* and 2 in this"):
        _played(tmp_path)
    manifest["versions"]["card_nim"] += 1
    path.write_text(json.dumps(manifest))
    with pytest.raises(UserError, match=r"schedule, pairs in .* and house in this"):
        run(SUITE, TWO, tmp_path, PlayerRegistry(), kind="house")


def test_a_swiss_run_does_not_grow(tmp_path: Path) -> None:
    """Its pairs would have been others."""
    run(SUITE, TWO, tmp_path, PlayerRegistry(), kind="swiss")

    with pytest.raises(UserError, match="a Swiss run, to which nothing can be added"):
        run(SUITE, THREE, tmp_path, PlayerRegistry())


def test_runs_are_merged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each match is kept once; what is left between the players of both is played by a run."""
    _played(tmp_path / "one")
    _played(tmp_path / "two", _suite("2-5"), ["oracle", "house"])
    merged = merge([tmp_path / "one", tmp_path / "two"], tmp_path / "all")
    before = (tmp_path / "all" / RECORDS).read_bytes()

    # Of the first run 12 matches, of the second one 16, of which the oracle's two were known.
    assert Merged(26, 2, 3 * 5 * 2 + 3 * 5 - 26) == Merged(*merged)
    after = _played(tmp_path / "all", _suite("1-5"), THREE)
    _played(tmp_path / "whole", _suite("1-5"), THREE)
    assert after.startswith(before)
    assert stored(tmp_path / "whole") == stored(tmp_path / "all")

    command = ["merge", str(tmp_path / "one"), str(tmp_path / "two"), "--out"]
    assert 0 == main([*command, str(tmp_path / "again")])
    assert "26 matches of 2 runs" in capsys.readouterr().out
    assert 2 == main([*command, str(tmp_path / "again")])
    assert "is not empty; choose another --out" in capsys.readouterr().err


def test_damaged_lines_are_left_out_and_told(tmp_path: Path) -> None:
    """Their matches are left to play; the runs stay as they are."""
    for name in ("one", "two"):
        _played(tmp_path / name)
    path = tmp_path / "one" / RECORDS
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:2], b'{"broken\n', *lines[3:]]))
    (tmp_path / "two" / RECORDS).write_bytes(b"".join(lines[:2]))
    messages = list[str]()
    merged = merge([tmp_path / "one", tmp_path / "two"], tmp_path / "all", messages.append)

    [sentence] = messages
    assert f"line 3 is left out of {path}" in sentence
    assert len(lines) - 1 == merged.matches
    assert 1 <= merged.left


def test_runs_that_differ_are_not_merged(tmp_path: Path) -> None:
    """The sentence names the difference, and nothing is left behind."""
    _played(tmp_path / "one")
    _played(tmp_path / "other", _suite("1-3", "tries = 2\n"))
    (tmp_path / "empty").mkdir()

    for second, why in (
        ("other", "suite: tries, 1 in .*one and 2 in .*other."),
        ("empty", "contains no run"),
    ):
        with pytest.raises(UserError, match=why):
            merge([tmp_path / "one", tmp_path / second], tmp_path / "out")
    assert {"one", "other", "empty"} == {path.name for path in tmp_path.iterdir()}


def test_the_last_record_of_a_match_counts(tmp_path: Path) -> None:
    """A match that was cut off and played again has one record, one that was not has its own."""
    _played(tmp_path)
    path = tmp_path / RECORDS
    [first, *others] = list(records(tmp_path))
    cut_off = replace(first, cause="infrastructure", scores=None, values=None)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([record_json(cut_off).encode() + b"\n", *lines]))
    assert [first, *others] == list(records(tmp_path))
    path.write_bytes(b"".join([record_json(cut_off).encode() + b"\n", *lines[1:]]))
    assert [cut_off, *others] == list(records(tmp_path))
