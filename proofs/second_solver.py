"""A second opinion on positions: can this one still be solved?

It knows nothing of quandary: models for OR-Tools CP-SAT and exhaustive search, written from the
rules.  A puzzle is added as one function; positions are read by the names of their fields.
"""

from __future__ import annotations

import ast
from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise, permutations, product
from typing import Any

from ortools.sat.python import cp_model

SOLVED = (cp_model.OPTIMAL, cp_model.FEASIBLE)
RECENT = 20  # solutions of a puzzle that are tried before it is solved anew
Solutions = defaultdict[Hashable, deque[Sequence[Any]]]
_solutions: Solutions = Solutions(lambda: deque(maxlen=RECENT))


def is_solvable(position: Any) -> bool:
    return SECOND_SOLVERS[type(position).__name__](position)


def _solver(model: cp_model.CpModel) -> cp_model.CpSolver | None:
    """What has solved a model; None if it has no solution."""
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    # OR-Tools 9.15 can abort while it merges equal columns of a model, which this leaves out.
    solver.parameters.keep_all_feasible_solutions_in_presolve = True
    status = solver.solve(model)
    if status not in (*SOLVED, cp_model.INFEASIBLE):
        raise RuntimeError(f"CP-SAT could not decide: {solver.status_name(status)}")
    return solver if status in SOLVED else None


def _can_be_filled(
    puzzle: Hashable, cells: Sequence[Any], gap: Any, solve: Callable[[], Sequence[Any] | None]
) -> bool:
    """Whether gaps can be filled in: a solution that fits shows it, so `solve` is seldom needed."""
    if len(_solutions) > RECENT and puzzle not in _solutions:
        _solutions.clear()
    known = _solutions[puzzle]
    for solution in known:
        if all(cell in (gap, there) for cell, there in zip(cells, solution, strict=True)):
            return True
    if (found := solve()) is not None:
        known.appendleft(found)
    return found is not None


def sudoku(position: Any) -> bool:
    side, cells = len(position.cells), position.cells
    return _can_be_filled(("sudoku", side), cells, ".", lambda: _solved_sudoku(cells))


def _solved_sudoku(cells: str) -> str | None:
    side = round(len(cells) ** 0.5)
    height = max(number for number in range(1, side) if side % number == 0 and number**2 <= side)
    width = side // height
    model = cp_model.CpModel()
    values = [model.new_int_var(1, side, "") if cell == "." else int(cell, 36) for cell in cells]
    for line in range(side):
        top, left = line // height * height, line % height * width
        model.add_all_different(values[line * side : (line + 1) * side])
        model.add_all_different(values[line::side])
        model.add_all_different(
            values[(top + row) * side + left + column]
            for row in range(height)
            for column in range(width)
        )
    if (solver := _solver(model)) is None:
        return None
    return "".join("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[solver.value(value)] for value in values)


def takuzu(position: Any) -> bool:
    size, cells = len(position.cells), position.cells
    return _can_be_filled(("takuzu", size), cells, ".", lambda: _solved_takuzu(cells))


def _solved_takuzu(cells: str) -> str | None:
    side = round(len(cells) ** 0.5)
    model = cp_model.CpModel()
    values = [model.new_bool_var("") if cell == "." else int(cell) for cell in cells]
    rows = [values[row * side : (row + 1) * side] for row in range(side)]
    for lines in (rows, [values[column::side] for column in range(side)]):
        for line in lines:
            model.add(sum(line) == side // 2)
            for start in range(side - 2):
                model.add_linear_constraint(sum(line[start : start + 3]), 1, 2)
        # Lines are different where the numbers that they spell are.
        model.add_all_different(
            sum(value * 2**place for place, value in enumerate(line)) for line in lines
        )
    if (solver := _solver(model)) is None:
        return None
    return "".join(str(solver.value(value)) for value in values)


def k_queens(position: Any) -> bool:
    """The fewest moves lead to the placement that shares the most squares with the board."""
    side = len(position.queens)
    model = cp_model.CpModel()
    columns = [model.new_int_var(0, side - 1, "") for _ in range(side)]
    model.add_all_different(columns)
    model.add_all_different(column + row for row, column in enumerate(columns))
    model.add_all_different(column - row for row, column in enumerate(columns))
    stays = []
    for row, column in position.queens:
        stays.append(model.new_bool_var(""))
        model.add(columns[row] == column).only_enforce_if(stays[-1])
    model.add(sum(stays) >= side - position.left)
    return _solver(model) is not None


def tidy_tower(position: Any) -> bool:
    """By breadth-first search over what counts: how many cubes are 1, 2, 3 turns ahead of the one
    below; a turn changes one of these numbers, or two by opposite amounts.
    """
    if position.variant != "standard":
        raise ValueError("only towers of which any cube can be held are known here")
    ranks = ["RYBG".index(front) for front in position.cubes]
    ahead = [(upper - lower) % 4 for lower, upper in pairwise(ranks)]
    return _turns(len(ahead))[ahead.count(1), ahead.count(2), ahead.count(3)] <= position.left


@cache
def _turns(edges: int) -> dict[tuple[int, ...], int]:
    """The fewest turns for each number of edges with a difference of 1, 2 and 3."""
    start = (edges, 0, 0, 0)  # how many edges have each difference
    known, waiting = {start: 0}, [start]
    for counts in waiting:
        for after in _turned(counts):
            if after not in known:
                known[after] = known[counts] + 1
                waiting.append(after)
    return {counts[1:]: turns for counts, turns in known.items()}


def _turned(counts: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    for quarters, here in product((1, 2, 3), range(4)):
        if not counts[here]:
            continue
        changed = list(counts)
        changed[here] -= 1
        changed[(here + quarters) % 4] += 1
        yield tuple(changed)  # no cube is held, or the lowest one is turned
        changed[(here + quarters) % 4] -= 1
        for there in range(4):
            if changed[there]:
                both = changed.copy()
                both[there] -= 1
                both[(there - quarters) % 4] += 1
                both[(here + quarters) % 4] += 1
                yield tuple(both)


def game_of_24(position: Any) -> bool:
    values = [_value(ast.parse(text, mode="eval").body) for text in position.expressions]
    return _makes(tuple(sorted(values)), Fraction(position.target))


def _value(tree: ast.expr) -> Fraction:
    match tree:
        case ast.Constant(value=int(number)):
            return Fraction(number)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand)
        case ast.BinOp(left=left, op=sign, right=right):
            one, two = _value(left), _value(right)
            match sign:
                case ast.Add():
                    return one + two
                case ast.Sub():
                    return one - two
                case ast.Mult():
                    return one * two
                case ast.Div():
                    return one / two
    raise ValueError(f"no expression: {ast.dump(tree)}")


@cache
def _makes(values: tuple[Fraction, ...], target: Fraction) -> bool:
    """By trying every step."""
    if len(values) == 1:
        return values[0] == target
    for one, two in permutations(range(len(values)), 2):
        a, b = values[one], values[two]
        left = [value for place, value in enumerate(values) if place not in (one, two)]
        made = {a + b, a - b, a * b} | ({a / b} if b else set())
        if any(_makes(tuple(sorted([*left, value])), target) for value in made):
            return True
    return False


def graph_coloring(position: Any) -> bool:
    graph = (position.neighbours, position.colours)
    return _can_be_filled(
        graph, position.colouring, 0, lambda: _coloured(*graph, position.colouring)
    )


def chromatic_number(neighbours: Sequence[Sequence[int]]) -> int:
    none = [0] * len(neighbours)
    return next(n for n in range(1, len(none) + 1) if _coloured(neighbours, n, none))


def _coloured(
    neighbours: Sequence[Sequence[int]], colours: int, colouring: Sequence[int]
) -> list[int] | None:
    model = cp_model.CpModel()
    found = [
        model.new_int_var(colour or 1, colour or colours, "") for colour in colouring
    ]  # 0 stands for none
    for vertex, others in enumerate(neighbours):
        for other in others:
            if vertex < other:
                model.add(found[vertex] != found[other])
    solver = _solver(model)
    return solver and [solver.value(colour) for colour in found]


def logic_grid(position: Any) -> bool:
    places = [[-1] * len(things) for things in position.things]  # the row of each thing
    for row, entries in enumerate(position.table):
        for column, index in enumerate(entries):
            if index >= 0:
                places[column][index] = row
    puzzle = (position.things, position.clues)
    rows = [row for column in places for row in column]
    return _can_be_filled(puzzle, rows, -1, lambda: next(iter(grid_solutions(position, 1)), None))


def grid_solutions(position: Any, most: int) -> list[list[int]]:
    """Up to so many ways to complete a table: the row of each thing, column by column."""
    places = [
        (column, index)
        for column, things in enumerate(position.things)
        for index in range(len(things))
    ]
    rows = len(position.things[0])
    model = cp_model.CpModel()
    row_of = {place: model.new_int_var(0, rows - 1, "") for place in places}
    for index in range(rows):
        model.add(row_of[0, index] == index)
    for column, things in enumerate(position.things):
        model.add_all_different(row_of[column, index] for index in range(len(things)))
    for row, entries in enumerate(position.table):
        for column, index in enumerate(entries):
            if index >= 0:
                model.add(row_of[column, index] == row)
    for clue in position.clues:
        named = _named(clue)
        fitting = (
            at
            for at in product(range(rows), repeat=len(named))
            if _holds(clue, at, position.things[0])
        )
        model.add_allowed_assignments([row_of[thing] for thing in named], list(fitting))
    found = list[list[int]]()
    while len(found) < most and (solver := _solver(model)):
        found.append([solver.value(row_of[place]) for place in places])
        model.add_forbidden_assignments(list(row_of.values()), [found[-1]])
    return found


def _named(clue: Any) -> list[tuple[int, int]]:
    things = (
        clue.things
        if type(clue).__name__ == "AllDifferent"
        else [getattr(clue, name) for name in "abcd" if hasattr(clue, name)]
    )
    return [(thing.column, thing.index) for thing in things]


def _holds(clue: Any, at: Sequence[int], first: Sequence[Any]) -> bool:
    """Whether a clue is true if the things it names are in these rows."""
    a, b, c, d = (*at, -1, -2)[:4]
    match type(clue).__name__:
        case "Together":
            return a == b
        case "Apart":
            return a != b
        case "Earlier":
            return a < b
        case "EarlierBy":
            numbers = all(isinstance(value, int | float) for value in first)
            apart = first[b] - first[a] if numbers else b - a
            return abs(apart - clue.amount) < 1e-6
        case "EitherOr":
            return a in (b, c) and b != c
        case "NeitherNor":
            return a != c and b != c and a != b
        case "OneOther":
            return a != b and {a, b} == {c, d}
        case "AllDifferent":
            return len(set(at)) == len(at)
    raise ValueError(f"an unknown clue: {clue}")


SECOND_SOLVERS: dict[str, Callable[[Any], bool]] = {
    "Sudoku": sudoku,
    "Takuzu": takuzu,
    "KQueens": k_queens,
    "TidyTower": tidy_tower,
    "GameOf24": game_of_24,
    "GraphColoring": graph_coloring,
    "LogicGrid": logic_grid,
}
