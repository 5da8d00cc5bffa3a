"""Finished matches become records of runs.

Files are written in a thread, so that the site answers meanwhile; the database is not.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, TypeVar

from quandary.players.registry import PlayerRegistry

from .database import Database, Unwritable
from .judging import Judging
from .kept_runs import Finished, KeptRuns
from .workers import Failed, Overloaded, TooSlow

AT_ONCE = 500  # matches that are kept together
KEPT, UNKEPT = 1, 2  # whether a finished match has a record
Result = TypeVar("Result")
log = logging.getLogger(__name__)


class Keeping:
    """Appends the records of finished matches to their runs, and removes them again."""

    def __init__(
        self, database: Database, judging: Judging, registry: PlayerRegistry, kept: KeptRuns
    ) -> None:
        self.database, self.judging, self.registry, self.kept = database, judging, registry, kept
        self.alone = asyncio.Lock()  # held while records are added or removed
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="files")

    async def written(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """Return what something returns that reads or writes files of runs; `alone` is held."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *arguments)

    async def keep(self) -> None:
        """Append what is not kept yet; a match that cannot be kept is named once and affects no
        other.
        """
        async with self.alone:
            await self._keep()

    async def _keep(self) -> None:
        rows = self.database.rows(
            "select id, kept_repeat from matches where ended is not null and recorded = 0 "
            "and study not in (select pseudonym from deletions) order by ended limit ?",
            AT_ONCE,
        )
        found = list[Finished]()
        for id, repeat in rows:
            try:
                if one := await self._finished(str(id), repeat):
                    found.append(one)
            except Unwritable:
                raise  # it is tried again
            except (TooSlow, Overloaded, Failed) as reason:
                log.warning("match %s cannot be kept now: %s", id, reason)
            except Exception as reason:
                log.warning("the record of match %s cannot be kept: %s", id, reason)
                self.database.write("update matches set recorded = ? where id = ?", UNKEPT, id)
        await self.written(self.kept.keep, found)
        with self.database.together():
            for one in found:
                self.database.write("update matches set recorded = ? where id = ?", KEPT, one.id)

    async def _finished(self, id: str, repeat: int | None) -> Finished | None:
        """Return a finished match with its record.

        Which of several matches of these players on this instance it is, is stored before it is
        kept, so that a crash in between does not make two records of it.
        """
        table = await self.judging.table(id)
        if table is None or not table.is_over:
            return None
        if table.empty_seats:  # nobody came, so nobody has won
            self.database.write("update matches set recorded = ? where id = ?", UNKEPT, id)
            return None
        settings = table.settings
        record = self.registry.with_level(table.record())
        if repeat is not None:
            return Finished(id, replace(record, repeat=repeat), table.spec, settings)
        record = await self.written(self.kept.free_repeat, record, table.spec, settings)
        self.database.write("update matches set kept_repeat = ? where id = ?", record.repeat, id)
        return Finished(id, record, table.spec, settings)

    async def close(self) -> None:
        """Keep what can be kept, and close the runs."""
        try:
            await self.keep()
        except Exception as reason:  # they are kept after the next start
            log.warning("finished matches cannot be kept now: %s", reason)
        await self.written(self.kept.close)
        self._thread.shutdown()
