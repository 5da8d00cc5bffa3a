"""Path movement: known walks, edges, traps, and how many there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations_with_replacement, pairwise, product
from random import Random

import pytest
from proofs.second_workings.path_movement import work

from quandary.catalogue.drawing import instance
from quandary.catalogue.splits import split_of
from quandary.puzzles.questions.execution.path_movement import PathMovement

FAMILIES = [(family, level) for family in "ab" for level in range(4)]


def made(family: str, grid: str, commands: str) -> PathMovement:
    return PathMovement(family, 3, tuple(tuple(row) for row in grid.split("/")), commands)


def walked(family: str, grid: str, commands: str, without: str = "") -> list[str]:
    answer, process = made(family, grid, commands).work(without=without)
    assert answer == process[-1]
    return ["/".join("".join(row) for row in one) for one in process]


@pytest.mark.parametrize(("family", "commands"), [("a", "jk"), ("b", "kj")])
def test_the_worked_example(family: str, commands: str) -> None:
    """Left around the edge, then down."""
    assert walked(family, "BAA/AAA", commands) == ["AAB/AAA", "AAA/AAB"]


@pytest.mark.parametrize(
    ("family", "after"),
    [
        ("a", ["AAA/AAA/ABA", "AAA/AAA/BAA", "BAA/AAA/AAA", "ABA/AAA/AAA"]),
        ("b", ["AAA/AAA/ABA", "ABA/AAA/AAA", "BAA/AAA/AAA", "ABA/AAA/AAA"]),
    ],
)
def test_what_commands_mean(family: str, after: list[str]) -> None:
    assert walked(family, "ABA/AAA/AAA", "ijkl") == after


def test_the_trap_is_covered_and_never_left() -> None:
    after = ["ABA/AXA", "AAA/ABA", "AAA/ABA", "AAA/ABA"]

    assert walked("a", "BAA/AXA", "lkli") == after


def test_rules_that_are_taken_away() -> None:
    """Without edges to cross the piece waits there; a trap that is none is passed."""
    assert walked("a", "BAA/AXA", "lik", "edge") == ["ABA/AXA", "ABA/AXA", "AAA/ABA"]
    assert walked("a", "BAA/AXA", "lkl", "trap") == ["ABA/AXA", "AAA/ABA", "AAA/AXB"]


@pytest.mark.parametrize(("family", "level"), FAMILIES)
def test_sizes(family: str, level: int) -> None:
    """Those of the paper."""
    for seed in range(20):
        question = instance(f"path_movement/{level},family={family}#{seed}")
        letters = "".join(map("".join, question.grid))
        process = question.work().process

        assert {len(row) for row in question.grid} == {len(question.grid)} == {(2, 4, 7, 7)[level]}
        assert len(question.commands) == len(process) == (1, 5, 5, 6)[level]
        assert (letters.count("B"), letters.count("X")) == (1, level == 3)
        assert ("trap" in question.rules()) == ("陷阱" in question.rules("zh")) == (level == 3)


def moves_made(spec: str) -> int:
    """How often the piece moves, by the second working."""
    question = instance(spec)
    _, grids = work(question)
    before = [list(map(list, question.grid)), *grids]
    return sum(one != other for one, other in pairwise(before))


def test_the_trap_does_not_make_the_last_level_easier() -> None:
    """The piece moves at least as often as at the level before."""
    made_at = {
        level: {moves_made(f"path_movement/{level}#{seed}") for seed in range(150)}
        for level in (2, 3)
    }
    assert {2: {5}, 3: {5, 6}} == made_at


@pytest.mark.parametrize("commands", [2, 3, 9])
def test_the_trap_comes_last_but_one_or_not_at_all(commands: int) -> None:
    seen = {moves_made(f"path_movement/3,commands={commands},size=4#{n}") for n in range(20)}

    assert {commands - 1, commands} == seen


@pytest.mark.parametrize("family", ["a", "b"])
def test_the_trap_does_not_tell_where_a_walk_ends(family: str) -> None:
    """Neither by itself nor by the way to it from the start."""
    ends = [place_of_trap(f"path_movement/3,family={family}#{seed}") for seed in range(400)]
    right = sum(is_reached for _, is_reached in ends)
    by_way = Counter(ends)
    guessed = sum(max(by_way[way, True], by_way[way, False]) for way in {way for way, _ in ends})

    assert 0.42 < right / len(ends) < 0.58
    assert guessed / len(ends) < 0.65


def place_of_trap(spec: str) -> tuple[tuple[int, ...], bool]:
    """How far the trap is from the start, around the edges, and whether the walk ends there."""
    question = instance(spec)
    answer, _ = work(question)
    [start], [trap], [end] = (
        [(y, x) for y, row in enumerate(grid) for x, letter in enumerate(row) if letter == sought]
        for grid, sought in ((question.grid, "B"), (question.grid, "X"), (answer, "B"))
    )
    way = sorted(min((a - b) % 7, (b - a) % 7) for a, b in zip(start, trap, strict=True))
    return tuple(way), end == trap


def test_siblings_have_a_trap_if_the_question_has_one() -> None:
    question = instance("path_movement/1,trap=true#1")
    sibling = question.sibling(Random(1), level=1)

    assert "X" in "".join(map("".join, sibling.grid))
    assert sibling.rules() == question.rules()


def test_turned_and_mirrored_walks_are_the_same() -> None:
    one = made("a", "BAA/AAA/AXA", "ilj")

    assert one.canonical() == made("a", "AAB/AAA/AXA", "ijl").canonical()  # mirrored
    assert one.canonical() == made("a", "AAB/XAA/AAA", "lki").canonical()  # turned
    assert one.canonical() != made("b", "BAA/AAA/AXA", "ilk").canonical()
    assert one.canonical() != made("a", "ABA/AAA/AXA", "ilj").canonical()


@pytest.mark.heavy
@pytest.mark.parametrize(("family", "level"), FAMILIES)
def test_the_numbers_of_walks(family: str, level: int) -> None:
    """All starts and commands are tried; with a trap, starts in an eighth of the grid."""
    size, steps = ((2, 1), (4, 5), (7, 5), (7, 6))[level]
    every = product(range(size), repeat=2)
    forms = set()
    for row, column in combinations_with_replacement(range(4), 2) if level == 3 else every:
        for letters in product("ijkl", repeat=steps):
            rows = [["A"] * size for _ in range(size)]
            rows[row][column] = "B"
            walk = PathMovement(family, level, tuple(map(tuple, rows)), "".join(letters))
            for question in trapped(walk) if level == 3 else [walk]:
                if level < 2 or question.uses_every_rule():
                    forms.add(question.canonical())

    assert len(forms) == PathMovement.distinct_instances[f"{level},family={family}"].instances


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("family", "level", "count"),
    [("a", 2, 1_368), ("a", 3, 3_947 + 15_345), ("b", 2, 1_362), ("b", 3, 3_979 + 15_344)],
)
def test_the_numbers_of_walks_in_the_test_split(family: str, level: int, count: int) -> None:
    """Those that `proofs.workings` draws from; starts in an eighth of the grid stand for all."""
    forms = set()
    for row, column in combinations_with_replacement(range(4), 2):
        for commands in product("ijkl", repeat=5 if level == 2 else 6):
            plain = [["A"] * 7 for _ in range(7)]
            plain[row][column] = "B"
            walk = PathMovement(family, level, tuple(map(tuple, plain)), "".join(commands))
            for question in trapped(walk) if level == 3 else [walk]:
                if question.uses_every_rule() and split_of(question) == "test":
                    forms.add(question.canonical())

    assert len(forms) == count


def trapped(walk: PathMovement) -> Iterator[PathMovement]:
    """The walk with each trap that it may have.

    One where the last command but one leads, if it has not been there yet, and those one step from
    the places before and after it, if it is never there.  Walks that lack either have no trap.
    """
    grids = [walk.grid, *walk.work().process]
    way = [
        (y, "".join(row).index("B")) for grid in grids for y, row in enumerate(grid) if "B" in row
    ]
    late = way[-2]
    near = {
        ((y + dy) % 7, (x + dx) % 7)
        for y, x in (way[-3], way[-1])
        for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0))
    }
    if late not in way[:-2] and (missed := near - {*way}):
        for y, x in (late, *missed):
            rows = [list(row) for row in walk.grid]
            rows[y][x] = "X"
            yield replace(walk, grid=tuple(map(tuple, rows)))
