"""`quandary replay --transcript`: what players were sent, thought and said, and what came of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip(
    "aiohttp", reason="models behind HTTP servers need aiohttp: pip install 'quandary[models]'"
)

import quandary as q
from quandary.arena.store import read
from quandary.cli.main import main
from quandary.cli.match_command import last_reply
from quandary.matches.codec import record_json
from quandary.players.registry import PlayerRegistry
from server_thread import served

SUITE = '[[puzzles]]\npuzzle = "card_nim"\nlevels = ["easy"]\nseeds = "7"\n'
REPLIES = (
    "I do not know.",
    "I do not know.",
    "<think>Six or one?</think>Answer: 6 or 1",
    "<think>One is safe.</think>It is one.\nAnswer: 1",
    "Answer: 90",
)


def _speak(body: Mapping[str, Any]) -> str:
    """The next of the replies, by how many the conversation has so far."""
    earlier = sum(message["role"] == "assistant" for message in body["messages"])
    return REPLIES[min(earlier, len(REPLIES) - 1)]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A run of a model against the house, from both seats."""
    suite, out = tmp_path / "suite.toml", tmp_path / "run"
    suite.write_text(SUITE)
    with served(speak=_speak) as server:
        command = ["run", "--suite", str(suite), "--player", "openai/any", "--out", str(out)]
        assert 0 == main([*command, "--base-url", server.address])
    capsys.readouterr()
    return out


def test_everything_between_a_player_and_the_match_is_told(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Prompts, thinking, replies, how they were read, and why they were refused; each once."""
    records = (run / "records.jsonl").read_text().splitlines()
    order = [json.loads(line)["players"][0] for line in records]
    number = order.index("openai/any") + 1
    assert 0 == main(["replay", str(run), "--match", str(number), "--transcript"])
    out = capsys.readouterr().out

    assert "card_nim/easy#7: openai/any (seat 0) against house (seat 1), house won 1 : 0 (" in out
    for words in (
        "seat 0 (openai/any)\n  was sent (system):\n",
        "  was not read (unreadable): I do not know",
        "  was not accepted:\n    Write the card you play as one number",
        "  thought:\n    Six or one?\n  said:\n    Answer: 6 or 1\n",
        "  was not read (ambiguous): 6 or 1\n",
        "  said:\n    It is one.\n    Answer: 1\n  read as: 1\n",
        "seat 1 (house): ",
        "  read as: 90 (illegal)\n  was not accepted:\n    You do not hold the card 90.\n",
    ):
        assert words in out, words
    assert 1 == out.count("Two players share a pile of stones")
    assert 1 == out.count("was sent (system)")
    # Five replies, each after a question or a correction, two of which are the same.
    assert 5 == out.count("was sent (user)")


def test_words_in_chinese(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever the program says is Chinese; what was sent and said stays as it was."""
    assert 0 == main(["replay", str(run), "--transcript", "--language", "zh"])
    out = capsys.readouterr().out

    for words in (
        "card_nim/easy#7：openai/any（座位 0）对 house（座位 1），house 以 1 : 0 获胜",
        "house 以 1 : 0 获胜（有一步违反了规则）",
        "座位 0（openai/any）\n  收到（系统）：\n",
        "  收到（用户）：\n",
        "  未能读取（无法读懂）：I do not know",
        "  思考：\n    Six or one?\n  回复：\n    Answer: 6 or 1\n",
        "  未能读取（有歧义）：6 or 1\n",
        "  读作：1\n",
        "  读作：90（违规）\n  未被接受：\n    你手里没有 90 这张牌。\n",
        "共 2 局，其中 2 局重放后的得分与记录一致。\n",
    ):
        assert words in out, words
    ours = {"seat", "was", "read", "refused", "said", "thought", "ended", "recorded"}
    assert [] == [word for line in out.splitlines() for word in line.split()[:1] if word in ours]


def test_words_as_json(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same for programs."""
    assert 0 == main(["replay", str(run), "--transcript", "--json"])
    matches = map(json.loads, capsys.readouterr().out.splitlines())
    first = next(match for match in matches if match["players"][0] == "openai/any")
    one, _, two, three, house, last = first["words"]

    assert ["unreadable", three["status"], "illegal"] == [one["status"], "answered", last["status"]]
    assert ("Six or one?", "1", "house", []) == (
        two["thought"],
        three["move"],
        house["player"],
        house["calls"],
    )
    assert "Stones: 23" in one["calls"][0]["sent"][-1]["text"]


def test_records_without_a_journal_tell_what_was_said(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file of records knows replies, and why they were refused, but not what was sent."""
    file = tmp_path / "alone.jsonl"
    file.write_bytes((run / "records.jsonl").read_bytes())

    assert 0 == main(["replay", str(file), "--transcript"])
    out = capsys.readouterr().out
    assert "was sent" not in out
    assert 2 == out.count("  thought:\n    Six or one?")
    assert "2 of 2 matches replay" in out


def test_the_words_of_a_model_do_not_command_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Escape sequences and the like are shown; JSON, which programs read, keeps what was said."""
    text = "\x1b[2J\x1b[31mh\u202eello\x07\x9b1m\nAnswer: \x1b]0;title\x07"
    command = ["run", "--puzzle", "anagram_scribble", "--level", "easy", "--limit", "1"]
    with served(speak=lambda body: text) as server:
        main([*command, "--player", "vllm/m", "--out", str(tmp_path), "--base-url", server.address])
    capsys.readouterr()
    for way in ([], ["--transcript"], ["--judge"]):
        assert 0 == main(["replay", str(tmp_path), *way])
        out = capsys.readouterr().out
        assert not set("\x1b\x07\x9b\u202e") & set(out)
        assert "\\x1b]0;title\\x07" in out
        if "--transcript" in way:
            assert "\\x1b[2J\\x1b[31mh\\u202eello\\x07\\x9b1m" in out
    assert 0 == main(["replay", str(tmp_path), "--transcript", "--json"])
    assert text == json.loads(capsys.readouterr().out)["words"][0]["text"]


@pytest.mark.parametrize("status", ["refused", "unreadable"])  # earlier versions stored the latter
def test_a_player_that_gives_up_is_told_so(
    status: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever its last words were; the record replays."""
    session, file = q.Session("card_nim/easy#1", opponents="random"), tmp_path / "match.jsonl"
    assert "refused" == session.forfeit().status
    record = session.record()
    assert ("resigned", ["refused"]) == (record.cause, [reply.status for reply in record.said])
    plain = json.loads(record_json(record))
    plain["said"][0][2] = status
    file.write_text(json.dumps(plain) + "\n")

    assert 0 == main(["replay", str(file), "--transcript"])
    output = capsys.readouterr().out
    assert f"  was not read ({status})\n  was not accepted:\n    the player gave up" in output
    assert "1 of 1 match replays" in output


def test_many_matches_are_listed_on_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of more than a screen, only those that do not replay."""
    many, few = tmp_path / "many.jsonl", tmp_path / "few.jsonl"
    record = record_json(q.match("card_nim/easy#7", "random", "random"))
    many.write_text(f"{record}\n" * 21)
    few.write_text(f"{record}\n" * 20)

    def listed(*options: str) -> int:
        main(["replay", *options])
        return capsys.readouterr().out.count("card_nim/easy#7:")

    assert listed(str(few)) == 20
    assert listed(str(many)) == 0
    assert listed(str(many), "--all") == 21
    assert main(["replay", str(many)]) == 0
    assert capsys.readouterr().out == (
        "21 of 21 matches replay to their recorded scores.\n"
        "--all lists them, and --match N shows one move by move.\n"
    )
    wrong = record.replace('"scores":[1.0,0.0]', '"scores":[0.0,1.0]')
    if wrong == record:
        wrong = record.replace('"scores":[0.0,1.0]', '"scores":[1.0,0.0]')
    many.write_text(f"{record}\n" * 21 + f"{wrong}\n")
    assert main(["replay", str(many)]) == 1
    told = capsys.readouterr().out
    assert told.startswith("card_nim/easy#7: does not replay: ")
    assert "\n21 of 22 matches replay to their recorded scores.\n" in told


def test_a_match_that_ends_unread_shows_the_last_reply(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And where it was cut off; other matches have nothing to show."""
    kept, model = tmp_path / "kept.jsonl", "openai/any,max_tokens=50"
    command = ["match", "islands/easy#1", "--players", model, "--out", str(kept)]
    with served(speak=lambda body: "I do not\nknow. " + "So far, " * 100) as server:
        assert main([*command, "--base-url", server.address]) == 0
    shown = capsys.readouterr().out.splitlines()[-1]
    assert shown.startswith(f"the last reply of {model}: I do not know. So far, So far,")
    assert shown.endswith(" …") and len(shown) < 500

    [record] = read(kept, whole=True)
    cut = [reply._replace(status="truncated") for reply in record.said]
    truncated = replace(record, said=tuple(cut))
    assert last_reply(truncated, PlayerRegistry(), "en").startswith(
        f"the last reply of {model}, cut off at max_tokens=50: I do not know."
    )
    assert last_reply(q.match("islands/easy#1", "random"), PlayerRegistry(), "en") == ""
