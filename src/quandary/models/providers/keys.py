"""Keeps keys out of what is shown and stored: some servers repeat what they were sent.

A key of fewer than eight characters is no secret (a placeholder such as `1` or `EMPTY`) and may
be part of any word, so it is never removed.  Of a longer one, any eight characters in a row are
removed from every text of a server: in upper or lower case, backwards, with spaces between them,
escaped as in JSON, URLs and HTML, in Base64 and in hexadecimal digits.

A model may write a word or a number without having seen the key it is part of (`required`, of the
placeholder `sk-no-key-required`).  So generated texts keep fewer than 16 letters, or digits, alone,
unless they are the whole key.  Error messages keep none, and lose the first and last characters of
a key beside a mask too, as in `sk-abc...wxyz`.
"""

from __future__ import annotations

import re
from base64 import b64encode, urlsafe_b64encode
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from string import ascii_lowercase, ascii_uppercase
from typing import NamedTuple

from quandary.models.provider import Completion

from .key_search import ESCAPE, KeySearch, unescaped

SHORTEST = 8  # characters of a key that is a secret, and of a piece of one
SHORTEST_OF_ONE_KIND = 16  # letters alone, or digits alone, in a generated text
SHORTEST_IN_HEX, SHORTEST_IN_BASE64 = 2 * SHORTEST, 12
SHORTEST_BESIDE_MASK = 3
HIDDEN = "***"
MASK = re.compile(r"\*+|\.{2,}|…+|[•●·]+|#{2,}|[xX]{3,}|[\[<(]\w+[\])>]")
LONGEST_MESSAGE = 10_000  # characters; of messages, only the beginning is shown anyway
# Of ASCII alone, as keys are: other letters may become two.
LOWER_CASE = str.maketrans(ascii_uppercase, ascii_lowercase)
BASE64 = re.compile(r"[\w+/-]?={0,2}", re.ASCII)  # what depends on the key and on what follows it


class Span(NamedTuple):
    """A part of a text."""

    start: int
    end: int


class KeyRemover:
    """Removes keys from the texts of a server."""

    def __init__(self, *keys: str) -> None:
        plain = {key: _plain(key).text for key in keys}
        self._keys = [key for key in keys if len(plain[key]) >= SHORTEST]
        self._whole = [plain[key] for key in self._keys]
        self._pieces = defaultdict[int, set[str]](set)  # by their length; in lower case
        for key in self._whole:
            for spelling, least in _spellings(key):
                pieces = (spelling[i : i + least] for i in range(len(spelling) - least + 1))
                self._pieces[least].update(pieces)

    @cached_property
    def _search(self) -> KeySearch:
        return KeySearch(piece for pieces in self._pieces.values() for piece in pieces)

    def from_completion(self, completion: Completion) -> Completion:
        """Return a completion without the keys."""
        texts = [completion.model]
        for text, thinking, _ in completion.generations:
            texts += (text, thinking)
        # All at once, which finds no less: what is between two texts is squeezed out.
        if not self._keys or not self._search.may_find_in("\n".join(texts)):
            return completion
        generations = tuple(
            generation._replace(
                text=self.from_text(generation.text), thinking=self.from_text(generation.thinking)
            )
            for generation in completion.generations
        )
        return completion._replace(generations=generations, model=self.from_text(completion.model))

    def from_text(self, text: str) -> str:
        """Return a generated text without the keys and without pieces that tell of them."""
        return _hidden(
            text, (span for span in self._found(text) if self._belongs_to_key(text, span))
        )

    def from_message(self, text: str) -> str:
        """Return an error message without the keys and without any piece of them."""
        if not self._keys:
            return text
        text = text[:LONGEST_MESSAGE]
        text = _hidden(text, self._found(text))
        for key in self._keys:
            text = _hidden(text, _masked(key, text))
        return text

    def _found(self, text: str) -> list[Span]:
        """Return where pieces of the keys are, those that overlap taken together."""
        if not self._keys or not self._search.may_find_in(text):
            return []  # as nearly always; what follows is slow
        plain = _plain(text)
        spans, lower = list[Span](), plain.text.translate(LOWER_CASE)
        for least, pieces in self._pieces.items():
            for i in range(len(lower) - least + 1):
                if lower[i : i + least] in pieces:
                    start, end = plain.spans[i].start, plain.spans[i + least - 1].end
                    if least == SHORTEST_IN_BASE64:
                        found = BASE64.match(text, end)
                        end = found.end() if found else end
                    spans.append(Span(start, end))
        return _joined(sorted(spans))

    def _belongs_to_key(self, text: str, span: Span) -> bool:
        """Return whether a piece cannot well be a word or a number that has nothing to do with a
        key.
        """
        shown = text[span.start : span.end]
        piece = _plain(shown).text
        one_kind = piece.isalpha() or piece.isdecimal()
        if not one_kind or len(piece) >= SHORTEST_OF_ONE_KIND:
            return True
        return piece in self._whole and not re.search(r"\s", shown)


class PlainText(NamedTuple):
    """A text without escapes, white space and backslashes, and where its characters come from."""

    text: str
    spans: list[Span]


def _plain(text: str) -> PlainText:
    characters, spans = list[str](), list[Span]()
    for decoded, span in _units(text):
        kept = [character for character in decoded if character != "\\" and not character.isspace()]
        characters += kept
        spans += [span] * len(kept)
    return PlainText("".join(characters), spans)


def _units(text: str) -> Iterator[tuple[str, Span]]:
    """Yield every escape, and every character outside of escapes."""
    end = 0
    for escape in [*ESCAPE.finditer(text), None]:
        for i in range(end, escape.start() if escape else len(text)):
            yield text[i], Span(i, i + 1)
        if escape:
            end = escape.end()
            yield unescaped(escape), Span(*escape.span())


def _spellings(key: str) -> Iterator[tuple[str, int]]:
    """Yield the ways to write a key, in lower case, and how much of each is a piece."""
    yield key.lower(), SHORTEST
    yield key[::-1].lower(), SHORTEST
    yield key.encode().hex(), SHORTEST_IN_HEX
    for offset in range(3):
        for encode in (b64encode, urlsafe_b64encode):
            encoded = encode(bytes(offset) + key.encode()).decode()
            # Only whole characters of the key: those at both ends depend on what is beside it.
            part = encoded[-(-offset * 8 // 6) : (offset + len(key)) * 8 // 6]
            yield part.lower(), min(SHORTEST_IN_BASE64, len(part))


def _joined(spans: Iterable[Span]) -> list[Span]:
    """Yield spans in order, with touching ones joined."""
    joined = list[Span]()
    for span in spans:
        if joined and span.start <= joined[-1].end:
            joined[-1] = Span(joined[-1].start, max(joined[-1].end, span.end))
        else:
            joined.append(span)
    return joined


def _masked(key: str, text: str) -> Iterator[Span]:
    """Yield where the first or last characters of a key stand beside a mask."""
    lengths = range(len(key), SHORTEST_BESIDE_MASK - 1, -1)
    for mask in MASK.finditer(text):
        start, end = mask.span()
        first = next((n for n in lengths if text.endswith(key[:n], 0, start)), 0)
        last = next((n for n in lengths if text.startswith(key[-n:], end)), 0)
        if first or last:
            yield Span(start - first, end + last)


def _hidden(text: str, spans: Iterable[Span]) -> str:
    """Return a text with some spans, in order, replaced; those that touch are replaced together."""
    shown, end = list[str](), 0
    for span in _joined(spans):
        shown += [text[end : span.start], HIDDEN]
        end = span.end
    return "".join(shown) + text[end:]
