"""The eight published files, read line by line: rows of puzzles and of states."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Generic, Literal, NamedTuple, TypeAlias, TypeVar

import msgspec
from msgspec import Struct

from quandary.core.errors import UserError
from quandary.puzzles.solo.logic_grid.solver.clues import Value

Status: TypeAlias = Literal["Solvable", "Unsolvable"]
Board: TypeAlias = list[list[int]]
Table: TypeAlias = list[list[Value]]
Inputs = TypeVar("Inputs")
Outputs = TypeVar("Outputs")


class PublishedRow(Struct, Generic[Inputs, Outputs]):
    """A line of a file."""

    inputs: Inputs
    outputs: Outputs


class Bare(Struct, Generic[Inputs]):
    """A line without outputs."""

    inputs: Inputs


class Labelled(Struct):
    current_status: Status


class Sudoku(Struct):
    initial: Board


class SudokuState(Sudoku):
    grandparent: Board
    parent: Board
    current: Board
    unsolvable_child: Board


class SudokuSolution(Struct):
    final: Board


class LabelledSudoku(SudokuSolution):
    current_status: Status


class Graph(Struct):
    graph: list[list[int]]
    chromatic_number: int


class GraphState(Graph):
    grandparent: list[int]
    parent: list[int]
    current: list[int]
    unsolvable_child: list[int]


class Numbers(Struct):
    initial_state: list[str]


class NumbersState(Numbers):
    grandparent: list[str] | None
    parent: list[str]
    current: list[str]
    unsolvable_child: list[str]


class PublishedClue(Struct):
    text: str
    conditions: str


class Grid(Struct):
    clues: dict[str, PublishedClue]
    initial: Table


class GridState(Grid):
    current: Table
    applied_clues: list[str]
    initial_to_current: list[Table]
    unsolvable_child: Table


class GridSolution(Struct):
    solution: Table


class LabelledGrid(GridSolution):
    current_status: Status


class Row(NamedTuple, Generic[Inputs]):
    """A row of a file."""

    number: int  # from 0
    where: str  # for messages
    text: str
    line: Inputs


def read_rows(folder: Path, file: str, kind: type[Inputs]) -> Iterator[Row[Inputs]]:
    """Yield the rows of a published file; UserError names the file and the line."""
    path = folder / file
    try:
        lines = path.read_text("utf-8-sig").rstrip().split("\n")
    except FileNotFoundError:
        raise UserError(
            f"{folder} has no {file}; give the folder with the eight published files of FineReason."
        ) from None
    except UnicodeError:
        raise UserError(f"{path} cannot be read: its text is not UTF-8.") from None
    except OSError as reason:
        raise UserError(f"{path} cannot be read: {reason.strerror}.") from None
    if lines == [""]:
        raise UserError(f"{path} is empty; give the folder with the published files.")
    decoder = msgspec.json.Decoder(kind)
    for number, text in enumerate(lines):
        where = f"line {number + 1} of {path}"
        if not text.strip():  # it would hide which row is which
            raise UserError(f"{where} is blank; give the file as it was published.")
        try:
            line = decoder.decode(text)
        except msgspec.ValidationError as reason:
            raise UserError(
                f"{where} has another shape than the published rows: {reason}."
            ) from None
        except (msgspec.DecodeError, RecursionError):
            raise UserError(f"{where} is not JSON; is the file complete?") from None
        yield Row(number, where, text, line)
