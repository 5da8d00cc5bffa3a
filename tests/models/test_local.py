"""The model in this process: real llama.cpp, real weights."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, TypeVar
from urllib.error import HTTPError
from urllib.request import Request as HttpRequest
from urllib.request import urlopen

import pytest

from llama_server import SONG, smollm2
from quandary.core.errors import UserError
from quandary.models.provider import (
    Completion,
    Decoding,
    Generation,
    Message,
    Picture,
    ProviderError,
    Request,
    Usage,
)
from quandary.models.providers.local import CONTEXT, LocalProvider, _completion, _Engine

T = TypeVar("T")
CAPITAL = "What is the capital of France? Answer with one word."
WORDS = [
    "take",
    "stone",
    "heap",
    "row",
    "column",
    "queen",
    "game",
    "rule",
    "move",
    "letter",
    "word",
    "number",
    "two",
    "three",
]
GREEDY = Decoding(temperature=0.0, max_tokens=12, seed=1)


@pytest.fixture(scope="module")
def model() -> Iterator[Path]:
    """The weights, kept in memory for all tests of this file."""
    provider = LocalProvider(path := smollm2())
    asyncio.run(provider.ask(asking("Hi", Decoding(max_tokens=1))))
    yield path
    asyncio.run(provider.close())


def asking(words: str, decoding: Decoding = GREEDY, n: int = 1) -> Request:
    return Request((Message("user", (words,)),), decoding, n)


def behind(provider: LocalProvider, use: Callable[[LocalProvider], Awaitable[T]]) -> T:
    """What comes of using a provider, which is closed afterwards."""

    async def used() -> T:
        try:
            return await use(provider)
        finally:
            await provider.close()

    return asyncio.run(used())


def test_a_real_model_answers(model: Path) -> None:
    """A question gets the model's words, its counts and its name; its chat template is used, so it
    stops by itself.
    """
    messages = (Message("system", ("You are brief.",)), Message("user", (CAPITAL,)))
    reply = behind(
        LocalProvider(model),
        lambda provider: provider.ask(Request(messages, Decoding(temperature=0.0, max_tokens=40))),
    )
    [choice] = reply.generations
    assert "Paris" in choice.text
    assert "stop" == choice.finish
    assert "" == choice.thinking
    assert "SmolLM2-135M-Instruct.Q4_1.gguf" == reply.model
    assert 30 == reply.usage.read
    assert reply.usage.written is not None and 1 < reply.usage.written < 40


@pytest.mark.heavy
def test_a_reply_depends_on_its_request_alone(model: Path) -> None:
    """Temperature 0, or one seed, gives the same reply again, though prompts that begin alike were
    read in between.
    """
    rng = Random(1)
    _, prompt, *_ = (" ".join(rng.choice(WORDS) for _ in range(45)) for _ in range(2))
    requests = [
        asking(prompt, Decoding(0.0, max_tokens=6)),
        asking(prompt, Decoding(1.0, 0.95, max_tokens=6, seed=2**40)),
    ]
    between = asking(prompt[: len(prompt) * 2 // 3], Decoding(max_tokens=1))

    async def use(provider: LocalProvider) -> list[Completion]:
        return [await provider.ask(request) for request in (*requests, between, *requests)]

    greedy, drawn, _, greedy_again, drawn_again = behind(LocalProvider(model), use)
    assert greedy == greedy_again
    assert drawn == drawn_again
    assert greedy != drawn


def test_seeds_differ(model: Path) -> None:
    """Another seed is another reply."""

    async def use(provider: LocalProvider) -> set[str]:
        drawing = [Decoding(temperature=2.0, max_tokens=8, seed=seed) for seed in (1, 2, -1)]
        return {
            (await provider.ask(asking("Tell me a story.", decoding))).generations[0].text
            for decoding in drawing
        }

    assert 3 == len(behind(LocalProvider(model), use))


def test_ends_of_replies(model: Path) -> None:
    """Tokens running out, a stop word and a prompt without room are told apart."""

    async def use(provider: LocalProvider) -> list[Completion]:
        cut = Decoding(temperature=0.0, max_tokens=3)
        stopped = Decoding(temperature=0.0, max_tokens=30, stop=("Paris",))
        return [
            await provider.ask(asking(*each))
            for each in ((CAPITAL, cut), (CAPITAL, stopped), ("word " * 600, GREEDY))
        ]

    cut, stopped, crowded = behind(LocalProvider(model, context=512), use)
    assert ("length", 3) == (cut.generations[0].finish, cut.usage.written)
    assert "stop" == stopped.generations[0].finish
    assert "Paris" not in stopped.generations[0].text
    assert ((Generation("", finish="length"),), Usage(0, 0)) == crowded[:2]


def test_several_replies(model: Path) -> None:
    """As many replies to a request as there are slots, and no more."""

    async def use(provider: LocalProvider) -> Completion:
        return await provider.ask(
            asking("Tell me a story.", Decoding(temperature=2.0, max_tokens=8, seed=1), n=5)
        )

    reply = behind(LocalProvider(model, context=512, slots=2), use)
    assert 2 == len({choice.text for choice in reply.generations})
    assert 16 == reply.usage.written


def test_the_loop_goes_on_meanwhile(model: Path) -> None:
    """Calls queue up for the slot without holding up anything else, and a second provider shares
    the model.
    """

    async def use(provider: LocalProvider) -> tuple[list[Completion], int, int]:
        other = LocalProvider(model, context=256)
        calls = asyncio.gather(*(each.ask(asking(CAPITAL)) for each in (provider, other, provider)))
        ticks = 0
        while not calls.done():
            await asyncio.sleep(0.001)
            ticks += 1
        engines = len(_Engine.running)
        await other.close()
        return await calls, ticks, engines

    before = len(_Engine.running)
    replies, ticks, engines = behind(LocalProvider(model, context=256), use)
    assert 1 == len(set(replies))
    assert ticks > 5
    assert [before + 1, before] == [engines, len(_Engine.running)]


def test_a_call_that_is_given_up_frees_its_slot(
    model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits behind words that nobody hears: the song ends long before its last token."""
    endless = Request(
        tuple(Message(role, (words,)) for role, words in SONG), Decoding(temperature=0.0)
    )
    pieces, generate = list[int](), _Engine.generate

    def counted(engine: _Engine, *given: Any) -> list[dict[str, Any]]:
        generated = generate(engine, *given)
        pieces.append(len(generated))
        return generated

    async def use(provider: LocalProvider) -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(provider.ask(endless), 1.0)
        await provider.ask(asking("Hi", Decoding(max_tokens=1)))

    monkeypatch.setattr(_Engine, "generate", counted)
    behind(LocalProvider(model), use)

    sung, said = pieces
    assert said < 10
    assert sung < CONTEXT / 4


def test_nobody_else_gets_in(model: Path) -> None:
    """llama.cpp's own port answers nobody who lacks a key that was never told."""

    async def use(provider: LocalProvider) -> int:
        await provider.ask(asking("Hi", Decoding(max_tokens=1)))
        assert provider.engine is not None
        address = provider.engine.server.result().listening_address
        assert address.startswith("http://127.0.0.1:")
        with pytest.raises(HTTPError) as error:
            urlopen(
                HttpRequest(
                    address + "/v1/chat/completions", b"{}", {"Content-Type": "application/json"}
                ),
                timeout=10,
            )
        error.value.close()
        return error.value.code

    assert 401 == behind(LocalProvider(model), use)


def test_words_no_file_can_hold(model: Path) -> None:
    """Half a character in a prompt costs that character, not the call."""
    assert 1 == len(
        behind(
            LocalProvider(model), lambda provider: provider.ask(asking("Hi \ud83d!"))
        ).generations
    )


@pytest.mark.heavy
def test_interrupting(model: Path) -> None:
    """Ctrl-C still belongs to the program, and nothing is written where the user reads."""
    program = f"""
import asyncio, os, signal
from pathlib import Path
from quandary.models.provider import *
from quandary.models.providers.local import LocalProvider
async def main():
    provider = LocalProvider(Path({str(model)!r}))
    song = tuple(Message(role, (words,)) for role, words in {SONG!r})
    ask = lambda tokens: provider.ask(Request(song, Decoding(temperature=0.0, max_tokens=tokens)))
    await ask(1)
    asyncio.get_running_loop().call_later(0.3, os.kill, os.getpid(), signal.SIGINT)
    await ask(4000)
try:
    asyncio.run(main())
except KeyboardInterrupt:
    print("interrupted")
"""
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (0, "interrupted\n", "") == (done.returncode, done.stdout, done.stderr)


def test_a_file_that_is_no_model(tmp_path: Path) -> None:
    """What llama.cpp cannot load is the user's mistake, told at the first call and every other."""
    pytest.importorskip(
        "xllamacpp", reason="llama.cpp is not installed; pip install 'quandary[local]'"
    )
    path = tmp_path / "broken.gguf"
    path.write_bytes(b"GGUF" + bytes(100))

    async def use(provider: LocalProvider) -> None:
        for _ in range(2):
            with pytest.raises(UserError, match=r"^llama\.cpp cannot load .*broken\.gguf: "):
                await provider.ask(asking("Hi"))

    before = dict(_Engine.running)
    behind(LocalProvider(path), use)
    assert before == _Engine.running


def test_mistakes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures, odd numbers of threads and a missing package are each told in one sentence."""
    path = Path("some.gguf")
    monkeypatch.setattr("quandary.models.providers.local.find_spec", lambda name: name)
    with pytest.raises(UserError, match=r"^some\.gguf does not accept pictures"):
        asyncio.run(
            LocalProvider(path).ask(Request((Message("user", ("Look:", Picture(b"png"))),)))
        )
    monkeypatch.setenv("QUANDARY_THREADS", "3")
    assert 3 == LocalProvider(path).settings.threads
    for odd in ("0", "two", "-1"):
        monkeypatch.setenv("QUANDARY_THREADS", odd)
        with pytest.raises(UserError, match="must be a number of threads such as 1"):
            LocalProvider(path)
    monkeypatch.setattr("quandary.models.providers.local.find_spec", lambda name: None)
    with pytest.raises(UserError, match=r"pip install 'quandary\[local\]'"):
        LocalProvider(path)


def test_pieces_of_a_reply() -> None:
    """Thinking is kept apart, a reply without an end is an error, and so is what the server
    complains of.
    """

    def piece(finish: str | None = None, **delta: str) -> dict[str, object]:
        return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

    spoken = [piece(reasoning_content="hm"), piece(content="a"), piece(content="b"), piece("stop")]
    assert Completion((Generation("ab", "hm", "stop"),), Usage(0, 0), "m") == _completion(
        spoken, "m"
    )
    for broken in ([], spoken[:-1]):
        with pytest.raises(ProviderError, match="stopped in the middle"):
            _completion(broken, "m")
    for code, again in ((500, True), (400, False)):
        with pytest.raises(ProviderError) as error:
            _completion([{"error": {"code": code, "message": "no"}}], "m")
        assert ProviderError("llama.cpp: no", again) == error.value
