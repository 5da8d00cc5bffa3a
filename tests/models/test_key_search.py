"""The fast search for pieces of keys misses nothing that a look at every character finds."""

from __future__ import annotations

import html
import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from random import Random
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits, hexdigits
from urllib.parse import quote

import pytest

from quandary.models.provider import Completion, Generation
from quandary.models.providers import keys
from quandary.models.providers.key_search import KeySearch
from quandary.models.providers.keys import KeyRemover

ESCAPE = re.compile(
    r"\\{1,8}(?:u00|x)(?P<code>[0-9a-f]{2})"
    r"|%(?:25){0,4}(?P<percent>[0-9a-f]{2})"
    r"|&(?:amp;){0,4}(?P<entity>#[0-9]{1,9};|#x[0-9a-f]{1,7};|[a-z]{2,20};)",
    re.IGNORECASE,
)


def units(text: str) -> Iterator[tuple[str, int, int]]:
    """Every character, or escape as what it stands for, with its place; no spaces, no backslash."""
    at = 0
    while at < len(text):
        if escape := ESCAPE.match(text, at):
            code = escape["code"] or escape["percent"]
            stands_for = chr(int(code, 16)) if code else html.unescape(f"&{escape['entity']}")
            end = escape.end()
        else:
            stands_for, end = text[at], at + 1
        for character in stands_for:
            if character != "\\" and not character.isspace():
                yield character, at, end
        at = end


def spellings(key: str) -> Iterator[tuple[str, int]]:
    """The ways to write a key, and how many characters of each in a row tell of it."""
    yield key, 8
    yield key[::-1], 8
    yield key.encode().hex(), 16
    for offset in range(3):
        for encode in (b64encode, urlsafe_b64encode):
            encoded = encode(bytes(offset) + key.encode()).decode()
            part = encoded[-(-offset * 8 // 6) : (offset + len(key)) * 8 // 6]
            yield part, min(12, len(part))


def without(key: str, text: str, *, generated: bool) -> str:
    """The text without pieces of the key, by looking at every place in it."""
    key = "".join(character for character, _, _ in units(key))
    places = list(units(text))
    lower = "".join(one for one, _, _ in places).translate(
        str.maketrans(ascii_uppercase, ascii_lowercase)
    )
    found = list[tuple[int, int]]()
    for spelling, least in spellings(key):
        for i in range(len(spelling) - least + 1):
            piece, at = spelling[i : i + least].lower(), -1
            while (at := lower.find(piece, at + 1)) >= 0:
                start, end = places[at][1], places[at + least - 1][2]
                if least == 12:
                    rest = re.compile(r"[\w+/-]?={0,2}", re.ASCII).match(text, end)
                    end = rest.end() if rest else end
                found.append((start, end))
    spans = joined(sorted(found))
    if generated:
        spans = [span for span in spans if tells(key, text[span[0] : span[1]])]
    for start, end in reversed(spans):
        text = f"{text[:start]}***{text[end:]}"
    return text


def joined(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    together = list[tuple[int, int]]()
    for start, end in spans:
        if together and start <= together[-1][1]:
            start, end = together[-1][0], max(together.pop()[1], end)
        together.append((start, end))
    return together


def tells(key: str, shown: str) -> bool:
    piece = "".join(character for character, _, _ in units(shown))
    if not (piece.isalpha() or piece.isdecimal()) or len(piece) >= 16:
        return True
    return piece == key and not re.search(r"\s", shown)


# Ways in which a server may write a character.
CHARACTERS: list[Callable[[str], str]] = [
    lambda one: one,
    lambda one: f"\\{one}",
    lambda one: f"\\u{ord(one):04x}",
    lambda one: f"\\\\\\x{ord(one):02X}",
    lambda one: f"%{ord(one):02x}",
    lambda one: f"%25{ord(one):02X}",
    lambda one: f"&#{ord(one)};",
    lambda one: f"&#x{ord(one):X};",
    lambda one: f"&amp;#{ord(one)};",
    html.escape,
]
BETWEEN = ["", " ", "\n", "\t\n  ", "\u3000", "\u2028", "%20", "&nbsp;", "\\", "\x1c", "\\u00a0"]
NOISE = ["—", "x", "𝄞", "\0", "5", "-", "&", "%", "\\", "%2", "&#", "\\u00", "İ", "\ud800", "ſ"]
WORDS = ["the row", "is 4,", "required", "password", "12345678", "…", "Answer:", "{3}", "数独"]


def key_of(rng: Random) -> str:
    alphabet = rng.choice([ascii_letters + digits, hexdigits, digits, ascii_lowercase, "aB-"])
    alphabet += rng.choice(["", "-_", "+/", ".~", "%&\\", " "])
    return "".join(rng.choices(alphabet, k=rng.choice([8, 9, 15, 20, 33, 51])))


def spelling_of(key: str, rng: Random) -> str:
    """The key, or a piece of it, in one of the ways that are known."""
    first = rng.randrange(len(key))
    piece = key[first : first + rng.choice([5, 7, 8, 9, 16, len(key)])]
    before = "".join(rng.choices(ascii_letters, k=rng.randrange(4)))
    return rng.choice(
        [
            piece, piece, piece.upper(), piece.lower(), piece[::-1], piece.encode().hex(),
            b64encode(f"{before}{piece}".encode()).decode(),
            urlsafe_b64encode(f"{before}{piece}".encode()).decode(), quote(piece, safe=""),
        ]
    )  # fmt: skip


def text_with(key: str, rng: Random) -> str:
    said = list[str]()
    for _ in range(rng.randrange(1, 4)):
        said.append(rng.choice(WORDS))
        spelled, plainly = spelling_of(key, rng), rng.random() < 0.5
        ways, gaps = rng.choices(CHARACTERS, k=2), rng.choices(BETWEEN, k=2)
        for one in spelled:
            way, gap = rng.choice(ways), rng.choice(gaps)
            said += [one] if plainly else [way(one), gap]
            said += [rng.choice(NOISE)] if rng.random() < 0.01 else []
        said.append(rng.choice(BETWEEN))
    return "".join(said)


def compare(seed: int) -> int:
    """Remove a random key from some texts in both ways; returns from how many it was removed."""
    rng, removed = Random(seed), 0
    key = key_of(rng)
    remover = KeyRemover(key)
    if len([*units(key)]) < 8:  # no secret
        return 0
    for _ in range(15):
        text = text_with(key, rng)
        expected = without(key, text, generated=True)
        assert expected == remover.from_text(text)
        [generation] = remover.from_completion(Completion((Generation("", text),))).generations
        assert expected == generation.thinking
        found = without(key, text, generated=False)
        assert (found != text) <= remover._search.may_find_in(text)
        removed += expected != text
    return removed


def test_no_piece_is_missed() -> None:
    """Random keys in all ways to write them, with gaps and noise; in a good part of the texts the
    keys are found, and in a good part they are not.
    """
    removed = sum(map(compare, range(40)))

    assert 150 < removed < 450


@pytest.mark.heavy
def test_no_piece_is_missed_in_many_texts() -> None:
    """As above, for many keys."""
    assert sum(map(compare, range(40, 1_500))) > 5_000


def test_every_piece_is_found_wherever_it_stands() -> None:
    """At both ends of a text and within it, at even and odd places, next to pieces of pieces; and
    what is one character too short is left.
    """
    key = "sk-9Zr4tW8yB3cF6hJ1"
    remover = KeyRemover(key)
    for spelling, least in spellings(key):
        for i in range(len(spelling) - least + 1):
            piece = spelling[i : i + least]
            for before in ("", "x", "(x", f"{piece[: least - 1]} .", f"{piece[1:]} "):
                for after in ("", "x", f" {piece[: least // 2]}", f".{piece[1:]}"):
                    text = before + piece + after
                    assert remover._search.may_find_in(text)
                    assert without(key, text, generated=True) == remover.from_text(text)
            for short in (piece[1:], piece[:-1]):
                assert short == remover.from_text(short)


def test_pieces_in_escapes_that_are_cut() -> None:
    """A text that ends within an escape, as a reply that is cut off does, or a key that is spread
    over both texts of a reply: each text is judged by itself.
    """
    key = "sk-9Zr4tW8yB3cF6hJ1"
    remover = KeyRemover(key)
    for way in CHARACTERS:
        spelled = "".join(map(way, key))
        for cut in range(len(spelled) + 1):
            texts = spelled[:cut], spelled[cut:]
            [found] = remover.from_completion(Completion((Generation(*texts),))).generations
            expected = [without(key, text, generated=True) for text in texts]
            assert expected == [found.text, found.thinking]


def test_keys_that_are_not_ascii_are_found_too() -> None:
    """Which the fast search cannot look for, so every text is looked at."""
    key = "schlüssel-öäüß-ключ"

    assert KeySearch(["ключключ"]).may_find_in("")
    assert "a *** b" == KeyRemover(key).from_text(f"a {key} b")


def test_ordinary_texts_are_not_looked_at_character_by_character(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Not even long ones: that would take milliseconds."""
    rng = Random(1)
    syllables = ["the", "ing", "and", "ion", "row", "co", "lumn", "sud", "oku", "7", "(4, 5)"]
    texts = [
        "".join(rng.choice(syllables) + rng.choice(["", " ", ", ", ".\n"]) for _ in range(8_000)),
        "\n".join(" ".join(rng.choices("123456789.", k=9)) for _ in range(1_000)),
        "".join(chr(rng.randrange(0x4E00, 0x9FFF)) for _ in range(20_000)),
        r"\frac{1}{2} & 50% of \xi_{3} \\ " * 600,
        "".join(rng.choices(digits, k=100_000)),
        "".join(rng.choices(hexdigits, k=100_000)),
    ]
    removers = [
        KeyRemover("sk-" + "".join(rng.choices(ascii_letters + digits, k=length)))
        for length in (17, 29, 48)
    ]
    removers.append(KeyRemover("sk-proj-Qx7vL2mN9pR4tW8yB3cF6hJ1kD5gS0aZ"))

    def no_look(text: str) -> keys.PlainText:
        raise AssertionError("a text without a key was looked at closely")

    monkeypatch.setattr(keys, "_plain", no_look)
    for text in texts:
        assert len(text) > 15_000
        completion = Completion((Generation(text, text),), model="any")
        assert all(completion is remover.from_completion(completion) for remover in removers)
