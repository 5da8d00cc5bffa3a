"""Replies exported as the server of LogicGame takes them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from counting_server import counting_server
from logicgame_files import items, write_files
from quandary.arena.store import MANIFEST, RECORDS
from quandary.cli.main import main

NUMBERS = (9, 11, 300)
PREFIX = {"en": "logic_string0801", "zh": "logic_string0625"}
# By the number of the item; none of them is cleaned, and an empty reply is a reply.
SAID = {
    9: '  Steps:\r\n\t1. \u201c\\n\u201d \U0001f600\n```json\n{"answer": ["4"]}\n```\n\n ',
    11: "",
    300: "\u6211\u4e0d\u77e5\u9053\u3002\u2028<think>no</think> {\"answer\": ",
}  # fmt: skip


@pytest.fixture
def imported(tmp_path: Path) -> Path:
    """Three items per language, of which the last one has no key; the files are not in order."""
    shuffled = {language: items(language)[::-1] for language in PREFIX}
    source = write_files(tmp_path / "source", **shuffled)
    assert main(["import", "logicgame", str(source), "--out", str(tmp_path / "import")]) == 0
    return tmp_path / "import"


def play(imported: Path, out: Path, *more: str) -> int:
    return main(["run", "--problems", str(imported), "--out", str(out), *more])


def export(run: Path, out: Path, *more: str) -> int:
    return main(["export", str(run), "--to", "submission", "--out", str(out), *more])


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().decode().split("\n")[:-1]]


def test_replies_are_those_that_came(
    imported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of both languages, in the published order, of items with a key or without."""
    pytest.importorskip("aiohttp", reason="models need aiohttp: pip install 'quandary[models]'")
    number = {
        line["contexts"][0]: int(line["qid"].rpartition("_")[2])
        for language in PREFIX
        for line in items(language)
    }

    def speak(body: Mapping[str, Any]) -> str:
        return SAID[number[body["messages"][-1]["content"]]]

    with counting_server(speak) as server:
        model = ["--player", "openai/any", "--base-url", server.address]
        assert play(imported, tmp_path / "run", "--wording", "published", *model) == 0
    capsys.readouterr()
    assert export(tmp_path / "run", tmp_path / "out") == 0

    for language, prefix in PREFIX.items():
        assert lines(tmp_path / "out" / f"{language}.jsonl") == [
            {"qid": f"{prefix}_{number}", "response": SAID[number]} for number in NUMBERS
        ]
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"en.jsonl", "zh.jsonl"}
    said = capsys.readouterr()
    assert said.out == "".join(f"{tmp_path / 'out' / name}.jsonl: 3 replies\n" for name in PREFIX)
    assert said.err == ""


def test_missing_replies_are_named(
    imported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is there is written; problems without a key have no replies in our wording."""
    assert play(imported, tmp_path / "run", "--player", "oracle") == 0
    capsys.readouterr()
    assert export(tmp_path / "run", tmp_path / "out", "--json") == 1

    said = capsys.readouterr()
    assert [json.loads(line)["replies"] for line in said.out.splitlines()] == [1, 2]
    assert "these are replies to our prompts" in said.err
    assert (
        "3 of 6 replies are missing: logic_string0801_11, logic_string0801_300, "
        "logic_string0625_300.\n"
    ) in said.err
    (own,) = lines(tmp_path / "out" / "en.jsonl")
    assert own["qid"] == "logic_string0801_9"
    assert json.loads(own["response"]) == {"answer": ["4"], "process": ["4"]}


def test_a_reply_that_never_came_is_missing(
    imported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As when the infrastructure failed; a match that was played again counts."""
    run = tmp_path / "run"
    assert play(imported, run, "--wording", "published", "--player", "oracle") == 0
    stored = [json.loads(line) for line in (run / RECORDS).read_text("utf-8").splitlines()]
    stored[0] |= {"cause": "infrastructure", "scores": None, "log": []}
    stored[0]["said"][0][1:4] = ["the server is gone", "infrastructure", ""]
    cut_off = [json.dumps(record, ensure_ascii=False) for record in (stored[0], *stored[1:])]
    whole = (run / RECORDS).read_text("utf-8").splitlines()[0]

    (run / RECORDS).write_text("\n".join(cut_off) + "\n", "utf-8")
    assert export(run, tmp_path / "out") == 1
    assert "1 of 6 replies is missing: logic_string0801_9.\n" in capsys.readouterr().err
    assert len(lines(tmp_path / "out" / "en.jsonl")) == 2
    (run / RECORDS).write_text("\n".join([*cut_off, whole]) + "\n", "utf-8")
    assert export(run, tmp_path / "out") == 0
    assert len(lines(tmp_path / "out" / "en.jsonl")) == 3


def test_neighbours_are_named_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Those that follow each other as published, whatever their numbers."""
    walk = items("en")[0]
    many = {
        language: [
            walk | {"qid": f"{prefix}_{number}", "contexts": items(language)[0]["contexts"]}
            for number in (1, 2, 3, 7, 20, 21, 100)
        ]
        for language, prefix in PREFIX.items()
    }
    source, imported = write_files(tmp_path / "source", **many), tmp_path / "import"
    assert main(["import", "logicgame", str(source), "--out", str(imported)]) == 0
    chosen = [f"--problem=logic_string0801_{number}" for number in (3, 100)]
    assert play(imported, tmp_path / "run", "--player", "oracle", *chosen) == 0
    assert export(tmp_path / "run", tmp_path / "out") == 1

    assert (
        "12 of 14 replies are missing: logic_string0801_1, logic_string0801_2, "
        "logic_string0801_7 to logic_string0801_21, "
        "logic_string0625_1 to logic_string0625_100.\n"
    ) in capsys.readouterr().err
    assert lines(tmp_path / "out" / "zh.jsonl") == []


def test_the_player_is_chosen(
    imported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, out = tmp_path / "run", tmp_path / "out"
    players = ["--player", "oracle", "--player", "random", "--wording", "published"]
    assert play(imported, run, *players) == 0

    assert export(run, out) == 2
    assert "has 2 players" in (said := capsys.readouterr().err)
    assert "choose with --player: oracle or random." in said
    assert export(run, out, "--player", "randam") == 2
    assert "did you mean 'random'?" in capsys.readouterr().err
    assert not out.exists()
    assert export(run, out, "--player", "oracle") == 0
    assert json.loads(lines(out / "en.jsonl")[0]["response"])["answer"] == ["4"]


def test_what_cannot_be_submitted_is_refused(
    imported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence, and nothing is written."""
    run, other, out = tmp_path / "run", tmp_path / "other", tmp_path / "out"
    assert play(imported, run, "--player", "oracle") == 0
    card_nim = ["run", "--puzzle", "card_nim", "--seeds", "1", "--level", "easy"]
    assert main([*card_nim, "--player", "random", "--out", str(other)]) == 0
    capsys.readouterr()

    def refusal(*arguments: str) -> str:
        assert main(["export", *arguments, "--out", str(out)]) == 2
        assert not out.exists()
        sentence = capsys.readouterr().err
        assert sentence.count("\n") == 1 and "Traceback" not in sentence
        return sentence

    submission = ("--to", "submission")
    assert "is not a run of published problems" in refusal(str(other), *submission)
    assert "name one" in refusal(str(run), str(other), *submission)
    assert "is not the folder of a run" in refusal(str(tmp_path / "no"), *submission)
    assert "--player is for" in refusal(str(run), "--to", "csv", "--player", "oracle")
    records = (run / RECORDS).read_bytes()
    (run / RECORDS).write_bytes(records[:40] + b"\n" + records)
    assert f"{run / RECORDS}" in refusal(str(run), *submission)
    (run / RECORDS).write_bytes(records)
    problems = (run / "problems.jsonl").read_bytes()
    (run / "problems.jsonl").write_bytes(problems[:40] + b"\n" + problems)
    assert "line 1 of" in refusal(str(run), *submission)
    (run / "problems.jsonl").unlink()
    assert "has no problems.jsonl" in refusal(str(run), *submission)
    (run / MANIFEST).write_text("{")
    assert str(run) in refusal(str(run), *submission)
