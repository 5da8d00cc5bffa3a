"""Records that cannot be read: every command names the file and the line, and what it advises
works.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from quandary.arena.store import RECORDS
from quandary.cli.main import main

RUN = ["run", "--puzzle", "card_nim", "--level", "easy", "--seeds", "1-2", "--player", "random"]
LINE = 3  # of the file, after an empty one
NOT_A_RECORD = "repeat the command that started the run, which moves the line aside and plays"
NOT_A_MATCH = "delete that line, and repeat the command that wrote it, which plays"


def with_fields(**fields: Any) -> Callable[[str], str]:
    return lambda line: json.dumps(json.loads(line) | fields)


DAMAGES = {
    "no JSON": (lambda line: line[:40], NOT_A_RECORD),
    "a field of another type": (with_fields(scores="won"), NOT_A_RECORD),
    "a score too many": (with_fields(scores=[1.0, 0.0, 0.0]), NOT_A_RECORD),
    "a value too few": (with_fields(values=[1.0]), NOT_A_RECORD),
    "an offender without a seat": (with_fields(offender=2), NOT_A_RECORD),
    "replies of another type": (with_fields(said=5), NOT_A_MATCH),
    "a position of no puzzle": (with_fields(start={"puzzle": 7}, said=5), NOT_A_MATCH),
}
RESULTS = ("a score too many", "a value too few", "an offender without a seat")  # can be replayed


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("damaged") / "played"
    assert main([*RUN, "--out", str(folder)]) == 0
    return folder


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_line_is_named_with_its_file(
    damage: str, played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By every command, with advice after which the run can be read again."""
    pytest.importorskip("pyarrow", reason="tables need pyarrow: pip install 'quandary[report]'")
    change, advice = DAMAGES[damage]
    folder = tmp_path / "run"
    shutil.copytree(played, folder, ignore=shutil.ignore_patterns("tables"))
    path = folder / RECORDS
    first, second, *others = path.read_text().splitlines()
    path.write_text("\n".join([first, "", change(second), *others]) + "\n")
    for command in (
        ["results", "RUN"],
        ["results", "RUN", "--by", "level"],
        ["results", "RUN", "--papers"],
        ["compare", "RUN", str(played), "--player-a", "random", "--player-b", "random"],
        ["export", "RUN", "--to", "csv", "--out", str(tmp_path / "tables")],
        ["report", "RUN", "--out", str(tmp_path / "report")],
        *([["replay", "RUN"], ["regrade", "RUN"]] if damage not in RESULTS else []),
    ):
        capsys.readouterr()
        assert main([str(folder) if word == "RUN" else word for word in command]) == 2
        output = capsys.readouterr().err
        assert f"quandary: line {LINE} of {path} is damaged (" in output, (command, output)
        assert f"); {advice} its match again.\n" in output, (command, output)

    if advice == NOT_A_MATCH:
        path.write_text("\n".join([first, *others]) + "\n")
    assert main([*RUN, "--out", str(folder)]) == 0
    assert main(["replay", str(folder)]) == 0
    assert sorted([first, second, *others]) == sorted(filter(None, path.read_text().split("\n")))


def test_a_match_that_does_not_replay_is_named(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the command that says more of it."""
    pytest.importorskip("pyarrow", reason="tables need pyarrow: pip install 'quandary[report]'")
    shutil.copytree(played, tmp_path, ignore=shutil.ignore_patterns("tables"), dirs_exist_ok=True)
    path = tmp_path / RECORDS
    first, second, *others = path.read_text().splitlines()
    forged = with_fields(scores=json.loads(second)["scores"][::-1])(second)
    path.write_text("\n".join([first, forged, *others]) + "\n")
    capsys.readouterr()

    assert main(["export", str(tmp_path), "--to", "csv", "--out", str(tmp_path / "out")]) == 2
    output = capsys.readouterr().err
    assert f"match 2 of {path}, card_nim/easy" in output
    assert f"; see `quandary replay {path} --match 2`." in output
    assert main(["replay", str(path), "--match", "2"]) == 1
    assert "does not replay: the log leads to scores" in capsys.readouterr().out
