"""Which pieces flip on a reversi board, under either reading."""

from __future__ import annotations

from random import Random

import pytest

from quandary.puzzles.questions.execution.reversi.solver.board import after, images


def boards(text: str) -> tuple[str, ...]:
    return tuple(text.split("/"))


def plain(
    board: tuple[str, ...], colour: str, place: tuple[int, int], cascade: bool, rng: Random
) -> tuple[str, ...]:
    """The rule as it is told, one bracket at a time in any order: ends on one line, nothing but
    rivals between them.
    """
    cells = {(y, x): cell for y, row in enumerate(board, 1) for x, cell in enumerate(row, 1)}
    rival = "1" if colour == "0" else "0"
    cells[place] = colour
    ends = {place}
    before = dict(cells)
    while True:
        judged = cells if cascade else before
        brackets = []
        for y, x in sorted(ends):
            for (v, u), cell in cells.items():
                steps = max(abs(v - y), abs(u - x))
                if (
                    judged[v, u] != colour
                    or steps < 2
                    or not (v == y or u == x or abs(v - y) == abs(u - x))
                ):
                    continue
                between = [
                    (y + (v - y) // steps * i, x + (u - x) // steps * i) for i in range(1, steps)
                ]
                if cell == colour and all(judged[square] == rival for square in between):
                    brackets.append(between)
        fresh = [
            between for between in brackets if any(cells[square] == rival for square in between)
        ]
        if not fresh:
            n = len(board)
            return tuple("".join(cells[y, x] for x in range(1, n + 1)) for y in range(1, n + 1))
        for square in rng.choice(fresh):
            cells[square] = colour
            if cascade:
                ends.add(square)


@pytest.mark.parametrize(
    ("before", "colour", "place", "classic", "cascade"),
    [
        ("****/*01*/*10*/****", "0", (2, 4), "****/*000/*10*/****", "****/*000/*10*/****"),
        (
            "****/*01*/*10*/****",
            "0",
            (1, 1),
            "0***/*01*/*10*/****",
            "0***/*01*/*10*/****",
        ),  # nothing turns, and that is allowed
        ("011*/****/****/****", "0", (1, 4), "0000/****/****/****", "0000/****/****/****"),
        ("01*1/****/****/****", "0", (1, 3), "0001/****/****/****", "0001/****/****/****"),
        (
            "*11*/****/****/****",
            "0",
            (1, 4),
            "*110/****/****/****",
            "*110/****/****/****",
        ),  # the edge is no end
        # the piece that turns on row 2 sees a white one below it, and a black one behind that
        ("****/011*/**1*/**0*", "0", (2, 4), "****/0000/**1*/**0*", "****/0000/**0*/**0*"),
        # a white piece between two black ones that were there before stays
        ("****/*1**/010*/****", "0", (1, 4), "***0/*1**/010*/****", "***0/*1**/010*/****"),
        # row 4 turns; its last piece, at (4,4), turns the two up the diagonal to (1,1), no more
        (
            *("0**0**/*1*1**/**1***/0111**/******/******", "0", (4, 5)),
            *(
                "0**0**/*1*1**/**1***/00000*/******/******",
                "0**0**/*0*1**/**0***/00000*/******/******",
            ),
        ),
        # three links: (5,2) by its row, then (4,2) up to (3,2), then (4,3) up to (4,4)
        (
            "*****/*****/*0***/*110*/01***",
            "0",
            (5, 3),
            "*****/*****/*0***/*110*/000**",
            "*****/*****/*0***/*000*/000**",
        ),
    ],
)
def test_known_boards(before: str, colour: str, place: tuple[int, int], classic: str, cascade: str):
    """Pieces turn as the rules say, worked out by hand, under both readings."""
    assert after(boards(before), colour, place, "classic") == boards(classic)
    assert after(boards(before), colour, place, "cascade") == boards(cascade)


@pytest.mark.parametrize("flips", ["classic", "cascade"])
def test_against_the_rule_told_plainly(flips):
    """Thousands of placements on random boards turn the same pieces as brackets closed one by one,
    in any order.
    """
    rng = Random(f"brackets/{flips}")
    differ = 0
    for _ in range(1_500):
        n = rng.choice((3, 4, 5, 6))
        board = tuple("".join(rng.choice("0011*") for _ in range(n)) for _ in range(n))
        free = [
            (y, x) for y in range(1, n + 1) for x in range(1, n + 1) if board[y - 1][x - 1] == "*"
        ]
        if not free:
            continue
        colour, place = rng.choice("01"), rng.choice(free)
        expected = plain(board, colour, place, flips == "cascade", rng)
        differ += expected != plain(board, colour, place, flips != "cascade", rng)

        assert after(board, colour, place, flips) == expected
    assert differ > 100  # the boards do tell the readings apart


def test_equal_positions_have_one_least_image():
    """A turned board in swapped colours is the same position; another square is another one."""
    one = min(images(boards("*0**/*10*/*01*/****"), "0", ((3, 4),)))
    turned = min(images(boards("****/*101/*01*/****"), "1", ((4, 2),)))
    other = min(images(boards("*0**/*10*/*01*/****"), "0", ((4, 4),)))

    assert one == turned != other
