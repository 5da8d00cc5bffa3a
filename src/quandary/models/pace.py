"""How fast calls are sent to a server that refuses those beyond a number per second or minute.

Fewer calls in flight do not help there: each would be sent as soon as another is answered.  Such a
server refuses calls in a row; others refuse one now and then, however many are in flight, and are
not waited for.  Refusals come sooner than answers, so calls are compared in the order in which they
were sent: those between two that were refused count as taken.
"""

from __future__ import annotations

from .rounds import Sent

RECENT = 1 / 16  # weight of the last call in the share of refused ones
TWO = 0.1  # the share that two refused calls leave for a while
IN_A_ROW = 1 / 10  # weight of the last refusal in the share of those that follow another
# Of a server that refuses by time: the share of refusals that follow another, or of refused calls.
MANY_IN_A_ROW, MANY = 0.5, 0.48
SLOWER = 1.15  # times the seconds in which a call was taken, after a refusal
FASTER = 0.99  # times the seconds between calls, after an answer
SHORTEST, LONGEST = 1e-3, 4.0  # seconds between calls; if shorter, they are not held back
SHORTEST_PAUSE, LONGEST_PAUSE = 0.05, 8.0  # seconds until the next call, after refusals in a row
HELPS = 10  # calls that are taken before the next refusal, if slower calls help
MOST_IN_VAIN = 5  # refusals in a row that came sooner


class Pace:
    """The seconds between two calls; 0.0 until a server refuses many in a row."""

    def __init__(self) -> None:
        self.spacing = self.pause = 0.0  # seconds: while calls are taken, and until one is
        self.share = 0.0  # of the last calls: refused, but not for the number in flight
        self.in_a_row = 0.0  # of the last refusals: those that follow another
        self.refused_last = 0  # number of a call
        self.slowed = Sent(0.0, 0)  # the last call before it was slowed down
        self.begun, self.taken = 0.0, 0  # calls that were taken before that, and since when
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
        if not self.slowed.at:
            self.slowed = Sent(sent.at, 0)
        if sent.number > self.slowed.number:
            self.pause, self.spacing = 0.0, FASTER * self.spacing
            if self.spacing < SHORTEST:
                self.spacing = 0.0

    def count_refusal(self, sent: Sent) -> None:
        """A call was refused, for whatever reason."""
        follows = sent.number == self.refused_last + 1
        self.in_a_row += IN_A_ROW * (follows - self.in_a_row)
        self.share *= (1 - RECENT) ** max(0, sent.number - self.refused_last - 1)
        self.refused_last = max(self.refused_last, sent.number)

    def refused(self, sent: Sent, last: Sent) -> None:
        """A call was refused, but not for the number of calls in flight; `last` was sent last."""
        self.share += RECENT * (1 - self.share)
        is_many = self.in_a_row >= MANY_IN_A_ROW or self.share >= MANY
        is_too_fast = self.spacing > 0 or is_many
        if is_too_fast and sent.number > self.slowed.number and self.in_vain <= MOST_IN_VAIN:
            self._slow_down(sent)
            self.slowed = last

    def _slow_down(self, sent: Sent) -> None:
        """To the pace at which calls were taken, pauses included."""
        taken = sent.number - self.slowed.number - 1
        if taken:
            self.in_vain = self.in_vain + 1 if self.spacing and taken < HELPS else 0
            self.begun, self.taken, self.pause = self.slowed.at, taken, 0.0
        else:
            longer = 2 * max(self.pause, self.spacing, SHORTEST_PAUSE)
            self.pause = min(longer, LONGEST_PAUSE)
        self.spacing = min(SLOWER * (sent.at - self.begun) / max(1, self.taken), LONGEST)
        if self.in_vain > MOST_IN_VAIN:
            self.spacing = self.pause = 0.0
