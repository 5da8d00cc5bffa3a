"""The clues of logic grids in words, from titles and things alone.

Names stand in quotation marks, so that they need not fit into a sentence.  A number is named with
the title of its column (hour 9), and so is any thing that another column has too.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TypeAlias

from quandary.core.words import Say, say_in

from .solver.clues import (
    AllDifferent,
    Apart,
    Clue,
    Earlier,
    EarlierBy,
    EitherOr,
    NeitherNor,
    OneOther,
    Thing,
    Together,
    Value,
    named,
)
from .themes import in_language

PUZZLE = "quandary.puzzles.solo.logic_grid"  # whose translation has the words of this module
CHINESE_BLANK = re.compile("(?<=”) | (?=“)|(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])")
Titles: TypeAlias = tuple[str, ...]
Columns: TypeAlias = tuple[tuple[Value, ...], ...]


@lru_cache(maxsize=1 << 8)
def column_lines(titles: Titles, things: Columns, language: str) -> tuple[str, ...]:
    """Return the columns with their things, one per line."""
    wording, say = _Wording(titles, things, language), say_in(PUZZLE, language)
    return tuple(
        say(
            "- {title}: {things}",
            title=wording.shown(title),
            things=say.list(map(wording.shown, column)),
        )
        for title, column in zip(titles, things, strict=True)
    )


@lru_cache(maxsize=1 << 8)
def clue_lines(
    titles: Titles, things: Columns, clues: tuple[Clue, ...], language: str
) -> tuple[str, ...]:
    """Return the numbered clues, one per line."""
    wording = _Wording(titles, things, language)
    sentences = (CHINESE_BLANK.sub("", wording.clue(clue)) for clue in clues)
    if language == "en":
        sentences = (clue[0].upper() + clue[1:] for clue in sentences)
    return tuple(f"{number}. {clue}" for number, clue in enumerate(sentences, 1))


class _Wording:
    """How the clues of one puzzle are said in a language."""

    def __init__(self, titles: Titles, things: Columns, language: str) -> None:
        self.titles, self.things, self.language = titles, things, language
        self.say: Say = say_in(PUZZLE, language)
        self.has_numbers = not any(isinstance(value, str) for value in things[0])

    def shown(self, value: Value) -> str:
        """Return a title or a thing in the language."""
        return str(in_language(value, self.language))

    def thing(self, thing: Thing) -> str:
        """Return a thing, so that it cannot be taken for another one."""
        value, say = self.things[thing.column][thing.index], self.say
        name, is_word = self.shown(value), isinstance(value, str)
        quoted = say('"{name}"', name=name) if is_word else name
        if is_word and sum(value in column for column in self.things) == 1:
            return quoted
        return say("{title} {value}", title=self.shown(self.titles[thing.column]), value=quoted)

    def clue(self, clue: Clue) -> str:
        """Return a clue as a sentence; things of one column need not be told apart."""
        say, things = self.say, named(clue)
        a, b, *others = map(self.thing, things)
        match clue:
            case Together():
                return say("{a} and {b} are in the same row.", a=a, b=b)
            case Apart():
                return say("{a} and {b} are in different rows.", a=a, b=b)
            case Earlier() | EarlierBy():
                return self._ordered(clue, a, b)
            case EitherOr():
                return self._either_or(clue.b.column == clue.c.column, a=a, b=b, c=others[0])
            case NeitherNor():
                return self._neither_nor(clue.a.column == clue.b.column, a=a, b=b, c=others[0])
            case OneOther():
                is_plain = clue.a.column == clue.b.column or clue.c.column == clue.d.column
                return self._one_other(is_plain, a=a, b=b, c=others[0], d=others[1])
            case AllDifferent():
                return say(
                    "{things} and {last} are all in different rows.",
                    things=say.list([a, b, *others[:-1]]),
                    last=others[-1],
                )

    def _either_or(self, is_plain: bool, *, a: str, b: str, c: str) -> str:
        say = self.say
        if is_plain:
            return say("{a} is in the same row as either {b} or {c}.", a=a, b=b, c=c)
        return say(
            "{a} is in the same row as either {b} or {c}, and {b} and {c} are in different rows.",
            a=a,
            b=b,
            c=c,
        )

    def _neither_nor(self, is_plain: bool, *, a: str, b: str, c: str) -> str:
        say = self.say
        if is_plain:
            return say("Neither {a} nor {b} is in the same row as {c}.", a=a, b=b, c=c)
        return say(
            "Neither {a} nor {b} is in the same row as {c}, and {a} and {b} are in different rows.",
            a=a,
            b=b,
            c=c,
        )

    def _one_other(self, is_plain: bool, *, a: str, b: str, c: str, d: str) -> str:
        say = self.say
        if is_plain:
            return say(
                "One of {a} and {b} is in the same row as {c}, and the other in the same row as "
                "{d}.",
                a=a,
                b=b,
                c=c,
                d=d,
            )
        return say(
            "{a} and {b} are in different rows: one of them is in the same row as {c}, and the "
            "other in the same row as {d}.",
            a=a,
            b=b,
            c=c,
            d=d,
        )

    def _ordered(self, clue: Earlier | EarlierBy, a: str, b: str) -> str:
        say, title = self.say, self.shown(self.titles[0])
        if isinstance(clue, Earlier):
            if self.has_numbers:
                return say(
                    'The value under "{title}" in the row of {a} is less than in the row of {b}.',
                    a=a,
                    b=b,
                    title=title,
                )
            return say("{a} is in some row above that of {b}.", a=a, b=b)
        if self.has_numbers:
            return say(
                'The value under "{title}" in the row of {a} is exactly {amount} less than in the '
                "row of {b}.",
                a=a,
                b=b,
                title=title,
                amount=f"{clue.amount:g}",
            )
        if clue.amount == 1:
            return say("{a} is in the row directly above that of {b}.", a=a, b=b)
        return say("{a} is exactly {amount} rows above {b}.", a=a, b=b, amount=clue.amount)
