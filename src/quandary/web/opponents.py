"""Strategies, models and programs at the tables of the site."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Any

from quandary.catalogue.spec import Spec
from quandary.core.contract import Game, Seat
from quandary.core.errors import StopRun, UserError, unknown
from quandary.core.words import say_in
from quandary.matches.match import NotAsked
from quandary.matches.player import Forfeit, Reply, Turn, seat_luck, takes_time
from quandary.matches.remembering import remembers
from quandary.players.model_names import is_model
from quandary.players.people import is_person
from quandary.players.registry import PlayerRegistry
from quandary.players.strategy import player_names, strategy_player
from quandary.programs.library import is_program

from . import tasks
from .database import Unwritable
from .model_budget import ModelBudget
from .shown import shown_name
from .tables import Table, Tables
from .workers import Failed, Overloaded, TooSlow, Workers

SECONDS = 30.0  # that a strategy may take for a move
PAUSE = 1.0  # seconds before a strategy is asked again when too many are asked
log_of_faults = logging.getLogger(__name__)


class Opponents:
    """Lets every player that is not a person reply in its turn."""

    def __init__(
        self,
        tables: Tables,
        workers: Workers,
        registry: PlayerRegistry,
        budget: ModelBudget,
        allowed: Sequence[str],
    ) -> None:
        """`allowed`: the models and programs that may be asked."""
        self.tables, self.workers, self.registry, self.budget = tables, workers, registry, budget
        self.allowed = {shown_name(name): name for name in allowed}
        self._tasks = dict[tuple[str, Seat], asyncio.Task[None]]()
        tables.changed.append(self.wake)

    def check(self, player: str, game: Game, spec: Spec) -> None:
        """UserError if nobody of this name may sit at a table."""
        if is_person(player):
            return
        if is_model(player) or is_program(player):
            shown = shown_name(player)
            if player not in self.allowed.values():
                raise unknown("player", shown, [*self.offered, *player_names(game)])
            if shown not in self.offered:
                raise UserError(
                    f"{shown} is no longer asked: the budget for models on this site is used up."
                )
            return
        strategy_player(player, game, spec.level)

    @property
    def offered(self) -> list[str]:
        """The models and programs that can be asked now, as visitors see their names."""
        is_used_up = self.budget.is_used_up
        return [name for name in self.allowed if not (is_used_up and is_model(name))]

    def full_name(self, shown: str) -> str:
        """Return the name of a player whom visitors know by another one."""
        return self.allowed.get(shown, shown)

    def why_cut_off(self, table: Table) -> str:
        """Return why a match has no result, in a sentence for visitors; "" if it has one."""
        match = table.match
        if match.ending is None or match.ending.cause != "infrastructure":
            return ""
        failed = [reply.seat for reply in match.said if reply.status == "infrastructure"]
        player = shown_name(table.players[failed[-1]]) if failed else "a player"
        say = say_in(__name__, table.settings.language)
        if self.budget.is_used_up and is_model(player):
            return say(
                "The match was cut off and does not count, because {player} gave no reply: the "
                "budget for models on this site is used up.",
                player=player,
            )
        return say(
            "The match was cut off and does not count, because {player} gave no reply.",
            player=player,
        )

    def wake(self, table: Table) -> None:
        """Ask those whose replies are awaited and who are not being asked."""
        for seat in table.match.turns:
            key = (table.id, seat)
            if not is_person(table.players[seat]) and key not in self._tasks:
                task = asyncio.get_running_loop().create_task(self._play(table, seat))
                self._tasks[key] = task

    async def _play(self, table: Table, seat: Seat) -> None:
        """Let one seat reply until it is not its turn."""
        try:
            while (turn := table.match.turns.get(seat)) is not None:
                epoch = table.epoch
                fault: BaseException | None = None
                reply = Reply("")
                try:
                    reply = await self._reply(table, turn)
                except Forfeit as failed:
                    fault = failed
                    if failed.cause == "infrastructure":
                        log_of_faults.warning(
                            "match %s is cut off: %s: %s",
                            table.id,
                            table.players[seat],
                            failed.words,
                        )
                if table.epoch == epoch and table.match.turns.get(seat) is turn:
                    if fault:
                        self.tables.fail(table, seat, fault)
                    else:
                        self.tables.receive(table, seat, reply)
        except (NotAsked, Unwritable) as reason:  # it is asked again when the match is loaded
            log_of_faults.warning("seat %d of match %s: %s", seat, table.id, reason)
        finally:
            self._tasks.pop((table.id, seat), None)

    async def _reply(self, table: Table, turn: Turn) -> Reply:
        """Forfeit if there is none."""
        player = table.players[turn.seat]
        if is_model(player) or is_program(player):
            return await self._ask(table, turn, player)
        luck = seat_luck(table.match.name, turn.seat, table.settings.repeat)
        while True:
            try:
                return await self.workers.run(
                    tasks.reply, player, table.spec.level, turn, luck, seconds=SECONDS
                )
            except Overloaded:
                await asyncio.sleep(PAUSE)
            except TooSlow:
                raise Forfeit("timeout") from None
            except (Failed, UserError) as reason:
                raise Forfeit("crash", str(reason)) from None

    async def _ask(self, table: Table, turn: Turn, player: str) -> Reply:
        """Return a model or a program, which remembers its turns."""
        try:
            sitting = self._seated(table, turn.seat, player)
            if takes_time(sitting):
                return await sitting.act(turn)
            reply: Reply = await asyncio.to_thread(sitting.answer, turn)
            return reply
        except (StopRun, UserError) as reason:
            if is_model(player):
                self.budget.try_again()
            why = str(reason) or "calls were stopped because of another match"
            raise Forfeit("infrastructure", why) from None

    def _seated(self, table: Table, seat: Seat, player: str) -> Any:
        if seat not in table.sittings:
            found = self.registry.find(
                player, table.match.start, table.spec, table.id, language=table.settings.language
            )
            luck = seat_luck(table.match.name, seat, table.settings.repeat)
            sitting = found.take_seat(seat, luck)
            if remembers(sitting):
                sitting.resume(table.turns[seat])
            table.sittings[seat] = sitting
        return table.sittings[seat]

    async def close(self) -> None:
        for task in list(self._tasks.values()):
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
