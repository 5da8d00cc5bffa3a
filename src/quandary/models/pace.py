"""The pace of calls to a server that refuses those beyond a number per second or minute.

Fewer calls in flight do not help there: each would be sent as soon as another is answered.  Such a
server refuses calls in a row, in the order in which they were sent; others refuse one now and then,
however many are in flight, and are not waited for.

After four refusals in a row, or if half of the calls are refused, calls are sent somewhat slower
than the server took them since the last refusal, and then gradually faster.  If slower calls are
refused just as soon, they are sent at full speed again, and it takes twice as many refusals in a
row, or half as many answers among them, until slower calls are tried again.
"""

from __future__ import annotations

from collections import deque

from .rounds import Sent

RECENT = 1 / 16  # weight of the last call in the share of refused ones
TWO = 0.1  # the share that two refused calls leave for a while
# What tells of a limit by time, at first: calls that are refused in a row, or their share.
IN_A_ROW, MANY = 4, 0.5
REMEMBERED = 64  # refused calls
SLOWER = 1.1  # times the seconds in which a call was taken, after a refusal
FASTER, LEAST_FASTER = 0.013, 0.001  # share of the seconds between calls, less after an answer
SHORTEST, LONGEST = 1e-3, 15.0  # seconds between calls; if shorter, they are not held back
# Seconds until the next call, after refusals in a row, and times the last pause.
SHORTEST_PAUSE, LONGEST_PAUSE, LONGER = 0.1, 8.0, 3
HELPS = 10  # calls that are taken before the next refusal, if slower calls help
IN_VAIN = 3  # refusals that came sooner
MOST_SLOWER = 4  # times the seconds in which a call was taken before: few calls tell little
NEVER = Sent(0.0, -1)


class Pace:
    """The seconds between two calls; 0.0 unless a server refuses calls in a row."""

    def __init__(self) -> None:
        self.share = 0.0  # of the last calls: refused, but not for the number in flight
        self.refused_calls = deque[int](maxlen=REMEMBERED)  # numbers of the last ones
        self.refused_last = 0  # number of a call
        self.in_a_row, self.many = IN_A_ROW, MANY  # what tells of a limit by time
        self.slowed = NEVER  # when it was slowed down, and the last call before that
        self.begun, self.taken = 0.0, 0  # calls that were taken before that, and since when
        self._send_at_full_speed()

    def _send_at_full_speed(self) -> None:
        self.spacing = self.pause = 0.0  # seconds: while calls are taken, and until one is
        self.measured = 0.0  # seconds in which a call was taken, before the last refusal
        self.faster = FASTER
        self.in_vain = 0  # refusals although calls were sent slower

    @property
    def interval(self) -> float:
        """The seconds between two calls."""
        return max(self.spacing, self.pause)

    @property
    def expects_refusals(self) -> bool:
        """Whether some calls are refused, however many are in flight."""
        return self.spacing > 0 or self.share >= TWO

    def answered(self, sent: Sent) -> None:
        """A call got its reply."""
        self._begin(sent)
        if sent.number > self.slowed.number:
            self.pause, self.spacing = 0.0, (1 - self.faster) * self.spacing
            if self.spacing < SHORTEST:
                self.spacing = 0.0

    def count_refusal(self, sent: Sent) -> None:
        """A call was refused, for whatever reason."""
        self._begin(sent)
        self.share *= (1 - RECENT) ** max(0, sent.number - self.refused_last - 1)
        self.refused_last = max(self.refused_last, sent.number)
        self.refused_calls.append(sent.number)

    def is_by_time(self, sent: Sent) -> bool:
        """Return whether a refused call shows a limit on calls per time, not on calls in flight.

        It does if calls are spaced already, or if many calls around it or of late were refused.
        """
        first = last = sent.number
        while first - 1 in self.refused_calls and last - first + 1 < self.in_a_row:
            first -= 1
        while last + 1 in self.refused_calls and last - first + 1 < self.in_a_row:
            last += 1
        return self.spacing > 0 or last - first + 1 >= self.in_a_row or self.share >= self.many

    def refused(self, sent: Sent, last: Sent, retry_after: float = 0.0) -> None:
        """A call was refused, but not for the number of calls in flight; `last` was sent last."""
        self.share += RECENT * (1 - self.share)
        if sent.number > self.slowed.number and self.is_by_time(sent):
            self._slow_down(sent, sent.number - self.slowed.number - 1, retry_after)
            self.slowed = Sent(sent.at, last.number)

    def _begin(self, sent: Sent) -> None:
        if self.slowed is NEVER:
            self.slowed, self.begun = Sent(sent.at, 0), sent.at

    def _slow_down(self, sent: Sent, taken: int, retry_after: float) -> None:
        """Slow down to the pace at which calls were taken, pauses included."""
        if taken:
            self._count(taken)
            if self.in_vain >= IN_VAIN:
                self._send_at_full_speed()
                self.in_a_row, self.many = 2 * self.in_a_row, (1 + self.many) / 2
                return
            self.pause = SHORTEST_PAUSE
        else:
            self.pause = min(LONGER * max(self.interval, SHORTEST_PAUSE), LONGEST_PAUSE)
        if self.taken:
            self._measure(sent.at - self.begun, max(self.pause, retry_after))
        self.spacing = max(SHORTEST, min(SLOWER * self.measured, LONGEST))

    def _measure(self, seconds: float, wait: float) -> None:
        """The seconds in which a call was taken, since the last burst."""
        if self.measured:
            self.measured = min(seconds / self.taken, MOST_SLOWER * self.measured)
        else:  # the first calls came in a burst: the wait belongs to them
            self.measured = (seconds + wait) / self.taken

    def _count(self, taken: int) -> None:
        """Count calls that were taken since the last slowdown.

        A few more do not change what was measured before, unless that was a burst.
        """
        is_few, was_burst = taken < HELPS, self.faster == FASTER
        if self.spacing:
            if not was_burst:
                self.in_vain += is_few
            self.faster = max(LEAST_FASTER, self.faster / 2)
        if is_few and not was_burst:
            self.taken += taken
        else:
            self.begun, self.taken = self.slowed.at, taken
