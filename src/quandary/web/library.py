"""The puzzles of the site: what is known of each, its pictures, and the puzzle of the day."""

from __future__ import annotations

import asyncio
import itertools
from collections import OrderedDict
from collections.abc import Collection, Mapping
from datetime import UTC, date, datetime
from hashlib import blake2b
from typing import Any

from quandary.catalogue import drawing, registry
from quandary.catalogue.spec import Spec
from quandary.core.contract import Puzzle
from quandary.core.errors import UserError, choices

from . import tasks
from .guard import Refused
from .workers import Failed, TooSlow, Workers

WIDTH = 300  # pixels of a picture
KEPT = 2_000  # pictures
PICTURED_SEED = 1


class Library:
    """Puzzles by name, described once by a worker."""

    def __init__(self, workers: Workers, studied: Collection[Spec] = ()) -> None:
        """`studied`: the instances of a study, which are not shown."""
        self.workers, self.studied = workers, studied
        self._rows: asyncio.Task[list[dict[str, Any]]] | None = None
        self._pictures: OrderedDict[str, asyncio.Task[str]] = OrderedDict()

    async def rows(self) -> list[dict[str, Any]]:
        """Return all puzzles that can be played."""
        if self._rows is None or (self._rows.done() and self._rows.exception()):
            self._rows = asyncio.create_task(self._described())
        return await asyncio.shield(self._rows)

    async def _described(self) -> list[dict[str, Any]]:
        rows = await self.workers.run(tasks.described, seconds=120.0)
        return [row for row in rows if "error" not in row]

    async def row(self, name: str) -> Mapping[str, Any]:
        """Return one puzzle; Refused if there is none."""
        rows = await self.rows()
        for row in rows:
            if row["name"] == name:
                return row
        names = [row["name"] for row in rows]
        near = _near(name, names)
        also = f" Did you mean {choices(near)}?" if near else ""
        raise Refused(404, f"There is no puzzle {name!r}.{also}")

    def shown(self, name: str, level: str) -> Spec:
        """Return the instance of a level that its page shows: none of the study."""
        seeds = itertools.count(PICTURED_SEED)
        found = (drawing.named(f"{name}/{level}#{seed}") for seed in seeds)
        return next(spec for spec in found if spec.base not in self.studied)

    async def picture(self, name: str, level: str, daily: str) -> str:
        """Return an instance of a level as SVG."""
        puzzle = load(name)
        level = level or usual_level(puzzle)
        if level not in puzzle.levels:
            raise Refused(
                404, f"{name} has no level {level!r}; it has {choices(list(puzzle.levels))}."
            )
        shown = self.shown(name, level)
        if daily:
            shown = drawing.named(f"{name}/{level}#{seed_of_day(daily)}")
        if shown.base in self.studied:
            raise Refused(403, f"{shown} is part of the study on this site.")
        spec = str(shown)
        if spec not in self._pictures:
            self._pictures[spec] = asyncio.create_task(
                self.workers.run(tasks.thumbnail, spec, WIDTH)
            )
            while len(self._pictures) > KEPT:
                self._pictures.popitem(last=False)
        try:
            return await asyncio.shield(self._pictures[spec])
        except (Failed, TooSlow, UserError):
            self._pictures.pop(spec, None)
            raise Refused(503, f"{name} cannot be drawn now.", retry_after=5) from None

    async def daily(self) -> tuple[Mapping[str, Any], Spec]:
        """Return the puzzle of today, the same for everyone."""
        today = self.today.isoformat()
        rows = [row for row in await self.rows() if _is_daily(row)]
        hashed = blake2b(f"day {today}".encode(), digest_size=8).digest()
        row = rows[int.from_bytes(hashed, "big") % len(rows)]
        level = usual_level(load(row["name"]))
        return row, Spec(row["name"], level, seed_of_day(today))

    @property
    def today(self) -> date:
        return datetime.now(UTC).date()


def _is_daily(row: Mapping[str, Any]) -> bool:
    """For one player, without secrets and with enough instances."""
    return (
        row["seats"] == 1
        and not row["hidden"]
        and not row["chance"]
        and not row["distinct_instances"]
    )


def seed_of_day(day: str) -> int:
    """Return the seed of a date, 20261119; Refused if it is none."""
    try:
        return int(date.fromisoformat(day).strftime("%Y%m%d"))
    except ValueError:
        raise Refused(404, f"{day!r} is not a date.") from None


def load(name: str) -> type[Puzzle]:
    try:
        return registry.load(name)
    except UserError as reason:
        raise Refused(404, str(reason)) from None


def usual_level(puzzle: type[Puzzle]) -> str:
    return puzzle.usual_level or next(iter(puzzle.levels))


def _near(name: str, names: list[str]) -> list[str]:
    from difflib import get_close_matches

    return get_close_matches(name, names, n=3, cutoff=0.5)
