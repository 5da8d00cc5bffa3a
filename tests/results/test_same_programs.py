"""Runs whose programs have one name and are different are not put together."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="tables need pyarrow: pip install 'quandary[report]'")

from quandary.arena.drawn_programs import DrawnProgram, store_programs
from quandary.catalogue import drawing
from quandary.cli.main import main
from quandary.matches.drivers import play_now
from quandary.matches.player import Scripted
from quandary.players.strategy import random_move, strategy_player
from quandary.programs.library import hash_of
from run_folders import run_folder

FILE, SAMPLE = "program/mine.py", "program/openai/x_1.py"
ONE, OTHER = "class Player: pass", "class Player:\n    turns = 0"


def _run(folder: Path, player: str, programs: dict[str, str], spec: str = "card_nim/easy#1") -> str:
    """A run of a program; `programs` are its codes by puzzle, "" for a file."""
    game = drawing.game(spec)
    one = Scripted(player, random_move)
    record = play_now(game, [one, strategy_player("house", game, "easy")], spec)
    files = {}
    if code := programs.get(""):
        files = {player: {"hash": hash_of(code), "author": "mine", "code": code}}
    run_folder(
        folder,
        [record],
        specs=[spec],
        players=[player, "house"],
        versions={spec.partition("/")[0]: record.version},
        **({"programs": files} if files else {}),
    )
    drawn = [
        DrawnProgram(puzzle, player, "openai/x", hash_of(code), 1, 10, code)
        for puzzle, code in programs.items()
        if puzzle
    ]
    if drawn:
        store_programs(folder, drawn)
    return str(folder)


ALONE = "look at each run by itself"
RENAMED = f"{ALONE}, or rename one of the two files and play its run again.\n"


@pytest.mark.parametrize(
    ("player", "first", "second", "place", "instead"),
    [
        (FILE, {"": ONE}, {"": OTHER}, "", RENAMED),
        (SAMPLE, {"card_nim": ONE}, {"card_nim": OTHER}, ", for card_nim", f"{ALONE}.\n"),
        (SAMPLE, {"": ONE}, {"card_nim": OTHER}, ", for card_nim", f"{ALONE}.\n"),
    ],
    ids=["a file", "a sample", "a file and a sample"],
)
@pytest.mark.parametrize("command", ["results", "results --ratings", "report --out report"])
def test_another_program_of_the_same_name_is_refused(
    player: str,
    first: dict[str, str],
    second: dict[str, str],
    place: str,
    instead: str,
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Each of the runs is told alone; `compare` has them side by side."""
    monkeypatch.chdir(tmp_path)
    runs = [_run(Path("a"), player, first), _run(Path("c"), player, second)]
    name, *more = command.split()
    assert 2 == main([name, *runs, *more])
    assert (
        f"quandary: {player} is another program in a than in c{place}, so their results cannot be "
        f"put together; {instead}" == capsys.readouterr().err
    )
    assert [] == [*Path().glob("report*")]
    for folder in runs:
        assert 0 == main([name, folder, *more])
    assert 0 == main(["compare", *runs, "--player-a", player, "--player-b", player])


@pytest.mark.parametrize(
    ("player", "first", "second"),
    [
        (FILE, {"": ONE}, {"": ONE}),
        (SAMPLE, {"card_nim": ONE, "ruby_risks": OTHER}, {"card_nim": ONE}),
        (SAMPLE, {"card_nim": ONE}, {"ruby_risks": OTHER}),
    ],
    ids=["equal files", "equal samples", "samples of other puzzles"],
)
def test_the_same_programs_are_put_together(
    player: str,
    first: dict[str, str],
    second: dict[str, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    runs = [
        _run(tmp_path / "a", player, first),
        _run(tmp_path / "c", player, second, "card_nim/easy#2"),
    ]
    assert 0 == main(["results", *runs])
    assert player in capsys.readouterr().out
