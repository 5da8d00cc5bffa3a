"""The documented formats are the ones that are read and written."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from quandary.arena import suite
from quandary.arena.manifest import manifest
from quandary.arena.schedule import Schedule
from quandary.cli.main import main
from quandary.core.errors import UserError

DOCS = Path(__file__).parent.parent / "docs"
FIRST_CELL = re.compile(r"^\| `(\w+)` \|", re.M)


def _page(name: str, section: str = "") -> str:
    """A page, or what stands below one of its headings."""
    text = (DOCS / name).read_text("utf-8")
    return text.partition(f"## {section}\n")[2].partition("\n## ")[0] if section else text


def _block(text: str, kind: str) -> str:
    found = re.search(rf"^```{kind}\n(.*?)^```", text, re.S | re.M)
    assert found
    return found[1]


def test_the_suite_of_the_page_can_be_played() -> None:
    """It is read as it stands, and means what its comments say."""
    read = suite.read("example", _block(_page("suites.md"), "toml"))

    assert (3, (1, 2)) == (read.tries, read.small)
    assert ("text", "image") == next(e.modalities for e in read.entries if e.spec.name == "reversi")
    assert {"card_nim", "reversi", "anagram_scribble"} == {spec.name for spec in read.specs}
    assert 20 + 6 + 60 == len(read.specs)
    assert "reversi/1,family=b#8" in map(str, read.specs)


def test_every_key_of_a_suite_is_explained() -> None:
    """No key is missing from the tables, and none is left over."""
    assert set(suite.SETTINGS) == set(
        FIRST_CELL.findall(_page("suites.md", "Settings of the suite"))
    )
    assert set(suite.ENTRY) == set(FIRST_CELL.findall(_page("suites.md", "Entries")))


def test_the_decoding_of_the_page_is_what_is_read() -> None:
    """Every key of the table is taken, and the sentence about another one names nothing else."""
    keys = FIRST_CELL.findall(_page("suites.md", "Decoding"))
    entry = '[[puzzles]]\npuzzle = "card_nim"\n'
    values = {"reasoning_effort": '"low"', "stop": '["END"]'}
    tables = dict.fromkeys(("body", "chat_template_kwargs", "headers"), '{ a = "b" }')
    for key in keys:
        value = (values | tables).get(key, "1")
        assert suite.read("example", f"[decoding]\n{key} = {value}\n{entry}").decoding
    with pytest.raises(UserError, match="unknown setting") as refusal:
        suite.read("example", f"[decoding]\nqqq = 1\n{entry}")
    assert set(re.findall(r"[a-z_]+", str(refusal.value).partition("choose ")[2])) - {"or"} == set(
        keys
    )


def test_the_record_of_the_page_is_what_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """Word for word, and every key is explained."""
    main(["match", "card_nim/easy#7", "--players", "random", "oracle", "--json"])
    shown = json.loads(_block(_page("records.md", "A record"), "json"))

    assert json.loads(capsys.readouterr().out) == shown
    assert list(shown) == FIRST_CELL.findall(_page("records.md", "A record"))


def test_every_key_of_a_manifest_is_explained() -> None:
    """Those that are always there, and the optional ones."""
    read = suite.read("example", _block(_page("suites.md"), "toml"))
    explained = FIRST_CELL.findall(_page("records.md", "The manifest"))

    assert set(manifest(Schedule(read, ["random"]))) <= set(explained)


def test_the_journal_of_the_page_has_the_lines_of_a_real_one(tmp_path: Path) -> None:
    """Each kind of line has exactly the keys that the page shows."""
    pytest.importorskip("aiohttp", reason="needs aiohttp: pip install 'quandary[models]'")
    from server_thread import served, some_move

    file, out = tmp_path / "suite.toml", tmp_path / "run"
    file.write_text('[[puzzles]]\npuzzle = "card_nim"\nlevels = ["easy"]\nseeds = "1"\n')
    command = [
        "run",
        "--suite",
        str(file),
        "--player",
        "openai/any,list_moves=yes",
        "--out",
        str(out),
    ]
    with served(speak=some_move) as server:
        main([*command, "--base-url", server.address])
    real = map(json.loads, (out / "journal.jsonl").read_text("utf-8").splitlines())
    written = {next(iter(line)): set(line) for line in real}
    page = map(json.loads, _block(_page("records.md", "The journal"), "json").splitlines())
    shown = {next(iter(line)): set(line) for line in page}

    assert {"message", "sent", "got"} <= set(written)
    assert written.items() <= shown.items()
