"""The check that every phrase of a module is translated."""

from __future__ import annotations

from pathlib import Path

import pytest

from quandary.core.translations import english_in, phrases, untranslated

GAME = """
from quandary.core.errors import Ambiguous, Unreadable


def text(self, language):
    say = self.say(language)
    first = say("Stones: {count}", count=self.stones)
    rows = say(
        "{n} {n:row|rows} "
        "of tiles",
        n=2,
    )
    board = say("{a}: {b}", a=1, b=2)
    return say.lines(first, rows, board, say.label("row"), say("Stones: {count}", count=1))


def read(self, text):
    if not text:
        raise Unreadable()
    if "?" in text:
        raise errors.Unreadable("{word} is not a card", word=text)
    if self.how_to:
        raise Unreadable(self.how_to)
    raise Ambiguous("That is more than one move.")
"""
SAID = [
    "Stones: {count}",
    "{n} {n:row|rows} of tiles",
    "{a}: {b}",
    "{word} is not a card",
    "That is more than one move.",
]
CHINESE = {
    "Stones: {count}": "石子：{count}",
    "{n} {n:row|rows} of tiles": "{n} 行砖块",
    "{word} is not a card": "{word} 不是牌",
    "That is more than one move.": "走法不止一个。",
}


def write(folder: Path, source: str, translated: dict[str, str]) -> Path:
    pairs = [f"[[phrase]]\nen = '{en}'\nzh = '{zh}'\n" for en, zh in translated.items()]
    (folder / "game.zh.toml").write_text("".join(pairs), "utf-8")
    (folder / "game.py").write_text(source, "utf-8")
    return folder / "game.py"


def test_phrases_are_found_in_order_and_once() -> None:
    assert phrases(GAME) == SAID


def test_the_language_of_a_puzzle_is_not_a_phrase() -> None:
    assert phrases('say = self.say("zh")\nother = say_in("module", "zh")') == []


@pytest.mark.parametrize(
    "call",
    [
        "say(phrase)",
        'say(f"Stones: {count}")',
        'say("Stones: " + count)',
        'say("a" if one else "b")',
        'say("a".upper())',
        "say(3)",
        "say()",
        'say("a", "b")',
        "say(*phrases)",
    ],
)
def test_a_phrase_that_is_not_a_literal_is_an_error(call: str) -> None:
    with pytest.raises(ValueError, match=r"line 3: .*literal"):
        phrases(f"\n\n{call}\n")


@pytest.mark.parametrize("maker", ["self.say(language)", "say_in(__name__, language)"])
def test_a_phrase_that_would_not_be_found_is_an_error(maker: str) -> None:
    with pytest.raises(ValueError, match="line 2: assign the result to `say`"):
        phrases(f'\nx = {maker}("Stones")')


@pytest.mark.parametrize("function", ["say", "Unreadable"])
def test_a_phrase_needs_all_its_values(function: str) -> None:
    with pytest.raises(ValueError, match="line 1: no value for b, c in"):
        phrases(f'{function}("{{a}} {{b}} {{c:x|y}}", a=1)')

    assert phrases(f'{function}("{{a}} {{b}}", a=1, **values)') == ["{a} {b}"]
    assert phrases(f'{function}("{{a}}", a=1, b=2)') == ["{a}"]


def test_other_braces_in_a_phrase_are_an_error() -> None:
    with pytest.raises(ValueError, match=r"line 1: .*can stand in braces"):
        phrases('say("{a.b}", a=1)')


def test_a_complete_translation_has_no_complaints(tmp_path: Path) -> None:
    """A phrase of placeholders and symbols may be translated or not."""
    module = write(tmp_path, GAME, CHINESE)
    assert untranslated(module, "zh") == []

    module = write(tmp_path, GAME, CHINESE | {"{a}: {b}": "{a}：{b}"})
    assert untranslated(module, "zh") == []


@pytest.mark.parametrize("phrase", CHINESE)
def test_each_missing_translation_is_a_complaint(tmp_path: Path, phrase: str) -> None:
    rest = {en: zh for en, zh in CHINESE.items() if en != phrase}

    complaints = untranslated(write(tmp_path, GAME, rest), "zh")

    assert complaints == [f"game.zh.toml: no translation of {phrase!r}"]


def test_without_a_file_every_phrase_with_words_is_a_complaint(tmp_path: Path) -> None:
    module = tmp_path / "game.py"
    module.write_text(GAME, "utf-8")

    assert untranslated(module, "zh") == [
        f"game.zh.toml: no translation of {phrase!r}" for phrase in CHINESE
    ]


@pytest.mark.parametrize(
    ("phrase", "needed"),
    [("{a}: {b}", False), ("- {a} ({b}%) 1", False), ("x {a}", True), ("{a:row|rows}", True)],
)
def test_only_phrases_with_words_need_a_translation(
    tmp_path: Path, phrase: str, needed: bool
) -> None:
    module = write(tmp_path, f"say({phrase!r}, a=1, b=2)", {})

    assert bool(untranslated(module, "zh")) == needed


def test_an_unused_translation_is_a_complaint(tmp_path: Path) -> None:
    module = write(tmp_path, GAME, CHINESE | {"Stones:": "石子："})

    assert untranslated(module, "zh") == ["game.zh.toml: unused translation of 'Stones:'"]


def test_other_placeholders_are_a_complaint(tmp_path: Path) -> None:
    module = write(tmp_path, GAME, CHINESE | {"Stones: {count}": "石子：{number}"})

    [complaint] = untranslated(module, "zh")

    assert complaint.startswith("game.zh.toml: placeholders of 'Stones: {count}' are count")


def test_a_phrase_that_cannot_be_found_is_a_complaint(tmp_path: Path) -> None:
    module = write(tmp_path, "say(phrase)", {})

    [problem] = untranslated(module, "zh")
    assert problem.startswith("game.py: line 1: say() needs one literal string")


def test_english_words_in_a_text() -> None:
    text = "石子：3\nQ x 你的 cards 和 A1，cards，reset 与 K-Queen"

    assert english_in(text, ()) == ["cards", "reset", "Queen"]
    assert english_in(text, {"reset", "Queen"}) == ["cards"]
    assert english_in("石子：3 A", ()) == []


def test_the_words_about_families_are_phrases() -> None:
    """They are data that is translated when it is shown; other tables of texts are not."""
    source = """
class Reversi:
    families = {"a": "from the start", "b": "under way"}
    levels = {"easy": "small"}
    def rules(self): return say("Turn pieces.")
"""

    assert phrases(source) == ["from the start", "under way", "Turn pieces."]
