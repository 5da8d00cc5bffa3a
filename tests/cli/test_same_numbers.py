"""Every command prints the same numbers for the same rows, of a whole run and of an unfinished one.

The run has puzzles for one and for two, with and without luck, one with a short list of starts and
one with two levels; its players are two strategies and a model, whose replies are sometimes read
only leniently.
"""

from __future__ import annotations

import csv
import json
import shutil
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, TypeAlias

import pytest

pytest.importorskip(
    "aiohttp", reason="models behind HTTP servers need aiohttp: pip install 'quandary[models]'"
)
pytest.importorskip("numpy", reason="leaderboards need numpy: pip install 'quandary[report]'")
pytest.importorskip("pyarrow", reason="leaderboards need pyarrow: pip install 'quandary[report]'")

from quandary.arena.store import RECORDS
from quandary.cli.main import main
from quandary.report.scores import columns, scores_of
from quandary.results.level_scores import headlines
from quandary.results.read_runs import read_run
from quandary.results.table import seats
from quandary.scoring.plain_scores import plain_scores
from server_thread import served, some_move

SUITE = """
[[puzzles]]
puzzle = "card_nim"
levels = ["easy", "normal"]
seeds = "1-2"
[[puzzles]]
puzzle = "beat_or_bomb_sto"
levels = ["easy"]
seeds = "1-2"
[[puzzles]]
puzzle = "expanding_nim"
levels = ["easy"]
seeds = "1-3"
[[puzzles]]
puzzle = "islands"
levels = ["easy"]
seeds = "1-3"
"""
MODEL = "openai/any,list_moves=yes,history=no"
PLAYERS = (MODEL, "oracle", "random")
Level: TypeAlias = tuple[str, str, str]  # puzzle, level and player
Interval: TypeAlias = tuple[float | None, float | None, float | None]  # score and its limits


class Played:
    """A folder with a run, and the command that plays the rest of it."""

    def __init__(self, folder: Path, command: Sequence[str], code: int) -> None:
        self.folder, self.command, self.code = folder, [*command, "--out", str(folder)], code


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served(speak=_some_words) as server:
        yield server.address


def _some_words(body: Mapping[str, Any]) -> str:
    """A legal move, and after some of them a sentence that the prompt does not allow."""
    move = some_move(body)
    return f"{move}\nThat is my move." if len(move) % 2 else move


@pytest.fixture(scope="module")
def whole(address: str, tmp_path_factory: pytest.TempPathFactory) -> Played:
    place = tmp_path_factory.mktemp("whole")
    (place / "several.toml").write_text(SUITE, "utf-8")
    players = (word for player in PLAYERS for word in ("--player", player))
    command = ["run", "--suite", str(place / "several.toml"), "--base-url", address, *players]
    played = Played(place / "run", command, 0)
    assert 0 == main(played.command)
    return played


@pytest.fixture(scope="module")
def part(whole: Played, tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Without the last matches of the model, which it is not allowed to play."""
    folder = tmp_path_factory.mktemp("part") / "run"
    shutil.copytree(whole.folder, folder, ignore=shutil.ignore_patterns("tables", "journal*"))
    lines = (folder / RECORDS).read_bytes().splitlines(keepends=True)
    lost = [line for line in lines if MODEL.encode() in line][-5:]
    (folder / RECORDS).write_bytes(b"".join(line for line in lines if line not in lost))
    return Played(folder, [*whole.command[:-2], "--tokens", "1"], 1)


@pytest.fixture(params=["whole", "part"])
def played(request: pytest.FixtureRequest) -> Played:
    found: Played = request.getfixturevalue(request.param)
    return found


def _output(capsys: pytest.CaptureFixture[str], arguments: Sequence[str], code: int = 0) -> str:
    capsys.readouterr()
    assert code == main(arguments)
    return capsys.readouterr().out


def _lines(
    capsys: pytest.CaptureFixture[str], arguments: Sequence[str], code: int = 0
) -> list[dict[str, Any]]:
    return [json.loads(line) for line in _output(capsys, [*arguments, "--json"], code).splitlines()]


def _interval(score: Any) -> Interval:
    """A score in JSON: a list with its limits, or a number alone."""
    return tuple(score) if isinstance(score, list) else (score, None, None)  # type: ignore[return-value]


def _by_level(table: Mapping[str, Any]) -> dict[Level, Interval]:
    return {
        (row["puzzle"], row["level"], row["player"]): _interval(row["score"])
        for row in table["rows"]
    }


def _by_player(table: Mapping[str, Any]) -> dict[str, Interval]:
    return {row["player"]: _interval(row["score"]) for row in table["rows"]}


def _shown(found: Interval) -> str:
    score, low, high = found
    if score is None:
        return "-"
    return f"{score:.3f}" if low is None else f"{score:.3f} ({low:.3f} to {high:.3f})"


def _means_of_csv(path: Path) -> dict[Level, float]:
    """By plain Python: means over starts of means over playings, of what was exported."""
    scores: Any = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            own = scores[row["puzzle"], row["level"], row["player"]]
            if row["score"]:
                own[row["instance"]][row["spec"], row["repeat"]].append(float(row["score"]))
    return {
        level: fmean(fmean(map(fmean, playings.values())) for playings in starts.values())
        for level, starts in scores.items()
    }


def test_scores_by_level_are_the_same_everywhere(
    played: Played, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With their intervals where these are printed: `run`, `results`, the report, exports, and the
    plain means of a base installation.
    """
    asked = ["results", str(played.folder), "--by", "level"]
    [table] = _lines(capsys, asked)
    found = _by_level(table)
    scored = {level: score for level, (score, *_) in found.items() if score is not None}
    assert len(found) == len(PLAYERS) * 5
    assert any(low is None for _, low, _ in found.values()) == (played.code == 1)

    run = [row for row in _lines(capsys, played.command, played.code) if "low" in row]
    assert found == {
        (row["puzzle"], row["level"], row["player"]): (row["score"], row["low"], row["high"])
        for row in run
    }
    shown = _output(capsys, asked)
    for (puzzle, level, player), interval in found.items():
        own = [line for line in shown.splitlines() if f"{puzzle}  {level}" in _narrow(line)]
        assert any(f"  {player}  {_shown(interval)}  " in _narrow(line) for line in own)
    report = scores_of(seats(played.folder, columns=columns()), [played.folder])
    assert found == _by_level(report.levels.plain())
    plain = {
        (row.puzzle, row.level, row.player): row.score
        for row in plain_scores(read_run(played.folder))
    }
    assert set(plain) == set(found)
    assert {level: score for level, score in plain.items() if score is not None} == pytest.approx(
        scored, abs=1e-12
    )
    _output(capsys, ["export", str(played.folder), "--to", "csv", "--out", str(tmp_path)])
    assert pytest.approx(scored, abs=1e-12) == _means_of_csv(tmp_path / "seats.csv")


def _narrow(line: str) -> str:
    """A line of a table with two blanks between columns."""
    return "  ".join(cell.strip() for cell in line.split("  ") if cell.strip()) + "  "


def test_regrading_prints_the_same_scores(
    whole: Played, capsys: pytest.CaptureFixture[str]
) -> None:
    """Replies that are read in the same way give the scores that the run has."""
    [table] = _lines(capsys, ["results", str(whole.folder), "--by", "level"])
    rows = [row for row in _lines(capsys, ["regrade", str(whole.folder)]) if "was" in row]
    found = {(row["puzzle"], row["level"], row["player"]): row for row in rows}

    for level, (score, *_) in _by_level(table).items():
        assert (score, score) == (
            pytest.approx(found[level]["was"], abs=1e-12),
            pytest.approx(found[level]["now"], abs=1e-12),
        )


def test_a_player_has_one_score(
    played: Played, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In leaderboards of `run`, `results` and the report, in `compare`, where replies are counted,
    in plain means, and by plain Python on an export.
    """
    [board] = _lines(capsys, ["results", str(played.folder)])
    found = _by_player(board)
    assert set(PLAYERS) == set(found)
    assert "mean over puzzles of the means over their levels" in board["formula"]

    *rows, last = _lines(capsys, played.command, played.code)
    assert board == last
    [model] = [row for row in rows if row.get("replies")]
    assert model["score"] == pytest.approx(found[MODEL][0], abs=1e-12)
    assert model["strict_score"] < model["score"]
    ended = _output(capsys, played.command, played.code)
    assert f" Score {found[MODEL][0]:.3f}; " in ended
    for player, interval in found.items():
        assert f"{player}  {_shown(interval)}  " in "\n".join(map(_narrow, ended.splitlines()))
    report = scores_of(seats(played.folder, columns=columns()), [played.folder])
    assert found == _by_player(report.leaderboards[0].plain())
    scores = {player: score for player, (score, *_) in found.items()}
    assert scores == pytest.approx(headlines(plain_scores(read_run(played.folder))), abs=1e-12)
    sides = ["--player-a", MODEL, "--player-b", "random", "--disagreements", "0"]
    compared = ["compare", str(played.folder), str(played.folder), *sides]
    verdict, *tables = _lines(capsys, compared)
    assert found[MODEL] == _interval(verdict["a"]["score"])
    assert found["random"] == _interval(verdict["b"]["score"])
    shown = _output(capsys, compared)
    assert f"A: {MODEL} in {played.folder}, score {_shown(found[MODEL])}\n" in shown
    means = {key for table in tables[:-1] for row in table["rows"] for key in row}
    assert {"A on shared results", "B on shared results"} <= means
    assert not {"A", "B", "score"} & means
    _output(capsys, ["export", str(played.folder), "--to", "csv", "--out", str(tmp_path)])
    puzzles: Any = defaultdict(lambda: defaultdict(list))
    for (puzzle, _, player), score in _means_of_csv(tmp_path / "seats.csv").items():
        puzzles[player][puzzle].append(score)
    by_hand = {player: fmean(map(fmean, own.values())) for player, own in puzzles.items()}
    assert scores == pytest.approx(by_hand, abs=1e-12)


@pytest.mark.heavy
def test_files_have_the_same_scores(
    whole: Played, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The written report, and the mean in logs of Inspect AI."""
    [board] = _lines(capsys, ["results", str(whole.folder)])
    _output(capsys, ["report", str(whole.folder), "--out", str(tmp_path / "report")])
    tables = json.loads((tmp_path / "report" / "report.json").read_text("utf-8"))["tables"]
    [written] = [table for table in tables if table["key"] == "leaderboard"]
    assert board["rows"] == written["rows"]

    pytest.importorskip("inspect_ai", reason="needs Inspect AI: pip install 'quandary[inspect]'")
    from inspect_ai.log import list_eval_logs, read_eval_log

    out = tmp_path / "logs"
    _output(capsys, ["export", str(whole.folder), "--to", "inspect", "--out", str(out)])
    logs = [read_eval_log(log) for log in list_eval_logs(str(out))]
    found = {log.eval.model: log.results.scores[0].metrics["mean"] for log in logs}
    for player, (score, *_) in _by_player(board).items():
        assert found[player].value == pytest.approx(score, abs=1e-12)
        assert "mean over puzzles" in found[player].metadata["weights"]
