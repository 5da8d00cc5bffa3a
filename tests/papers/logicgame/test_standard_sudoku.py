"""Published sudokus: read alike in both languages, or left out for a defect."""

from __future__ import annotations

from pathlib import Path

import pytest
from proofs.second_workings import standard_sudoku as second

from quandary.papers.logicgame.prompts import NotRead
from quandary.papers.logicgame.readers.standard_sudoku import read
from quandary.puzzles._shared.sudoku.layout import (
    Layout,
    anti_diagonal,
    boxes,
    columns,
    main_diagonal,
    rows,
)
from quandary.puzzles._shared.sudoku.solver import solutions

from .prompts import prompts, read_prompts

# Number of the English and of the Chinese item -> family, level, boxes and answer, by hand.
READ = {
    (60, 152): ("a", 0, False, "12/21"),
    (61, 154): ("a", 1, True, "1423/3214/4132/2341"),
    (152, 153): ("b", 0, False, "21/12"),
    (153, 155): ("b", 1, True, "1234/3412/4321/2143"),
    (155, 159): (
        "b",
        3,
        False,
        (
            "946852317/587193246/231467598/692378154/478521639/315946782/753689421/864215973/"
            "129734865"
        ),
    ),
}


def test_items_are_read_alike_in_both_languages(data: Path) -> None:
    english, chinese = (
        read_prompts(data, language, "standard_sudoku")[0] for language in ("en", "zh")
    )

    assert {*english} == {one for one, _ in READ}
    assert {*chinese} == {other for _, other in READ}
    for (one, other), (family, level, boxed, answer) in READ.items():
        made = english[one]
        assert made == chinese[other]
        assert (made.family, made.level, made.boxes) == (family, level, boxed)
        assert "/".join("".join(row) for row in made.work().answer) == answer
        assert second.work(made) == tuple(made.work())


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_is_left_out(data: Path, language: str) -> None:
    """Both grids of 6 x 6 have several solutions, and one of 9 x 9 has rows of 8 and 10 cells."""
    refused = read_prompts(data, language, "standard_sudoku")[1]

    assert sorted(refused.values()) == [
        "194 grids fit",
        "2 grids fit",
        "it has 9 rows, of 9, 9, 9, 8, 10, 9, 9, 9, 9 cells",
    ]


@pytest.mark.parametrize("number", [153, 155])
def test_the_answer_does_not_depend_on_which_diagonals_are_meant(data: Path, number: int) -> None:
    """Both items speak of "diagonal" alone; with either, both or none, one grid fits."""
    made = read_prompts(data, "en", "standard_sudoku")[0][number]
    side = made.side
    plain = (*rows(side), *columns(side), *(boxes(side) if made.boxes else ()))
    main, anti = main_diagonal(side), anti_diagonal(side)
    found = {
        tuple(solutions(made.cells, Layout(side, (*plain, *diagonals))))
        for diagonals in ((), (main,), (anti,), (main, anti))
    }

    assert found == {("".join(map("".join, made.work().answer)),)}


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("\n1,  \n", "\n1, ,\n", "it has 2 rows, of 3, 2 cells"),
        ("\n1,  \n", "\n1, 1\n", "0 grids fit"),
        ("\n1,  \n,1", "\n, \n,", "2 grids fit"),
        ("\n1,  \n", "\n7,  \n", "its grid has 7, which is none of its numbers"),
        ("\n1,  \n", "\nx,  \n", "it has 1 rows, of 2 cells"),
        ("same row or column", "same row", "not understood: .Given a 2"),
        ("between 1-2", "between 1-3", "not understood: .Given a 2"),
    ],
)
def test_what_is_not_understood_is_refused(data: Path, old: str, new: str, why: str) -> None:
    prompt = prompts(data, "en", "standard_sudoku")[0]["contexts"][0]

    assert old in prompt
    with pytest.raises(NotRead, match=why):
        read(prompt.replace(old, new), 0)
