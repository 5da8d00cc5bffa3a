"""One match as a state machine: it names the awaited replies, takes them, and knows how it ended.

It never calls players and never waits: drivers (async, sync, a web page, a journal) pass replies
in.  The same start, name and replies lead to the same match.
Luck, fouls, format attempts, simultaneous moves, statuses and causes are decided only here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from random import Random
from types import MappingProxyType

from quandary.core.contract import CHANCE, Cause, Ending, Game, Move, Options, Seat
from quandary.core.errors import Ambiguous, Illegal, NoAnswer, Unreadable, UserError
from quandary.core.luck import Luck
from quandary.core.mixins.turns import after_foul, after_round, draw_of_chance, no_answer_of
from quandary.core.wrapper import version_of

from .failures import failure_of, joint_ending
from .player import Forfeit, Reply, Turn, checked, described
from .record import LoggedReply, Record, settle
from .saved import ReceivedReply, SavedMatch

DRAWS = 50_000  # chance events per match; a game that needs more does not end
ATTEMPTS = 5  # replies of one turn that may be unreadable before the match is lost
_new = tuple.__new__  # builds a named tuple at half the cost, twice per ply


class NotAsked(ValueError):
    """A reply from a seat that need not reply now."""


class EndlessMatch(RuntimeError):
    """A match that does not end, because its puzzle is broken."""


class Match:
    """A match under way or over."""

    __slots__ = (
        "_all_listed",
        "_answers",
        "_draws",
        "_luck",
        "_options",
        "_received",
        "_refusals",
        "_round",
        "attempts",
        "count_unreadable",
        "ending",
        "log",
        "name",
        "position",
        "resigning_ends",
        "said",
        "start",
        "turns",
    )  # fmt: skip

    def __init__(
        self,
        start: Game,
        name: str,
        attempts: int = ATTEMPTS,
        count_unreadable: bool = False,
        *,
        resigning_ends: bool = False,
    ) -> None:
        """Start a match; `name` determines its luck, so it is the same for all players.

        With `count_unreadable` an unreadable reply is a turn, in games that have a move for it.
        With `resigning_ends` a match is over as soon as a seat gives up, even in a simultaneous
        round in which others have not replied: people do not wait for them.
        """
        self.resigning_ends = resigning_ends
        self.start = self.position = start
        self.name, self.attempts, self.count_unreadable = name, attempts, count_unreadable
        self.log: list[tuple[Seat, Move]] = []
        self.said: list[LoggedReply] = []
        self.ending: Ending | None = None
        self._received: list[tuple[Seat, Reply, Cause | None]] = []  # as fields of `ReceivedReply`
        # Awaited replies; replaced, never changed.  Drivers read it where `pending` is too slow.
        self.turns: Mapping[Seat, Turn] = {}
        self._draws = 0
        self._refusals: dict[Seat, int] = {}
        self._luck: Luck | None = None
        self._advance()

    def pending(self) -> Mapping[Seat, Turn]:
        """Return the turns whose replies are awaited, read-only; empty once the match is over.

        The result is a snapshot that never changes.
        """
        return MappingProxyType(self.turns)

    def receive(self, seat: Seat, reply: Reply) -> None:
        """Take a reply from outside.

        NotAsked if none is awaited from this seat, TypeError if it is not a Reply that a player
        may give; the match is then as it was.
        """
        if type(seat) is not int:  # True and 1.0 are equal to 1, but are not seats
            raise self._not_awaited(seat)
        self.take(seat, checked(reply))

    def take(self, seat: Seat, reply: Reply) -> None:
        """Take a `checked` reply of a seat that is a whole number: make its move, or ask again if
        it is not readable.
        """
        if seat not in self.turns:
            raise self._not_awaited(seat)
        answer, words, status, seconds, tokens, readings = reply
        self._received.append((seat, reply, None))
        listed = self._options[seat]
        # An answer that is an option word for word needs no reading.
        if status == "answered" and listed is not None and answer in listed:
            logged = (seat, words or answer, status, answer, seconds, tokens, readings)
            self.said.append(_new(LoggedReply, logged))
            if len(self._options) > 1:
                self._answers[seat] = answer
                return self._await_others(seat)
            try:  # the fast path of nearly every ply
                self.position = self.position.after(seat, answer)
            except Illegal:
                return self._answered(seat, answer)
            self.log.append((seat, answer))
            return self._advance()
        turn, move = self.turns[seat], ""
        refusal: Unreadable = NoAnswer()
        if status == "answered":
            try:
                move = turn.position.read(seat, answer)
            except Unreadable as refused:
                refusal = refused
                status = "ambiguous" if isinstance(refused, Ambiguous) else "unreadable"
        self.said.append(
            LoggedReply(seat, words or answer, status, move, seconds, tokens, readings)
        )
        return self._answered(seat, move) if status == "answered" else self._refuse(turn, refusal)

    def fail(self, seat: Seat, fault: BaseException) -> None:
        """End the match for a player that gave up or failed, in its turn or out of turn.

        NotAsked if there is no such seat, if it has failed already or if the match is over,
        TypeError if `fault` is not an exception; the match is then as it was.
        """
        if self.ending is not None:
            raise NotAsked(f"{self.name} is over, so seat {seat!r} cannot fail in it")
        if type(seat) is not int or not 0 <= seat < self.start.seats:
            seats = _listed(range(self.start.seats))
            raise NotAsked(f"{self.name} has no seat {seat!r}; its seats are {seats}")
        if len(self._options) > 1 and isinstance(self._answers.get(seat), Ending):
            raise NotAsked(f"seat {seat} of {self.name} has failed already")
        if not isinstance(fault, BaseException):
            raise TypeError(f"a player fails by an exception, such as Forfeit, not by {fault!r}")
        cause, reply = failure_of(fault)
        self._received.append((seat, reply, cause))
        _, words, status, seconds, tokens, readings = reply
        self.said.append(LoggedReply(seat, words, status, "", seconds, tokens, readings))
        ending = Ending(cause, None if cause == "infrastructure" else seat)
        if cause == "resigned" and self.resigning_ends:
            return self._end(ending)
        if cause == "unreadable" and seat in self.turns and self._counts_unreadable():
            return self._use_up_turn(seat)
        return self._answered(seat, ending) if seat in self._options else self._end(ending)

    def record(self, players: Sequence[str], repeat: int = 0) -> Record:
        """Return the match so far, with the names of its players; an unfinished one has no
        scores.
        """
        if len(players) != self.start.seats:
            raise ValueError(
                f"{self.name} needs one player for each of its seats, {self.start.seats} in all, "
                f"and not {len(players)}"
            )
        ending = self.ending or Ending("unfinished")
        _, scores, values = settle(self.position, ending)
        return Record(
            self.name,
            tuple(players),
            self.start,
            tuple(self.log),
            tuple(self.said),
            scores,
            values,
            *ending,
            repeat,
            version_of(self.start),
        )

    def taken_back(self, number: int) -> Match:
        """Return the match as it was in the turn with this number, with the same luck from there
        on.
        """
        saved = self.saved()
        if type(number) is not int or not 0 <= number <= len(saved.received):
            raise ValueError(
                f"{self.name} has turns 0 to {len(saved.received)}; none has the number {number!r}"
            )
        return Match.resumed(saved.before(number), resigning_ends=self.resigning_ends)

    def received_last(self) -> tuple[int, ReceivedReply]:
        """Return the last of what `saved` has in `received`, with its number from 0."""
        return len(self._received) - 1, ReceivedReply._make(self._received[-1])

    def saved(self) -> SavedMatch:
        """Return the match in a form that can be stored and resumed, even within a simultaneous
        round.
        """
        received = tuple(map(ReceivedReply._make, self._received))
        return SavedMatch(self.name, self.start, self.attempts, received, self.count_unreadable)

    @classmethod
    def resumed(cls, saved: SavedMatch, *, resigning_ends: bool = False) -> Match:
        """Return the match as it was saved; UserError if it cannot have been saved like this."""
        try:
            saved.check_types()
            match = cls(
                saved.start,
                saved.name,
                saved.attempts,
                saved.count_unreadable,
                resigning_ends=resigning_ends,
            )
            for received in saved.received:
                match._receive_again(*received)
        except Exception as reason:  # a damaged one may break any rules
            raise UserError(f"the saved match is damaged: {described(reason)}.") from reason
        return match

    def turns_of(self, seat: Seat) -> list[Turn]:
        """Return the turns in which a seat was received so far, as it was given them."""
        turns = []
        match = Match(
            self.start,
            self.name,
            self.attempts,
            self.count_unreadable,
            resigning_ends=self.resigning_ends,
        )
        for received in self._received:
            if received[0] == seat and seat in match.turns:  # it may have failed out of turn
                turns.append(match.turns[seat])
            match._receive_again(*received)
        return turns

    def _receive_again(self, seat: Seat, reply: Reply, cause: Cause | None) -> None:
        """Take what a match has received before."""
        if cause is None:
            return self.receive(seat, reply)
        _, words, _, seconds, tokens, readings = reply
        return self.fail(seat, Forfeit(cause, words, seconds, tokens, readings))

    def _not_awaited(self, seat: object) -> NotAsked:
        awaited = f"it awaits one from {_listed(self.turns)}" if self.turns else "it is over"
        return NotAsked(f"{self.name} awaits no reply from seat {seat!r}; {awaited}")

    def _advance(self) -> None:
        """Make the moves of chance, then await the seats that may act, or end the match."""
        while CHANCE in (options := self.position.options()):
            self._draw(options[CHANCE])
        self._options: Options = options
        if self._refusals:
            self._refusals = {}
        position, number = self.position, len(self._received)
        turns: dict[Seat, Turn] = {}
        for seat in options if len(options) == 1 else sorted(options):
            listed = options[seat]
            # A copy, so that a player cannot change the options by which moves are judged.
            offered = tuple(listed) if type(listed) is list else listed
            turns[seat] = _new(Turn, (seat, position.seen_by(seat), offered, None, number))
        self.turns = turns
        if len(options) > 1:
            self._answers: dict[Seat, Move | Ending] = dict.fromkeys(turns, "")
            self._all_listed = True
            self._round = len(self.said)
        elif not options:
            self._end(position.ending())

    def _draw(self, outcomes: Collection[Move] | None) -> None:
        if self._draws >= DRAWS:
            raise EndlessMatch(f"{self.name} is not over after {DRAWS} moves of chance")
        self._luck = self._luck or Luck(f"{self.name}/chance")
        # One stream per draw, so that no draw depends on how many numbers another one used.
        luck = self._luck.turn(self._draws)
        self._draws += 1
        move = draw_of_chance(self.position, luck) if outcomes is None else draw(outcomes, luck)
        self.position = self.position.after(CHANCE, move)
        self.log.append((CHANCE, move))

    def _refuse(self, turn: Turn, refusal: Unreadable) -> None:
        """Ask again, use up the turn, or end the match after too many unreadable replies."""
        seat = turn.seat
        if self._counts_unreadable():
            return self._use_up_turn(seat)
        refusals = self._refusals[seat] = self._refusals.get(seat, 0) + 1
        if refusals >= self.attempts:
            return self._answered(seat, Ending("unreadable", seat))
        again = turn._replace(refused=refusal, number=turn.number + 1)
        self.turns = {**self.turns, seat: again}
        return None

    def _counts_unreadable(self) -> bool:
        return self.count_unreadable and no_answer_of(self.position) is not None

    def _use_up_turn(self, seat: Seat) -> None:
        """Make the move that stands for the unreadable reply received last."""
        move = no_answer_of(self.position) or ""
        self.said[-1] = self.said[-1]._replace(move=move)
        return self._answered(seat, move)

    def _answered(self, seat: Seat, move: Move | Ending) -> None:
        """Note a seat's move or failure; after the last one, make all moves in seat order."""
        if len(self._options) == 1:
            ending = (
                move if isinstance(move, Ending) else self._act(seat, move, self._options[seat])
            )
            return self._end(ending) if ending else self._advance()
        self._answers[seat], self._all_listed = move, False
        return self._await_others(seat)

    def _await_others(self, seat: Seat) -> None:
        """Await the other seats of a simultaneous round, or end it if there are none."""
        if seat in self.turns:
            if len(self.turns) == 1:
                return self._end_round()
            self.turns = turns = dict(self.turns)
            del turns[seat]
        return None

    def _end_round(self) -> None:
        """Make the moves of a simultaneous round, in seat order."""
        replies, first = self.said, self._round
        if len(replies) - first > 2 or replies[first].seat > replies[-1].seat:
            # In seat order, not in the order of arrival.
            replies[first:] = sorted(replies[first:], key=lambda reply: reply.seat)
        if self._all_listed:  # nearly every round: no move needs to be judged
            moves: dict[Seat, Move] = self._answers  # type: ignore[assignment]
            self.position = after_round(self.position, moves)
            self.log += moves.items()
            return self._advance()
        failed = [answer for answer in self._answers.values() if isinstance(answer, Ending)]
        if failed:
            if all(ending.cause != "infrastructure" for ending in failed):  # else no result at all
                failed += self._illegal_beside_failures()
            return self._end(joint_ending(failed))
        for seat, answer in self._answers.items():
            if ending := self._act(seat, str(answer), self._options[seat]):
                failed.append(ending)
        return self._end(joint_ending(failed)) if failed else self._advance()

    def _illegal_beside_failures(self) -> Iterator[Ending]:
        """Judge the moves of a round in which another seat failed; legal ones are not made."""
        here = self.position
        for seat, answer in self._answers.items():
            if isinstance(answer, Ending):
                continue
            logged = len(self.log)
            if ending := self._act(seat, answer, self._options[seat]):
                yield ending
            else:
                del self.log[logged:]
            self.position = here

    def _act(self, seat: Seat, move: Move, listed: Collection[Move] | None) -> Ending | None:
        """Make a move, legal or a foul; the ending if the move loses the match."""
        try:
            if listed is None or move in listed:
                self.position = self.position.after(seat, move)
                self.log.append((seat, move))
                return None
        except Illegal:
            pass
        after = after_foul(self.position, seat, move)
        self.log.append((seat, move))
        last = max(i for i, reply in enumerate(self.said) if reply.seat == seat)
        self.said[last] = self.said[last]._replace(status="illegal")
        if after is None:
            return Ending("illegal", seat)
        self.position = after
        return None

    def _end(self, ending: Ending) -> None:
        self.ending, self.turns = ending, {}


def _listed(seats: Iterable[Seat]) -> str:
    return " and ".join(map(str, seats))


def draw(outcomes: Collection[Move], rng: Random) -> Move:
    """Draw one outcome of chance, by weight if the outcomes have weights."""
    if isinstance(outcomes, Mapping):
        return str(rng.choices(list(outcomes), list(outcomes.values()))[0])
    return rng.choice(list(outcomes))
