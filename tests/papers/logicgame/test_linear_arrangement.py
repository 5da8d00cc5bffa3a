"""The published items of linear arrangement: read alike in both languages, or refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from proofs.second_workings.linear_arrangement import work

from quandary.papers.logicgame.prompts import NotRead
from quandary.papers.logicgame.readers.linear_arrangement import read
from quandary.puzzles.questions.planning.linear_arrangement import LinearArrangement

from .prompts import prompts, read_prompts

UNNAMED = "it does not name each of its 3 letters"
# By English number: family, answer, and the entries of the process that are new.  The published
# process of 188 lacks an entry, and that of 191 leaves something open that is forced.
READ = {
    188: ("a", "ADBC", ["**B*", "**BC"]),
    189: ("a", "CBA", []),
    190: ("a", "BEADC", ["**A**", "**ADC"]),
    191: ("a", "EABCFD", ["*****D", "E**CFD"]),
    192: ("b", "BCA", ["*C*"]),
    193: ("b", "BCDA", []),
    194: ("b", "BCEAD", ["****D", "**EAD"]),
    229: ("c", "BDAC", []),
    230: ("c", "EBDAC", []),
    232: ("d", "ACB", ["*C*"]),
    233: ("d", "ACDB", []),
}
ONLY_CHINESE = {
    269: ("b", "CFAEBD", ["*****D", "****BD", "C*A*BD"]),
    270: ("c", "ECFADB", ["*****B", "**F**B"]),
    271: ("d", "BEFCDA", ["B*****", "B****A"]),
}


def told(made: LinearArrangement) -> tuple[str, str, list[str]]:
    (answer,), process = made.work()
    new = [entry for entry in dict.fromkeys(process) if set(entry) != {"*"} and entry != answer]
    return made.family, answer, new


def test_the_english_items(data: Path) -> None:
    instances, refused = read_prompts(data, "en", "linear_arrangement")

    assert {number: told(made) for number, made in instances.items()} == READ
    assert refused == {
        195: "0 orders fit all conditions",
        228: UNNAMED,
        231: (
            "not understood: 'The difference in position between two letters that are four places "
            "apart is 3.'"
        ),
        234: "not understood: 'Chinese cannot be followed by Math.'",
        235: "not understood: 'Chinese, Math, and English cannot be scheduled consecutively.'",
    }
    assert all(tuple(made.work()) == work(made) for made in instances.values())


def test_chinese_items_ask_the_same(data: Path) -> None:
    english, _ = read_prompts(data, "en", "linear_arrangement")
    instances, refused = read_prompts(data, "zh", "linear_arrangement")
    numbers = [
        [
            int(item["qid"].rpartition("_")[2])
            for item in prompts(data, language, "linear_arrangement")
        ]
        for language in ("en", "zh")
    ]
    paired = {number: instances.get(chinese) for number, chinese in zip(*numbers, strict=True)}

    assert {number: paired[number] for number in english} == english
    assert {number: told(instances[number]) for number in ONLY_CHINESE} == ONLY_CHINESE
    assert len(instances) == len(english) + len(ONLY_CHINESE)
    assert refused == {258: UNNAMED, 267: "2 orders fit all conditions"}
    assert all(tuple(made.work()) == work(made) for made in instances.values())


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("B can only be placed in position 3", "B is red", "not understood: 'Book B is red.'"),
        ("position 4", "position 5", "not understood: 'Book A cannot be placed in position 5.'"),
        ("position 4", "position 0", "not understood: 'Book A cannot be placed in position 0.'"),
        ("Book A cannot", "Book E cannot", "not understood: 'Book E cannot be placed"),
        ("left of book C", "left of book D", "not understood: 'Book D must be to the left of"),
        ("can only be placed in position 3", "cannot be placed in position 3", "[2-9] orders fit"),
        ("Book A cannot be placed in position 4. ", "", "not understood"),
        (
            "4. Book D is not in the leftmost",
            "4. Book D is to the right of B but in the leftmost",
            "not understood: 'Book D is to the right of B but",
        ),
        ("(A, B, C, D)", "(A, B, C)", "it does not name each of its 4 letters"),
        ("each book", "each student", "not understood: 'Xiao Wang"),
    ],
)
def test_what_is_not_read(data: Path, old: str, new: str, reason: str) -> None:
    [prompt] = [
        item["contexts"][0]
        for item in prompts(data, "en", "linear_arrangement")
        if item["qid"].endswith("_188")
    ]

    assert old in prompt
    with pytest.raises(NotRead, match=f"^{reason}"):
        read(prompt.replace(old, new), 1)
