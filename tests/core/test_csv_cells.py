"""Cells of CSV files that spreadsheets do not compute."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quandary.core.csv_cells import csv_cell


@pytest.mark.parametrize(
    "text", ["=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "-", "'=1"]
)
def test_what_a_spreadsheet_could_compute_begins_with_a_quote(text: str) -> None:
    assert csv_cell(text) == f"'{text}"


@pytest.mark.parametrize("value", ["-3", "+0.5", "1=2", "a", "", -3, -0.5, None])
def test_numbers_and_other_texts_stay(value: object) -> None:
    assert csv_cell(value) is value


@given(st.text(st.sampled_from("='-1a"), max_size=4), st.text(st.sampled_from("='-1a"), max_size=4))
def test_different_texts_give_different_cells(one: str, other: str) -> None:
    """So the text can be had back: without its first letter, if that is a quote."""
    cell = csv_cell(one)
    assert (cell == csv_cell(other)) == (one == other)
    assert one == (cell[1:] if cell.startswith("'") else cell)
