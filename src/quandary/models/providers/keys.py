"""Keeps keys out of what is shown and stored: some servers repeat what they were sent.

A key of fewer than eight characters is no secret (a placeholder such as `1` or `EMPTY`) and may
be part of any word, so it is never removed.  A longer one is removed as a whole from every text
of a server, escaped or not.  From error messages, pieces of it are removed too: any eight of its
characters in a row, and its first or last characters beside a mask, as in `sk-abc...wxyz`.
Generated texts keep such pieces, because a model may write them without having seen the key.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from functools import cache
from html.entities import html5

from quandary.models.provider import Completion

SHORTEST = 8  # characters of a key that is a secret, and of a piece of one
SHORTEST_BESIDE_MASK = 3
HIDDEN = "***"
MASK = re.compile(r"\*+|\.{2,}|…+|[•●·]+|#{2,}|[xX]{3,}|[\[<(]\w+[\])>]")
LONGEST_MESSAGE = 10_000  # characters; of messages, only the beginning is shown anyway


class KeyRemover:
    """Removes one key from the texts of a server."""

    def __init__(self, key: str) -> None:
        self._key = key if len(key) >= SHORTEST else ""
        self._whole = re.compile("|".join(_forms(self._key))) if self._key else None
        self._pieces = {key[i : i + SHORTEST] for i in range(len(key) - SHORTEST + 1)}

    def from_completion(self, completion: Completion) -> Completion:
        """A completion without the key."""
        if not self._key:
            return completion
        generations = tuple(
            generation._replace(
                text=self.from_text(generation.text), thinking=self.from_text(generation.thinking)
            )
            for generation in completion.generations
        )
        return completion._replace(generations=generations, model=self.from_text(completion.model))

    def from_text(self, text: str) -> str:
        """A text without the key, in whatever way it is escaped."""
        return self._whole.sub(HIDDEN, text) if self._whole else text

    def from_message(self, text: str) -> str:
        """An error message without the key and without pieces of it."""
        if not self._key:
            return text
        text = self.from_text(text[:LONGEST_MESSAGE])
        text = _hidden(text, self._pieces_in(text))
        return _hidden(text, self._masked_in(text))

    def _pieces_in(self, text: str) -> Iterator[tuple[int, int]]:
        for start in range(len(text) - SHORTEST + 1):
            if text[start : start + SHORTEST] in self._pieces:
                yield start, start + SHORTEST

    def _masked_in(self, text: str) -> Iterator[tuple[int, int]]:
        lengths = range(len(self._key), SHORTEST_BESIDE_MASK - 1, -1)
        for mask in MASK.finditer(text):
            start, end = mask.span()
            first = next((n for n in lengths if text.endswith(self._key[:n], 0, start)), 0)
            last = next((n for n in lengths if text.startswith(self._key[-n:], end)), 0)
            if first or last:
                yield start - first, end + last


def _hidden(text: str, spans: Iterator[tuple[int, int]]) -> str:
    """A text with some spans, in order, replaced; those that touch are replaced together."""
    shown, end = list[str](), 0
    for start, stop in spans:
        if start > end or not shown:
            shown += [text[end:start], HIDDEN]
        end = max(end, stop)
    return "".join(shown) + text[end:]


def _forms(key: str) -> Iterator[str]:
    """Patterns of a key: with any of its characters escaped, and within a text in Base64."""
    yield "".join(map(_character, key))
    for offset in range(3):
        encoded = b64encode(bytes(offset) + key.encode()).decode()
        # Only whole characters of the key: those at both ends depend on what stands beside it.
        part = encoded[-(-offset * 8 // 6) : (offset + len(key)) * 8 // 6]
        yield re.escape(part).replace("/", "[/_]").replace(r"\+", r"[+\-]")


@cache
def _character(character: str) -> str:
    """A pattern of one character as JSON, URLs and HTML may escape it, also repeatedly."""
    code = f"(?i:{ord(character):02x})"
    names = [name for name, stands_for in html5.items() if stands_for == character]
    entities = "|".join([f"#0{{0,6}}{ord(character)};", f"#[xX]0{{0,6}}{code};", *names])
    # A backslash is not doubled: a long row of them could then be read in too many ways.
    before = "" if character == "\\" else r"\\{0,8}"
    forms = [
        before + re.escape(character),
        rf"\\{{1,8}}(?:u00|x){code}",
        f"%(?:25){{0,4}}{code}",
        f"&(?:amp;){{0,4}}(?:{entities})",
    ]
    return f"(?:{'|'.join(forms)})"
