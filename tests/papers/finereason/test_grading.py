"""The published graders of FineReason: each known fault, which our checks do not have, and the
reason for every verdict that differs.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from typing import Any

import pytest

from quandary.catalogue import drawing
from quandary.core.contract import Question
from quandary.papers.finereason import defects
from quandary.papers.finereason.grading import is_right
from quandary.papers.finereason.imported import Published
from quandary.papers.finereason.key import Key
from quandary.puzzles.solo.graph_coloring import GraphColoring
from quandary.puzzles.solo.logic_grid import LogicGrid
from quandary.puzzles.solo.sudoku import Sudoku
from quandary.tasks.next_state import NextState
from quandary.tasks.search_tree import children, is_dead
from quandary.tasks.state_check import StateCheck
from quandary.tasks.whole import Whole

KINDS = {
    "", "dead_end", "known_dead_end", "several_moves", "invalid_move", "no_move", "not_parent",
    "sibling", "unreadable",
}  # fmt: skip


def steps(published: Sequence[Published], game: str, label: str = "") -> list[Published]:
    return [
        one
        for one in published
        if one.problem.game == game
        and isinstance(one.problem.question, NextState)
        and one.key.label.startswith(label)
    ]


def question_of(one: Published) -> NextState:
    question = one.problem.question
    assert isinstance(question, NextState)
    return question


def verdicts(question: Question, key: Key, answer: str) -> tuple[bool, bool | None, str]:
    """Our verdict, theirs, and why they differ."""
    ours, theirs = question.check(answer), is_right(question, key, answer)
    if theirs == (ours.score == 1.0):
        return ours.score == 1.0, theirs, ""
    return ours.score == 1.0, theirs, defects.cause(question, key, answer, ours, theirs)


def test_an_empty_colouring_was_a_solution(published: list[Published]) -> None:
    graphs = [one for one in published if isinstance(one.problem.question, Whole)]
    graphs = [one for one in graphs if one.problem.game == "graph_coloring"]

    assert len(graphs) == 51
    for one in graphs:
        whole = one.problem.question
        assert isinstance(whole, Whole) and isinstance(whole.game, GraphColoring)
        answer = json.dumps([0] * len(whole.game.neighbours))
        assert verdicts(whole, one.key, answer) == (False, True, defects.NO_COLOUR)


def test_any_number_was_a_colour(published: list[Published]) -> None:
    """Colour 99, in 217 of 252 states: those that use fewer colours than there are."""
    accepted = 0
    for one in steps(published, "graph_coloring", "Solvable"):
        said = list(one.key.current)
        said[said.index(0)] = 99
        ours, theirs, why = verdicts(question_of(one), one.key, json.dumps(said))
        assert not ours and why == (defects.ANY_NUMBER if theirs else "")
        accepted += theirs is True
    assert accepted == 217


def test_a_child_with_its_expressions_swapped_was_another_one(published: list[Published]) -> None:
    states = [one for one in steps(published, "game_of_24", "Solvable") if len(one.key.child) == 2]

    assert len(states) == 125
    for one in states:
        answer = json.dumps(one.key.child[::-1])
        assert verdicts(question_of(one), one.key, answer) == (False, True, defects.SWAPPED)


def test_a_reordered_parent_was_refused(published: list[Published]) -> None:
    """Unless the order leaves the list as it is."""
    states = steps(published, "game_of_24", "Unsolvable")
    for one in states:
        parent = one.key.parent
        other = next(said for said in (parent[::-1], parent[1:] + parent[:1]) if said != parent)
        answer = json.dumps(other)
        assert verdicts(question_of(one), one.key, answer) == (True, False, defects.EXACT)
    assert len(states) == 250


@pytest.mark.parametrize("game", ["sudoku", "graph_coloring", "game_of_24", "logic_grid"])
def test_other_dead_ends_were_accepted(published: list[Published], game: str) -> None:
    found = 0
    for one in steps(published, game, "Solvable")[::25]:
        question = question_of(one)
        assert question.tried
        shown = question.tried.state()
        dead = [each.state() for each in children(question.position) if is_dead(each)]
        for answer in [state for state in dead if state != shown][:3]:
            ours, theirs, why = verdicts(question, one.key, answer)
            assert not ours
            if theirs:
                assert why == defects.DEAD_END
                found += 1
    assert found > 3


def test_printed_labels_are_true(published: list[Published]) -> None:
    """The published prompts call every ancestor solvable; ours say what they are."""
    false = 0
    for one in steps(published, "graph_coloring"):
        question = question_of(one)
        if not question.parent.solvable():
            false += 1
            assert "One move earlier (unsolvable):" in question.text(0)
    assert false == 103


def test_marks_were_read() -> None:
    question = drawing.instance("check:sudoku/easy,label=solvable#1")
    assert isinstance(question, StateCheck)
    key = Key(label="Solvable")

    assert verdicts(question, key, "(B) or rather (A)") == (False, True, defects.MARKS)
    assert verdicts(question, key, "(A)? No: (B)") == (False, False, "")
    assert verdicts(question, key, "solvable") == (True, True, "")
    assert verdicts(question, key, "solvable, not (B)") == (False, False, "")
    assert verdicts(question, key, "(B) solvable") == (True, False, defects.MARKS)


def test_a_difference_that_no_fault_explains_is_called_unexplained() -> None:
    """Here the labels and the solutions that the graders compare with are false."""
    check, whole = (drawing.instance(f"{task}:sudoku/easy#1") for task in ("check", "whole"))
    assert isinstance(check, StateCheck) and isinstance(whole, Whole)
    right = check.solution()
    mark, false = ("(A)", "Unsolvable") if right == "solvable" else ("(B)", "Solvable")

    assert verdicts(check, Key(label=false), mark) == (False, False, "")
    assert verdicts(check, Key(label=false), f"{mark} {right}") == (
        True, False, defects.UNEXPLAINED,
    )  # fmt: skip
    assert verdicts(whole, Key(solution=[]), whole.solution()) == (True, False, defects.UNEXPLAINED)


def wholes(published: Sequence[Published], game: str) -> list[tuple[Whole, Key]]:
    asked = [(one.problem.question, one.key) for one in published if one.problem.game == game]
    return [(question, key) for question, key in asked if isinstance(question, Whole)]


@pytest.mark.parametrize("game", ["sudoku", "logic_grid"])
def test_a_solution_was_a_list_after_the_words(published: list[Published], game: str) -> None:
    for question, key in wholes(published, game)[::10]:
        for answer in (question.solution(), json.dumps(key.solution)):
            assert verdicts(question, key, answer) == (True, True, "")
            assert verdicts(question, key, f"Solution:\n{answer}") == (False, True, defects.FORMAT)


def test_numbers_of_a_solution_were_not_to_be_quoted(published: list[Published]) -> None:
    for question, key in wholes(published, "logic_grid")[::10]:
        answer = json.dumps([list(map(str, row)) for row in key.solution])
        assert verdicts(question, key, answer) == (True, False, defects.EXACT)


def test_solutions_of_graphs_with_other_colours(published: list[Published]) -> None:
    for question, key in wholes(published, "graph_coloring")[::10]:
        moves, position = question.solution().splitlines(), question.game
        for move in moves:
            position = position.play(0, move)
        assert isinstance(position, GraphColoring)
        colours = list(position.colouring)
        large = [99 if colour == colours[0] else colour for colour in colours]
        assert verdicts(question, key, json.dumps(colours)) == (True, True, "")
        assert verdicts(question, key, f"Solution: {colours}") == (False, True, defects.FORMAT)
        assert verdicts(question, key, json.dumps(large)) == (False, True, defects.ANY_NUMBER)
        assert verdicts(question, key, moves[0]) == (False, True, defects.NO_COLOUR)


def test_an_equation_was_read_after_the_words(published: list[Published]) -> None:
    for question, key in wholes(published, "game_of_24")[::10]:
        position = question.game
        for step in question.solution().splitlines():
            position = position.play(0, step)
        [made] = json.loads(position.state())
        marked = f"It is easy. Solution: {made} = 24"
        assert verdicts(question, key, made) == (True, True, "")
        assert verdicts(question, key, marked) == (False, True, defects.FORMAT)


def replies(one: Published, rng: Random) -> Iterator[str]:
    """Every strict next state, answers of every kind of error, and ten random ones."""
    question, key = question_of(one), one.key
    ahead = children(question.position)
    if question.status:
        yield from (each.state() for each in ahead if not is_dead(each))
    yield question.parent.state()
    yield question.position.state()
    yield question.start.state()
    yield from (each.state() for each in [*children(question.parent)[:20], *ahead[:20]])
    if question.tried:
        yield question.tried.state()
    if ahead and (further := children(rng.choice(ahead))):
        yield rng.choice(further).state()
    for table in (key.parent, key.child, key.current):
        yield json.dumps(table)
        yield f"Next state: {table}"
    yield from (json.dumps(table) for table in _altered(question, key, rng))
    yield from (question.sample(rng) for _ in range(10))
    yield from ("", "nonsense", "[[[", "[1, 2", "9" * 5_000, "[" * 5_000, "['a', 2.5, None]")


def _altered(question: NextState, key: Key, rng: Random) -> Iterator[Any]:
    """Lists that are no position of ours, or one that is written in another way."""
    match question.position:
        case GraphColoring():
            for colour in (99, 0, -1, key.current[0]):
                place = rng.randrange(len(key.current))
                yield [*key.current[:place], colour, *key.current[place + 1 :]]
        case Sudoku():
            row, column = rng.randrange(9), rng.randrange(9)
            for digit in (0, 1, 5, 9, 10):
                board = [list(line) for line in key.current]
                board[row][column] = digit
                yield board
        case LogicGrid(things=things):
            for _ in range(10):
                table = [list(line) for line in key.current]
                for _ in range(rng.randint(1, 3)):
                    column = rng.randrange(1, len(things))
                    line = rng.choice(table[1:])
                    line[column] = rng.choice([*things[column], "", "Nobody"])
                yield table
                yield [list(map(str, line)) for line in table]
        case _:
            yield from (key.parent[::-1], key.child[::-1], key.current[::-1])
            for one, two in combinations(key.current, 2):
                rest = [each for each in key.current if each not in (one, two)]
                yield from ([*rest, f"({one} {sign} {two})"] for sign in "+-*/")
                yield [*rest, f"{two}-{one}"]


def compared(published: Sequence[Published], step: int) -> Counter[str]:
    """How often verdicts on constructed replies are the same, and why they differ."""
    found, kinds = Counter[str](), set[str]()
    every = [one for one in published if isinstance(one.problem.question, NextState)]
    for one in every[::step]:
        question = question_of(one)
        for answer in dict.fromkeys(replies(one, Random(one.problem.name))):
            _, _, why = verdicts(question, one.key, answer)
            assert why != defects.UNEXPLAINED, (one.problem.name, answer)
            found[why or "same"] += 1
            kinds.add(question.check(answer).kind)
    assert kinds == KINDS
    return found


def test_differences_are_explained(published: list[Published]) -> None:
    """On a part of the states; see `test_all_differences_are_explained`."""
    assert compared(published, 97).keys() > {"same", defects.DEAD_END}


@pytest.mark.heavy
def test_all_differences_are_explained(published: list[Published]) -> None:
    """On constructed replies to all 2,000 states."""
    found = compared(published, 1)
    for why, count in found.most_common():
        print(f"{count:7,} {why}")
    assert found.keys() >= {defects.UNDETERMINED, defects.LAST_GAP, defects.SWAPPED, defects.EXACT}
