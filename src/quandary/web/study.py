"""A study: people who agreed play the instances of a suite as models do.

A person has a pseudonym, from which the order of the instances follows.  Nothing is kept before a
person has agreed, and all of it can be deleted.
"""

from __future__ import annotations

import json
import secrets
import time
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, NamedTuple

from quandary.arena.suite import Suite
from quandary.catalogue.drawing import puzzle_and_level
from quandary.catalogue.spec import Spec
from quandary.core.errors import UserError

from .database import Database
from .tables import Settings

QUESTIONS = {  # which need not be answered
    "age": ("Your age", ("under 18", "18 to 29", "30 to 44", "45 to 59", "60 or more")),
    "education": (
        "Your education",
        ("school", "vocational training", "bachelor's degree", "master's degree", "doctorate"),
    ),
    "languages": ("Languages that you speak well", ()),
}
LONGEST = 200  # characters of an answer to these


@dataclass(frozen=True)
class StudySettings:
    """What the operator of a study sets."""

    suite: Suite
    sessions: int
    contact: str
    kept_for: str


class Person(NamedTuple):
    """Somebody who takes part."""

    number: int
    pseudonym: str
    visitor: str
    answers: dict[str, str]
    has_stopped: bool
    consent: tuple[str, ...]  # the text that the person agreed to, paragraph by paragraph
    version: str  # of the terms that the person agreed to

    @property
    def player(self) -> str:
        return f"human/{self.pseudonym}"


class Item(NamedTuple):
    """The next instance of a person."""

    spec: Spec
    session: int  # from 0
    place: int  # in the session, from 0


class Study:
    """The people of a study, and what each of them plays next."""

    def __init__(self, settings: StudySettings, database: Database) -> None:
        self.settings, self.database = settings, database
        cells = dict[tuple[str, str], list[Spec]]()
        for spec in settings.suite.specs:
            cells.setdefault(puzzle_and_level(spec), []).append(spec)
        self.cells = list(cells.values())
        self.instances = frozenset(spec.base for spec in settings.suite.specs)
        if not self.cells:
            raise UserError(f"the suite {settings.suite.name} has nothing to play.")

    @property
    def length(self) -> int:
        """How many instances a session has."""
        return len(self.cells)

    def consent(self) -> list[str]:
        """Return what a person agrees to, paragraph by paragraph."""
        settings = self.settings
        count = settings.sessions
        sessions = f", in {count} sessions of {self.length} each" if count > 1 else ""
        asked = (
            f"You are asked to solve {self.total:,} puzzles{sessions}, as well as you can and "
            f"without help. There are no hints, and nothing can be taken back. You may give up a "
            f"puzzle."
        )
        kept = (
            "What is kept: your answers, when you gave them and how long each took, under a "
            "pseudonym that we draw; the time at which you agreed; and what you answer to three "
            "questions about yourself, if you do. Neither your name nor your address is kept."
        )
        published = (
            f"How long it is kept: {settings.kept_for}. Scores are published, and answers may be, "
            f"under the pseudonym alone."
        )
        leaving = (
            "You can stop at any time, and you can delete everything that is kept about you, on "
            "the page of this study. What has been published by then cannot be called back."
        )
        contact = f"If you have questions, ask: {settings.contact}."
        return [asked, kept, published, leaving, contact]

    def consent_version(self) -> str:
        """Changes with the text and with what is played."""
        suite = self.settings.suite
        rules = (suite.name, suite.language, suite.tries, suite.attempts, suite.count_unreadable)
        terms = [*self.consent(), repr(rules), *map(str, suite.specs)]
        return blake2b("\n".join(terms).encode(), digest_size=6).hexdigest()

    def has_agreed(self, person: Person) -> bool:
        """Return whether a person has agreed to the terms as they are now."""
        return person.version == self.consent_version()

    # People.

    def person(self, visitor: str) -> Person | None:
        """Return who takes part with this browser."""
        rows = self.database.rows(
            "select number, pseudonym, visitor, answers, stopped, consent from people "
            "where visitor = ? and number not in (select number from deletions)",
            visitor,
        )
        if not rows:
            return None
        number, pseudonym, own, answers, stopped, consent = rows[0]
        agreed = json.loads(consent)
        return Person(
            number,
            pseudonym,
            own,
            json.loads(answers),
            stopped is not None,
            tuple(agreed["text"]),
            agreed["version"],
        )

    def person_named(self, pseudonym: str) -> Person | None:
        rows = self.database.rows("select visitor from people where pseudonym = ?", pseudonym)
        return self.person(str(rows[0][0])) if rows else None

    def agree(self, visitor: str) -> Person:
        """Somebody agrees, and takes part from now on."""
        version, text = self.consent_version(), self.consent()
        consent = json.dumps({"version": version, "text": text})
        if known := self.person(visitor):
            if not self.has_agreed(known):
                self._change(known, consent=consent, agreed=time.time())
            return known._replace(consent=tuple(text), version=version)
        with self.database.together():
            [(last,)] = self.database.rows("select coalesce(max(number), 0) from people")
            pseudonym = f"p{last + 1:04}-{secrets.token_hex(3)}"
            self.database.write(
                "insert into people values (?, ?, ?, ?, ?, '{}', null)",
                last + 1,
                pseudonym,
                visitor,
                consent,
                time.time(),
            )
        return Person(last + 1, pseudonym, visitor, {}, False, tuple(text), version)

    def answer(self, person: Person, answers: dict[str, str]) -> None:
        """Keep what a person tells of themself."""
        kept = {
            name: answers[name][:LONGEST]
            for name, (_, choices) in QUESTIONS.items()
            if answers.get(name) and (not choices or answers[name] in choices)
        }
        self._change(person, answers=json.dumps(kept))

    def stop(self, person: Person, *, again: bool = False) -> None:
        self._change(person, stopped=None if again else time.time())

    def _change(self, person: Person, **values: Any) -> None:
        """Keep something of a person, unless they are deleted: then the key is another one."""
        changes = ", ".join(f"{column} = ?" for column in values)
        self.database.write(
            f"update people set {changes} where number = ? and visitor = ?",
            *values.values(),
            person.number,
            person.visitor,
        )

    # What they play.

    def order(self, number: int) -> list[int]:
        """Return the order of the puzzles and levels for a person.

        The rows of a balanced Latin square: among as many people as there are puzzles and levels,
        each stands in each place once, and each follows each other one once (if their number is
        even).
        """
        count = self.length
        row = number % count
        first = [(at + 1) // 2 if at % 2 else (count - at // 2) % count for at in range(count)]
        return [(each + row) % count for each in first]

    @property
    def total(self) -> int:
        """How many instances a person plays: one of each puzzle and level per session."""
        return self.length * self.settings.sessions

    def item(self, person: Person, number: int) -> Item:
        """Return the instance of a person with a number, from 0."""
        session, place = divmod(number, self.length)
        specs = self.cells[self.order(person.number + session)[place]]
        turn = (person.number - 1) * self.settings.sessions + session
        return Item(specs[turn % len(specs)], session, place)

    def played(self, person: Person) -> list[tuple[str, bool]]:
        """Return the matches of a person in the order in which they began, and whether they are
        over; not those of another suite that was played here before.
        """
        rows = self.database.rows(
            "select id, ended, spec from matches where study = ? order by begun", person.pseudonym
        )
        return [
            (id, ended is not None)
            for id, ended, spec in rows
            if Spec.parse(spec).base in self.instances
        ]

    def next(self, person: Person) -> str | Item | None:
        """Return the match under way, the next instance, or nothing if all are played."""
        played = self.played(person)
        for id, is_over in played:
            if not is_over:
                return id
        return self.item(person, len(played)) if len(played) < self.total else None

    def match_settings(self, person: Person) -> Settings:
        suite = self.settings.suite
        return Settings(
            suite.language,
            suite.tries,
            person.pseudonym,
            attempts=suite.attempts,
            count_unreadable=suite.count_unreadable,
        )
