"""The prices by which the tables of a run count costs."""

from __future__ import annotations

from pathlib import Path

import msgspec

from quandary.core.errors import UserError
from quandary.models import prices
from quandary.models.prices import Prices

TABLES, KEPT = "tables", "prices.json"


def run_prices(folder: Path, given: Prices | None = None) -> Prices:
    """The given prices, which are saved; otherwise the saved ones, or else the default ones."""
    path = folder / TABLES / KEPT
    if given is not None:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(msgspec.json.encode(given, order="deterministic"))
        return given
    try:
        return msgspec.json.decode(path.read_bytes(), type=Prices)
    except (FileNotFoundError, NotADirectoryError):
        return prices.load()
    except (OSError, msgspec.DecodeError, UnicodeError):
        raise UserError(f"{path} cannot be read as a price table; delete it.") from None
