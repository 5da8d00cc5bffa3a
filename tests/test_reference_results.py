"""The stated results of known players: some are played again, and the page says what is stored."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="intervals need pip install 'quandary[report]'")

from tools.reference_results import (
    PAGE,
    PAPERS,
    STRATEGIES,
    Reference,
    by_level,
    document,
    is_current,
    play,
    references,
    section,
    stored,
)

from quandary.arena import suite
from quandary.cli.main import main

TINY = """title = "Tiny"
small = "1"
[[puzzles]]
puzzle = "card_nim"
levels = ["easy"]
seeds = "1-2"
[[puzzles]]
puzzle = "anagram_scribble"
levels = ["easy"]
seeds = "1-2"
"""


@pytest.mark.parametrize(
    ("name", "level"),
    [
        ("quick", "card_nim/easy"),
        ("quick", "sudokill/easy"),
        ("quick", "islands/hard"),
        ("textgames-small", "string_search/medium"),
    ],
)
def test_a_sample_has_the_stated_results(
    name: str, level: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """To the last digit, with the same number of matches."""
    [reference] = [each for each in references() if each.name == name]
    puzzle, _, wanted = level.partition("/")
    arguments = reference.arguments[: reference.arguments.index("--out")]
    run = ["run", *arguments, "--puzzle", puzzle, "--level", wanted, "--out", str(tmp_path / "run")]
    assert 0 == main(run)
    capsys.readouterr()
    assert 0 == main(["results", str(tmp_path / "run"), "--by", "level", "--json"])
    [table] = map(json.loads, capsys.readouterr().out.splitlines())

    assert set(STRATEGIES) == set(stored()[name]["levels"][level])
    assert {level: stored()[name]["levels"][level]} == by_level(table["rows"]), (
        "other results than those in tools/reference_results.json; is this meant? then raise the "
        "puzzle's version, and run make reference"
    )


@pytest.mark.heavy
def test_a_run_that_is_finished_is_not_played_again(tmp_path: Path) -> None:
    """What was stored says how, and whether it still holds."""
    (tmp_path / "tiny.toml").write_text(TINY, "utf-8")
    tiny = Reference("tiny", str(tmp_path / "tiny.toml"), ("--schedule", "house"), STRATEGIES)
    found = play(tiny, tmp_path)
    records = (tmp_path / tiny.folder / "records.jsonl").read_bytes()
    again = play(tiny, tmp_path)

    assert records == (tmp_path / tiny.folder / "records.jsonl").read_bytes()
    assert found | {"seconds": 0} == again | {"seconds": 0}
    assert {"card_nim/easy", "anagram_scribble/easy"} == found["levels"].keys()
    assert is_current(tiny, {"tiny": found}) and not is_current(tiny, {})
    older = found | {"puzzles": found["puzzles"] | {"card_nim": 1}}
    assert not is_current(tiny, {"tiny": older})
    assert "Changed since: card_nim." in section(tiny, older)
    assert "Changed since" not in section(tiny, found)
    [oracle] = [row for row in found["leaderboard"] if row["player"] == "oracle"]
    mean, low, high = oracle["score"]
    row = f"| oracle | {mean:.3f} ({low:.3f} to {high:.3f}) | {oracle['n']} |"
    assert row in section(tiny, found) and tiny.command in section(tiny, found)


def test_the_page_has_every_run_and_what_the_papers_print() -> None:
    """By suite; each paper's figures stand beside those of the same table."""
    some = stored()["textgames-small"]
    text = document({each.name: some for each in references()})
    suites = {each.suite for each in references()}

    assert suites == set(suite.names())
    assert [] == [name for name in suites if f"## {suite.load(name).title}\n" not in text]
    assert "| Random | game_of_24 | 50.0 | - |" in text
    assert "| gpt-4o | en | 35.00 | 18.55 | 28.29 |" in text
    assert f"| {' | '.join(PAPERS['textgames_averages'])} |" in text


def test_the_page_says_what_is_stored() -> None:
    """And names the runs that are not played yet."""
    results = stored()
    text = PAGE.read_text("utf-8")
    assert text == document(results)
    for reference in references():
        assert reference.command in text
        assert (f"Not played yet: `{reference.command}`" in text) == (reference.name not in results)
