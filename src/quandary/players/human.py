"""A person at the terminal."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from difflib import get_close_matches

from quandary.core.contract import Language, Move, Seat
from quandary.core.errors import Unreadable
from quandary.core.words import say_in
from quandary.matches.player import Forfeit, Reply, TakeBack, Turn
from quandary.render.screen import colourful, listed, show, terminal_width

from .advice import beginning, hint, solution
from .keyboard import KEYBOARD
from .typed_answers import JsonTyped, type_in, typed_shape

LISTED = 60  # moves listed by /moves
Show = Callable[[str], None]


class Human:
    """Reads the position and types moves; a move that is not allowed may be typed again."""

    def __init__(
        self,
        ask: Callable[[str], Awaitable[str]] = KEYBOARD.ask,
        show: Show = show,
        language: Language = "en",
        alone: bool = False,
    ) -> None:
        """`alone`: nobody else is a person or a model, so /undo and /again are offered."""
        self.ask, self.show, self.language, self.alone = ask, show, language, alone
        self.say = say_in(__name__, language)
        self.used = Counter[str]()  # what helped: hints, undos, solutions
        self.again = False  # whether another instance is wanted

    @property
    def name(self) -> str:
        """With what helped, so that a record tells: "human,hints=2,undos=1"."""
        return ",".join(["human", *(f"{what}={count}" for what, count in self.used.items())])

    def sit(self, seat: Seat, luck: str) -> HumanSitting:
        return HumanSitting(self)

    def commands(self) -> dict[str, str]:
        """What can be typed besides a move, and what it does."""
        say = self.say
        found = {
            "/help": say("show this list"),
            "/rules": say("show the rules again"),
            "/moves": say("list the legal moves"),
            "/draw": say("draw the position"),
            "/hint": say("show what the strongest player would do"),
            "/solution": say("show a solution"),
        }
        if self.alone:
            found["/undo"] = say("take back your last move")
            found["/again"] = say("give up and play another instance of this level")
        return found | {"/quit": say("give up and leave")}


class CommandTyped(Exception):
    """A command was typed where a part of an answer was asked for."""


class HumanSitting:
    def __init__(self, human: Human) -> None:
        self.human, self.say, self.welcomed = human, human.say, False
        self.turns = list[int]()  # the numbers of the turns that were answered

    async def act(self, turn: Turn) -> Reply:
        try:
            return await self._act(turn)
        except (EOFError, OSError):  # the terminal was closed
            raise Forfeit("resigned") from None

    async def _act(self, turn: Turn) -> Reply:
        show, language = self.human.show, self.human.language
        if not self.welcomed:
            self.welcomed = True
            show(f"{turn.position.rules(language)}\n\n{self._help(turn)}")
        show("\n" + turn.position.text(turn.seat, language))
        if turn.refused:
            show(turn.position.refusal(turn.refused, language))
        while True:
            try:
                said = await self._listen(turn)
            except CommandTyped as command:
                show(self._obey(str(command), turn))
                continue
            if not (problem := self._problem(turn, said)):
                self.turns.append(turn.number)
                return Reply(said)
            show(problem)

    async def _listen(self, turn: Turn) -> str:
        """One line, or for longer answers all lines up to an empty one or the end of the input."""
        try:
            if shape := typed_shape(turn.position):
                say = say_in("quandary.players.typed_answers", self.human.language)
                return shape.write(await type_in(shape, self._line, say))
            first = await self._line("> ")
        except JsonTyped as typed:
            first = str(typed)
        if turn.position.form == "line":
            return first
        lines = [first]
        with suppress(EOFError):
            while (line := await self.human.ask("")).strip():
                lines.append(line)
        return "\n".join(lines)

    async def _line(self, prompt: str) -> str:
        line = await self.human.ask(prompt)
        command = line.strip().casefold()
        # A typing error must not cost a try.
        near = get_close_matches(command, self.human.commands(), n=1, cutoff=0.7)
        if near and command.startswith("/"):
            raise CommandTyped(command)
        return line

    def _obey(self, command: str, turn: Turn) -> str:
        """Do what a command says; what is shown then."""
        human, say, position = self.human, self.say, turn.position
        match command:
            case "/quit" | "/again":
                human.again = command == "/again"
                raise Forfeit("resigned", command)
            case "/undo":
                if not self.turns:
                    return say("There is no move of yours to take back.")
                human.used["undos"] += 1
                raise TakeBack(self.turns.pop())
            case "/rules":
                return position.rules(human.language)
            case "/moves":
                return self._listing(turn)
            case "/draw":
                return drawn(turn, human.language)
            case "/hint":
                return self._hint(turn)
            case "/solution":
                return self._solution(turn)
            case "/help":
                return self._help(turn)
        return say("{command} is not a command; /help lists them.", command=command)

    def _help(self, turn: Turn) -> str:
        say, commands = self.say, self.human.commands()
        if typed_shape(turn.position):
            how = say("You are asked for each part of your answer; you can also type it as JSON.")
        elif turn.options is not None:
            how = say("Type your move.")
        elif turn.position.form == "line":
            how = say("Type your answer.")
        else:
            how = say("Type your answer in one or more lines; an empty line ends it.")
        width = max(map(len, commands))
        rows = (f"  {command:<{width}}  {what}" for command, what in commands.items())
        return say.lines(how, say("You can also type:"), *rows)

    def _listing(self, turn: Turn) -> str:
        say = self.say
        if turn.options is None:
            return say("Any answer may be given; the rules say what it looks like.")
        shown = [move for _, move in zip(range(LISTED), turn.options, strict=False)]
        more = len(turn.options) - len(shown)
        moves = listed(shown, say.list(["", ""]), terminal_width())
        return say.lines(moves.strip(), more and say("and {more} more", more=more))

    def _hint(self, turn: Turn) -> str:
        say, move = self.say, hint(turn)
        if move is None:
            return say("No strong player is known for this puzzle.")
        self.human.used["hints"] += 1
        if turn.options is None:
            return say("The answer begins: {start}", start=beginning(move))
        return say("The strongest player would play: {move}", move=move)

    def _solution(self, turn: Turn) -> str:
        say, moves = self.say, solution(turn)
        if moves is None:
            return say("There is no fixed solution: others move or luck decides. Try /hint.")
        self.human.used["solutions"] += 1
        return say.lines(say("Solution:"), *moves)

    def _problem(self, turn: Turn, said: str) -> str:
        """Why a move must be typed again; "" if it is fine."""
        say, language = self.say, self.human.language
        try:
            move: Move = turn.position.read(turn.seat, said)
        except Unreadable as refusal:
            return turn.position.refusal(refusal, language)
        if turn.options is None or move in turn.options:
            return ""
        why = turn.position.why_illegal(turn.seat, move, language)
        return say(
            "{move} is not allowed here. {why}",
            move=move,
            why=why or say("Type another move, or /moves."),
        )

    async def leave(self) -> None:
        sys.stdout.flush()


def drawn(turn: Turn, language: Language) -> str:
    """The position as characters."""
    from quandary.render.svg import picture
    from quandary.render.terminal import terminal

    return terminal(picture(turn.position, turn.seat, language), colourful())
