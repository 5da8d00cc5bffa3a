"""What sudoku, SudoKill and takuzu share: how grids are read, drawn and put into words."""

from __future__ import annotations

import pytest

from quandary.catalogue import drawing, registry
from quandary.core.contract import Game
from quandary.core.errors import Unreadable
from quandary.core.game import refusal
from quandary.core.moves import composable
from quandary.core.scene import Box
from quandary.puzzles._shared.sudoku.grid import SYMBOLS
from quandary.puzzles.solo.sudoku import Sudoku
from quandary.puzzles.solo.takuzu import Takuzu
from quandary.tasks.whole import Whole

SPECS = ("sudoku/easy#1", "sudoku/normal#1", "takuzu/easy#1", "sudokill/easy#1", "sudokill/hard#1")


def sudoku_grid(said: str, side: int) -> str:
    return Sudoku("." * side**2, "." * side**2).restate(said).cells


def takuzu_grid(said: str, side: int) -> str:
    return Takuzu("." * side**2, "." * side**2).restate(said).cells


@pytest.mark.parametrize(
    "said",
    [
        "12341234........",
        "1 2 3 4\n1 2 3 4\n. . . .\n. . . .",
        "[[1, 2, 3, 4], [1, 2, 3, 4], [0, 0, 0, 0], [0, 0, 0, 0]]",
        "12|34\n12|34\n--+--\n__|__\n__|__",
        "1,2,3,4\n1,2,3,4\n0,0,0,0\n0,0,0,0\n",
        "１，２，３，４\n１２３４\n．．．．\n０　０　０　０",
    ],
)
def test_ways_to_write_a_sudoku_grid(said: str) -> None:
    """Rows with or without blanks, lists of lists and drawn boxes are all read."""
    assert "12341234........" == sudoku_grid(said, 4)


@pytest.mark.parametrize(
    "said",
    ["", "1234", "1234" * 5, "1235" * 4, "a" * 16, "1 2 3 -4 " * 4, "²" * 16, "[[1, 2, 3, 4]"],
)
def test_texts_that_are_no_sudoku_grid(said: str) -> None:
    """Too few cells, too many, or values that do not exist are no board."""
    with pytest.raises(Unreadable):
        sudoku_grid(said, 4)


def test_large_values() -> None:
    """On boards beyond side 9 a value can be written as a letter or as a number."""
    numbers = " ".join(str(number) for number in range(1, 17))

    assert (
        SYMBOLS * 16
        == sudoku_grid(f"{numbers}\n" * 16, 16)
        == sudoku_grid((SYMBOLS.lower() + "\n") * 16, 16)
    )


@pytest.mark.parametrize(
    "said",
    [
        "[[0, -1, 1, -1], [-1, 0, -1, 1], [1, -1, 0, -1], [-1, 1, -1, 0]]",
        "0.1.\n.0.1\n1.0.\n.1.0",
        "0 . 1 .\n. 0 . 1\n1 . 0 .\n. 1 . 0",
        "0_1_ _0_1 1_0_ _1_0",
        "```\n0 ? 1 ?\n? 0 ? 1\n1 ? 0 ?\n? 1 ? 0\n```",
        "| 0 | x | 1 | x |\n|x|0|x|1|\n|1|x|0|x|\n|x|1|x|0|",
    ],
)
def test_ways_to_write_a_takuzu_grid(said: str) -> None:
    """Lists with -1 as PuzzlePlex prints them, rows, and the usual signs for an empty cell."""
    assert "0.1..0.11.0..1.0" == takuzu_grid(said, 4)


@pytest.mark.parametrize(
    "said",
    [
        "",
        "0101",
        "0" * 17,
        "0.1..0.11.0..1.2",
        "0.1..0.11.0..1.a",
        "٠" * 16,
        "-1 " * 17,
        "0 " * 100_000,
    ],
)
def test_texts_that_are_no_takuzu_grid(said: str) -> None:
    """Too few or too many cells, or values that are no 0 and no 1."""
    with pytest.raises(Unreadable, match="4 rows of 4"):
        takuzu_grid(said, 4)


@pytest.mark.parametrize("spec", SPECS)
def test_clicks_and_values_add_up_to_every_fill(spec: str) -> None:
    """A click gives a row and a column that can be filled; the value comes from a form."""
    game = drawing.game(spec)
    notation = game.notation()
    assert notation is not None
    clicks = [
        {name: int(text) for name, text in shape.click.items()}
        for shape in game.scene(0).shapes
        if isinstance(shape, Box) and shape.click
    ]
    [options] = game.options().values()
    values = [{"value": value} for value in {notation.parse(move)["value"] for move in options}]

    assert composable(notation, options, [*clicks, *values])


@pytest.mark.parametrize("name", ["sudoku", "takuzu", "sudokill"])
def test_levels_declare_the_notation_of_their_instances(name: str) -> None:
    """All instances of a level have grids of one size."""
    puzzle = registry.load(name)
    assert issubclass(puzzle, Game)
    for level, arguments in puzzle.levels.items():
        game = drawing.game(f"{name}/{level}#1")

        assert puzzle.level_notation(**arguments) == game.notation()


@pytest.mark.parametrize("spec", SPECS)
def test_refusals_in_chinese(spec: str) -> None:
    """A reply that is no fill is answered with how to write one."""
    game = drawing.game(spec)
    with pytest.raises(Unreadable) as refused:
        game.read(0, "pass")

    assert game.how("zh") == refusal(game, refused.value, "zh")
    assert "行号 列号 数字" in game.how("zh")


@pytest.mark.parametrize("spec", ["sudoku/easy#1", "takuzu/easy#1"])
def test_refused_grids_in_chinese(spec: str) -> None:
    """What is wrong with a whole grid is said in the language of the player."""
    game = drawing.game(spec)
    rows = game.state().splitlines()
    with pytest.raises(Unreadable) as short:
        game.moves("\n".join(rows[1:]))
    with pytest.raises(Unreadable) as emptied:
        game.moves("\n".join(" ".join("." for _ in rows) for _ in rows))

    assert f"请把盘面写成 {len(rows)} 行" in refusal(game, short.value, "zh")
    assert "漏掉" in refusal(game, emptied.value, "zh")


@pytest.mark.parametrize(("language", "told"), [("en", "not right. "), ("zh", "不对。")])
def test_a_wrong_full_grid_is_not_answered_by_a_move(language: str, told: str) -> None:
    """Two rows change places: what is wrong is said, and no move that nobody wrote is numbered."""
    question = drawing.instance("whole:sudoku/easy#1")
    assert isinstance(question, Whole)
    game = question.game
    for move in question.solution().splitlines():
        game = game.after(0, move)
    rows = game.state().splitlines()
    verdict = question.check("\n".join([rows[2], rows[1], rows[0], rows[3]]), language)
    assert verdict.kind == "illegal"
    assert told in verdict.feedback and verdict.feedback[-1] in ".。"
    assert "Move" not in verdict.feedback and "步" not in verdict.feedback
