"""Crossword arranger."""

from __future__ import annotations

import json
import re
import tarfile
from itertools import permutations
from pathlib import Path
from random import Random

import pytest

from quandary.core.contract import Verdict
from quandary.puzzles.questions.words._shared.english_words import by_length
from quandary.puzzles.questions.words.crossword_arranger import CrosswordArranger

PUBLISHED = CrosswordArranger(("all", "and", "app", "lee", "let", "pat", "pee", "pet"))
LEVELS = {"easy": (3, 8), "medium": (4, 16), "hard": (5, 20)}


def test_published_example_is_accepted() -> None:
    """TextGames' worked example, and its mirror image."""
    assert Verdict(1.0) == PUBLISHED.check("app\nlee\nlet")
    assert Verdict(1.0) == PUBLISHED.check("all\npee\npet")


def test_example_in_the_rules_is_true() -> None:
    """The example that the rules print would be accepted."""
    [(words, answer)] = re.findall(
        r"if the words were ([a-z ]+), you could answer:\n([a-z\n]+)$", PUBLISHED.rules()
    )

    assert words.split() == sorted(words.split())
    assert Verdict(1.0) == CrosswordArranger(tuple(words.split())).check(answer)
    assert PUBLISHED.rules("zh").endswith(f"单词为 {words} 时，可以回答：\n{answer}")


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("", "shape"),
        ("app\nlee", "shape"),
        ("app\nlee\nlet\nand", "shape"),
        ("apps\nlee\nlet", "shape"),
        ("app\nle\nlet", "shape"),
        ("a p p\nlee\nlet", "shape"),
        ("a p p l e e l e", "shape"),
        ("a p p l e e l e t t", "shape"),
        ("app, lee, let", "shape"),
        ("```\napp\nlee\nlet\n```", "shape"),
        ("Here it is:\napp\nlee\nlet", "shape"),
        ("x " * 100_000, "shape"),
        ("apq\nlee\nlet", "horizontal_word"),
        ("app\nxyz\nlet", "horizontal_word"),
        ("app\nlee\nʟet", "horizontal_word"),
        ("ａpp\nlee\nlet", "horizontal_word"),
        ("a.p\nlee\nlet", "horizontal_word"),
        ("app\nlet\nlee", "vertical_word"),
        ("pat\nand\nlet", "vertical_word"),
        ("app\napp\nlet", "used_twice"),
        ("pet\npet\npet", "used_twice"),
    ],
)
def test_faults_are_told_apart(answer: str, kind: str) -> None:
    """The order is shape, rows from the top, columns from the left; a sentence names the fault."""
    verdict = PUBLISHED.check(answer)

    assert (0.0, kind) == (verdict.score, verdict.kind)
    assert verdict.feedback.endswith(".")


def test_a_word_as_row_and_column_is_used_twice() -> None:
    """A board that mirrors itself along the diagonal uses every word twice."""
    verdict = CrosswordArranger(("ado", "bad", "cat", "dog", "dot", "ear")).check("bad\nado\ndot")

    assert verdict.kind == "used_twice"
    assert (
        verdict.feedback
        == "Column 1 reads 'bad', but that word is already on the board; use each word only once."
    )


def test_feedback_says_where() -> None:
    """The sentence names the line and what stands there."""
    assert PUBLISHED.check("pet\npet\npet").feedback == (
        "Row 2 reads 'pet', but that word is already on the board; use each word only once."
    )
    assert (
        PUBLISHED.check("app\nxyz\nlet").feedback == "Row 2 reads 'xyz', which is not in the list."
    )
    assert (
        PUBLISHED.check("app\nlet\nlee").feedback
        == "Column 3 reads 'pte', which is not in the list."
    )
    assert (
        PUBLISHED.check("app\nle\nlet").feedback
        == "The board must have 3 rows of 3 letters; your row 2 has 2 letters."
    )
    assert (
        PUBLISHED.check("app").feedback
        == "The board must have 3 rows of 3 letters; yours has 1 row."
    )
    assert PUBLISHED.check("app\nlet\nlee", "zh").feedback == (
        "第 3 列是“pte”，词表中没有这个单词。"
    )
    assert PUBLISHED.check("app\nle\nlet", "zh").feedback == (
        "盘面必须有 3 行，每行 3 个字母；你写的第 2 行有 2 个字母。"
    )


@pytest.mark.parametrize(
    "answer",
    [
        "APP\nLee\nlet",
        "\n app \r\n lee \r\n let\n\n",
        "app lee let",
        "a p p\nl e e\nl e t",
        "a p p l e e l e t",
        "a\np\np\nl\ne\ne\nl\ne\nt",
    ],
)
def test_harmless_variations_are_read(answer: str) -> None:
    """Capitals, blanks around rows and letters written one by one do not matter."""
    assert Verdict(1.0) == PUBLISHED.check(answer)


@pytest.mark.parametrize("level", LEVELS)
def test_instances_are_as_published(level: str) -> None:
    """Different common words of one length in alphabetical order; the solution is accepted."""
    size, number = LEVELS[level]
    for seed in range(60):
        question = CrosswordArranger.new(Random(seed), **CrosswordArranger.levels[level])
        assert (number, list(question.words)) == (len(set(question.words)), sorted(question.words))
        assert set(by_length()[size]).issuperset(question.words)
        assert Verdict(1.0) == question.check(question.solution())


def test_all_and_only_the_counted_boards_are_right() -> None:
    """Checking every choice of rows finds as many boards as are counted, and the solution."""
    for seed in range(40):
        question = CrosswordArranger.new(Random(seed))
        boards = ["\n".join(rows) for rows in permutations(question.words, 3)]
        right = [board for board in boards if question.check(board).score == 1.0]
        assert len(right) == question.count_solutions() >= 2
        assert question.solution() in right


def test_lists_without_a_board() -> None:
    """A list that fills no board is told so."""
    question = CrosswordArranger(("ado", "bad", "dot"))

    assert 0 == question.count_solutions()
    with pytest.raises(ValueError, match="no board can be filled"):
        question.solution()


def test_sizes_beyond_the_levels() -> None:
    """Boards from 2x2 to 6x6 and few or many other words work; what cannot be made is refused."""
    for size, noise, number in ((2, 0.5, 8), (3, 0.0, 6), (4, 0.9, 80), (6, 0.5, 24)):
        question = CrosswordArranger.new(Random(1), size=size, noise=noise)
        assert (size, number) == (question.size, len(set(question.words)))
        assert Verdict(1.0) == question.check(question.solution())

    for wrong in (
        {"size": 1},
        {"size": 7},
        {"noise": 1.0},
        {"noise": -0.1},
        {"size": 2, "noise": 0.99},
    ):
        with pytest.raises(ValueError):
            CrosswordArranger.new(Random(1), **wrong)


@pytest.mark.parametrize("level", LEVELS)
def test_checker_agrees_with_a_plain_one(level: str) -> None:
    """A checker written anew says the same of right, mutated and random boards."""
    _compare(level, 300)


@pytest.mark.heavy
@pytest.mark.parametrize("level", LEVELS)
def test_checker_agrees_on_ten_thousand_boards(level: str) -> None:
    """The same on many more boards."""
    _compare(level, 10_000)


def _compare(level: str, answers: int) -> None:
    rng, kinds = Random(level), set()
    for count in range(answers):
        if count % 100 == 0:
            question = CrosswordArranger.new(rng, **CrosswordArranger.levels[level])
            solution = question.solution()
        answer = _mutated(rng, question, solution)
        expected = _plain_kind(question.words, answer)
        kinds.add(expected)
        assert expected == question.check(answer).kind

    assert {"", "shape", "horizontal_word", "vertical_word", "used_twice"} == kinds


def _mutated(rng: Random, question: CrosswordArranger, solution: str) -> str:
    rows = solution.split("\n")
    place = rng.randrange(len(rows))
    match rng.randrange(8):
        case 0:
            return question.sample(rng)
        case 1:
            rows[place] = rng.choice(question.words)
        case 2:
            rows[place] = rows[place].replace(rng.choice(rows[place]), rng.choice("aeiourstn"))
        case 3:
            rng.shuffle(rows)
        case 4:
            del rows[place]
        case 5:
            rows = ["".join(letters) for letters in zip(*rows, strict=True)]
        case 6:
            rows[place] += rng.choice("abc")
    return rng.choice(["\n".join(rows), "\n".join(map(" ".join, rows)), "\n".join(rows).upper()])


def _plain_kind(words: tuple[str, ...], answer: str) -> str:
    size, tokens = len(words[0]), answer.lower().split()
    if all(len(token) == 1 for token in tokens) and len(tokens) == size**2:
        tokens = ["".join(tokens[row * size : row * size + size]) for row in range(size)]
    if [size] * size != [len(token) for token in tokens]:
        return "shape"
    board = {(row, column): tokens[row][column] for row in range(size) for column in range(size)}
    lines = [
        ("horizontal_word", "".join(board[row, column] for column in range(size)))
        for row in range(size)
    ]
    lines += [
        ("vertical_word", "".join(board[row, column] for row in range(size)))
        for column in range(size)
    ]
    for number, (kind, word) in enumerate(lines):
        if word not in words:
            return kind
        if word in [earlier for _, earlier in lines[:number]]:
            return "used_twice"
    return ""


@pytest.mark.parametrize("level", [1, 2, 3])
def test_published_problems_have_two_boards(data: Path, level: int) -> None:
    """Every published list fills exactly one board and its mirror image, and both are accepted."""
    with tarfile.open(data / "textgames" / "problemsets.tar.gz") as archive:
        file = archive.extractfile(f"problemsets/Crossword Arranger_{level}.json")
        assert file is not None
        prompts = list(json.load(file).values())
    for prompt in prompts:
        question = CrosswordArranger(tuple(re.findall(r"^- ([a-z]+)$", prompt, re.M)))
        rows = question.solution().split("\n")
        assert Verdict(1.0) == question.check("\n".join(rows))
        assert Verdict(1.0) == question.check("\n".join(map("".join, zip(*rows, strict=True))))
        assert 2 == question.count_solutions()

    assert len(prompts) == 1000
