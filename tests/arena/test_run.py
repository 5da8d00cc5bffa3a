"""Runs: suites, records, and going on where a run stopped."""

from __future__ import annotations

from pathlib import Path

import pytest

from quandary.arena.run import manifest, run, schedule
from quandary.arena.store import RECORDS, Store, read
from quandary.arena.suite import Suite, load, names
from quandary.arena.suite import read as read_suite
from quandary.core.codec import record_json
from quandary.core.contract import Game
from quandary.core.mistake import Mistake
from quandary.core.player import Player
from quandary.core.record import replay
from quandary.players.table import find

SUITE = read_suite("nim", 'tries = 2\n[[puzzles]]\npuzzle = "card_nim"\nlevels = ["easy"]\nseeds = "1-3"\n')
PLAYERS = ["random", "cautious"]


def _texts(folder: Path) -> list[str]:
    return [record_json(record) for record in read(folder / RECORDS)]


def test_pairs_meet_on_the_same_instance_from_both_seats() -> None:
    """Three instances, two players, two seatings: six matches."""
    matches = list(schedule(SUITE, PLAYERS))

    assert len(matches) == 6
    assert {("random", "cautious"), ("cautious", "random")} == {match.players for match in matches}


@pytest.mark.parametrize(("player", "rival"), [("cautious", "house"), ("house", "random")])
def test_a_lone_player_meets_the_house(player: str, rival: str) -> None:
    """Two seats need two players."""
    assert {(player, rival), (rival, player)} == {match.players for match in schedule(SUITE, [player])}


def test_records_replay_and_are_equal_when_played_again(tmp_path: Path) -> None:
    """The same run is the same records, and each replays."""
    one = run(SUITE, PLAYERS, tmp_path / "one", find)
    other = run(SUITE, PLAYERS, tmp_path / "other", find)

    assert one == other == list(read(tmp_path / "one" / RECORDS))
    assert all(replay(record) for record in one)


def test_a_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """After a crash that tears the last line, nothing is lost, repeated or misread."""
    whole = run(SUITE, PLAYERS, tmp_path / "whole", find)
    text = (tmp_path / "whole" / RECORDS).read_bytes()
    for cut in (0, 10, len(text) // 2, len(text) - 1, len(text)):
        folder = tmp_path / str(cut)
        with Store(folder, manifest(SUITE, PLAYERS)):
            pass
        (folder / RECORDS).write_bytes(text[:cut])
        asked = list[str]()

        def counting(name: str, game: Game, level: str, asked: list[str] = asked) -> Player:
            asked.append(name)
            return find(name, game, level)

        assert whole == run(SUITE, PLAYERS, folder, counting)
        assert text == (folder / RECORDS).read_bytes()
        assert 2 * (6 - text[:cut].count(b"\n")) == len(asked)


def test_another_run_is_not_mixed_in(tmp_path: Path) -> None:
    """A folder belongs to one suite and one set of players."""
    run(SUITE, PLAYERS, tmp_path, find)

    with pytest.raises(Mistake, match="holds another run"):
        run(SUITE, ["random", "oracle"], tmp_path, find)


def test_two_writers_at_once_are_refused(tmp_path: Path) -> None:
    """One writer a run."""
    with Store(tmp_path, {}), pytest.raises(Mistake, match="another run is writing"), Store(tmp_path, {}):
        pass


def test_an_unreadable_record_is_named(tmp_path: Path) -> None:
    """A damaged file says which line is damaged."""
    run(SUITE, PLAYERS, tmp_path, find)
    path = tmp_path / RECORDS
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], "{broken", *lines[2:]]) + "\n")

    with pytest.raises(Mistake, match="line 2 of"):
        list(read(path))


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("", "names no puzzle"),
        ("= 3", "no TOML"),
        ("trys = 3", "did you mean 'tries'"),
        ('tries = "3"', "no int"),
        ("tries = 0\n[[puzzles]]\npuzzle = 'card_nim'", "below 1"),
        ("[[puzzles]]\nlevels = ['easy']", "without a puzzle"),
        ("[[puzzles]]\npuzzle = 'card_nym'", "did you mean 'card_nim'"),
        ("[[puzzles]]\npuzzle = 'card_nim'\nlevels = ['esy']", "did you mean 'easy'"),
        ("[[puzzles]]\npuzzle = 'card_nim'\nseeds = 'one'", "1-10"),
        ("[[puzzles]]\npuzzle = 'card_nim'\nchanges = {stone = 3}", "did you mean 'stones'"),
    ],
)
def test_a_wrong_suite_gets_advice(text: str, advice: str) -> None:
    """What a suite file gets wrong is said in one sentence."""
    with pytest.raises(Mistake, match=advice):
        read_suite("mine", text)


def test_the_suites_that_come_along_can_be_read() -> None:
    """Every suite of the package names puzzles and levels that exist."""
    assert names()
    for name in names():
        assert isinstance(load(name), Suite)
