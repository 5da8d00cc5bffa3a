"""A match under way in a form that can be stored: its start, and all replies since."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple, get_args

from quandary.core.contract import Cause, FailureCause, Game, Seat

from .player import Reply, described

# An illegal move is judged by the rules, not claimed by a player.
FAILURE_CAUSES = frozenset(get_args(FailureCause)) - {"illegal"}


class ReceivedReply(NamedTuple):
    """A reply, or a failure with its `cause`."""

    seat: Seat
    reply: Reply
    cause: Cause | None = None


@dataclass(frozen=True)
class SavedMatch:
    """A match under way, to be resumed elsewhere.

    It contains secrets, so it must never reach a player.
    """

    name: str
    start: Game
    attempts: int
    received: tuple[ReceivedReply, ...]
    count_unreadable: bool = False

    def before(self, number: int) -> SavedMatch:
        """Return the match before the reply with this number, from 0."""
        return replace(self, received=self.received[:number])

    def check_types(self) -> None:
        """Raise TypeError if a part is not what it should be; replies are left to the match."""
        for part, kind in (
            (self.start, Game),
            (self.name, str),
            (self.attempts, int),
            (self.count_unreadable, bool),
        ):
            if not isinstance(part, kind):
                raise TypeError(f"{described(part)!r} is not a {kind.__name__}")
        for received in self.received:
            if received.cause is not None and received.cause not in FAILURE_CAUSES:
                raise TypeError(f"{described(received.cause)!r} is not a cause of a failure")
