"""Keys are removed from what servers say, and nothing else is."""

from __future__ import annotations

import html
import json
from base64 import b64encode, urlsafe_b64encode
from urllib.parse import quote

import pytest

from counted_work import calls
from quandary.models.provider import Completion, Generation
from quandary.models.providers.keys import KeyRemover

KEY = "sk-Top+Secret/0123&456789_abcdef"
ESCAPED = {
    "plain": KEY,
    "json": json.dumps(KEY).replace("/", "\\/"),
    "json twice": json.dumps(json.dumps(KEY).replace("/", "\\/")),
    "unicode": "".join(f"\\u{ord(character):04x}" for character in KEY),
    "unicode, some": KEY.replace("S", "\\u0053").replace("+", "\\u002B"),
    "python": "".join(f"\\x{ord(character):02x}" for character in KEY),
    "percent": quote(KEY, safe=""),
    "percent twice": quote(quote(KEY, safe=""), safe=""),
    "percent, all": "".join(f"%{ord(character):02X}" for character in KEY),
    "html": html.escape(KEY),
    "html twice": html.escape(html.escape(KEY)),
    "html, numbers": "".join(f"&#{ord(character)};" for character in KEY),
    "html, hex": "".join(f"&#x{ord(character):X};" for character in KEY),
    "html, names": KEY.replace("/", "&sol;").replace("+", "&plus;").replace("_", "&lowbar;"),
}


@pytest.mark.parametrize("form", ESCAPED)
def test_escaped_keys_are_removed_from_every_text(form: str) -> None:
    """Also where a model is said to have generated them."""
    said = f"You sent {ESCAPED[form]} to me."
    hidden = KeyRemover(KEY).from_completion(Completion((Generation(said, said),), model=said))
    [generation] = hidden.generations

    for text in (generation.text, generation.thinking, hidden.model):
        assert text.replace('\\"', "").replace('"', "").replace("\\", "") == "You sent *** to me."


@pytest.mark.parametrize("before", ["", "x", "xy", "Bearer ", "user:"])
@pytest.mark.parametrize("encode", [b64encode, urlsafe_b64encode])
def test_keys_in_base64_are_removed(before: str, encode: object) -> None:
    """Wherever in the encoded text they stand; what is left is less than a character of them."""
    encoded = encode(f"{before}{KEY}?>".encode()).decode()  # type: ignore[operator]
    hidden = KeyRemover(KEY).from_text(f"Basic {encoded}")

    assert "***" in hidden
    assert len(hidden) < len("Basic ***") + 4 * (len(before) + 5) / 3 + 4


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Incorrect API key provided: sk-Top+S*******************cdef.", "provided: ***."),
        ("key sk-Top...cdef is unknown", "key *** is unknown"),
        ("key sk-Top… is unknown", "key *** is unknown"),
        ("key ending in ...bcdef is unknown", "key ending in *** is unknown"),
        ("key sk-[REDACTED]def is unknown", "key *** is unknown"),
        ("key sk-TopXXXXXXXXdef is unknown", "key *** is unknown"),
        ("no key starts with sk-Top+Sec", "no key starts with ***"),
        ("Secret/0123 and 456789_abcdef", "*** and ***"),
        ("wait... then ask ** again (soon)", "wait... then ask ** again (soon)"),
        ("temperature must be in [0, 2]", "temperature must be in [0, 2]"),
    ],
)
def test_pieces_of_keys_are_removed_from_messages(said: str, shown: str) -> None:
    """As servers show them; other words stay."""
    assert KeyRemover(KEY).from_message(said).endswith(shown)


PIECES = {
    "without its end": KEY[:-3],
    "without its beginning": KEY[5:],
    "upper case": KEY.upper(),
    "lower case": KEY.lower(),
    "backwards": KEY[::-1],
    "with spaces": " ".join(KEY),
    "on lines": "\n".join(KEY),
    "piece": KEY[7:15],
    "escaped piece": "".join(f"\\u{ord(character):04x}" for character in KEY[3:-3]),
    "piece in a URL": "".join(f"%{ord(character):02X}" for character in KEY[3:-3]),
    "hexadecimal": KEY.encode().hex(),
    "piece in Base64": b64encode(KEY[:-3].encode()).decode().rstrip("="),
    "Base64": b64encode(KEY.encode()).decode(),
    "Base64, padded": b64encode(KEY[:-1].encode()).decode(),
}


@pytest.mark.parametrize("form", PIECES)
def test_pieces_of_keys_are_removed_from_every_text(form: str) -> None:
    """Also from what a model is said to have generated; nothing of them is left."""
    assert "You sent *** to me." == KeyRemover(KEY).from_text(f"You sent {PIECES[form]} to me.")


@pytest.mark.parametrize("said", ["sk-Top...cdef", "sk-Top+", "abcdef", "no key", "...", "İ" * 20])
def test_short_pieces_stay_in_generated_texts(said: str) -> None:
    """A model may write them without having seen the key."""
    assert said == KeyRemover(KEY).from_text(said)


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("sk-no-key-required", "A row is required, Required, deriuqer"),
        ("my-secret-password-1234", "Answer: password"),
        ("123456789", "Answer: 1 2 3 4 5 6 7 8 9, 987654321, 12345678"),
        ("key-1234567890", "1234567890"),
    ],
)
def test_words_and_numbers_of_keys_stay_in_generated_texts(key: str, said: str) -> None:
    """They may be answers; the whole key goes."""
    remover = KeyRemover(key)
    assert said == remover.from_text(said)
    assert f"{said} ***" == remover.from_text(f"{said} {key}")


def test_several_keys_are_removed_together() -> None:
    """Each of them, and nothing else."""
    other = "Token/9876543210"
    assert "a *** b *** c" == KeyRemover(KEY, "short", other).from_text(f"a {other} b {KEY} c")


@pytest.mark.parametrize("key", ["", "1", "Answer:", "EMPTY", "ollama", "1234567"])
def test_short_keys_are_no_secrets(key: str) -> None:
    """They may be part of any word."""
    said = f"Answer: 1 {key} EMPTY...{key}***{key}"
    remover = KeyRemover(key)
    completion = Completion((Generation(said),), model="1")

    assert (said, said) == (remover.from_text(said), remover.from_message(said))
    assert completion == remover.from_completion(completion)


@pytest.mark.parametrize("character", ["\\", "&amp;", "%25", "a", "*", "."])
def test_the_work_on_odd_keys_and_texts_is_linear(character: str) -> None:
    """Texts that nearly are the key many times over."""
    remover = KeyRemover(character * 20 + "b")
    for piece, end in ((character, "c"), ("\\", ""), ("&", ""), (".. ", "")):
        for removed in (remover.from_text, remover.from_message):
            removed(piece)  # what is prepared once
            short, long = (calls(removed, piece * number + end) for number in (500, 2_000))

            assert long <= 5 * max(500, short)
