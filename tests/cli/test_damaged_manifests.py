"""Manifests that are not what they should be: one sentence that names the file, in every command
that reads runs, and nothing is written.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from quandary.arena.store import MANIFEST, RECORDS
from quandary.cli.main import main

CHOSEN = ["--puzzle", "card_nim", "--level", "easy", "--seeds", "1", "--player", "random"]
COMMANDS = [
    ["results", "RUN"],
    ["results", "RUN", "--by", "level"],
    ["results", "RUN", "--by", "turn"],
    ["results", "RUN", "--papers"],
    ["compare", "RUN", "PLAYED"],
    ["compare", "PLAYED", "RUN"],
    ["export", "RUN", "--to", "csv", "--out", "OUT"],
    ["report", "RUN", "--out", "OUT"],
    ["sample", "RUN", "--out", "OUT"],
    ["merge", "PLAYED", "RUN", "--out", "OUT"],
    ["regrade", "RUN"],
    ["run", *CHOSEN, "--out", "RUN"],
    ["plan", *CHOSEN, "--from-run", "RUN"],
]
DAMAGED: list[Any] = [[], {"suite": 5}, {"suite": None}, {"suite": {"attempts": "5"}}]
PARTS = [
    ("quandary", 1),
    ("schedule", "all"),
    ("specs", None),
    ("players", 5),
    ("players", [1]),
    ("versions", {"card_nim": "2"}),
    ("pictures", {}),
    ("hashes", []),
    ("averages", {"nim": "card_nim"}),
    ("imported", 3),
    ("languages", "en"),
    ("files", {"a.txt": None}),
    ("servers", {"openai": "http://localhost"}),
    ("import", False),
]
SETTINGS = [
    ("name", 3),
    ("tries", 0),
    ("repeats", 1.5),
    ("count_unreadable", "no"),
    ("shots", -1),
    ("prompting", "many"),
    ("modality", "film"),
    ("decoding", [1]),
]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("manifests") / "played"
    assert main(["run", *CHOSEN, "--out", str(folder)]) == 0
    return folder


def refused(
    command: list[str], manifest: object, played: Path, here: Path, capsys: Any
) -> tuple[int, str]:
    """The exit code of a command on a run with this manifest, and what it said."""
    run, out = here / "run", here / "out"
    run.mkdir(exist_ok=True)
    text = json.dumps(manifest)
    (run / MANIFEST).write_text(text)
    (run / RECORDS).write_bytes((played / RECORDS).read_bytes())
    places = {"RUN": str(run), "PLAYED": str(played), "OUT": str(out)}
    capsys.readouterr()
    code = main([places.get(word, word) for word in command])

    assert (run / MANIFEST).read_text() == text and not out.exists()
    assert (run / RECORDS).read_bytes() == (played / RECORDS).read_bytes()
    return code, capsys.readouterr().err


@pytest.mark.parametrize("command", COMMANDS, ids=lambda words: " ".join(words[:4]))
def test_every_command_refuses_a_damaged_manifest(
    command: list[str], played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever is wrong with it."""
    pytest.importorskip("pyarrow", reason="tables need pyarrow: pip install 'quandary[report]'")
    for manifest in DAMAGED:
        code, output = refused(command, manifest, played, tmp_path, capsys)
        path = tmp_path / "run" / MANIFEST
        assert code == 2 and output.count("\n") == 1
        assert output.startswith(f"quandary: {path} cannot be read as the manifest of a run (")
        assert output.endswith("); restore it from a copy, or name another folder.\n")


def test_every_part_of_a_manifest_is_checked(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its type, and the range of its numbers; the sentence says which part it is."""
    good = json.loads((played / MANIFEST).read_text())
    for part, wrong in PARTS:
        code, output = refused(["regrade", "RUN"], good | {part: wrong}, played, tmp_path, capsys)
        assert code == 2 and f"- at `$.{part}" in output, (part, output)
    for setting, wrong in SETTINGS:
        suite = good["suite"] | {setting: wrong}
        code, output = refused(
            ["regrade", "RUN"], good | {"suite": suite}, played, tmp_path, capsys
        )
        assert code == 2 and f"- at `$.suite.{setting}" in output, (setting, output)


def test_parts_may_be_missing(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Manifests of earlier versions have fewer; without a suite there are no tables."""
    pytest.importorskip("pyarrow", reason="tables need pyarrow: pip install 'quandary[report]'")
    good = json.loads((played / MANIFEST).read_text())
    for part in ("schedule", "players", "versions"):
        less = {key: value for key, value in good.items() if key != part}
        assert (0, "") == refused(["results", "RUN"], less, played, tmp_path, capsys)
    suite = {key: value for key, value in good["suite"].items() if key != "repeats"}
    assert (0, "") == refused(["results", "RUN"], good | {"suite": suite}, played, tmp_path, capsys)
    code, output = refused(["results", "RUN"], {"quandary": "0.1.0"}, played, tmp_path, capsys)
    assert code == 2 and "does not say how the run was played" in output
