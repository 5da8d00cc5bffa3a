"""Square boards as answers."""

from __future__ import annotations

import pytest

from quandary.puzzles.questions.words._shared.square_answers import read_square


@pytest.mark.parametrize(
    "answer",
    [
        "abc\ndef\nghi",
        " abc def\r\nghi\n",
        "a b c\nd e f\ng h i",
        "a b c d e f g h i",
        "a\nb\nc\nd\ne\nf\ng\nh\ni",
    ],
)
def test_boards_are_read(answer: str) -> None:
    """Rows together, or every cell alone; how they are put into lines does not matter."""
    assert ("abcdefghi", "") == read_square(answer, 3, "letter", "en")


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        ("", "your answer is empty"),
        ("\n \n", "your answer is empty"),
        ("abc\ndef", "yours has 2 rows"),
        ("abc def", "yours has 2 rows"),
        ("abc def ghi jkl", "yours has 4 rows"),
        ("abc", "yours has 1 row"),
        ("a b c\nd e f", "yours has 2 rows"),  # and not 6
        ("a b c\n\nd e f\n\ng h i\nj k l", "yours has 4 rows"),
        ("a b c d", "yours has 1 row"),
        ("The board:\nabc\ndef\nghi", "yours has 4 rows"),
        ("abc\nde\nghi", "your row 2 has 2 letters"),
        ("a b c\nd e f\ng h", "your row 3 has 2 letters"),
        ("a\nb\nc", "your row 1 has 1 letter"),
        ("a bc\nd ef\ng hi", "put spaces between all letters of a row or between none"),
        ("\n".join("abc" for _ in range(1_000)), "yours has 1000 rows"),
    ],
)
def test_lines_are_counted(answer: str, fault: str) -> None:
    """What is wrong is told by the lines the player wrote."""
    assert (
        f"The board must have 3 rows of 3 letters; {fault}."
        == read_square(answer, 3, "letter", "en")[1]
    )


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (" ", "your answer is empty"),
        ("12", "yours has 1 row"),
        ("12\n3", "your row 2 has 1 symbol"),
        ("1 2\n34", "put spaces between all symbols of a row or between none"),
    ],
)
def test_symbols_are_called_so(answer: str, fault: str) -> None:
    """A board that is not filled with letters alone has symbols in its cells."""
    complaint = read_square(answer, 2, "symbol", "en")[1]

    assert f"The board must have 2 rows of 2 symbols; {fault}." == complaint
