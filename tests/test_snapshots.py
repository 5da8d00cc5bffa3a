"""What people read when something that is kept as a file changes."""

from __future__ import annotations

from pathlib import Path

import pytest

import snapshots


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(snapshots, "ROOT", tmp_path)
    return tmp_path


def _failure(path: Path, text: str) -> list[str]:
    with pytest.raises(pytest.fail.Exception) as failure:
        snapshots.check_files({path: text}, "make docs", update=False)
    return str(failure.value).splitlines()


def test_the_difference_is_shown_and_how_to_accept_it(folder: Path) -> None:
    """With the line before and the one behind it."""
    (folder / "nim.txt").write_text("rules\nStones: 34\nseat 0 plays: 5\n")

    assert _failure(folder / "nim.txt", "rules\nStones: 33\nseat 0 plays: 5\n") == [
        "What is made now differs from nim.txt (- on file, + now):",
        "--- nim.txt on file",
        "+++ nim.txt now",
        "@@ -1,3 +1,3 @@",
        " rules",
        "-Stones: 34",
        "+Stones: 33",
        " seat 0 plays: 5",
        "Is this meant? If so, accept it with: make docs",
    ]


def test_a_long_difference_is_cut(folder: Path) -> None:
    """After some lines, and long lines after some characters."""
    lines = _failure(folder / "new.txt", "x" * 10_000 + "\n" * 1_000)

    assert snapshots.MOST_LINES + 3 == len(lines)
    assert max(map(len, lines)) <= snapshots.WIDEST + len(" ...")
    assert "... and 963 more lines" == lines[-2]


def test_no_change_of_a_file_is_missed(folder: Path) -> None:
    """Not even one that shows in no line."""
    (folder / "nim.txt").write_text("rules\n")

    assert "nim.txt: only the ends of lines differ" in _failure(folder / "nim.txt", "rules")


def test_lines_of_one_puzzle_are_compared_and_written_alone(folder: Path) -> None:
    """Those of other puzzles are neither looked at nor changed."""
    path = folder / "digests.txt"
    path.write_text("go: 1\nnim: 1\nnim: 2\n")

    def check(made: list[str], update: bool) -> None:
        snapshots.check_lines(
            path, lambda line: line.startswith("nim"), made, "make docs", update=update
        )

    with pytest.raises(pytest.fail.Exception, match=r"\n-nim: 1\n\+nim: 3\nIs this meant\?"):
        check(["nim: 3", "nim: 2"], update=False)
    check(["nim: 3", "nim: 2"], update=True)

    assert path.read_text() == "go: 1\nnim: 2\nnim: 3\n"
    check(["nim: 3", "nim: 2"], update=False)
