"""Who can sit down at a game: a strategy, a language model, a program or a person."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from random import Random
from typing import Literal, NamedTuple, Protocol, TypeAlias

from .contract import Cause, Game, Move, Seat

Status: TypeAlias = Literal[
    "answered", "illegal", "unreadable", "malformed", "refused", "truncated", "empty", "timeout", "infrastructure"
]  # fmt: skip


class Turn(NamedTuple):
    """All a player is given: what its seat sees, and why its last words were refused."""

    seat: Seat
    position: Game  # already `seen_by(seat)`
    options: Collection[Move] | None
    refused: str = ""


class Reply(NamedTuple):
    """What a player says in a turn."""

    answer: str  # the part that is the move; `Game.read` reads it
    words: str = ""  # everything that was said, where that is more than the answer
    status: Status = "answered"  # anything else: no move could be taken from the words
    seconds: float = 0.0
    tokens: int = 0


@dataclass
class Forfeit(Exception):
    """Raised by a player that cannot go on, with the cause its match ends for."""

    cause: Cause
    words: str = ""  # what it had said by then
    seconds: float = 0.0
    tokens: int = 0


class Halt(BaseException):
    """Raised by a player when the whole run must stop: nothing is held against anybody, and the run can be continued."""


class Sitting(Protocol):
    """One player at one seat of one match; it may remember what it has seen there."""

    instant: bool  # answers without waiting for anything, so there is no need to ask others meanwhile

    async def act(self, turn: Turn) -> Reply: ...

    async def leave(self) -> None: ...


class Player(Protocol):
    """Someone who can take a seat, in many matches at once.  `rng` is that seat's own luck."""

    name: str

    def sit(self, seat: Seat, rng: Random) -> Sitting: ...


class Scripted:
    """A player that is a function from a turn and its seat's luck to words."""

    def __init__(self, name: str, speak: Callable[[Turn, Random], str]) -> None:
        self.name, self.speak = name, speak

    def sit(self, seat: Seat, rng: Random) -> ScriptedSitting:
        return ScriptedSitting(self.speak, rng)


class ScriptedSitting:
    instant = True

    def __init__(self, speak: Callable[[Turn, Random], str], rng: Random) -> None:
        self.speak, self.rng = speak, rng

    async def act(self, turn: Turn) -> Reply:
        return Reply(self.speak(turn, self.rng))

    async def leave(self) -> None:
        pass
