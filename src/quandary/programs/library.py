"""Programs by their names.

`program/PATH.py` is the file at that path, and `program/MODEL_3.py` in a run that draws programs
the third sample of a model.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from quandary.core.errors import UserError

PREFIX, SUFFIX = "program/", ".py"
LONGEST = 1 << 20  # characters of a program
MOST_BYTES = 4 * LONGEST + 3  # that so many characters can take, with a mark of byte order
SAMPLE = re.compile(r"_\d+$")  # the number of a drawn program


class Program(NamedTuple):
    """A program: its text, and who wrote it."""

    name: str
    code: str
    author: str

    @property
    def hash(self) -> str:
        """Equal for programs with equal text."""
        return hash_of(self.code)


def is_program(name: str) -> bool:
    """Return whether a player's name means a program."""
    return name.startswith(PREFIX)


def is_sample(name: str) -> bool:
    """Return whether a player's name means one of several programs of an author."""
    return is_program(name) and SAMPLE.search(name.removesuffix(SUFFIX)) is not None


def read_program(name: str) -> Program:
    """Return the program of a player's name; UserError if there is no such file."""
    path = Path(name.removeprefix(PREFIX))
    if not is_storable(name):
        raise UserError(f"the name {str(path)!a} is not written in UTF-8; rename the file.")
    if path.suffix != SUFFIX:
        raise UserError(f"{name!r} is not a program; write program/ and the path of a .py file.")
    try:
        if path.exists() and not path.is_file():  # reading a pipe or a device may never end
            raise UserError(f"the program {str(path)!r} is not a file.")
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        is_too_long = len(data) > MOST_BYTES
        code = "" if is_too_long else data.decode("utf-8-sig")
    except FileNotFoundError:
        raise UserError(f"there is no program {str(path)!r}.") from None
    except OSError as fault:
        raise UserError(f"the program {str(path)!r} cannot be read: {fault.strerror}.") from None
    except UnicodeDecodeError:
        raise UserError(f"the program {str(path)!r} is not written in UTF-8.") from None
    except ValueError:  # the name has a null character
        raise UserError(f"{str(path)!r} is not a valid file name.") from None
    if is_too_long or len(code) > LONGEST:
        raise UserError(f"the program {str(path)!r} has more than {LONGEST:,} characters.")
    return Program(name, code, author_of(name))


def is_storable(text: str) -> bool:
    """Return whether a text can be written in UTF-8: it has no half of a surrogate pair."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def drawn_name(model: str, number: int) -> str:
    """Return the player that is a sample of a model."""
    return f"{PREFIX}{model}_{number}{SUFFIX}"


def author_of(name: str) -> str:
    """Return who wrote a program, by its name: what stands before the number of the sample."""
    return SAMPLE.sub("", name.removeprefix(PREFIX).removesuffix(SUFFIX))


def family(player: str) -> str:
    """Return the model that has written a program; other players are families of their own."""
    return author_of(player) if is_program(player) else player


def hash_of(code: str) -> str:
    return blake2b(code.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
