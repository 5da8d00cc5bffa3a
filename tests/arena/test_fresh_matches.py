"""One match in 100 of programs is played again in fresh processes, and changes no record."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from quandary.arena import fresh_matches
from quandary.arena.engines.choice import engine_named
from quandary.arena.fresh_matches import FRESH, KEY, is_chosen, key_of
from quandary.arena.headers import RecordKey
from quandary.arena.run import RunResult, run
from quandary.arena.store import RECORDS
from quandary.arena.suite import read as read_suite
from quandary.cli import program_options
from quandary.players.registry import PlayerRegistry
from quandary.programs.pool import ProgramPool
from quandary.programs.sandbox.seccomp import reason_missing
from quandary.programs.settings import ProgramSettings

pytestmark = pytest.mark.skipif(bool(reason_missing()), reason=reason_missing())

SUITE = """
[[puzzles]]
puzzle = "card_nim"
levels = ["easy"]
seeds = "1-4"

[[puzzles]]
puzzle = "ruby_risks"
levels = ["easy"]
seeds = "1-2"
"""
PLAYER = """
class Player:
    def play(self, view):
        if "hands" not in view:
            return 1
        playable = [card for card in view["hands"][view["seat"]] if card <= view["stones"]]
        return {choice}
"""
FAIR = PLAYER.format(choice="max(playable)")
# Plays otherwise from its second match on.
KEEPING = "import builtins\n" + PLAYER.format(choice="(max if self.again else min)(playable)")
KEEPING += """
    def __init__(self):
        self.again = hasattr(builtins, "met")
        builtins.met = True
"""
# Reads a clock, and never plays by it.
TIMED = "import time\n" + PLAYER.format(choice="max(playable) if time.time() else 0")


@pytest.fixture
def players(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The house, and programs with these names, in the current folder."""
    for name, code in {"fair": FAIR, "keeping": KEEPING, "timed": TIMED}.items():
        (tmp_path / f"{name}.py").write_text(code)
    monkeypatch.chdir(tmp_path)
    return ["program/fair.py", "program/keeping.py", "program/timed.py", "house"]


@pytest.fixture
def every_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fresh_matches, "ONE_IN", 1)


def _run(
    players: list[str], out: str, engine: str = "asyncio", *, process_per_match: bool = False
) -> RunResult:
    pool = ProgramPool(ProgramSettings(process_per_match=process_per_match))
    suite = read_suite("tried", SUITE).only(setting="")
    known = PlayerRegistry(programs=pool)
    engines = engine_named(engine, 2 if engine == "processes" else None)
    return run(suite, players, Path(out), known, engine=engines)


def _lines(out: str, file: str) -> list[str]:
    return sorted((Path(out) / file).read_text().splitlines())


@pytest.mark.parametrize("engine", ["asyncio", "processes"])
def test_programs_that_keep_something_are_named(
    players: list[str], every_match: None, capsys: pytest.CaptureFixture[str], engine: str
) -> None:
    """Those that read a clock are named as well, and not compared."""
    found = _run(players, "out", engine).comparison
    assert found

    assert {"program/timed.py": ["time"]} == found.unrepeatable
    assert {"program/keeping.py"} == set(found.differing)
    # 4 starts of card_nim from both seats, against the house and the other one of the two.
    assert Counter({"program/fair.py": 16, "program/keeping.py": 16}) == found.compared
    assert not any("ruby_risks" in line or "timed" in line for line in _lines("out", FRESH))

    program_options.show_comparison(found)
    told = capsys.readouterr().err
    assert "program/timed.py uses time, so its matches may be played otherwise" in told
    assert "program/keeping.py played otherwise in a fresh process, in " in told
    assert "of 16 matches" in told


def test_playing_again_changes_no_record(
    players: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    fair = ["program/fair.py", "house"]
    monkeypatch.setattr(fresh_matches, "ONE_IN", 10**30)
    _run(fair, "none")
    monkeypatch.setattr(fresh_matches, "ONE_IN", 1)
    found = _run(fair, "all").comparison

    assert _lines("none", RECORDS) == _lines("all", RECORDS)
    assert not (Path("none") / FRESH).exists()
    assert found and found.compared and not found.differing
    again = set(_lines("all", FRESH))
    assert again < set(_lines("all", RECORDS))


def test_what_was_played_again_is_not_played_a_third_time(
    players: list[str], every_match: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that was stopped in between goes on where it was."""
    first = _run(players[:2], "out").comparison
    path = Path("out") / FRESH
    before = path.read_text()
    lines = before.splitlines(keepends=True)
    path.write_text("".join(lines[:3]) + lines[3][:20])
    second = _run(players[:2], "out").comparison
    assert sorted(before.splitlines()) == _lines("out", FRESH)

    def refused(*_: object) -> None:
        raise AssertionError("nothing is left to play")

    monkeypatch.setattr(ProgramPool, "process", refused)
    third = _run(players[:2], "out").comparison
    assert first and second and third
    assert first.differing == second.differing == third.differing != Counter()
    assert before.count("\n") == len(_lines("out", FRESH))


def test_a_process_per_match_leaves_nothing_to_compare(
    players: list[str], every_match: None
) -> None:
    """And nothing to keep: each match is played as the first one."""
    played = _run(players[:2], "out", process_per_match=True)
    assert played.comparison is None
    assert not (Path("out") / FRESH).exists()

    nim = [record for record in played.records if record.name.startswith("card_nim")]
    for record in nim:
        seat = record.players.index("program/keeping.py")
        first = next(said for said in record.said if said.seat == seat)
        assert first.move == "1"  # its smallest card
    assert 4 <= len(nim)


def test_one_match_in_100_is_chosen_by_its_name_and_a_key() -> None:
    keys = [
        RecordKey(f"card_nim/easy#{seed}", ("program/a.py", player), repeat)
        for seed in range(500)
        for player in ("program/b.py", "house")
        for repeat in range(10)
    ]
    chosen, others = ([key for key in keys if is_chosen(key, run)] for run in (b"1", b"2"))
    assert 70 <= len(chosen) <= 130  # of 10,000: in a run, the same ones always
    assert len(set(chosen) & set(others)) < 20
    with_models = [key._replace(players=("program/a.py", "openai/x")) for key in keys]
    strategies = [key._replace(players=("house", "random")) for key in keys]
    assert not any(is_chosen(key, b"1") for key in with_models + strategies)


def test_a_run_keeps_its_key(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    key = key_of(tmp_path)
    assert key == key_of(tmp_path) != key_of(tmp_path / "other")


@pytest.mark.parametrize("left", ["", "0123", "no key", "00" * 100])
def test_a_key_of_which_a_part_is_left_is_replaced(tmp_path: Path, left: str) -> None:
    """Programs could try short ones, to find out which matches are played again."""
    (tmp_path / KEY).write_text(left)
    key = key_of(tmp_path)
    assert len(key) == 16
    assert key == key_of(tmp_path)
