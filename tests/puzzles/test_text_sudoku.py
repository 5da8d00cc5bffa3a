"""Text sudoku."""

from __future__ import annotations

import json
import re
import tarfile
from collections import Counter
from itertools import combinations, permutations, product
from operator import itemgetter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from quandary.core.contract import Verdict
from quandary.puzzles.questions.words.text_sudoku import TextSudoku

PUBLISHED = TextSudoku("A_CDCD_B_AD_DCBA", "ABCD")
SOLVED = "ABCD\nCDAB\nBADC\nDCBA"
OPEN = TextSudoku("_" * 16, "1234")
LEVELS = {"easy": (4, 4), "medium": (4, 8), "hard": (9, 32)}
SYMBOLS = {4: {"1234", "ABCD"}, 9: {"123456789", "ABCDEFGHI"}}
ROWS = ["".join(row) for row in permutations("1234")]
BANDS = [  # two rows whose boxes are filled right
    rows
    for rows in product(ROWS, repeat=2)
    if all(len({*rows[0][x : x + 2], *rows[1][x : x + 2]}) == 4 for x in (0, 2))
]
GRIDS = [  # all that are filled right
    (*upper, *lower)
    for upper, lower in product(BANDS, repeat=2)
    if all(len({*column}) == 4 for column in zip(*upper, *lower, strict=True))
]


def test_published_example_is_accepted() -> None:
    """TextGames' worked example."""
    assert Verdict(1.0) == PUBLISHED.check(SOLVED)
    assert SOLVED == PUBLISHED.solution()


@pytest.mark.parametrize("level", LEVELS)
def test_example_in_the_rules_is_true(level: str) -> None:
    """The example that the rules print would be accepted."""
    rules = TextSudoku.new(Random(level), **TextSudoku.levels[level]).rules()
    [(symbols, answer)] = re.findall(
        r"the symbols ([A-Z ]+) could be filled like this:\n([A-Z\n]+)$", rules
    )

    assert Verdict(1.0) == TextSudoku("_" * 16, symbols.replace(" ", "")).check(answer)


def test_example_is_the_same_in_chinese() -> None:
    """A reader of either language sees the same board."""
    english, chinese = (PUBLISHED.rules(language) for language in ("en", "zh"))

    assert english.partition("like this:")[2] == chinese.partition("填：")[2] != ""


@pytest.mark.parametrize(
    ("question", "answer", "kind"),
    [
        (PUBLISHED, "", "shape"),
        (PUBLISHED, "ABCD\nCDAB\nBADC", "shape"),
        (PUBLISHED, SOLVED + "\nABCD", "shape"),
        (PUBLISHED, "ABCD\nCDAB\nBADC\nDCB", "shape"),
        (PUBLISHED, "ABCD\nCDAB\nBADC\nDCBAA", "shape"),
        (PUBLISHED, "ABCDCDABBADCDCBA", "shape"),
        (PUBLISHED, "A B C D\nCDAB\nBADC\nDCBA", "shape"),
        (PUBLISHED, " ".join("ABCDCDABBADCDCB"), "shape"),
        (PUBLISHED, " ".join("ABCDCDABBADCDCBAA"), "shape"),
        (PUBLISHED, f"```\n{SOLVED}\n```", "shape"),
        (PUBLISHED, "A " * 100_000, "shape"),
        (PUBLISHED, "AXCD\nCDAB\nBADC\nDCBA", "unknown_symbol"),
        (PUBLISHED, "A.CD\nCDAB\nBADC\nDCBA", "unknown_symbol"),
        (PUBLISHED, "A2CD\nCDAB\nBADC\nDCBA", "unknown_symbol"),
        (PUBLISHED, "XBCD\nCDAB\nBADC\nDCBA", "unknown_symbol"),
        (PUBLISHED, "АBCD\nCDAB\nBADC\nDCBA", "unknown_symbol"),  # a Cyrillic letter
        (OPEN, "1٢34\n3412\n2143\n4321", "unknown_symbol"),
        (OPEN, "1234\n3412\n2143\n4325", "unknown_symbol"),
        (PUBLISHED, "A_CD\nCD_B\n_AD_\nDCBA", "blank_left"),
        (PUBLISHED, "ABCD\nCDAB\nBADC\nDCB_", "blank_left"),
        (PUBLISHED, "BACD\nCDAB\nBADC\nDCBA", "changed_given"),
        (PUBLISHED, "ABCD\nCDAB\nBADC\nDCBB", "changed_given"),
        (
            PUBLISHED,
            "ABCD\nCDAB\nBXDC\nDCBB",
            "unknown_symbol",
        ),  # the first cell that is wrong counts
        (PUBLISHED, "ABCD\nCDAB\nBBDX\nDCBA", "changed_given"),
        (PUBLISHED, "AACD\nCDAB\nBADC\nDCBA", "repeated_in_row"),
        (
            PUBLISHED,
            "ABCD\nCDAB\nCADC\nDCBA",
            "repeated_in_column",
        ),  # C again below C, though row 3 has two as well
        (OPEN, "1234\n1234\n1234\n1234", "repeated_in_column"),
        (OPEN, "1234\n2341\n3412\n4123", "repeated_in_box"),
        (OPEN, "1111\n1111\n1111\n1111", "repeated_in_row"),
    ],
)
def test_faults_are_told_apart(question: TextSudoku, answer: str, kind: str) -> None:
    """Shape first, then the cells one by one, then repeats in the order of cells."""
    verdict = question.check(answer)

    assert (0.0, kind) == (verdict.score, verdict.kind)
    assert verdict.feedback.endswith(".")


@pytest.mark.parametrize(
    ("answer", "feedback"),
    [
        ("1234\n3412", "The board must have 4 rows of 4 symbols; yours has 2 rows."),
        (
            "1234\n341\n2143\n4321",
            "The board must have 4 rows of 4 symbols; your row 2 has 3 symbols.",
        ),
        (
            "1234\n3452\n2143\n4321",
            "The cell in row 2, column 3 contains '5'; the symbols are 1, 2, 3, 4.",
        ),
        ("1234\n3412\n2143\n432_", "The cell in row 4, column 4 is still empty."),
        ("1231\n3412\n2143\n4324", "1 occurs twice in row 1: in columns 1 and 4."),
        ("1234\n3412\n1243\n4321", "1 occurs twice in column 1: in rows 1 and 3."),
        (
            "1234\n2341\n3412\n4123",
            "2 occurs twice in one box: in row 1, column 2 and in row 2, column 1.",
        ),
    ],
)
def test_feedback_names_the_symbol_and_the_place(answer: str, feedback: str) -> None:
    """The sentence shows the symbol as it is written, and counts rows and columns from 1."""
    assert feedback == OPEN.check(answer).feedback


@pytest.mark.parametrize(
    ("answer", "feedback"),
    [
        ("1234\n341\n2143\n4321", "盘面必须有 4 行，每行 4 个符号；你写的第 2 行有 3 个符号。"),
        ("1234\n3452\n2143\n4321", "第 2 行第 3 列的格子中是“5”；可用的符号是 1、2、3、4。"),
        ("１２３４\n３４１２\n２１４３\n４３２＿", "第 4 行第 4 列的格子还空着。"),
        ("1231\n3412\n2143\n4324", "1 在第 1 行中出现了两次：在第 1 列和第 4 列。"),
    ],
)
def test_feedback_in_chinese(answer: str, feedback: str) -> None:
    """The same is said, also of an answer in full width."""
    assert feedback == OPEN.check(answer, "zh").feedback


def test_feedback_names_a_changed_given() -> None:
    """The sentence shows what was given and what was written."""
    assert (
        PUBLISHED.check("BACD\nCDAB\nBADC\nDCBA").feedback
        == "The cell in row 1, column 1 is given as A, but you wrote B."
    )


@pytest.mark.parametrize(
    "answer",
    [
        "ABCD CDAB BADC DCBA",
        f"\n {SOLVED} \n\n",
        SOLVED.lower(),
        SOLVED.replace("\n", "\r\n"),
        " ".join("ABCDCDABBADCDCBA"),
        "A B C D\nC D A B\nB A D C\nD C B A",
        "ＡＢＣＤ\nＣＤＡＢ\nＢＡＤＣ\nＤＣＢＡ",
        "ａ　ｂ　ｃ　ｄ\nｃ　ｄ　ａ　ｂ\nｂ　ａ　ｄ　ｃ\nｄ　ｃ　ｂ　ａ",
    ],
)
def test_harmless_variations_are_read(answer: str) -> None:
    """Rows on one line, blanks between symbols, small letters and full width do not matter."""
    assert Verdict(1.0) == PUBLISHED.check(answer)


def test_exactly_the_filled_boards_are_right() -> None:
    """Of all 4x4 boards with permutations as rows, the empty board accepts the 288 that fit."""
    accepted = [
        rows
        for rows in product(ROWS[:12], ROWS, ROWS[::5], ROWS)
        if OPEN.check("\n".join(rows)).score == 1.0
    ]

    assert 288 == len(GRIDS) == OPEN.count_solutions()
    assert [rows for rows in GRIDS if rows[0] in ROWS[:12] and rows[2] in ROWS[::5]] == sorted(
        accepted
    )
    assert all(Verdict(1.0) == OPEN.check("\n".join(rows)) for rows in GRIDS)


@pytest.mark.parametrize("level", LEVELS)
def test_instances_are_as_published(level: str) -> None:
    """Empty cells as published, digits or letters equally likely, one solution, accepted."""
    size, blanks = LEVELS[level]
    made = [TextSudoku.new(Random(seed), **TextSudoku.levels[level]) for seed in range(200)]

    assert SYMBOLS[size] == {question.symbols for question in made}
    assert 70 <= sum(question.symbols[0] == "A" for question in made) <= 130
    for question in made:
        assert (size * size, blanks) == (len(question.cells), question.cells.count("_"))
        assert set(question.cells) <= {*question.symbols, "_"}
        assert 1 == question.count_solutions()
        assert Verdict(1.0) == question.check(question.solution())


@pytest.mark.parametrize("level", ["easy", "medium"])
def test_small_boards_have_one_solution_among_all(level: str) -> None:
    """Of all 288 filled boards only one fits the givens."""
    boards = ["".join(rows) for rows in GRIDS]
    for seed in range(100):
        question = TextSudoku.new(Random(seed), **TextSudoku.levels[level], symbols="digits")
        fitting = [
            board
            for board in boards
            if all(a in (b, "_") for a, b in zip(question.cells, board, strict=True))
        ]
        assert [question.solution().replace("\n", "")] == fitting


@pytest.mark.parametrize(("level", "blanks"), [("easy", 4), ("medium", 8)])
@pytest.mark.heavy
def test_numbers_of_puzzles_are_true(level: str, blanks: int) -> None:
    """The levels that say they are small have as many puzzles as they say."""
    boards = ["".join(rows) for rows in GRIDS]
    puzzles = set()
    for givens in combinations(range(16), 16 - blanks):
        shown = [itemgetter(*givens)(board) for board in boards]
        times = Counter(shown)
        for board, seen in zip(boards, shown, strict=True):
            # Every other board is one of these with its symbols renamed.
            if board.startswith("1234") and times[seen] == 1:
                cells = "".join(
                    symbol if cell in givens else "_" for cell, symbol in enumerate(board)
                )
                puzzles.add(TextSudoku(cells, "1234").canonical())

    assert len(puzzles) == TextSudoku.distinct_instances[level].instances


def test_any_completion_is_right_where_there_are_several() -> None:
    """A board from elsewhere may have several solutions; each is accepted and all are counted."""
    question = TextSudoku("__343412__434321", "1234")  # 1 and 2 can change places
    boards = ["\n".join(rows) for rows in GRIDS]
    right = [board for board in boards if question.check(board).score == 1.0]

    assert 2 == len(right) == question.count_solutions()
    assert question.solution() in right


def test_boards_without_a_solution() -> None:
    """A board that cannot be filled is told so."""
    for cells in ("11" + "_" * 14, "123________4____"):
        question = TextSudoku(cells, "1234")
        assert 0 == question.count_solutions()
        with pytest.raises(ValueError, match="no solution"):
            question.solution()


def test_the_same_board_in_other_symbols_or_turned() -> None:
    """Renamed symbols, letters for digits and reflections make the same puzzle."""
    same = TextSudoku("1_3434_2_14_4321", "1234")
    mirrored = TextSudoku("DC_AB_DC_DA_ABCD", "ABCD")

    assert PUBLISHED.canonical() == same.canonical() == mirrored.canonical()
    assert PUBLISHED.canonical() != TextSudoku("AB_DCD_B_AD_DCBA", "ABCD").canonical()


def test_sizes_beyond_the_levels() -> None:
    """Boards of other sides with as many blanks as possible work."""
    for size, blanks in ((4, 10), (6, 20), (8, 30), (9, 50), (12, 60), (16, 100)):
        question = TextSudoku.new(Random(1), size=size, blanks=blanks)
        assert (size, blanks) == (question.size, question.cells.count("_"))
        assert 1 == question.count_solutions()
        assert Verdict(1.0) == question.check(question.solution())
    assert "123456" == TextSudoku.new(Random(1), size=6, symbols="digits").symbols
    assert "ABCDEF" == TextSudoku.new(Random(1), size=6, symbols="letters").symbols


@pytest.mark.parametrize(
    ("level", "refusal"),
    [
        ({"size": 5}, "a board of side 5 cannot be made"),
        ({"size": 25}, "a board of side 25 cannot be made"),
        ({"blanks": 0}, "blanks=0 is out of bounds; write 1 or more"),
        ({"blanks": 14}, "3 givens are needed to tell the symbols apart"),
        ({"blanks": 13}, "no board of side 4 was found with 13 empty cells and only one solution"),
        ({"size": 12, "symbols": "digits"}, "9 digits cannot fill 12 cells of a row"),
    ],
)
def test_impossible_sizes_are_refused(level: dict[str, Any], refusal: str) -> None:
    """A sentence says what is wrong with the arguments."""
    with pytest.raises(ValueError, match=re.escape(refusal)):
        TextSudoku.new(Random(1), **level)


@pytest.mark.parametrize("level", LEVELS)
def test_checker_agrees_with_a_plain_one(level: str) -> None:
    """A checker written anew says the same of right, mutated and random boards."""
    _compare(level, 400)


@pytest.mark.heavy
@pytest.mark.parametrize("level", LEVELS)
def test_checker_agrees_on_ten_thousand_boards(level: str) -> None:
    """The same on many more boards."""
    _compare(level, 10_000)


def _compare(level: str, answers: int) -> None:
    rng, kinds = Random(level), set()
    for count in range(answers):
        if count % 50 == 0:
            question = TextSudoku.new(rng, **TextSudoku.levels[level])
            solution = question.solution().replace("\n", "")
            if rng.random() < 0.5:  # fewer givens, so that repeats of every kind come up
                question = TextSudoku("_" * len(solution), question.symbols)
        answer = _mutated(rng, question, solution)
        expected = _plain_kind(question, answer)
        kinds.add(expected)
        assert expected == question.check(answer).kind

    repeats = {"repeated_in_row", "repeated_in_column", "repeated_in_box"}
    assert {"", "shape", "unknown_symbol", "blank_left", "changed_given", *repeats} == kinds


def _mutated(rng: Random, question: TextSudoku, solution: str) -> str:
    size, cells = question.size, list(solution)
    rows = [cells[start : start + size] for start in range(0, len(cells), size)]
    place = rng.randrange(size)
    match rng.randrange(8):
        case 0:
            return question.sample(rng)
        case 1:
            rows[place][rng.randrange(size)] = rng.choice(question.symbols)
        case 2:
            rows[place][rng.randrange(size)] = rng.choice("_0Zx?")
        case 3:
            rng.shuffle(rows)
        case 4:
            other = rng.randrange(size)
            rows = [[*row] for row in zip(*rows, strict=True)]
            rows[place], rows[other] = rows[other], rows[place]
            rows = [[*row] for row in zip(*rows, strict=True)]
        case 5:
            rows[place] = rows[place][1:]
        case 6:
            rows = [rows[0][shift:] + rows[0][:shift] for shift in range(size)]
    joined = ["".join(row) for row in rows]
    return rng.choice(
        [
            "\n".join(joined),
            " ".join(joined),
            "\n".join(map(" ".join, joined)),
            "\n".join(joined).lower(),
        ]
    )


def _plain_kind(question: TextSudoku, answer: str) -> str:
    size, tokens = question.size, answer.upper().split()
    edge = {4: 2, 9: 3}[size]
    if len(tokens) == size * size and all(len(token) == 1 for token in tokens):
        tokens = ["".join(tokens[row * size : row * size + size]) for row in range(size)]
    if [size] * size != [len(token) for token in tokens]:
        return "shape"
    cells = [(row, column, tokens[row][column]) for row in range(size) for column in range(size)]
    for row, column, symbol in cells:
        given = question.cells[row * size + column]
        if symbol == "_":
            return "blank_left"
        if symbol not in question.symbols:
            return "unknown_symbol"
        if given not in ("_", symbol):
            return "changed_given"
    for row, column, symbol in cells:
        same = [(y, x) for y, x, other in cells if other == symbol and (y, x) != (row, column)]
        if any(y == row for y, _ in same):
            return "repeated_in_row"
        if any(x == column for _, x in same):
            return "repeated_in_column"
        if any((y // edge, x // edge) == (row // edge, column // edge) for y, x in same):
            return "repeated_in_box"
    return ""


@pytest.mark.parametrize(("level", "unique"), [(1, 999), (2, 792), (3, 740)])
def test_published_problems_are_solved(data: Path, level: int, unique: int) -> None:
    """Every published board has a solution that is accepted; so many of them have only one."""
    with tarfile.open(data / "textgames" / "problemsets.tar.gz") as archive:
        file = archive.extractfile(f"problemsets/Text Sudoku_{level}.json")
        assert file is not None
        prompts = list(json.load(file).values())
    single = 0
    for prompt in prompts:
        match = re.search(r"with ([1-9A-I,]+) as the values .*\n([1-9A-I_ ]+)$", prompt)
        assert match
        question = TextSudoku(match[2].replace(" ", ""), match[1].replace(",", ""))
        assert Verdict(1.0) == question.check(question.solution())
        single += question.count_solutions() == 1

    assert (1000, unique) == (len(prompts), single)
