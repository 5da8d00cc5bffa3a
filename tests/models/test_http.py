"""OpenAI-compatible servers, against real ones on loopback that go wrong in every
way.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import socket
import struct
import traceback
import zlib
from base64 import b64decode
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from math import inf, nan
from random import Random
from typing import Any

import pytest

pytest.importorskip("aiohttp", reason="the provider to HTTP servers needs aiohttp")

from aiohttp import web

from fault_server import FAULTS, FaultServer, Handler, fault_server, serving
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
from quandary.models.providers import http
from quandary.models.providers.http import HttpProvider
from virtual_time import Clock, run_without_waiting

KEY = "sk-TopSecret/0123456789+abcdef"
HELLO = Request((Message("user", ("hello",)),))
LENGTH = Completion((Generation("", finish="length"),), Usage(0, 0))
REFUSED = Completion((Generation("", finish="refused"),), Usage(0, 0))


def asking(
    handler: Handler, request: Request = HELLO, key: str = KEY, timeout: float = 2.0, **quirks: Any
) -> Completion:
    """What a provider to a server with this handler gives."""

    async def ask() -> Completion:
        async with serving(handler) as address:
            provider = HttpProvider(
                "the-model", address, key, timeout=timeout, **{"key_variable": "THE_KEY", **quirks}
            )
            try:
                return await provider.ask(request)
            finally:
                await provider.close()

    return run_without_waiting(Clock(), ask())


def saying(body: object, status: int = 200, **headers: str) -> Handler:
    """A server that always answers this."""

    async def handler(request: web.Request) -> web.StreamResponse:
        return web.Response(
            body=json.dumps(body).encode(),
            status=status,
            content_type="application/json",
            headers=headers,
        )

    return handler


def reply(message: Mapping[str, Any], finish: object = "stop", **rest: Any) -> Handler:
    return saying({"choices": [{"message": message, "finish_reason": finish}], **rest})


def error_of(handler: Handler, **settings: Any) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        asking(handler, **settings)
    return caught.value


def sent(request: Request, **quirks: Any) -> dict[str, Any]:
    """The body a server gets."""
    bodies: list[dict[str, Any]] = []

    async def handler(call: web.Request) -> web.StreamResponse:
        bodies.append(json.loads(await call.read()))
        return web.json_response({"choices": [{"message": {"content": "yes"}}]})

    asking(handler, request, **quirks)
    [body] = bodies
    return body


def png(size: int) -> bytes:
    """A real picture of noise, so that it is as large as it looks."""
    rows = b"".join(b"\0" + Random(row).randbytes(3 * size) for row in range(size))

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    header = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


def test_only_what_is_asked_for_is_sent() -> None:
    """A request without wishes holds the model and the messages, text as plain strings."""
    request = Request((Message("system", ("rules",)), Message("user", ("first", "second"))))
    expected = {
        "model": "the-model",
        "messages": [
            {"role": "system", "content": "rules"},
            {"role": "user", "content": "first\nsecond"},
        ],
    }
    assert expected == sent(request)


def test_every_wish_is_sent() -> None:
    """All decoding settings arrive, zero being a wish too."""
    decoding = Decoding(0.0, 0.9, 50, 0, ("END", "\n"), "low")
    body = sent(HELLO._replace(decoding=decoding, n=3))
    del body["model"], body["messages"]
    expected = {
        "temperature": 0.0, "top_p": 0.9, "max_tokens": 50, "seed": 0, "stop": ["END", "\n"],
        "reasoning_effort": "low", "n": 3,
    }  # fmt: skip
    assert expected == body


def test_servers_have_their_own_names_for_things() -> None:
    """The names of the token limit and the seed are the server's; `n` is kept from those that do
    not honour it.
    """
    decoding = Decoding(max_tokens=50, seed=7)
    body = sent(
        HELLO._replace(decoding=decoding, n=3),
        max_tokens_field="max_completion_tokens",
        seed_field="random_seed",
        supports_n=False,
    )
    assert {"model", "messages", "max_completion_tokens", "random_seed"} == set(body)
    assert (50, 7) == (body["max_completion_tokens"], body["random_seed"])


@pytest.mark.parametrize("size", [3, 700])  # the larger one makes a body of more than a mebibyte
def test_pictures_arrive_byte_for_byte(size: int) -> None:
    """The picture that arrives is the picture that was sent, between the texts it stood between."""
    picture = png(size)
    request = Request((Message("user", ("look:", Picture(picture), "which move?")),))
    first, middle, last = sent(request)["messages"][0]["content"]
    assert {"type": "text", "text": "look:"} == first
    assert {"type": "text", "text": "which move?"} == last
    kind, encoded = middle["image_url"]["url"].split(",")
    assert ("image_url", "data:image/png;base64") == (middle["type"], kind)
    assert picture == b64decode(encoded, validate=True)


def test_the_key_is_sent_and_nothing_where_there_is_none() -> None:
    """A key goes into the Authorization header; without a key there is no such header."""
    seen: list[str | None] = []

    async def handler(request: web.Request) -> web.StreamResponse:
        seen.append(request.headers.get("Authorization"))
        return web.json_response({"choices": [{"message": {"content": "yes"}}]})

    asking(handler)
    asking(handler, key="")
    assert [f"Bearer {KEY}", None] == seen


@pytest.mark.parametrize(
    ("message", "finish", "expected"),
    [
        ({"content": "yes"}, "stop", Generation("yes")),
        ({"content": "yes"}, None, Generation("yes")),
        ({"content": "yes"}, 7, Generation("yes")),
        ({"content": None}, "stop", Generation("")),
        ({}, "tool_calls", Generation("")),
        ({"content": "ye"}, "length", Generation("ye", finish="length")),
        ({"content": "ye"}, "MAX_TOKENS", Generation("ye", finish="length")),
        ({"content": ""}, "content_filter", Generation("", finish="refused")),
        (
            {"content": None, "refusal": "I will not."},
            "stop",
            Generation("I will not.", finish="refused"),
        ),
        ({"content": "yes", "refusal": None}, "stop", Generation("yes")),
        ({"content": "yes", "reasoning_content": "hm"}, "stop", Generation("yes", "hm")),
        ({"content": "yes", "reasoning": "hm"}, "stop", Generation("yes", "hm")),
        ({"content": "yes", "thinking": "hm"}, "stop", Generation("yes", "hm")),
        ({"content": "yes", "reasoning": None, "thinking": {"odd": 1}}, "stop", Generation("yes")),
        (
            {"content": [{"type": "text", "text": "ye"}, {"type": "text", "text": "s"}]},
            "stop",
            Generation("yes"),
        ),
        (
            {
                "content": [
                    {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
                    {"type": "text", "text": "yes"},
                ]
            },
            "stop",
            Generation("yes", "hm"),
        ),
        (
            {"content": [{"type": "reasoning", "text": "hm"}, "yes", {"type": "image_url"}, 5]},
            "stop",
            Generation("yes", "hm"),
        ),
        ({"content": "日本語 😀\n"}, "stop", Generation("日本語 😀\n")),
    ],
)
def test_replies_of_every_shape_are_read(
    message: Mapping[str, Any], finish: object, expected: Generation
) -> None:
    """Text, thinking and the reason for stopping are found wherever servers put them."""
    assert Completion((expected,)) == asking(reply(message, finish))


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        ({"prompt_tokens": 5, "completion_tokens": 7, "total_tokens": 12}, Usage(5, 7)),
        (
            {
                "prompt_tokens": 5,
                "completion_tokens": 7,
                "completion_tokens_details": {"reasoning_tokens": 3},
            },
            Usage(5, 7, 3),
        ),
        # thinking left out, yet charged
        ({"prompt_tokens": 758, "completion_tokens": 102, "total_tokens": 1725}, Usage(758, 967)),
        ({"prompt_tokens": 5}, Usage(5)),
        (
            {"prompt_tokens": 5, "prompt_tokens_details": {"cached_tokens": 4}},
            Usage(5, cached=4),
        ),
        ({"prompt_tokens": 5, "prompt_cache_hit_tokens": 3}, Usage(5, cached=3)),
        ({"prompt_tokens": 5, "cached_tokens": 2}, Usage(5, cached=2)),
        ({"prompt_tokens": 5, "cache_read_input_tokens": 0}, Usage(5, cached=0)),
        ({"prompt_tokens": 5, "cached_tokens": 9}, Usage(5, cached=5)),
        ({"prompt_tokens": 5, "prompt_tokens_details": {"cached_tokens": None}}, Usage(5)),
        ({"cached_tokens": 2}, Usage()),
        (
            {"prompt_tokens": "5", "completion_tokens": -1, "completion_tokens_details": None},
            Usage(),
        ),
        ({"prompt_tokens": True, "completion_tokens": 2.5}, Usage()),
        ({"prompt_tokens": 12.0, "completion_tokens": 7.0, "total_tokens": 19.0}, Usage(12, 7)),
        ({"prompt_tokens": 1e9, "completion_tokens": -1.0}, Usage()),
        ({"prompt_tokens": 5, "completion_tokens": 10**18, "total_tokens": 10**18}, Usage(5)),
        ({"prompt_tokens": 5, "completion_tokens": 7, "total_tokens": 10**18}, Usage(5, 7)),
        ({"prompt_tokens": 5, "completion_tokens": 7, "total_tokens": -3}, Usage(5, 7)),
        ({"prompt_tokens": 10**30, "completion_tokens": 7}, Usage(None, 7)),
        ({"prompt_tokens": nan, "completion_tokens": inf}, Usage()),
        (None, Usage()),
        ("free", Usage()),
    ],
)
def test_unknown_usage_stays_unknown(usage: object, expected: Usage) -> None:
    """Tokens are counted where the server tells them, with thinking in what was written; the rest
    is None, not zero.
    """
    assert expected == asking(reply({"content": "yes"}, usage=usage)).usage


def test_the_server_names_its_model() -> None:
    """The model is named as the server names it, where it does."""
    assert "the-model-2026" == asking(reply({"content": "yes"}, model="the-model-2026")).model
    assert "" == asking(reply({"content": "yes"}, model=None)).model


def test_several_replies_come_in_order() -> None:
    """Each choice is one reply; one the server gave up on is none."""
    choices = [
        {"message": {"content": str(i)}, "finish_reason": "error" if i == 1 else "stop"}
        for i in range(3)
    ]
    assert (Generation("0"), Generation("2")) == asking(
        saying({"choices": choices}), HELLO._replace(n=3)
    ).generations


def test_a_server_that_rejects_n_is_asked_without_it() -> None:
    """Once it is known, without trying again; what else it rejects is still an error."""
    seen = list[object]()

    async def handler(request: web.Request) -> web.StreamResponse:
        body = json.loads(await request.read())
        seen.append(body.get("n"))
        if body.get("n", 1) > 1:
            return web.json_response({"error": {"message": "n must be 1"}}, status=400)
        if body.get("seed"):
            return web.json_response({"error": {"message": "no seeds"}}, status=400)
        return web.json_response({"choices": [{"message": {"content": "yes"}}]})

    async def ask() -> None:
        async with serving(handler) as address:
            provider = HttpProvider("m", address, timeout=2)
            with pytest.raises(ProviderError, match="no seeds"):
                await provider.ask(HELLO._replace(n=5, decoding=Decoding(seed=1)))
            assert 1 == len((await provider.ask(HELLO._replace(n=5))).generations)
            assert 1 == len((await provider.ask(HELLO._replace(n=5))).generations)
            await provider.close()

    run_without_waiting(Clock(), ask())
    assert [5, None, 5, None, None] == seen


@pytest.mark.parametrize("number", ["1e400", "-1e400", "9" * 5_000, "NaN", "1E+999"])
def test_numbers_that_nothing_can_hold_cost_no_reply(number: str) -> None:
    """The reply was paid for."""

    async def handler(request: web.Request) -> web.StreamResponse:
        body = '{"choices": [{"message": {"content": "yes"}}], "usage": {"prompt_tokens": %s}}'
        return web.Response(text=body % number, content_type="application/json")

    assert Completion((Generation("yes"),)) == asking(handler)


@pytest.mark.parametrize("empty", [{}, None, 5, {"message": None}, {"message": {"content": 5}}])
def test_an_empty_choice_beside_a_reply_costs_nothing(empty: object) -> None:
    """The one that can be read counts; if none can, there is no reply."""
    choice = {"message": {"content": "yes"}}
    for choices in ([choice, empty], [empty, choice]):
        assert (Generation("yes"),) == asking(saying({"choices": choices})).generations
    assert "cannot be read" in str(error_of(saying({"choices": [empty]})))


@pytest.mark.parametrize(
    ("fault", "busy", "wait", "words"),
    [
        ("busy", True, 0.05, "429"),
        ("busy silently", True, None, "429"),
        ("broken", False, None, "500"),
        ("gateway", False, None, "502"),
        ("slow", False, None, "within 0.2 seconds"),
        ("cut", False, None, "cut"),
        ("garbled", False, None, "cannot be read"),
        ("empty", False, None, "without a reply"),
        ("mistyped", False, None, "other than JSON"),
        ("reset", False, None, "broke"),
        ("endless", False, None, "within 0.2 seconds"),
    ],
)
def test_faults_are_trouble_that_may_pass(
    fault: str, busy: bool, wait: float | None, words: str
) -> None:
    """Every fault of a server is ProviderError worth another try, names the server and never the
    key.
    """

    async def ask() -> ProviderError:
        async with fault_server({fault: 1.0}) as server:
            provider = HttpProvider(
                "m", server.address, KEY, timeout=0.2 if fault in ("slow", "endless") else 5.0
            )
            with pytest.raises(ProviderError) as caught:
                await provider.ask(HELLO)
            await provider.close()
            assert server.address.split("/")[2] in str(caught.value)
            return caught.value

    error = run_without_waiting(Clock(), ask())
    assert (True, busy, wait) == (error.retry, error.rate_limited, error.retry_after)
    assert words in str(error)
    assert_no_key(error)


def test_the_faults_are_all_there_are() -> None:
    """No fault of the server goes untried above."""
    [marks] = [
        mark
        for mark in test_faults_are_trouble_that_may_pass.pytestmark
        if mark.name == "parametrize"
    ]
    assert set(FAULTS) == {case[0] for case in marks.args[1]}


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 200),
        ([], 200),
        (None, 200),
        ({"choices": None}, 200),
        ({"choices": [{"text": "yes"}]}, 200),
        ({"choices": [{"message": None}]}, 200),
        ({"choices": [{"message": {"content": "y"}, "finish_reason": "error"}]}, 200),
        ({"choices": [{"message": {"content": {"odd": 1}}}]}, 200),
        ({"error": {"message": "upstream", "code": 502}}, 200),
        ({}, 204),
        ({"error": "no"}, 408),
        ({"error": "no"}, 409),
        ({"error": {}}, 504),
    ],
)
def test_answers_without_a_reply_may_go_better_another_time(body: object, status: int) -> None:
    """What holds no reply is an error of the server, never an empty reply of the model."""
    error = error_of(saying(body, status))
    assert (True, False) == (error.retry, error.rate_limited)


@pytest.mark.parametrize("status", [498, 503, 529])
def test_overload_asks_for_fewer_calls(status: int) -> None:
    """A server that says it is overloaded is busy."""
    error = error_of(saying({"error": {"message": "overloaded"}}, status, **{"Retry-After": "3"}))
    assert (True, True, 3.0) == (error.retry, error.rate_limited, error.retry_after)


def test_an_error_inside_a_good_answer_is_taken_for_what_it_is() -> None:
    """A body that says 429 under a status of 200 is a busy server."""
    assert error_of(saying({"error": {"message": "slow down", "code": 429}})).rate_limited


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"Retry-After": "2"}, 2.0),
        ({"Retry-After": "0.25"}, 0.25),
        ({"Retry-After": "-4"}, 0.0),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "inf"}, None),
        ({"Retry-After": "nan"}, None),
        ({"Retry-After": ""}, None),
        ({"retry-after-ms": "1500", "Retry-After": "2"}, 1.5),
        ({"retry-after-ms": "x", "Retry-After": "2"}, 2.0),
        ({"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
    ],
)
def test_the_wait_is_what_the_server_asks_for(
    headers: Mapping[str, str], expected: float | None
) -> None:
    """Seconds, milliseconds and dates are understood; nonsense is no wait."""
    assert expected == error_of(saying({}, 429, **headers)).retry_after


def test_a_date_to_come_is_waited_for() -> None:
    """A moment ten minutes from now is a wait of about ten minutes."""
    moment = format_datetime(datetime.now(UTC) + timedelta(minutes=10), usegmt=True)
    wait = error_of(saying({}, 429, **{"Retry-After": moment})).retry_after
    assert wait is not None and 590 < wait <= 600


WHOLE = '{"choices": [{"message": {"content": "Answer: é%s"}, "finish_reason": "stop"}]%s}'


@pytest.mark.parametrize(
    ("body", "content_type", "said"),
    [
        (b"\xef\xbb\xbf" + (WHOLE % ("", "")).encode(), "application/json", "Answer: é"),
        ((WHOLE % ("", "")).encode("latin-1"), "application/json; charset=iso-8859-1", "Answer: é"),
        ((WHOLE % ("", "")).encode("utf-16"), 'application/json; charset="utf-16"', "Answer: é"),
        ((WHOLE % ("", "")).encode(), "application/json; charset=nonsense", "Answer: é"),
        ((WHOLE % ("", ', "logprob": NaN')).encode(), "application/json", "Answer: é"),
        ((WHOLE % ("\\ud83d", "")).encode(), "application/json", "Answer: é?"),
    ],
)
def test_a_reply_that_came_whole_is_read_however_it_is_written(
    body: bytes, content_type: str, said: str
) -> None:
    """It has been paid for, so it is not asked for again."""

    async def handler(request: web.Request) -> web.StreamResponse:
        return web.Response(
            body=body, headers={"Content-Type": content_type, "X-Long": "a" * 20_000}
        )

    assert said == asking(handler).generations[0].text


@pytest.mark.parametrize(
    ("status", "error", "expected"),
    [
        (400, {"message": "no", "code": "context_length_exceeded"}, LENGTH),
        (400, {"message": "This model's maximum context length is 4096 tokens."}, LENGTH),
        (
            400,
            {"message": "request (90 tokens) exceeds the available context size (64 tokens)"},
            LENGTH,
        ),
        (500, {"message": "Context size has been exceeded.", "type": "server_error"}, LENGTH),
        (413, {"message": "Too many tokens in the prompt"}, LENGTH),
        (422, {"message": "prompt is too long: 9 tokens > 8 maximum"}, LENGTH),
        (400, {"message": "flagged", "code": "content_filter"}, REFUSED),
        (403, {"message": "flagged", "type": "content_policy_violation"}, REFUSED),
    ],
)
def test_what_the_model_could_not_answer_is_its_reply(
    status: int, error: object, expected: Completion
) -> None:
    """A prompt too long for the model ends as out of tokens, one its filter stops as refused;
    neither is an error.
    """
    assert expected == asking(saying({"error": error}, status))


@pytest.mark.parametrize(
    ("status", "body", "words"),
    [
        (401, {"error": {"message": "no such key"}}, "set THE_KEY"),
        (403, {"error": {"message": "not yours"}}, "set THE_KEY"),
        (
            400,
            [{"error": {"message": "API key not valid.", "status": "INVALID_ARGUMENT"}}],
            "set THE_KEY",
        ),
        (402, {"error": {"message": "pay"}}, "no credit"),
        (
            429,
            {"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}},
            "no credit",
        ),
        (404, {"error": {"message": "no model"}}, "no model 'the-model'"),
        (404, "<html>", "check the model's name and the address"),
        (
            400,
            {"message": "Invalid model: the-model", "code": "invalid_model"},
            "no model 'the-model'",
        ),
    ],
)
def test_what_only_the_user_can_mend_is_a_mistake(status: int, body: object, words: str) -> None:
    """Keys, credit and names of models are the user's; the sentence says what to do."""
    with pytest.raises(UserError, match=words):
        asking(saying(body, status))


def test_a_server_of_ones_own_that_wants_a_key_says_so() -> None:
    """Where no variable is known, the sentence asks for one."""
    with pytest.raises(UserError, match="name the environment variable"):
        asking(saying({"error": "Unauthorized"}, 401), key="", key_variable="")


@pytest.mark.parametrize(
    ("status", "body", "words"),
    [
        (
            400,
            {"error": {"message": "temperature must be\n at most 2"}},
            "temperature must be at most 2",
        ),
        (422, {"detail": [{"msg": "field required"}]}, "field required"),
        (400, {"object": "error", "message": "bad image"}, "bad image"),
        (418, {}, "418"),
    ],
)
def test_a_call_the_server_will_never_take_is_not_made_again(
    status: int, body: object, words: str
) -> None:
    """Other errors of the 400s concern this call alone, with the server's words."""
    error = error_of(saying(body, status))
    assert not error.retry
    assert words in str(error)


def test_long_words_are_cut() -> None:
    """Of a server's words 300 characters are shown."""
    assert ("x" * 300) == str(
        error_of(saying({"error": {"message": "x" * 9_999}}, 400))
    ).rpartition(" ")[2]


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_redirects_are_not_followed(status: int) -> None:
    """The key is never carried to where a server points."""
    calls: list[str] = []

    async def elsewhere(request: web.Request) -> web.StreamResponse:
        calls.append(request.path)
        return web.Response()

    async def ask() -> None:
        async with (
            serving(elsewhere) as other,
            serving(saying({}, status, Location=f"{other}/chat/completions")) as address,
        ):
            provider = HttpProvider("m", address, KEY, timeout=2)
            with pytest.raises(UserError, match="has moved"):
                await provider.ask(HELLO)
            await provider.close()

    run_without_waiting(Clock(), ask())
    assert [] == calls


def test_a_body_may_not_be_larger_than_any_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that pours without end is cut off by size, long before time is up."""
    monkeypatch.setattr(http, "LARGEST_BODY", 50_000)
    assert "without end" in str(error_of(reply({"content": "x" * 60_000})))
    assert 40_000 == len(asking(reply({"content": "x" * 40_000})).generations[0].text)


def test_an_errors_status_counts_where_its_words_never_end() -> None:
    """A busy server is busy even if its body is cut or goes on for ever."""

    async def handler(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(
            status=429, headers={"Retry-After": "9", "Content-Length": "1000"}
        )
        await response.prepare(request)
        await response.write(b"wait")
        await asyncio.Event().wait()  # for ever
        return response

    error = error_of(handler, timeout=0.5)
    assert (True, 9.0) == (error.rate_limited, error.retry_after)


def test_compressed_answers_are_read_and_broken_ones_are_trouble() -> None:
    """Compression is the server's choice; what cannot be unpacked is a cut answer."""
    packed = gzip.compress(json.dumps({"choices": [{"message": {"content": "yes"}}]}).encode())

    def sending(body: bytes) -> Handler:
        async def handler(request: web.Request) -> web.StreamResponse:
            return web.Response(
                body=body, headers={"Content-Encoding": "gzip", "Content-Type": "application/json"}
            )

        return handler

    assert "yes" == asking(sending(packed)).generations[0].text
    assert error_of(sending(b"\0" * 20 + packed)).retry


def raw(answer: bytes) -> Callable[[], Awaitable[ProviderError]]:
    """Ask a server that speaks these very bytes."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        await writer.drain()
        writer.close()
        await writer.wait_closed()

    async def ask() -> ProviderError:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        provider = HttpProvider("m", f"http://127.0.0.1:{port}/v1", KEY, timeout=2)
        with pytest.raises(ProviderError) as caught:
            await provider.ask(HELLO)
        await provider.close()
        server.close()
        await server.wait_closed()
        return caught.value

    return ask


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"no HTTP at all\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nX: " + b"x" * 99_999 + b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n",
    ],
)
def test_those_who_do_not_speak_http_are_trouble(answer: bytes) -> None:
    """Whatever the server sends, the call fails with ProviderError and the key stays hidden."""
    error = run_without_waiting(Clock(), raw(answer)())
    assert error.retry
    assert_no_key(error)


def test_a_server_that_is_not_there_is_named() -> None:
    """A refused connection is ProviderError that names host and port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    async def ask(address: str) -> ProviderError:
        provider = HttpProvider("m", address, KEY, timeout=2)
        with pytest.raises(ProviderError) as caught:
            await provider.ask(HELLO)
        await provider.close()
        return caught.value

    refused = run_without_waiting(Clock(), ask(f"http://127.0.0.1:{port}/v1"))
    assert refused.retry
    assert f"127.0.0.1:{port} cannot be reached" in str(refused)
    assert run_without_waiting(Clock(), ask("http://no-such-host.invalid/v1")).retry


def test_a_server_without_encryption_is_not_spoken_to_as_if_it_had_it() -> None:
    """A wrong https ends as ProviderError that names the server, not in an error of the library."""

    async def ask() -> ProviderError:
        async with serving(reply({"content": "yes"})) as address:
            provider = HttpProvider("m", address.replace("http:", "https:"), KEY, timeout=2)
            with pytest.raises(ProviderError, match="cannot be reached") as caught:
                await provider.ask(HELLO)
            await provider.close()
            return caught.value

    assert_no_key(run_without_waiting(Clock(), ask()))


@pytest.mark.parametrize("form", ["json", "escaped", "unicode", "text", "words", "code"])
def test_a_key_the_server_repeats_goes_no_further(form: str) -> None:
    """Whatever the error and wherever it holds the key, no text of what is raised holds it."""
    statuses = [200, 302, 400, 401, 403, 404, 408, 409, 422, 429, 500, 502, 503, 529]
    left = iter(statuses)

    async def handler(request: web.Request) -> web.StreamResponse:
        said = f"{'x ' * 140}{request.headers['Authorization']} is wrong"  # where the words are cut
        error: object = said if form == "words" else {"message": said}
        if form == "code":
            error = {"code": said, "type": said, "odd": {"deep": [said]}}
        body = said if form == "text" else json.dumps({"error": error})
        body = body.replace("/", "\\/") if form == "escaped" else body
        body = body.replace("S", "\\u0053") if form == "unicode" else body
        kind = "text/plain" if form == "text" else "application/json"
        return web.Response(
            text=body,
            status=next(left),
            content_type=kind,
            headers={"Location": f"http://127.0.0.1/{KEY}"},
        )

    async def ask() -> None:
        async with serving(handler) as address:
            provider = HttpProvider("m", address, KEY, timeout=2, key_variable="THE_KEY")
            for _ in statuses:
                with pytest.raises((ProviderError, UserError)) as caught:
                    await provider.ask(HELLO)
                assert_no_key(caught.value)
            await provider.close()

    run_without_waiting(Clock(), ask())


def assert_no_key(fault: BaseException) -> None:
    """The key, or any half of it, is in no text of an exception or of those behind it."""
    texts = [str(fault), repr(fault), "".join(traceback.format_exception(fault))]
    texts += [repr(behind) for behind in (fault.__context__, fault.__cause__) if behind]
    for text in texts:
        assert "TopSecret" not in text and "abcdef" not in text


@pytest.mark.parametrize("key", ["1", "Answer:", "stop", "message"])
def test_a_short_key_damages_no_reply(key: str) -> None:
    """Placeholders for keys may be part of any text, and of JSON itself."""
    said = {"content": "It is 1 stop.\nAnswer: 1", "reasoning": "message"}
    completion = asking(reply(said, usage={"prompt_tokens": 11, "completion_tokens": 1}), key=key)
    assert Generation(said["content"], "message") == completion.generations[0]
    assert Usage(11, 1) == completion.usage


@pytest.mark.parametrize("form", ["plain", "slashes", "unicode", "percent"])
def test_an_escaped_key_in_a_reply_goes_no_further(form: str) -> None:
    """What JSON escapes is decoded before the key is looked for, and other escapes are known."""
    escaped = {
        "plain": KEY,
        "slashes": KEY.replace("/", "\\/"),
        "unicode": "".join(f"\\u{ord(character):04x}" for character in KEY),
        "percent": "".join(f"%{ord(character):02x}" for character in KEY),
    }[form]

    async def handler(request: web.Request) -> web.StreamResponse:
        body = '{"choices": [{"message": {"content": "%s!"}}], "model": "%s"}'
        return web.Response(text=body.replace("%s", escaped), content_type="application/json")

    assert Completion((Generation("***!"),), model="***") == asking(handler)


def test_a_door_shows_no_key() -> None:
    """Nor does the provider itself."""
    assert "TopSecret" not in repr(HttpProvider("m", "http://127.0.0.1:1/v1", KEY, timeout=1))


@pytest.mark.parametrize("key", ["two words", "line\nbreak", "schlüssel", "tab\there"])
def test_a_key_no_header_can_hold_is_a_mistake(key: str) -> None:
    """The sentence names the variable and not what is in it."""
    with pytest.raises(UserError, match="the key in THE_KEY") as caught:
        HttpProvider("m", "http://127.0.0.1:1/v1", key, timeout=1, key_variable="THE_KEY")
    assert key not in str(caught.value)


@pytest.mark.parametrize(
    "address",
    [
        "",
        "api.openai.com",
        "ftp://host/v1",
        "http://",
        "http://me:pw@host/v1",
        "http://host/v1?key=1",
        "http://host/v1#a",
        "http://[x",
    ],
)
def test_an_address_that_is_none_is_a_mistake(address: str) -> None:
    """Addresses are http or https, and hold no keys; what they did hold is not repeated."""
    with pytest.raises(UserError, match="not the address") as caught:
        HttpProvider("m", address, timeout=1)
    assert "pw" not in str(caught.value)


def test_200_calls_at_once_each_get_their_own_answer() -> None:
    """Answers never change places, and connections are used again."""

    async def ask() -> tuple[list[str], list[str], int]:
        async with fault_server(latency=0.05) as server:
            provider = HttpProvider("m", server.address, timeout=60)
            for _ in range(2):
                asked = [f"line {i}" for i in range(200)]
                requests = [Request((Message("user", ("rules\n" + line,)),)) for line in asked]
                received = [
                    completion.generations[0].text
                    for completion in await asyncio.gather(*map(provider.ask, requests))
                ]
            assert provider._session and provider._session.connector
            kept = sum(map(len, provider._session.connector._conns.values()))
            await provider.close()
            return asked, received, kept

    asked, received, kept = asyncio.run(ask())
    assert asked == received
    assert 0 < kept <= 200


def test_amid_all_faults_no_whole_answer_is_lost() -> None:
    """Asked until it answers, a server of many faults never sends an answer to its end that the
    provider does not hand on.
    """
    # the two that take their time
    shares = dict.fromkeys(FAULTS, 0.03) | {"slow": 0.01, "endless": 0.01}
    lines = [f"line {i}" for i in range(200)]
    passing: list[bool] = []

    async def until_answered(provider: HttpProvider, line: str, few: asyncio.Semaphore) -> str:
        for _ in range(50):
            try:
                async with few:  # as many connections as a system accepts at once
                    return (
                        (await provider.ask(Request((Message("user", (line,)),))))
                        .generations[0]
                        .text
                    )
            except ProviderError as error:
                passing.append(error.retry)
        raise AssertionError("no answer in fifty calls")

    async def ask() -> FaultServer:
        async with fault_server(shares, seed=1, slow=9.0) as server:
            provider, few = (
                HttpProvider("m", server.address, KEY, timeout=1.5),
                asyncio.Semaphore(50),
            )
            assert lines == await asyncio.gather(
                *(until_answered(provider, line, few) for line in lines)
            )
            await provider.close()
            return server

    server = run_without_waiting(Clock(), ask())
    assert set(FAULTS) == set(server.faults)
    assert [True] * sum(server.faults.values()) == passing
    assert 0 == server.needless
    assert 200 == sum(server.whole.values())
    assert sum(server.calls.values()) == 200 + len(passing)


def test_a_provider_opens_again_after_it_was_closed() -> None:
    """Closing is for good manners, not for ever, and may be done twice or before any call."""

    async def ask() -> list[str]:
        async with fault_server() as server:
            provider = HttpProvider("m", server.address, timeout=2)
            await provider.close()
            received = []
            for _ in range(2):
                received.append((await provider.ask(HELLO)).generations[0].text)
                await provider.close()
                await provider.close()
            return received

    assert ["hello", "hello"] == run_without_waiting(Clock(), ask())


def test_a_cancelled_call_leaves_the_door_usable() -> None:
    """A clock that runs out elsewhere cancels the call and nothing more."""

    async def ask() -> str:
        async with fault_server({"slow": 0.0}, latency=0.3) as server:
            provider = HttpProvider("m", server.address, timeout=2)
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(provider.ask(HELLO), 0.05)
            text = (await provider.ask(HELLO)).generations[0].text
            await provider.close()
            return text

    assert "hello" == run_without_waiting(Clock(), ask())


def test_calls_to_this_machine_pass_by_the_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy in the environment is used for others, never for loopback, and only if it is one
    aiohttp can use.
    """
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.setenv("https_proxy", "socks5://127.0.0.1:9")
    monkeypatch.setenv("no_proxy", "inside.example")
    assert "yes" == asking(reply({"content": "yes"})).generations[0].text
    for address, expected in (
        ("http://outside.example/v1", "http://127.0.0.1:9"),
        ("http://inside.example/v1", None),
        ("https://outside.example/v1", None),
        ("http://localhost:8080/v1", None),
    ):
        assert expected == http._proxy(http.endpoint(address))
