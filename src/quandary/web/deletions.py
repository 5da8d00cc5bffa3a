"""Deleting a person of a study, with all that the same browser has played on the site.

The wish is stored first, then the runs are rewritten, and the rows go last, because they tell what
is still to be rewritten.  So a full disk or a crash in between leaves a wish that can be finished.
"""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

from quandary.arena.headers import RecordKey
from quandary.core.contract import Seat
from quandary.core.errors import UserError
from quandary.players.people import DELETED, is_person, with_help

from .database import Database
from .keeping import Keeping
from .study import Person
from .tables import Tables

NOBODY = "deleted"  # in the seat of whoever was deleted; no key of a visitor
log = logging.getLogger(__name__)


class Wish(NamedTuple):
    """The wish of a person to be deleted."""

    number: int
    pseudonym: str
    visitor: str  # the key of their browsers


class _Own(NamedTuple):
    """A match of the person outside the study."""

    id: str
    seats: list[Seat]
    players: list[str]
    takers: list[str]
    used: list[dict[str, int]]
    spec: str
    repeat: int | None  # in its run, if it has a record
    is_over: bool

    @property
    def has_others(self) -> bool:
        """Whether another person has sat down in it."""
        return any(
            is_person(player) and self.takers[seat] not in ("", NOBODY)
            for seat, player in enumerate(self.players)
            if seat not in self.seats
        )

    @property
    def key(self) -> RecordKey | None:
        """Its record."""
        if self.repeat is None:
            return None
        names = map(with_help, self.players, self.used)
        return RecordKey(self.spec, tuple(names), self.repeat)


class Deletions:
    """The wishes of people to be deleted that are not finished yet."""

    def __init__(
        self, database: Database, tables: Tables, keeping: Keeping, done: Callable[[], None]
    ) -> None:
        """`done` is called when runs may have changed."""
        self.database, self.tables, self.keeping, self.done = database, tables, keeping, done
        self._counts = Counter[str]()  # of this process, by the key of the browsers

    def count(self, visitor: str) -> int:
        """Return how often a visitor has asked for it; whatever waited meanwhile keeps nothing."""
        return self._counts[visitor]

    def note(self, person: Person) -> Wish:
        """Store the wish; from now on the person takes part no more.  Unwritable if it is not."""
        wish = Wish(person.number, person.pseudonym, person.visitor)
        with self.database.together():
            self.database.write("insert into deletions values (?, ?, ?)", *wish)
            # Whoever agrees again with the same browser is another person.
            self.database.write(
                "update people set visitor = ? where number = ?",
                _deleted(person.number),
                person.number,
            )
        self._counts[person.visitor] += 1
        return wish

    def waiting(self) -> list[Wish]:
        rows = self.database.rows("select * from deletions order by number")
        return [Wish(*row) for row in rows]

    async def finish_all(self) -> None:
        """Finish what can be finished; the rest waits."""
        for wish in self.waiting():
            try:
                await self.finish(wish)
            except Exception as reason:  # the site goes on, and so do other wishes
                log.warning("person %d cannot be deleted yet: %s", wish.number, reason)

    async def finish(self, wish: Wish) -> None:
        """Delete everything that is kept of a person; an error if that is not possible now."""
        try:
            async with self.keeping.alone:
                await self._finish(wish)
        finally:
            self.done()

    async def _finish(self, wish: Wish) -> None:
        for (id,) in self.database.rows("select id from matches where study = ?", wish.pseudonym):
            self.tables.forget(id)
        for one in self._own(wish):
            if one.has_others and not one.is_over:
                await self._leave(one)
        own = self._own(wish)
        kept, written = self.keeping.kept, self.keeping.written
        await written(kept.forget_in_studies, f"human/{wish.pseudonym}")
        keys = {one.key: one.seats for one in own if one.key}
        renumbered = await written(kept.forget_matches, keys)
        with self.database.together():
            self.database.write("delete from matches where study = ?", wish.pseudonym)
            for one in own:
                self._remove(one, renumbered)
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

    def _own(self, wish: Wish) -> list[_Own]:
        rows = self.database.rows(
            "select id, players, takers, used, spec, kept_repeat, ended from matches "
            "where study = '' and instr(takers, ?)",
            json.dumps(wish.visitor),
        )
        return [_own_of(wish.visitor, *row) for row in rows] if wish.visitor else []

    async def _leave(self, one: _Own) -> None:
        """Give up a match under way, so that the other person need not wait."""
        try:
            table = await self.keeping.judging.table(one.id)
        except UserError:  # nobody can go on with it
            return
        if table is not None and not table.is_over:
            self.tables.resign(table, one.seats[0])

    def _remove(self, one: _Own, renumbered: dict[RecordKey, int]) -> None:
        """Delete a match, or the person in it if another one has played it."""
        self.tables.forget(one.id)
        if not one.has_others:
            self.database.write("delete from matches where id = ?", one.id)
            return
        players, takers, used = list(one.players), list(one.takers), list(one.used)
        for seat in one.seats:
            players[seat], takers[seat], used[seat] = DELETED, NOBODY, {}
        repeat = renumbered.get(one.key, one.repeat) if one.key else None
        self.database.write(
            "update matches set players = ?, takers = ?, used = ?, kept_repeat = ? where id = ?",
            *map(json.dumps, (players, takers, used)),
            repeat,
            one.id,
        )


def _own_of(
    visitor: str,
    id: str,
    players: str,
    takers: str,
    used: str,
    spec: str,
    repeat: int | None,
    ended: Any,
) -> _Own:
    there = json.loads(takers)
    seats = [seat for seat, taker in enumerate(there) if taker == visitor]
    return _Own(
        id, seats, json.loads(players), there, json.loads(used), spec, repeat, ended is not None
    )


def _deleted(number: int) -> str:
    return f"deleted-{number}"
