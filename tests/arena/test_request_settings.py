"""What users add to requests, by a player's name or a suite: it is sent, kept, and no secret is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip(
    "aiohttp", reason="models behind HTTP servers need aiohttp: pip install 'quandary[models]'"
)

from counting_server import CountingServer, counting_server
from quandary.arena.journal import JOURNAL
from quandary.arena.run import RunResult, run
from quandary.arena.store import MANIFEST
from quandary.arena.suite import read as read_suite
from quandary.cli.main import main
from quandary.core.errors import UserError
from quandary.models import prices
from quandary.models.calls import CallKey, make_call
from quandary.models.pool import ClientPool
from quandary.models.provider import Decoding, Message, Request
from quandary.players.registry import PlayerRegistry
from quandary.report.results import calls_sentence
from quandary.scoring.reread import reread

SUITE = '[[puzzles]]\npuzzle = "string_search"\nlevels = ["easy"]\nseeds = "1"\n'
SETTINGS = """system = "Be brief."
[decoding]
stop = ["END", "\\n\\n"]
thinking_budget = 100
chat_template_kwargs = { enable_thinking = true }
body = { top_k = 20, guided = { a = 1 } }
headers = { X-Title = "quandary", X-Token = "$MY_TOKEN" }
"""
SECRET = "correct-horse-battery"


def _run(server: CountingServer, folder: Path, player: str, settings: str = "") -> RunResult:
    suite = read_suite("one", settings + SUITE)
    decoding = Decoding(**dict(suite.decoding))
    clients = ClientPool(base_url=server.address, timeout=60.0)
    registry = PlayerRegistry(suite.prompt_settings, decoding, suite.attempts, clients)
    return run(suite, [player], folder, registry)


def _texts(folder: Path) -> str:
    return "\n".join(path.read_text("utf-8") for path in folder.rglob("*.json*"))


def test_a_suite_says_what_requests_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fields and headers arrive; the value of a variable is in no file, though it is echoed."""
    monkeypatch.setenv("MY_TOKEN", SECRET)
    with counting_server(lambda body: f"Answer: {SECRET}") as server:
        played = _run(server, tmp_path, "vllm/any", SETTINGS)
    body, headers = server.bodies[0], server.headers[0]

    assert ["END", "\n\n"] == body["stop"]
    assert (20, {"a": 1}, 100) == (body["top_k"], body["guided"], body["thinking_token_budget"])
    assert {"enable_thinking": True} == body["chat_template_kwargs"]
    assert {"role": "system", "content": "Be brief."} == body["messages"][0]
    assert ("quandary", SECRET) == (headers["x-title"], headers["x-token"])
    assert played.records[0].said[0].words == "Answer: ***"
    assert SECRET not in _texts(tmp_path)
    assert "$MY_TOKEN" in (tmp_path / MANIFEST).read_text("utf-8")
    assert "$MY_TOKEN" in (tmp_path / JOURNAL).read_text("utf-8")


def test_a_name_says_what_requests_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It wins over the suite, field by field; long values come from files, which the manifest keeps
    and without which the run is judged again.
    """
    monkeypatch.setenv("MY_TOKEN", SECRET)
    monkeypatch.setenv("OTHER", "another secret")
    more, system = tmp_path / "more.json", tmp_path / "system.txt"
    more.write_text('{"guided": {"b": 2}}', "utf-8")
    system.write_text("Take your time.\n", "utf-8")
    player = (
        f"vllm/any,body=@{more},body.top_k=5,system=@{system},stop=\\n,thinking_budget=7,"
        "chat_template_kwargs.enable_thinking=false,header.x-other=$OTHER"
    )
    with counting_server(lambda body: "Answer: x") as server:
        _run(server, tmp_path / "run", player, SETTINGS)
    body, headers = server.bodies[0], server.headers[0]

    assert (["\n"], 5, {"a": 1, "b": 2}) == (body["stop"], body["top_k"], body["guided"])
    assert 7 == body["thinking_token_budget"]
    assert {"enable_thinking": False} == body["chat_template_kwargs"]
    assert "Take your time." == body["messages"][0]["content"]
    assert ("another secret", SECRET) == (headers["x-other"], headers["x-token"])
    manifest = json.loads((tmp_path / "run" / MANIFEST).read_text("utf-8"))
    assert {str(more): '{"guided": {"b": 2}}', str(system): "Take your time.\n"} == manifest[
        "files"
    ]

    more.unlink()
    system.unlink()
    assert [False] == [again.changed for again in reread(tmp_path / "run", read_again=True)]


def test_every_setting_is_part_of_a_call() -> None:
    """Calls that differ in one of them are not mistaken; the order of fields is irrelevant."""
    changes: list[dict[str, Any]] = [
        {}, {"temperature": 1}, {"top_p": 1}, {"max_tokens": 1}, {"seed": 1}, {"stop": ("a",)},
        {"reasoning_effort": "low"}, {"thinking_budget": 1}, {"chat_template_kwargs": {"a": 1}},
        {"body": {"a": 1}}, {"headers": {"a": "1"}},
    ]  # fmt: skip
    key, messages = CallKey("match", 0, "1", ""), (Message("user", ("hello",)),)
    digests = {
        make_call("any", key, Request(messages, Decoding(**change))).digest for change in changes
    }
    assert len(changes) == len(digests)
    assert {name for change in changes for name in change} == set(vars(Decoding()))
    bodies = ({"a": 1, "b": 2}, {"b": 2, "a": 1})
    assert 1 == len(
        {make_call("any", key, Request(messages, Decoding(body=body))).digest for body in bodies}
    )


def test_a_changed_file_is_another_run(tmp_path: Path) -> None:
    """Its text decides what the model is sent, so records of two texts are not mixed."""
    system = tmp_path / "system.txt"
    system.write_text("one", "utf-8")
    with counting_server(lambda body: "Answer: x") as server:
        _run(server, tmp_path / "run", f"vllm/any,system=@{system}")
        _run(server, tmp_path / "run", f"vllm/any,system=@{system}")
        assert 1 == len(server.bodies)
        system.write_text("two", "utf-8")
        with pytest.raises(UserError, match="differ in files"):
            _run(server, tmp_path / "run", f"vllm/any,system=@{system}")


def test_no_system_message_where_none_is_wanted(tmp_path: Path) -> None:
    """Some models take none."""
    with counting_server(lambda body: "Answer: x") as server:
        _run(server, tmp_path, "vllm/any,system=,shots=1")
    assert ["user", "assistant", "user"] == [m["role"] for m in server.bodies[0]["messages"]]
    assert 1 == str(server.bodies[0]).count("RULES")


@pytest.mark.parametrize(
    ("player", "advice"),
    [
        ("openai/any,thinking_budget=9", "take no thinking_budget; leave it out, or use reasoning"),
        ("vllm/any,header.X-Token=$NOT_SET", "variable NOT_SET, which is not set"),
        ("vllm/any,system=@nowhere.txt", "nowhere.txt of a setting cannot be read"),
    ],
)
def test_what_cannot_be_sent_is_refused_before_the_run(
    tmp_path: Path, player: str, advice: str
) -> None:
    """With a sentence, and nothing is written."""
    with (
        counting_server(lambda body: "Answer: x") as server,
        pytest.raises(UserError, match=advice),
    ):
        _run(server, tmp_path / "run", player)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("table", "advice"),
    [
        ("body = { stream = true }", "sets stream, which quandary sets"),
        ('headers = { Authorization = "x" }', "may be a secret"),
        ('headers = { X-Any = "Bearer x" }', "may be a secret"),
        ('headers = { Content-Length = "5" }', "cannot be set"),
        ("headers = { X-Any = 5 }", "not a text"),
        ('stop = [""]', "is empty"),
        ("thinking_budget = -1", "0 or more"),
    ],
)
def test_a_wrong_table_gets_advice(table: str, advice: str) -> None:
    """Each says what to write instead."""
    with pytest.raises(UserError, match=advice):
        read_suite("odd", f"[decoding]\n{table}\n{SUITE}")


def test_cached_tokens_are_counted_and_cost_less(tmp_path: Path) -> None:
    """Totals say how many there were, and the price table what they cost."""
    table = prices.read(
        "a table",
        'date = 2026-01-31\n[models]\n"vllm/any" = { read = 4.0, written = 0.0, cached = 1.0 }',
    )
    usage = {"prompt_tokens": 1_000, "prompt_tokens_details": {"cached_tokens": 600}}
    with counting_server(lambda body: "Answer: x", usage=usage) as server:
        played = _run(server, tmp_path, "vllm/any")
        again = _run(server, tmp_path, "vllm/any")
    for tally in (played.tallies["vllm/any"], again.tallies["vllm/any"]):
        sentence = calls_sentence("vllm/any", tally, table)

        assert "1,000 tokens read (600 of them cached) and 2 written" in sentence
        assert "$0.0022 by the prices" in sentence


def _proposing(body: Mapping[str, Any]) -> str:
    return "Answer: 1" if "proposed" in str(body["messages"][-1]) else f"Answer: {next(WORDS)}"


WORDS = count(1)


def test_a_tree_of_thoughts_pays_for_its_prompt_once(tmp_path: Path) -> None:
    """Five proposals and five votes are two calls where the server gives several replies per call,
    and as many more as are missing where it gives fewer.
    """
    paid, calls = {}, {}
    for most in (1, 3, 5):
        with counting_server(_proposing, most=most) as server:
            played = _run(server, tmp_path / str(most), "vllm/any,prompting=tree")
        paid[most], calls[most] = server.prompt_tokens, len(server.bodies)
        tally = played.tallies["vllm/any"]
        assert (tally.read, tally.got) == (paid[most], calls[most])
        assert tally.written == played.records[0].said[0].tokens

    assert {1: 10, 3: 6, 5: 2} == calls
    assert paid[1] == pytest.approx(5 * paid[5], rel=0.02)


@pytest.mark.parametrize(("cut", "warned"), [(2, False), (3, True)])
def test_many_replies_that_were_cut_off_are_warned_about(
    cut: int, warned: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """More than a tenth of a player's replies, with the numbers and what to do."""
    left = iter(["Let me think about"] * cut)
    with counting_server(lambda body: next(left, "Answer: x\n"), finish="length") as server:
        main(
            ["run", "--puzzle", "string_search", "--level", "easy", "--limit", "20", "--out",
             str(tmp_path), "--base-url", server.address, "--concurrency", "1", "--player",
             "vllm/any,max_tokens=77"]
        )  # fmt: skip
    output = " ".join(capsys.readouterr().err.split())

    assert warned == (f"{cut} of 2" in output)
    if warned:
        assert "3 of 23 replies of vllm/any,max_tokens=77 (13%) were cut off" in output
        assert "at max_tokens=77" in output
        assert "raise max_tokens" in output
