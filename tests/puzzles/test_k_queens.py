"""K queens: moves to any empty square, a counted number of them, and the notations of the paper."""

from __future__ import annotations

import re
from functools import cache
from itertools import combinations, permutations
from random import Random

import pytest

from quandary.catalogue import drawing
from quandary.core.contract import Ending, Question, StateTasks
from quandary.core.errors import Unreadable
from quandary.core.game import refusal
from quandary.core.moves import MoveIndex, composable
from quandary.core.scene import Box, Disc
from quandary.matches.drivers import play_now
from quandary.players.strategy import strategy_player
from quandary.puzzles.solo.k_queens import KQueens
from quandary.tasks.whole import Whole

Board = tuple[tuple[int, int], ...]

PRINTED = """[[ 0 0 0 0 0 1 0 0],
[0 0 0 0 0 0 0 1],
[0 0 0 0 1 0 0 0],
[0 0 0 0 0 0 1 0],
[0 1 0 0 0 0 0 0],
[0 0 1 0 0 0 0 0],
[0 0 0 0 0 0 0 1],
[0 1 0 0 0 0 0 0]]"""  # the board that explains the game in PuzzlePlex
PAPER = ((0, 5), (1, 7), (2, 4), (3, 6), (4, 1), (5, 2), (6, 7), (7, 1))
SOLVED = ((0, 1), (1, 3), (2, 0), (3, 2))
TWO_OFF = KQueens(
    ((0, 1), (1, 2), (2, 0), (3, 3)), 2
)  # SOLVED, with two queens moved in their rows


def peaceful(queens: Board) -> bool:
    return not any(
        one[0] == other[0] or one[1] == other[1] or abs(one[0] - other[0]) == abs(one[1] - other[1])
        for one, other in combinations(queens, 2)
    )


@cache
def placements(side: int) -> list[set[tuple[int, int]]]:
    boards = (tuple(enumerate(columns)) for columns in permutations(range(side)))
    return [set(queens) for queens in boards if peaceful(queens)]


def fewest_moves(queens: Board) -> int:
    return min(len(set(queens) - goal) for goal in placements(len(queens)))


@cache
def can_win(queens: Board, left: int) -> bool:
    """Whether some line of moves wins, by trying all of them."""
    if peaceful(queens):
        return True
    squares = [(row, column) for row in range(len(queens)) for column in range(len(queens))]
    return left > 0 and any(
        can_win(tuple(sorted({*queens, square} - {queen})), left - 1)
        for queen in queens
        for square in squares
        if square not in queens
    )


def any_board(rng: Random, side: int) -> Board:
    return tuple(sorted(divmod(square, side) for square in rng.sample(range(side * side), side)))


def test_the_papers_example_is_false() -> None:
    """The printed move leaves two pairs that attack each other; two moves do not solve it."""
    start = KQueens(PAPER, 2)
    after = start.play(0, start.read(0, "[4, 1] to [4, 0]"))

    assert PAPER == start.restate(f"{PRINTED}\nMoves left: 2").queens
    assert "4 1 to 4 0" in start.options()[0]
    assert {(1, 7), (6, 7), (7, 1)} <= set(after.queens)
    assert (0.0,) == after.scores()
    assert not start.solvable()
    assert fewest_moves(PAPER) > 2
    assert (0.0, "unfinished") == (
        Whole(start).check("[4, 1] to [4, 0]").score,
        Whole(start).check("[4, 1] to [4, 0]").kind,
    )
    assert KQueens(PAPER, fewest_moves(PAPER)).solvable()


def test_options_are_all_moves_to_empty_squares() -> None:
    """Each of the eight queens can go to each of the 56 empty squares, in the order of squares."""
    options = list(KQueens(PAPER, 1).options()[0])

    assert 8 * 56 == len(set(options)) == len(options)
    assert ["0 5 to 0 0", "0 5 to 0 1"] == options[:2]
    assert not {"0 5 to 0 5", "0 5 to 1 7", "0 0 to 0 1", "0 5 to 0 8"} & set(options)


def test_the_game_ends_with_peace_or_with_the_last_move() -> None:
    """The first placement without attacks wins; the last move loses if some still attack."""
    won = TWO_OFF.play(0, "1 2 to 1 3").play(0, "3 3 to 3 2")
    early = KQueens(TWO_OFF.queens, 9).play(0, "3 3 to 1 3").play(0, "1 2 to 3 2")
    lost = TWO_OFF.play(0, "1 2 to 1 3").play(0, "3 3 to 3 1")

    assert (SOLVED, 0, (1.0,), Ending("goal"), {}) == (
        won.queens,
        won.left,
        won.scores(),
        won.ending(),
        won.options(),
    )
    assert (SOLVED, 7, (1.0,), Ending("goal"), {}) == (
        early.queens,
        early.left,
        early.scores(),
        early.ending(),
        early.options(),
    )
    assert ((0.0,), Ending("limit"), {}, False) == (
        lost.scores(),
        lost.ending(),
        lost.options(),
        lost.solvable(),
    )


def test_solvable_branches_and_judge_by_trying_everything() -> None:
    """Boards of side 4 with queens anywhere: what can be won, and which moves keep it so."""
    rng, labels = Random(4), set()
    for _ in range(120):
        position = KQueens(any_board(rng, 4), rng.randint(1, 3))
        options = list(position.options().get(0, ()))
        expected = {
            move: float(can_win(position.play(0, move).queens, position.left - 1))
            for move in options
        }
        labels.add(position.solvable())

        assert (
            can_win(position.queens, position.left)
            == position.solvable()
            == StateTasks.solvable(position)
        )
        assert expected == position.judge(0)
        assert set(position.branches()) <= set(options)
    assert {True, False} == labels


@pytest.mark.parametrize("side", [5, 6, 7])
def test_branches_are_enough_on_larger_boards(side: int) -> None:
    """Searching the few branches finds a solution exactly where a placement is near enough."""
    rng, labels = Random(f"branches {side}"), set()
    for turn in range(30):
        queens = (
            any_board(rng, side)
            if turn % 2
            else tuple((row, rng.randrange(side)) for row in range(side))
        )
        position = KQueens(queens, rng.randint(2, 3))
        labels.add(position.solvable())

        assert (
            (fewest_moves(queens) <= position.left)
            == position.solvable()
            == StateTasks.solvable(position)
        )
        assert len(list(position.branches())) <= 2 * side
    assert {True, False} == labels


def test_judge_with_moves_to_spare() -> None:
    """With one more a wasted move is forgiven unless it undoes a right one; with two, all are."""
    rng = Random("spare")
    for extra in (1, 2):
        queens = any_board(rng, 5)
        position = KQueens(queens, fewest_moves(queens) + extra)
        expected = {
            move: float(fewest_moves(position.play(0, move).queens) < position.left)
            for move in position.options()[0]
        }

        assert expected == position.judge(0)
        assert (extra == 2) == all(expected.values())


@pytest.mark.parametrize("level", list(KQueens.levels))
def test_levels_take_the_moves_they_say(level: str) -> None:
    """One queen per row, and as many moves as are needed with those to spare."""
    sizes = KQueens.levels[level]
    low, high = sizes["moves"]
    for seed in range(12):
        start = KQueens.new(Random(f"{level} {seed}"), **sizes)
        position, moves = start, 0
        while position.options():
            position, moves = position.play(0, position.oracle(0, Random(0), 1)), moves + 1

        assert list(range(sizes["side"])) == [row for row, _ in start.queens]
        assert low <= moves <= high
        assert moves + sizes.get("spare", 0) == start.left
        assert (1.0,) == position.scores()
        if sizes["side"] <= 8:
            assert moves == fewest_moves(start.queens)


def test_the_oracle_from_anywhere() -> None:
    """Also with several queens in a row it takes the fewest moves there are."""
    rng = Random("oracle")
    for _ in range(30):
        queens = any_board(rng, 6)
        position = KQueens(queens, 6)
        while position.options():
            move = position.oracle(0, rng, 1)
            assert move in position.options()[0]
            position = position.play(0, move)

        assert 6 - fewest_moves(queens) == position.left
        assert (1.0,) == position.scores()


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ({"side": 3}, "side=3 is out of bounds"), ({"side": 21}, "side=21 is out of bounds"),
        ({"moves": (0, 2)}, "moves=0..2 is out of bounds"), ({"moves": (3, 2)}, "is empty"),
        ({"moves": (9, 9)}, "a board of side 8 takes at most 8 moves"),
        ({"spare": -1}, "spare=-1 is out of bounds"),
        ({"moves": (8, 8)}, "no board of side 8 that takes 8 moves"),
    ],
)  # fmt: skip
def test_sizes_that_cannot_be_made(wrong: dict[str, int], complaint: str) -> None:
    """Every square of the 8 by 8 board belongs to some placement, so no board takes eight moves."""
    with pytest.raises(ValueError, match=complaint):
        KQueens.new(Random(1), **wrong)


def test_large_boards_and_wide_ranges() -> None:
    """A board of side 20 is solved; if the number drawn is not met, a smaller one is, in range."""
    large = KQueens.new(Random(1), side=20, moves=(7, 7), spare=2)
    wide = [KQueens.new(Random(seed), side=5, moves=(1, 5)).left for seed in range(20)]

    assert (20, 9, True) == (len(large.queens), large.left, large.solvable())
    assert not KQueens(large.queens, 6).solvable()
    assert {1, 2, 3, 4} >= set(wide)
    assert len(set(wide)) > 2


@pytest.mark.parametrize(
    "said",
    ["4 1 to 4 0", " 4 1  TO 4 0\n", "[4, 1] to [4, 0]", "[4,1] to [4,0].", "(4, 1) -> (4, 0)",
     "4,1 → 4,0", "4 1 4 0", "[[4, 1], [4, 0]]", "((4, 1), (4, 0))", "operation = [4, 1] to [4, 0]",
     "move [4, 1] to [4, 0]", "Move from row 4, column 1 to row 4, column 0", "`04 01 to 04 00`",
     '{"row": 4, "column": 1, "new_row": 4, "new_column": 0}', "４　１　到　４　０",
     "（4，1）移到（4，0）", "把第 4 行第 1 列的皇后移动到第 4 行第 0 列",
     "移动第4行第1列的皇后到第4行第0列", "行号 4，列号 1，新行号 4，新列号 0"],
)  # fmt: skip
def test_ways_to_write_a_move(said: str) -> None:
    """The paper's form, lists of two squares, four numbers, fields by name, and Chinese."""
    assert "4 1 to 4 0" == KQueens(PAPER, 2).read(0, said)


@pytest.mark.parametrize("said", ["-4 1 to 4 0", "4 1 to 4 99999"])
def test_squares_off_the_board(said: str) -> None:
    """They can be read, but are no options."""
    position = KQueens(PAPER, 2)

    assert said == position.read(0, said)
    assert said not in (position.options()[0] or ())


@pytest.mark.parametrize(
    "said",
    ["", "4 1", "4 1 to 4", "4 1 to", "41 to 40", "4.5 1 to 4 0", "b4 to a4", "4 1 to 4 0 to 4 2",
     "٤ ١ to ٤ ٠"],
)  # fmt: skip
def test_no_move(said: str) -> None:
    """Words that are no single move are refused with a sentence that shows how one is written."""
    position = KQueens(PAPER, 2)
    with pytest.raises(Unreadable) as refused:
        position.read(0, said)

    assert "2 1 to 2 0" in refusal(position, refused.value)


def test_clicks_compose_every_move() -> None:
    """A queen and an empty square; there is nothing to click once the game is over."""
    notation = TWO_OFF.notation()

    assert composable(notation, TWO_OFF.options()[0] or (), _clicks(TWO_OFF))
    assert [] == _clicks(KQueens(SOLVED, 2))
    assert 10_000 == MoveIndex(KQueens.level_notation(**KQueens.levels["hard"])).size


def _clicks(position: KQueens) -> list[dict[str, int]]:
    shapes = [shape for shape in position.scene(0).shapes if isinstance(shape, Box | Disc)]
    clicks = [shape.click for shape in shapes if shape.click]
    return [{name: int(text) for name, text in click.items()} for click in clicks]


@pytest.mark.parametrize(
    "answer",
    [
        "1 2 to 1 3\n3 3 to 3 2",
        "[1, 2] to [1, 3]\n[3, 3] to [3, 2]",
        "[1, 2] to [1, 3], [3, 3] to [3, 2]",
        "[[[3, 3], [3, 2]], [[1, 2], [1, 3]]]",
        "[((1, 2), (1, 3)), ((3, 3), (3, 2))]",
        "（1，2）到（1，3）、（3，3）移到（3，2）",
        "3 3 to 1 3\n1 2 to 3 2",
        ".Q..\n...Q\nQ...\n..Q.",
        "[[0, 1, 0, 0], [0, 0, 0, 1], [1, 0, 0, 0], [0, 0, 1, 0]]",
    ],
)
def test_whole_answers(answer: str) -> None:
    """Moves one a line, lists of pairs of squares, or the final board."""
    assert 1.0 == Whole(TWO_OFF).check(answer).score


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("1 2 to 1 3", "unfinished"),
        ("", "unfinished"),
        (".Q..\n..Q.\nQ...\n...Q", "unfinished"),  # the board as it is
        ("1 2 to 1 3\n3 3 to 3 1\n3 1 to 3 2", "too_long"),
        ("1 2 to 1 3\n3 3 to 3 2\n0 1 to 0 0", "too_long"),
        ("..Q.\nQ...\n...Q\n.Q..", "too_long"),  # the other placement, four moves away
        ("1 2 to 2 0", "illegal"),
        ("0 0 to 0 3", "illegal"),
        ("[[1, 2], [1, 3]], [[3, 3]", "unreadable"),
        (".Q..\n...Q\nQ...\n....", "unreadable"),
        ("[[" * 50_000, "unreadable"),
    ],
)  # fmt: skip
def test_wrong_whole_answers(answer: str, kind: str) -> None:
    """Kinds of wrong answers are told apart; the limit holds for final boards as well."""
    verdict = Whole(TWO_OFF).check(answer)

    assert (0.0, kind) == (verdict.score, verdict.kind)


def test_the_example_in_the_rules_is_a_move() -> None:
    """It is read as it stands, and so is the list in the words on whole answers."""
    start = KQueens.new(Random(1), side=4, moves=(1, 2))
    [example] = re.findall(r"[0-9] [0-9] to [0-9] [0-9]", start.rules())
    [listed] = re.findall(r"\[\[\[.*\]\]\]", start.whole_form())

    assert example == start.read(0, example)
    assert [example, "3 2 to 3 3"] == start.moves(listed)


def test_positions_as_written() -> None:
    """A position is its rows, with the right number of queens, and the moves left."""
    assert ". Q . .\n. . Q .\nQ . . .\n. . . Q\n2" == TWO_OFF.state()
    for said in (
        "[[0,1,0,0],[0,0,1,0],[1,0,0,0],[0,0,0,1]], moves left = 2",
        "[[0,1,0,0],[0,0,1,0],[1,0,0,0],[0,0,0,1]], 2",
        "0 1 0 0 0 0 1 0 1 0 0 0 0 0 0 1 2",
        ".Q..\n..Q.\nQ...\n...Q\nMoves left: 2.",
        ".Q..\n..Q.\nQ...\n...Q\n剩余步数：2",
        TWO_OFF.text(0).partition(":\n")[2],
        TWO_OFF.text(0, "zh").partition("：\n")[2],
    ):
        assert TWO_OFF == TWO_OFF.restate(said)
    for said in (
        ".Q....Q.Q......Q",
        "Moves left: 2",
        ".Q....Q.Q.......\nMoves left: 2",
        ".Q....Q.Q......Q\nMoves left: -2",
        ".Q....Q.Q......Q\n-2",
        "0 1 0 0 0 0 1 0 1 0 0 0 0 0 0 1",
    ):
        with pytest.raises(Unreadable, match=r"rows"):
            TWO_OFF.restate(said)


def test_boards_in_state_tasks_are_written_without_words() -> None:
    """So they are the same in every language; the rules explain them in each."""
    for task in ("check", "next"):
        question = drawing.instance(f"{task}:k_queens/easy#1")
        assert "left" not in question.text(0, "zh")
        assert "各行之下是剩余步数" in question.rules("zh")
        assert "below them the number of moves left" in question.rules("en")


def test_the_baseline_searches_breadth_first() -> None:
    """With enough positions it solves every board; with one it still makes a legal move."""
    for seed in range(10):
        position = KQueens.new(Random(seed), side=7, moves=(1, 3))

        assert position.breadth_first(0, Random(0), 1) in position.options()[0]
        while position.options():
            position = position.play(0, position.breadth_first(0, Random(0), 3_000))
        assert (1.0,) == position.scores()


@pytest.mark.heavy
@pytest.mark.parametrize("level", list(KQueens.levels))
def test_the_house_is_stronger_than_luck(level: str) -> None:
    """Of 100 boards random play solves 5 at most, and the house player 20 at least."""
    solved = {"random": 0, "house": 0}
    for seed in range(100):
        for who in solved:
            board = KQueens.new(Random(f"k_queens/{level}#{seed}"), **KQueens.levels[level])
            record = play_now(board, [strategy_player(who, board, level)], f"test {seed}")
            solved[who] += record.scores == (1.0,)

    assert solved["random"] <= 5
    assert solved["house"] >= 20


def test_a_board_as_it_is_shown_is_read() -> None:
    """With its row and column numbers, as somebody copies it who answers with the final board."""
    start = drawing.instance("whole:k_queens/normal#1")
    game = drawing.game("k_queens/normal#1")
    while options := game.options():
        assert options
        game = game.play(0, game.strategies["oracle"](game, 0, Random(0), 1_000))

    assert isinstance(start, Question)
    assert 1.0 == start.check(game.text(0).partition(":\n")[2].rpartition("\n")[0]).score
