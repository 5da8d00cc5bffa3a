"""Entailment: candidates that clues leave, and what these agree in, against trying every one."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count, permutations, product, repeat
from random import Random

import pytest

from quandary.algorithms import entailment
from quandary.algorithms.entailment import UNKNOWN, Candidates, any_of, exactly, is_one, telling
from quandary.catalogue.drawing import instance
from quandary.puzzles.questions.planning.minesweeper.solver.deduction import (
    Board,
    Square,
    clues_of,
    forced,
    squares_of,
)

Candidate = tuple[str, ...]


def test_the_example_of_the_module():
    """Two digits: the first is 5, then one of 8 and 9 is there; the second stays open."""
    codes = Candidates(permutations("0123456789", 2))
    clues = [codes.having(0, "5"), exactly(1, [codes.holding("8"), codes.holding("9")], -1)]

    left = codes.left_after(clues)

    assert list(codes.listed(left[1])) == [("5", "8"), ("5", "9")]
    assert [codes.agreed(some) for some in left] == [("5", "*"), ("5", "*")]
    assert (codes.first(left[1]), codes.last(left[1])) == (("5", "8"), ("5", "9"))


def test_the_worked_example_of_linear_arrangement():
    """Q is leftmost; P is not next to Q: first Q alone is known, then all."""
    rows = Candidates(permutations("PQR"))
    clues = [
        rows.having(0, "Q"),
        rows.where(lambda row: abs(row.index("P") - row.index("Q")) > 1),
    ]

    masks = ["".join(rows.agreed(some)) for some in rows.left_after(clues)]

    assert masks == ["Q**", "QRP"]


def random_clue(
    candidates: Candidates[str], places: int, values: str, rng: Random
) -> tuple[int, Callable[[Candidate], bool]]:
    """A clue as bits, and as a test of one candidate."""
    place, value = rng.randrange(places), rng.choice(values)
    some = rng.sample(values, rng.randint(1, len(values)))
    count = rng.randint(0, len(some))
    all_of_them = candidates.everything
    choices: list[tuple[int, Callable[[Candidate], bool]]] = [
        (candidates.having(place, value), lambda one: one[place] == value),
        (candidates.holding(value), lambda one: value in one),
        (all_of_them & ~candidates.having(place, value), lambda one: one[place] != value),
        (
            any_of(candidates.having(place, other) for other in some),
            lambda one: one[place] in some,
        ),
        (
            exactly(count, [candidates.holding(other) for other in some], all_of_them),
            lambda one: sum(other in one for other in some) == count,
        ),
        (candidates.where(lambda one: one[0] <= one[-1]), lambda one: one[0] <= one[-1]),
    ]
    return rng.choice(choices)


def test_against_every_candidate():
    """Over random clues, what is left and what is agreed is what trying every candidate gives."""
    rng = Random("entailment")
    told = 0
    for _ in range(300):
        places, values = rng.randint(1, 4), "abcde"[: rng.randint(1, 5)]
        everyone = list(product(values, repeat=places))
        rng.shuffle(everyone)
        candidates = Candidates(everyone)
        clues = [random_clue(candidates, places, values, rng) for _ in range(4)]
        left = list(everyone)
        for some, (_, holds) in zip(
            candidates.left_after(bits for bits, _ in clues), clues, strict=True
        ):
            left = [one for one in left if holds(one)]

            assert list(candidates.listed(some)) == left
            assert is_one(some) == (len(left) == 1)
            if not left:
                with pytest.raises(ValueError, match="no candidate fits"):
                    candidates.agreed(some)
                continue
            assert (candidates.first(some), candidates.last(some)) == (left[0], left[-1])
            assert candidates.agreed(some) == tuple(
                column[0] if len(set(column)) == 1 else UNKNOWN
                for column in zip(*left, strict=True)
            )
            told += 1
    assert told > 500


def test_places_with_many_values():
    """More values than a byte has give the same sets."""
    pairs = Candidates((number, number % 7) for number in range(1_000))

    assert list(pairs.listed(pairs.having(0, 300))) == [(300, 6)]
    assert len(list(pairs.listed(pairs.having(1, 6)))) == 142
    assert pairs.agreed(pairs.having(0, 300) | pairs.having(0, 307)) == ("*", 6)


def test_counts_out_of_reach_fit_nothing():
    """More than there are sets, or fewer than none."""
    assert exactly(3, [1, 1], 1) == exactly(-1, [1], 1) == 0
    assert exactly(0, [], 0b111) == 0b111


def mines_by_candidates(board: Board, total: int | None) -> tuple[tuple[Square, ...], ...]:
    """Certain mines and safe squares, as what all arrangements that fit agree in."""
    hidden = sorted(square for square, cell in squares_of(board) if cell == "*")
    arrangements = Candidates(product((True, False), repeat=len(hidden)))
    mine = {square: arrangements.having(place, True) for place, square in enumerate(hidden)}
    clues = [
        exactly(
            clue.number,
            [mine[square] for square in clue.watched if square in mine],
            arrangements.everything,
        )
        for clue in clues_of(board)
    ]
    if total is not None:
        clues.append(exactly(total, list(mine.values()), arrangements.everything))
    agreed = arrangements.agreed(arrangements.left_after(clues)[-1])
    return tuple(
        tuple(square for square, value in zip(hidden, agreed, strict=True) if value is wanted)
        for wanted in (True, False)
    )


@pytest.mark.parametrize("family", ["a", "b"])
@pytest.mark.parametrize(("level", "seeds"), [("0", 20), ("1", 40), ("2", 3)])
def test_minesweepers_faster_way(level: str, seeds: int, family: str):
    """Minesweeper counts by groups of squares; it finds the same mines and the same safe squares
    after every round.
    """
    for seed in range(seeds):
        question = instance(f"minesweeper/{level},family={family}#{seed}")
        for board in question.boards:
            found = forced(board, question.mines)
            assert found == mines_by_candidates(board, question.mines)


@pytest.mark.heavy
@pytest.mark.parametrize("family", ["a", "b"])
def test_minesweepers_faster_way_on_large_boards(family: str):
    """The same on boards of five rows, up to 19 hidden squares."""
    for seed in range(4):
        question = instance(f"minesweeper/3,family={family}#{seed}")
        for board in question.boards[1:]:
            if sum(cell == "*" for row in board for cell in row) <= 19:
                found = forced(board, question.mines)
                assert found == mines_by_candidates(board, question.mines)


def test_entries_that_tell_more():
    """Than the one before, also in an entry that is longer; the first, if it tells anything."""
    assert telling(["***", "*B*", "*B*", "AB*", "ABC"]) == 3
    assert telling([["*"], ["*", "*"], ["C", "*", "A"], ["C", "*", "A", "*"]]) == 1
    assert telling(["A", "AB"]) == 2
    assert telling([]) == 0


@pytest.mark.parametrize("places", [8, 80])
def test_candidates_out_of_reach_are_refused(monkeypatch: pytest.MonkeyPatch, places: int) -> None:
    """After no more of them than a list can hold, the longer they are the fewer."""
    monkeypatch.setattr(entailment, "MOST_VALUES", 1_600)
    taken = count()
    within = (["a"] * places for _ in range(1_600 // places))
    assert Candidates(within).everything == (1 << 1_600 // places) - 1
    with pytest.raises(ValueError, match=f"more than {1_600 // places} candidates"):
        Candidates((str(next(taken)),) * places for _ in repeat(None))
    assert next(taken) == 1_600 // places + 1
