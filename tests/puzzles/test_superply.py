"""Superply: hints against plain arithmetic, sides against plain search, errors and strategies."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random

import pytest

from quandary.core.contract import CHANCE, Ending
from quandary.core.errors import Illegal, Unreadable
from quandary.core.game import refusal
from quandary.core.scene import Box
from quandary.matches.drivers import play_now
from quandary.matches.player import Scripted
from quandary.matches.record import ReplayMismatch, replay
from quandary.puzzles.duels.superply import Superply

Cell = tuple[int, int]


def _cells(position: Superply) -> set[Cell]:
    """The cells open to whoever is to move."""
    [moves] = position.options().values()
    return {(int(row), int(column)) for row, column in (move.split() for move in moves or ())}


def _hinted(size: int, hint: str, **changes: int) -> Superply:
    return Superply.new(Random(0), size=size, **changes).play(CHANCE, hint)


def _fits(hint: str, row: int, column: int) -> bool:
    """Whether a cell fits a hint, by plain arithmetic."""
    reckoning, test, *limits = hint.split()
    number = {
        "sum": row + column,
        "product": row * column,
        "difference": max(row, column) - min(row, column),
    }[reckoning]
    if test == "digit":
        return limits[0] in list(str(number))
    if test in ("even", "odd"):
        return (number % 2 == 0) == (test == "even")
    bounds = [int(limit) for limit in limits]
    lowest, highest = {
        "less": (0, bounds[0] - 1),
        "greater": (bounds[0] + 1, 10**6),
        "between": (bounds[0], bounds[-1]),
    }[test]
    return number in range(lowest, highest + 1)


def _near(cell: Cell) -> set[Cell]:
    return {(cell[0] + down, cell[1] + right) for down, right in product((-1, 0, 1), repeat=2)}


def _joins(board: tuple[str, ...], mark: str) -> bool:
    """Whether B joins left and right, or R top and bottom, by plain search."""
    own = {
        (row, column)
        for row, cells in enumerate(board)
        for column, cell in enumerate(cells)
        if cell == mark
    }
    along = 1 if mark == "B" else 0
    waiting = [cell for cell in own if cell[along] == 0]
    seen = set(waiting)
    while waiting:
        new = (_near(waiting.pop()) & own) - seen
        seen |= new
        waiting += new
    return any(cell[along] == len(board) - 1 for cell in seen)


def _fewest(board: tuple[str, ...], mark: str) -> int:
    """How many claims would join the sides, by relaxing costs until they settle."""
    size, along = len(board), 1 if mark == "B" else 0
    price = {
        (row, column): int(board[row][column] == ".")
        for row in range(size)
        for column in range(size)
        if board[row][column] in (".", mark)
    }
    cost = {cell: price[cell] for cell in price if cell[along] == 0}
    for _ in range(size * size):
        cost = {
            cell: min(
                price[cell]
                + min((cost[near] for near in _near(cell) if near in cost), default=999),
                cost.get(cell, 999),
            )
            for cell in price
        }
    return min(cost[cell] for cell in price if cell[along] == size - 1)


def _match(size: int, players: tuple[str, str], name: str, budget: int = 40) -> Superply:
    position, luck = Superply.new(Random(0), size=size), Random(name)
    while options := position.options():
        [seat] = options
        if seat == CHANCE:
            move = position.chance(luck)
        elif players[seat] == "random":
            move = luck.choice(list(options[seat] or ()))
        else:
            move = Superply.strategies[players[seat]](position, seat, luck, budget)
        position = position.play(seat, move)
    return position


def test_the_paper_s_hint_allows_six_cells() -> None:
    """A product that contains the digit 6, on 6x6: PuzzlePlex misses row 4, column 4: 16."""
    assert {(1, 6), (2, 3), (3, 2), (4, 4), (6, 1), (6, 6)} == _cells(_hinted(6, "product digit 6"))


@pytest.mark.parametrize("bounds", ["1 12", "2 25", "0 10", "0 2"])
@pytest.mark.parametrize("reckoning", ["sum", "product", "difference"])
def test_between_includes_both_ends(reckoning: str, bounds: str) -> None:
    """Also the bounds that the released checker cannot read."""
    hint = f"{reckoning} between {bounds}"

    assert {cell for cell in product(range(1, 7), repeat=2) if _fits(hint, *cell)} == _cells(
        _hinted(6, hint)
    )


@pytest.mark.parametrize(
    ("hint", "words", "fitting", "unfitting"),
    [
        ("sum less 5", "row plus column is less than 5", (1, 3), (2, 3)),
        ("sum greater 5", "row plus column is greater than 5", (2, 4), (2, 3)),
        ("sum odd", "row plus column is odd", (2, 3), (2, 4)),
        ("product even", "row times column is even", (1, 2), (3, 5)),
        ("product digit 0", "row times column contains the digit 0", (2, 5), (1, 1)),
        (
            "difference digit 0",
            "the difference of row and column contains the digit 0",
            (4, 4),
            (4, 5),
        ),
        (
            "difference between 2 3",
            "the difference of row and column is between 2 and 3, both included",
            (1, 4),
            (5, 1),
        ),
    ],
)
def test_hints_mean_what_they_say(hint: str, words: str, fitting: Cell, unfitting: Cell) -> None:
    """Each kind of hint, in words and on the board."""
    position = _hinted(6, hint)

    assert f"Hint: {words}." in position.text(0)
    assert fitting in _cells(position)
    assert unfitting not in _cells(position)


def test_every_hint_drawn_can_be_met() -> None:
    """Thousands of hints allow just the cells of plain arithmetic, and at least one of them."""
    for size, seed in product((2, 6, 9, 12), range(500)):
        hint = Superply.new(Random(0), size=size).chance(Random(seed))
        expected = {cell for cell in product(range(1, size + 1), repeat=2) if _fits(hint, *cell)}

        assert expected
        assert expected == _cells(_hinted(size, hint))
    for row, column, seed in product(range(6), range(6), range(30)):
        board = ["BRBRBR"] * 6
        board[row] = board[row][:column] + "." + board[row][column + 1 :]

        assert _fits(Superply(tuple(board), 15).chance(Random(seed)), row + 1, column + 1)


def test_a_full_board_joins_a_pair_of_sides() -> None:
    """Every filling of 3x3 joins at least one pair, or both by ways that cross at a corner."""
    fillings = [
        tuple("".join(cells[row : row + 3]) for row in (0, 3, 6))
        for cells in product("BR", repeat=9)
    ]
    joined = [(_joins(board, "B"), _joins(board, "R")) for board in fillings]

    assert (False, False) not in joined
    assert (True, True) in joined
    for board, pair in zip(fillings, joined, strict=True):
        if pair != (True, True):
            assert (float(pair[0]), float(pair[1])) == Superply(
                board, 15, turn=int(pair[0])
            ).scores()


def test_the_first_to_join_wins() -> None:
    """A match ends as soon as the mover's sides are joined; nobody else's are."""
    for seed in range(60):
        position, luck = Superply.new(Random(0), size=5), Random(seed)
        while options := position.options():
            assert not _joins(position.board, "B") and not _joins(position.board, "R")
            [seat] = options
            position = position.play(
                seat,
                position.chance(luck) if seat == CHANCE else luck.choice(list(options[seat] or ())),
            )
        winner = 1 - position.turn

        assert (winner == 0, winner == 1) == (
            _joins(position.board, "B"),
            _joins(position.board, "R"),
        )
        assert (float(winner == 0), float(winner == 1)) == position.scores()
        assert Ending("goal") == position.ending()


@pytest.mark.parametrize("move", ["1 1", "2 2", "0 3", "-1 3", "7 1", "999999999 1"])
def test_an_error_passes_the_turn_and_the_hint(move: str) -> None:
    """An unfitting cell, a claimed one and cells off the board cost one error, claim nothing."""
    before = _hinted(6, "sum even").play(0, "2 2").play(CHANCE, "sum greater 3")
    after = before.foul(1, move)

    assert move not in (before.options()[1] or ())
    assert (before.board, before.hint, 0, (0, 1)) == (
        after.board,
        after.hint,
        after.turn,
        after.errors_made,
    )
    assert before.options()[1] == after.options()[0]


@pytest.mark.parametrize("offender", [0, 1])
def test_fifteen_errors_lose(offender: int) -> None:
    """The fifteenth ends the match whatever the board says, and is its maker's fault."""
    position = Superply(("." * 6,) * 6, 15, (14, 14), turn=offender).play(CHANCE, "sum less 3")

    assert position.options()

    lost = position.foul(offender, "6 6")

    assert {} == lost.options()
    assert Ending("limit", offender) == lost.ending()
    assert 0.0 == lost.scores()[offender] and 1.0 == lost.scores()[1 - offender]


def test_the_number_of_errors_is_part_of_the_level() -> None:
    """With a limit of one, the first error loses, and the rules say so."""
    lost = _hinted(6, "sum even", errors=1).foul(0, "1 2")

    assert Ending("limit", 0) == lost.ending()
    assert "makes 1 error" in lost.rules()


@pytest.mark.parametrize(
    ("said", "move"),
    [
        ("3 4", "3 4"),
        ("operation = (3, 4)", "3 4"),
        ("Operation: (3,4)", "3 4"),
        ("(3,4)", "3 4"),
        ("[3, 4]", "3 4"),
        ("3,4", "3 4"),
        ("03 04", "3 4"),
        ("row 3, column 4", "3 4"),
        ("Column 4, Row 3", "3 4"),
        ("r3c4", "3 4"),
        ("c4r3", "3 4"),
        ("(0, -1)", "0 -1"),
        ("12 700", "12 700"),
        ("（３，４）", "3 4"),
        ("3、4", "3 4"),
        ("第3行第4列", "3 4"),
        ("第 4 列，第 3 行", "3 4"),
        ("行号 3，列号 4", "3 4"),
        ("我选 3 行 4 列的格子。", "3 4"),
    ],
)
def test_notations_are_read(said: str, move: str) -> None:
    """The paper's form, plain pairs and named ones, on the board or off it."""
    assert move == Superply.new(Random(0)).read(0, said)


@pytest.mark.parametrize(
    "said",
    ["", "3", "3 4 5", "not (1, 2) but (3, 4)", "(1, 2, 3)", "three four", "3.5 4", "1234567890 1"],
)
def test_other_words_are_refused(said: str) -> None:
    """What names no one cell is no move, and the refusal shows how to write one."""
    game = Superply.new(Random(0))
    with pytest.raises(Unreadable) as refused:
        game.read(0, said)

    assert "the row and the column of your cell, for example: 3 4" in refusal(game, refused.value)


def test_a_board_is_written_with_its_numbers() -> None:
    """Columns stand under their numbers, with one digit and with two."""
    small = Superply(("B..", ".R.", "..B"), 15)
    large = Superply.new(Random(0), size=10).play(CHANCE, "sum even").play(0, "10 10")

    assert small.text(0).splitlines()[1:5] == ["  1 2 3", "1 B . .", "2 . R .", "3 . . B"]
    for line in large.text(0).splitlines()[1:12]:
        assert len(line) == 32
    assert large.text(0).splitlines()[1].split() == [str(number) for number in range(1, 11)]
    assert large.text(0).splitlines()[10] == " 9" + "  ." * 10
    assert large.text(0).splitlines()[11] == "10" + "  ." * 9 + "  B"


def test_a_player_reads_what_happened() -> None:
    """The last choice, errors and the result are told from each player's side."""
    start = _hinted(2, "sum even", errors=1)
    claimed = start.play(0, "1 1").play(CHANCE, "sum odd")
    lost = claimed.foul(1, "1 1")

    assert "Your opponent chose 1 1.\nIt is your turn." in claimed.text(1)
    assert "You chose 1 1.\nIt is your opponent's turn." in claimed.text(0)
    assert "Errors: you 0, your opponent 1; 1 loses." in lost.text(0)
    assert lost.text(0).endswith("Your opponent chose 1 1, which was an error.\nYou have won.")
    assert lost.text(1).endswith("You chose 1 1, which was an error.\nYour opponent has won.")


def test_free_cells_can_be_clicked_by_the_player_to_move() -> None:
    """Also cells that do not match the hint: to find those that do is the game."""
    position = Superply(("B.", ".."), 15).play(CHANCE, "sum less 4")

    def clicks(seat: int) -> list[object]:
        scene = position.scene(seat)
        return [shape.click for shape in scene.shapes if isinstance(shape, Box) and shape.click]

    free = [("1", "2"), ("2", "1"), ("2", "2")]
    assert clicks(0) == [{"row": row, "column": column} for row, column in free]
    assert clicks(1) == []


def test_shortest_ways_agree_with_plain_search() -> None:
    """On random boards the claims still needed and their cells are those of brute force."""
    rng = Random(3)
    for _ in range(15):
        board = tuple("".join(rng.choice("...BR") for _ in range(5)) for _ in range(5))
        for seat, mark in enumerate("BR"):
            if _joins(board, "B") or _joins(board, "R"):
                continue
            needs = Superply(board, 15)._race(seat).needs(seat)
            fewest = _fewest(board, mark)
            helping = set()
            for row, column in product(range(5), repeat=2):
                if board[row][column] == ".":
                    claimed = board[row][:column] + mark + board[row][column + 1 :]
                    if _fewest((*board[:row], claimed, *board[row + 1 :]), mark) < fewest:
                        helping.add((row, column))

            assert fewest == len(needs)
            assert helping == {divmod(bit, 6) for bit in range(30) if sum(needs) >> bit & 1}


@pytest.mark.parametrize("name", ["search", "oracle"])
def test_strategies_take_a_win(name: str) -> None:
    """A cell that joins the sides is claimed where the hint allows it, by either seat."""
    rows = (".....", "BB.BB", ".....", ".....", ".....")
    columns = tuple("".join(row[i] for row in rows).replace("B", "R") for i in range(5))
    for seat, board in enumerate((rows, columns)):
        position = Superply(board, 15, turn=seat).play(CHANCE, "sum between 2 10")
        won = position.play(seat, Superply.strategies[name](position, seat, Random(1), 500))

        assert 1.0 == won.scores()[seat]


def test_the_oracle_stops_a_win() -> None:
    """It claims the cell that would join the opponent's sides, where none joins its own."""
    position = Superply(
        ("......", "......", "......", "..R...", "BB.BBB", "..R..."), 15, turn=1
    ).play(CHANCE, "sum between 2 12")

    assert "5 3" == Superply.strategies["oracle"](position, 1, Random(1), 40)
    assert "5 3" == Superply.strategies["oracle"](position, 1, Random(1), 2_000)


def test_strategies_are_graded() -> None:
    """With exchanged seats search nearly always beats luck, and the oracle clearly beats search."""
    names = [("random", "search"), ("search", "oracle")]
    won = []
    for weaker, stronger in names:
        forth = sum(_match(6, (stronger, weaker), f"forth{i}").scores()[0] for i in range(40))
        back = sum(_match(6, (weaker, stronger), f"back{i}").scores()[1] for i in range(40))
        won.append((forth + back) / 80)

    assert won[0] > 0.9
    assert won[1] > 0.6


@pytest.mark.parametrize(
    "hint",
    [
        *("", "sum", "sum less", "sum less 1", "sum less 5 7", "sum less -3", "sum less 05"),
        *("sum less ٥", "sum greater 37", "sum digit 12", "sum even 2", "sum between 7"),
        *("sum between 7 7", "sum between 9 3", "weight even", "sum larger 3", " sum even", "5 5"),
    ],
)
def test_an_impossible_draw_is_illegal(hint: str) -> None:
    """Only what `chance` can draw is played, and what some free cell matches."""
    with pytest.raises(Illegal):
        _hinted(6, hint)


def test_a_hint_that_no_free_cell_matches_is_illegal() -> None:
    """The same draw is possible on one board and impossible on another."""
    free = Superply((".B", "RB"), 15)
    taken = Superply(("BB", "R."), 15)

    assert free.play(CHANCE, "sum less 3").options() == {0: ["1 1"]}
    with pytest.raises(Illegal, match="no free cell"):
        taken.play(CHANCE, "sum less 3")


def test_everything_that_can_be_drawn_is_accepted() -> None:
    """`after` refuses no draw of `chance`, on boards of all sizes."""
    for size in (2, 3, 6, 12):
        position, rng = Superply.new(Random(0), size=size), Random(size)
        for _ in range(2_000):
            move = position.chance(rng)

            assert position.play(CHANCE, move).hint is not None


def test_a_forged_draw_does_not_replay() -> None:
    """A record cannot contain a hint that nobody could have drawn."""
    player = Scripted("first", lambda turn, rng: next(iter(turn.options or ())))
    record = play_now(Superply.new(Random(0), size=3), [player] * 2, "superply/easy,size=3#1")
    forged = ((CHANCE, "sum less 1"), *record.log[1:])

    assert replay(record)
    with pytest.raises(ReplayMismatch, match="chance cannot draw 'sum less 1'"):
        replay(replace(record, log=forged))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_foul_says_which_rule_is_broken(language: str) -> None:
    """Off the board, claimed already, or against the hint, with what row and column come to."""
    position = _hinted(4, "sum less 5").play(0, "1 1").play(CHANCE, "product greater 8")
    assert "The cell 1 1 is already claimed." == position.why_illegal(1, "1 1")
    assert "It does not match the hint: row times column is 6." == position.why_illegal(1, "2 3")
    assert "The row must be from 1 to 4, not 5." == position.why_illegal(1, "5 1")
    for row, column in product(range(0, 6), repeat=2):
        if (row, column) not in _cells(position):
            assert position.why_illegal(1, f"{row} {column}", language)
