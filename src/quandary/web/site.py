"""What the handlers of a site share."""

from __future__ import annotations

import asyncio
import itertools
import logging
import secrets
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

from aiohttp import web

from quandary.catalogue import drawing
from quandary.catalogue.spec import Spec
from quandary.core.contract import Game
from quandary.core.errors import UserError
from quandary.core.words import say_in
from quandary.players.people import is_person
from quandary.players.registry import PlayerRegistry

from . import tasks
from .database import Database, Unwritable
from .deletions import Deletions
from .events import Streams
from .guard import (
    ALL_MATCHES,
    FEW_MATCHES,
    LOOPBACK,
    MANY_MATCHES,
    MATCHES,
    Guard,
    Refused,
)
from .judging import Judging
from .keeping import Keeping
from .kept_runs import KeptRuns
from .library import Library
from .model_budget import ModelBudget
from .opponents import Opponents
from .replays import Runs
from .study import Person, Study, StudySettings
from .tables import Settings, Table, Tables, is_secret
from .views import shown_otherwise
from .workers import Failed, TooSlow, Workers

SEEDS = 10**18  # from which a new instance is drawn, so that nobody can try all
KEEPING = 1.0  # seconds between looks at finished matches
LOOKS_PER_DELETION = 60  # after which deletions that could not be finished are tried again
WHOLES = 200  # whole matches that are kept as they are shown, and as many judged ones
JUDGING = 15.0  # seconds that judging the moves of a match may take
DELETED_MEANWHILE = "Meanwhile everything that was kept of you here has been deleted."
HTTPS = "https://"  # before a name by which this machine is reached through a proxy with TLS
log = logging.getLogger(__name__)


@dataclass
class Options:
    """How a site is started."""

    data: Path
    runs: Sequence[Path] = ()
    hosts: Sequence[str] = LOOPBACK
    token: str = ""
    players: Sequence[str] = ()  # models and programs that may be asked
    processes: int = 2
    study: StudySettings | None = None
    registry: PlayerRegistry = field(default_factory=PlayerRegistry)


class Site:
    """One site: its matches, its puzzles and its runs."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.database = Database(options.data)
        name = self.database.value("site", secrets.token_hex(4))
        secret = self.database.value("secret", secrets.token_hex(16))
        named = [host.lower() for host in options.hosts]
        hosts = tuple(host.removeprefix(HTTPS) for host in named)
        secure = {host.removeprefix(HTTPS) for host in named if host.startswith(HTTPS)}
        self.guard = Guard(name, hosts, options.token, secret, secure)
        self.tables = Tables(self.database)
        self.workers = Workers(options.processes)
        self.study = Study(options.study, self.database) if options.study else None
        studied = self.study.instances if self.study else frozenset[Spec]()
        self.library = Library(self.workers, studied)
        self.runs = Runs(options.runs, options.data, self.workers, studied)
        self.streams = Streams()
        self.budget = ModelBudget(self.database, options.registry.clients)
        self.opponents = Opponents(
            self.tables, self.workers, options.registry, self.budget, options.players
        )
        self.judging = Judging(self.tables, self.workers)
        kept = KeptRuns(
            options.data,
            lambda message: log.warning("%s", message),
            options.study.suite if options.study else None,
        )
        self.keeping = Keeping(self.database, self.judging, options.registry, kept)
        self.deletions = Deletions(self.database, self.tables, self.keeping, self._rewritten)
        self.tables.changed.append(self.streams.tell)
        self._costs: OrderedDict[str, list[Any]] = OrderedDict()
        self._wholes: OrderedDict[str, tuple[Any, dict[str, Any]]] = OrderedDict()
        self._keeper: asyncio.Task[None] | None = None
        self._beginning: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def beginning(self, after: str) -> asyncio.Lock:
        """Held while the next match of a person of the study, or the one after a match, begins."""
        return self._beginning.setdefault(after, asyncio.Lock())

    async def start(self) -> None:
        self.workers.start()
        await self.deletions.finish_all()
        self._keeper = asyncio.create_task(self._keep_finished())

    async def close(self) -> None:
        async with AsyncExitStack() as closing:  # all of it, whatever fails; the last one first
            closing.callback(self.database.close)
            closing.callback(self.workers.close)
            closing.push_async_callback(self.keeping.close)
            closing.push_async_callback(self.judging.close)
            closing.push_async_callback(self.opponents.close)
            if self._keeper:
                self._keeper.cancel()
                await asyncio.gather(self._keeper, return_exceptions=True)

    # Matches.

    async def begin(
        self,
        spec: Spec,
        players: Sequence[str],
        settings: Settings,
        takers: Sequence[str],
        *,
        is_chosen: bool = False,
    ) -> Table:
        """Return a new match; Refused if a visitor or the site has too many.

        `is_chosen`: a person has named the instance, and could compute what is hidden in it.
        """
        visitor = next(filter(None, takers), "")
        self._check_matches(visitor)
        deleted = self.deletions.count(visitor)
        start = await self.instance(spec, settings)
        if len(players) != start.seats:
            raise Refused(400, f"{spec.name} has {start.seats} seats.")
        for player in players:
            self.opponents.check(player, start, spec)
        if is_chosen and is_secret(start) and sum(map(is_person, players)) > 1:
            raise Refused(
                400,
                f"{spec.name} hides something, which its seed would reveal; leave the seed out to "
                "play against another person.",
            )
        # Meanwhile others have begun matches, and a person may have deleted everything.
        if self.deletions.count(visitor) != deleted:
            raise Refused(410, DELETED_MEANWHILE)
        self._check_person(settings)
        self._check_matches(visitor)
        return self.tables.create(spec, start, players, settings, takers)

    def _check_matches(self, visitor: str) -> None:
        """Refused for a visitor who may not have another match under way."""
        all, own = self.tables.unfinished(), self.tables.unfinished_of(visitor) if visitor else 0
        if all >= ALL_MATCHES:
            raise Refused(429, "There are too many matches here now.", retry_after=60)
        if own >= (MATCHES if all < MANY_MATCHES else FEW_MATCHES):
            raise Refused(429, "You have too many unfinished matches; end some.", retry_after=60)

    async def instance(self, spec: Spec, settings: Settings) -> Game:
        """Return the start of a match."""
        try:
            return await self.workers.run(tasks.instance, spec, settings.tries, settings.language)
        except TooSlow:
            raise Refused(503, f"{spec.place} takes too long to make now.", 5) from None
        except Failed as reason:
            raise Refused(503, f"No instance can be made now: {reason}.", 5) from None

    def check_not_studied(self, spec: Spec) -> None:
        """Refused for an instance of the study: its solution could be asked for."""
        if self.study and spec.base in self.study.instances:  # or a task that asks about one
            raise Refused(403, f"{spec} is part of the study on this site; play another one.")

    def check_taking_part(self, table: Table) -> None:
        """Refused if the person of a match of the study has stopped."""
        self._check_person(table.settings)

    def _check_person(self, settings: Settings) -> None:
        if why := self.why_not_kept(settings):
            raise Refused(409, why)

    def why_not_kept(self, settings: Settings) -> str:
        """Return why nothing may be kept of a match of the study now; "" if it may, as outside a
        study.
        """
        if self.study is None or not settings.is_study:
            return ""
        say = say_in(__name__, settings.language)
        person = self.study.person_named(settings.study)
        if person is None or person.has_stopped:
            return say("You have stopped taking part; you can continue on the page of the study.")
        if not self.study.has_agreed(person):
            return say("The terms of the study have changed; its page asks whether you agree.")
        return ""

    def named(self, text: str) -> Spec:
        """Return an instance by its name; Refused if it is none."""
        try:
            return drawing.named(text)
        except UserError as reason:
            raise Refused(404, str(reason)) from None

    def new_seed(self) -> int:
        return secrets.randbelow(SEEDS)

    async def table(self, id: str) -> Table:
        """Return a match by its name on the site; Refused if there is none."""
        try:
            found = await self.judging.table(id)
        except UserError as reason:
            raise Refused(500, str(reason)) from None
        if found is None:
            raise Refused(404, "There is no such match here; the link may be incomplete.")
        return found

    async def whole(self, table: Table) -> dict[str, Any]:
        """Return a match as the report shows it; made once for all who look at it."""
        version, wholes = (table.version(None), len(table.match.said)), self._wholes
        known = wholes.pop(table.id, None)
        if known is None or known[0] != version:
            named = shown_otherwise(table)
            made = await self.workers.run(tasks.whole, table.record(), table.settings.language)
            known = version, made | named
        wholes[table.id] = known
        while len(wholes) > WHOLES:
            wholes.popitem(last=False)
        return known[1]

    async def costs(self, table: Table) -> list[Any]:
        """Return what each move of a match that is over cost; judged once for all who look at it.

        TooSlow, Failed or Overloaded if that cannot be said now.
        """
        if table.id not in self._costs:
            found = await self.workers.run(tasks.costs, table.record(), seconds=JUDGING)
            self._costs[table.id] = list(found)
            while len(self._costs) > WHOLES:
                self._costs.popitem(last=False)
        self._costs.move_to_end(table.id)
        return self._costs[table.id]

    async def forget(self, person: Person) -> None:
        """Delete everything that is kept of a person of the study; Refused if it must wait."""
        try:
            wish = self.deletions.note(person)
        except Unwritable as reason:
            log.warning("person %d cannot be deleted: %s", person.number, reason)
            raise Refused(
                507, "Your request cannot be stored now, so nothing is deleted yet; try again.", 10
            ) from None
        try:
            await self.deletions.finish(wish)
        except Exception as reason:  # whatever it is, the person must learn of it
            log.warning("person %d cannot be deleted yet: %s", person.number, reason)
            raise Refused(
                507,
                "Not everything can be deleted now. Your request is stored and will be completed; "
                "you need not do anything more.",
            ) from None

    def _rewritten(self) -> None:
        """Forget what was read of runs and matches: somebody was deleted."""
        self.runs.clear()
        self._wholes = OrderedDict()  # what is being made goes into the old one

    # Finished matches become records of runs.

    async def _keep_finished(self) -> None:
        for look in itertools.count(1):
            try:
                await self.keeping.keep()
            except Exception as reason:  # whatever it is, the site goes on
                log.warning("finished matches cannot be kept now: %s", reason)
            await asyncio.sleep(KEEPING)
            if look % LOOKS_PER_DELETION == 0:
                await self.deletions.finish_all()


SITE = web.AppKey("site", Site)
