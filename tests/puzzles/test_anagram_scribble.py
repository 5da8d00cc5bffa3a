"""Anagram scribble."""

from __future__ import annotations

import json
import re
import tarfile
from itertools import permutations, product
from pathlib import Path
from random import Random

import pytest

from quandary.core.contract import Verdict
from quandary.kit.words import by_length, dictionary
from quandary.puzzles.questions.words.anagram_scribble import AnagramScribble

EASY = AnagramScribble(5, "elobsp", reuse=True)
HARD = AnagramScribble(8, "sstaerlexq", reuse=False)


def test_published_example_is_accepted() -> None:
    """TextGames' worked example: sleep uses the one e twice."""
    assert Verdict(1.0) == EASY.check("sleep")


@pytest.mark.parametrize("level", AnagramScribble.levels)
def test_examples_in_the_rules_are_true(level: str) -> None:
    """The example that the rules print would be accepted."""
    rules = AnagramScribble.new(Random(level), **AnagramScribble.levels[level]).rules()
    pattern = r"if (\d+) letters were asked for and the tiles were ([a-z ]+), you could answer: (\w+)"
    [(length, tiles, answer)] = re.findall(pattern, rules)
    reuse = AnagramScribble.levels[level].get("reuse", True)

    assert Verdict(1.0) == AnagramScribble(int(length), tiles.replace(" ", ""), reuse).check(answer)


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
        (AnagramScribble(4, "folkabcdmn", reuse=True), "fol\u212a", "tile"),  # the Kelvin sign is a k in small letters
    ],
)
def test_faults_are_told_apart(question: AnagramScribble, answer: str, kind: str) -> None:
    """Length comes before tiles, tiles before their number, and the dictionary last; a sentence says what is wrong."""
    verdict = question.check(answer)

    assert (0.0, kind) == (verdict.score, verdict.kind)
    assert verdict.feedback.endswith(".")


@pytest.mark.parametrize("answer", ["sleep", " sleep\n", "SLEEP", "\tSleep ", "slope", "peels", "bebop"])
def test_any_word_that_fits_is_right(answer: str) -> None:
    """Outer blanks and capitals are forgiven, and every word of the dictionary counts, not only the one drawn."""
    assert Verdict(1.0) == EASY.check(answer)


def test_doubled_tiles_allow_doubled_letters() -> None:
    """Tiles used once each are counted one by one: two tiles with s and e allow two of them, one tile with t does not."""
    assert Verdict(1.0) == HARD.check("tearless")
    assert HARD.check("tattlers").feedback == "You use 't' 3 times, but the tiles hold it only once."


def test_none_is_an_ordinary_word() -> None:
    """There is always an answer, so None is no way out; the word none is one where it fits."""
    assert Verdict(1.0) == AnagramScribble(4, "nonexyzabc", reuse=False).check("None")
    assert HARD.check("None").kind == "length"


@pytest.mark.parametrize(
    ("level", "lengths", "reuse"), [("easy", {3, 4, 5}, True), ("medium", {6, 7}, True), ("hard", {8, 9, 10}, False)]
)
def test_instances_are_as_published(level: str, lengths: set[int], reuse: bool) -> None:
    """Ten tiles: the letters of a common word, and different letters that do not occur in it."""
    made = [AnagramScribble.new(Random(seed), **AnagramScribble.levels[level]) for seed in range(60)]

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


@pytest.mark.parametrize("question", [AnagramScribble(4, "lnoeestxab", True), AnagramScribble(5, "lnoeestxab", False)])
def test_solutions_are_counted_exactly(question: AnagramScribble) -> None:
    """Spelling out all arrangements of the tiles finds exactly the words that are counted."""
    every = product(question.tiles, repeat=4) if question.reuse else permutations(question.tiles, 5)
    words = {"".join(letters) for letters in every} & dictionary()

    assert len(words) == question.count_solutions()
    assert all(Verdict(1.0) == question.check(word) for word in words)
    assert question.solution() in words


def test_solution_falls_back_on_rare_words() -> None:
    """Where no common word fits, any word of the dictionary is found; where none fits at all, that is said."""
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

    for wrong in ({"length": (40, 40)}, {"length": (0, 0)}, {"length": (8, 8), "tiles": 7}, {"tiles": 30}):
        with pytest.raises(ValueError):
            AnagramScribble.new(Random(1), **wrong)


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
            r"Construct a valid (\d+)-character English word .*:\n\[([a-z', ]+)\]\.\nEach character can (be|only)", prompt
        )
        assert match
        question = AnagramScribble(int(match[1]), re.sub("[^a-z]", "", match[2]), reuse=match[3] == "be")
        if question.count_solutions():
            solved += 1
            assert Verdict(1.0) == question.check(question.solution())

    assert solved / len(prompts) >= least
