"""Answers to questions: judged by workers, because some take seconds.

An answer is stored before it is acknowledged, and judged after that; the page hears of the verdict
as of any change.  A match whose answers were judged before is read in the same way.
"""

from __future__ import annotations

import asyncio
import logging

from quandary.core.contract import Seat
from quandary.core.errors import UserError
from quandary.matches.player import Reply
from quandary.matches.saved import SavedMatch
from quandary.tasks.question_game import asked_question

from .database import Unwritable
from .tables import Replayed, Table, Tables, damaged, replayed
from .workers import Failed, Overloaded, TooSlow, Workers

SECONDS = 60.0  # that judging all answers of a match may take
SOON = 0.1  # seconds that a reply waits for its verdict, so that the page changes once
PAUSE = 1.0  # seconds before an answer is judged when too many tasks wait
log = logging.getLogger(__name__)


class Judging:
    """Plays matches of questions on, in workers."""

    def __init__(self, tables: Tables, workers: Workers) -> None:
        self.tables, self.workers = tables, workers
        self._tasks = set[asyncio.Task[None]]()

    async def table(self, id: str) -> Table | None:
        """Return a match, read if it is not in memory; UserError if it is damaged.

        TooSlow, Overloaded or Failed if its answers cannot be judged now.
        """
        if id not in self.tables.open and (stored := self.tables.saved(id)):
            saved, language = stored
            if saved.received and asked_question(saved.start) is not None:
                try:
                    again = await self._replayed(saved, language)
                except UserError as reason:
                    raise damaged(id, reason) from None
                return self.tables.get(id, again)
        return self.tables.get(id)

    async def receive(self, table: Table, seat: Seat, reply: Reply) -> None:
        """Store an answer, and have it judged; Unwritable or NotAsked if it is not stored."""
        saved = self.tables.store_answer(table, seat, reply)
        task = asyncio.get_running_loop().create_task(self._judge(table, saved))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        await asyncio.wait([task], timeout=SOON)

    async def take_back(self, table: Table, seat: Seat) -> None:
        """Take back the last answer; those before it are judged again."""
        saved = table.match.saved()
        before = saved.before(table.turns[seat][-1].number)
        table.is_judging = True  # nothing else changes meanwhile
        try:
            again = await self._replayed(before, table.settings.language)
        finally:
            table.is_judging = False
        self.tables.take_back(table, seat, again)

    async def _judge(self, table: Table, saved: SavedMatch) -> None:
        try:
            try:
                again = await self._patiently(saved, table.settings.language)
            except (TooSlow, Failed, UserError) as reason:
                log.warning("an answer in match %s cannot be judged: %s", table.id, reason)
                self.tables.not_judged(table)
            else:
                self.tables.judged(table, again)
        except Unwritable as reason:  # what is stored counts when the match is read again
            log.warning("match %s: %s", table.id, reason)

    async def _patiently(self, saved: SavedMatch, language: str) -> Replayed:
        while True:
            try:
                return await self._replayed(saved, language)
            except Overloaded:
                await asyncio.sleep(PAUSE)

    async def _replayed(self, saved: SavedMatch, language: str) -> Replayed:
        return await self.workers.run(replayed, saved, language, seconds=SECONDS)

    async def close(self) -> None:
        """Answers that are not judged yet are judged when their match is read again."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
