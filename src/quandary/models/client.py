"""The client of one model: rate limited, budgeted, journaled, and retried with backoff.

A call is written to the journal before it is sent and its reply before it is used, so no reply that
has been received is ever paid for twice.
"""

from __future__ import annotations

import asyncio
import types
from collections.abc import Callable, Generator
from math import inf
from random import Random
from time import monotonic, perf_counter
from typing import NamedTuple

from quandary.core.errors import StopRun, UserError

from .budget import Budget
from .calls import Call, CallKey, CallResult, make_call
from .journal import Journal
from .prices import Prices
from .provider import Completion, Provider, ProviderError, Request
from .rate_limiter import LONGEST_PAUSE, RateLimiter
from .rejections import Rejections
from .self_hosted import SelfHostedServer

REPORTED_FAILURES = 4  # failures of one call after which the user is told
UNREACHED = 15.0  # seconds without any answer at all after which a run ends that never had one
BETWEEN_REPORTS = 60.0  # seconds: many calls fail together


class RetryPolicy(NamedTuple):
    """The number of retries of a failed call, and the pauses between them."""

    tries: int = 10
    first_pause: float = 0.5  # seconds; doubled with every try, with full jitter
    longest_pause: float = 60.0


class NoReply(Exception):
    """A call that failed after all its retries; the message names the model and the last error."""


class ModelClient:
    """Calls one model, for a whole run."""

    def __init__(
        self,
        model: str,
        provider: Provider,
        limiter: RateLimiter,
        journal: Journal,
        budget: Budget,
        prices: Prices,
        retry: RetryPolicy,
        *,
        self_hosted: SelfHostedServer | None = None,  # if the user runs it
        timeout: float | None = 600.0,  # seconds per call; None if the provider keeps the time
        notify: Callable[[str], None] = lambda message: None,  # told what users may want to know
    ) -> None:
        self.model, self.provider, self.limiter, self.journal = model, provider, limiter, journal
        self.budget, self.prices, self.retry = budget, prices, retry
        self.self_hosted, self.timeout, self.notify = self_hosted, timeout, notify
        self.reported_at = -inf
        self.is_reached, self.unreached_since = False, inf  # in this session
        self.rejections = Rejections()
        budget.on_stop.append(self.rejections.let_all_through)
        self.jitter = Random()  # for pauses only: nothing that is measured depends on it

    async def ask(self, key: CallKey, request: Request) -> CallResult:
        """Return the model's reply, from the journal if it is there; NoReply if all tries fail."""
        call = make_call(self.model, key, request)
        if known := self.journal.find(call):
            return known
        last_error: ProviderError | None = None
        for attempt in range(self.retry.tries):
            if attempt and last_error:
                await self.budget.pause(self._backoff(attempt, last_error.retry_after or 0.0))
                if attempt == REPORTED_FAILURES:
                    self._report(last_error)
            try:
                if last_error or not self._is_known_to_work():
                    return await self._send_when_allowed(call, last_error)
                return await self._send(call)
            except ProviderError as error:
                last_error = error
                if not error.retry:
                    break
        raise NoReply(f"no reply of {self.model}: {last_error or 'it was never tried'}")

    def _is_known_to_work(self) -> bool:
        """Return whether calls need not wait for what the first ones show: their cost, a rejection,
        or that the user's own server is there.
        """
        is_seen = not self.self_hosted or self.self_hosted.is_known
        return self.budget.cost_known and not self.rejections.hold_back and is_seen

    async def _send_when_allowed(self, call: Call, last_error: ProviderError | None) -> CallResult:
        """Send a call when those before it have shown that it may be sent."""
        async with (
            self.budget.one_by_one_until_cost_is_known(),
            self.rejections.call_in_flight(
                answered=self.journal.has_reply(self.model),
                rejected=self.journal.has_rejection(self.model),
            ),
        ):
            await self._check_server(is_lost=bool(last_error and not last_error.connected))
            return await self._send(call)

    async def _check_server(self, *, is_lost: bool) -> None:
        """Stop the run if the user's own server is not there."""
        try:
            if self.self_hosted:
                await self.self_hosted.check_once()
                if is_lost:
                    await self.self_hosted.check_again()
        except UserError as error:
            raise self._stop(error) from None

    def _stop(self, error: UserError) -> StopRun:
        """Stop the run, because every other match would fail in the same way."""
        return self.budget.stop(str(error).removesuffix("."))

    def _report(self, error: ProviderError) -> None:
        """Tell the user of failing calls, now and then."""
        if monotonic() >= self.reported_at + BETWEEN_REPORTS:
            self.reported_at = monotonic()
            self.notify(f"calls to {self.model} fail ({error}); retrying with backoff.")

    def _backoff(self, attempt: int, retry_after: float) -> float:
        """Return the seconds until a call is made again: no fewer than the server asks for."""
        longest = min(self.retry.longest_pause, self.retry.first_pause * 2**attempt)
        return max(float(self.jitter.random() * longest), min(retry_after, LONGEST_PAUSE))

    async def _send(self, call: Call) -> CallResult:
        """Send a call once, and record its reply."""
        sent = await self.limiter.acquire(call.key.match)
        try:
            self.budget.begin_call()
            try:
                self.journal.sent(call)
                begun = perf_counter()
                if self.timeout is None:
                    completion = await self.provider.ask(call.request)
                else:
                    completion = await self._ask_in_time(call.request, self.timeout)
            finally:
                self.budget.end_call()
        except ProviderError as error:
            self.journal.failed(call, str(error), rejected=not error.retry)
            if error.rate_limited:
                self.limiter.rate_limited(sent, error.retry_after)
            elif error.timed_out:
                self.limiter.timed_out(sent)
            else:
                self.limiter.failed()
            self._stop_after_equal_rejections(error)
            self._stop_if_never_reached(error)
            raise
        except UserError as error:
            self.journal.failed(call, str(error), rejected=True)
            self.limiter.failed()
            raise self._stop(error) from None
        except BaseException:  # the run stops
            self.limiter.failed()
            raise
        self.is_reached = True
        self.limiter.succeeded(sent)
        self.rejections.let_all_through()
        result = CallResult(completion, round(perf_counter() - begun, 6))
        self.journal.got(call, *result)
        dollars = self.prices.cost(self.model, completion.usage)
        self.budget.spend(completion.usage, dollars, call.key.match)
        await _turns_for_others()
        return result

    def _stop_after_equal_rejections(self, error: ProviderError) -> None:
        if error.retry:
            self.rejections.let_all_through()
        elif self.rejections.count(str(error)) and not self.journal.has_reply(self.model):
            raise self.budget.stop(
                f"{self.model} rejects every call: {str(error).removesuffix('.')}; change what is "
                f"sent (temperature=none after a model's name unsets a setting)"
            ) from None

    def _stop_if_never_reached(self, error: ProviderError) -> None:
        """Stop a run in which nothing was ever answered: an address with an error stays wrong,
        while a server that has answered comes back.
        """
        self.is_reached = self.is_reached or error.connected
        self.unreached_since = min(self.unreached_since, monotonic())
        has_answers = self.budget.spent_tokens or self.journal.has_reply(self.model)
        if self.is_reached or has_answers or self.self_hosted:
            return
        if monotonic() >= self.unreached_since + UNREACHED:
            raise self.budget.stop(
                f"no call to {self.model} has got an answer: {error}; check the address "
                f"(--base-url) and the network"
            ) from None

    async def _ask_in_time(self, request: Request, timeout: float) -> Completion:
        try:
            async with asyncio.timeout(timeout):
                return await self.provider.ask(request)
        except TimeoutError:
            why = f"{self.model} gave no reply within {timeout:g} seconds"
            raise ProviderError(why, timed_out=True) from None


@types.coroutine
def _turns_for_others() -> Generator[None, None, None]:
    """Give event loop turns to other calls before a reply is processed.

    So a free slot is filled first: the first turn lets a call through, the second writes it.
    """
    yield
    yield
