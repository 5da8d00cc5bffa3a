"""Finds by trying how many calls a server takes at once.

The limit is raised as long as the server then answers more calls per second: at first to twice as
many calls, then to eight times as many, so that a server without limits soon has as many as it may
have.  Servers that queue (llama.cpp, Ollama, LM Studio, vLLM) never refuse a call: with more calls
in flight than they have slots, each call takes longer and no more are answered.  There the limit
goes back to as many calls as the server works on at once, and is tried again later, after twice as
many rounds each time.

A refusal lowers the limit to the calls that the server took, and a timeout halves it.  Then it
rises again only after many answers, and after twice as many each time.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from time import monotonic

from .rounds import FirstRound, Round, Sent, Throughput

FIRST_STEP, STEP = 2, 8  # times the limit: where it begins to rise, and after that
WORTHWHILE = 0.5  # exponent of a step: times the calls per second that it must bring
SMALLEST_STEP = 1.25  # times the limit, that brings enough to be measured
# The calls of a step are sent in parts, ever larger: the first refusal comes before most are sent.
AT_ONCE, LARGER = 8, 9 / 8  # calls that are added in a part, or times the calls in flight
PART, SHORTEST_PART = 1 / 100, 0.008  # of a latency, and seconds, between two parts
SPREAD, SHORTEST_SPREAD = 0.2, 0.05  # of a latency, and seconds, to send a round after a refusal
MOST_ROUNDS = 8  # before a step that brought nothing is tried again
SAFE_SHARE = 0.8  # of the timeout that calls may take at a higher limit, should the server queue
MOST_DOUBTS = 4  # times that a limit is lowered though no call is taken: to a sixteenth
FIRST_PATIENCE, LONGEST_PATIENCE = 8, 800  # answers before a limit that was lowered may rise


class Concurrency:
    """The number of calls that may be in flight, between 1 and a maximum."""

    limit: int
    allowed: int  # fewer, while the calls of a step are sent
    round: Round

    def __init__(
        self,
        start: int,
        maximum: int,
        timeout: float = inf,  # seconds per call
        now: Callable[[], float] = monotonic,
    ) -> None:
        self.maximum, self.timeout, self.now = maximum, timeout, now
        self.lowered, self.lowest = 0, 1  # the last call before it was lowered; the bound then
        self.doubts = 0  # times it was lowered, until a call is answered that was sent after that
        self.ceiling, self.patience, self.answers_left = inf, FIRST_PATIENCE, 0
        self.start_at(start)

    def start_at(self, limit: int) -> None:
        """Begin with a limit that the server named, or that is known otherwise."""
        self.base: Throughput | None = None  # the last limit that brought something
        self.latency = inf  # the shortest since the limit began to rise
        self.taken = 0  # calls in flight that the server is known to take
        self.rounds = 1  # between two attempts to rise
        self._settle(min(limit, self.maximum))
        self.round = FirstRound(self.limit, self.now())

    @property
    def is_rising(self) -> bool:
        """Whether more calls may be in flight soon."""
        return self.allowed < self.limit

    @property
    def between_parts(self) -> float:
        """The seconds between two parts of a step."""
        return max(PART * self.latency, SHORTEST_PART)

    def rise_further(self) -> None:
        """Allow the next part of a step."""
        larger = max(self.allowed + AT_ONCE, int(LARGER * self.allowed))
        self.allowed = min(larger, self.limit)
        if not self.is_rising:
            self._begin_round()

    @property
    def is_in_doubt(self) -> bool:
        """Whether it is not known yet that the server takes as many calls."""
        return self.doubts > 0

    @property
    def interval(self) -> float:
        """The seconds between two calls, once a server has refused some: calls of a higher limit
        that come together may be refused for that alone, and the first refusal stops the others.
        """
        if not self.lowered:
            return 0.0
        latency = self.latency if self.base else 0.0
        return max(SPREAD * latency, SHORTEST_SPREAD) / self.limit

    def succeeded(self, sent: Sent, in_flight: int) -> None:
        """Count a reply; `in_flight` calls were in flight, this one included."""
        self.answers_left -= 1
        if sent.number > self.lowered:
            self.doubts = 0
        now, replies = self.now(), self.round
        are_few = 4 * in_flight < 3 * self.limit
        if self.base is None:
            size = in_flight if are_few else self.limit
            replies.size = max(size, replies.size if replies.number else 0)
        elif are_few or in_flight > max(replies.size, self.limit):
            self._begin_round(replies.rounds)  # there are fewer calls, or some of a higher limit
            return
        replies.count(sent, now)
        if replies.is_over(now):
            self._decide(replies.measured(now))
        elif self.base and replies.size > self.base.limit:
            self._slow_down_if_calls_wait(self.base.limit, now)

    def refused(self, sent: Sent, last: Sent, in_flight: int) -> bool:
        """Count a refusal for load; `last` was sent last, `in_flight` others are in flight.

        Return whether that may be because of their number; if not, the limit stays.

        Those that are left are as many as the server takes, once all that were sent by now are
        answered or refused; but together they no more than halve the limit.
        """
        if sent.number > self.lowered:
            if not in_flight:
                self.lift_ceiling()
            is_taken = self.limit <= self.taken and not self.is_in_doubt
            if not in_flight or is_taken or self.doubts >= MOST_DOUBTS:
                return False
            level = self.limit if self.is_in_doubt else min(self.limit, in_flight + 1)
            self._wait_for_answers(last, level // 2)
        self._lower(max(self.lowest, min(self.limit, in_flight)))
        return True

    def timed_out(self, sent: Sent, last: Sent) -> None:
        """A call got no reply in time: the limit is halved, once for all calls in flight."""
        if sent.number > self.lowered:
            self._wait_for_answers(last, self.limit // 2)
            self._lower(self.lowest)

    def lift_ceiling(self) -> None:
        """Let the limit rise again: calls are refused, however many are in flight."""
        self.ceiling, self.patience = inf, FIRST_PATIENCE

    def _wait_for_answers(self, last: Sent, lowest: int) -> None:
        """Wait for answers before a lowered limit may rise again; `lowest` is its lower bound."""
        self.lowered, self.lowest, self.doubts = last.number, lowest, self.doubts + 1
        self.answers_left = self.patience
        self.patience = min(2 * self.patience, LONGEST_PATIENCE)

    def _lower(self, limit: int) -> None:
        self._settle(limit)
        self.taken = self.ceiling = self.limit

    def _settle(self, limit: int, rounds: int = 1) -> None:
        """Stay at a limit for some rounds."""
        self.limit = self.allowed = max(1, limit)
        self.step = FIRST_STEP
        self._begin_round(rounds)

    def _begin_round(self, rounds: int = 1) -> None:
        self.round = Round(self.limit, self.now(), rounds)

    def _slow_down_if_calls_wait(self, limit: int, now: float) -> None:
        """Send no more calls while those of a step take too long for it."""
        longest = (self.round.size / limit) ** WORTHWHILE * self.latency
        if self.round.number < self.round.size and now - self.round.begun > longest:
            self.limit = self.allowed = limit

    def _decide(self, now: Throughput) -> None:
        """Go on from what a round has shown."""
        base = self.base or now
        step = now.limit / base.limit
        if step >= SMALLEST_STEP and now.per_second < step**WORTHWHILE * base.per_second:
            self._fall_back(base, now)
            return
        if step > 1:
            self.rounds, self.latency = 1, min(self.latency, now.latency)
        else:
            self.latency = now.latency
        self.base, self.taken = now, max(self.taken, now.limit)
        goal = self._goal(now)
        if goal > self.limit:
            self._rise(goal)
        else:
            self._begin_round(self.rounds)

    def _fall_back(self, base: Throughput, now: Throughput) -> None:
        """Fall back to the calls that the server works on at once: a step brought too little."""
        slots = round(now.per_second * self.latency)
        are_more = now.is_clear and slots >= SMALLEST_STEP * base.limit
        limit = min(slots, now.limit) if are_more else base.limit
        self.base = Throughput(limit, now.per_second)
        self.rounds = min(2 * self.rounds, MOST_ROUNDS)
        self._settle(limit, self.rounds)

    def _goal(self, now: Throughput) -> int:
        """Return the next limit; 0 if there is none."""
        if self.limit >= self.ceiling:
            if self.answers_left > 0:
                return 0
            self.ceiling = inf
            return min(self.limit + 1, self.maximum)
        safe = SAFE_SHARE * self.timeout * now.per_second
        most = min(self.maximum, self.ceiling)
        step = self.step if now.is_clear else FIRST_STEP
        goal = int(min(step * now.per_second * self.latency, safe, most))
        return goal if goal >= SMALLEST_STEP * self.limit or goal == most else 0

    def _rise(self, limit: int) -> None:
        is_step = limit >= SMALLEST_STEP * self.limit
        self.limit, self.step = limit, STEP if is_step else FIRST_STEP
        self.rise_further()
