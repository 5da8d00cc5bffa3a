"""What a command may do at each level, and what runs and records keep of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quandary.arena.manifest import differences, grown
from quandary.arena.run import run
from quandary.arena.suite import read as read_suite
from quandary.cli.main import main
from quandary.core.errors import UserError
from quandary.matches.codec import record_from_json, record_json
from quandary.players.registry import PlayerRegistry
from quandary.programs import levels, pool
from quandary.programs.failures import ProgramFailed
from quandary.programs.host import Sandbox
from quandary.programs.levels import Finding, found
from quandary.programs.pool import ProgramPool
from quandary.programs.processes import Process
from quandary.programs.sandbox.seccomp import reason_missing
from quandary.programs.settings import ProgramSettings

pytestmark = pytest.mark.skipif(bool(reason_missing()), reason=reason_missing())

NO_LOCK = Finding("none", "riscv64 is unknown", 0, "riscv64 is unknown", "not there")
NOT_INSTALLED = "the extra wasm is not installed (pip install 'quandary[wasm]')"
SPEC = "card_nim/easy#7"
SUITE = '[[puzzles]]\npuzzle = "card_nim"\nlevels = ["easy"]\nseeds = "1"\n'
# Returns its smallest card if it sees a file, else a move that the rules forbid.
LOOKING = """
import os
class Player:
    def play(self, view):
        os.stat("/")
        return min(view["hands"][view["seat"]])
"""
FAIR = """
class Player:
    def play(self, view):
        return min(view["hands"][view["seat"]])
"""


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "looking.py").write_text(LOOKING)
    (tmp_path / "fair.py").write_text(FAIR)
    monkeypatch.chdir(tmp_path)
    return "program/looking.py"


@pytest.fixture
def no_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (levels, pool):
        monkeypatch.setattr(module, "found", lambda: NO_LOCK)


def _run(program: str, **settings: object) -> list[dict[str, object]]:
    known = PlayerRegistry(programs=ProgramPool(ProgramSettings(**settings)))  # type: ignore[arg-type]
    suite = read_suite("tried", SUITE)
    played = run(suite, [program, "house"], Path("out"), known)
    return [json.loads(record_json(record)) for record in played.records]


def _manifest() -> dict[str, object]:
    known: dict[str, object] = json.loads(Path("out/manifest.json").read_text())
    return known


@pytest.mark.parametrize("command", ["match", "play", "run"])
def test_programs_are_refused_without_a_lock(
    program: str, no_lock: None, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    arguments = {
        "match": ["match", SPEC, "--players", program, "house"],
        "play": ["play", SPEC, "--against", program],
        "run": ["run", "--puzzle", "card_nim", "--player", program, "--out", "out"],
    }
    assert main(arguments[command]) == 2
    told = capsys.readouterr().err
    assert "programs cannot be sandboxed here: riscv64 is unknown; --unsafe runs them" in told
    assert "Traceback" not in told
    assert not Path("out").exists()


def test_unsafe_runs_them_with_all_rights(
    program: str, no_lock: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["match", SPEC, "--players", program, "house", "--unsafe", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["cause"] in ("goal", "no_move")
    assert record["sandbox"] == "none"


def test_unsafe_changes_nothing_where_programs_can_be_locked_in(
    program: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["match", SPEC, "--players", program, "house", "--unsafe", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["cause"], record["offender"]) == ("crash", 0)
    assert record["sandbox"] == found().level != "none"


def test_other_systems_need_webassembly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it, `--unsafe` runs no program there either."""
    monkeypatch.setattr("platform.system", lambda: "Darwin")
    monkeypatch.setattr(levels.wasm, "find_spec", lambda name: None)
    finding = found.__wrapped__()
    assert finding == Finding(
        "none",
        "Darwin has no seccomp",
        0,
        f"Darwin has no seccomp, and {NOT_INSTALLED}",
        NOT_INSTALLED,
    )
    for unsafe in (False, True):
        with pytest.raises(UserError) as refused:
            finding.require(unsafe=unsafe)
        assert str(refused.value) == (
            f"programs cannot be sandboxed here: Darwin has no seccomp, and {NOT_INSTALLED}; "
            f"install what is missing, or use a machine, a virtual machine or a container with "
            f"Linux."
        )


def test_runs_and_records_keep_the_level(program: str) -> None:
    records = _run("program/fair.py")
    assert {found().level} == {record["sandbox"] for record in records}
    assert [found().level] == _manifest()["sandbox"]


def test_records_without_programs_keep_none(program: str) -> None:
    for record in _run("random"):
        assert "sandbox" not in record
        assert record_json(record_from_json(json.dumps(record))) == json.dumps(
            record, separators=(",", ":"), ensure_ascii=False
        )
    assert "sandbox" not in _manifest()


def test_a_run_is_not_continued_without_its_sandbox(
    program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`strong` and `safe` let programs do the same, so such a run goes on, and names both."""
    _run("program/fair.py")
    (Path("out") / "records.jsonl").write_text("")
    for level, goes_on in (("safe", True), ("strong", True), ("none", False)):
        finding = Finding(level, "works", 0, "as the test says", "not there")  # type: ignore[arg-type]
        for module in (levels, pool):
            monkeypatch.setattr(module, "found", lambda finding=finding: finding)
        if goes_on:
            _run("program/fair.py")
            assert level in _manifest()["sandbox"]  # type: ignore[operator]
        else:
            with pytest.raises(UserError, match="in a sandbox in out and without a sandbox in"):
                _run("program/fair.py", unsafe=True)
            assert "none" not in _manifest()["sandbox"]  # type: ignore[operator]


def test_a_run_is_not_continued_with_other_libraries(program: str) -> None:
    numpy = pytest.importorskip("numpy")
    _run("program/fair.py", libraries=("numpy",))
    assert {"numpy": numpy.__version__} == _manifest()["libraries"]
    with pytest.raises(
        UserError, match=f"numpy {numpy.__version__} in out and none in this command"
    ):
        _run("program/fair.py")


def test_a_run_without_programs_may_get_some(program: str) -> None:
    before = {"players": ["house", "random"], "specs": ["x"]}
    now = {**before, "players": [*before["players"], program], "sandbox": ["none"]}
    assert grown(before, now, "out")["sandbox"] == ["none"]


def test_a_changed_program_is_named_in_a_sentence(program: str) -> None:
    _run("program/fair.py")
    Path("fair.py").write_text(FAIR.replace("min", "max"))
    with pytest.raises(UserError) as refused:
        _run("program/fair.py")
    assert str(refused.value) == (
        "the program program/fair.py has changed since out was begun with it; put back its text, "
        "which is in out/manifest.json, or choose another --out."
    )


def test_runs_with_different_programs_of_one_name_are_not_merged(program: str) -> None:
    _run("program/fair.py")
    one = _manifest()
    Path("out").rename("first")
    Path("fair.py").write_text(FAIR.replace("min", "max"))
    _run("program/fair.py")
    assert [*differences(one, _manifest(), ("first", "out"))] == ["the text of program/fair.py"]


def test_the_doctor_says_what_unsafe_does(
    no_lock: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor"]) == 0
    told = capsys.readouterr().out
    assert "sandbox:     none" in told
    assert "Programs are refused; --unsafe runs them anyway" in told


def test_a_library_is_in_the_prompt(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("numpy")
    for arguments, has in (((), False), (("--library", "numpy"), True)):
        assert main(["prompt", "card_nim", "--code", *arguments]) == 0
        assert (", numpy. It has no files" in capsys.readouterr().out) == has
    assert main(["prompt", "card_nim", "--code", "--library", "nump"]) == 2
    assert "--library nump: there is no such library here" in capsys.readouterr().err


def test_a_program_uses_a_library_in_a_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("numpy")
    (tmp_path / "counting.py").write_text(
        "import numpy\n" + FAIR.replace('min(view["hands"][view["seat"]])', "int(numpy.ones(1)[0])")
    )
    monkeypatch.chdir(tmp_path)
    command = ["match", SPEC, "--players", "program/counting.py", "house", "--json"]
    for more, first in (((), "crash"), (("--library", "numpy"), "played")):
        main([*command, *more])
        record = json.loads(capsys.readouterr().out)
        assert (record["cause"] == "crash") == (first == "crash")
        assert bool(record["log"]) == (first == "played")


def test_a_passing_shortage_does_not_lower_the_level(monkeypatch: pytest.MonkeyPatch) -> None:
    """The level is found once, and holds for the whole run."""
    start, tried = Sandbox.start, list[int]()

    def failing(sandbox: Sandbox) -> Process:
        tried.append(1)
        if len(tried) == 1:
            raise ProgramFailed("infrastructure", "no process is free")
        return start(sandbox)

    expected = found()
    monkeypatch.setattr(Sandbox, "start", failing)
    assert found.__wrapped__() == expected
    assert len(tried) >= 2


def test_a_sandbox_that_never_starts_is_no_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(sandbox: Sandbox) -> Process:
        raise ProgramFailed("infrastructure", "no process is free")

    monkeypatch.setattr(levels.wasm, "find_spec", lambda name: None)
    monkeypatch.setattr(levels, "sleep", lambda seconds: None)
    monkeypatch.setattr(Sandbox, "start", failing)
    finding = found.__wrapped__()
    assert (finding.level, finding.why) == (
        "none",
        f"the sandbox does not start: no process is free, and {NOT_INSTALLED}",
    )
