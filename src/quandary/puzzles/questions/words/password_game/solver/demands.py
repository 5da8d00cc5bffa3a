"""What a password must contain, or how many of some characters it must have; and how to meet it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, product
from typing import Annotated, Literal, TypeAlias, get_args

from quandary.core.descriptions import Doc
from quandary.puzzles.questions.words.password_game.countries import country, folded

from .expressions import evaluate, written
from .passwords import Cells, cells_of, completed, count, counts_of, joined, outermost

Kind: TypeAlias = Literal[
    "contains", "capital_of", "continent_of", "expression", "spoken_expression",
    "romans", "letters", "digits", "specials", "uppercase", "lowercase", "letter", "length",
]  # fmt: skip
KINDS: tuple[Kind, ...] = get_args(Kind)  # what is sought in the password, then what is counted
SOUGHT, NAMES = frozenset(KINDS[:5]), frozenset(("capital_of", "continent_of"))
LAYOUTS = 1 << 15  # ways to overlap what is sought that are tried; six demands have far fewer


@dataclass(frozen=True)
class Demand:
    """One requirement: what the password must contain, or how many of something it must have."""

    kind: Annotated[
        Kind,
        Doc(
            "what the password must contain: contains, the text itself; capital_of, continent_of, "
            "the capital or the continent of a country; expression, spoken_expression, the value "
            "of an expression in digits and signs, or in English words. Or what is counted: romans "
            "(Roman numeral letters), letters (English letters), digits, specials (special "
            "characters), uppercase, lowercase (English letters in upper or lower case), letter "
            "(a single letter), length (all characters)"
        ),
    ]
    text: Annotated[
        str,
        Doc(
            "the text, the country or the expression; for letter, the letter, which counts in this "
            'case only; "" for the other counts'
        ),
    ] = ""
    number: Annotated[
        int, Doc("exactly how many there must be of what is counted; 0 where nothing is counted")
    ] = 0

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
        """Return whether every password that meets this demand meets the other; both must be
        sought.
        """
        return all(map(other.met_by, self.spellings))

    def count(self, password: str) -> int:
        """Return how many there are of what is counted."""
        return password.count(self.text) if self.kind == "letter" else count(self.kind, password)


@lru_cache(maxsize=1 << 16)
def _spellings(kind: Kind, text: str) -> tuple[str, ...]:
    if kind == "capital_of":
        return country(text).capitals
    if kind == "continent_of":
        return country(text).continents
    return (text if kind == "contains" else str(Demand(kind, text).value),)


def candidate_passwords(demands: Sequence[Demand]) -> Iterator[str]:
    """Passwords with all that is sought and as many as asked for of all that is counted.

    None where the counts contradict each other.
    """
    counted = [demand for demand in demands if demand.kind not in SOUGHT]
    wanted = counts_of(
        (demand.kind, demand.number) for demand in counted if demand.kind != "letter"
    )
    exact = counts_of((demand.text, demand.number) for demand in counted if demand.kind == "letter")
    if wanted is None or exact is None:
        return
    for cells in islice(_layouts(demands), LAYOUTS):
        password = completed(cells, wanted, exact)
        if password is not None:
            yield password


def _layouts(demands: Sequence[Demand]) -> Iterator[Cells]:
    """Yield what is sought, put together in every way worth trying, the spelled-out one first."""
    sought = [demand for demand in demands if demand.kind in SOUGHT]
    loose = [demand.kind in NAMES for demand in sought]
    for spellings in product(*(demand.spellings for demand in sought)):
        yield from joined(outermost(map(cells_of, spellings, loose)))
