"""What each player was sent, thought and said, how it was read, and why it was not accepted."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from textwrap import indent
from typing import NamedTuple

from quandary.arena.earlier_readings import with_readings
from quandary.arena.exchanges import Exchange, SentMessage, calls_behind
from quandary.core.contract import CHANCE, Game, Language, Seat
from quandary.core.control_characters import visible
from quandary.core.errors import Unreadable
from quandary.core.game import refusal as refusal_text
from quandary.core.words import Say, say_in
from quandary.matches.player import Reading, Status
from quandary.matches.record import MOVED, LoggedReply, Record, replay
from quandary.matches.verdicts import Checked, checked, in_words
from quandary.models.provider import Generation
from quandary.players.reading.thinking import separate

from .failed_players import failures

BRANCH = re.compile(r"(proposal|vote)(\d+)\.(\d+)$")  # as a tree of thoughts names its calls


class CallReply(NamedTuple):
    """One of the replies that a call brought."""

    kind: str  # proposal or vote of a tree of thoughts; "" for any other
    number: int  # of the proposal or vote, from 1
    attempt: int  # from 1
    thought: str
    text: str


class Call(NamedTuple):
    """One call to a model: the messages that are new in it, and what came back."""

    sent: tuple[SentMessage, ...]
    replies: tuple[CallReply, ...]


class Spoken(NamedTuple):
    """One reply of a player."""

    seat: Seat
    player: str
    calls: tuple[Call, ...]  # none for players that are not models, or without a journal
    thought: str
    text: str
    answer: str  # the part of it that was taken for the answer
    status: str
    move: str
    why: str  # it was not accepted; "" if it was
    failure: str  # what went wrong with the player, which has said nothing; "" if nothing
    checked: Checked | None  # what the checker says about an answer to a question
    ply: int  # how many moves the log has before it
    strictly: str = ""  # why the strict reading rejects a reply that was taken; "" if it does not

    @property
    def branches(self) -> tuple[CallReply, ...]:
        """The replies from which this one was chosen; none if it is the only one."""
        replies = tuple(each for call in self.calls for each in call.replies)
        return replies if len(replies) > 1 else ()

    @property
    def thinking(self) -> str:
        """What was thought before the only reply."""
        alone = [each.thought for call in self.calls for each in call.replies]
        return self.thought if self.branches else next(filter(None, alone), self.thought)


def spoken(
    record: Record,
    calls: Mapping[Seat, Sequence[Exchange]],
    languages: Sequence[Language] | None = None,
    reader: Language | None = None,
) -> Iterator[Spoken]:
    """Yield every reply of a match, in order; `calls` are those of the journal, by seat.

    `languages` are those in which each seat is told why its replies were not accepted and what is
    wrong with them; all are told in English if it is None.  What no player was told, such as that a
    reply was empty, is told in the language of the `reader`, by default also in that of the seat.
    """
    positions, ply = replay(record), 0
    languages = languages or ("en",) * len(record.players)
    turns, shown = Counter[Seat](), defaultdict[Seat, Counter[SentMessage]](Counter)
    gave_up, failed = _gave_up(record), failures(record)
    for number, reply in enumerate(with_readings(record, calls).said):
        while ply < len(record.log) and record.log[ply][0] == CHANCE:
            ply += 1
        turns[reply.seat] += 1
        own = calls_behind(turns[reply.seat], calls.get(reply.seat, ()))
        known, first = shown[reply.seat], turns[reply.seat] == 1
        place = min(ply, len(positions) - 1)
        position = positions[place]
        if number in failed:
            yield _failed(record, number, failed[number], place)
            continue
        thought, words, answer = "", reply.words, _whole(reply.words)
        if reply.readings:
            thought, words, _ = separate(Generation(reply.words))
            answer = reply.readings.lenient
        language = languages[reply.seat]
        yield Spoken(
            reply.seat,
            record.players[reply.seat],
            tuple(_call(each, known, first) for each in own),
            thought,
            words.strip(),
            answer.answer,
            reply.status,
            reply.move,
            _why_given_up(reader or language)
            if number == gave_up
            else _why(position, reply, answer, language, reader or language),
            "",
            checked(position, reply.move, language) if reply.status == "answered" else None,
            place,
            _why_not_strictly(reply, reader or language),
        )
        ply += bool(reply.move)


def _failed(record: Record, number: int, failure: str, ply: int) -> Spoken:
    """Return what stands for the reply of a player that failed."""
    reply = record.said[number]
    who = reply.seat, record.players[reply.seat]
    return Spoken(*who, (), "", "", "", reply.status, "", "", failure, None, ply)


def _gave_up(record: Record) -> int | None:
    """Return the number of the reply with which a player resigned, from 0; None if nobody did.

    Earlier versions stored it as unreadable.
    """
    own = (number for number, reply in enumerate(record.said) if reply.seat == record.offender)
    return max(own, default=None) if record.cause == "resigned" else None


def conversation(record: Record, replies: Sequence[Spoken], language: Language = "en") -> str:
    """Return the replies of a match as text."""
    say, positions = say_in(__name__, language), replay(record)
    moves = (positions[reply.ply].translated(reply.move, language) for reply in replies)
    parts = (_reply_text(reply, move, say) for reply, move in zip(replies, moves, strict=True))
    return visible("\n\n".join(parts))


def _call(exchange: Exchange, known: Counter[SentMessage], first: bool) -> Call:
    """Return a call without the messages that were shown before, nor the model's own replies.

    A message may be sent twice: the same correction after the next reply, for example.
    """
    sent, new = Counter[SentMessage](), list[SentMessage]()
    for message in exchange.sent:
        sent[message] += 1
        if sent[message] > known[message]:
            new.append(message)
    known |= sent
    fresh = tuple(message for message in new if first or message.role != "assistant")
    found = BRANCH.search(exchange.step)
    kind, first_number, attempt = found.groups() if found else ("", "0", "0")
    replies = (
        CallReply(kind, int(first_number) + at, int(attempt) + 1, thought, text.strip())
        for at, (thought, text, _) in enumerate(map(separate, exchange.generations), start=1)
    )
    return Call(fresh, tuple(replies))


def _whole(words: str) -> Reading:
    """Return the words of a player that says nothing but its answer."""
    return Reading("answered", words) if words.strip() else Reading("unreadable")


def _why(
    position: Game, reply: LoggedReply, answer: Reading, language: Language, reader: Language
) -> str:
    """Return why a reply was not accepted; "" if it was.  The puzzle tells it as it told the
    player.
    """
    say, seen = say_in(__name__, reader), position.seen_by(reply.seat)
    if reply.status == "answered":
        return ""
    if reply.status == "illegal":
        why = seen.why_illegal(reply.seat, reply.move, language)
        return why or say("the rules do not allow this move here")
    if reply.status not in ("unreadable", "ambiguous"):
        return _reason(reply.status, say)
    if answer.status != "answered":
        return _reason(answer.status, say)
    try:
        seen.read(reply.seat, answer.answer)
    except Unreadable as refusal:
        return refusal_text(seen, refusal, language)
    return say("the answer is not in the form that was asked for, and this player is read strictly")


def _why_not_strictly(reply: LoggedReply, language: Language) -> str:
    """Return why the strict reading rejects a reply that was taken; "" if it does not."""
    if reply.status != "answered" or not reply.readings or not reply.readings.only_lenient:
        return ""
    say, status = say_in(__name__, language), reply.readings.strict.status
    if status == "unreadable":
        return say("the answer is not in the form that was asked for")
    return _reason(status, say)


def _why_given_up(language: Language) -> str:
    say = say_in(__name__, language)
    return say("the player gave up")


def _reason(status: Status, say: Say) -> str:
    return {
        "unreadable": say("no answer was found in the reply"),
        "malformed": say("the JSON of the answer does not parse"),
        "refused": say("the player refused to answer"),
        "truncated": say("the reply was cut off before its answer was complete"),
        "empty": say("the reply is empty"),
        "timeout": say("the time ran out"),
        "infrastructure": say("no reply came"),
    }[status]


def _reply_text(reply: Spoken, move: str, say: Say) -> str:
    who = say("seat {seat} ({player})", seat=reply.seat, player=reply.player)
    if reply.failure:
        return "\n".join([who, say("  failed:"), indent(reply.failure, "    ")])
    if reply.text == reply.move and not reply.calls and not reply.why:  # as strategies speak
        return "\n".join([say("{who}: {move}", who=who, move=_below(move)), *_verdict(reply, say)])
    lines = [who]
    for call in reply.calls:
        for role, text in call.sent:
            lines += [say("  was sent ({role}):", role=say.label(role)), indent(text, "    ")]
        if reply.branches:
            lines += [line for each in call.replies for line in _words_of_branch(each, say)]
    if not reply.branches:
        lines += _words(reply.thinking, reply.text, say)
    lines.append(_reading(reply, move, say))
    if reply.why:
        lines += [say("  was not accepted:"), indent(reply.why, "    ")]
    return "\n".join([*lines, *_verdict(reply, say)])


def _verdict(reply: Spoken, say: Say) -> list[str]:
    if reply.checked is None:
        return []
    return [say("  verdict: {verdict}", verdict=_below(in_words(reply.checked, say.language)))]


def _reading(reply: Spoken, move: str, say: Say) -> str:
    status, answer = say.label(reply.status), _below(reply.answer)
    if reply.status == "answered":
        return say("  read as: {move}", move=_below(move))
    if reply.status in MOVED:
        return say("  read as: {move} ({status})", status=status, move=_below(move))
    if not answer:
        return say("  was not read ({status})", status=status)
    # such a reply may have used up a try
    return say("  was not read ({status}): {answer}", status=status, answer=answer)


def _words(thought: str, text: str, say: Say) -> list[str]:
    lines = [say("  thought:"), indent(thought, "    ")] if thought else []
    return [*lines, say("  said:"), indent(text or say("(nothing)"), "    ")]


def _words_of_branch(branch: CallReply, say: Say) -> list[str]:
    kind = say.label(branch.kind or "reply")
    which = (
        say("{kind} {number}", kind=kind, number=branch.number)
        if branch.attempt == 1
        else say(
            "{kind} {number}, try {attempt}",
            kind=kind,
            number=branch.number,
            attempt=branch.attempt,
        )
    )
    lines = [say("  said ({which}):", which=which), indent(branch.text or say("(nothing)"), "    ")]
    if not branch.thought:
        return lines
    return [say("  thought ({which}):", which=which), indent(branch.thought, "    "), *lines]


def _below(text: str) -> str:
    """Return a text of several lines begins on a line of its own."""
    return "\n" + indent(text, "    ") if "\n" in text else text
