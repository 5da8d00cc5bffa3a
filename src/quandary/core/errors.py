"""Every error that is raised on purpose.

    ValueError
    ├── Unreadable     a reply that is not a move; the player is asked again
    │   ├── Ambiguous  a reply that names several different moves
    │   └── NoAnswer   a reply that holds no answer at all
    └── Illegal        a move that can be read but is not allowed; it may cost the match
    UserError          a wrong name, level, seed, player, file or option: one sentence, no traceback
    ├── UnknownName    a name that stands for nothing
    │   └── UnknownLanguage  a language that a puzzle does not speak
    ├── Malformed      text or data that is not what it should be
    └── OtherVersion   a position of a version of its puzzle that is not read here
    BaseException
    └── StopRun        the whole run must stop: budget used up, disk full, key refused

Programming errors raise the usual Python exceptions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any

MOST_NAMED = 16  # names that a sentence lists


class Unreadable(ValueError):
    """A reply that is not a move.

    `phrase` and its values say what is wrong, in English; they are translated when they are shown.
    Without a phrase, the player is told how to write a move.
    """

    def __init__(self, phrase: str = "", /, **values: Any) -> None:
        super().__init__(phrase)
        self.phrase, self.values = phrase, values

    def __str__(self) -> str:
        from .words import ENGLISH  # slow to import, and most commands never need it

        return ENGLISH.stored(self.phrase, self.values)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and (self.phrase, self.values) == (
            other.phrase,
            other.values,
        )

    __hash__ = ValueError.__hash__

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self.phrase, self.values)


def _restored(kind: type[Unreadable], phrase: str, values: dict[str, Any]) -> Unreadable:
    return kind(phrase, **values)


class NoAnswer(Unreadable):
    """A reply from which no answer could be taken."""


class Ambiguous(Unreadable):
    """A reply that names several different moves; none of them is played."""


class Illegal(ValueError):
    """A move that can be read but is not allowed here."""


class UserError(Exception):
    """A wrong name, level, seed, player, file or option; the message says what to do."""


class UnknownName(UserError):
    """A name that stands for nothing: see `unknown`."""


class UnknownLanguage(UnknownName):
    """A language that a puzzle does not speak: see `unknown_language`."""

    language = ""


class Malformed(UserError):
    """Text or data that is not what it should be: a record, a position, JSON."""


class OtherVersion(UserError):
    """A position of a version of its puzzle that this quandary does not read."""

    def __init__(self, puzzle: str, version: int, first: int, last: int) -> None:
        """Take in `first` and `last` the versions that are read."""
        read = f"version {last}" if first == last else f"versions {first} to {last}"
        super().__init__(
            f"this {puzzle} is of version {version}, and this quandary reads {read} of it; use a "
            f"quandary that has version {version} of {puzzle}."
        )
        self.puzzle, self.version = puzzle, version


class StopRun(BaseException):
    """The whole run must stop; it decides no match, and the same command continues the run.

    It is not an `Exception`, so code that turns a player's errors into a lost match lets it pass.
    """


def unknown(kind: str, name: object, known: Iterable[str], of: str = "") -> UnknownName:
    """Return the error for an unknown name of some `kind`, with the nearest known name or all of
    them.
    """
    names = list(known)
    near = get_close_matches(str(name), names, n=1, cutoff=0.5)
    advice = f"did you mean {near[0]!r}?" if near else f"choose {choices(names)}."
    return UnknownName(f"unknown {kind} {name!r}{f' of {of}' if of else ''}; {advice}")


def unknown_language(language: object, known: Iterable[str], of: str = "") -> UnknownLanguage:
    """Return the error for an unknown language; codes are too short to guess another."""
    names, code = list(known), str(language)
    is_near = code.casefold() in names
    advice = f"did you mean {code.casefold()!r}?" if is_near else f"choose {choices(names)}."
    error = UnknownLanguage(f"unknown language {code!r}{f' of {of}' if of else ''}; {advice}")
    error.language = code
    return error


def unknown_seat(of: str, seat: object, seats: int) -> UserError:
    """Return the error for a seat that a game does not have."""
    known = "one seat, 0" if seats == 1 else f"seats 0 to {seats - 1}"
    return UserError(f"{of} has {known}; there is no seat {seat!r}.")


def choices(names: Sequence[str]) -> str:
    """Return names to choose from, as a part of a sentence: "easy, normal or hard"."""
    if len(names) > MOST_NAMED:
        more = len(names) - MOST_NAMED
        return f"{', '.join(names[:MOST_NAMED])} or one of {more} others"
    return " or ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)
