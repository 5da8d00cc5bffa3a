"""One match in 100 of programs, and one of each, is played again in fresh processes, and changes no
record.
"""

from __future__ import annotations

from array import array
from collections import Counter
from pathlib import Path

import pytest

from quandary.arena import fresh_matches
from quandary.arena.engines.choice import engine_named
from quandary.arena.fresh_matches import (
    FRESH,
    KEY,
    ONE_IN,
    PLACES,
    Comparison,
    FreshMatches,
    key_of,
    place_of,
)
from quandary.arena.job import Job, match_name
from quandary.arena.run import RunResult, run
from quandary.arena.schedule import Schedule
from quandary.arena.session import RunSession
from quandary.arena.store import RECORDS, read
from quandary.arena.suite import read as read_suite
from quandary.catalogue.spec import Spec
from quandary.cli import program_options
from quandary.cli.main import main
from quandary.players.registry import PlayerRegistry
from quandary.programs.library import Program
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
    output = capsys.readouterr().err
    assert "program/timed.py uses time, so its matches may differ each time" in output
    assert "program/keeping.py played " in output
    assert "of 16 matches differently when they were played again in a fresh process" in output


def test_playing_again_changes_no_record(
    players: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    fair = ["program/fair.py", "house"]
    _run(fair, "none", process_per_match=True)
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
        first = next(reply for reply in record.said if reply.seat == seat)
        assert first.move == "1"  # its smallest card
    assert 4 <= len(nim)


def test_one_match_in_100_is_chosen_by_its_name_and_a_key() -> None:
    jobs = [
        Job(Spec("card_nim", "easy", seed), ("program/a.py", player), repeat)
        for seed in range(500)
        for player in ("program/b.py", "house")
        for repeat in range(10)
    ]
    share = PLACES // ONE_IN
    chosen, others = ({job.name for job in jobs if place_of(job, key) < share} for key in KEYS[:2])
    assert 70 <= len(chosen) <= 130  # of 10,000: in a run, the same ones always
    assert len(chosen & others) < 20


KEYS = [bytes([number]) * 16 for number in range(6)]


def _compared_again(
    players: list[str], out: str, key: bytes, engine: str = "asyncio"
) -> tuple[Comparison, set[str]]:
    """What a run finds by a key, and the matches that it compares."""
    Path(out).mkdir(exist_ok=True)
    (Path(out) / KEY).write_text(key.hex())
    (Path(out) / FRESH).unlink(missing_ok=True)
    found = _run(players, out, engine).comparison
    assert found
    return found, _names(out)


def _names(out: str) -> set[str]:
    """The matches that were played again."""
    again = read(Path(out) / FRESH)
    return {match_name(each.name, each.players, each.repeat) for each in again}


def test_of_each_program_a_match_is_chosen(players: list[str]) -> None:
    """In a run of 56 matches, with any key; so most keys find one that keeps something."""
    named = set[str]()
    for key in KEYS:
        found, again = _compared_again(players, "out", key)
        assert {"program/fair.py", "program/keeping.py"} == set(found.compared)
        assert 1 <= len(again) <= 5  # one of each, or one of both, and perhaps one in 100
        named.update(found.differing)
    assert {"program/keeping.py"} == named


def test_the_choice_does_not_depend_on_what_was_played_when(players: list[str]) -> None:
    """Nor does growing lose what was compared before."""
    _, at_once = _compared_again(players, "out", KEYS[0])
    _, in_workers = _compared_again(players, "workers", KEYS[0], "processes")
    assert at_once == in_workers

    _, of_two = _compared_again(players[::3], "grown", KEYS[0])  # the fair one and the house
    records = (Path("out") / RECORDS).read_text().splitlines(keepends=True)
    (Path("grown") / RECORDS).write_text("".join(reversed(records[:30])))
    grown = _run(players, "grown").comparison
    assert grown
    assert _names("grown") == at_once | of_two
    assert grown.compared["program/fair.py"] >= 1


def test_matches_with_models_are_not_played_again(
    players: list[str], every_match: None, tmp_path: Path
) -> None:
    """Their replies would have to be paid for."""
    suite = read_suite("tried", SUITE).only(setting="")
    schedule = Schedule(suite, ["program/fair.py", "openai/x", "house"])
    session = RunSession(schedule, lambda done, of: None)
    session.use({("program/fair.py", ""): Program("program/fair.py", FAIR, "fair")})
    session.offsets = array("q", [0]) * len(schedule)
    chosen = FreshMatches(session, ProgramPool(), tmp_path, KEYS[0]).chosen

    assert {("house", "program/fair.py"), ("program/fair.py", "house")} == {
        schedule.job(number).players for number in chosen
    }


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


@pytest.mark.parametrize("name", [KEY, FRESH])
def test_what_is_no_file_is_refused_before_anything_is_played(
    players: list[str], name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (Path("out") / name).mkdir(parents=True)
    Path("suite.toml").write_text(SUITE)
    named = [part for player in players[:2] for part in ("--player", player)]
    assert 2 == main(["run", "--suite", "suite.toml", *named, "--out", "out"])
    assert (
        f"quandary: {Path('out') / name} is not a file; move it away.\n" == capsys.readouterr().err
    )
    assert not (Path("out") / RECORDS).read_text()
