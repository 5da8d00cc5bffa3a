"""A base installation, with msgspec alone: means over starts without intervals."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

import quandary

PLAYERS = ["--player", "random", "--player", "oracle"]
PLAY = [
    "run",
    *PLAYERS,
    "--puzzle",
    "card_nim",
    "--puzzle",
    "tidy_tower",
    "--puzzle",
    "expanding_nim",
]
EASY = ["--level", "easy", "--seeds", "1-3"]
EXTRA = "numpy, scipy and pyarrow: pip install 'quandary[report]'"

Quandary = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Quandary:
    """Runs Python with quandary and msgspec, and no other package."""
    packages = tmp_path_factory.mktemp("packages")
    for package in (msgspec, quandary):
        home = Path(str(package.__file__)).parent
        (packages / home.name).symlink_to(home, target_is_directory=True)

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-S", *arguments]
        environment = {**os.environ, "PYTHONPATH": str(packages)}
        return subprocess.run(
            command, capture_output=True, text=True, check=False, env=environment, cwd=packages
        )

    assert "No module named 'numpy'" in run("-c", "import numpy").stderr
    return lambda *arguments: run("-m", "quandary", *arguments)


@pytest.fixture(scope="module")
def ended(base: Quandary, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A run, and what its command printed."""
    folder = tmp_path_factory.mktemp("base") / "run"
    done = base(*PLAY, *EASY, "--out", str(folder))
    assert (0, "") == (done.returncode, done.stderr)
    return folder, done.stdout


@pytest.fixture
def played(ended: tuple[Path, str]) -> Path:
    return ended[0]


def test_means_are_those_of_the_table_and_the_extra_is_named(
    base: Quandary, ended: tuple[Path, str]
) -> None:
    """`run` and `results`, as text and as JSON."""
    pytest.importorskip("pyarrow", reason="tables need pyarrow: pip install 'quandary[report]'")
    from quandary.scoring import leaderboard
    from quandary.scoring.board_tables import leaderboards
    from quandary.scoring.level_groups import groups_of

    played, output = ended
    groups = groups_of([played])
    expected = {(row.puzzle, row.player): row for row in leaderboard.level_scores(groups)}
    [table] = leaderboards(groups)
    scores = {row[0]: row[1].value for row in table.rows}  # type: ignore[union-attr]

    *rows, board = map(
        json.loads, base(*PLAY, *EASY, "--out", str(played), "--json").stdout.splitlines()
    )
    assert list(expected) == [(row["puzzle"], row["player"]) for row in rows]
    for row in rows:
        own = expected[row["puzzle"], row["player"]]
        assert row["score"] == pytest.approx(own.score, abs=1e-12)
        assert (None, None) == (row["low"], row["high"])
        assert (row["matches"], row["starts"], row["listed"]) == (
            own.matches,
            own.starts,
            own.listed,
        )
    assert {row["player"]: row["score"] for row in board["rows"]} == pytest.approx(scores)
    results = base("results", str(played), "--json").stdout
    assert board == json.loads(results)
    levels = json.loads(base("results", str(played), "--by", "level", "--json").stdout)
    assert [row["score"] for row in rows] == [row["score"] for row in levels["rows"]]

    for shown in (base("results", str(played)).stdout, output):
        assert f"need {EXTRA}." in shown and " to " not in shown.partition("score:")[0]
        for player, score in scores.items():
            assert any(line.split()[:2] == [player, f"{score:.3f}"] for line in shown.splitlines())


def test_leaderboards_hold_the_same_rows(base: Quandary, tmp_path: Path) -> None:
    """The house has played the two-player games only, so it has a board of these levels."""
    pytest.importorskip("pyarrow", reason="tables need pyarrow: pip install 'quandary[report]'")
    from quandary.scoring.board_tables import leaderboards
    from quandary.scoring.level_groups import groups_of

    asked = ["--puzzle", "card_nim", "--puzzle", "tidy_tower", *EASY, "--schedule", "house"]
    for run in ("one", "two"):
        assert 0 == base("run", *asked, *PLAYERS, "--out", str(tmp_path / run)).returncode
    lines = base("results", str(tmp_path / "one"), "--json").stdout.splitlines()
    shown = {table["title"]: table["rows"] for table in map(json.loads, lines)}
    wanted = leaderboards(groups_of([tmp_path / "one"]))

    assert 2 == len(wanted)
    assert {table.title: [row[0] for row in table.rows] for table in wanted} == {
        title: [row["player"] for row in rows] for title, rows in shown.items()
    }
    for table in wanted:
        scores = [row[1].value for row in table.rows]  # type: ignore[union-attr]
        assert scores == pytest.approx([row["score"] for row in shown[table.title]])
    both = base("results", str(tmp_path / "one"), str(tmp_path / "two"), "--json").stdout
    assert 4 == len({json.loads(line)["title"] for line in both.splitlines()})


@pytest.mark.parametrize(
    "command",
    [
        ["results", "RUN", "--ratings"],
        ["results", "RUN", "--by", "puzzle"],
        ["results", "RUN", "--papers"],
        ["compare", "RUN", "RUN", "--player-a", "random", "--player-b", "oracle"],
        [*PLAY, *EASY, "--normalised", "--out", "NEW"],
    ],
    ids=["ratings", "by puzzle", "papers", "compare", "normalised"],
)
def test_what_needs_the_extra_is_refused_in_one_sentence(
    base: Quandary, played: Path, tmp_path: Path, command: list[str]
) -> None:
    """And nothing is played for it."""
    places = {"RUN": str(played), "NEW": str(tmp_path / "new")}
    done = base(*(places.get(word, word) for word in command))

    assert (2, "", 1) == (done.returncode, done.stdout, len(done.stderr.splitlines()))
    assert EXTRA in done.stderr
    assert not (tmp_path / "new").exists()


def test_one_level_and_an_unfinished_run(base: Quandary, played: Path, tmp_path: Path) -> None:
    """A run of one level ends with its scores by level; what is left to play is missing."""
    alone = base("run", *PLAYERS, "--puzzle", "card_nim", *EASY, "--out", str(tmp_path / "one"))
    assert "ended by" in alone.stdout and "Leaderboard" not in alone.stdout
    part = tmp_path / "part"
    part.mkdir()
    (part / "manifest.json").write_bytes((played / "manifest.json").read_bytes())
    lines = (played / "records.jsonl").read_bytes().splitlines(keepends=True)
    (part / "records.jsonl").write_bytes(b"".join(lines[:-4]))
    shown = base("results", str(part)).stdout

    assert "PARTIAL RESULTS" in shown and "missing" in shown
    left = json.loads(base("results", str(part), "--json").stdout)["rows"]
    lost = [player for line in lines[-4:] for player in json.loads(line)["players"]]
    assert {player: lost.count(player) for player in ("random", "oracle")} == {
        row["player"]: row["missing"] for row in left
    }


def test_nothing_of_the_extra_is_imported_before_the_end_of_play(tmp_path: Path) -> None:
    """It takes half a second, which a run that is only continued would wait for."""
    code = (
        "import sys\n"
        "from quandary.arena import run as arena\n"
        "play = arena.run\n"
        "def watched(*given, **named):\n"
        "    played = play(*given, **named)\n"
        "    print([name for name in ('numpy', 'scipy', 'pyarrow') if name in sys.modules])\n"
        "    return played\n"
        "arena.run = watched\n"
        "from quandary.cli.main import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    command = ["run", *PLAYERS, "--puzzle", "card_nim", *EASY, "--out", str(tmp_path / "run")]
    done = subprocess.run(
        [sys.executable, "-c", code, *command], capture_output=True, text=True, check=True
    )

    assert "[]" == done.stdout.splitlines()[0]


@pytest.mark.heavy
def test_the_demo_has_means_without_intervals(base: Quandary, tmp_path: Path) -> None:
    """And says what to install."""
    shown = base("demo", "--out", str(tmp_path)).stdout

    assert "pip install 'quandary[report]'" in shown
    rows = {line.split()[0]: line.split()[2:] for line in shown.splitlines() if "/easy " in line}
    assert {"sudoku/easy", "tidy_tower/easy"} <= set(rows)
    assert all(len(cells) == 3 and "(" not in "".join(cells) for cells in rows.values())
