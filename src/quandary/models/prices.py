"""Prices of calls, in a dated table that users can replace.

An unknown price is never taken as zero.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from quandary.core.errors import UserError, unknown

from .provider import Usage

VARIABLE = "QUANDARY_PRICES"
FREE = ("local/", "hf/")  # models in the user's own process
MILLION = 1_000_000


class Price(NamedTuple):
    """Dollars per million tokens."""

    read: float
    written: float
    cached: float | None = None  # of tokens read from the server's cache; None: as others read


@dataclass(frozen=True)
class Prices:
    """A price table."""

    date: date
    models: Mapping[str, Price]

    def cost(self, model: str, usage: Usage) -> float | None:
        """Return the cost of a call in dollars; None if its price or its tokens are unknown."""
        if model.startswith(FREE):
            return 0.0
        price = self.models.get(model)
        if price is None or usage.read is None or usage.written is None:
            return None
        cached = usage.cached or 0
        discount = 0.0 if price.cached is None else cached * (price.read - price.cached)
        return (usage.read * price.read + usage.written * price.written - discount) / MILLION


def load(path: Path | None = None) -> Prices:
    """Return the given price table, else the one QUANDARY_PRICES names, else the one of this
    package.
    """
    if path is None and (named := os.environ.get(VARIABLE)):
        path = Path(named)
    if path is None:
        return read(
            "quandary's own prices", files(__package__).joinpath("prices.toml").read_text("utf-8")
        )
    try:
        return read(f"the price table {path}", path.read_text("utf-8"))
    except (OSError, UnicodeError) as reason:
        why = reason.strerror if isinstance(reason, OSError) else reason
        raise UserError(f"the price table {path} cannot be read: {why}.") from None


def read(name: str, text: str) -> Prices:
    """Parse a price table."""
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as reason:
        raise UserError(f"{name} is not valid TOML: {reason}.") from None
    for field in raw:
        if field not in ("date", "models"):
            raise unknown("field", field, ("date", "models"), of=name)
    day, models = raw.get("date"), raw.get("models")
    if not isinstance(day, date) or isinstance(day, datetime):
        fault = "has no date" if day is None else f"has the date {str(day)!r}, which is not a day"
        raise UserError(
            f"{name} {fault}; begin it with a line such as date = 2026-01-31, without quotes."
        )
    if not isinstance(models, dict):
        raise UserError(
            f'{name} has no [models]; add it, with lines such as "openai/gpt-4.1" = '
            f"{{ read = 2.0, written = 8.0 }}."
        )
    return Prices(day, {model: _price(name, model, price) for model, price in models.items()})


def _price(name: str, model: str, price: Any) -> Price:
    if isinstance(price, dict) and {"read", "written"} <= set(price) <= set(Price._fields):
        dollars = price.values()
        if all(type(value) in (int, float) and 0 <= value <= MILLION for value in dollars):
            return Price(**{kind: float(value) for kind, value in price.items()})
    raise UserError(
        f"{name} has no valid price for {model}; write it as {{ read = 2.0, written = 8.0 }}, in "
        f"dollars per million tokens; cached = 0.5 is for tokens from the server's cache."
    )
