"""What a password must contain, or how many of some characters it must have."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias, get_args

from quandary.kit.countries import country, folded
from quandary.solvers.passwords import count

from .password_expressions import evaluate, written

Kind: TypeAlias = Literal[
    "contains", "capital_of", "continent_of", "expression", "spoken_expression",
    "romans", "letters", "digits", "specials", "uppercase", "lowercase", "letter", "length",
]  # fmt: skip
KINDS: tuple[Kind, ...] = get_args(Kind)  # what is sought in the password, then what is counted
SOUGHT, NAMES = frozenset(KINDS[:5]), frozenset(("capital_of", "continent_of"))


@dataclass(frozen=True)
class Demand:
    kind: Kind
    text: str = ""  # a word, a country, an expression as shown, or a letter
    number: int = 0  # of what is counted

    @property
    def value(self) -> int:
        """The value of an expression."""
        found = evaluate(self.text if self.kind == "expression" else written(self.text))
        if found is None:
            raise ValueError(f"{self.text} is not a whole number")
        return found

    @property
    def spellings(self) -> tuple[str, ...]:
        """The texts of which one must be in the password; names are folded."""
        return _spellings(self.kind, self.text)

    def met_by(self, password: str) -> bool:
        if self.kind not in SOUGHT:
            return self.count(password) == self.number
        if self.kind in NAMES:
            password = folded(password)
        for spelling in _spellings(self.kind, self.text):  # noqa: SIM110 - `any` takes twice as long
            if spelling in password:
                return True
        return False

    def implies(self, other: Demand) -> bool:
        """Whether every password that meets this demand meets the other; both must be sought."""
        return all(map(other.met_by, self.spellings))

    def count(self, password: str) -> int:
        """How many there are of what is counted."""
        return password.count(self.text) if self.kind == "letter" else count(self.kind, password)


@lru_cache(maxsize=1 << 16)
def _spellings(kind: Kind, text: str) -> tuple[str, ...]:
    if kind == "capital_of":
        return country(text).capitals
    if kind == "continent_of":
        return country(text).continents
    return (text if kind == "contains" else str(Demand(kind, text).value),)
