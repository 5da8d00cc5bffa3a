"""Finds out soon that a text holds no piece of a key, as nearly every text does.

A text is squeezed first: of its characters, in lower case, only those that pieces have are left, so
that the characters of a piece stand side by side.  Each two of them are then read as one code
point (UTF-16), because `re` looks up a code point in a set at once.  Wherever a piece of seven
characters or more begins, three of these pairs in a row are its own.  One of them is searched for:
one that is rare in other texts, so that little has to be looked at more closely.
"""

from __future__ import annotations

import re
from codecs import utf_16_le_decode
from collections import defaultdict
from collections.abc import Iterable, Iterator
from html import unescape
from string import printable, whitespace

SHORTEST_PIECE = 7  # squeezed characters that hold three pairs, at odd and even places
ESCAPE = re.compile(
    r"\\{1,8}(?:u00|x)(?P<code>[0-9a-f]{2})"
    r"|%(?:25){0,4}(?P<percent>[0-9a-f]{2})"
    r"|&(?:amp;){0,4}(?P<entity>#[0-9]{1,9};|#x[0-9a-f]{1,7};|[a-z]{2,20};)",
    re.IGNORECASE,
)
# What every escape has in it; each begins with a fixed character, so `re` finds them fast.
ESCAPE_SIGNS = {
    "\\": re.compile(r"\\(?:u00|x)[0-9a-f]{2}", re.IGNORECASE),
    "%": re.compile(r"%[0-9a-f]{2}", re.IGNORECASE),
    "&": re.compile(r"&(?:#[0-9]{1,9}|#x[0-9a-f]{1,7}|[a-z]{2,20});", re.IGNORECASE),
}
KEPT = frozenset(printable.encode()) - frozenset(whitespace.encode()) - {ord("\\")}
LOWER_CASE = bytes(range(256)).lower()
# Letters and digits of replies, the frequent ones first; other characters are rarer.
FREQUENT = b"etaoinshrdlucm0123456789fpgwybvkxjqz"
RARITY = {character: place for place, character in enumerate(FREQUENT)}


class KeySearch:
    """Tells whether a text may hold one of some pieces, in time that hardly counts."""

    def __init__(self, pieces: Iterable[str]) -> None:
        squeezed = {_squeezed(piece, _all_but(KEPT)) for piece in pieces}
        # Pieces with too few ASCII characters cannot be looked for.
        self._is_possible = all(len(piece) >= SHORTEST_PIECE for piece in squeezed)
        self._squeezed_out = _all_but(frozenset(b"".join(squeezed)))
        pairs, rare = set[bytes](), set[bytes]()
        self._triples = set[bytes]()  # of pairs
        self._parts = defaultdict[int, set[bytes]](set)  # halves of pieces and more, by length
        for piece in sorted(squeezed) if self._is_possible else ():
            self._triples.update(_parts(piece, 6))
            part = len(piece) // 2 + 1
            self._parts[part].update(_parts(piece, part))
            for first in (0, 1):  # it may begin within a pair
                known = [piece[i : i + 2] for i in range(first, len(piece) - 1, 2)]
                pairs.update(known)
                if rare.isdisjoint(known[:-1]):  # another one follows it
                    rare.add(max(known[:-1], key=_rarity))
        some, one = _set_of(pairs), _set_of(rare)
        in_a_row = f"{one}(?={some})(?:(?=.{some})|(?<={some}.))"
        self._find = re.compile(in_a_row, re.S).finditer

    def may_find_in(self, text: str) -> bool:
        """Return False only if the text has none of the pieces, whatever its escapes stand for."""
        if not self._is_possible:
            return True
        if any(sign in text and escape.search(text) for sign, escape in ESCAPE_SIGNS.items()):
            text = ESCAPE.sub(unescaped, text)
        squeezed = _squeezed(text, self._squeezed_out)
        for pair in self._find(_pairs(squeezed)):
            at = 2 * pair.start()
            if (
                squeezed[at : at + 6] in self._triples or squeezed[at - 2 : at + 4] in self._triples
            ) and self._is_in_a_piece(squeezed, at):
                return True
        return False

    def _is_in_a_piece(self, squeezed: bytes, at: int) -> bool:
        """Return whether a pair may be in a piece, half of which then begins or ends with it."""
        return any(
            squeezed[at : at + length] in parts or squeezed[at + 2 - length : at + 2] in parts
            for length, parts in self._parts.items()
        )


def unescaped(escape: re.Match[str]) -> str:
    """Return what a match of ESCAPE stands for."""
    if code := escape["code"] or escape["percent"]:
        return chr(int(code, 16))
    return unescape(f"&{escape['entity']}")


def _squeezed(text: str, out: bytes) -> bytes:
    """Return the ASCII characters of a text in lower case, without some of them."""
    return text.encode("ascii", "ignore").translate(LOWER_CASE, out)


def _all_but(kept: frozenset[int]) -> bytes:
    """Return all bytes but some characters, in lower and upper case."""
    return bytes(frozenset(range(256)) - kept - frozenset(bytes(kept).upper()))


def _pairs(squeezed: bytes) -> str:
    """Return each two characters as one code point; none is a surrogate, as all are ASCII."""
    # `bytes.decode` looks for this codec by its name, which takes longer than decoding.
    return utf_16_le_decode(squeezed + b" " * (len(squeezed) % 2))[0]


def _set_of(pairs: Iterable[bytes]) -> str:
    """Return a regular expression for any of some pairs; for nothing if there are none."""
    return f"[{_pairs(b''.join(sorted(pairs)))}]" if pairs else "(?!)"


def _parts(piece: bytes, length: int) -> Iterator[bytes]:
    return (piece[i : i + length] for i in range(len(piece) - length + 1))


def _rarity(pair: bytes) -> int:
    return sum(RARITY.get(character, len(RARITY)) for character in pair)
