"""The clients of all models of a run, with the limits, budget and prices they share."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import cast

from quandary.core.errors import UserError, unknown

from . import prices
from .budget import Budget
from .client import ModelClient, RetryPolicy
from .journal import Journal, NoJournal
from .prices import Prices
from .provider import Decoding, Provider, Usage
from .providers import presets
from .rate_limiter import RateLimiter
from .self_hosted import LOW_START, Reachable, SelfHostedServer
from .settings_check import check_support

WITHOUT_PRESET = ("local", "hf", "inspect")  # all others are listed in providers/presets.toml
START, MAXIMUM = 16, 256  # calls in flight per provider
OTHER_FILES = 64  # open files and sockets of a process that are no connections of calls


@dataclass
class ClientPool:
    """Opens clients by provider and model, and keeps them until the end of a run."""

    base_url: str = ""  # of the server, if not the provider's own
    key_variable: str = ""  # the environment variable of the key, if not the provider's own
    connections: int | None = None  # most calls in flight per provider
    timeout: float = presets.TIMEOUT  # seconds per call
    budget: Budget = field(default_factory=Budget)
    prices: Prices | None = None  # loaded when first needed
    retry: RetryPolicy = field(default_factory=RetryPolicy)
    # replaces the way to a model that its provider's name stands for; takes provider and model
    open_provider: Callable[[str, str], Provider] | None = None
    journal: Journal = field(default_factory=NoJournal)
    notify: Callable[[str], None] = lambda message: None  # told what users may want to know
    # The way to each model, and how many calls may be in flight at first and at most.
    ways: dict[str, tuple[Provider, int, int]] = field(default_factory=dict)
    clients: dict[str, ModelClient] = field(default_factory=dict)
    limiters: dict[str, RateLimiter] = field(default_factory=dict)

    def client(self, provider: str, model: str) -> ModelClient:
        """Return the client of a model, opened at the first request for it."""
        name = f"{provider}/{model}"
        if name not in self.clients:
            table = self._price_table()
            if self.budget.dollars is not None and table.cost(name, Usage(1, 1)) is None:
                raise UserError(
                    f"the price of {name} is unknown, so --dollars cannot be kept; give a table "
                    f"with --prices."
                )
            if name not in self.ways:
                self.ways[name] = self._open(provider, model)
            opened, start, maximum = self.ways[name]
            limiter = self._limiter(provider, start, maximum)
            self.clients[name] = ModelClient(
                name,
                opened,
                limiter,
                self.journal,
                self.budget,
                table,
                self.retry,
                self_hosted=self._self_hosted(provider, opened, limiter),
                timeout=None if self._is_http(provider) else self.timeout,
                notify=self.notify,
            )
        return self.clients[name]

    def check(self, provider: str, decoding: Decoding) -> None:
        """Raise UserError for a setting that the provider's models cannot be sent."""
        if not self.open_provider:
            check_provider(provider)
            check_support(provider, decoding)

    def _price_table(self) -> Prices:
        self.prices = self.prices or prices.load()
        return self.prices

    def _limiter(self, provider: str, start: int, maximum: int) -> RateLimiter:
        """Return the one limiter for all models of a provider: they share its limits."""
        if provider not in self.limiters:
            self.limiters[provider] = RateLimiter(start, maximum, self.timeout)
            self.budget.on_stop.append(self.limiters[provider].release_all)
        return self.limiters[provider]

    def _open(self, provider: str, model: str) -> tuple[Provider, int, int]:
        """Return the way to a model, and how many calls may be in flight at first and at most."""
        most = self.connections
        if self.open_provider:
            return self.open_provider(provider, model), most or START, most or MAXIMUM
        check_provider(provider)
        if most:
            check_connections(most)
        match provider:
            case "local":
                from .providers.local import LocalProvider
                from .providers.weights import find

                return LocalProvider(find(model)), 1, 1
            case "hf":
                from .providers.hugging_face import HuggingFaceProvider

                return HuggingFaceProvider(model), 1, 1
            case "inspect":
                from .providers.inspect_ai import InspectProvider

                return InspectProvider(model), 8, most or 64
        self._check_single_provider(provider)
        opened = presets.open_provider(
            provider, model, self.base_url, self.key_variable, self.timeout
        )
        start = presets.preset(provider).connections
        if presets.is_self_hosted(provider, self.base_url):
            start = min(start, LOW_START)
        return opened, most or start, most or MAXIMUM

    def _is_http(self, provider: str) -> bool:
        """Return whether models of a provider are called by an `HttpProvider`."""
        return not self.open_provider and provider not in WITHOUT_PRESET

    def _self_hosted(
        self, provider: str, opened: Provider, limiter: RateLimiter
    ) -> SelfHostedServer | None:
        if not self._is_http(provider) or not presets.is_self_hosted(provider, self.base_url):
            return None
        return SelfHostedServer(
            cast(Reachable, opened), limiter, ask_slots=self.connections is None
        )

    def _check_single_provider(self, provider: str) -> None:
        """Refuse one address or key for several providers: a key is for its own server."""
        others = {name.partition("/")[0] for name in self.clients} - {provider, *WITHOUT_PRESET}
        if others and (self.base_url or self.key_variable):
            raise UserError(
                f"--base-url and --key-env are for one provider, but {provider} and {others.pop()} "
                f"play; set {presets.preset(provider).base_url_variable} and the providers' own "
                "key variables instead."
            )

    def servers(self, providers: Iterable[str]) -> dict[str, str]:
        """Return the addresses at which models of these providers are called, as far as they have
        one.
        """
        known = [] if self.open_provider else presets.names()
        return {
            name: presets.address(name, self.base_url).rstrip("/")
            for name in dict.fromkeys(providers)
            if name in known
        }

    def add_earlier_sessions(self, model: str, usage: Usage, largest: Usage) -> None:
        """Count what earlier commands spent on a model: all calls together, and the largest."""
        table = self._price_table()
        self.budget.add_earlier_sessions(
            usage, table.cost(model, usage), largest, table.cost(model, largest)
        )

    def allow_again(self) -> None:
        """Let new clients try again after a fault stopped all calls, if the budget allows it."""
        self.budget.allow_again()
        for client in self.clients.values():
            self.budget.on_stop.remove(client.rejections.let_all_through)
        for limiter in self.limiters.values():
            self.budget.on_stop.remove(limiter.release_all)
        self.clients.clear()
        self.limiters.clear()

    @asynccontextmanager
    async def session(self, journal: Journal) -> AsyncIterator[None]:
        """Journal calls and limit the time while a run is played; close the clients at its end."""
        self.journal = journal
        self.budget.first_call = asyncio.Lock()  # of this event loop
        for client in self.clients.values():
            client.journal = journal
        timer = None
        if (minutes := self.budget.minutes) is not None:
            why = f"the time of {minutes:g} minutes is over"
            loop = asyncio.get_running_loop()
            timer = loop.call_later(60 * minutes, self.budget.stop_for_good, why)
        try:
            yield
        finally:
            if timer:
                timer.cancel()
            for opened, _, _ in self.ways.values():
                await opened.close()
            self.ways.clear()
            self.clients.clear()
            self.limiters.clear()  # they belong to this event loop


def is_free(provider: str, base_url: str = "") -> bool:
    """Return whether a provider's models cost nothing: they run here, or on the user's own
    server.
    """
    if f"{provider}/" in prices.FREE:
        return True
    return provider in presets.names() and presets.is_self_hosted(provider, base_url)


def check_provider(name: str) -> None:
    """Raise UserError if there is no such provider."""
    known = [*WITHOUT_PRESET, *presets.names()]
    if name not in known:
        raise unknown("provider", name, known)


def check_connections(most: int) -> None:
    """Raise UserError if this process may not open `most` connections."""
    try:
        from resource import RLIM_INFINITY, RLIMIT_NOFILE, getrlimit
    except ImportError:  # this system has no such limit
        return
    files = getrlimit(RLIMIT_NOFILE)[0]
    if files != RLIM_INFINITY and most > files - OTHER_FILES:
        raise UserError(
            f"--connections {most} is too many: a process may open {files:,} files; allow "
            f"more with ulimit -n, or write {max(1, files - OTHER_FILES):,} or fewer."
        )
