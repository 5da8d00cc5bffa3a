"""String processing: commands of a small editor change a document or look something up in it.

From LogicGame, with its operations and numbers of commands.  Where the paper leaves it open, the
places that are found are counted from 1, as the places in commands are.  In family b, the last
operation counts from the end and goes towards the beginning, as the Chinese prompts say.  Commands
are planted: each is made for the document that has been reached, so that it fits and matters.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from string import ascii_lowercase
from typing import Annotated, Self

from quandary.core.boards import Cell, Row, board, captions, letters, stack
from quandary.core.bounds import Between, Range
from quandary.core.contract import Doc, Language, Seat
from quandary.core.scene import Scene
from quandary.core.words import Say
from quandary.core.worked import Words, Work, Worked, grown
from quandary.puzzles.questions.execution._shared.renaming import Names, exchanged_names, in_order
from quandary.puzzles.questions.execution._shared.rewriting import once_each, planted_once

from .solver import OPERATIONS, Command, Edited, drawn, executed

LETTERS = 7  # of which documents and texts are made, so that some of them come again


@dataclass(frozen=True)
class StringProcessing(Worked):
    operations: Annotated[
        tuple[str, ...], Doc("the operations; the code of each is its place, from 1")
    ]
    document: Annotated[str, Doc("the text before the first command")]
    commands: Annotated[
        tuple[Command, ...], Doc("the commands in order; a place or number of 0 is not given")
    ]

    families = {
        "a": "texts are appended, and parts of the document are kept",
        "b": "texts are put at the beginning, and parts of the document are deleted",
    }
    sizes = {
        "a": grown(
            operations=(1, 3, 4, 5), letters=((7, 12), *[(6, 9)] * 3), commands=(1, 4, 6, 8)
        ),
        "b": grown(
            operations=(1, 3, 4, 5), letters=((7, 12), *[(6, 9)] * 3), commands=(1, 4, 6, 8)
        ),
    }
    without_process = {"a": (0,), "b": (0,)}

    @classmethod
    def draw(
        cls,
        rng: Random,
        family: str,
        level: int,
        *,
        operations: Annotated[int, Between(1, 5)],
        letters: Annotated[Range, Between(6, 40)],
        commands: Annotated[int, Between(1, 20)],
    ) -> Self | None:
        if commands < operations:
            raise ValueError(f"{operations} operations need {operations} commands or more")
        known = OPERATIONS[family][operations]
        wanted = rng.sample([*known, *rng.choices(known, k=commands - operations)], commands)
        alphabet = rng.sample(ascii_lowercase, LETTERS)
        document = "".join(rng.choices(alphabet, k=rng.randint(*letters)))

        def make(state: Edited, made: Sequence[Command]) -> Iterator[Command]:
            command = drawn(rng, wanted[len(made)], state.document, alphabet)
            if command and command not in made[-1:]:  # the same again can undo it
                yield command

        made = planted_once(Edited(document, ""), commands, make, executed)
        return None if made is None else cls(family, level, known, document, tuple(made))

    def rules_in_play(self) -> Sequence[Hashable]:
        return self.operations

    def work(self, without: Hashable = None) -> Work:
        """Commands of an operation that is taken away give out the document as it is."""
        commands = [
            Command("nothing") if command.operation == without else command
            for command in self.commands
        ]
        states = [step.state for step in once_each(Edited(self.document, ""), commands, executed)]
        return Work([states[-1].document], [state.output for state in states])

    def explain(self, say: Say) -> str:
        texts = _texts(say)
        is_one = len(self.commands) == 1
        one_kind = say("There is one kind of command, which begins with its code, 1:")
        kinds = say("There are these kinds of commands, each of which begins with its code:")
        return say.lines(
            say(
                "A document is a string of letters. A program runs one command on it, which begins "
                "with its code, 1:"
            )
            if is_one
            else say(
                "A document is a string of letters. A program runs commands on it one by one, each "
                "on the document that the commands before it have left."
            ),
            not is_one and (one_kind if len(self.operations) == 1 else kinds),
            *(
                say("{code} {text}", code=code, text=texts[operation])
                for code, operation in enumerate(self.operations, start=1)
            ),
            say(
                "Characters are counted from 1, starting with the first one of the document; only "
                "commands with the code {code} count from the end.",
                code=self.operations.index("reverse_before") + 1,
            )
            if "reverse_before" in self.operations
            else say("Characters are counted from 1, starting with the first one of the document."),
            self._finds
            and say(
                "A command that looks for a string leaves the document as it is and outputs only "
                "a number; every other command outputs the whole document after it."
            ),
        )

    def words(self, say: Say) -> Words:
        return Words(
            say("a list with one string, the document after the command.")
            if len(self.commands) == 1
            else say("a list with one string, the document after the last command."),
            say(
                "the list of the outputs of all commands, in order, as strings, numbers too (for "
                'example "3"), one per command. The document before the first command is not '
                "included."
            )
            if self._finds
            else say("the list of the documents after each command, in order, one per command."),
            Work.of_steps(["xyyz", "zxyyz"]),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        lines = [" ".join(command) for command in self._coded()]
        return say.lines(
            say("The document: {document}", document=self.document),
            say("The command:") if len(lines) == 1 else say("The commands:"),
            *lines,
        )

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """Return the document in cells, and a row for each command."""
        say = self.say(language)
        rows: list[Row] = [[Cell(code, "shade"), *rest] for code, *rest in self._coded()]
        title = say("The command:") if len(rows) == 1 else say("The commands:")
        return stack(
            letters(self.document, title=say("The document")),
            stack(captions(title, colour="quiet"), board(rows, size=(2.0, 1.0)), gap=0.25),
        )

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        say = self.say(language)
        return {"shade": say("the codes of the commands")}

    def _coded(self) -> list[list[str]]:
        """Return the code and the arguments of each command."""
        return [
            [str(self.operations.index(one.operation) + 1), *map(str, one.arguments)]
            for one in self.commands
        ]

    @property
    def _finds(self) -> bool:
        """Whether some commands look for a string, and so give out numbers."""
        return any(one.startswith("find") for one in self.operations)

    def equivalent(self, rng: Random) -> Self:
        return self._renamed(exchanged_names(rng, ascii_lowercase))

    def canonical(self) -> Hashable:
        """With the letters named in the order in which they come."""
        seen = "".join([self.document, *(one.text for one in self.commands)])
        one = self._renamed(in_order(seen, ascii_lowercase))
        return self.asks_process, one.operations, one.document, one.commands

    def _renamed(self, names: Names) -> Self:
        commands = tuple(one._replace(text=one.text.translate(names)) for one in self.commands)
        return replace(self, document=self.document.translate(names), commands=commands)


def _texts(say: Say) -> dict[str, str]:
    """Return how each operation is written, and what it does."""
    return {
        "append": say("s: put the string s at the end of the document."),
        "prepend": say("s: put the string s at the beginning of the document."),
        "keep": say(
            "a b: keep only b characters of the document, from the a-th one on (the a-th one "
            "included), and delete all others."
        ),
        "delete": say(
            "a b: delete b characters of the document, from the a-th one on (the a-th one "
            "included), and keep all others."
        ),
        "insert": say("a s: insert the string s directly before the a-th character."),
        "find_first": say(
            "s: look for the string s in the document and output the number of the character at "
            "which its first occurrence begins, or -1 if it does not occur."
        ),
        "find_last": say(
            "s: look for the string s in the document and output the number of the character at "
            "which its last occurrence begins (occurrences may overlap), or -1 if it does not "
            "occur."
        ),
        "reverse": say(
            "a b: reverse the order of b characters, from the a-th one on (the a-th one included)."
        ),
        "reverse_before": say(
            "a b: reverse the order of the b characters that end with the a-th character from the "
            "end of the document, that one included (the last character is the 1st from the end); "
            "all others stay."
        ),
    }
