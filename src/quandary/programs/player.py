"""A program as a player."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from hashlib import blake2b
from typing import Any

from quandary.core import codec
from quandary.core.contract import ChanceMoves, Game, Puzzle, Seat
from quandary.core.errors import Unreadable
from quandary.core.secrecy import hidden_fields
from quandary.matches.player import Forfeit, Reply, Turn
from quandary.tasks.question_game import QuestionGame

from .failures import ProgramFailed
from .library import Program
from .pool import ProgramPool
from .replies import ProgramReply
from .sandboxes import ProgramProcess

CLOCK = 300.0  # seconds of processor time per match
NO_MOVE = "the value that the program returned is no move: {what}"
UNREAD = "the answer of the program cannot be read: {what}"
NO_MEMORY = "MemoryError"
LONGEST_SHOWN = 200  # characters of a value that is no move
LONGEST_MOVE = 1 << 16  # characters, all of which are stored


class ProgramPlayer:
    """A program, which gets a process for each match."""

    def __init__(
        self,
        program: Program,
        pool: ProgramPool,
        game: Game,
        *,
        seconds: float = CLOCK,
        shared: bool = True,  # whether a process may play several matches, where that is safe
        waits: bool = False,  # whether other matches go on while the program thinks
    ) -> None:
        self.name, self.program, self.pool, self.seconds = program.name, program, pool, seconds
        self.game = game
        self.shared = shared and not hides_or_draws(game)
        self.waits = waits

    def take_seat(self, seat: Seat, luck: str) -> BlockingSeatedProgram | WaitingSeatedProgram:
        return (WaitingSeatedProgram if self.waits else BlockingSeatedProgram)(self, luck)


def hides_or_draws(game: Game) -> bool:
    """Return whether a game has secrets or chance, so that one match would tell something of
    another.
    """
    return isinstance(game, ChanceMoves) or bool(hidden_fields(type(asked_of(game))))


def asked_of(game: Game) -> Puzzle:
    """Return what a program is shown of a position: of an attempt, its question."""
    return game.question if isinstance(game, QuestionGame) else game


def hidden_luck(luck: str, game: Game) -> str:
    """Return the luck of a seat that a program is told: it follows from the whole first position
    too.

    The luck of a seat is a hash of the name of the match, and a program could try the names of a
    hundred million instances to find its own, with all secrets.  So it would have to make each of
    these instances, as for a comparison with what it sees.
    """
    start = codec.to_json(asked_of(game))
    return blake2b(f"{luck} {start}".encode(), digest_size=16).hexdigest()


class SeatedProgram:
    """A program at one seat of one match."""

    def __init__(self, player: ProgramPlayer, luck: str) -> None:
        self.player, self.luck = player, hidden_luck(luck, player.game)
        self.process: ProgramProcess | None = None
        self.requests = list[bytes]()  # that the process has been given in this match
        self.requests_hash = self._new_hash()
        self.answered = ""  # last

    def _new_hash(self) -> blake2b:
        about = f"{self.player.program.hash} {self.player.seconds:g} {self.luck}"
        return blake2b(about.encode(), digest_size=16)

    def close(self) -> None:
        """The match is over."""
        if process := self.process:
            self.process = None
            player = self.player
            player.pool.release(player.program, process, shared=player.shared)

    def _seat(self, process: ProgramProcess) -> bytes:
        """Give a process a fresh clock, and return the request that seats a new player in it."""
        self.process = process
        process.clock.start(self.player.seconds)
        self.requests = [b'{"luck": "%s"' % self.luck.encode()]
        return self.requests[0]

    def _request(self, turn: Turn) -> bytes:
        """Return what the program is asked; Forfeit if it is known to run out of time over it."""
        if turn.refused:
            raise Forfeit("unreadable", UNREAD.format(what=self.answered[:LONGEST_SHOWN]))
        asked = b'{"view": %s' % codec.seen_json(asked_of(turn.position), turn.seat)
        self.requests_hash.update(asked)
        if words := self.player.pool.timeouts.get(self.requests_hash.digest()):
            raise Forfeit("timeout", words)
        return asked

    def _fresh_requests(self, failure: ProgramFailed) -> list[bytes]:
        """Return what a fresh process is to be asked once more, after a failure that may come from
        earlier matches: those of its process may have left less memory.  The failure again, if
        there were none.
        """
        lacks_memory = failure.cause == "memory" or failure.words.startswith(NO_MEMORY)
        if not lacks_memory or self.process is None or not self.process.has_played:
            raise failure
        self.process.close()
        self.process = None
        return self.requests[1:]

    def _failed(self, failure: ProgramFailed) -> Forfeit:
        if failure.cause == "timeout":
            self.player.pool.timeouts[self.requests_hash.digest()] = failure.words
        if process := self.process:
            self.process = None
            process.close()
        return Forfeit(failure.cause, failure.words)


class BlockingSeatedProgram(SeatedProgram):
    """Answers at once: nothing else goes on in this worker meanwhile."""

    def __init__(self, player: ProgramPlayer, luck: str) -> None:
        super().__init__(player, luck)
        self.earlier = deque[Turn]()  # that its process has not been given yet

    def resume(self, turns: Sequence[Turn]) -> None:
        """Go on after these turns, in a new process.

        It is given them when it is needed, so that the program is as it was: what it does follows
        from its luck and its views.
        """
        self.close()
        self.requests_hash, self.earlier = self._new_hash(), deque(turns)

    def answer(self, turn: Turn) -> Reply:
        while self.earlier:
            self._answer(self.earlier.popleft())
        return self._answer(turn)

    def _answer(self, turn: Turn) -> Reply:
        asked = self._request(turn)
        try:
            try:
                reply = self._reply_to([asked], shared=self.player.shared)
            except ProgramFailed as failure:
                reply = self._reply_to([*self._fresh_requests(failure), asked], shared=False)
        except ProgramFailed as failure:
            raise self._failed(failure) from None
        self.answered = answer_of(reply, turn.position)
        return Reply(self.answered)

    def _reply_to(self, requests: Sequence[bytes], *, shared: bool) -> ProgramReply:
        """Return the reply of the program to the last of some requests."""
        if self.process is None:
            process = self.player.pool.process(self.player.program, shared=shared)
            process.ask(self._seat(process))
        assert self.process
        *earlier, last = requests
        for request in earlier:
            self.process.ask(request)
        reply = self.process.ask(last)
        self.requests += requests  # not one that fails, which may be asked again
        return reply


class WaitingSeatedProgram(SeatedProgram):
    """Lets other matches of an event loop go on while the program thinks."""

    async def act(self, turn: Turn) -> Reply:
        asked = self._request(turn)
        try:
            try:
                reply = await self._reply_to([asked], shared=self.player.shared)
            except ProgramFailed as failure:
                reply = await self._reply_to([*self._fresh_requests(failure), asked], shared=False)
        except ProgramFailed as failure:
            raise self._failed(failure) from None
        self.answered = answer_of(reply, turn.position)
        return Reply(self.answered)

    async def _reply_to(self, requests: Sequence[bytes], *, shared: bool) -> ProgramReply:
        """Return the reply of the program to the last of some requests."""
        if self.process is None:
            process = await self.player.pool.process_async(self.player.program, shared=shared)
            await process.ask_async(self._seat(process))
        assert self.process
        *earlier, last = requests
        for request in earlier:
            await self.process.ask_async(request)
        reply = await self.process.ask_async(last)
        self.requests += requests  # not one that fails, which may be asked again
        return reply

    async def leave(self) -> None:
        self.close()


def answer_of(reply: ProgramReply, game: Game) -> str:
    """Return the text of a move that a program returned as text, number or data; Forfeit if it is
    none.
    """
    text = _text_of(reply.move, game)
    if text is None:
        what = reply.kind or str(reply.move)[:LONGEST_SHOWN]
        raise Forfeit("unreadable", NO_MOVE.format(what=what))
    if len(text) > LONGEST_MOVE:
        raise Forfeit("flood", f"a move of more than {LONGEST_MOVE:,} characters")
    return text


def _text_of(value: Any, game: Game) -> str | None:
    if isinstance(value, str):
        return value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    if isinstance(game, QuestionGame):
        if value is not None and (shape := game.question.answer_shape()):
            return shape.write(value)
    elif isinstance(value, dict) and (notation := game.notation()):
        with suppress(Unreadable):
            return notation.from_json(value)
    return None
