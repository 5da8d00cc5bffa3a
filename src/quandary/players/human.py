"""A person at the terminal."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress

from quandary.core.contract import Game, Language, Move, Seat
from quandary.core.errors import Unreadable
from quandary.core.game import refusal as refusal_text
from quandary.core.mixins.turns import Fouls
from quandary.core.moves import half_width
from quandary.core.question import form_of
from quandary.core.scene import Label, Scene
from quandary.core.text_columns import columns
from quandary.core.words import say_in
from quandary.matches.player import Forfeit, Reply, TakeBack, Turn
from quandary.render.screen import colourful, described, listed, show, terminal_width

from .advice import beginning, has_solution, hint, solution
from .keyboard import KEYBOARD
from .people import PERSON, with_help
from .typed_answers import MORE, JsonTyped, Mistyped, check_json, type_in, typed_shape

LISTED = 60  # moves listed by /moves
COMMAND = re.compile(r"/[a-z]+", re.ASCII)  # known or not: a typing error must not cost a try
Show = Callable[[str], None]


class Human:
    """A person who reads the position and types moves, again if a move is not allowed."""

    def __init__(
        self,
        ask: Callable[[str], Awaitable[str]] = KEYBOARD.ask,
        show: Show = show,
        language: Language = "en",
        allowed: Collection[str] = (),
        person: str = PERSON,
    ) -> None:
        """Take in `allowed` those of /undo and /again that the match supports."""
        self.ask, self.show, self.language, self.allowed = ask, show, language, allowed
        self.person = person
        self.say = say_in(__name__, language)
        self.used = Counter[str]()  # what helped: hints, undos, solutions
        self.again = False  # whether another instance is wanted

    @property
    def name(self) -> str:
        """The name with what helped, for the record: "human,hints=2,undos=1"."""
        return with_help(self.person, self.used)

    def take_seat(self, seat: Seat, luck: str) -> SeatedHuman:
        return SeatedHuman(self)

    def commands(self, turn: Turn) -> dict[str, str]:
        """Return the commands that can be typed instead of a move, and what each does."""
        say = self.say
        found = {
            "/help": say("show this list"),
            "/rules": say("show the rules again"),
            "/moves": say("list the legal moves"),
            "/draw": say("draw the position"),
            "/hint": say("show what the strongest player would do"),
            "/solution": say("show a solution"),
            "/undo": say("take back your last move"),
            "/again": say("give up and play another instance of this level"),
            "/quit": say("give up and leave"),
        }
        useless = {"/undo", "/again"}.difference(self.allowed)
        if turn.options is None:
            useless.add("/moves")
        if not has_solution(turn):
            useless.add("/solution")
        return {command: what for command, what in found.items() if command not in useless}


class CommandTyped(Exception):
    """A command was typed where a part of an answer was asked for."""


class SeatedHuman:
    def __init__(self, human: Human) -> None:
        self.human, self.say, self.welcomed = human, human.say, False
        self.turns = list[int]()  # the numbers of the turns that were answered
        self.typed = list[str]()  # the lines of the answer that is being typed

    async def act(self, turn: Turn) -> Reply:
        try:
            return await self._act(turn)
        except (EOFError, OSError):  # the terminal was closed
            raise Forfeit("resigned") from None

    async def _act(self, turn: Turn) -> Reply:
        say, show, language = self.say, self.human.show, self.human.language
        if not self.welcomed:
            self.welcomed = True
            show(f"{turn.position.rules(language)}\n\n{self._help(turn)}")
        show("\n" + turn.position.text(turn.seat, language))
        if turn.options is not None and (
            board := drawing_that_fits(turn.position, turn.seat, language)
        ):
            show("\n" + board)
        if turn.refused:
            show(refusal_text(turn.position, turn.refused, language))
        while True:
            try:
                text = await self._listen(turn)
            except CommandTyped as command:
                show(self.obey(str(command), turn))
                if self.typed:
                    show(say("Begin your answer again."))
                continue
            except Mistyped as mistake:
                show(str(mistake))
                continue
            if not (problem := self._problem(turn, text)):
                self.turns.append(turn.number)
                return Reply(text)
            show(problem)

    async def _listen(self, turn: Turn) -> str:
        """Return one line, or for longer answers all lines to an empty one or the end of input."""
        self.typed.clear()
        say, typed_say = self.say, say_in(type_in.__module__, self.human.language)
        if not (shape := typed_shape(turn.position)):
            await self._line("> ")
            return await self._rest(turn)
        try:
            text = shape.write(await type_in(shape, self._line, typed_say))
        except JsonTyped:
            return check_json(await self._rest(turn), typed_say)
        if not any(line.strip() for line in self.typed):
            raise Mistyped(say("You typed nothing. An empty list is written []."))
        return text

    async def _rest(self, turn: Turn) -> str:
        """Return the answer whose first line is typed."""
        say = self.say
        if not self.typed[0].strip():
            raise Mistyped(say("You typed nothing."))
        if form_of(turn.position) != "line":
            with suppress(EOFError):
                while (await self._line(MORE)).strip():
                    pass
        ended = not self.typed[-1].strip()  # by an empty line, which is not part of it
        return "\n".join(self.typed[:-1] if ended else self.typed)

    async def _line(self, prompt: str) -> str:
        line = await self.human.ask(prompt)
        if COMMAND.fullmatch(command := as_command(line)):
            raise CommandTyped(command)
        self.typed.append(line)
        return line

    def obey(self, command: str, turn: Turn) -> str:
        """Do what a command says; what is shown then."""
        human, say, position = self.human, self.say, turn.position
        if command in {"/undo", "/again"}.difference(human.allowed):
            return say("{command} is not possible in this match.", command=command)
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
                return drawing(position, turn.seat, human.language, colourful())
            case "/hint":
                return self._hint(turn)
            case "/solution":
                return self._solution(turn)
            case "/help":
                return self._help(turn)
        return say("{command} is not a command; /help lists them.", command=command)

    def _help(self, turn: Turn) -> str:
        say, commands = self.say, self.human.commands(turn)
        if typed_shape(turn.position):
            how = say("You are asked for each part of your answer; you can also type it as JSON.")
        elif isinstance(turn.position, Fouls):
            how = say(
                "Type your move. One rule is different for you: your errors are not counted, and "
                "it stays your turn; you are told what is wrong, and type another move."
            )
        elif turn.options is not None:
            how = say(
                "Type your move. One rule is different for you: you do not lose by an illegal "
                "move; you are told what is wrong, and type another one."
            )
        elif form_of(turn.position) == "line":
            how = say("Type your answer.")
        else:
            how = say("Type your answer in one or more lines; an empty line ends it.")
        rows = described(commands, terminal_width())
        return say.lines(how, say("You can also type:"), rows)

    def _listing(self, turn: Turn) -> str:
        say = self.say
        if turn.options is None:
            return say("Any answer may be given; the rules say what it looks like.")
        position, language = turn.position, self.human.language
        some = (move for _, move in zip(range(LISTED), turn.options, strict=False))
        shown = [position.translated(move, language) for move in some]
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
        shown = turn.position.translated(move, self.human.language)
        return say("The strongest player would play: {move}", move=shown)

    def _solution(self, turn: Turn) -> str:
        say, moves = self.say, solution(turn)
        if moves is None:
            return say("There is no fixed solution: others move or luck decides. Try /hint.")
        self.human.used["solutions"] += 1
        return say.lines(say("Solution:"), *moves)

    def _problem(self, turn: Turn, text: str) -> str:
        """Return why a move must be typed again; "" if it is fine."""
        say, language = self.say, self.human.language
        try:
            move: Move = turn.position.read(turn.seat, text)
        except Unreadable as refusal:
            why = refusal_text(turn.position, refusal, language)
            return say.lines(say("This cannot be read as a move or an answer."), why)
        if turn.options is None or move in turn.options:
            return ""
        why = turn.position.why_illegal(turn.seat, move, language)
        return say(
            "{move} is not allowed here. {why}",
            move=turn.position.translated(move, language),
            why=why or say("Type another move, or /moves."),
        )

    async def leave(self) -> None:
        sys.stdout.flush()


def as_command(line: str) -> str:
    """Return a line as commands are written, also from a Chinese keyboard: ／Help is /help."""
    return half_width(line).strip().casefold()


def drawing_that_fits(position: Game, seat: Seat, language: Language) -> str:
    """Return the position as characters, without words that its text has too; "" if it is wider
    than the terminal.
    """
    from quandary.render.terminal import terminal

    seen = position.seen_by(seat)
    scene = seen.scene(seat, language)
    if scene is None:  # the text is its picture
        return ""
    width, known = terminal_width(), _captions_in(seen.text(seat, language), scene)
    lines = terminal(scene, colour=False, without=known).split("\n")
    fits = width is None or max(map(columns, lines)) <= width
    return _drawn(scene, seen.legend(seat, language), colourful(), known) if fits else ""


def drawing(position: Game, seat: Seat, language: Language, colour: bool) -> str:
    """Return the position as characters."""
    from quandary.render.svg import picture

    legend = position.seen_by(seat).legend(seat, language)
    return _drawn(picture(position, seat, language), legend, colour)


def _drawn(
    scene: Scene, legend: Mapping[str, str], colour: bool, without: Collection[Label] = ()
) -> str:
    """Return a picture as characters; without colours, what its signs mean is below it."""
    from quandary.render.terminal import explained_signs, terminal

    signs = "" if colour else explained_signs(scene, legend)
    return terminal(scene, colour, without=without) + (f"\n\n{signs}" if signs else "")


def _captions_in(text: str, scene: Scene) -> list[Label]:
    """Return those captions of a picture that stand in a text, whatever lines they take."""
    found, is_known = list[Label](), False
    for shape in scene.shapes:
        if isinstance(shape, Label) and shape.caption is not None:
            is_known = shape.caption in text if shape.caption else is_known
            if is_known:
                found.append(shape)
    return found
