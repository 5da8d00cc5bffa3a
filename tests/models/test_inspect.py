"""The provider to Inspect AI's providers: its own code, over its mock model, a server that goes
wrong, and llama.cpp's.
"""

from __future__ import annotations

import asyncio
import sys
from base64 import b64encode
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("aiohttp", reason="aiohttp is not installed; pip install 'quandary[models]'")
pytest.importorskip(
    "inspect_ai", reason="Inspect AI is not installed; pip install 'quandary[inspect]'"
)

from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessageAssistant,
    ContentReasoning,
    ContentText,
    ModelOutput,
    ModelUsage,
)

from fault_server import fault_server
from llama_server import llama_server, smollm2
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
from quandary.models.providers.inspect_ai import InspectProvider, _completion
from quandary.models.providers.keys import KeyRemover

# Inspect's own use of its retry package, not ours
pytestmark = pytest.mark.filterwarnings(
    "ignore:The 'initial' parameter is deprecated:DeprecationWarning"
)

QUESTION = Request((Message("system", ("Be brief.",)), Message("user", ("Hello?",))))
KEY = "sk-only-for-this-test"


def spoken(*content: Any, stop: Any = "stop", usage: bool = True) -> ModelOutput:
    """What a provider might say; without usage where it never asked its model."""
    message = ChatMessageAssistant(content=list(content) if len(content) > 1 else content[0])
    counted = ModelUsage(
        input_tokens=5, input_tokens_cache_read=3, output_tokens=7, reasoning_tokens=2
    )
    return ModelOutput(
        model="mock",
        choices=[ChatCompletionChoice(message=message, stop_reason=stop)],
        usage=counted if usage else None,
    )


def ask(
    output: ModelOutput | Callable[..., ModelOutput], request: Request = QUESTION
) -> Completion:
    """What comes through the provider when the mock model says this."""

    async def asked() -> Completion:
        provider = InspectProvider(
            "mockllm/model", custom_outputs=output if callable(output) else lambda *given: output
        )
        try:
            return await provider.ask(request)
        finally:
            await provider.close()

    return asyncio.run(asked())


def ask_over_http(
    monkeypatch: pytest.MonkeyPatch, address: str, request: Request = QUESTION
) -> Any:
    """The call that goes through Inspect's client for OpenAI-compatible servers."""
    pytest.importorskip(
        "openai",
        reason="the package openai, which Inspect needs for this provider, is not installed",
    )
    monkeypatch.setenv("TEST_API_KEY", KEY)
    monkeypatch.setenv("TEST_BASE_URL", address)

    async def asked() -> Completion:
        provider = InspectProvider("openai-api/test/smollm2")
        try:
            return await provider.ask(request)
        finally:
            await provider.close()

    return asked()


def test_a_reply() -> None:
    """Words, thinking, counts and the model's name come through; tokens read from a cache were read
    too.
    """
    reply = ask(
        spoken(ContentReasoning(reasoning="hm"), ContentText(text="Hel"), ContentText(text="lo"))
    )
    assert Completion((Generation("Hello", "hm"),), Usage(8, 7, 2, cached=3), "mock") == reply


@pytest.mark.parametrize(
    ("stop", "finish"),
    [
        ("stop", "stop"),
        ("unknown", "stop"),
        ("max_tokens", "length"),
        ("model_length", "length"),
        ("content_filter", "refused"),
    ],
)
def test_why_replies_end(stop: str, finish: str) -> None:
    """Inspect's reasons are told in ours."""
    assert [("Hi", "", finish)] == list(ask(spoken("Hi", stop=stop)).generations)


def test_a_complaint_is_no_reply() -> None:
    """Where a provider would not take the prompt, its words are not taken for the model's."""
    for stop, finish in (("model_length", "length"), ("content_filter", "refused")):
        expected = Completion((Generation("", finish=finish),), Usage(), "mock")
        assert expected == _completion(spoken("This prompt is not for me.", stop=stop, usage=False))


def test_a_reply_of_nothing() -> None:
    """A provider that gives no choice at all is an error that may pass."""
    with pytest.raises(ProviderError, match="without a reply") as error:
        ask(ModelOutput(model="mock", usage=ModelUsage()))
    assert error.value.retry


def test_what_the_provider_is_given() -> None:
    """Messages, pictures and every setting reach the provider, with no retries and no cache of its
    own.
    """
    seen: list[Any] = []

    def mock(messages: list[Any], tools: object, choice: object, config: Any) -> ModelOutput:
        seen.extend([messages, config])
        return spoken("yes")

    png = b"\x89PNG\r\n"
    request = Request(
        (
            Message("system", ("a", "b")),
            Message("user", ("Look:", Picture(png))),
            Message("assistant", ("ok",)),
        ),
        Decoding(0.5, 0.9, 99, 7, ("END",), "low"),
        n=3,
    )
    ask(mock, request)
    messages, config = seen
    assert ["system", "user", "assistant"] == [message.role for message in messages]
    assert ["a\nb", "ok"] == [messages[0].content, messages[2].content]
    assert ["Look:", "data:image/png;base64," + b64encode(png).decode()] == [
        messages[1].content[0].text,
        messages[1].content[1].image,
    ]
    told = (
        config.temperature,
        config.top_p,
        config.max_tokens,
        config.seed,
        config.stop_seqs,
        config.reasoning_effort,
    )
    assert (0.5, 0.9, 99, 7, ["END"], "low") == told
    assert (3, 0, None) == (config.num_choices, config.max_retries, config.cache)


def test_nothing_is_left_of_a_call() -> None:
    """Inspect's transcript of a call goes with the call, so that a long run does not fill the
    memory.
    """
    from inspect_ai.log import transcript

    async def asked() -> int:
        before = transcript()
        provider = InspectProvider("mockllm/model", custom_outputs=lambda *given: spoken("Hi"))
        for _ in range(3):
            await provider.ask(QUESTION)
        await provider.close()
        assert before is transcript()
        return len(before.events)

    assert 0 == asyncio.run(asked())


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        (
            "nobody/model",
            (
                "Inspect cannot open nobody/model: Model API nobody of model 'nobody/model' not "
                "recognized."
            ),
        ),
        (
            "nobody",
            (
                "Inspect cannot open nobody: Model name 'nobody' should be in the format of "
                "<api_name>/<model_name>."
            ),
        ),
    ],
)
def test_models_that_cannot_be_opened(name: str, sentence: str) -> None:
    """An unknown provider is a mistake, in Inspect's own words."""
    with pytest.raises(UserError) as mistake:
        InspectProvider(name)
    assert sentence == str(mistake.value)


def test_a_missing_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """A provider's demand for a key names the variable, without Inspect's markup."""
    pytest.importorskip(
        "openai",
        reason="the package openai, which Inspect needs for this provider, is not installed",
    )
    monkeypatch.delenv("TEST_API_KEY", raising=False)
    with pytest.raises(UserError, match=r"No TEST_API_KEY defined in the environment\.$"):
        InspectProvider("openai-api/test/model")


def test_mistakes(monkeypatch: pytest.MonkeyPatch) -> None:
    """An odd reasoning effort and a missing package are each told in one sentence."""
    with pytest.raises(UserError, match="no reasoning effort 'huge'"):
        ask(spoken("Hi"), QUESTION._replace(decoding=Decoding(reasoning_effort="huge")))
    monkeypatch.setitem(sys.modules, "inspect_ai.model", None)
    with pytest.raises(UserError, match=r"pip install 'quandary\[inspect\]'"):
        InspectProvider("mockllm/model")


def test_a_mock_that_breaks() -> None:
    """What goes wrong in a provider, and is not known to pass, is an error of this call alone."""

    def broken(*given: object) -> ModelOutput:
        raise RuntimeError(f"[bold]out[/bold] of\n cheese {KEY}")

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TEST_API_KEY", KEY)
        with pytest.raises(ProviderError) as error:
            ask(broken)
    assert ProviderError("mockllm/model: out of cheese ***", retry=False) == error.value


@pytest.mark.parametrize(
    ("fault", "again", "busy", "wait"),
    [
        ("busy", True, True, 2.0),
        ("busy silently", True, True, None),
        ("broken", True, False, None),
        ("reset", True, False, None),
    ],
)
def test_faults_of_a_server(
    monkeypatch: pytest.MonkeyPatch, fault: str, again: bool, busy: bool, wait: float | None
) -> None:
    """A server's error is told as what it is after a single call: no retry happens behind our back,
    and no key is repeated.
    """

    async def asked() -> tuple[ProviderError, int]:
        async with fault_server({fault: 1.0}, wait="2") as server:
            with pytest.raises(ProviderError) as error:
                await ask_over_http(monkeypatch, server.address)
            return error.value, server.calls.total()

    error, calls = asyncio.run(asked())
    assert (again, busy, wait) == (error.retry, error.rate_limited, error.retry_after)
    assert 1 == calls
    assert KEY not in repr(error)
    assert error.__cause__ is None and error.__context__ is None


@pytest.mark.heavy
def test_a_real_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """llama.cpp's server answers through Inspect as it does through our own provider, and refuses
    what is too long.
    """
    with llama_server(smollm2(), key=KEY) as address:
        question = (Message("user", ("What is the capital of France? Answer with one word.",)),)
        greedy = Decoding(temperature=0.0, max_tokens=40)
        reply = asyncio.run(ask_over_http(monkeypatch, address, Request(question, greedy)))
        assert "Paris" in reply.generations[0].text
        assert "stop" == reply.generations[0].finish
        assert reply.usage.read is not None and 40 < reply.usage.read < 60
        long = Request((Message("user", ("word " * 2500,)),), greedy)
        assert (Generation("", finish="length"),) == asyncio.run(
            ask_over_http(monkeypatch, address, long)
        ).generations


def test_the_keys_of_many_replies_are_prepared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """To prepare the search for a key takes longer than to search a reply."""
    prepared, prepare = list[str](), KeyRemover.__init__

    def counted(self: KeyRemover, *keys: str) -> None:
        prepared.extend(keys)
        prepare(self, *keys)

    monkeypatch.setattr(KeyRemover, "__init__", counted)
    key = "sk-of-this-test-alone-0123456789"

    async def scene() -> None:
        provider = InspectProvider("mockllm/model", custom_outputs=lambda *given: spoken("Hello!"))
        provider.model.api.api_key = key
        for _ in range(3):
            await provider.ask(QUESTION)
        await provider.close()

    asyncio.run(scene())

    assert 1 == prepared.count(key)
