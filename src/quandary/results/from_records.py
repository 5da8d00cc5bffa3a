"""Makes the rows of a match from its record."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from quandary.arena.job import match_name
from quandary.core.contract import Seat
from quandary.matches.player import Readings
from quandary.matches.record import MOVED, NO_RESULT, RULED, LoggedReply
from quandary.matches.versions import ReadVersions
from quandary.players.prompts.settings import Modality
from quandary.players.reading.stored import readings_of
from quandary.programs.library import is_program
from quandary.tasks.question_game import NO_ANSWER

from .calls import Answered, Calls, CallTotals, added
from .instance_facts import Instance, Instances
from .lines import Played, RecordLine, played_in, positions_in, record_in
from .match_facts import faults_of, moves_digest
from .rows import ReplyRow, SeatRow
from .run_context import RunContext, Seated
from .state_questions import error_of
from .worked_answers import WorkedAnswer, worked_answer

EXCEPTION = re.compile(r"(\w+)(?:: | \(line \d+\)$|$)")  # at the beginning of a program's error
FREE_OF_CALLS = CallTotals(0, 0, 0, 0.0)  # a reply that never came


class MatchRows(NamedTuple):
    """The rows of one match, in order of seats and of replies."""

    seats: list[SeatRow]
    replies: list[ReplyRow]


class SeatOf(NamedTuple):
    """One seat of one match."""

    line: RecordLine
    played: Played
    instance: Instance
    seat: Seat
    player: Seated


class RowMaker:
    """Makes the rows of one run from its records, which must come in file order."""

    def __init__(self, context: RunContext, calls: Calls, run: str = "") -> None:
        self.context, self.calls, self.run = context, calls, run
        self.instances, self.versions = Instances(), ReadVersions()
        self.players = dict[tuple[str, Modality, str], Seated]()

    def rows(self, line: RecordLine) -> MatchRows:
        """Return the rows of a record; none if it needs a version of its puzzle that is not read
        here.
        """
        played = played_in(line)
        if self.versions.unread(played.start):
            return MatchRows([], [])
        instance = self.instances.of(played.name, played.version, lambda: record_in(line))
        asked = self.context.modality(played.name), self.context.language_of(played.name)
        seated = [self._seated(player, *asked) for player in played.players]
        calls = self._calls(played, seated)
        made, moves = MatchRows([], []), f"{moves_digest(instance.digest, played.log):016x}"
        faults = faults_of(played)
        for seat, player in enumerate(seated):
            of = SeatOf(line, played, instance, seat, player)
            replies = self._replies(of, calls)
            made.replies.extend(replies)
            made.seats.append(self._seat(of, replies, moves, bool(faults >> seat & 1)))
        return made

    def _seated(self, player: str, modality: Modality, language: str) -> Seated:
        key = player, modality, language
        if key not in self.players:
            self.players[key] = self.context.take_seats(*key)
        return self.players[key]

    def _calls(
        self, played: Played, seated: Sequence[Seated]
    ) -> dict[tuple[Seat, int], CallTotals]:
        """Return the calls of models in a match, by seat and number of the reply."""
        if all(player.model is None for player in seated):
            return {}
        numbers, replies = [0] * len(seated), list[Answered]()
        for reply in played.said:
            numbers[reply.seat] += 1
            if seated[reply.seat].model:
                cut_off = reply.status == "infrastructure"
                replies.append(Answered(reply.seat, numbers[reply.seat], reply.tokens, cut_off))
        name = match_name(played.name, played.players, played.repeat)
        return self.calls.of(name, replies, final=played.cause not in NO_RESULT)

    def _replies(self, of: SeatOf, calls: dict[tuple[Seat, int], CallTotals]) -> list[ReplyRow]:
        """Return the replies of one seat; a turn ends with the reply that contains its move."""
        line, played, instance, seat, player = of
        rows, turn, attempt = list[ReplyRow](), 1, 0
        for reply in played.said:
            if reply.seat != seat:
                continue
            attempt += 1
            usage = CallTotals()
            if player.model:
                absent = (
                    FREE_OF_CALLS
                    if reply.status == "infrastructure"
                    else CallTotals(written=reply.tokens)
                )
                usage = calls.get((seat, len(rows) + 1), absent)
            read = self._readings(reply, of, usage)
            rows.append(
                ReplyRow(
                    self.run, line.match, played.name, seat, played.players[seat],
                    turn, turn if instance.tries is not None else None, attempt,
                    reply.status, *_statuses(read), reply.move,
                    usage.read, usage.cached, usage.written, usage.cost,
                    reply.seconds, usage.finish,
                )
            )  # fmt: skip
            if reply.status in MOVED or reply.move:
                turn, attempt = turn + 1, 0
        return rows

    def _readings(self, reply: LoggedReply, of: SeatOf, usage: CallTotals) -> Readings | None:
        if reply.readings or not of.player.model:
            return reply.readings
        return readings_of(reply, of.instance.form, self.calls.generations(usage))

    def _seat(
        self, of: SeatOf, replies: Sequence[ReplyRow], moves: str, is_at_fault: bool
    ) -> SeatRow:
        line, played, instance, seat, player = of
        spec, has_result = instance.spec, played.cause not in NO_RESULT
        score = played.scores[seat] if played.scores is not None else None
        value = played.values[seat] if played.values is not None else None
        turns = replies[-1].turn if replies else 0
        statuses = [reply.status for reply in replies]
        illegal, moved = statuses.count("illegal"), statuses.count("answered")
        no_reply = statuses.count("infrastructure") + statuses.count("timeout")
        tokens = _totals(replies) if player.model else CallTotals()
        right = instance.tries is not None and score is not None and score >= 1.0
        valued = value is not None or instance.reference is not None
        worked = _worked(of)
        return SeatRow(
            self.run, line.match, self.context.name, played.name, spec.task, spec.name,
            instance.level, spec.split, spec.seed, instance.family, instance.id, instance.listed,
            instance.version, player.language or self.context.language_of(played.name),
            seat, instance.seats,
            played.players[seat], player.model,
            " + ".join(other for at, other in enumerate(played.players) if at != seat),
            played.repeat, score, _win(played, seat), value,
            instance.reference, instance.reference_is_bound,
            instance.lower_is_better if valued else None,
            played.cause, is_at_fault,
            played.cause in RULED if has_result else None, _is_fir(line, played, seat),
            turns, len(replies), len(replies) - moved - illegal - no_reply, illegal,
            _repeated(played, seat) / turns if turns else None,
            tokens.read, tokens.cached, tokens.written, tokens.cost,
            sum(reply.seconds for reply in replies), instance.tries, turns if right else None,
            player.setting, player.modality, player.shots, player.history, player.list_moves,
            player.prompting, player.parsing, _strict_score(score, player, replies),
            moves, *instance.state, worked.error, instance.domain, *worked[1:],
            _exception(played, seat, is_at_fault),
        )  # fmt: skip


def _worked(of: SeatOf) -> WorkedAnswer:
    """Return how a worked answer was judged; of a question on a position only the error is
    known.
    """
    judged = of.played, of.seat, lambda: record_in(of.line).start
    if of.instance.domain is not None:
        return worked_answer(*judged)
    return WorkedAnswer(error_of(*judged) if of.instance.state.label is not None else None)


def _exception(played: Played, seat: Seat, is_at_fault: bool) -> str | None:
    """Return the type of the error by which a program at a seat ended the match."""
    if played.cause != "crash" or not is_at_fault or not is_program(played.players[seat]):
        return None
    words = next((reply.words for reply in reversed(played.said) if reply.seat == seat), "")
    found = EXCEPTION.match(words)
    return found[1] if found else None


def _repeated(played: Played, seat: Seat) -> int:
    """Return how many moves of a seat equal an earlier one of its own."""
    moves = [move for who, move in played.log if who == seat and move != NO_ANSWER]
    return len(moves) - len(set(moves))


def _win(played: Played, seat: Seat) -> float | None:
    """1 for a win, 0.5 for a tie, 0 for a loss; None without a result or without one opponent."""
    if played.scores is None or len(played.scores) != 2:
        return None
    own, other = played.scores[seat], played.scores[1 - seat]
    return 0.5 if own == other else float(own > other)


def _is_fir(line: RecordLine, played: Played, seat: Seat) -> bool | None:
    """Return whether the match was lost by an illegal move of this seat while it had a
    legal one.
    """
    if played.cause in NO_RESULT:
        return None
    if played.cause != "illegal" or played.offender not in (None, seat):
        return False
    last = next((reply for reply in reversed(played.said) if reply.seat == seat), None)
    return last is not None and last.status == "illegal" and _had_legal_move(line, seat)


def _had_legal_move(line: RecordLine, seat: Seat) -> bool:
    """Return whether a seat had a legal move in the last position of a match."""
    options = positions_in(line, record_in(line))[-1].options()
    if seat not in options:
        return False
    listed = options[seat]
    return listed is None or len(listed) > 0


def _statuses(read: Readings | None) -> tuple[str | None, str | None, int | None]:
    """Return the status by the strict and by the lenient reading, and the version of the reader."""
    return (read.strict.status, read.lenient.status, read.reader) if read else (None, None, None)


def _strict_score(score: float | None, player: Seated, replies: Sequence[ReplyRow]) -> float | None:
    """Return the score, or 0 if a reply was played that only the lenient reading could read."""
    if score is None or not player.model or player.parsing == "strict":
        return score
    loose = any(
        reply.status in MOVED and reply.strict != "answered" == reply.lenient for reply in replies
    )
    return 0.0 if loose else score


def _totals(replies: Sequence[ReplyRow]) -> CallTotals:
    read: int | None = 0
    cached: int | None = 0
    written: int | None = 0
    cost: float | None = 0.0
    for reply in replies:
        read, cached = added(read, reply.tokens_read), added(cached, reply.tokens_cached)
        written, cost = added(written, reply.tokens_written), added(cost, reply.cost)
    return CallTotals(read, cached, written, cost)
