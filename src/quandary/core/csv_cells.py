"""Cells of CSV files, which spreadsheets open: players' texts must not become formulas there."""

from __future__ import annotations

import re
from typing import Any

NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")
# Spreadsheets read texts that begin with these as formulas.  The quote is included so that no two
# texts give the same cell.
MARKS = tuple("=+-@\t\r\n'＝＋－＠")


def csv_cell(value: Any) -> Any:
    """Return a value as written to CSV; text that a spreadsheet would run as a formula gets a
    quote.
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str) and value.startswith(MARKS) and not NUMBER.fullmatch(value):
        return f"'{value}"
    return value
