"""A match of a person at the terminal: moves can be taken back, also after the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from quandary.core.contract import Cause, Game, Language, Seat
from quandary.core.control_characters import visible
from quandary.core.errors import StopRun
from quandary.core.words import Say, say_in
from quandary.matches.drivers import leave, play_on, take_seats
from quandary.matches.match import Match
from quandary.matches.player import Player, TakeBack, Turn
from quandary.matches.record import Record
from quandary.matches.remembering import resume
from quandary.render.screen import described, terminal_width

from .advice import has_solution
from .human import Human, SeatedHuman, as_command, drawing_that_fits


async def play_at_terminal(
    game: Game, human: Human, seat: Seat, players: Sequence[Player], name: str
) -> Record:
    """Play until the person leaves the match, at its end or before, or until it has to stop."""
    match = Match(game, name)
    seated_players = take_seats(match, players)
    seated = seated_players[seat]
    assert isinstance(seated, SeatedHuman)
    try:
        while True:
            try:
                await play_on(match, seated_players)
                _show_end(match, human, seat)
                await _part(match, human, seated, seat)
            except TakeBack as back:
                match = match.taken_back(back.number)
                resume(match, enumerate(seated_players))
                continue
            except StopRun as why:
                say = say_in(__name__, human.language)
                human.show(say("The match was cut off: {why}.", why=visible(str(why))))
            return match.record([player.name for player in players])
    finally:
        await leave(seated_players)


def _show_end(match: Match, human: Human, seat: Seat) -> None:
    last, record = match.position.seen_by(seat), match.record([""] * match.start.seats)
    if record.cause != "resigned":
        human.show("\n" + last.text(seat, human.language))
        asked = match.start.options().get(seat, ())
        if asked is not None and (board := drawing_that_fits(last, seat, human.language)):
            human.show("\n" + board)
    human.show(result(record, seat, human.language))


async def _part(match: Match, human: Human, seated: SeatedHuman, seat: Seat) -> None:
    """Ask what to do after the end; TakeBack if the person plays on from an earlier turn."""
    if not human.allowed or match.record([""] * match.start.seats).cause == "resigned":
        return
    options = match.start.options()
    begun = Turn(seat, match.start.seen_by(seat), options.get(seat))
    over = Turn(seat, match.position.seen_by(seat), begun.options)
    choices = _choices(human, solvable=seat in options and has_solution(begun))
    menu, helped = described(choices, terminal_width()), Counter(human.used)
    human.show(menu)
    while (choice := await _choice(human)) not in ("", "/again", "/quit"):
        if choice not in choices:
            human.show(menu)
        else:  # the solution is for the whole match; all others concern its end
            human.show(seated.obey(choice, begun if choice == "/solution" else over))
    human.again = choice == "/again"
    human.used = helped  # what was shown after the end has not helped


def _choices(human: Human, *, solvable: bool) -> dict[str, str]:
    say = say_in(__name__, human.language)
    found = {
        "/again": say("play another instance of this level"),
        "/undo": say("take back your last move"),
        "/solution": say("show a solution"),
        "/draw": say("draw the position"),
        "/rules": say("show the rules again"),
        "Enter": say("leave"),
    }
    useless = {"/undo", "/again"}.difference(human.allowed)
    if not solvable:
        useless.add("/solution")
    return {choice: what for choice, what in found.items() if choice not in useless}


async def _choice(human: Human) -> str:
    try:
        return as_command(await human.ask("> "))
    except (EOFError, OSError):
        return ""


def result(record: Record, seat: Seat, language: Language) -> str:
    """Return how a match ended for a seat, in one line."""
    say = say_in(__name__, language)
    if record.cause == "resigned":
        own = record.offender in (seat, None)
        return say("You gave up.") if own else say("Your opponent gave up.")
    if record.scores is None:
        return say("The match was cut off.")
    outcome, score = _outcome(record, seat, say), f"{record.scores[seat]:g}"
    found = [say("score {score}", score=score)]
    if record.values is not None:
        found.append(say("value {value}", value=f"{record.values[seat]:g}"))
    if record.cause != "goal":  # the outcome says so already
        found.append(_cause(record, seat, say))
    return say("{outcome} ({found}).", outcome=outcome, found=say.list(found))


def _outcome(record: Record, seat: Seat, say: Say) -> str:
    assert record.scores is not None
    score = record.scores[seat]
    if len(record.scores) > 1:
        won, lost = score == 1.0, score == 0.0
        return say("You win") if won else say("You lose") if lost else say("A draw")
    if score == 1.0:
        return say("Solved")
    return say("Not solved") if record.values is None else say("Done")


def _cause(record: Record, seat: Seat, say: Say) -> str:
    if record.cause == "unreadable" and record.offender is not None:
        if record.offender == seat:
            return say("your replies could not be read")
        return say("your opponent's replies could not be read")
    known: dict[Cause, str] = {
        "no_move": say("no move was left"),
        "dead_end": say("the position became a dead end"),
        "limit": say("the limit was reached"),
        "illegal": say("an illegal move"),
        "unreadable": say("replies that could not be read"),
        "timeout": say("the time ran out"),
    }
    return known.get(record.cause, record.cause)
