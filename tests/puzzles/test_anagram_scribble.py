"""Anagram scribble."""

from __future__ import annotations

import json
import re
import tarfile
from collections import Counter
from itertools import permutations, product
from pathlib import Path
from random import Random
from string import ascii_lowercase, ascii_uppercase

import pytest

from quandary.core.contract import Verdict
from quandary.puzzles.questions.words._shared.english_words import (
    by_length,
    dictionary,
    dictionary_by_length,
)
from quandary.puzzles.questions.words.anagram_scribble import AnagramScribble

EASY = AnagramScribble(5, "elobsp", reuse=True)
HARD = AnagramScribble(8, "sstaerlexq", reuse=False)
SMALL_LETTERS = str.maketrans(ascii_uppercase, ascii_lowercase)
BEYOND = {
    "short": {"length": (2, 3), "tiles": 4, "reuse": False},
    "long": {"length": (11, 16), "tiles": 20, "reuse": False},
    "long, reused": {"length": (8, 14), "tiles": 18},
}
SETTINGS = {**AnagramScribble.levels, **BEYOND}


def test_published_example_is_accepted() -> None:
    """TextGames' worked example: sleep uses the one e twice."""
    assert Verdict(1.0) == EASY.check("sleep")


@pytest.mark.parametrize("level", AnagramScribble.levels)
def test_examples_in_the_rules_are_true(level: str) -> None:
    """The example that the rules print would be accepted."""
    rules = AnagramScribble.new(Random(level), **AnagramScribble.levels[level]).rules()
    pattern = (
        r"if (\d+) letters were asked for and the tiles were ([a-z ]+), you could answer: (\w+)"
    )
    [(length, tiles, answer)] = re.findall(pattern, rules)
    reuse = AnagramScribble.levels[level].get("reuse", True)

    assert Verdict(1.0) == AnagramScribble(int(length), tiles.replace(" ", ""), reuse).check(answer)


@pytest.mark.parametrize("question", [EASY, HARD])
def test_example_in_the_chinese_rules_is_the_same(question: AnagramScribble) -> None:
    """The letters, numbers and words of both languages are equal."""
    english, chinese = (
        question.rules(language).rpartition(start)[2]
        for language, start in (("en", "For example, if "), ("zh", "例如，"))
    )
    tiles = english.partition("the tiles were ")[2].partition(",")[0]

    assert f"要求 6 个字母，字母牌为 {tiles} 时，可以回答：banana" == chinese
    assert english.startswith("6 letters") and english.endswith(": banana")


@pytest.mark.parametrize(
    ("question", "answer", "kind"),
    [
        (EASY, "", "length"),
        (EASY, "slope s", "length"),
        (EASY, "s l e e p", "length"),
        (EASY, '"sleep"', "length"),
        (EASY, "None", "length"),
        (EASY, "zzzzzzzz", "length"),
        (EASY, "slept", "tile"),
        (EASY, "zzzzz", "tile"),
        (EASY, "ſleep", "tile"),
        (EASY, "ｓleep", "tile"),
        (EASY, "ooooo", "not_a_word"),
        (EASY, "belps", "not_a_word"),
        (HARD, "alertless", "length"),
        (HARD, "xylitols", "tile"),
        (HARD, "alerters", "tile_count"),
        (HARD, "tattlers", "tile_count"),
        (HARD, "sealrets", "not_a_word"),
        (AnagramScribble(4, "nonexyzabc", reuse=False), "Noxe", "not_a_word"),
        (
            AnagramScribble(4, "folkabcdmn", reuse=True),
            "fol\u212a",
            "tile",
        ),  # the Kelvin sign is a k in small letters
    ],
)
def test_faults_are_told_apart(question: AnagramScribble, answer: str, kind: str) -> None:
    """The order is length, tiles, number of tiles, dictionary; a sentence says what is wrong."""
    verdict = question.check(answer)

    assert (0.0, kind) == (verdict.score, verdict.kind)
    assert verdict.feedback.endswith(".")


@pytest.mark.parametrize(
    "answer", ["sleep", " sleep\n", "SLEEP", "\tSleep ", "slope", "peels", "bebop"]
)
def test_any_word_that_fits_is_right(answer: str) -> None:
    """Outer spaces and capitals do not matter, and every word of the dictionary counts."""
    assert Verdict(1.0) == EASY.check(answer)


def test_doubled_tiles_allow_doubled_letters() -> None:
    """Two tiles each with s and e allow two of these letters, one tile with t does not."""
    assert Verdict(1.0) == HARD.check("tearless")
    assert (
        HARD.check("tattlers").feedback
        == "Your word contains 't' 3 times, but only 1 tile has that letter."
    )
    feedback = AnagramScribble(7, "tatersx", reuse=False).check("tatters").feedback
    assert feedback == "Your word contains 't' 3 times, but only 2 tiles have that letter."


def test_feedback_says_what_was_found() -> None:
    """The sentence names what was written."""
    length = "The word must have 5 letters; your answer has"

    assert EASY.check("s").feedback == f"{length} 1 character."
    assert EASY.check("slope s").feedback == f"{length} 7 characters."
    assert EASY.check("Slept").feedback == "There is no tile with 't'."
    assert EASY.check("Belps").feedback == "'belps' is not in the dictionary."


def test_none_is_an_ordinary_word() -> None:
    """There is always an answer, so None is no way out; the word none is one where it fits."""
    assert Verdict(1.0) == AnagramScribble(4, "nonexyzabc", reuse=False).check("None")
    assert HARD.check("None").kind == "length"


@pytest.mark.parametrize(
    ("level", "lengths", "reuse"),
    [("easy", {3, 4, 5}, True), ("medium", {6, 7}, True), ("hard", {8, 9, 10}, False)],
)
def test_instances_are_as_published(level: str, lengths: set[int], reuse: bool) -> None:
    """Ten tiles: the letters of a common word, and different letters that do not occur in it."""
    made = [
        AnagramScribble.new(Random(seed), **AnagramScribble.levels[level]) for seed in range(60)
    ]

    assert lengths == {question.length for question in made}
    for question in made:
        assert (10, reuse) == (len(question.tiles), question.reuse)
        assert any(_drawn_from(question.tiles, word) for word in by_length()[question.length])


def _drawn_from(tiles: str, word: str) -> bool:
    rest = list(tiles)
    for letter in word:
        if letter not in rest:
            return False
        rest.remove(letter)
    return len(set(rest)) == len(rest) and not set(rest) & set(word)


@pytest.mark.parametrize(
    "question", [AnagramScribble(4, "lnoeestxab", True), AnagramScribble(5, "lnoeestxab", False)]
)
def test_solutions_are_counted_exactly(question: AnagramScribble) -> None:
    """Spelling out all arrangements of the tiles finds exactly the words that are counted."""
    every = product(question.tiles, repeat=4) if question.reuse else permutations(question.tiles, 5)
    words = {"".join(letters) for letters in every} & dictionary()

    assert len(words) == question.count_solutions()
    assert all(Verdict(1.0) == question.check(word) for word in words)
    assert question.solution() in words


def test_solution_falls_back_on_rare_words() -> None:
    """If no common word fits, any word of the dictionary is found; if none fits, that is said."""
    assert AnagramScribble(3, "zxa", reuse=False).solution() == "zax"
    with pytest.raises(ValueError, match="no word of 3 letters fits"):
        AnagramScribble(3, "qzx", reuse=False).solution()


def test_order_of_tiles_does_not_matter() -> None:
    """The same tiles in another order are the same puzzle; another length or reuse is not."""
    assert EASY.canonical() == AnagramScribble(5, "psbole", True).canonical()
    assert EASY.canonical() != AnagramScribble(5, "psbole", False).canonical()
    assert EASY.canonical() != AnagramScribble(4, "psbole", True).canonical()


def test_sizes_beyond_the_levels() -> None:
    """Longer words and more tiles work; what cannot be made is refused."""
    long = AnagramScribble.new(Random(1), length=(14, 14), tiles=20, reuse=False)
    assert (long.length, len(long.tiles)) == (14, 20)
    assert Verdict(1.0) == long.check(long.solution())

    for wrong in (
        {"length": (40, 40)},
        {"length": (0, 0)},
        {"length": (8, 8), "tiles": 7},
        {"tiles": 30},
    ):
        with pytest.raises(ValueError):
            AnagramScribble.new(Random(1), **wrong)


@pytest.mark.parametrize("setting", SETTINGS)
def test_near_misses_get_their_kind(setting: str) -> None:
    """A right word with one thing spoilt on purpose gets the kind of that fault."""
    rng, kinds = Random(setting), Counter[str]()
    for seed in range(60):
        question = AnagramScribble.new(Random(seed), **SETTINGS[setting])
        for kind, answer in _near_misses(question, rng):
            assert (0.0, kind) == (question.check(answer).score, question.check(answer).kind)
            kinds[kind] += 1

    assert _kinds_of(setting) - {""} == set(kinds)


def _near_misses(question: AnagramScribble, rng: Random) -> list[tuple[str, str]]:
    word, place = question.solution(), rng.randrange(question.length)
    before, after = word[:place], word[place + 1 :]
    misses = [
        ("length", before + after),
        ("length", before + word[place] + word[place:]),
        ("length", f"{word[0]} {word[1:]}"),
    ]
    misses += [
        ("tile", before + letter + after)
        for letter in ascii_lowercase
        if letter not in question.tiles
    ]
    for letter in sorted(set(question.tiles)):
        spoilt = before + letter + after
        if not question.reuse and len(spoilt.split(letter)) > len(question.tiles.split(letter)):
            misses.append(("tile_count", spoilt))
    mixed = "".join(rng.sample(word, question.length))
    return misses if mixed in dictionary() else [*misses, ("not_a_word", mixed)]


@pytest.mark.parametrize("setting", SETTINGS)
def test_checker_agrees_with_sorted_tiles(setting: str) -> None:
    """A reader of the puzzle's text who lays out sorted tiles gives every word our verdict."""
    _compare(setting, 400)


@pytest.mark.heavy
@pytest.mark.parametrize("setting", SETTINGS)
def test_checker_agrees_with_sorted_tiles_on_many_answers(setting: str) -> None:
    """The same on ten thousand answers a level."""
    _compare(setting, 10_000)


def _compare(setting: str, answers: int) -> None:
    rng, kinds, other = Random(setting), Counter[str](), "other"
    for seed in range(answers // 50):
        question = AnagramScribble.new(Random(f"plain {seed}"), **SETTINGS[setting])
        text = question.text(0)
        spelt = re.findall(
            f"^[{question.tiles}]+$",
            "\n".join(dictionary_by_length()[question.length]),
            re.MULTILINE,
        )
        right = [word for word in spelt if not _plain_kind(text, word)]
        assert len(right) == question.count_solutions()
        for answer in (
            question.solution(),
            *(_mutated(question, rng.choice(right), other, rng) for _ in range(49)),
        ):
            expected, verdict = _plain_kind(text, answer), question.check(answer)
            assert (float(not expected), expected) == (verdict.score, verdict.kind)
            kinds[expected] += 1
        other = question.solution()

    assert _kinds_of(setting) == {kind for kind, count in kinds.items() if count > answers / 100}


def _kinds_of(setting: str) -> set[str]:
    scarce = set() if SETTINGS[setting].get("reuse", True) else {"tile_count"}
    return {"", "length", "tile", "not_a_word"} | scarce


def _mutated(question: AnagramScribble, right: str, other: str, rng: Random) -> str:
    """A right word or another one after one change, which may be harmless."""
    length, place = question.length, rng.randrange(question.length - 1)
    changes = (
        lambda: right,
        lambda: other,
        lambda: rng.choice(dictionary_by_length()[length]),
        lambda: question.sample(rng),
        lambda: "".join(rng.sample(right, length)),
        lambda: right[:place] + right[place + 1] + right[place] + right[place + 2 :],
        lambda: _put(right, rng.choice(question.tiles), rng, instead=True),
        lambda: _put(right, rng.choice(right), rng, instead=True),
        lambda: _put(
            right, rng.choice([*ascii_lowercase, *"-'0éſＡ", "\u212a"]), rng, instead=True
        ),
        lambda: _put(right, rng.choice([*question.tiles, *" .\n\t"]), rng, instead=False),
        lambda: _put(right, "", rng, instead=True),
        lambda: "".join(
            rng.choice([letter, letter.upper()]) for letter in rng.choice([right, other])
        ),
        lambda: (
            rng.choice([" ", "\n", "\t \r\n", "\u00a0"]) + right + rng.choice(["", " ", "\n\n"])
        ),
        lambda: rng.choice(
            [
                f"{right}\n{other}",
                f"word:\n{right}",
                f"{right} {right}",
                f'"{right}"',
                f"{right}.",
                "None",
                "",
            ]
        ),
    )
    return rng.choice(changes)()


def _put(word: str, sign: str, rng: Random, *, instead: bool) -> str:
    """The word with a sign put in at a random place, or instead of the letter there."""
    place = rng.randrange(len(word))
    return word[:place] + sign + word[place + instead :]


def _plain_kind(text: str, answer: str) -> str:
    """The kind of the first fault: each letter in sorted order takes the next tile that has it."""
    match = re.fullmatch(
        r"Letters in the word: (\d+)\n"
        r"Tiles \(each (as often as you like|at most once)\): ([a-z ]+)",
        text,
    )
    assert match
    tiles = sorted(match[3].split())
    letters = sorted(re.sub(r"^\s+|\s+$", "", answer).translate(SMALL_LETTERS))
    if len(letters) != int(match[1]):
        return "length"
    if any(letter not in tiles for letter in letters):
        return "tile"
    left = iter(tiles)
    if match[2] == "at most once" and not all(letter in left for letter in letters):
        return "tile_count"
    return (
        "" if re.sub(r"\s", "", answer).translate(SMALL_LETTERS) in dictionary() else "not_a_word"
    )


@pytest.mark.parametrize(("level", "least"), [(1, 1.0), (2, 1.0), (3, 0.93)])
def test_published_problems_have_answers(data: Path, level: int, least: float) -> None:
    """Published tiles were drawn from a wilder dictionary; ours still solves nearly all of them."""
    with tarfile.open(data / "textgames" / "problemsets.tar.gz") as archive:
        file = archive.extractfile(f"problemsets/Anagram Scribble_{level}.json")
        assert file is not None
        prompts = list(json.load(file).values())[:200]
    solved = 0
    for prompt in prompts:
        match = re.match(
            r"Construct a valid (\d+)-character English word .*:\n"
            r"\[([a-z', ]+)\]\.\nEach character can (be|only)",
            prompt,
        )
        assert match
        question = AnagramScribble(
            int(match[1]), re.sub("[^a-z]", "", match[2]), reuse=match[3] == "be"
        )
        if question.count_solutions():
            solved += 1
            assert Verdict(1.0) == question.check(question.solution())

    assert solved / len(prompts) >= least
