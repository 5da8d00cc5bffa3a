"""Text on a terminal: prose is wrapped, boards and tables are not."""

from __future__ import annotations

import pytest

from quandary.api.listing import list_puzzles
from quandary.catalogue import drawing
from quandary.core.text_columns import columns
from quandary.render.screen import is_prose, listed, wrap

GRID = " ".join("." * 60)
TABLE = "site  avenue  street  minutes  value  open" * 3


@pytest.mark.parametrize("width", [20, 40, 80])
def test_prose_is_broken_at_spaces(width: int) -> None:
    """No line is wider, no word is broken, and nothing is lost."""
    text = "Fill the grid so that no value appears twice in any row, column or box. " * 3
    lines = wrap(text, width).split("\n")

    assert max(map(len, lines)) <= width
    assert text.split() == " ".join(lines).split()


def test_chinese_is_broken_between_letters() -> None:
    """A letter takes two columns; no line begins with a closing mark, numbers stay whole."""
    text = "轮到你时，选一个空格填入一个数字，该数字不能已经出现在这一行、列或宫中，例如 1234。" * 3
    for width in range(10, 60):
        lines = wrap(text, width).split("\n")
        assert max(map(columns, lines)) <= width + 2  # a closing mark may hang over
        assert not any(line[0] in "，。、" for line in lines)
        assert text.replace(" ", "") == "".join(lines).replace(" ", "")
        assert 3 == "\n".join(lines).count("1234")


@pytest.mark.parametrize("line", [GRID, TABLE, "+---" * 30, "1 2 3 | 4 5 6 | " * 9])
def test_boards_and_tables_stay_whole(line: str) -> None:
    """A broken row could not be read."""
    assert line == wrap(line, 40)


def test_positions_of_all_puzzles_fit_or_are_prose() -> None:
    """At 80 columns, the easiest level of every puzzle reads well: what is wider is broken at
    spaces, or it is a table that is wider than any terminal could show it.
    """
    for row in list_puzzles():
        game = drawing.game(f"{row['name']}/{row['levels'][0]}#1")
        for text in (game.rules(), game.seen_by(0).text(0)):
            wide = [line for line in wrap(text, 80).split("\n") if columns(line) > 80]
            assert not any(is_prose(line) for line in wide), (row["name"], wide)


def test_items_of_a_list_stay_whole() -> None:
    """A move of several numbers is one item."""
    shown = listed(["0 1 1", "0 1 2", "0 2 2", "10 2 3"], ", ", 14)
    assert "0 1 1, 0 1 2,\n0 2 2, 10 2 3" == shown.strip()
    assert "only" == listed(["only"], ", ", None).strip()
