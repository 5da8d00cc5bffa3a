"""Words that hold several moves: none of them is played, for the words may deny the one that is
picked.
"""

from __future__ import annotations

import pytest

from quandary.catalogue import drawing, registry
from quandary.core.contract import Game
from quandary.core.errors import Unreadable

SEVERAL = {
    "beat_or_bomb_det/easy#1": [
        "K compete, not 5 give up",
        "[K, compete] or [5, compete]",
        "5 compete K",
    ],
    "beat_or_bomb_sto/easy#1": ["K compete, not K give up"],
    "bid_that/easy#1": ["bid = [3] no, bid = [4]", "bid = 3, not [4]", "bid = [3], not [4]"],
    "bid_that_vickrey/easy#1": ["[3] or [4]"],
    "card_nim/easy#1": [
        "[8], leaving [26]",
        "8, leaving [26]",
        "I play 8, leaving [26]",
        "[8], leaving 26",
        "not [1] but 2",
    ],
    "exclusivity_particles/easy#1": [
        "[1,1,1,1] no: [0,0,0,0]",
        "0000, not [1,1,1,1]",
        "(0,0,0,0) or (1,1,1,1)",
    ],
    "exclusivity_probes/easy#1": [
        "[0,0,0,0,0] rather than [1,1,1,1,1]",
        "[0,0,0,0,0] rather than 11111",
        "00000 rather than [1,1,1,1,1]",
        "not 00000 but 1 1 1 1 1",
        "not (0,0,0,0,0) but 11111",
        "00000 = 11111",
        "(0,0,0,0,0)\n(1,1,1,1,1)",
        "position = 00000, not = 11111",
        "position = 0 0 0 0 0, position = 1 1 1 1 1",
        "position = [0,0,0,0,0], position = [1,1,1,1,1]",
        "[[0,0,0,0,0], [1,1,1,1,1]]",
    ],
    "expanding_nim/easy#1": [
        "[2, 0] or [3, 0]",
        "2, not [3, 0]",
        "2 reset, not [3, 1]",
        "[2, 1] or 2",
        "[2, 0], leaving 5",
    ],
    "game_of_24/easy#1": ["6 + 2 or 3 + 9", "6 + 2\n3 + 9", "6 + 2, not 3 + 9"],
    "graph_coloring/easy#1": ["[3, 2] or [4, 1]", "3 2, not 4 1", "vertex 3 colour 2, not 1"],
    "logic_grid/easy#3": ["1 2 3\n2 3 4", "clue 1: row 2\nclue 1: row 3"],
    "k_queens/easy#1": ["2 1 to 2 0 or 3 1 to 3 0", "(2, 1) to (2, 0), not (2, 1) to (2, 3)"],
    "larger_target/easy#1": [
        "[2] (not [1])",
        "2, not [1]",
        "[2] or [1]",
        "bag_index = [2], bag_index = [1]",
        "stay at [2], not 1",
    ],
    "max_maximal_cocktails/easy#1": [
        "(1, 2) because (3, 4) would lose",
        "(1, 2) or (3, 4)",
        "1 2, not (3, 4)",
        "1-2, not {3, 4}",
        "edge = (1, 2), not edge = (3, 4)",
    ],
    "max_target/easy#1": ["[2] (not [1])"],
    "ruby_risks/easy#1": ["first [9], no: [7]", "9, no: [7]"],
    "share_card_nim/easy#1": ["[8], leaving [26]"],
    "sudokill/easy#1": ["[(0, 3), 2] or [(0, 3), 1]", "0 3 2, not [(0, 3), 1]"],
    "sudoku/easy#1": [
        "[(0, 3), 2] or [(0, 4), 2]",
        "0 3 2, not [(0, 4), 2]",
        "(0, 3) = 2, not [(0, 4), 2]",
        "not [(0, 3), 2] but (0, 4, 2)",
        "operation = [(0, 3), 2], operation = [(0, 4), 2]",
    ],
    "superply/easy#1": [
        "(3, 1), not (3, 2)",
        "(3, 1) or (3, 2)",
        "3 1, not (3, 2)",
        "row 3, column 1, not (3, 2)",
        "column 1, row 3, not (1, 3)",
        "operation = (3, 1), operation = (3, 2)",
    ],
    "takuzu/easy#1": ["[(0, 3), 1] or [(0, 4), 1]", "0 3 1, not [(0, 4), 1]"],
    "tidy_tower/easy#1": ["[1, 2, 0] or [2, 2, 0]", "1 1, 2 2", "(1 1), not (2 2)"],
}
ONE = {
    "bid_that/easy#1": [("[3], yes, [3]", "3"), ("bid = [3] of 100", "3")],
    "card_nim/easy#1": [("7, yes, [7]", "7"), ("[7] or [07]", "7"), ("List[int] = [7] of 34", "7")],
    "exclusivity_probes/easy#1": [
        ("[0,1,1,0,1], so 01101", "01101"),
        ("(0, 1, 1, 0, 1) is [0,1,1,0,1]", "01101"),
        ("Probe 10 of 32: position = [0,1,1,0,1]", "01101"),
        ("List[int] = [0,1,1,0,1]", "01101"),
    ],
    "expanding_nim/easy#1": [("[2, 1]: 2 reset", "2 reset"), ("[2, 0], (2, false)", "2"), ("20 stones: move = [2, 0]", "2")],
    "max_maximal_cocktails/easy#1": [("(1, 2), the same as (2, 1)", "1 2"), (("Round 3 of 9: edge "
                                                                             "= (1, 2)"), "1 2")],
    "sudoku/easy#1": [("0 3 2, so [(0, 3), 2]", "0 3 2"), (("1, 2, 3 are there: operation = [(0, "
                                                           "3), 4]"), "0 3 4")],
    "superply/easy#1": [("column 1, row 3: (3, 1)", "3 1"), ("Turn 5 of 9: operation = (3, 1)", "3 1"), ("(3, 1), my 2nd", "3 1")],
}  # fmt: skip


def read(spec: str, said: str) -> object:
    """The move that is read, or Unreadable."""
    game = drawing.instance(spec)
    assert isinstance(game, Game)
    try:
        return game.seen_by(0).read(0, said)
    except Unreadable:
        return Unreadable


@pytest.mark.parametrize(
    ("spec", "said", "expected"),
    [(spec, said, Unreadable) for spec, several in SEVERAL.items() for said in several]
    + [(spec, said, move) for spec, same in ONE.items() for said, move in same],
)
def test_a_move_is_read_only_where_no_other_is_said(spec: str, said: str, expected: object) -> None:
    """Several different moves are unreadable, and the same one said twice is one; a name such as
    bid = marks it among numbers.
    """
    assert expected == read(spec, said)


def test_every_game_is_in_the_table() -> None:
    """No game may pick one of several moves, so each is tried."""
    games = {name for name in registry.names() if issubclass(registry.load(name), Game)}

    assert games == {spec.partition("/")[0] for spec in SEVERAL}
