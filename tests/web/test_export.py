"""The site as files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("aiohttp", reason="needs aiohttp: pip install 'quandary[web]'")

from quandary.core.errors import UserError
from quandary.web import tasks
from quandary.web.export import export


def tell(done: int, of: int) -> None: ...


@pytest.fixture
def few_puzzles(monkeypatch: pytest.MonkeyPatch) -> None:
    rows: list[dict[str, Any]] = [row for row in tasks.described() if row["name"] == "card_nim"]
    monkeypatch.setattr(tasks, "described", lambda: rows)


@pytest.mark.usefixtures("few_puzzles")
def test_nothing_is_left_of_an_earlier_report(tmp_path: Path) -> None:
    """A library without runs must not be taken for the report of these runs."""
    pytest.importorskip("matplotlib")
    pytest.importorskip("scipy")
    from quandary.cli.main import main

    run, out = tmp_path / "run", tmp_path / "out"
    command = ["run", "--puzzle", "card_nim", "--seeds", "1-2", "--player", "random"]
    assert 0 == main([*command, "--player", "house", "--out", str(run)])
    export([run], out, tell)
    assert {"index.html", "library.html", "matches"} <= {path.name for path in out.iterdir()}
    export([], out, tell)
    assert {path.name for path in out.iterdir()} == {"library.html", "site", "puzzles"}
    assert "index.html" not in (out / "library.html").read_text("utf-8")
    export([run], out, tell)
    assert (out / "index.html").exists()


@pytest.mark.usefixtures("few_puzzles")
@pytest.mark.parametrize("runs", [0, 1])
def test_what_was_put_beside_an_export_is_never_removed(tmp_path: Path, runs: int) -> None:
    """Nor anything of the export, before it is refused."""
    pytest.importorskip("matplotlib")
    pytest.importorskip("scipy")
    from quandary.cli.main import main

    run, out = tmp_path / "run", tmp_path / "out"
    command = ["run", "--puzzle", "card_nim", "--seeds", "1-2", "--player", "random"]
    assert 0 == main([*command, "--player", "house", "--out", str(run)])
    export([run][:runs], out, tell)
    (out / ".git").mkdir()
    (out / "CNAME").write_text("example.org")
    before = sorted(path.name for path in out.iterdir())
    for others in ([], [run]):
        with pytest.raises(UserError, match="other files"):
            export(others, out, tell)
        assert before == sorted(path.name for path in out.iterdir())
    (out / "library.html").unlink()
    assert 2 == main(["report", str(run), "--out", str(out)])
    assert (out / "CNAME").exists()


@pytest.mark.usefixtures("few_puzzles")
def test_other_files_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(UserError, match="other files"):
        export([], tmp_path, tell)
    assert (tmp_path / "letter.txt").read_text() == "dear"
