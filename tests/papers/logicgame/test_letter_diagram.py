"""Published letter diagrams: read alike in both languages, or left out for a defect."""

from __future__ import annotations

from pathlib import Path

import pytest
from proofs.second_workings import letter_diagram as second

from quandary.papers.logicgame.prompts import NotRead
from quandary.papers.logicgame.readers.letter_diagram import read

from .prompts import prompts, read_prompts

# Number of the English and of the Chinese item -> family, level and answer, worked out by hand.
READ = {
    (68, 160): ("a", 0, "ab/ba"),
    (69, 162): ("a", 1, "abc/bca/cab"),
    (70, 164): ("a", 2, "abcd/cdab/dcba/badc"),
    (157, 163): ("b", 1, "acb/cba/bac"),
    (158, 165): ("b", 2, "abdc/bdca/dcab/cabd"),
}


def test_items_are_read_alike_in_both_languages(data: Path) -> None:
    english, chinese = (read_prompts(data, language, "letter_diagram")[0] for language in ENDS)

    assert {*english} == {one for one, _ in READ}
    assert {*chinese} == {other for _, other in READ}
    for (one, other), (family, level, answer) in READ.items():
        made = english[one]
        assert made == chinese[other]
        assert (made.family, made.level) == (family, level)
        assert "/".join("".join(row) for row in made.work().answer) == answer
        assert second.work(made) == tuple(made.work())


ENDS = {"en": "so that each letter only appears once", "zh": "使得每个字母在"}


@pytest.mark.parametrize("language", ENDS)
def test_what_is_left_out(data: Path, language: str) -> None:
    """One of 7 x 7 has 4 solutions; the other asks for a diagonal that no grid has, or in Chinese
    for another one; and one of 2 x 2 does not say which diagonal is meant.
    """
    refused = list(read_prompts(data, language, "letter_diagram")[1].values())

    assert len(refused) == 3
    assert refused[0].startswith("not understood:") and ENDS[language] in refused[0]
    assert refused[1] == "4 grids fit"
    if language == "en":
        assert refused[2] == "0 grids fit"
    else:
        assert refused[2].startswith("not understood:") and "以及次对角线" in refused[2]


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("\na,\n", "\na,,\n", "it has 2 rows, of 3, 2 cells"),
        ("\na,\n", "\n,\n", "2 grids fit"),
        ("\na,\n", "\na,a\n", "0 grids fit"),
        ("\na,\n", "\nc,\n", "its grid has c, which is none of its letters"),
        ("\na,\n", "\nA,\n", "it has 1 rows, of 2 cells"),
        ("each row and each column", "each row", "not understood: .Given a 2"),
        ("letters 'a' or 'b'", "letters 'a' and 'b'", "not understood: .Given a 2"),
    ],
)
def test_what_is_not_understood_is_refused(data: Path, old: str, new: str, why: str) -> None:
    prompt = prompts(data, "en", "letter_diagram")[0]["contexts"][0]

    assert old in prompt
    with pytest.raises(NotRead, match=why):
        read(prompt.replace(old, new), 0)
