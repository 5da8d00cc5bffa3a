"""The budget of a run, in dollars, tokens and minutes.  Reaching a cap stops the run; the same
command continues it.

Dollars and tokens are counted over the whole run, earlier commands included; minutes per command.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext, suppress
from math import inf
from typing import NamedTuple

from quandary.core.errors import StopRun, UserError

from .calls import total_tokens
from .open_matches import OpenMatches
from .provider import Usage

MOST_UNCOUNTED = 3  # replies without a count of tokens, before the first one with a count


class Spent(NamedTuple):
    """The cost of calls: all together, and the largest."""

    dollars: float = 0.0
    tokens: int = 0
    largest_dollars: float = 0.0
    largest_tokens: int = 0


class Budget:
    """Counts what has been spent and stops the run before it spends too much."""

    def __init__(
        self,
        dollars: float | None = None,
        tokens: int | None = None,
        minutes: float | None = None,
    ) -> None:
        for name, cap in (("dollars", dollars), ("tokens", tokens), ("minutes", minutes)):
            if cap is not None and not cap > 0:
                raise UserError(f"--{name} must be above 0.")
        self.dollars, self.tokens, self.minutes = dollars, tokens, minutes
        self.spent_dollars, self.spent_tokens = 0.0, 0
        self.largest_dollars, self.largest_tokens = 0.0, 0  # of one call
        self.in_flight = self.uncounted = 0  # replies of unknown cost, until one is known
        self.is_capped = dollars is not None or tokens is not None
        self.cost_known = not self.is_capped  # or it does not matter
        self.first_call = asyncio.Lock()
        self.stopped = ""  # why no more calls are made
        self.used_up = ""  # why none will ever be made: a cap is reached, or cannot be kept
        self.on_spend: list[Callable[[], None]] = []  # told when something was spent
        self.open_matches = OpenMatches(self._share_left)
        self.on_stop: list[Callable[[], None]] = [self.open_matches.release_all]

    def match(self, name: str) -> AbstractAsyncContextManager[None]:
        """Wraps a match in which models play; waits until the rest of the budget pays for it."""
        return self.open_matches.play(name) if self.is_capped else nullcontext()

    def add_earlier_sessions(
        self, usage: Usage, dollars: float | None, largest: Usage, largest_dollars: float | None
    ) -> None:
        """Count what earlier commands spent on this run: all calls together, and the largest."""
        before = self.largest_tokens, self.largest_dollars
        uncounted, self.uncounted = self.uncounted, 0  # they are single replies, this is many
        with suppress(StopRun):  # the first call of this command will raise it
            self.spend(usage, dollars)
        self.uncounted += uncounted
        self.largest_tokens = max(before[0], total_tokens(largest))
        self.largest_dollars = max(before[1], largest_dollars or 0.0)

    def add_spent(self, spent: Spent) -> None:
        """Count what was spent before this command, if it is known in dollars."""
        self.spent_dollars += spent.dollars
        self.spent_tokens += spent.tokens
        self.largest_dollars = max(self.largest_dollars, spent.largest_dollars)
        self.largest_tokens = max(self.largest_tokens, spent.largest_tokens)
        self.cost_known = self.cost_known or bool(self.largest_tokens)
        self.used_up = self.used_up or self._reached()

    @property
    def spent(self) -> Spent:
        """What was spent so far, as `add_spent` takes it."""
        return Spent(
            self.spent_dollars, self.spent_tokens, self.largest_dollars, self.largest_tokens
        )

    def refuse_calls(self, why: str) -> None:
        """Allow no more calls; those who wait for their turn do not learn of it yet."""
        self.stopped = self.stopped or why

    def stop(self, why: str) -> StopRun:
        """Allow no more calls, and return the error to raise."""
        self.refuse_calls(why)
        for callback in self.on_stop:
            callback()
        return StopRun(self.stopped)

    def stop_for_good(self, why: str) -> StopRun:
        """Return the same, where trying again would not help either."""
        self.used_up = self.used_up or why
        return self.stop(why)

    def allow_again(self) -> None:
        """Allow calls after a fault, unless the budget is used up."""
        self.stopped = self.used_up

    def one_by_one_until_cost_is_known(self) -> AbstractAsyncContextManager[None]:
        """Wraps everything a call does; serialises calls until the cost of one is known."""
        return nullcontext() if self.cost_known else self._one_by_one()

    @asynccontextmanager
    async def _one_by_one(self) -> AsyncIterator[None]:
        async with self.first_call:
            if not self.cost_known:
                yield
                return
        yield

    def begin_call(self) -> None:
        """A call is about to be sent; StopRun if it could exceed a cap."""
        self._check()
        self.in_flight += 1

    def end_call(self) -> None:
        """A call that was begun has ended, with a reply or without."""
        self.in_flight -= 1

    def spend(self, usage: Usage, dollars: float | None, match: str = "") -> None:
        """Count a reply; one of unknown cost is counted as the largest so far, or as the first one
        of known cost.

        StopRun if too many come before that one, or the price is unknown, and a cap depends on it.
        """
        tokens = total_tokens(usage)
        if usage.read is None or usage.written is None:
            if self.is_capped and not self.largest_tokens:
                self._wait_for_a_count()
                return
            tokens, dollars = self.largest_tokens, self.largest_dollars
        elif dollars is None and self.dollars is not None:
            raise self.stop_for_good(
                "the price of a reply is unknown, so --dollars cannot be kept; give a table with "
                "--prices"
            )
        replies = 1 + self.uncounted if tokens else 1
        self.uncounted -= replies - 1
        self.spent_tokens += replies * tokens
        self.spent_dollars += replies * (dollars or 0.0)
        self.largest_tokens = max(self.largest_tokens, tokens)
        self.largest_dollars = max(self.largest_dollars, dollars or 0.0)
        self.cost_known = True
        if self.is_capped:
            self.open_matches.pay(match, self._share(tokens, dollars or 0.0))
        for callback in self.on_spend:
            callback()

    def _wait_for_a_count(self) -> None:
        """A reply has no count; until one has, calls are made one by one."""
        self.uncounted += 1
        if self.uncounted >= MOST_UNCOUNTED:
            cap = "--dollars" if self.tokens is None else "--tokens"
            raise self.stop_for_good(
                f"the server does not report how many tokens it used, so {cap} cannot be kept; "
                f"leave it out, or limit the run with --minutes"
            )

    def _share(self, tokens: float, dollars: float) -> float:
        """Return what part of the cap that is nearer this is."""
        return max(tokens / (self.tokens or inf), dollars / (self.dollars or inf))

    def _share_left(self) -> float:
        return 1.0 - self._share(self.spent_tokens, self.spent_dollars)

    def _check(self) -> None:
        """Assume that calls in flight and the next one cost as much as the largest so far."""
        if self.stopped:
            raise StopRun(self.stopped)
        if why := self._reached():
            raise self.stop_for_good(why)

    def _reached(self) -> str:
        """Return which cap the next call could exceed; "" if none."""
        calls = self.in_flight + 1
        tokens = self.spent_tokens + calls * self.largest_tokens
        if self.tokens is not None and tokens > self.tokens:
            return (
                f"the budget of {self.tokens:,} tokens is used up; continue with a higher --tokens"
            )
        dollars = self.spent_dollars + calls * self.largest_dollars
        if self.dollars is not None and dollars > self.dollars:
            return f"the budget of ${self.dollars:g} is used up; continue with higher --dollars"
        return ""

    async def pause(self, seconds: float) -> None:
        """Sleep; StopRun if the run is stopped meanwhile."""
        stopped = asyncio.Event()
        self.on_stop.append(stopped.set)
        try:
            async with asyncio.timeout(seconds):
                await stopped.wait()
        except TimeoutError:
            return
        finally:
            self.on_stop.remove(stopped.set)
        raise StopRun(self.stopped)
