"""LogicGame imported: every item with a question, or with the reason why it has none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest

from logicgame_files import GRID, KEY, item, items, make_known, walk, write, write_files
from quandary.cli.main import main
from quandary.papers.imports import problems_of
from quandary.papers.logicgame.defects import DIFFERENT
from quandary.papers.logicgame.imported import Imported, load
from quandary.papers.logicgame.reading import ReadItem
from quandary.papers.logicgame.summary import family_counts, totals

# Of section 6 of our notes on the published files: what is unsolvable, not unique, malformed or
# contradicts itself, by English number; those of one language alone by their own number.
NEVER_SCORED = {
    *(59, 62, 63, 67, 71, 85, 125, 126, 154, 199, 217, 218, 219, 228, 234, 259, 264, 265, 266, 267),
    *(271, 283, 291),
}
NEVER_SCORED_IN = {
    "en": {10, 14, 15, 54, 127, 159, 195, 213, 231, 235, 249, 301},
    "zh": {272, 276, 280},
}
# A slide, of which level 0 asks for the answer alone.
SLIDE = (
    f"Initial state:\n{GRID}\nMove direction and randomly generated position: up\n\n"
    "Fields 'answer' and 'process'."
)
make_known(SLIDE)


@pytest.fixture(scope="module")
def published(data: Path) -> Imported:
    return load(data / "logicgame")


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "problems.jsonl").read_text().splitlines()]


def bring(source: Path, out: Path) -> int:
    return main(["import", "logicgame", str(source), "--out", str(out)])


def test_every_item_becomes_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = write_files(tmp_path / "source")
    assert bring(source, tmp_path / "import") == 0
    brought = lines(tmp_path / "import")

    assert len(brought) == 6
    first = brought[0]
    assert list(first) == ["game", "level", "session", "language", "question", "prompt"]
    assert first["prompt"] == items("en")[0]["contexts"][0]
    assert (first["game"], first["level"], first["language"]) == ("slide_2048", "0", "en")
    assert first["session"] == "logic_string0801_9"
    assert first["question"] == brought[3]["question"] and brought[3]["language"] == "zh"
    assert brought[1]["question"] is None and brought[1]["why"] == "not a power of 2: 44"
    assert brought[4]["question"]
    assert [line.get("why") for line in brought[2::3]] == ["0 places say how to answer"] * 2
    assert brought[2]["game"] == "eight_queens"
    said = capsys.readouterr()
    assert "en_all_304.jsonl has 3 items; the published file has 304." in said.err
    assert "1 pair of items read in both languages, all alike." in said.out
    assert "2 published references: 2 agree with our keys, 0 differ" in said.out
    assert "6 problems are in" in said.out and "3 of them with a key" in said.out


def test_problems_are_read_back(tmp_path: Path) -> None:
    """Those without a question too, apart from the puzzles that have scores."""
    bring(write_files(tmp_path / "source"), tmp_path / "import")
    found = problems_of(tmp_path / "import")

    assert list(found) == [
        "logicgame slide_2048/0 logic_string0801_9",
        "logicgame unscored/0 logic_string0801_11",
        "logicgame unscored/0 logic_string0801_300",
        "logicgame slide_2048/0 logic_string0625_9",
        "logicgame slide_2048/0 logic_string0625_11",
        "logicgame unscored/0 logic_string0625_300",
    ]
    assert json.loads(found["logicgame slide_2048/0 logic_string0625_9"].question.solution()) == KEY


def test_a_pair_that_is_read_differently_is_left_out(tmp_path: Path) -> None:
    """Unless the difference is known: then both ask something sound."""
    found = {}
    for number in (9, 91):
        pair = {
            language: [item(language, number, walk(language, way))]
            for language, way in (("en", "r"), ("zh", "d"))
        }
        found[number] = load(write_files(tmp_path / str(number), **pair)).pairs[0]

    assert 91 in DIFFERENT and found[91].differs
    assert found[9].en.question is None is found[9].zh.question
    assert "logic_string0801_9 and logic_string0625_9 should ask the same" in found[9].en.why


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"contexts": [SLIDE]}, "it asks for a process, and our question does not"),
        (
            {"contexts": [walk("en", asks_process=False)]},
            "our question asks for a process, and it does not",
        ),
        ({"qid": "logic_string0801_85"}, "the process counts a letter that no rule scores"),
        ({"contexts": [walk("en", grid=f"{GRID}, 2")]}, "its rows have 2, 3 cells"),
    ],
)
def test_what_is_asked_otherwise_is_left_out(
    tmp_path: Path, change: dict[str, Any], why: str
) -> None:
    english = items("en")[0] | change
    chinese = items("zh")[0] | {"level": english["level"]}
    found = load(write_files(tmp_path / "source", en=[english], zh=[chinese])).pairs[0]

    assert found.en.question is None and found.en.why == why


def test_a_reference_that_differs_is_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = write_files(tmp_path / "source")
    wrong = items("zh")[0] | {"reference": {"answer": ["8"]}}
    write(source / "dev" / "zh_dev_10.jsonl", [wrong])
    assert bring(source, tmp_path / "import") == 0

    said = capsys.readouterr().out
    assert "1 agree with our keys, 1 differ" in said
    assert "logic_string0625_9: published {'answer': ['8']}, ours {'answer': ['4'], " in said


@pytest.mark.parametrize(
    ("file", "line", "said"),
    [
        ("en_all_304.jsonl", None, "has no en_all_304.jsonl; give the folder with"),
        ("dev/zh_dev_10.jsonl", None, "has no dev/zh_dev_10.jsonl"),
        ("zh_all_304.jsonl", "{", "line 1 of {path} is not an item of LogicGame"),
        ("zh_all_304.jsonl", '{"qid": "x_1", "contexts": ["', "line 1 of {path} is not an item"),
        ("zh_all_304.jsonl", '{"qid": "x_1", "level": 0, "category": "2048"}', "`contexts`"),
        ("zh_all_304.jsonl", {"contexts": []}, "is not an item of LogicGame"),
        ("zh_all_304.jsonl", {"contexts": ["a", "b"]}, "is not an item of LogicGame"),
        ("zh_all_304.jsonl", {"contexts": "a"}, "is not an item of LogicGame"),
        ("zh_all_304.jsonl", {"contexts": [" \n"]}, "line 1 of {path} has an empty prompt"),
        ("zh_all_304.jsonl", {"contexts": ["a" * 5_001]}, "has a prompt of 5,001 characters"),
        ("zh_all_304.jsonl", {"contexts": ["9" * 19]}, "has a number of 19 digits in its prompt"),
        ("en_all_304.jsonl", {"level": 4}, "the level 4, which LogicGame does not have"),
        ("en_all_304.jsonl", {"category": "Chess"}, "the category 'Chess'"),
        ("en_all_304.jsonl", {"level": -1}, "the level -1, which LogicGame does not have"),
        ("en_all_304.jsonl", {"level": "0"}, "is not an item of LogicGame"),
        ("en_all_304.jsonl", {"qid": "nine"}, "does not end with a number"),
        ("en_all_304.jsonl", {"qid": f"x_{'9' * 5_000}"}, "does not end with a number"),
        ("en_all_304.jsonl", {"qid": "a/b#c_9"}, "the qid 'a/b#c_9'"),
        ("dev/en_dev_10.jsonl", {"reference": None}, "is among the references, but has none"),
        (
            "zh_all_304.jsonl",
            {"reference": {}},
            "has a reference without an answer",
        ),
        ("dev/en_dev_10.jsonl", {"reference": {"answer": None}}, "a reference without an answer"),
        ("dev/en_dev_10.jsonl", {"reference": {"answer": "4"}}, "whose answer is not a list"),
        (
            "dev/zh_dev_10.jsonl",
            {"reference": {"answer": ["4"], "process": 4}},
            "has a reference whose process is not a list",
        ),
        ("en_all_304.jsonl", {"qid": "logic_string0625_9"}, "both languages have an item logic_"),
        ("en_all_304.jsonl", {"level": 2}, "0 English and 1 Chinese items of slide_2048"),
        ("dev/en_dev_10.jsonl", {"qid": "x_3"}, "x_3 has a reference, but is not among the items"),
    ],
)
def test_wrong_files_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], file: str, line: Any, said: str
) -> None:
    own = {language: items(language)[:1] for language in ("en", "zh")}
    path = write_files(tmp_path / "source", **own) / file
    if line is None:
        path.unlink()
    elif isinstance(line, str):
        path.write_text(line)
    else:
        write(path, [json.loads(path.read_text()) | line])

    assert bring(tmp_path / "source", tmp_path / "import") == 2
    told = capsys.readouterr()
    assert said.format(path=path) in told.err and told.err.count("\n") == 1
    assert told.out == "" and not (tmp_path / "import").exists()


def test_twice_the_same_item_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = {language: items(language)[:1] * 2 for language in ("en", "zh")}

    assert bring(write_files(tmp_path / "source", **own), tmp_path / "import") == 2
    assert "line 2 of" in capsys.readouterr().err


def test_published_items_are_all_there(published: Imported) -> None:
    problems = list(published.problems)

    assert len(published.pairs) == 304 and not list(published.other_counts)
    assert len({problem.name for problem in problems}) == 608
    assert {problem.language for problem in problems[:304]} == {"en"}
    for pair in published.pairs:
        assert (pair.en.item.category, pair.en.item.level) == (
            pair.zh.item.category,
            pair.zh.item.level,
        )


def test_published_questions_are_their_own_key(published: Imported) -> None:
    """The solution is right in all that is read, and nothing else is asked for."""
    for one in _read(published):
        assert one.question is not None
        assert one.question.check(one.question.solution()).score == 1.0
        assert str(one.question.level) in one.question.levels


def test_published_pairs_are_alike_or_known_to_differ(published: Imported) -> None:
    read = [pair for pair in published.pairs if pair.en.question and pair.zh.question]

    assert read
    assert {pair.en.item.number for pair in read if pair.differs} <= DIFFERENT.keys()


def test_no_defective_item_is_scored(published: Imported) -> None:
    for pair in published.pairs:
        if pair.en.item.number in NEVER_SCORED:
            assert pair.en.question is None is pair.zh.question
    for one in _read(published):
        assert one.item.number not in NEVER_SCORED_IN[one.item.language]


def test_every_reason_is_told(published: Imported) -> None:
    """Items without a question say why, and no reader fails."""
    for pair in published.pairs:
        for one in (pair.en, pair.zh):
            assert bool(one.why) == (one.question is None)
            assert "cannot be read (" not in one.why and "cannot be worked out" not in one.why


def test_published_references(published: Imported) -> None:
    """Both languages of one have a known defect, and no other differs."""
    differing = [one for one in published.references if one.key and not one.agrees]

    assert len(published.references) == 20
    assert [one.item.number for one in differing] == [94, 33]
    assert {one.defect for one in differing} == {"a blank is missing in its process"}


def test_the_table_counts_all_items(published: Imported) -> None:
    counts = family_counts(published.pairs)
    own = [row for row in counts if row.category == "slide_2048"]

    assert [row.family for row in own] == list("abcd")
    assert [row.read for row in own] == [(3, 3), (4, 4), (3, 4), (4, 4)]
    assert totals(counts, execution=True).items == (180, 180)
    assert totals(counts, execution=True).read == (152, 162)
    assert totals(counts, execution=False).items == (124, 124)


def _read(published: Imported) -> Iterator[ReadItem]:
    for pair in published.pairs:
        yield from (one for one in (pair.en, pair.zh) if one.question is not None)


def test_questions_are_among_the_test_hashes(tmp_path: Path) -> None:
    """What `make test-hashes` hashes of an import: its questions, and nothing without a key."""
    made = run_path(str(Path(__file__).parents[3] / "tools" / "renew_test_hashes.py"))
    hashed = list(made["_logicgame"](write_files(tmp_path / "source")))

    assert [puzzle.moves for puzzle in hashed] == ["r", "r", "d"]
