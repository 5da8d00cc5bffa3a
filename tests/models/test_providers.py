"""Model servers by name, and what they cost."""

from __future__ import annotations

import asyncio
import json
from datetime import date
from pathlib import Path
from urllib.parse import urlsplit

import pytest

pytest.importorskip("aiohttp", reason="HTTP servers need aiohttp")

from aiohttp import web

from fault_server import serving
from quandary.core.errors import UserError
from quandary.models import prices
from quandary.models.pool import ClientPool
from quandary.models.prices import Price
from quandary.models.provider import Decoding, Message, Request, Usage
from quandary.models.providers.presets import names, open_provider, preset

LOCAL = ("vllm", "sglang", "llamacpp", "ollama", "lmstudio")


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests know no keys and no addresses but their own."""
    for name in names():
        monkeypatch.delenv(preset(name).base_url_variable, raising=False)
        if preset(name).key_variable:
            monkeypatch.delenv(preset(name).key_variable, raising=False)
    monkeypatch.delenv(prices.VARIABLE, raising=False)


def test_every_preset_is_sound() -> None:
    """Hosted servers are reached safely and with a key, one's own on loopback and without; all can
    begin at once.
    """
    for name in names():
        known = preset(name)
        url = urlsplit(known.base_url)
        assert name == known.name
        assert not known.base_url.endswith("/")
        assert known.connections >= 1
        assert known.max_tokens_field in ("max_tokens", "max_completion_tokens")
        if name in LOCAL:
            assert ("http", "127.0.0.1", "") == (url.scheme, url.hostname, known.key_variable)
        else:
            assert ("https", f"{name.upper()}_API_KEY") == (url.scheme, known.key_variable)
    assert set(LOCAL) < set(names())


def test_an_unknown_provider_gets_advice() -> None:
    """The sentence names the nearest one."""
    with pytest.raises(UserError, match="did you mean 'openai'"):
        preset("opnai")


def test_a_missing_key_is_named() -> None:
    """The sentence says which variable to set."""
    with pytest.raises(UserError, match="set the environment variable GROQ_API_KEY"):
        open_provider("groq", "m")
    with pytest.raises(UserError, match="that --key-env names is not set") as caught:
        open_provider("groq", "m", key_variable="MY_KEY")
    assert "MY_KEY" not in str(caught.value)  # it may be the key itself


def test_servers_of_ones_own_need_no_key() -> None:
    """They can be opened without any key in the environment."""
    for name in LOCAL:
        open_provider(name, "m")


def test_openai_on_loopback_needs_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """OPENAI_BASE_URL may point to a server of one's own; elsewhere a key is needed still."""
    for host in ("127.0.0.1:8000", "localhost", "[::1]:8000"):
        monkeypatch.setenv("OPENAI_BASE_URL", f"http://{host}/v1")
        open_provider("openai", "m")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1.example/v1")
    with pytest.raises(UserError, match="OPENAI_API_KEY"):
        open_provider("openai", "m")


def asked(path: str, provider: str, **arguments: str) -> tuple[str | None, dict[str, object]]:
    """The key and the body that a server gets whose address `path` says how to give: "argument" or
    a variable.
    """
    seen: list[tuple[str | None, dict[str, object]]] = []

    async def handler(request: web.Request) -> web.StreamResponse:
        seen.append((request.headers.get("Authorization"), json.loads(await request.read())))
        return web.json_response({"choices": [{"message": {"content": "yes"}}]})

    async def ask() -> None:
        async with serving(handler) as address:
            with pytest.MonkeyPatch.context() as patch:
                if path != "argument":
                    patch.setenv(path, address)
                opened = open_provider(
                    provider, "m", address if path == "argument" else "", **arguments
                )
            await opened.ask(
                Request((Message("user", ("hello",)),), Decoding(max_tokens=5, seed=1), n=2)
            )
            await opened.close()

    asyncio.run(ask())
    [call] = seen
    return call


@pytest.mark.parametrize(
    ("path", "provider"),
    [("argument", "openai"), ("OPENAI_BASE_URL", "openai"), ("XAI_BASE_URL", "xai")],
)
def test_the_address_is_given_or_in_the_environment(path: str, provider: str) -> None:
    """An argument, or NAME_BASE_URL, takes the place of the preset's address."""
    asked(path, provider)


def test_the_address_given_comes_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is said at the call counts most."""
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    asked("argument", "openai")


def test_more_connections_than_files_may_be_open_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With the number that works here."""
    resource = pytest.importorskip("resource")
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (1_024, 4_096))
    ClientPool(connections=960).client("vllm", "m")
    with pytest.raises(UserError, match=r"961 is too many: .* 1,024 files; .* write 960 or fewer"):
        ClientPool(connections=961).client("vllm", "m")


def test_the_key_comes_from_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the preset's, or from the one that is named; white space around it is no part of it."""
    monkeypatch.setenv("MISTRAL_API_KEY", "first\n")
    monkeypatch.setenv("MY_KEY", "second")
    assert "Bearer first" == asked("argument", "mistral")[0]
    assert "Bearer second" == asked("argument", "mistral", key_variable="MY_KEY")[0]
    assert None is asked("argument", "vllm")[0]


def test_presets_quirks_reach_the_server() -> None:
    """Mistral's seed has another name and it gives one reply; a server of one's own gets the token
    limit's old name.
    """
    body = asked("argument", "mistral")[1]
    assert (1, None, None) == (body["random_seed"], body.get("seed"), body.get("n"))
    body = asked("argument", "openai")[1]
    assert (5, None, 2) == (body["max_tokens"], body.get("max_completion_tokens"), body["n"])


def test_our_own_prices_are_sound() -> None:
    """They have a date, are for known providers, and writing never costs less than reading."""
    table = prices.load()
    assert date(2026, 1, 1) < table.date
    assert Price(2.0, 8.0) == table.models["openai/gpt-4.1"]
    for model, price in table.models.items():
        assert model.partition("/")[0] in names()
        assert 0 < price.read <= price.written


def test_a_cost_is_known_or_none() -> None:
    """Dollars for known models and tokens; None, never zero, where anything is unknown; nothing on
    one's own machine.
    """
    table = prices.load()
    assert 2.0 + 8.0 == table.cost("openai/gpt-4.1", Usage(1_000_000, 1_000_000))
    assert 0.0 == table.cost("openai/gpt-4.1", Usage(0, 0))
    assert None is table.cost("openai/gpt-4.1", Usage(10, None))
    cheaper = prices.read(
        "a table",
        "date = 2026-01-31\n[models]\n"
        '"openai/a" = { read = 2.0, written = 8.0, cached = 0.5 }\n'
        '"openai/b" = { read = 2.0, written = 8.0 }\n',
    )
    mostly_cached = Usage(1_000_000, 0, cached=800_000)
    assert 0.4 + 0.4 == pytest.approx(cheaper.cost("openai/a", mostly_cached))
    assert 2.0 == cheaper.cost("openai/b", mostly_cached)
    assert 2.0 == cheaper.cost("openai/a", Usage(1_000_000, 0))
    assert None is table.cost("openai/gpt-4.1", Usage(None, 10))
    assert None is table.cost("openai/gpt-4.1-2025-04-14", Usage(10, 10))
    assert None is table.cost("ollama/llama3", Usage(10, 10))
    assert 0.0 == table.cost("local/smollm2", Usage())
    assert 0.0 == table.cost("hf/gpt2", Usage(10, 10))


def test_users_bring_their_own_prices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file takes the place of the whole table; it is named at the call or in the environment."""
    path = tmp_path / "prices.toml"
    path.write_text('date = 2030-02-01\n[models]\n"vllm/mine" = { read = 1, written = 2.5 }\n')
    table = prices.load(path)
    assert (date(2030, 2, 1), {"vllm/mine": Price(1.0, 2.5)}) == (table.date, table.models)
    assert prices.load() != table
    monkeypatch.setenv(prices.VARIABLE, str(path))
    assert prices.load() == table


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("date = ", "not valid TOML"),
        ("[models]", "no date"),
        ('date = "2026"\n[models]', "date '2026', which is not a day"),
        ("date = 2026-01-01T00:00:00\n[models]", "which is not a day"),
        ("date = 2026-01-01", r"no \[models\]"),
        ("date = 2026-01-01\nmodels = 3", r"no \[models\]"),
        ("date = 2026-01-01\nmodel = 3\n[models]", "did you mean 'models'"),
        ('date = 2026-01-01\n[models]\n"a/b" = 3', "no valid price for a/b"),
        ('date = 2026-01-01\n[models]\n"a/b" = { read = 1 }', "no valid price for a/b"),
        (
            'date = 2026-01-01\n[models]\n"a/b" = { read = 1, written = "2" }',
            "no valid price for a/b",
        ),
        (
            'date = 2026-01-01\n[models]\n"a/b" = { read = 1, written = true }',
            "no valid price for a/b",
        ),
        (
            'date = 2026-01-01\n[models]\n"a/b" = { read = 1, written = -2 }',
            "no valid price for a/b",
        ),
        (
            'date = 2026-01-01\n[models]\n"a/b" = { read = 1, written = nan }',
            "no valid price for a/b",
        ),
        (
            'date = 2026-01-01\n[models]\n"a/b" = { read = 1, written = inf }',
            "no valid price for a/b",
        ),
        (
            'date = 2026-01-01\n[models]\n"a/b" = { read = 1, written = 2, cached = -1 }',
            "no valid price for a/b",
        ),
    ],
)
def test_a_table_that_is_wrong_says_where(text: str, words: str, tmp_path: Path) -> None:
    """Each mistake in a price table is told in one sentence that names it."""
    path = tmp_path / "prices.toml"
    path.write_text(text)
    with pytest.raises(UserError, match=words):
        prices.load(path)


def test_a_table_that_is_not_there_says_so(tmp_path: Path) -> None:
    """So is a file that cannot be read."""
    with pytest.raises(UserError, match="cannot be read"):
        prices.load(tmp_path / "none.toml")
