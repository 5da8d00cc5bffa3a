"""A match of a person at the terminal: moves can be taken back, also after the end."""

from __future__ import annotations

from collections.abc import Sequence

from quandary.core.contract import Cause, Game, Language, Seat
from quandary.core.errors import StopRun
from quandary.core.words import Say, say_in
from quandary.matches.drivers import leave, play_on, seated
from quandary.matches.engine import Match
from quandary.matches.player import Player, TakeBack
from quandary.matches.record import Record

from .human import Human, HumanSitting


async def play_at_terminal(
    game: Game, human: Human, seat: Seat, players: Sequence[Player], name: str
) -> Record:
    """Play until the person leaves the match, at its end or before, or until it has to stop."""
    match = Match(game, name)
    sittings = seated(match, players)
    sitting = sittings[seat]
    assert isinstance(sitting, HumanSitting)
    try:
        while True:
            try:
                await play_on(match, sittings)
                _show_end(match, human, seat)
                await _part(match, human, sitting)
            except TakeBack as back:
                match = match.taken_back(back.number)
                continue
            except StopRun as why:
                say = say_in(__name__, human.language)
                human.show(say("The match was cut off: {why}.", why=why))
            return match.record([player.name for player in players])
    finally:
        await leave(sittings)


def _show_end(match: Match, human: Human, seat: Seat) -> None:
    last, record = match.position.seen_by(seat), match.record([""] * match.start.seats)
    if record.cause != "resigned":
        human.show("\n" + last.text(seat, human.language))
    human.show(result(record, seat, human.language))


async def _part(match: Match, human: Human, sitting: HumanSitting) -> None:
    """Ask what to do after the end; TakeBack if the person plays on from an earlier turn."""
    say = say_in(__name__, human.language)
    if not human.alone or match.record([""] * match.start.seats).cause == "resigned":
        return
    human.show(say("/again plays another instance, /undo takes back your last move, Enter leaves."))
    while True:
        try:
            said = (await human.ask("> ")).strip().casefold()
        except (EOFError, OSError):
            return
        if said == "/undo" and sitting.turns:
            human.used["undos"] += 1
            raise TakeBack(sitting.turns.pop())
        human.again = said == "/again"
        if said in ("", "/again", "/quit"):
            return


def result(record: Record, seat: Seat, language: Language) -> str:
    """How a match ended for a seat, in one line."""
    say = say_in(__name__, language)
    if record.cause == "resigned":
        own = record.offender in (seat, None)
        return say("You gave up.") if own else say("Your opponent gave up.")
    if record.scores is None:
        return say("The match was cut off.")
    score = record.scores[seat]
    values = {"outcome": _outcome(record, seat, say), "score": f"{score:g}"}
    values["cause"] = _cause(record.cause, say)
    if record.values is None:
        return say("{outcome} (score {score}; ended by: {cause}).", **values)
    values["value"] = f"{record.values[seat]:g}"
    return say("{outcome} (score {score}; value {value}; ended by: {cause}).", **values)


def _outcome(record: Record, seat: Seat, say: Say) -> str:
    assert record.scores is not None
    score = record.scores[seat]
    if len(record.scores) > 1:
        won, lost = score == 1.0, score == 0.0
        return say("You win") if won else say("You lose") if lost else say("A draw")
    if score == 1.0:
        return say("Solved")
    return say("Not solved") if record.values is None else say("Done")


def _cause(cause: Cause, say: Say) -> str:
    known = {
        "goal": say("the goal was reached"),
        "no_move": say("no move was left"),
        "dead_end": say("the position became a dead end"),
        "limit": say("the limit was reached"),
        "illegal": say("an illegal move"),
        "unreadable": say("replies that could not be read"),
        "timeout": say("the time was over"),
    }
    return known.get(cause, cause)
