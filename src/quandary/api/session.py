"""One learner at one match: what trainers, agents and environments need."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, get_args

from quandary.catalogue import drawing
from quandary.core.contract import FailureCause, Game, Language, Move, Seat
from quandary.core.errors import NoAnswer, Unreadable, UserError, unknown, unknown_seat
from quandary.core.game import illegal_feedback, refusal
from quandary.core.mixins.turns import feedback_of
from quandary.core.question import form_of
from quandary.matches.match import ATTEMPTS, Match, NotAsked
from quandary.matches.player import Forfeit, Reading, Reply, Status, Turn, seat_luck
from quandary.matches.record import MOVED, LoggedReply, Record
from quandary.matches.saved import FAILURE_CAUSES
from quandary.models.provider import Generation, Message, Part
from quandary.players.people import is_person
from quandary.players.prompts.conversation import Conversation
from quandary.players.prompts.examples import Examples
from quandary.players.prompts.settings import (
    MOST_SHOTS,
    Modality,
    Prompting,
    PromptSettings,
    Strictness,
)
from quandary.players.reading.reply import read
from quandary.report.tables import counted

from .arguments import (
    check_counts,
    check_flags,
    check_names,
    check_texts,
    refusing_unknown_settings,
    taking_earlier_names,
)
from .opponents import LEARNER, Opponents, programs_among

CHOICES = {"prompting": Prompting, "modality": Modality, "parsing": Strictness}
# Causes with which a learner can forfeit a match.  With "infrastructure" nobody loses, and
# "unreadable" may use up a turn instead.
CAUSES = tuple(sorted(FAILURE_CAUSES - {"infrastructure", "unreadable"}))


class Step(NamedTuple):
    """The outcome of a reply."""

    status: Status  # "answered", "illegal", or why no move could be read
    feedback: str  # what the learner is told about it, "" if there is nothing to say
    done: bool  # whether the match is over
    score: float | None  # the seat's score, from 0.0 to 1.0, once the match is over


class Session:
    """One learner at one match, without I/O: read `messages()`, answer with `reply(text)`.

        session = Session("sudokill/easy#7", opponents="house")
        while not session.done:
            step = session.reply(my_model(session.messages()))

    A learner that stops before the end loses by `forfeit`.
    Opponents are strategies and programs, whose luck follows from the spec alone, so a session can
    be repeated.  The processes of programs end when the match is over, when `close` is called, or
    when nothing refers to the session any more.
    With `opponents=None` every seat is open, and `messages`, `reply` and `legal` take the seat,
    which may be left out while one seat alone is to move.
    Sessions can be pickled at any time.

    **Parameters:**

    * **spec** - The instance, such as `"sudokill/easy#7"`.
    * **seat** - The seat of the learner.
    * **opponents** - One strategy or program for all other seats, or one per seat in a list.
    * **tries** - Answers that may be given to a question.
    * **attempts** - Replies per turn, after which a learner without a readable move loses.
    * **count_unreadable** - Whether unreadable replies to a question use up its tries.
    * **shots** - Worked examples before the question.
    * **history** - Whether earlier turns are part of the prompt.
    * **list_moves** - Whether legal moves are listed.
    * **prompting** - `"steps"` (step by step), `"none"` (the answer alone) or `"tree"`.
    * **modality** - How positions are shown: as `"text"`, `"image"` or `"both"`.
    * **allow_code** - `False` tells the model not to write programs.
    * **parsing** - Which reading of a reply is played, `"lenient"` or `"strict"`.
    * **system** - The system message; `None` for our own, `""` for none.
    * **language** - The language of the prompt, `"en"` or `"zh"`.
    """

    @taking_earlier_names
    @refusing_unknown_settings
    def __init__(
        self,
        spec: str,
        *,
        seat: Seat = 0,
        opponents: str | Sequence[str] | None = "house",
        tries: int = 1,
        attempts: int = ATTEMPTS,
        count_unreadable: bool = False,
        shots: int = 0,
        history: bool = True,
        list_moves: bool = False,
        prompting: Prompting = "steps",
        modality: Modality = "text",
        allow_code: bool = True,
        parsing: Strictness = "lenient",
        system: str | None = None,
        language: Language = "en",
    ) -> None:
        check_texts(spec=spec)
        check_counts(tries=tries, attempts=attempts)
        check_flags(count_unreadable=count_unreadable)
        check_counts(least=0, seat=seat)
        self.spec = drawing.named(spec)
        self.settings = _checked(
            PromptSettings(
                shots,
                history,
                list_moves,
                prompting,
                modality,
                allow_code,
                parsing,
                system,
                language,
            )
        )
        start = drawing.game(self.spec, tries=tries, language=self.settings.language)
        if seat >= start.seats:
            raise unknown_seat(str(self.spec), seat, start.seats)
        self.seat = seat
        self.players = _players(start, seat, opponents)
        self._match = Match(start, str(self.spec), attempts, count_unreadable)
        self._conversations: dict[Seat, Conversation] = {}
        self._asked: dict[Seat, int] = {}  # the turn that each seat was last asked for
        self._programs = programs_among(self.players)
        self._opponents = self._seated()
        self._sandbox = self._opponents.level("")
        self._opponents.play()

    @property
    def done(self) -> bool:
        return self._match.ending is not None

    @property
    def pending(self) -> tuple[Seat, ...]:
        """The seats whose replies are awaited."""
        return tuple(
            seat for seat in self._match.pending() if seat not in self._opponents.seated_players
        )

    @property
    def position(self) -> Game:
        """What the learner's seat sees now."""
        return self.view(self.seat)

    def view(self, seat: Seat) -> Game:
        """Return what a seat sees now."""
        if type(seat) is not int or not 0 <= seat < self._match.start.seats:
            raise unknown_seat(str(self.spec), seat, self._match.start.seats)
        return self._match.position.seen_by(seat)

    def legal(self, seat: Seat | None = None) -> Sequence[Move]:
        """Return the legal moves of a seat whose reply is awaited; empty if any text is an
        answer.
        """
        moves = self._turn(seat).options or ()
        return moves if isinstance(moves, Sequence) else tuple(moves)

    def messages(self, seat: Seat | None = None) -> list[dict[str, Any]]:
        """Return the conversation so far and the open question, as chat messages with role and
        content.
        """
        return [_plain(message) for message in self.conversation(seat)]

    def conversation(self, seat: Seat | None = None) -> list[Message]:
        """Return the messages of `messages`, with pictures as PNG."""
        turn = self._turn(seat)
        conversation = self._conversation(turn.seat)
        if self._asked.get(turn.seat) != turn.number:
            conversation.ask(turn)
            self._asked[turn.seat] = turn.number
        return conversation.messages

    def examples(self, seat: Seat | None = None) -> int:
        """Return how many worked examples are shown; fewer than `shots` where nothing else
        can be.
        """
        return sum(map(bool, self._conversation(self._turn(seat).seat).shots))

    def reply(self, text: str, seat: Seat | None = None) -> Step:
        """Take a model's whole reply: it is read, then played."""
        check_texts(text=text)
        turn = self._turn(seat)
        self._sandbox = self._opponents.level(self._sandbox)
        self.conversation(turn.seat)  # the reply answers the open question, read or not
        generation = Generation(text)
        readings = read(generation, form_of(turn.position))
        status, answer = readings.played(self.settings.parsing)
        self._match.receive(turn.seat, Reply(answer, text, status, readings=readings))
        self._conversation(turn.seat).answered(generation, status)
        reply = self._last_reply(turn.seat)
        self._opponents.play()
        feedback = self._feedback(turn, reply, Reading(status, answer))
        return Step(reply.status, feedback, self.done, self._score(turn.seat))

    def forfeit(self, cause: FailureCause = "resigned", seat: Seat | None = None) -> Step:
        """Stop playing a seat: it loses by `cause`.

        The match is over then, or when the other seats of a simultaneous round have replied.
        """
        if cause not in CAUSES:
            raise unknown("cause of a forfeit", cause, CAUSES)
        seat = self._turn(None).seat if seat is None else self._open(seat)
        try:
            self._match.fail(seat, Forfeit(cause))
        except NotAsked as reason:  # it has failed already
            raise UserError(f"{reason}.") from None
        reply = self._last_reply(seat)
        self._opponents.play()
        return Step(reply.status, "", self.done, self._score(seat))

    def record(self) -> Record:
        """Return the match so far; one that is not over has no scores."""
        record = self._match.record(self.players)
        return replace(record, sandbox=self._sandbox) if self._sandbox else record

    def close(self) -> None:
        """End the processes of programs; they start again when they are needed."""
        self._opponents.close()

    def __getstate__(self) -> dict[str, Any]:
        state = dict(self.__dict__)
        del state["_opponents"]  # functions and processes, which are found again by name
        state["_match"] = self._match.saved()
        return state

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        self.__dict__.update(state)
        self._match = Match.resumed(state["_match"])
        self._opponents = self._seated()

    def _turn(self, seat: Seat | None) -> Turn:
        self._opponents.play()  # usually true, but not if Ctrl-C interrupted them
        pending = self._match.pending()
        if not pending:
            raise UserError(f"the match of {self.spec} is over.")
        if seat is None:
            if len(pending) > 1:
                seats = " and ".join(map(str, pending))
                raise UserError(f"seats {seats} of {self.spec} are to move; name one of them.")
            [seat] = pending
        if type(seat) is not int or seat not in pending:
            raise UserError(f"seat {seat!r} of {self.spec} is not to move.")
        return pending[seat]

    def _open(self, seat: Seat) -> Seat:
        """Return a seat that is played from outside, to move or not, in a match that is not
        over.
        """
        if self.done:
            raise UserError(f"the match of {self.spec} is over.")
        if type(seat) is not int or not 0 <= seat < self._match.start.seats:
            raise unknown_seat(str(self.spec), seat, self._match.start.seats)
        if seat in self._opponents.seated_players:
            raise UserError(f"seat {seat} of {self.spec} is played by {self.players[seat]!r}.")
        return seat

    def _last_reply(self, seat: Seat) -> LoggedReply:
        return next(reply for reply in reversed(self._match.said) if reply.seat == seat)

    def _conversation(self, seat: Seat) -> Conversation:
        if seat not in self._conversations:
            examples = Examples(self._match.start, self.spec)
            luck = seat_luck(str(self.spec), seat)
            self._conversations[seat] = Conversation(self.settings, examples, seat, luck)
        return self._conversations[seat]

    def _seated(self) -> Opponents:
        return Opponents(self._match, self.spec, self.players, self._programs)

    def _feedback(self, turn: Turn, reply: LoggedReply, reading: Reading) -> str:
        """Return what the learner is told about its reply in a turn, also if it is the last one."""
        language = self.settings.language
        if reply.status == "illegal":
            return illegal_feedback(turn.position, turn.seat, reply.move, language)
        if reply.status not in MOVED and not reply.move:  # it used up no turn
            return refusal(turn.position, _why_unread(turn, reading), language)
        return feedback_of(self._match.position.seen_by(turn.seat), language)

    def _score(self, seat: Seat) -> float | None:
        scores = self.record().scores if self.done else None
        return scores[seat] if scores else None


def _why_unread(turn: Turn, reading: Reading) -> Unreadable:
    """Return why no move was taken from a reply."""
    if reading.status == "answered":
        try:
            turn.position.read(turn.seat, reading.answer)
        except Unreadable as reason:
            return reason
    return NoAnswer()


@taking_earlier_names
@refusing_unknown_settings
def prompt(
    spec: str,
    *,
    seat: Seat = 0,
    tries: int = 1,
    shots: int = 0,
    history: bool = True,
    list_moves: bool = False,
    prompting: Prompting = "steps",
    modality: Modality = "text",
    allow_code: bool = True,
    parsing: Strictness = "lenient",
    system: str | None = None,
    language: Language = "en",
) -> list[dict[str, Any]]:
    """Return the messages a model is sent in its first turn, as `quandary prompt` prints them.

    **Parameters:**

    * **spec** - The instance, such as `"sudokill/easy#7"`.
    * **seat** - The seat of the model.
    * **tries** - Answers that may be given to a question.
    * **shots** - Worked examples before the question.
    * **history** - Whether earlier turns are part of the prompt.
    * **list_moves** - Whether legal moves are listed.
    * **prompting** - `"steps"` (step by step), `"none"` (the answer alone) or `"tree"`.
    * **modality** - How positions are shown: as `"text"`, `"image"` or `"both"`.
    * **allow_code** - `False` tells the model not to write programs.
    * **parsing** - Which reading of a reply is played, `"lenient"` or `"strict"`.
    * **system** - The system message; `None` for our own, `""` for none.
    * **language** - The language of the prompt, `"en"` or `"zh"`.
    """
    session = Session(
        spec,
        seat=seat,
        tries=tries,
        shots=shots,
        history=history,
        list_moves=list_moves,
        prompting=prompting,
        modality=modality,
        allow_code=allow_code,
        parsing=parsing,
        system=system,
        language=language,
    )
    return session.messages(seat)


def _checked(settings: PromptSettings) -> PromptSettings:
    """Return prompt settings unchanged; raise UserError if one has a wrong value."""
    for name, known in vars(PromptSettings()).items():
        value, kind = getattr(settings, name), str if known is None else type(known)
        if type(value) is not kind and value is not known:
            raise UserError(
                f"{name}={value!r} is not valid; write a value of type {kind.__name__}."
            )
    for name, choices in CHOICES.items():
        if (given := getattr(settings, name)) not in get_args(choices):
            raise unknown(name, given, get_args(choices))
    if not 0 <= settings.shots <= MOST_SHOTS:
        raise UserError(f"shots={settings.shots} is not valid; write 0 to {MOST_SHOTS}.")
    return settings


def _players(start: Game, seat: Seat, opponents: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return the name of every seat's player."""
    if opponents is None:
        return (LEARNER,) * start.seats
    others = start.seats - 1
    if not isinstance(opponents, str):
        check_names("opponents", opponents)
    named = [opponents] * others if isinstance(opponents, str) else list(opponents)
    for name in named:
        if name == LEARNER or is_person(name):
            raise UserError(
                f"{name!r} cannot be an opponent; name a strategy, random, house or a program."
            )
    if len(named) != others:
        raise UserError(
            f"name {counted(others, 'opponent')}, one per other seat, not {len(named)}."
        )
    named.insert(seat, LEARNER)
    return tuple(named)


def _plain(message: Message) -> dict[str, Any]:
    """Return a message as OpenAI-compatible servers take it."""
    if all(isinstance(part, str) for part in message.parts):
        return {"role": message.role, "content": "\n\n".join(map(str, message.parts))}
    return {"role": message.role, "content": [_plain_part(part) for part in message.parts]}


def _plain_part(part: Part) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    url = f"data:image/png;base64,{b64encode(part.png).decode()}"
    return {"type": "image_url", "image_url": {"url": url}}
