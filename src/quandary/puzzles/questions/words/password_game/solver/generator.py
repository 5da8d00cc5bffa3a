"""Random demands on a password, drawn along with a password that meets them all; and guesses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from string import ascii_letters

from quandary.core.bounds import Range
from quandary.puzzles.questions.words._shared.english_words import common
from quandary.puzzles.questions.words.password_game.countries import countries

from .demands import KINDS, NAMES, SOUGHT, Demand, Kind
from .expressions import random_expression, spoken
from .passwords import MEMBERS

ABSENT = 0.1  # how often a letter is asked for 0 times
REDRAWS = 20  # before a demand is taken that others meet already: there are only six continents


def random_demands(rng: Random, number: int, operators: Range) -> tuple[Demand, ...]:
    """Demands on a password that grows with each: by what is sought, or by what is counted."""
    kinds, password, made = _kinds(rng, number), "", list[Demand]()
    letters = iter(rng.sample(ascii_letters, kinds.count("letter")))
    for kind in kinds:
        if kind in SOUGHT:
            demand = _sought(rng, kind, password, made, operators)
            password += demand.spellings[0]
        else:
            demand = Demand(kind, next(letters) if kind == "letter" else "")
            password += _more(rng, demand, password)
        made.append(demand)
    demands = tuple(_counted(demand, password) for demand in made)
    assert all(demand.met_by(password) for demand in demands), f"{password} must meet {demands}"
    return demands


def guessed_password(rng: Random, demands: Sequence[Demand]) -> str:
    """Most of what is sought, and some random characters."""
    sought = [demand for demand in demands if demand.kind in SOUGHT]
    parts = [rng.choice(demand.spellings) for demand in sought if rng.random() < 0.8]
    return "".join(parts + rng.choices(MEMBERS["length"], k=rng.randint(1, 6)))


def _kinds(rng: Random, number: int) -> list[Kind]:
    """Kinds of demands in the order they are met; each count but that of a letter comes once."""
    kinds = list[Kind]()
    while len(kinds) < number:
        kind = rng.choice(KINDS)
        if kind in SOUGHT or kind == "letter" or kind not in kinds:
            kinds.append(kind)
    return sorted(kinds, key=lambda kind: 0 if kind in SOUGHT else KINDS.index(kind))


def _sought(
    rng: Random, kind: Kind, password: str, others: Sequence[Demand], operators: Range
) -> Demand:
    """Return a demand that is not met yet and meets no other one; its words do not give it away."""
    for _ in range(REDRAWS):
        if kind == "contains":
            demand = Demand(kind, rng.choice(common()))
        elif kind in NAMES:
            demand = Demand(kind, rng.choice(countries()))
        else:
            drawn = random_expression(rng, operators)
            demand = Demand(kind, drawn if kind == "expression" else spoken(drawn))
        is_given_away = kind == "capital_of" and demand.met_by(demand.text.replace(" ", ""))
        if (
            not is_given_away
            and not demand.met_by(password)
            and not any(map(demand.implies, others))
        ):
            break
    return demand


def _more(rng: Random, demand: Demand, password: str) -> str:
    """Return what a count adds to a password: some characters, or rarely nothing for a single
    letter.
    """
    if demand.kind != "letter":
        return "".join(rng.choices(MEMBERS[demand.kind], k=rng.randint(1, 5)))
    if password and demand.text not in password and rng.random() < ABSENT:
        return ""
    return demand.text * rng.randint(1, 3)


def _counted(demand: Demand, password: str) -> Demand:
    """Return a demand that asks for as many as the password has, where it asks for a number."""
    return demand if demand.kind in SOUGHT else replace(demand, number=demand.count(password))
