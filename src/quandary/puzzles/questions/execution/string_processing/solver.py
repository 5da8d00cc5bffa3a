"""Commands of a small editor: what they do to a document, and drawing them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Annotated, NamedTuple

from quandary.core.descriptions import Doc

# Family -> the number of operations -> their names, in the order of their codes.
OPERATIONS = {
    "a": {
        1: ("keep",),
        2: ("append", "keep"),
        3: ("append", "keep", "insert"),
        4: ("append", "keep", "insert", "find_first"),
        5: ("append", "keep", "insert", "find_first", "reverse"),
    },
    "b": {
        1: ("delete",),
        2: ("prepend", "delete"),
        3: ("prepend", "delete", "insert"),
        4: ("prepend", "delete", "insert", "find_first"),
        5: ("prepend", "delete", "insert", "find_last", "reverse_before"),
    },
}
SHORTEST = 4  # characters that a drawn command leaves
MISSING = 0.35  # the chance that what is looked for does not occur
AGAIN = 0.6  # the chance that it occurs more than once, where something does


class Command(NamedTuple):
    """One command: an operation, and what it is told."""

    operation: Annotated[
        str,
        Doc(
            "append: put the text at the end of the document; prepend: at its beginning; insert: "
            "directly before the character at `place`; keep: drop everything except the `number` "
            "characters that start at `place`; delete: remove them; reverse: reverse their order; "
            "reverse_before: reverse the `number` characters that end at `place`; find_first, "
            "find_last: output where the text first or last occurs, or -1 if it does not"
        ),
    ]
    place: Annotated[
        int,
        Doc(
            "the place of a character, counted from 1, for reverse_before from the end of the "
            "document; 0 if the operation takes none"
        ),
    ] = 0
    number: Annotated[
        int,
        Doc("a number of characters, the one at the place included; 0 if none is taken"),
    ] = 0
    text: Annotated[
        str, Doc('the string that is put in or looked for; "" if the operation takes none')
    ] = ""

    @property
    def arguments(self) -> tuple[int | str, ...]:
        """As they are written behind the code of a command."""
        return tuple(one for one in self[1:] if one)


class Edited(NamedTuple):
    document: str
    output: str  # of the last command


def executed(command: Command, state: Edited) -> Edited:
    """Return the document and the output after a command."""
    operation, place, number, text = command
    document = state.document
    start, end = place - 1, place - 1 + number
    if operation == "reverse_before":
        end = len(document) + 1 - place
        start, operation = end - number, "reverse"
    if operation in ("find_first", "find_last"):
        at = document.find(text) if operation == "find_first" else document.rfind(text)
        return Edited(document, str(at + 1 if at >= 0 else -1))
    if operation == "append":
        document += text
    elif operation == "prepend":
        document = text + document
    elif operation == "insert":
        document = document[:start] + text + document[start:]
    elif operation == "keep":
        document = document[start:end]
    elif operation == "delete":
        document = document[:start] + document[end:]
    elif operation == "reverse":
        document = document[:start] + document[start:end][::-1] + document[end:]
    return Edited(document, document)


def drawn(rng: Random, operation: str, document: str, alphabet: Sequence[str]) -> Command | None:
    """Return a command for a document that it changes, or in which it looks for something."""
    size = len(document)
    if operation in ("append", "prepend", "insert"):
        text = "".join(rng.choices(alphabet, k=rng.randint(2, 4)))
        return Command(operation, rng.randint(2, size) if operation == "insert" else 0, text=text)
    if operation.startswith("find"):
        return Command(operation, text=_looked_for(rng, document, alphabet))
    if size <= SHORTEST:
        return None
    if operation == "keep":
        number = rng.randint(max(SHORTEST, size // 2), size - 1)
    elif operation == "delete":
        number = rng.randint(1, min(5, size - SHORTEST))
    else:
        number = rng.randint(2, min(5, size))
    command = Command(operation, rng.randint(1, size - number + 1), number)
    return command if executed(command, Edited(document, "")).document != document else None


def _looked_for(rng: Random, document: str, alphabet: Sequence[str]) -> str:
    """Return a string that occurs in a document, where possible often more than once, or
    does not.
    """
    size = rng.randint(2, 3)
    if rng.random() < MISSING:
        texts = ("".join(rng.choices(alphabet, k=size)) for _ in range(20))
        if missing := next((text for text in texts if text not in document), ""):
            return missing
    parts = [document[at : at + n] for n in (1, 2, 3) for at in range(len(document) + 1 - n)]
    again = [part for part in parts if document.find(part) != document.rfind(part)]
    if again and rng.random() < AGAIN:
        return rng.choice(again)
    return rng.choice([part for part in parts if len(part) == size])
