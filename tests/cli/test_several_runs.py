"""`quandary results` and `quandary report` with several runs: comparable rows only."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("aiohttp", reason="needs aiohttp: pip install 'quandary[report,models]'")
pytest.importorskip("pyarrow", reason="needs pyarrow: pip install 'quandary[report,models]'")

import pyarrow.compute as pc

from quandary.arena.store import MANIFEST, RECORDS
from quandary.cli.main import main
from quandary.report.formats import comma_separated
from quandary.report.page.score_tables import score_table
from quandary.report.scores import columns, scores_of
from quandary.results.table import seats
from quandary.scoring.board_tables import BRACKETS
from server_thread import served

SETTING = ",max_tokens=300"
SUITE = """
[[puzzles]]
puzzle = "card_nim"
levels = ["easy"]
seeds = "1-3"
[[puzzles]]
puzzle = "minesweeper"
levels = ["1", "2"]
seeds = "1-3"
"""


def one_card(body: Mapping[str, Any]) -> str:
    """Plays the card 1 in English, and says nothing in Chinese."""
    return "我不知道。" if "石子" in str(body["messages"]) else "Easy.\n```\n1\n```"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One model in two languages, each in a run of its own, and again on one of the puzzles; three
    strategies in two runs of other suites, of which one allows more tries.
    """
    folder = tmp_path_factory.mktemp("several")
    (folder / "small.toml").write_text(SUITE)
    (folder / "tries.toml").write_text(f"tries = 2\n{SUITE}")
    suite = ["--suite", str(folder / "small.toml")]
    model = ["--player", f"openai/any{SETTING}"]
    chosen = {
        "en": [*suite, *model, "--language", "en"],
        "zh": [*suite, *model, "--language", "zh"],
        "one": ["--puzzle", "card_nim", "--level", "easy", "--seeds", "1-3", *model],
        "strategies": [*suite, "--player", "random", "--player", "oracle"],
        "tries": ["--suite", str(folder / "tries.toml"), "--player", "house"],
    }
    with served(speak=one_card) as server:
        address = ["--base-url", server.address]
        for name, arguments in chosen.items():
            own = address if "openai/any" in str(arguments) else []
            assert 0 == main(["run", *arguments, *own, "--out", str(folder / name)])
    return {name: folder / name for name in chosen}


def _boards(capsys: pytest.CaptureFixture[str], *folders: Path) -> list[dict[str, Any]]:
    capsys.readouterr()
    assert 0 == main(["results", *map(str, folders), "--json"])
    lines = map(json.loads, capsys.readouterr().out.splitlines())
    return [line for line in lines if line.get("key", "").startswith("leaderboard")]


def _players(board: dict[str, Any]) -> list[str]:
    return sorted(row["player"] for row in board["rows"])


def test_languages_of_a_model_are_rows_of_one_board(
    runs: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """With ranks; the house, which only plays the game, is compared on that."""
    whole, game = _boards(capsys, runs["en"], runs["zh"])
    names = [f"openai/any{SETTING},language={language}" for language in ("en", "zh")]

    assert (names, ["house", *names]) == (_players(whole), _players(game))
    assert all(row["ranks"] for board in (whole, game) for row in board["rows"])
    assert ["card_nim/easy"] == game["levels"] and 3 == len(whole["levels"])
    assert ["max_tokens=300"] == whole["shared_settings"]
    assert 0 == main(["results", str(runs["en"]), str(runs["zh"])])
    output = capsys.readouterr().out
    assert "3 levels of 2 puzzles. All models: max_tokens=300." in output
    assert "\nopenai/any,language=en " in output and SETTING not in output.partition("Factors")[0]


def test_a_run_of_one_puzzle_is_compared_on_it(
    runs: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """With all who played it, in whichever suite; their other levels do not count there."""
    whole, *others = _boards(capsys, runs["one"], runs["strategies"])

    assert ("Leaderboard of small", ["oracle", "random"]) == (whole["title"], _players(whole))
    assert {"Leaderboard of card_nim", "Leaderboard of 1 shared level"} == {
        board["title"] for board in others
    }
    [shared] = [board for board in others if "shared" in board["title"]]
    assert ["house", f"openai/any{SETTING}", "oracle", "random"] == _players(shared)
    assert {1} == {row["levels"] for row in shared["rows"]}


def test_suites_with_other_rules_are_compared_on_games(
    runs: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """Two tries make another question of minesweeper, but not of card_nim."""
    boards = _boards(capsys, runs["strategies"], runs["tries"])

    for board in boards:
        if {"house", "oracle"} <= set(_players(board)):
            assert ["card_nim/easy"] == board["levels"]
    [tries] = [board for board in boards if board["title"] == "Leaderboard of tries"]
    sentence = "among them minesweeper/1 (2 tries) and minesweeper/2 (2 tries)."
    assert f"3 levels of 2 puzzles, {sentence} {BRACKETS}" == tries["lead"]
    sizes = [len(board["levels"]) for board in boards]
    assert sizes == sorted(sizes, reverse=True)


def test_a_player_with_matches_to_play_stays_on_its_board(
    runs: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also if it has not begun a level; it has no rank."""
    lines = (runs["strategies"] / RECORDS).read_text("utf-8").splitlines(keepends=True)
    kept = [line for line in lines if "minesweeper/2" not in line or '"oracle"' not in line]
    (tmp_path / MANIFEST).write_bytes((runs["strategies"] / MANIFEST).read_bytes())
    (tmp_path / RECORDS).write_text("".join(kept), "utf-8")
    [board] = _boards(capsys, tmp_path)

    assert {"random": 0, "oracle": 3} == {row["player"]: row["missing"] for row in board["rows"]}
    assert {None} == {row["ranks"] for row in board["rows"]}
    assert "PARTIAL RESULTS" in str(board["notes"])


def test_a_report_has_the_same_boards(
    runs: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """With short names on the page and whole ones in files."""
    folders = [runs["en"], runs["zh"], runs["strategies"]]
    found = _boards(capsys, *folders)
    scores = scores_of(seats(*folders, columns=columns()), folders)
    boards = [json.loads(json.dumps(board.plain())) for board in scores.leaderboards]
    page = str(score_table(scores.leaderboards[0]))

    assert len(found) > 1 and "leaderboard" == boards[0]["key"]
    assert [{**board, "key": ""} for board in found] == [{**board, "key": ""} for board in boards]
    assert scores.leaderboards == scores.all()[: len(found)]
    assert f"<h3>{found[0]['title']}</h3>" in page and f">{found[0]['lead']}</p>" in page
    assert "openai/any,language=zh</td>" in page
    assert f"openai/any{SETTING},language=zh" in comma_separated(scores.leaderboards[0])


def test_tokens_are_those_on_the_levels_of_the_largest_board(runs: dict[str, Path]) -> None:
    """The model of one run has played another suite as well, where it wrote more."""
    folders = [runs["en"], runs["one"]]
    table = seats(*folders, columns=columns())
    one = pc.equal(table["suite"].cast("string"), "small")
    tokens = pc.if_else(one, 10, 1000)
    table = table.set_column(table.column_names.index("tokens_written"), "tokens_written", tokens)
    found = scores_of(table, folders)

    assert "Leaderboard of small" == found.leaderboards[0].title
    assert {10} == set(found.tokens.values())


@pytest.mark.parametrize("settings", [{"attempts": "five"}, {"tries": [1]}])
def test_a_damaged_manifest_is_refused(
    settings: dict[str, Any],
    runs: dict[str, Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """In one sentence."""
    manifest = json.loads((runs["strategies"] / MANIFEST).read_text("utf-8"))
    manifest["suite"] |= settings
    (tmp_path / MANIFEST).write_text(json.dumps(manifest), "utf-8")
    (tmp_path / RECORDS).write_bytes((runs["strategies"] / RECORDS).read_bytes())

    assert 2 == main(["results", str(tmp_path)])
    assert "cannot be read as the manifest of a run (Expected `int`" in capsys.readouterr().err
