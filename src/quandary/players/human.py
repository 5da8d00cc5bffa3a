"""A person at the terminal."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress

from quandary.core.contract import Language, Move, Seat
from quandary.core.errors import Unreadable
from quandary.matches.player import Forfeit, Reply, Turn

from .keyboard import KEYBOARD

COMMANDS = ("/rules", "/moves", "/resign", "/help")
HELP = "Type your move, or: /rules, /moves, /resign, /help."
BLOCK_HELP = HELP + " An answer may have several lines; an empty line ends it."
LISTED = 60  # moves listed by /moves


class Human:
    """Reads the position and types moves; a move that is not allowed may be typed again."""

    name = "human"

    def __init__(
        self,
        ask: Callable[[str], Awaitable[str]] = KEYBOARD.ask,
        say: Callable[[str], None] = print,
        language: Language = "en",
    ) -> None:
        self.ask, self.say, self.language = ask, say, language

    def sit(self, seat: Seat, luck: str) -> HumanSitting:
        return HumanSitting(self)


class HumanSitting:
    def __init__(self, human: Human) -> None:
        self.human, self.welcomed = human, False

    async def act(self, turn: Turn) -> Reply:
        try:
            return await self._act(turn)
        except (EOFError, OSError):  # the terminal was closed
            raise Forfeit("resigned") from None

    async def _act(self, turn: Turn) -> Reply:
        say, language = self.human.say, self.human.language
        if not self.welcomed:
            self.welcomed = True
            say(turn.position.rules(language) + "\n\n" + _help(turn))
        say("\n" + turn.position.text(turn.seat, language))
        if turn.refused:
            say(turn.position.refusal(turn.refused, language))
        while True:
            said = await self._listen(turn)
            match said.strip().casefold():
                case "/resign":
                    raise Forfeit("resigned", said)
                case "/rules":
                    say(turn.position.rules(language))
                case "/moves":
                    say(_listing(turn))
                case "/help":
                    say(_help(turn))
                case _:
                    if not (problem := _problem(turn, said)):
                        return Reply(said)
                    say(problem)

    async def _listen(self, turn: Turn) -> str:
        """One line, or for longer answers all lines up to an empty one or the end of the input."""
        first = await self.human.ask("> ")
        if turn.position.form == "line" or first.strip().casefold() in COMMANDS:
            return first
        lines = [first]
        with suppress(EOFError):
            while (line := await self.human.ask("")).strip():
                lines.append(line)
        return "\n".join(lines)

    async def leave(self) -> None:
        sys.stdout.flush()


def _help(turn: Turn) -> str:
    return HELP if turn.position.form == "line" else BLOCK_HELP


def _listing(turn: Turn) -> str:
    if turn.options is None:
        return "Any answer may be given."
    shown = [move for _, move in zip(range(LISTED), turn.options, strict=False)]
    more = len(turn.options) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def _problem(turn: Turn, said: str) -> str:
    """Why a move must be typed again; "" if it is fine."""
    try:
        move: Move = turn.position.read(turn.seat, said)
    except Unreadable as refusal:
        return turn.position.refusal(refusal)
    allowed = turn.options is None or move in turn.options
    return "" if allowed else f"{move} is not allowed here. Type another move, or: /moves."
