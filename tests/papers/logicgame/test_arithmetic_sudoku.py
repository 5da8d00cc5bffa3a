"""Published arithmetic sudokus: read alike in both languages, or left out for a contradiction."""

from __future__ import annotations

from pathlib import Path

import pytest
from proofs.second_workings import arithmetic_sudoku as second

from quandary.papers.logicgame.prompts import NotRead
from quandary.papers.logicgame.readers.arithmetic_sudoku import read

from .prompts import prompts, read_prompts

# Number of the English and of the Chinese item -> family, level, clues and answer, by hand.
READ = {
    (64, 176): ("a", 0, 2, "12/21"),
    (65, 178): ("a", 1, 5, "132/213/321"),
    (66, 180): ("a", 2, 4, "231/123/312"),
    (164, 177): ("b", 0, 2, "12/21"),
    (165, 179): ("b", 1, 3, "231/312/123"),
    (166, 181): ("b", 2, 5, "1234/3421/2143/4312"),
    (167, 183): ("b", 3, 5, "3412/1324/2143/4231"),
}


def test_items_are_read_alike_in_both_languages(data: Path) -> None:
    english, chinese = (
        read_prompts(data, language, "arithmetic_sudoku")[0] for language in ("en", "zh")
    )

    assert {*english} == {one for one, _ in READ}
    assert {*chinese} == {other for _, other in READ}
    for (one, other), (family, level, clues, answer) in READ.items():
        made = english[one]
        assert made == chinese[other]
        assert (made.family, made.level, len(made.cages)) == (family, level, clues)
        assert "/".join("".join(map(str, row)) for row in made.work().answer) == answer
        assert second.work(made) == tuple(made.work())


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_is_left_out(data: Path, language: str) -> None:
    """The fifth clue of the largest one of family a contradicts the others."""
    refused = read_prompts(data, language, "arithmetic_sudoku")[1]

    assert list(refused.values()) == ["0 grids fit"]


def test_without_its_fifth_clue_it_still_has_several_solutions(data: Path) -> None:
    """So nothing tells what was meant."""
    prompt = next(
        item["contexts"][0]
        for item in prompts(data, "en", "arithmetic_sudoku")
        if item["qid"].endswith("_67")
    )
    mended = prompt.replace("5. (2,4), (2,3) blocks * equals 8\n\n6.", "5.").replace("7.", "6.")

    assert mended.count("\n\n") == prompt.count("\n\n") - 1
    with pytest.raises(NotRead, match=r"\d+ grids fit") as refusal:
        read.find(mended, 3)
    assert str(refusal.value) != "0 grids fit"


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("1. (1,1)", "1. (1,3)", "a clue is not about different cells of the grid"),
        ("(1,2), (2,2)", "(1,2), (1,2)", "a clue is not about different cells of the grid"),
        ("(1,2), (2,2) Block *", "(1,1), (1,2), (2,2) Block /", "too many cells"),
        ("2. (1,2)", "3. (1,2)", "its clues have the numbers 1, 3"),
        ("Block + is 1", "Block + is about 1", "not understood: '.1,1. Block"),
        ("+ is 1", "+ is 3", "0 grids fit"),
        ("1. (1,1) Block + is 1\n\n2.", "1.", "2 grids fit"),
        ("2*2 grid, each", "2*3 grid, each", "not understood: 'Given a 2"),
        ("1. (1,1) Block + is 1", "1. (1,1) + = 1", "not understood: "),
        ("same row or column", "same row", "not understood: 'Given a 2"),
    ],
)
def test_what_is_not_understood_is_refused(data: Path, old: str, new: str, why: str) -> None:
    prompt = prompts(data, "en", "arithmetic_sudoku")[0]["contexts"][0]

    assert old in prompt
    with pytest.raises(NotRead, match=why):
        read(prompt.replace(old, new), 0)
