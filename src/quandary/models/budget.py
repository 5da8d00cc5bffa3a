"""What a run may cost, in dollars, tokens and minutes.  Reaching it stops the run cleanly; the same command continues it.

Dollars and tokens are those of the whole run, what earlier commands have spent on it included; minutes are this command's.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, nullcontext, suppress

from quandary.core.errors import Mistake, StopRun

from .provider import Usage


class Budget:
    """Counts what has been spent and stops the run before it spends too much."""

    def __init__(self, dollars: float | None = None, tokens: int | None = None, minutes: float | None = None) -> None:
        for name, cap in (("dollars", dollars), ("tokens", tokens), ("minutes", minutes)):
            if cap is not None and not cap > 0:
                raise Mistake(f"--{name} must be above 0.")
        self.dollars, self.tokens, self.minutes = dollars, tokens, minutes
        self.spent_dollars, self.spent_tokens = 0.0, 0
        self.most_dollars, self.most_tokens = 0.0, 0  # of one call
        self.under_way = 0
        self.known = dollars is None and tokens is None  # what a call costs, or that it does not matter
        self.alone = asyncio.Lock()
        self.stopped = ""  # why no call is to be made any more
        self.at_the_end: list[Callable[[], None]] = []  # what is to be told then

    def before(self, usage: Usage, dollars: float | None, largest: Usage, dearest: float | None) -> None:
        """Count what was spent on the run before: all its calls together, and the largest of them."""
        most_tokens, most_dollars = self.most_tokens, self.most_dollars
        with suppress(StopRun):  # the first call will meet it
            self.spend(usage, dollars)
        self.most_tokens = max(most_tokens, (largest.read or 0) + (largest.written or 0))
        self.most_dollars = max(most_dollars, dearest or 0.0)

    def stop(self, why: str) -> StopRun:
        """Let no call through any more; gives what to raise."""
        self.stopped = self.stopped or why
        for tell in self.at_the_end:
            tell()
        return StopRun(self.stopped)

    def one_by_one(self) -> AbstractAsyncContextManager[None]:
        """Around everything a call does, until it is known what one costs."""
        return nullcontext() if self.known else self._alone()

    @asynccontextmanager
    async def _alone(self) -> AsyncIterator[None]:
        async with self.alone:
            if not self.known:
                yield
                return
        yield

    @contextmanager
    def call(self) -> Iterator[None]:
        """Around a call that is being made; StopRun where it would go beyond a cap."""
        self._check()
        self.under_way += 1
        try:
            yield
        finally:
            self.under_way -= 1

    def spend(self, usage: Usage, dollars: float | None) -> None:
        """Count a reply; StopRun where its cost is unknown and a cap depends on it."""
        if usage.read is None or usage.written is None:
            if self.tokens is not None:
                raise self.stop("the server does not say how many tokens it used, so --tokens cannot be kept")
        else:
            self.spent_tokens += usage.read + usage.written
            self.most_tokens = max(self.most_tokens, usage.read + usage.written)
        if dollars is None and self.dollars is not None:
            raise self.stop("what a reply costs is not known, so --dollars cannot be kept; give a table with --prices")
        self.spent_dollars += dollars or 0.0
        self.most_dollars = max(self.most_dollars, dollars or 0.0)
        self.known = True

    def _check(self) -> None:
        """Calls under way, and the next one, are taken to cost what the dearest has cost so far."""
        if self.stopped:
            raise StopRun(self.stopped)
        calls = self.under_way + 1
        if self.tokens is not None and self.spent_tokens + calls * self.most_tokens > self.tokens:
            raise self.stop(f"the budget of {self.tokens:,} tokens is used up; go on with a higher --tokens")
        if self.dollars is not None and self.spent_dollars + calls * self.most_dollars > self.dollars:
            raise self.stop(f"the budget of ${self.dollars:g} is used up; go on with higher --dollars")

    async def pause(self, seconds: float) -> None:
        """Wait, but not beyond the end."""
        over = asyncio.Event()
        self.at_the_end.append(over.set)
        try:
            async with asyncio.timeout(seconds):
                await over.wait()
        except TimeoutError:
            return
        finally:
            self.at_the_end.remove(over.set)
        raise StopRun(self.stopped)
