"""The HTTP provider against a server nobody here wrote: llama.cpp's own, with SmolLM2."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from llama_server import SONG, llama_server, smollm2
from quandary.core.errors import UserError
from quandary.models.provider import (
    Completion,
    Decoding,
    Generation,
    Message,
    Picture,
    ProviderError,
    Request,
)

pytest.importorskip("aiohttp", reason="aiohttp is not installed; pip install 'quandary[models]'")

from quandary.models.providers.http import HttpProvider
from quandary.models.providers.local import LocalProvider

KEY = "sk-only-for-this-test"
QUESTION = (
    Message("system", ("You are brief.",)),
    Message("user", ("What is the capital of France?", "Answer with one word.")),
)
CUT = Decoding(temperature=0.0, max_tokens=6, seed=1)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with llama_server(smollm2(), key=KEY) as address:
        yield address


def ask(address: str, request: Request, key: str = KEY, timeout: float = 60.0) -> Completion:
    """One call through a provider of its own."""

    async def asked() -> Completion:
        provider = HttpProvider("smollm2", address, key, key_variable="TEST_KEY", timeout=timeout)
        try:
            return await provider.ask(request)
        finally:
            await provider.close()

    return asyncio.run(asked())


def test_a_real_reply(address: str) -> None:
    """The words, the reason they end and the counts are those of a real server."""
    reply = ask(address, Request(QUESTION, Decoding(temperature=0.0, max_tokens=40)))
    [choice] = reply.generations
    assert "Paris" in choice.text
    assert ("", "stop") == choice[1:]
    assert 31 == reply.usage.read
    assert reply.usage.written is not None and 1 < reply.usage.written < 40


def test_both_providers_give_the_same_reply(address: str) -> None:
    """Over HTTP and in this process, a request becomes the same prompt and gives the same reply;
    only the server says how many tokens it had cached.
    """

    async def here() -> Completion:
        provider = LocalProvider(smollm2())
        try:
            return await provider.ask(Request(QUESTION, CUT))
        finally:
            await provider.close()

    there, own = ask(address, Request(QUESTION, CUT)), asyncio.run(here())
    assert there.generations == own.generations
    assert there.usage._replace(cached=None) == own.usage
    assert "length" == there.generations[0].finish


def test_several_at_once(address: str) -> None:
    """A request for two replies gives two."""
    story = Request(
        (Message("user", ("Tell me a story.",)),),
        Decoding(temperature=2.0, max_tokens=8, seed=1),
        n=2,
    )
    assert 2 == len({choice.text for choice in ask(address, story).generations})


def test_a_prompt_without_room(address: str) -> None:
    """A prompt longer than the context is a reply cut short, not a failure of the server."""
    reply = ask(address, Request((Message("user", ("word " * 2500,)),), CUT))
    assert (Generation("", finish="length"),) == reply.generations


def test_a_wrong_key(address: str) -> None:
    """A real server's refusal is the user's mistake, and names the variable and not the key."""
    with pytest.raises(UserError, match="TEST_KEY") as mistake:
        ask(address, Request(QUESTION, CUT), key="sk-wrong")
    assert "sk-wrong" not in str(mistake.value)


def test_a_picture_for_the_blind(address: str) -> None:
    """A model without eyes says so in words that reach the user."""
    with pytest.raises((ProviderError, UserError), match="image input is not supported"):
        ask(address, Request((Message("user", ("What is this?", Picture(b"\x89PNG"))),), CUT))


def test_a_call_that_takes_too_long(address: str) -> None:
    """A call over its time fails with an error that may pass, and the server is free again
    afterwards.
    """
    endless = Request(
        tuple(Message(role, (words,)) for role, words in SONG), Decoding(temperature=0.0)
    )
    with pytest.raises(ProviderError) as error:
        ask(address, endless, timeout=0.5)
    assert error.value.retry
    assert 1 == len(ask(address, Request(QUESTION, CUT)).generations)
