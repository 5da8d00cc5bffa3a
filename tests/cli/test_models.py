"""The commands that have to do with language models."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socket import socket
from threading import Thread

import pytest

pytest.importorskip(
    "aiohttp", reason="models behind HTTP servers need aiohttp: pip install 'quandary[models]'"
)

from quandary.cli import models_command
from quandary.cli.main import main
from server_thread import served, some_move

SUITE = 'tries = 2\n[[puzzles]]\npuzzle = "card_nim"\nlevels = ["easy"]\nseeds = "1-2"\n'


def _lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("asking", ["", ",shots=1,list_moves=yes,allow_code=no"])
def test_a_prompt_is_exactly_what_is_sent(
    capsys: pytest.CaptureFixture[str], asking: str, seat: int
) -> None:
    """What `prompt` prints for a seat's first turn is exactly what a server gets in a match."""
    model, spec = f"openai/any{asking}", "beat_or_bomb_sto/easy#4"
    players = [model, "house"] if seat == 0 else ["house", model]
    with served(speak=some_move) as server:
        assert 0 == main(
            ["match", spec, "--players", *players, "--base-url", server.address, "--quiet"]
        )
    first = json.loads(next(iter(server.bodies.values())))["messages"]
    capsys.readouterr()

    assert 0 == main(["prompt", spec, "--player", model, "--seat", str(seat), "--json"])
    printed = _lines(capsys)

    assert [(message["role"], message["content"]) for message in first] == [
        (message["role"], message["parts"][0]["text"])  # type: ignore[index]
        for message in printed
    ]


def test_a_prompt_tells_the_seed_that_a_run_sends(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every call has a seed of its own, and it is known beforehand."""
    path = tmp_path / "one.toml"
    path.write_text(
        '[decoding]\ntemperature = 0.5\n[[puzzles]]\npuzzle = "islands"\nlevels = ["easy"]\nseeds '
        '= "1"\n'
    )
    with served(speak=some_move) as server:
        given = ["--suite", str(path), "--player", "openai/any,seed=5"]
        main(["run", *given, "--out", str(tmp_path / "run"), "--base-url", server.address])
    [body] = map(json.loads, server.bodies.values())
    capsys.readouterr()

    assert 0 == main(["prompt", "islands/easy#1", *given, "--json"])
    assert {"decoding": {"temperature": 0.5, "seed": body["seed"]}} == _lines(capsys)[-1]


def test_the_language_of_a_suite_can_be_changed(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == main(
        ["prompt", "sudoku/easy#2", "--suite", "quick", "--language", "zh", "--base-url", "x"]
    )
    assert "局面" in capsys.readouterr().out


def test_a_picture_can_be_looked_at(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--image` writes the one that is sent; where none is, it says how to ask for one."""
    path = tmp_path / "board.png"

    assert 0 == main(
        ["prompt", "sudoku/easy#1", "--player", "openai/any,modality=image", "--image", str(path)]
    )
    assert path.read_bytes().startswith(b"\x89PNG")
    assert 2 == main(["prompt", "sudoku/easy#1", "--image", str(path)])
    assert "modality=image" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (["prompt", "sudoku/easy#1", "--player", "random"], "PROVIDER/NAME"),
        (["prompt", "sudoku/easy#1", "--seat", "3"], "one seat, 0"),
        (["match", "sudoku/easy#1", "--players", "opnai/x"], "did you mean 'openai'"),
        (["match", "sudoku/easy#1", "--players", "openai/x,shot=1"], "did you mean 'shots='"),
        (["match", "sudoku/easy#1", "--players", "groq/x"], "GROQ_API_KEY"),
        (
            ["match", "sudoku/easy#1", "--players", "groq/x", "--key-env", "sk-1"],
            "not the key itself",
        ),
        (
            ["match", "sudoku/easy#1", "--players", "groq/x", "--timeout", "inf"],
            "a number of seconds above 0",
        ),
        (["run", "--suite", "quick", "--player", "random", "--out", ""], "must name a folder"),
        (["match", "sudoku/easy#1", "--players", "local/nothing.gguf"], "models pull smollm2"),
        (["models", "pull"], "models pull smollm2"),
        (
            ["prompt", "sudoku/easy#1", "--player", "openai/any,thinking_budget=100"],
            "take no thinking_budget",
        ),
        (
            ["prompt", "sudoku/easy#1", "--player", "openai/any,header.X-Token=$NOT_SET_ANYWHERE"],
            "needs the environment variable NOT_SET_ANYWHERE",
        ),
        (["models", "pull", "smolm2"], "did you mean 'smollm2'"),
        (["models", "pul"], "did you mean 'pull'"),
        (["models", "list", "smollm2"], "models pull smollm2"),
        (
            ["run", "--suite", "quick", "--player", "groq/x", "--out", "out", "--tokens", "0"],
            "above 0",
        ),
        (
            ["run", "--suite", "quick", "--player", "groq/x", "--out", "out", "--connections", "0"],
            "1 or more",
        ),
        (
            ["run", "--suite", "quick", "--player", "groq/x", "--out", "out", "--concurrency", "0"],
            "1 or more",
        ),
        (
            [
                "run",
                "--suite",
                "puzzleplex",
                "--setting",
                "code",
                "--player",
                "groq/x",
                "--out",
                "out",
            ],
            "let models write programs with --samples N",
        ),
    ],
)
def test_mistakes_get_a_sentence(
    arguments: list[str],
    advice: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One line that says what to do, and nothing is begun."""
    pytest.importorskip("xllamacpp") if "local/nothing.gguf" in arguments else None
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GROQ_API_KEY", raising=False)

    assert 2 == main(arguments)
    error = capsys.readouterr().err
    assert advice in error
    assert 1 == error.count("\n")
    assert not list(tmp_path.iterdir())


def test_models_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """Every way to a model, with whether it is ready."""
    assert 0 == main(["models", "--json"])
    listed = {str(line["player"]): line for line in _lines(capsys)}

    assert {
        "openai/NAME",
        "ollama/NAME",
        "local/smollm2",
        "hf/NAME",
        "inspect/PROVIDER/NAME",
    } <= set(listed)
    assert "OPENAI_API_KEY" == listed["openai/NAME"]["needs"]


class _ModelServer(BaseHTTPRequestHandler):
    """Lists one model, as servers on one's own machine do."""

    answer = b'{"data": [{"id": "tiny"}]}'

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(self.answer)

    def log_message(self, format: str, *args: object) -> None: ...


def test_ready_means_that_a_call_can_be_made(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server on this machine must answer as a model server does, and the package that calls it
    must be there.
    """

    def ready(*players: str) -> list[object]:
        main(["models", "--json"])
        listed = {line["player"]: line["ready"] for line in _lines(capsys)}
        return [listed[player] for player in players]

    monkeypatch.setenv("OPENAI_API_KEY", "secret-key")
    monkeypatch.setenv("GROQ_API_KEY", " ")
    monkeypatch.setenv("OLLAMA_BASE_URL", "http://127.0.0.1:9/v1")
    for provider, url in (("XAI", "http://127.0.0.1:9/v1"), ("MISTRAL", "no address")):
        monkeypatch.setenv(f"{provider}_API_KEY", "secret-key")
        monkeypatch.setenv(f"{provider}_BASE_URL", url)
    with ThreadingHTTPServer(("127.0.0.1", 0), _ModelServer) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("VLLM_BASE_URL", f"http://127.0.0.1:{server.server_port}/v1")
        players = "openai/NAME", "groq/NAME", "ollama/NAME", "vllm/NAME"
        assert [True, False, False, True] == ready(*players)
        assert [False, False] == ready("xai/NAME", "mistral/NAME")

        monkeypatch.setattr(_ModelServer, "answer", b"<html>a web site</html>")
        assert [False] == ready("vllm/NAME")

        monkeypatch.setattr(_ModelServer, "answer", b'{"data": []}')
        monkeypatch.setattr(models_command, "installed", lambda package: False)
        assert [False] * 4 == ready(*players)
        server.shutdown()


def test_a_run_tells_what_its_models_cost_and_how_they_were_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Calls, replies, tokens and readings stand below it; stopped at its budget it fails, the next
    command finishes it.
    """
    suite = tmp_path / "suite.toml"
    suite.write_text(SUITE)
    command = [
        "run",
        "--suite",
        str(suite),
        "--player",
        "openai/any,list_moves=yes",
        "--out",
        str(tmp_path / "run"),
        "--json",
    ]
    with served(speak=some_move) as server:
        address = ["--base-url", server.address]
        assert 1 == main([*command, *address, "--tokens", "1000", "--connections", "1"])
        assert "tokens is used up" in capsys.readouterr().err
        assert 0 == main([*command, *address])
    lines = _lines(capsys)
    [calls] = [line for line in lines if "lost" in line]
    [readings] = [line for line in lines if "lenient_only" in line]

    assert sum(server.calls.values()) == calls["sent"] == calls["got"]
    assert (0, 0, None) == (calls["failed"], calls["lost"], calls["dollars"])
    assert readings["replies"] == calls["got"]
    assert 0 == readings["lenient_only"]

    for how in ([], ["--read-again"]):
        assert 0 == main(["regrade", str(tmp_path / "run"), "--changes", *how])
        assert "0 judged differently" in capsys.readouterr().out


def test_a_run_whose_server_is_not_there_has_no_leaderboard(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What strategies did is kept, but it would be a leaderboard without the model that counts."""
    with socket() as closed:
        closed.bind(("127.0.0.1", 0))  # nobody listens here
        address = f"http://127.0.0.1:{closed.getsockname()[1]}/v1"
        suite = tmp_path / "suite.toml"
        suite.write_text(SUITE, "utf-8")
        players = ["--player", "openai/any", "--player", "random", "--base-url", address]
        code = main(["run", "--suite", str(suite), *players, "--out", str(tmp_path / "run")])

    received = capsys.readouterr()
    assert 1 == code
    assert "There is no leaderboard, because openai/any gave no result." in received.out
    assert "Leaderboard" not in received.out and "score:" not in received.out
    assert f"there is no server at {address}; start the server" in " ".join(received.err.split())
    assert max(map(len, received.err.splitlines())) <= 100


def test_the_sentences_about_several_models_are_one_block(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A blank line before it, none within it."""
    named = ["--player", "openai/one,list_moves=yes", "--player", "openai/two,list_moves=yes"]
    what = ["--puzzle", "card_nim", "--level", "easy", "--limit", "1", "--out", str(tmp_path)]
    with served(speak=some_move) as server:
        assert 0 == main(["run", *what, *named, "--base-url", server.address])
    lines = capsys.readouterr().out.splitlines()
    first = lines.index("openai/one,list_moves=yes: 6 replies (answered 6).")
    block = lines[first : lines.index("", first)]

    assert "" == lines[first - 1] != lines[first - 2]
    about = [line for line in block if not line.startswith("  ")]
    assert [line.partition(":")[0] for line in about] == [
        *("openai/one,list_moves=yes", "openai/two,list_moves=yes", "openai/one", "openai/two")
    ]
    assert all("repl" in line for line in about[:2]) and len(block) == 4
    assert all("calls, 0 failed; " in line for line in about[2:])


def test_a_journal_tells_what_was_solved_by_which_turn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As a run does, whose replies are read again here."""
    suite, folder = tmp_path / "suite.toml", tmp_path / "run"
    suite.write_text(SUITE.replace("card_nim", "anagram_scribble"))
    command = ["run", "--suite", str(suite), "--player", "openai/any", "--out", str(folder)]
    with served(speak=lambda body: "Answer: zzz") as server:
        assert 0 == main([*command, "--base-url", server.address, "--json"])
    rates = [line for line in _lines(capsys) if "solved_within" in line]
    assert 0 == main(["regrade", str(folder), "--json"])
    again = [line for line in _lines(capsys) if "solved_within" in line]

    assert [(2, [0.0, 0.0])] == [(line["n"], line["solved_within"]) for line in again]
    assert rates == again
