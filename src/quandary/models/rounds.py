"""The throughput of a limit of calls in flight, measured in rounds: as many replies as calls are in
flight.

If no call waits for another, a round takes as long as one call.  All replies since the limit was
set count, whenever their calls were sent: so quick replies, which come first, prove nothing.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

# The lag of our own event loop must not count for much: a round that counts lasts LEAST_SECONDS
# or has MANY_REPLIES; one that is clear lasts CLEAR_SECONDS.
LEAST_SECONDS, MANY_REPLIES, CLEAR_SECONDS = 0.1, 100, 0.2
LARGEST_ERROR, SMALL_ERROR = 0.2, 0.07  # standard errors, as shares of the mean latency
FIRST_SHARE = 0.75  # of the calls of the first round, that tell how long calls take


class Sent(NamedTuple):
    """A call that was sent."""

    at: float  # seconds
    number: int  # in the order of all calls to a server


class Throughput(NamedTuple):
    """The throughput of a limit."""

    limit: int  # calls in flight
    per_second: float  # calls answered
    is_clear: bool = True  # whether that is more than luck or lag

    @property
    def latency(self) -> float:
        """The seconds that a call takes, by Little's law."""
        return self.limit / self.per_second


class Round:
    """The replies since a limit was set, until they tell what it brings."""

    def __init__(self, size: int, begun: float, rounds: int = 1) -> None:
        self.size, self.begun, self.rounds = size, begun, rounds
        self.number, self.seconds, self.squares = 0, 0.0, 0.0  # of replies and their latencies

    def count(self, sent: Sent, now: float) -> None:
        """A call got its reply."""
        if not self.number:
            self.begun = max(self.begun, sent.at)  # before, no call was made
        self.number += 1
        self.seconds += now - sent.at
        self.squares += (now - sent.at) ** 2

    def is_over(self, now: float) -> bool:
        """Return whether there are as many replies as tell: where latencies differ, few do not."""
        is_long = now - self.begun >= LEAST_SECONDS or self.number >= MANY_REPLIES
        return self._is_whole() and is_long and self._error() <= LARGEST_ERROR

    def measured(self, now: float) -> Throughput:
        return self._measured(self.number, now)

    def _is_whole(self) -> bool:
        """Calls that were sent together are answered together."""
        return self.number >= self.rounds * self.size and self.number % self.size == 0

    def _error(self) -> float:
        mean = self.seconds / self.number
        variance = max(0.0, self.squares / self.number - mean**2)
        return sqrt(variance / self.number) / max(1e-6, mean)

    def _measured(self, calls: int, now: float) -> Throughput:
        seconds = max(1e-6, now - self.begun)
        is_clear = seconds >= CLEAR_SECONDS and self._error() <= SMALL_ERROR
        return Throughput(self.size, calls / seconds, is_clear)


class FirstRound(Round):
    """The first replies of all.  The last of its calls may have been held back until one came, so
    that most of the replies tell.
    """

    def measured(self, now: float) -> Throughput:
        return self._measured(max(self.number, self.size), now)

    def _is_whole(self) -> bool:
        return FIRST_SHARE * self.size <= self.number <= self.size or super()._is_whole()
