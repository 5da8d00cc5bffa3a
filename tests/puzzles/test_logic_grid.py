"""Facts about logic grids."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import replace
from importlib.resources import files
from itertools import chain
from random import Random

import pytest
from proofs.second_solvers.logic_grid import grid_solutions

from quandary.catalogue import drawing
from quandary.core.contract import Ending, solved
from quandary.core.errors import Ambiguous, Unreadable
from quandary.core.game import refusal
from quandary.core.scene import Label
from quandary.puzzles.solo.logic_grid import LogicGrid
from quandary.puzzles.solo.logic_grid.solver.clues import (
    Earlier,
    EarlierBy,
    EitherOr,
    NeitherNor,
    Thing,
    Together,
)
from quandary.tasks.next_state import NextState
from quandary.tasks.search_tree import children
from quandary.tasks.whole import Whole

AL, BO = Thing(1, 0), Thing(1, 1)
MINI = LogicGrid.start(("no", "name"), ((1, 2), ("Al", "Bo")), (Earlier(AL, BO),))

TIMES, NAMES, DRINKS = (9, 10, 12), ("Ann", "Ben", "Cy"), ("tea", "milk", "water")
TEA, MILK, BEN, CY = Thing(2, 0), Thing(2, 1), Thing(1, 1), Thing(1, 2)
SMALL = LogicGrid.start(
    ("hour", "name", "drink"),
    (TIMES, NAMES, DRINKS),
    (EarlierBy(TEA, BEN, 2), EitherOr(CY, TEA, MILK), NeitherNor(CY, MILK, Thing(0, 0))),
)
SOLUTION = [["hour", "name", "drink"], [9, "Ann", "water"], [10, "Cy", "tea"], [12, "Ben", "milk"]]


def at(*rows: list[object]) -> LogicGrid:
    return SMALL.restate(json.dumps([["hour", "name", "drink"], *rows]))


def test_the_papers_small_example() -> None:
    """Al comes before Bo, so Bo in row 1 is a dead end."""
    assert list(MINI.options()[0] or ()) == ["1 1 2"]
    assert MINI.solvable()
    assert not MINI.restate('[["no", "name"], [1, "Bo"], [2, ""]]').solvable()
    assert solved(MINI.after(0, "1 1 2"))


def test_a_move_places_all_that_is_missing_and_fills_the_last_gap() -> None:
    """Tea two hours before Ben: only 10 and 12 are so far apart."""
    only = [move for move in SMALL.legal() if move.startswith("1 ")]
    after = SMALL.after(0, "1 2 3")
    assert ["1 2 3"] == only
    assert (6, 4) == (SMALL.gaps(), after.gaps())
    assert at([9, "", ""], [10, "", "tea"], [12, "Ben", ""]) == after

    done = after.after(0, "2 1 1")  # Cy has milk at 9, and so the last gaps are filled
    assert at([9, "Cy", "milk"], [10, "Ann", "tea"], [12, "Ben", "water"]) == done
    assert {} == done.options()
    assert (0.0,) == done.scores()  # milk is at 9
    assert Ending("dead_end") == done.ending()


def test_a_game_is_lost_when_a_clue_cannot_become_true() -> None:
    after = SMALL.after(0, "3 3 2")  # milk at 10, where tea must be
    assert "3 3 2" in SMALL.legal()
    assert {} == after.options()
    assert not after.solvable()


def test_numbers_and_case_and_quotation_marks_do_not_matter() -> None:
    wanted = at([9, "", ""], [10, "Ben", "tea"], [12, "", ""])
    for said in (
        '[["hour","name","drink"],["9","",""],[10.0,"BEN"," Tea "],["12","",""]]',
        "[['hour', 'name', 'drink'], [9, '', ''], [10, 'ben', 'tea'], [12, None, '']]",
        '```json\n[[9, "", null], [10, "Ben", "tea"], [12, ".", "_"]]\n```',
        '[["hour", "name", "drink"],\n [9, "", ""],\n [10, "Ben", "茶"],\n [12, "", ""]]',
        '[["时间", "name", "饮料"], [9, "", ""], [10, "Ben", "茶"], [12, "", ""]]',
    ):
        assert wanted == SMALL.restate(said)
    assert wanted == SMALL.restate(wanted.state())


@pytest.mark.parametrize(
    "said",
    [
        "",
        "[",
        "{}",
        "9",
        "[[9, 10], [1]]",
        '[[9, "", ""], [10, "", ""]]',
        '[[10, "", ""], [9, "", ""], [12, "", ""]]',
        '[[9, "Dan", ""], [10, "", ""], [12, "", ""]]',
        '[[9, "tea", ""], [10, "", ""], [12, "", ""]]',
        '[[9, ["Ben"], ""], [10, "", ""], [12, "", ""]]',
        '[[9, "", ""], [10, "", ""], [12, "", ""]] 7',
        '[["饮料", "name", "时间"], [9, "", ""], [10, "", ""], [12, "", ""]]',
        '[["hour", "hour", "drink"], [9, 9, ""], [10, 10, ""], [12, 12, ""]]',
        '[[1, 9, "", ""], [2, 10, "", ""], [4, 12, "", ""]]',
        '[["row", "hour", "name", "drink"], [9, "", ""], [10, "", ""], [12, "", ""]]',
        "[" * 9_000,
        "[['" * 9_000,
    ],
)
def test_what_is_no_table_is_refused(said: str) -> None:
    with pytest.raises(Unreadable) as refused:
        SMALL.restate(said)
    for language in ("en", "zh"):
        assert refusal(SMALL, refused.value, language)


def test_titles_tell_the_order_of_columns_and_row_numbers_are_ignored() -> None:
    wanted = at([9, "", ""], [10, "Ben", "tea"], [12, "", ""])
    for said in (
        '[["drink", "hour", "name"], ["", 9, ""], ["tea", 10, "Ben"], ["", 12, ""]]',
        '[["", "hour", "name", "drink"], [1, 9, "", ""], [2, 10, "Ben", "tea"], [3, 12, "", ""]]',
        '[["行", "name", "饮料", "时间"], [1, "", "", 9], [2, "Ben", "茶", 10], [3, "", "", 12]]',
        '[[1, 9, "", ""], [2, 10, "Ben", "tea"], [3, 12, "", ""]]',
    ):
        assert wanted == SMALL.restate(said)


@pytest.mark.parametrize(
    ("said", "english", "chinese"),
    [
        (
            '[[9, "tea", "Ben"], [10, "", ""], [12, "", ""]]',
            "keep the order of the col",
            "各列的顺序",
        ),
        ('[[2, 9, "", ""], [1, 10, "", ""], [3, 12, "", ""]]', "without row numbers", "不写行号"),
    ],
)
def test_columns_and_row_numbers_are_named_where_they_are_wrong(
    said: str, english: str, chinese: str
) -> None:
    with pytest.raises(Unreadable) as refused:
        SMALL.restate(said)
    assert english in refusal(SMALL, refused.value)
    assert chinese in refusal(SMALL, refused.value, "zh")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_example_of_a_table_is_one(language: str) -> None:
    shown = SMALL.whole_form(language)
    example = shown[shown.index("[[") : shown.index("]]") + 2]
    titles, *rows = json.loads(example)
    table = LogicGrid.start(tuple(titles), tuple(zip(*rows, strict=True)), ())
    assert table.restate(example).gaps() == 0


def test_clues_quote_names_and_begin_with_a_capital_letter() -> None:
    red, blue, x = Thing(1, 0), Thing(1, 1), Thing(2, 1)
    twice = LogicGrid.start(
        ("day", "ink", "pen"),
        (("Mon", "Tue"), ("red", "blue"), ("red", "x")),
        (Together(red, x), EarlierBy(x, blue, 2), Earlier(x, blue)),
    )
    number = LogicGrid.start(SMALL.titles, SMALL.things, (Together(Thing(0, 0), TEA),))
    assert [
        '1. Ink "red" and "x" are in the same row.',
        '2. "x" is exactly 2 rows above "blue".',
        '3. "x" is in some row above that of "blue".',
    ] == [line for line in twice.text(0).splitlines() if line[1:2] == "."]
    assert '1. Hour 9 and "tea" are in the same row.' in number.text(0)
    assert "1. 时间 9 和“茶”在同一行。" in number.text(0, "zh")


@pytest.mark.parametrize("task", ["", "check:", "next:"])
def test_tables_and_clues_are_chinese(task: str) -> None:
    """In texts and pictures; answers are read in both languages."""
    for seed in range(1, 9):
        puzzle = drawing.instance(f"{task}logic_grid/hard#{seed}").seen_by(0)
        scene = puzzle.scene(0, "zh")
        assert scene is not None
        drawn = [shape.text for shape in scene.shapes if isinstance(shape, Label)]

        assert [] == re.findall("[A-Za-z]+", " ".join((puzzle.text(0, "zh"), *drawn)))
        if isinstance(puzzle, NextState):
            shown = puzzle.translated(puzzle.solution(), "zh")
            assert shown != puzzle.solution()
            assert 1.0 == puzzle.check(shown).score == puzzle.check(puzzle.solution()).score


def test_no_two_words_have_the_same_translation() -> None:
    """Else a table in Chinese could be two tables."""
    themes = tomllib.loads(
        (files("quandary.puzzles.solo.logic_grid") / "themes.toml").read_text("utf-8")
    )
    words = {
        word
        for theme in themes["theme"]
        for word in (theme["title"], *theme.get("words", ()), *chain(*theme["columns"]))
    }
    pairs = [word.split("=") for word in words]

    assert len(pairs) == len({english for english, _ in pairs})
    assert len(pairs) == len({chinese for _, chinese in pairs})


def test_moves_are_read_in_several_spellings() -> None:
    for said in (
        "1 2 3",
        "[1, 2, 3]",
        "Clue 1: rows 2 and 3",
        "线索 1：第 2、3 行",
        "`1 2 3`",
        "1: 2, 3",
    ):
        assert "1 2 3" == SMALL.read(0, said)
    with pytest.raises(Ambiguous):
        SMALL.read(0, "1 2 3\n2 1 1")
    for said in ("1", "clue", "1 2 x", "1.5 2", "1 -2", "1 2 3" * 100):
        with pytest.raises(Unreadable):
            SMALL.read(0, said)


def test_why_a_move_is_illegal_is_told() -> None:
    after = SMALL.after(0, "1 2 3")
    reasons = [after.why_illegal(0, move) for move in ("9 1", "1 2 3", "2 1", "2 1 4", "2 2 2")]
    assert [
        "There is no clue 9.",
        "All items that clue 1 names are in the table.",
        "Clue 2 names 2 items that are not in the table yet; give a row for each.",
        "Rows are numbered from 1 to 3.",
        "A cell is not free, or clue 2 would not become true.",
    ] == reasons


def test_a_whole_answer_is_a_table_or_moves() -> None:
    question = Whole(SMALL)
    assert 1.0 == question.check(json.dumps(SOLUTION)).score
    assert 1.0 == question.check("1 2 3\n2 2 3").score == question.check(question.solution()).score
    swapped = [SOLUTION[0], [9, "Ann", "milk"], SOLUTION[2], [12, "Ben", "water"]]
    twice = [SOLUTION[0], [9, "Ann", "tea"], *SOLUTION[2:]]
    gap = [*SOLUTION[:3], [12, "Ben", ""]]
    for wrong in (swapped, twice, gap, [SOLUTION[0], *SOLUTION[:0:-1]]):
        assert 0.0 == question.check(json.dumps(wrong)).score
    early = [SOLUTION[0], [9, "Ann", "tea"], [10, "Cy", "water"], SOLUTION[3]]
    told = question.check(json.dumps(early), "zh")
    assert ("illegal", "所写的答案不对。") == (told.kind, told.feedback[:8])
    assert "线索 1 不会成立" in told.feedback


def test_steps_that_are_wrong_have_their_kinds() -> None:
    start = SMALL
    parent = at([9, "", ""], [10, "", "tea"], [12, "Ben", ""])
    question = NextState(start, None, start, parent, None, True)
    kinds = {
        json.dumps(SOLUTION): "",
        parent.state(): "no_move",
        at([9, "Cy", "milk"], [10, "Ann", "tea"], [12, "Ben", "water"]).state(): "dead_end",
        at([9, "Cy", "tea"], [10, "", "tea"], [12, "Ben", ""]).state(): "invalid_move",
        at([9, "Cy", ""], [10, "", "tea"], [12, "Ben", ""]).state(): "invalid_move",
        start.state(): "invalid_move",
        "[[1]]": "unreadable",
    }
    assert list(kinds.values()) == [question.check(said).kind for said in kinds]
    two_steps = NextState(start, None, start, start, None, True).check(json.dumps(SOLUTION))
    assert "several_moves" == two_steps.kind


@pytest.mark.parametrize("seed", range(3))
def test_what_moves_lead_to_is_what_a_search_reaches(seed: int) -> None:
    """`leads_to`, `move_to` and `solvable_after` agree with making all moves."""
    start = LogicGrid.new(Random(seed), rows=3, columns=(3, 3))
    reached, waiting = {start}, [start]
    while waiting:
        for child in children(waiting.pop()):
            if child not in reached:
                reached.add(child)
                waiting.append(child)
    one_step = set(children(start))
    rng = Random(seed)
    others = [_without_a_thing(position, rng) for position in sorted(reached, key=LogicGrid.state)]
    for position in {*reached, *others} - {start}:
        assert (position in reached) is start.leads_to(position)
        assert (position in one_step) is bool(start.move_to(position))
    for move in start.legal():
        assert start.after(0, move).solvable() is start.solvable_after(move)
        assert start.after(0, move) == start.after(0, start.move_to(start.after(0, move)) or "")


def test_a_lost_table_is_reached_if_some_order_of_clues_leads_there() -> None:
    """Most orders of these ten moves end earlier, because the game is lost before the last."""
    asked = drawing.instance("next:logic_grid/hard,label=solvable,depth=1#14")
    assert isinstance(asked, NextState) and isinstance(asked.position, LogicGrid)
    lost = asked.position
    for move in ["1 6", "3 5 4", "4 1 3", "5 5", "6 5 4", "7 3", "8 2", "9 2", "12 3", "10 1"]:
        assert move in lost.legal()
        lost = lost.after(0, move)

    assert not lost.options() and not lost.solvable()
    assert asked.position.leads_to(lost)
    assert not lost.leads_to(lost)


@pytest.mark.parametrize("level", LogicGrid.levels)
def test_what_random_play_ends_at_is_led_to(level: str) -> None:
    rng = Random(level)
    for seed in range(12):
        start = end = drawing.game(f"logic_grid/{level}#{seed}")
        assert isinstance(start, LogicGrid)
        while moves := end.options().get(0):
            end = end.after(0, rng.choice(list(moves)))

        assert isinstance(end, LogicGrid) and start.leads_to(end)


def _without_a_thing(position: LogicGrid, rng: Random) -> LogicGrid:
    """A position with one thing taken out, which no move may lead to."""
    lines = [list(line) for line in position.table]
    line, column = rng.choice(lines), rng.randrange(1, 3)
    line[column] = -1
    return LogicGrid(position.titles, position.things, position.clues, tuple(map(tuple, lines)))


def test_solvable_is_what_a_search_finds() -> None:
    start = LogicGrid.new(Random(7), rows=3, columns=(3, 3))

    def wins(position: LogicGrid) -> bool:
        return solved(position) or any(map(wins, children(position)))

    for position in (start, *children(start)):
        assert wins(position) is position.solvable()
        assert {m: float(wins(position.after(0, m))) for m in position.legal()} == position.judge(0)


def test_order_and_names_do_not_matter_but_clues_do() -> None:
    for seed in range(4):
        grid = LogicGrid.new(Random(seed), rows=5, columns=(4, 4))
        child = next(iter(children(grid)))
        for luck in range(3):
            turned = child.equivalent(Random(luck))
            assert turned.canonical() == child.canonical()
            assert turned == next(
                one for one in children(grid.equivalent(Random(luck))) if one == turned
            )
            assert turned.solvable() is child.solvable()
        assert grid.canonical() != child.canonical()
    other = LogicGrid.start(SMALL.titles, SMALL.things, (*SMALL.clues[:2], Together(BEN, MILK)))
    assert SMALL.canonical() != other.canonical()


def test_levels_have_their_sizes_and_all_kinds_of_clues() -> None:
    sizes, kinds, firsts = set(), set(), set()
    for level, arguments in LogicGrid.levels.items():
        for seed in range(8):
            grid = drawing.instance(f"logic_grid/{level}#{seed}")
            assert isinstance(grid, LogicGrid)
            sizes.add((level, arguments["rows"], len(grid.titles)))
            kinds |= {type(clue).__name__ for clue in grid.clues}
            firsts.add(type(grid.things[0][0]))
    assert {
        ("easy", 4, 3), ("easy", 4, 4), ("medium", 5, 3), ("medium", 5, 4), ("hard", 6, 4),
    } == sizes  # fmt: skip
    assert 8 == len(kinds)
    assert {int, str} == firsts


def _assert_no_clue_to_spare(level: str, amount: int) -> None:
    """By OR-Tools; that all clues leave one solution is shown for all puzzles in tests/tasks."""
    for seed in range(amount):
        grid = drawing.instance(f"logic_grid/{level}#{seed}")
        assert isinstance(grid, LogicGrid)
        for clue in grid.clues:
            others = tuple(one for one in grid.clues if one is not clue)
            assert 2 == len(grid_solutions(replace(grid, clues=others), 2))


@pytest.mark.parametrize("level", LogicGrid.levels)
def test_every_clue_is_needed(level: str) -> None:
    _assert_no_clue_to_spare(level, 5)


@pytest.mark.heavy
@pytest.mark.parametrize("level", LogicGrid.levels)
def test_every_clue_of_300_grids_is_needed(level: str) -> None:
    _assert_no_clue_to_spare(level, 300)


@pytest.mark.parametrize("seed", range(1, 9))
def test_lists_in_chinese_pictures_have_no_gaps(seed: int) -> None:
    scene = drawing.game(f"logic_grid/hard#{seed}").scene(0, "zh")
    assert scene is not None
    lines = [shape.text for shape in scene.shapes if isinstance(shape, Label)]

    assert any("、" in line for line in lines)
    assert not any("、 " in line for line in lines)
