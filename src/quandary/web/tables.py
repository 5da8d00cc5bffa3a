"""Matches under way, each kept with every reply as soon as it is received."""

from __future__ import annotations

import json
import secrets
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import msgspec

from quandary.catalogue.spec import Spec
from quandary.core.contract import ChanceMoves, Game, Seat
from quandary.core.errors import UserError
from quandary.core.secrecy import hidden_fields
from quandary.core.wrapper import innermost
from quandary.matches.codec import saved_from_json, saved_json
from quandary.matches.match import ATTEMPTS, Match, NotAsked
from quandary.matches.player import Forfeit, Reply, Turn, checked
from quandary.matches.record import Record
from quandary.matches.saved import ReceivedReply, SavedMatch
from quandary.players.people import PERSON, is_person, person, with_help
from quandary.tasks.question_game import asked_question

from .database import Database, Unwritable
from .seat_steps import SeatSteps

MOST_OPEN = 2_000  # matches that are held in memory
IDLE = 600.0  # seconds after which a match may be claimed
DAY = 24 * 3600.0


class Settings(NamedTuple):
    """How a match is played."""

    language: str = "en"
    tries: int = 3  # answers to a question
    study: str = ""  # the pseudonym of the person whose study it belongs to
    repeat: int = 0  # how often the same people played the same instance before
    attempts: int = ATTEMPTS
    count_unreadable: bool = False

    @property
    def is_study(self) -> bool:
        return bool(self.study)


@dataclass(eq=False)
class Table:
    """A match with those who sit at it."""

    id: str
    spec: Spec
    players: tuple[str, ...]
    takers: list[str]  # the visitor in each seat; "" where nobody sits, or no person
    settings: Settings
    match: Match
    used: list[Counter[str]]  # what helped the person in each seat
    turns: list[list[Turn]]  # in which each seat was received
    shown: dict[tuple[Seat, int], float] = field(default_factory=dict)
    # The turn of each seat whose reply is awaited, and since when.
    awaited: dict[Seat, tuple[int, float]] = field(default_factory=dict)
    epoch: int = 0  # how often moves were taken back
    sittings: dict[Seat, Any] = field(default_factory=dict)  # of models and programs
    failed: set[Seat] = field(default_factory=set)  # that gave up or failed
    rematch: str = ""  # the match that was begun after this one
    is_judging: bool = False  # the last answer is stored, but not yet part of the match
    unjudged: bool = False  # the last answer could not be judged
    _steps: dict[Seat, SeatSteps] = field(default_factory=dict)

    @property
    def is_secret(self) -> bool:
        """Whether the instance must not be named before the end."""
        return is_secret(self.match.start)

    @property
    def is_over(self) -> bool:
        return self.match.ending is not None

    @property
    def name(self) -> str:
        """The instance as it may be shown now."""
        if self.is_secret and not self.is_over:
            return self.spec.place
        return str(self.spec)

    @property
    def people(self) -> list[Seat]:
        return [seat for seat, player in enumerate(self.players) if is_person(player)]

    @property
    def empty_seats(self) -> list[Seat]:
        """The seats of people at which nobody sits."""
        return [seat for seat in self.people if not self.takers[seat]]

    @property
    def open_seats(self) -> list[Seat]:
        """The seats that a person may take."""
        return [] if self.is_over else self.empty_seats

    @property
    def is_question(self) -> bool:
        """Whether an answer is asked for, which may take long to judge."""
        return asked_question(self.match.start) is not None

    def turn(self, seat: Seat) -> Turn | None:
        """Return the turn in which a reply of a seat is awaited."""
        return None if self.is_judging else self.match.turns.get(seat)

    def steps(self, seat: Seat) -> SeatSteps:
        """Return the match as a seat has seen it so far."""
        if seat not in self._steps:
            self._steps[seat] = SeatSteps(self.match.start, seat, self.settings.language)
        self._steps[seat].update(self.match, self.turns[seat])
        return self._steps[seat]

    def goes_on(self, replayed: Replayed) -> None:
        """Become a match that was played again elsewhere."""
        self.match, self.turns = replayed.match, replayed.turns
        self._steps = dict(enumerate(replayed.steps))

    def seat_of(self, visitor: str) -> Seat | None:
        """Return where a visitor sits, or the first of several seats."""
        return self.takers.index(visitor) if visitor and visitor in self.takers else None

    def version(self, seat: Seat | None) -> str:
        """Changes exactly when what a seat may see changes; for None, what a spectator may see.

        It must not tell whether another seat has replied in a round that is open.
        """
        own = 0 if seat is None else len(self.turns[seat])
        judged = "j" if self.is_judging else "u" if self.unjudged else ""  # of one seat only
        ended = int(self.is_over) + bool(self.rematch)
        return f"{self.epoch}.{len(self.match.log)}.{own}{judged}.{ended}.{len(self.open_seats)}"

    def record(self) -> Record:
        """Return the record, with the names of people as they are in a run."""
        names = [
            with_help(player, used) for player, used in zip(self.players, self.used, strict=True)
        ]
        return self.match.record(names, self.settings.repeat)

    def may_take_back(self, seat: Seat) -> bool:
        """Not what another person or a model has seen."""
        others = [player for at, player in enumerate(self.players) if at != seat]
        seen = any(is_person(other) or "/" in other for other in others)
        is_possible = bool(self.turns[seat]) and not (self.is_over or self.is_judging)
        return is_possible and not self.settings.is_study and not seen

    def may_claim(self, seat: Seat, now: float) -> bool:
        """Return whether others, who are people and have sat down, keep this one waiting for too
        long.
        """
        left = self.until_claim(seat, now)
        return left is not None and left < 0

    def until_claim(self, seat: Seat, now: float) -> float | None:
        """Return the seconds until this one may claim the match, if others do not reply."""
        others = self.match.turns
        if not others or seat in others or not all(self.takers[other] for other in others):
            return None
        return max(self.awaited.get(other, (0, now))[1] + IDLE - now for other in others)

    def note_awaited(self, now: float) -> None:
        """Note since when each reply is awaited."""
        before = self.awaited
        self.awaited = {
            seat: before[seat]
            if seat in before and before[seat][0] == turn.number
            else (turn.number, now)
            for seat, turn in self.match.turns.items()
        }


def damaged(id: str, reason: Exception) -> UserError:
    """That a match cannot be read."""
    return UserError(
        f"the match {id} cannot be continued, because what is stored of it is damaged "
        f"({type(reason).__name__}: {reason})."
    )


def is_secret(start: Game) -> bool:
    """Return whether the name of an instance determines something that is hidden or drawn."""
    hidden = any(mark != "nested" for _, mark in hidden_fields(type(innermost(start))))
    return hidden or isinstance(start, ChanceMoves)


class Replayed(NamedTuple):
    """A match that was played again from what was stored of it."""

    match: Match
    turns: list[list[Turn]]  # in which each seat was received
    steps: list[SeatSteps]


def replayed(saved: SavedMatch, language: str) -> Replayed:
    """Play a match again; UserError if that is not possible."""
    match = Match.resumed(saved, resigning_ends=True)
    turns, steps = [], []
    for seat in range(match.start.seats):
        turns.append(match.turns_of(seat))
        steps.append(SeatSteps(match.start, seat, language))
        steps[seat].update(match, turns[seat])
    return Replayed(match, turns, steps)


class Tables:
    """All matches of a site."""

    def __init__(self, database: Database, now: Callable[[], float] = time.time) -> None:
        self.database, self.now = database, now
        self.open = dict[str, Table]()  # those in memory, last used last
        self.changed = list[Callable[[Table], None]]()  # told of every change

    def create(
        self,
        spec: Spec,
        start: Game,
        players: Sequence[str],
        settings: Settings,
        takers: Sequence[str],
    ) -> Table:
        """Return a new match; `takers` are the visitors who sit down at once."""
        settings = settings._replace(repeat=self._repeat(spec, players))
        match = Match(
            start,
            str(spec),
            settings.attempts,
            settings.count_unreadable,
            resigning_ends=True,
        )
        seats = range(start.seats)
        table = Table(
            secrets.token_urlsafe(16),
            spec,
            tuple(players),
            list(takers),
            settings,
            match,
            [Counter() for _ in seats],
            [[] for _ in seats],
        )
        now = self.now()
        self.database.write(
            "insert into matches values (?, ?, ?, ?, ?, ?, ?, ?, null, 0, ?, null, '')",
            table.id,
            str(spec),
            json.dumps(players),
            json.dumps(takers),
            json.dumps(settings._asdict()),
            saved_json(match.saved()),
            json.dumps(table.used),
            now,
            settings.study,
        )
        self._note_awaited(table)
        self._hold(table)
        self._tell(table)
        return table

    def _note_awaited(self, table: Table) -> None:
        """Store since when people keep others waiting, who may claim the match later."""
        before = table.awaited
        table.note_awaited(self.now())
        if len(table.people) < 2:
            return
        for seat, (number, since) in table.awaited.items():
            if before.get(seat) != (number, since):
                self.database.write(
                    "insert or replace into awaited values (?, ?, ?, ?)",
                    table.id,
                    seat,
                    number,
                    since,
                )

    def _repeat(self, spec: Spec, players: Sequence[str]) -> int:
        [(count,)] = self.database.rows(
            "select count(*) from matches where spec = ? and players = ?",
            str(spec),
            json.dumps(players),
        )
        return int(count)

    def get(self, id: str, again: Replayed | None = None) -> Table | None:
        """Return a match; UserError if what is stored of it is damaged.  `again`: as it was
        replayed.
        """
        if id in self.open:
            self._hold(self.open[id])
            return self.open[id]
        rows = self.database.rows("select * from matches where id = ?", id)
        if not rows:
            return None
        table = self._loaded(rows[0], again)
        self._hold(table)
        self._tell(table)
        return table

    def saved(self, id: str) -> tuple[SavedMatch, str] | None:
        """Return what is stored of a match, and its language; UserError if that is damaged."""
        rows = self.database.rows("select start, settings from matches where id = ?", id)
        if not rows:
            return None
        start, settings = rows[0]
        try:
            return self._saved(id, start), Settings(**json.loads(settings)).language
        except Exception as reason:
            raise damaged(id, reason) from None

    def _saved(self, id: str, start: str) -> SavedMatch:
        received = [
            msgspec.json.decode(text, type=ReceivedReply)
            for (text,) in self.database.rows(
                "select heard from heard where match = ? order by number", id
            )
        ]
        return replace(saved_from_json(start), received=tuple(received))

    def _loaded(self, row: tuple[Any, ...], again: Replayed | None) -> Table:
        id, spec, players, takers, settings, start, used, _, ended, *_, rematch = row
        try:
            saved = self._saved(id, start)
            match = again.match if again else Match.resumed(saved, resigning_ends=True)
            shown = self.database.rows("select seat, number, at from shown where match = ?", id)
            awaited = self.database.rows(
                "select seat, number, since from awaited where match = ?", id
            )
            table = Table(
                id,
                Spec.parse(spec),
                tuple(json.loads(players)),
                list(json.loads(takers)),
                Settings(**json.loads(settings)),
                match,
                [Counter(each) for each in json.loads(used)],
                again.turns if again else [match.turns_of(at) for at in range(match.start.seats)],
                {(seat, number): at for seat, number, at in shown},
                awaited={seat: (number, since) for seat, number, since in awaited},
                failed={each.seat for each in saved.received if each.cause},
                rematch=rematch,
            )
            if not len(table.players) == len(table.takers) == len(table.used) == match.start.seats:
                raise UserError("its seats do not fit.")
            if again:
                table.goes_on(again)
        except Exception as reason:  # whatever is damaged in it affects no other
            raise damaged(id, reason) from None
        if table.is_over and ended is None:  # the server ended before its last answer was judged
            self._note_end(table)
        self._note_awaited(table)
        return table

    def is_current(self, table: Table) -> bool:
        """Return whether a match is neither deleted nor read again since it was looked up."""
        return self.open.get(table.id) is table

    def forget(self, id: str) -> None:
        """Drop a match from memory."""
        self.open.pop(id, None)

    def _hold(self, table: Table) -> None:
        """Keep it in memory; the one that was not used for the longest time may go."""
        self.open.pop(table.id, None)
        self.open[table.id] = table
        while len(self.open) > MOST_OPEN:
            self.open.pop(next(iter(self.open)))

    def show(self, table: Table, turn: Turn) -> None:
        """A turn is shown to its player; from the first time on, its seconds count."""
        place = (turn.seat, turn.number)
        if place not in table.shown:
            table.shown[place] = self.now()
            self.database.write(
                "insert or ignore into shown values (?, ?, ?, ?)",
                table.id,
                *place,
                table.shown[place],
            )

    def seconds(self, table: Table, turn: Turn) -> float:
        """Since a turn was shown first."""
        begun = table.shown.get((turn.seat, turn.number))
        return 0.0 if begun is None else round(max(0.0, self.now() - begun), 3)

    def receive(self, table: Table, seat: Seat, reply: Reply) -> None:
        """Pass a reply to the match, and store it; Unwritable if it is not stored."""
        turn = table.match.turns.get(seat)
        table.match.receive(seat, reply)
        if turn is not None:
            table.turns[seat].append(turn)
        self._keep(table)

    def fail(self, table: Table, seat: Seat, fault: BaseException) -> None:
        """A seat fails or gives up."""
        table.match.fail(seat, fault)
        table.failed.add(seat)
        self._keep(table)

    def _keep(self, table: Table) -> None:
        """Store what was received last; only what is stored counts, else it is read again."""
        number, received = table.match.received_last()
        row = (table.id, number, msgspec.json.encode(received).decode())
        try:
            if not table.is_over:
                self.database.write("insert into heard values (?, ?, ?)", *row)
            else:
                with self.database.together():
                    self.database.write("insert into heard values (?, ?, ?)", *row)
                    self._note_end(table)
        except BaseException:
            self.open.pop(table.id, None)
            raise
        self._note_awaited(table)
        self._tell(table)

    def _note_end(self, table: Table) -> None:
        self.database.write("update matches set ended = ? where id = ?", self.now(), table.id)

    # Answers to questions are judged elsewhere, because that may take long.

    def store_answer(self, table: Table, seat: Seat, reply: Reply) -> SavedMatch:
        """Store a reply that is to be judged, and return the match with it.  Unwritable if it is
        not stored, NotAsked if no reply is awaited.
        """
        turn = table.turn(seat)
        if turn is None:
            raise NotAsked(f"{table.name} awaits no reply from seat {seat}")
        received = ReceivedReply(seat, checked(reply))
        self.database.write(
            "insert into heard values (?, ?, ?)",
            table.id,
            turn.number,
            msgspec.json.encode(received).decode(),
        )
        saved = table.match.saved()
        table.is_judging, table.unjudged = True, False
        self._tell(table)
        return replace(saved, received=(*saved.received, received))

    def judged(self, table: Table, again: Replayed) -> None:
        """The last answer is judged."""
        table.goes_on(again)
        table.is_judging = False
        try:
            if table.is_over:
                self._note_end(table)
        except Unwritable:  # it is noted when the match is read again
            self.open.pop(table.id, None)
            raise
        finally:
            self._note_awaited(table)
            self._tell(table)

    def not_judged(self, table: Table) -> None:
        """The last answer could not be judged, so it does not count."""
        table.is_judging, table.unjudged = False, True
        number = len(table.match.saved().received)
        self.database.write("delete from heard where match = ? and number >= ?", table.id, number)
        self._tell(table)

    def take_back(self, table: Table, seat: Seat, again: Replayed | None = None) -> None:
        """Take back the last move of a seat and all that followed.  `again`: as it was then."""
        turn = table.turns[seat][-1]
        if again is None:
            match = table.match.taken_back(turn.number)
            turns = [match.turns_of(each) for each in range(match.start.seats)]
            again = Replayed(match, turns, [])
        table.used[seat]["undos"] += 1
        with self.database.together():
            self.database.write(
                "delete from heard where match = ? and number >= ?", table.id, turn.number
            )
            self.database.write(
                "delete from shown where match = ? and number >= ?", table.id, turn.number
            )
            self._keep_used(table)
        table.shown = {at: since for at, since in table.shown.items() if at[1] < turn.number}
        table.awaited = {}
        table.goes_on(again)
        table.sittings.clear()
        table.epoch += 1
        self._note_awaited(table)
        self._tell(table)

    def help(self, table: Table, seat: Seat, what: str) -> None:
        """Count what helps a person."""
        table.used[seat][what] += 1
        self._keep_used(table)

    def _keep_used(self, table: Table) -> None:
        self.database.write(
            "update matches set used = ? where id = ?", json.dumps(table.used), table.id
        )

    def take_seat(self, table: Table, seat: Seat, visitor: str, own_name: str) -> None:
        """Give an open seat to a visitor."""
        players = list(table.players)
        players[seat] = person(own_name) if own_name else PERSON
        takers = list(table.takers)
        takers[seat] = visitor
        self.database.write(
            "update matches set players = ?, takers = ? where id = ?",
            json.dumps(players),
            json.dumps(takers),
            table.id,
        )
        table.players, table.takers = tuple(players), takers
        table.awaited = {}
        self._note_awaited(table)
        self._tell(table)

    def name_before(self, table: Table, visitor: str) -> str:
        """Return the name under which a visitor played the match before this one; "" if there is
        none.
        """
        for players, takers in self.database.rows(
            "select players, takers from matches where rematch = ? and rematch <> ''", table.id
        ):
            before = dict(zip(json.loads(takers), json.loads(players), strict=True))
            return str(before.get(visitor, "")).partition("/")[2]
        return ""

    def lead_on(self, table: Table, to: str) -> None:
        """Lead those who played a match to the one that was begun after it."""
        table.rematch = to
        self.database.write("update matches set rematch = ? where id = ?", to, table.id)
        self._tell(table)

    def resign(self, table: Table, seat: Seat) -> None:
        self.fail(table, seat, Forfeit("resigned"))

    def unfinished(self) -> int:
        """Return how many matches of the last day are under way."""
        [(count,)] = self.database.rows(
            "select count(*) from matches where ended is null and begun > ?", self.now() - DAY
        )
        return int(count)

    def unfinished_of(self, visitor: str) -> int:
        """Return how many of them a visitor has."""
        [(count,)] = self.database.rows(
            "select count(*) from matches where ended is null and instr(takers, ?)",
            json.dumps(visitor),
        )
        return int(count)

    def _tell(self, table: Table) -> None:
        for listener in self.changed:
            listener(table)
