"""Players and their messages: a turn is sent, a reply comes back."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from math import isfinite
from random import Random
from typing import Literal, NamedTuple, Protocol, TypeAlias, TypeGuard, get_args

from quandary.core.contract import Cause, Game, Move, Seat
from quandary.core.errors import Unreadable, choices
from quandary.core.luck import Luck

Status: TypeAlias = Literal[
    "answered", "illegal", "ambiguous", "unreadable", "malformed", "refused", "truncated",
    "empty", "timeout", "infrastructure",
]  # fmt: skip
# Statuses that a player may give.  Whether a move is illegal or ambiguous is for the rules to say,
# and a player that gets no reply raises Forfeit.
GIVEN = frozenset(get_args(Status)) - {"illegal", "ambiguous", "timeout", "infrastructure"}


class Turn(NamedTuple):
    """A turn as a player gets it: the view of its seat, and why its last reply was refused."""

    seat: Seat
    position: Game  # already `seen_by(seat)`
    options: Collection[Move] | None
    refused: Unreadable | None = None  # worded by `Game.refusal`
    number: int = 0  # a new one in every turn of a seat; it determines the turn's luck


class Reading(NamedTuple):
    """The result of reading a reply: a status, and the answer if there is one."""

    status: Status
    answer: str = ""  # if the status is "answered"


class Readings(NamedTuple):
    """A reply read strictly and leniently, so that the two can be compared."""

    strict: Reading  # only in the requested form
    lenient: Reading  # as a fair human referee would
    reader: int  # the version of the reader

    @property
    def only_lenient(self) -> bool:
        """Whether the answer is not in the requested form, but could be read."""
        return self.strict.status != "answered" == self.lenient.status

    def played(self, reading: str) -> Reading:
        """Return the reading that counts for a player that is read like this."""
        return self.strict if reading == "strict" else self.lenient


class Reply(NamedTuple):
    """A player's reply in a turn."""

    answer: str  # the part that names the move; `Game.read` reads it
    words: str = ""  # the whole reply, if it is longer than the answer
    status: Status = "answered"  # anything else: no move could be taken from the words
    seconds: float = 0.0
    tokens: int = 0
    readings: Readings | None = (
        None  # how the words were read, if an answer had to be found in them
    )


# The defaults of a reply: one with these very objects is nothing but an answer.
NO_WORDS, ANSWERED, NO_SECONDS, NO_TOKENS, NO_READINGS = Reply._field_defaults.values()
SHORT = 64  # characters of an answer whose reply is cached for the next player that gives it


@dataclass
class Forfeit(Exception):
    """Raised by a player that cannot go on, with the cause by which its match ends."""

    cause: Cause
    words: str = ""  # what the player had said by then
    seconds: float = 0.0
    tokens: int = 0
    readings: Readings | None = None


class TakeBack(BaseException):
    """Raised by a player that takes back its moves since a turn, if its driver allows that.

    It is not an `Exception`, because the player has not failed.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number  # the turn in which the match continues


class SeatedPlayer(Protocol):
    """One player at one seat of one match, which may take time to answer."""

    async def act(self, turn: Turn) -> Reply: ...

    async def leave(self) -> None: ...


class InstantSeatedPlayer(Protocol):
    """One player at one seat of one match, which answers immediately."""

    def answer(self, turn: Turn) -> Reply: ...


class ClosingSeatedPlayer(Protocol):
    """An instant player that holds something, such as a process, until its match is over."""

    def close(self) -> None: ...


class Player(Protocol):
    """A strategy, a model or a person; it can sit in many matches at once.

    `luck` names the luck of the seat.  The luck of a turn is named `luck`/`turn.number`, so a
    resumed match continues as it would have without the interruption.
    """

    @property
    def name(self) -> str: ...

    def take_seat(self, seat: Seat, luck: str) -> SeatedPlayer | InstantSeatedPlayer: ...


def seat_luck(match: str, seat: Seat, repeat: int = 0) -> str:
    """Return the name of a seat's luck: a hash, because secrets follow from the name of the
    instance.
    """
    return blake2b(f"{match}/seat{seat}/{repeat}".encode(), digest_size=16).hexdigest()


def is_instant(seated: SeatedPlayer | InstantSeatedPlayer) -> TypeGuard[InstantSeatedPlayer]:
    return hasattr(seated, "answer")


def holds_something(seated: object) -> TypeGuard[ClosingSeatedPlayer]:
    return hasattr(seated, "close")


def takes_time(seated: SeatedPlayer | InstantSeatedPlayer) -> TypeGuard[SeatedPlayer]:
    return hasattr(seated, "act")


class Scripted:
    """A player defined by a function from a turn and its luck to an answer."""

    def __init__(self, name: str, speak: Callable[[Turn, Random], str]) -> None:
        self.name, self.speak = name, speak

    def take_seat(self, seat: Seat, luck: str) -> SeatedScript:
        return SeatedScript(self.speak, luck)


@lru_cache(maxsize=1 << 10)  # strategies repeat the same few moves
def _plain(answer: str) -> Reply:
    """Return a reply that is nothing but an answer."""
    return Reply(answer)


class SeatedScript:
    def __init__(self, speak: Callable[[Turn, Random], str], luck: str) -> None:
        self.speak, self.luck = speak, Luck(luck)

    def answer(self, turn: Turn) -> Reply:
        text = self.speak(turn, self.luck.turn(turn.number))
        return _plain(text) if type(text) is str and len(text) <= SHORT else Reply(text)


def checked(reply: Reply) -> Reply:
    """Return the reply in a form that a record can store; TypeError if a player may not give it.

    Types are compared exactly, because True is equal to 1, and a record can store neither it nor
    numpy's texts and numbers.
    """
    if type(reply) is Reply:
        answer, words, status, seconds, tokens, readings = reply
        if (
            type(answer) is str
            and words is NO_WORDS
            and status is ANSWERED
            and seconds is NO_SECONDS
            and tokens is NO_TOKENS
            and readings is None
            and answer.isascii()
        ):
            return reply  # nearly every reply of a strategy
    if not isinstance(reply, Reply):
        raise TypeError(f"a player must answer with a Reply, not {described(reply)}")
    answer, words, status, seconds, tokens, readings = reply
    if not isinstance(answer, str) or not isinstance(words, str):
        raise TypeError(f"a player must answer with a Reply of words, not {described(reply)}")
    if type(status) is not str or status not in GIVEN:
        raise TypeError(
            f"a player cannot give its reply the status {described(status)}; choose "
            f"{choices(sorted(GIVEN))}"
        )
    if (
        (type(seconds) is not float or not isfinite(seconds) or seconds < 0.0)
        or type(tokens) is not int
        or tokens < 0
    ):
        raise TypeError(
            "a reply counts its seconds as a float and its tokens as a whole number, both from 0"
        )
    is_plain = type(answer) is type(words) is str and answer.isascii() and words.isascii()
    stored = checked_readings(readings)
    if is_plain and stored is readings:
        return reply
    return Reply(clean(answer), clean(words), status, seconds, tokens, stored)


def checked_readings(readings: Readings | None) -> Readings | None:
    """Return the readings in a form that a record can store; TypeError if they are none."""
    if readings is None:
        return None
    if type(readings) is not Readings or type(readings.reader) is not int:
        raise TypeError("the readings of a reply must be Readings, with the version of the reader")
    strict, lenient = _checked_reading(readings.strict), _checked_reading(readings.lenient)
    if strict is readings.strict and lenient is readings.lenient:
        return readings
    return Readings(strict, lenient, readings.reader)


def _checked_reading(reading: Reading) -> Reading:
    is_reading = isinstance(reading, Reading) and isinstance(reading.answer, str)
    if not is_reading or reading.status not in GIVEN:
        raise TypeError(f"{described(reading)} is not a reading of a reply")
    answer = clean(reading.answer)
    is_clean = type(reading) is Reading and answer is reading.answer
    return reading if is_clean else Reading(reading.status, answer)


def clean(text: str) -> str:
    """Return the text as a plain `str`, without lone surrogates, which cannot be encoded."""
    if type(text) is str and text.isascii():
        return text
    return text.encode("utf-8", "replace").decode("utf-8")


def described(thing: object) -> str:
    """Return a short text about a value, even if its `__str__` fails."""
    try:
        return str(thing)[:500]
    except Exception:
        return f"a {type(thing).__name__}"
