"""The interface of journals: calls are written down before they are sent, and found again by
digest.
"""

from __future__ import annotations

from typing import Protocol

from .calls import Call, CallResult
from .provider import Completion


class Journal(Protocol):
    """A journal: writes calls down, and finds them again."""

    def find(self, call: Call) -> CallResult | None:
        """Return the result of an equal call, if one was recorded."""

    def sent(self, call: Call) -> None:
        """Record that a call is about to be sent."""

    def got(self, call: Call, completion: Completion, seconds: float) -> None:
        """Record a reply before it is used."""

    def failed(self, call: Call, why: str, *, rejected: bool) -> None:
        """Record that a call failed, or was rejected."""

    def has_reply(self, model: str) -> bool:
        """Return whether a call to a model has succeeded in this run."""

    def has_rejection(self, model: str) -> bool:
        """Return whether a call to a model was rejected in this run."""


class NoJournal:
    """Records nothing, for a single match."""

    def find(self, call: Call) -> CallResult | None:
        return None

    def sent(self, call: Call) -> None: ...

    def got(self, call: Call, completion: Completion, seconds: float) -> None: ...

    def failed(self, call: Call, why: str, *, rejected: bool) -> None: ...

    def has_reply(self, model: str) -> bool:
        return False

    def has_rejection(self, model: str) -> bool:
        return False
