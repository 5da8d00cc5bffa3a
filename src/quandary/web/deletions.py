"""Deleting a person of a study.

The wish is stored first, then the runs are rewritten, and the rows go last, because they tell what
is still to be rewritten.  So a full disk or a crash in between leaves a wish that can be finished.
"""

from __future__ import annotations

import logging
from typing import NamedTuple

from .database import Database
from .kept_runs import KeptRuns
from .study import Person
from .tables import Tables

log = logging.getLogger(__name__)


class Wish(NamedTuple):
    """The wish of a person to be deleted."""

    number: int
    pseudonym: str


class Deletions:
    """The wishes of people to be deleted that are not finished yet."""

    def __init__(self, database: Database, tables: Tables, kept: KeptRuns) -> None:
        self.database, self.tables, self.kept = database, tables, kept

    def note(self, person: Person) -> Wish:
        """Store the wish; from now on the person takes part no more.  Unwritable if it is not."""
        with self.database.together():
            self.database.write(
                "insert into deletions values (?, ?)", person.number, person.pseudonym
            )
            # Whoever agrees again with the same browser is another person.
            self.database.write(
                "update people set visitor = ? where number = ?",
                _deleted(person.number),
                person.number,
            )
        return Wish(person.number, person.pseudonym)

    def waiting(self) -> list[Wish]:
        rows = self.database.rows("select number, pseudonym from deletions order by number")
        return [Wish(number, pseudonym) for number, pseudonym in rows]

    def finish_all(self) -> None:
        """Finish what can be finished; the rest waits."""
        for wish in self.waiting():
            try:
                self.finish(wish)
            except Exception as reason:  # the site goes on, and so do other wishes
                log.warning("person %d cannot be deleted yet: %s", wish.number, reason)

    def finish(self, wish: Wish) -> None:
        """Delete everything that is kept of a person; an error if that is not possible now."""
        matches = self.database.rows("select id from matches where study = ?", wish.pseudonym)
        for (id,) in matches:
            self.tables.forget(id)
        self.kept.forget(f"human/{wish.pseudonym}")
        with self.database.together():
            self.database.write("delete from matches where study = ?", wish.pseudonym)
            # The number stays, so that no other person gets the same order.
            self.database.write(
                "update people set pseudonym = ?, visitor = ?, consent = '', answers = '{}', "
                "agreed = 0, stopped = 0 where number = ?",
                _deleted(wish.number),
                _deleted(wish.number),
                wish.number,
            )
        self.database.forget_deleted()
        self.database.write("delete from deletions where number = ?", wish.number)
        self.database.forget_deleted()


def _deleted(number: int) -> str:
    return f"deleted-{number}"
