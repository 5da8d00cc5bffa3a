"""The word lists and their builder."""

from __future__ import annotations

import gzip
import subprocess
import sys
from collections.abc import Callable, Collection, Mapping
from hashlib import sha256
from importlib.util import module_from_spec, spec_from_file_location
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest

from quandary.puzzles.questions.words._shared import english_words
from quandary.puzzles.questions.words._shared.english_words import (
    by_length,
    common,
    dictionary,
    dictionary_by_length,
)

ROOT = Path(__file__).parents[2]
DATA = Path(english_words.__file__).parent


def test_words_are_small_letters_in_order() -> None:
    """Common words are in alphabetical order, without repeats, and all words use a to z only."""
    assert all(one < other for one, other in pairwise(common()))
    assert all(word.isascii() and word.isalpha() and word.islower() for word in dictionary())


def test_common_words_are_in_the_dictionary() -> None:
    """A word that puzzles are made from is always accepted, and the dictionary is much wider."""
    assert dictionary().issuperset(common())
    assert len(dictionary()) > 5 * len(common()) > 5 * 50_000


@pytest.mark.parametrize(
    ("grouped", "words"), [(by_length, common), (dictionary_by_length, dictionary)]
)
def test_words_are_grouped_by_length(
    grouped: Callable[[], Mapping[int, tuple[str, ...]]], words: Callable[[], Collection[str]]
) -> None:
    """Every word stands once under its length, in alphabetical order."""
    assert sorted(words()) == sorted(word for same in grouped().values() for word in same)
    for length, same in grouped().items():
        assert {length} == set(map(len, same))
        assert list(same) == sorted(same)


def test_common_words_are_there() -> None:
    """American and British spellings, inflections and young words are common."""
    words = "word sleep colour color organise organize children running happiest cafe podcast"

    assert [word for word in words.split() if word not in common()] == []


def test_less_common_words_are_accepted() -> None:
    """Words of word games, words that are also abbreviations, young words, days, months and rare
    long words are known."""
    words = "col therm psi maths app tech vlog umami qi zax syzygy pepperweed relisten noncarbon"
    words += " sudoku pilates prosecco malbec spork bokeh acai uber dubstep upcycle screencast"
    words += " glamping janky cringy eco"
    words += " monday sunday january march december cd dvd tv"

    assert [word for word in words.split() if word not in dictionary()] == []


def test_other_strings_are_not_words() -> None:
    """Names, initials and common misspellings are not in the dictionary."""
    words = "clark havana jackson fbi gps www tatoo losed taked chosing qzx"

    assert [word for word in words.split() if word in dictionary()] == []


def test_omitted_words_are_not_common() -> None:
    """No puzzle is made from a word on the list of omissions."""
    omitted = set((ROOT / "tools" / "omitted_words.txt").read_text().split())
    digests = {sha256(word.encode()).hexdigest()[:10] for word in common()}

    assert len(omitted) > 500
    assert set() == omitted & digests


def test_added_words_are_never_asked_for(builder: ModuleType) -> None:
    """Our own additions are there to check answers, each group of them with its reason; SCOWL
    decides what is common."""
    text = (ROOT / "tools" / "added_words.txt").read_text()

    assert dictionary().issuperset(builder.added())
    assert all(part.startswith("# ") for part in text.split("\n\n"))
    assert {"sudoku", "tv", "monday", "glamping"}.isdisjoint(common())


def test_lists_are_small_and_carry_their_notices() -> None:
    """No file is large, and the notices of the sources are beside the lists."""
    notice = (DATA / "LICENSE").read_text(encoding="utf-8")

    assert all(path.stat().st_size < 700_000 for path in DATA.iterdir())
    for owner in (
        "Kevin Atkinson",
        "Princeton University",
        "J Ross Beresford",
        "Geoff Kuenning",
        "Benjamin Titze",
        "version 2020.12.07",
    ):
        assert owner in notice


def test_nothing_is_read_before_it_is_asked_for() -> None:
    """Importing a puzzle of words reads no list; making one reads only the common words."""
    script = (
        "from random import Random;"
        "from quandary.puzzles.questions.words._shared.english_words import common, dictionary;"
        "from quandary.puzzles.questions.words.anagram_scribble import AnagramScribble;"
        "read = lambda: (common.cache_info().currsize, dictionary.cache_info().currsize);"
        "print(read()); AnagramScribble.new(Random(0)); print(read())"
    )
    said = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    ).stdout

    assert said.splitlines() == ["(0, 0)", "(1, 0)"]


def test_published_lists_are_covered(data: Path) -> None:
    """The learners' list is known but for initials, and most long words of the published dictionary
    are."""

    def known(name: str, shortest: int) -> float:
        listed = (
            gzip.decompress((data / "textgames" / "words" / name).read_bytes()).decode().split()
        )
        words = [
            word for word in listed if len(word) >= shortest and word.isascii() and word.isalpha()
        ]
        return len(dictionary().intersection(words)) / len(words)

    assert known("word_list.oxford5k_opal.lower.txt.gz", 1) > 0.998
    assert known("word_list.txt.gz", 8) > 0.92


@pytest.fixture
def builder() -> ModuleType:
    spec = spec_from_file_location("build_words", ROOT / "tools" / "build_words.py")
    assert spec and spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """A release of SCOWL in miniature."""
    files = {
        "final/english-words.10": "house\nrude\nit's\nb\n",
        "final/american-words.50": "color\n",
        "final/british-words.50": "colour\n",
        "final/english-words.50": "caf\xe9\n",
        "final/canadian-words.35": "toonie\n",
        "final/english-words.55": "gunge\n",
        "final/variant_3-words.80": "connexion\n",
        "final/english-words.95": "xqz\nthrangity\nhonolulu\n",
        "final/english-proper-names.80": "Honolulu\n",
        "final/english-abbreviations.10": "abbr\n",
        "final/special-hacker.50": "frobnicate\n",
        "misc/profane.1": "rude\n",
        "misc/README": "house\n",
        "VERSION": "1.2.3\n",
        "Copyright": "Copyright by nobody\n",
        "r/ukacd/readme.txt": "A document\r\nof two lines\r\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="latin-1", newline="")
    return tmp_path


def test_builder_sorts_words_into_lists(builder: ModuleType, release: Path) -> None:
    """Common words without taboo ones, then all spellings, then long rare words that are no names;
    never a word twice."""
    lists = builder.build(release)

    assert lists["common"] == ["cafe", "color", "colour", "house"]
    assert {"rude", "gunge", "connexion", "toonie", "b"} == set(lists["large"]) - builder.added()
    assert lists["rare"] == ["thrangity"]


def test_builder_repeats_itself(
    builder: ModuleType, release: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Building twice gives the same bytes, and the notices say what the lists were built from."""
    monkeypatch.setattr(builder, "DATA", tmp_path / "data")
    builder.DATA.mkdir()
    builder.main(release)
    first = {path.name: path.read_bytes() for path in builder.DATA.iterdir()}
    for path in builder.DATA.iterdir():
        path.unlink()
    builder.main(release)

    assert first == {path.name: path.read_bytes() for path in builder.DATA.iterdir()}
    assert {"LICENSE", "common.txt.gz", "large.txt.gz", "rare.txt.gz"} == set(first)
    for said in (b"version 1.2.3", b"Copyright by nobody", b"A document\nof two lines"):
        assert said in first["LICENSE"]


def test_builder_leaves_the_same_words_alone(builder: ModuleType, tmp_path: Path) -> None:
    """A file that holds the same words in other bytes is not touched; one with other words is."""
    path = tmp_path / "words.txt.gz"
    other_bytes = gzip.compress(b"one\ntwo", 1)
    path.write_bytes(other_bytes)
    builder.write(path, ["one", "two"])
    assert other_bytes == path.read_bytes()

    builder.write(path, ["one", "three"])
    assert gzip.decompress(path.read_bytes()) == b"one\nthree"
