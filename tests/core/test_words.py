"""Phrases, translations beside modules, labels and the languages of a puzzle."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from quandary.core.translations import load_translation
from quandary.core.words import ENGLISH, labels_of, languages_of, say_for, say_in

Load = Callable[..., ModuleType]

STONES = """
[[phrase]]
en = "Stones: {count}"
zh = "石子：{count}"

[[phrase]]
en = "{count} {count:row|rows}"
zh = "{count} 行"

[[phrase]]
en = \"\"\"Two
lines\"\"\"
zh = \"\"\"两
行\"\"\"

[labels]
row = ["行"]
compete = ["竞争", "比大小"]
"""


def pairs(**translated: str) -> str:
    return "".join(f'[[phrase]]\nen = "{en}"\nzh = "{zh}"\n' for en, zh in translated.items())


@pytest.fixture
def load(tmp_path: Path) -> Iterator[Load]:
    """Write a module and its translation to a folder outside the package, and import it."""
    loaded = []

    def write_and_import(name: str, source: str = "", zh: str | None = None) -> ModuleType:
        file = tmp_path / f"{name}.py"
        file.write_text(source, "utf-8")
        if zh is not None:
            file.with_name(f"{name}.zh.toml").write_text(zh, "utf-8")
        spec = importlib.util.spec_from_file_location(name, file)
        assert spec and spec.loader
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        loaded.append(name)
        spec.loader.exec_module(module)
        return module

    yield write_and_import
    for name in loaded:
        del sys.modules[name]


def test_english_stands_where_it_is_said() -> None:
    assert ENGLISH.language == "en"
    assert ENGLISH("none") == "none"
    assert ENGLISH("Stones: {count}", count=3) == "Stones: 3"
    assert ENGLISH("{a}{b}{a}", a=1, b="x", unused=2) == "1x1"


@pytest.mark.parametrize(("number", "said"), [(0, "0 rows"), (1, "1 row"), (2, "2 rows")])
def test_plural_forms_follow_their_number(number: int, said: str) -> None:
    assert ENGLISH("{n} {n:row|rows}", n=number) == said


def test_each_plural_follows_its_own_number() -> None:
    phrase = "{n} {n:row|rows} of {m} {m:tile|tiles}, {n:it|they} {n:fits|fit}"

    assert ENGLISH(phrase, n=1, m=2) == "1 row of 2 tiles, it fits"
    assert ENGLISH(phrase, n=2, m=1) == "2 rows of 1 tile, they fit"


def test_a_plural_form_may_be_empty_or_contain_symbols() -> None:
    assert [ENGLISH("{n} stone{n:|s}", n=n) for n in (1, 2)] == ["1 stone", "2 stones"]
    assert [ENGLISH("{n:5% (one)|50% (many)}", n=n) for n in (1, 2)] == ["5% (one)", "50% (many)"]


def test_percent_signs_are_text() -> None:
    assert ENGLISH("100% sure") == "100% sure"
    assert ENGLISH("%(x)s %s {share} %", share="50%") == "%(x)s %s 50% %"


def test_values_are_shown_as_they_are() -> None:
    assert ENGLISH("Write {example}", example='{"row": 3}') == 'Write {"row": 3}'
    assert ENGLISH("{self} {phrase}", self=1, phrase=2) == "1 2"


def test_a_missing_value_is_an_error() -> None:
    with pytest.raises(KeyError, match="count"):
        ENGLISH("Stones: {count}")
    with pytest.raises(KeyError, match="count"):
        ENGLISH("{count:stone|stones}", other=1)


@pytest.mark.parametrize(
    "phrase", ["{a.b}", "{a[0]}", "{a!r}", "{a:>5}", "{a:x|y|z}", "{}", "{0}", "{{a}}", "{a", "a}"]
)
def test_braces_hold_nothing_but_names_and_plurals(phrase: str) -> None:
    with pytest.raises(ValueError, match="can stand in braces"):
        ENGLISH(phrase, a=1)


def test_stored_phrases_are_translated_when_they_are_shown(load: Load) -> None:
    load("stored_words", "", STONES)
    say = say_in("stored_words", "zh")

    assert say.stored("Stones: {count}", {"count": 3}) == "石子：3"
    assert say.stored("{count} {count:row|rows}", {"count": 3}) == "3 行"
    assert say.stored("Two\nlines", {}) == "两\n行"


def test_a_stored_phrase_without_values_may_be_any_text() -> None:
    assert ENGLISH.stored("100% {of} what} was said", {}) == "100% {of} what} was said"


def test_saying_a_stored_phrase_leaves_its_values_alone() -> None:
    values: dict[str, object] = {"n": 2}

    assert ENGLISH.stored("{n} {n:row|rows}", values) == "2 rows"
    assert values == {"n": 2}


def test_lists_lines_and_labels(load: Load) -> None:
    load("list_words", "", STONES)
    say = say_in("list_words", "zh")

    assert (ENGLISH.list(["a", 2]), say.list(["a", 2]), say.list([])) == ("a, 2", "a、2", "")
    assert ENGLISH.lines("a", "", None, 0, False, "b\nc") == "a\nb\nc"
    assert (ENGLISH.label("from_row"), ENGLISH.label("row")) == ("from row", "row")
    assert (say.label("row"), say.label("compete"), say.label("from_row")) == (
        "行",
        "竞争",
        "from row",
    )


def test_a_puzzle_outside_the_package_speaks_from_the_file_beside_it(load: Load) -> None:
    puzzle = load("outside_words", "class Puzzle: ...", STONES).Puzzle
    say = say_for(puzzle, "zh")

    assert say.language == "zh"
    assert say("Stones: {count}", count=3) == "石子：3"
    assert say("{count} {count:row|rows}", count=1) == "1 行"
    assert say("Two\nlines") == "两\n行"
    assert say_for(puzzle, "en")("Stones: {count}", count=3) == "Stones: 3"
    assert languages_of(puzzle) == ("en", "zh")


def test_a_missing_translation_is_said_in_english(load: Load) -> None:
    puzzle = load("partial_words", "class Puzzle: ...", STONES).Puzzle
    silent = load("silent_words", "class Puzzle: ...").Puzzle

    assert say_for(puzzle, "zh")("{n} {n:card|cards}", n=2) == "2 cards"
    assert say_for(silent, "zh")("Stones: {count}", count=3) == "Stones: 3"
    assert languages_of(silent) == ("en",)


def test_translations_of_base_classes_are_used_nearest_first(load: Load) -> None:
    load("base_words", "class Base: ...", pairs(none="没有", end="结束") + STONES)
    source = "from base_words import Base\nclass Puzzle(Base): ..."
    puzzle = load("derived_words", source, pairs(none="无") + '[labels]\nrow = ["横行"]').Puzzle
    say = say_for(puzzle, "zh")

    assert (say("none"), say("end")) == ("无", "结束")
    assert (say.label("row"), say.label("compete")) == ("横行", "竞争")


def test_languages_follow_from_the_puzzles_own_file_alone(load: Load) -> None:
    load("spoken_base_words", "class Base: ...", STONES)
    puzzle = load(
        "unspoken_words", "from spoken_base_words import Base\nclass Puzzle(Base): ..."
    ).Puzzle

    assert languages_of(puzzle) == ("en",)


def test_modules_that_a_puzzle_speaks_with(load: Load) -> None:
    """Those of base classes count too, also where a subclass names its own."""
    load("near_kit_words", "", pairs(near="近", both="近的"))
    load("far_kit_words", "", pairs(far="远", both="远的"))
    load("mixing_base_words", "class Base:\n    _speaks_with = ('far_kit_words',)")
    source = (
        "from mixing_base_words import Base\nclass Puzzle(Base):\n    _speaks_with = "
        "('near_kit_words',)"
    )
    say = say_for(load("mixing_words", source).Puzzle, "zh")

    assert [say(phrase) for phrase in ("near", "far", "both")] == ["近", "远", "近的"]


def test_a_module_to_speak_with_need_not_be_imported(
    load: Load, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lazy_kit_words.py").write_text("raise RuntimeError('imported')")
    (tmp_path / "lazy_kit_words.zh.toml").write_text(pairs(none="无"), "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    source = "class Puzzle:\n    _speaks_with = ('lazy_kit_words',)"

    assert say_for(load("lazy_words", source).Puzzle, "zh")("none") == "无"


@pytest.mark.parametrize("name", ["no_such_words", "no_such.words", "builtins"])
def test_speaking_with_a_module_without_a_file_is_an_error(load: Load, name: str) -> None:
    puzzle = load("lost_words", f"class Puzzle:\n    _speaks_with = ({name!r},)").Puzzle

    with pytest.raises(ValueError, match=name):
        say_for(puzzle, "zh")


def test_labels_of_all_modules_are_merged(load: Load) -> None:
    load("label_base_words", "class Base: ...", STONES)
    source = "from label_base_words import Base\nclass Puzzle(Base): ..."
    labels = '[labels]\nrow = ["横行", "行"]\ncard = ["牌"]'
    puzzle = load("label_words", source, labels).Puzzle

    assert dict(labels_of(puzzle)) == {
        "row": ("横行", "行"),
        "card": ("牌",),
        "compete": ("竞争", "比大小"),
    }
    assert not labels_of(load("unlabelled_words", "class Puzzle: ...").Puzzle)
    with pytest.raises(TypeError):
        labels_of(puzzle)["row"] = ()  # type: ignore[index]


def test_a_class_without_a_module_file_speaks_english() -> None:
    assert languages_of(int) == ("en",)
    assert say_for(int, "zh")("none") == "none"


def test_unknown_languages_are_refused(load: Load) -> None:
    puzzle = load("tongue_words", "class Puzzle: ...").Puzzle

    for ask in (lambda: say_for(puzzle, "fr"), lambda: say_in("tongue_words", "fr")):
        with pytest.raises(ValueError, match="unknown language 'fr'; known languages: en, zh"):
            ask()


@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_file_in_a_language_that_is_not_translated_to_is_refused(
    load: Load, tmp_path: Path, language: str
) -> None:
    (tmp_path / f"tongues_words.{language}.toml").write_text("")
    puzzle = load("tongues_words", "class Puzzle: ...").Puzzle

    with pytest.raises(ValueError, match=rf"tongues_words\.{language}\.toml: .*supported: zh"):
        languages_of(puzzle)


def test_other_files_beside_a_puzzle_are_no_translations(load: Load, tmp_path: Path) -> None:
    for name in ("next_words.levels.toml", "my_next_words.zh.toml", "next_words.toml"):
        (tmp_path / name).write_text("")

    assert languages_of(load("next_words", "class Puzzle: ...").Puzzle) == ("en",)


def test_everything_is_read_once(load: Load, tmp_path: Path) -> None:
    puzzle = load("cached_words", "class Puzzle: ...\nclass Other: ...", STONES)
    found = say_for(puzzle.Puzzle, "zh"), languages_of(puzzle.Puzzle), labels_of(puzzle.Puzzle)
    in_module = say_in("cached_words", "zh")
    (tmp_path / "cached_words.zh.toml").unlink()

    again = say_for(puzzle.Puzzle, "zh"), languages_of(puzzle.Puzzle), labels_of(puzzle.Puzzle)
    assert all(new is old for new, old in zip(again, found, strict=True))
    assert say_in("cached_words", "zh") is in_module


def test_a_shared_file_is_loaded_once_for_all_classes(load: Load, tmp_path: Path) -> None:
    module = load("shared_words", "class One: ...\nclass Two: ...", STONES)
    assert say_for(module.One, "zh")("Stones: {count}", count=1) == "石子：1"
    (tmp_path / "shared_words.zh.toml").write_text("broken [")

    assert say_for(module.Two, "zh")("Stones: {count}", count=2) == "石子：2"


def test_errors_in_a_file_are_raised_when_it_is_loaded(load: Load) -> None:
    puzzle = load("broken_words", "class Puzzle: ...", "[[phrase]\n").Puzzle

    for ask in (lambda: say_for(puzzle, "zh"), lambda: labels_of(puzzle)):
        with pytest.raises(ValueError, match=r"broken_words\.zh\.toml: cannot be read"):
            ask()


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("[[phrase]", "cannot be read: .*line 1"),
        ('[[phrase]]\nen = "a"', "phrase 1 needs the texts `en` and `zh`"),
        ('[[phrase]]\nzh = "a"', "phrase 1 needs the texts `en` and `zh`"),
        (pairs(a="一") + '[[phrase]]\nen = "b"\nfr = "b"', "phrase 2 needs the texts"),
        ('[[phrase]]\nen = "a"\nzh = "一"\nfr = "a"', "no more"),
        ('[[phrase]]\nen = "a"\nzh = 1', "phrase 1 needs the texts"),
        ('[[phrase]]\nen = "a"\nzh = " "', "phrase 1 needs the texts"),
        ('[phrase]\nen = "a"\nzh = "一"', r"written as \[\[phrase\]\]"),
        ("phrase = [1]", "phrase 1 needs the texts"),
        ('[[phrases]]\nen = "a"\nzh = "一"', "unknown key 'phrases'"),
        (pairs(a="一") * 2, "duplicate phrase 'a'"),
        ('[[phrase]]\nen = "{a}"\nzh = "{b}"', "placeholders of '{a}' are a, .* has b"),
        ('[[phrase]]\nen = "{a}x"\nzh = "x"', "are a, .* has none"),
        ('[[phrase]]\nen = "{a:x|y}"\nzh = "{b:x|y}"', "are a, .* has b"),
        ('[[phrase]]\nen = "{a}"\nzh = "{a.b}"', "can stand in braces: '{a.b}'"),
        ('[[phrase]]\nen = "{a}"\nzh = "{a:>5}"', "can stand in braces: '{a:>5}'"),
        ("labels = 1", r"table \[labels\]"),
        ('[labels]\nrow = "行"', "label 'row' needs a list of words"),
        ("[labels]\nrow = []", "label 'row' needs a list of words"),
        ('[labels]\nrow = ["行", 1]', "label 'row' needs a list of words"),
    ],
)
def test_what_is_wrong_in_a_file_is_named(tmp_path: Path, content: str, problem: str) -> None:
    file = tmp_path / "game.zh.toml"
    file.write_text(content, "utf-8")

    with pytest.raises(ValueError, match=rf"^game\.zh\.toml: .*{problem}"):
        load_translation(file, "zh")


def test_a_file_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    file = tmp_path / "game.zh.toml"
    file.write_bytes('[labels]\nrow = ["行"]'.encode("gb18030"))

    with pytest.raises(ValueError, match=r"^game\.zh\.toml: cannot be read"):
        load_translation(file, "zh")


def test_all_problems_of_a_file_are_named_at_once(tmp_path: Path) -> None:
    file = tmp_path / "game.zh.toml"
    file.write_text(pairs(a="一") * 2 + "[labels]\nrow = 1", "utf-8")

    with pytest.raises(ValueError, match="duplicate phrase 'a'; label 'row'"):
        load_translation(file, "zh")


def test_words_can_be_imported_below_the_contract() -> None:
    """The contract uses this module; English needs no reader of translation files either."""
    program = "import sys, quandary.core.words; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)

    imported = done.stdout.split()
    assert "quandary.core.words" in imported
    assert not {"quandary.core.contract", "quandary.core.puzzle", "tomllib"} & set(imported)
