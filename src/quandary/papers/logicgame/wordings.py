"""All text of a prompt is accounted for: what a reader reads, and the wording around it.

    @reads(WORD)
    def read(prompt: str, level: int) -> CharacterSearch: ...

`WORD` and the like are patterns of what an instance has of its own: their groups, or all of a
match if there are none.  What they match is blanked, and the rest must be the wording of a
published prompt, line by line from the first to the last, with the paragraph about the JSON
object.  A reader takes care that it reads all that is blanked.

The wordings are not ours, so `wordings.txt` has digests of them: of each line together with all
lines before it, and of the end.  `tools/renew_wordings.py` writes it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from typing import Generic, NamedTuple, TypeVar

from quandary.core.worked import Worked

from .prompts import HOW_TO_ANSWER, NotRead, not_understood

Made = TypeVar("Made", bound=Worked)
Pattern = str | re.Pattern[str]
FILE = "wordings.txt"
BLANK = "\0"
ONLY_BLANKS = re.compile(rf"[\s,.;，。；]*(?:{BLANK}[\s,.;，。；]*)+")


class WordingLine(NamedTuple):
    """A line of a prompt, and its wording: without what an instance has of its own."""

    text: str
    wording: str


class Reader(Generic[Made]):
    """Reads the prompts of a category, with all of their text."""

    def __init__(self, find: Callable[[str, int], Made], own: Iterable[Pattern]) -> None:
        self.find = find  # finds what it needs, wherever it stands
        self.own = [re.compile(one, re.M) if isinstance(one, str) else one for one in own]
        self.category = find.__module__.rpartition(".")[2]

    def __call__(self, prompt: str, level: int) -> Made:
        made = self.find(prompt, level)
        known = wordings()
        end = self.start(made)
        for line in lines_of(prompt, self.own):
            end = digest(end, line.wording)
            if end not in known:
                raise not_understood(line.text)
        if digest(end) not in known:
            raise NotRead("its last lines are missing")
        return made

    def digests(self, prompt: str, level: int) -> Iterator[str]:
        """Those that make the wording of a prompt a known one; NotRead if nothing is found."""
        end = self.start(self.find(prompt, level))
        for line in lines_of(prompt, self.own):
            end = digest(end, line.wording)
            yield end
        yield digest(end)

    def start(self, made: Worked) -> str:
        return f"{self.category} {made.family}"


def reads(*own: Pattern) -> Callable[[Callable[[str, int], Made]], Reader[Made]]:
    """Makes a reader that accounts for all text of a function that finds what it needs."""

    def reader(find: Callable[[str, int], Made]) -> Reader[Made]:
        return Reader(find, own)

    return reader


def lines_of(prompt: str, own: Iterable[re.Pattern[str]]) -> Iterator[WordingLine]:
    """Yield the lines with a wording; one with a blank that is repeated counts once."""
    last = ""
    blanked = blank(prompt, own)
    for text, line in zip(prompt.splitlines(), blanked.splitlines(), strict=True):
        wording = re.sub(f"{BLANK}(?: ?{BLANK})*", BLANK, " ".join(line.split()))
        is_repeated = BLANK in wording and wording == last
        if wording and not is_repeated and not ONLY_BLANKS.fullmatch(wording):
            yield WordingLine(text, wording)
            last = wording


def blank(prompt: str, own: Iterable[re.Pattern[str]]) -> str:
    """Return a prompt in which all that patterns match before it says how to answer is blanked."""
    if BLANK in prompt:
        raise not_understood(next(line for line in prompt.splitlines() if BLANK in line))
    task = HOW_TO_ANSWER.split(prompt)[0]
    letters = list(prompt)
    for pattern in own:
        for match in pattern.finditer(task):
            for group in range(1, pattern.groups + 1) if pattern.groups else (0,):
                start, end = match.span(group)
                letters[start:end] = [one if one.isspace() else BLANK for one in match[group] or ""]
    return "".join(letters)


def digest(before: str, wording: str = "") -> str:
    return blake2b(f"{before}\n{wording}".encode(), digest_size=6).hexdigest()


@cache
def wordings() -> set[str]:
    """Return the digests of all published prompts that can be read."""
    return set(files(__package__).joinpath(FILE).read_text("ascii").split())
