"""The beginning of a run: how many calls a server takes at once is found out in a few latencies.

Calls are sent in rounds.  As long as replies take no longer than at first, the next round has many
times as many calls in flight.  Once they do take longer, calls wait for each other, and those that
did not are as many as the server works on at once.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, log, sqrt
from statistics import fmean, variance
from typing import NamedTuple

FACTOR = 8  # from the calls in flight in a round to those in the next one
TELLING_SHARE = 0.75  # of the calls of a round, whose replies tell how long they take
LONGER = 1.25  # times a latency: calls that take longer wait for each other
ERRORS = 2.0  # standard errors by which two means differ that are not equal by chance
# The calls of a round are sent over this share of a latency, or these seconds, ever faster: so a
# server that refuses calls has refused the first of them before most are sent.
SPREAD, SHORTEST_SPREAD = 0.4, 0.05


class Round(NamedTuple):
    """The replies of a round that tell how long calls take: the first ones to come."""

    limit: float  # calls in flight
    latencies: list[float]  # seconds
    seconds: float  # from the first call to the last of these replies

    @property
    def latency(self) -> float:
        return fmean(self.latencies)

    @property
    def squared_error(self) -> float:
        """Of the mean latency."""
        number = len(self.latencies)
        return variance(self.latencies) / number if number > 1 else 0.0

    @property
    def per_second(self) -> float:
        """Calls answered."""
        return len(self.latencies) / max(1e-6, self.seconds)


class Ramp:
    """The round that is under way, and the last one in which no call waited for another."""

    def __init__(self, limit: float, now: Callable[[], float]) -> None:
        self.now = now
        self.flat: Round | None = None
        self._begin(limit)

    def _begin(self, limit: float) -> None:
        self.limit, self.begun = limit, self.now()
        self.first_sent, self.most_in_flight = self.begun, 0
        self.latencies: list[float] = []

    def heard(self, sent: float, in_flight: int) -> Round | None:
        """A reply to a call that was sent at that time; the round, once its replies tell."""
        if sent < self.begun:  # in an earlier round
            return None
        self.first_sent = min(self.first_sent, sent) if self.latencies else sent
        self.most_in_flight = max(self.most_in_flight, in_flight)
        self.latencies.append(self.now() - sent)
        telling = ceil(TELLING_SHARE * int(self.limit))
        if len(self.latencies) < telling:
            return None
        if self.most_in_flight < telling:  # there were not enough calls to be sent
            self._begin(self.limit)
            return None
        return Round(self.limit, self.latencies, self.now() - self.first_sent)

    def slots(self, over: Round) -> float | None:
        """How many calls the server works on at once, if calls of a round waited for each other."""
        flat = self.flat
        if flat is None:
            return None
        error = sqrt(flat.squared_error + over.squared_error)
        if over.latency <= max(LONGER * flat.latency, flat.latency + ERRORS * error):
            return None
        alone = flat.latency + ERRORS * sqrt(flat.squared_error)  # seconds of a call, at most
        unhindered = sum(seconds <= LONGER * alone for seconds in over.latencies)
        return min(over.limit, max(flat.limit, unhindered, over.per_second * alone))

    def rise(self, over: Round, limit: float) -> None:
        """Begin the next round, after one in which no call waited for another."""
        self.flat = over
        self._begin(limit)

    def interval(self, in_flight: int) -> float:
        """The seconds until the next call may be sent, if so many are in flight."""
        if self.flat is None or in_flight <= self.flat.limit:
            return 0.0
        latency = self.flat.latency
        spread = max(SPREAD * latency, min(SHORTEST_SPREAD, latency))
        return spread / log(FACTOR) / in_flight
