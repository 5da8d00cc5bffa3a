"""Count maximal cocktails: some drugs clash; how many sets of them are free of clashes and cannot be extended, or which are they?

From PuzzlePlex.  Readings: maximal means that no drug can be added, not that no cocktail is larger; `counted=maximum` asks for
the largest instead, which is what the released key holds.  The easy level asks for their number, the others for all of them.
A list must hold each cocktail once, in any order.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import Literal

from quandary.core.contract import Language, Question, Seat, Verdict
from quandary.core.scene import Scene
from quandary.families.cocktails import KIND, MEANING, picture
from quandary.solvers.cocktails import Counted, Edge, Graph, counted_cocktails, graph_of, invariant, maximal, members

MOST_DRUGS, MOST_COCKTAILS = 40, 1_000
TRIES = 300  # graphs drawn before a level is given up; large ones take their time, so they get fewer
GUESSED = 12  # cocktails in a guess, at most
HOW_TO_WRITE = {
    "count": "Answer with the number alone, for example: 2",
    "list": "Answer with a list of lists of drugs, for example: [[1, 3, 4], [2, 3, 4]]",
}
WRAPPING = " \t\r\n`*'\"."
NAMED = re.compile(r"(?:operation\s{0,9}[:=]\s{0,9})?(?:(?:maximal_)?cocktails\s{0,9}[:=]\s{0,9})?", re.IGNORECASE)
VAGUE = {"not", "no", "at", "about", "more", "fewer", "less", "than", "over", "under"}
BRACKETS = {"[": "]", "(": ")", "{": "}"}
SET = re.compile(r"\[[^][(){}]*\]|\([^][(){}]*\)|\{[^][(){}]*\}")


@dataclass(frozen=True)
class CountMaximalCocktails(Question):
    drugs: int  # numbered from 1
    edges: tuple[tuple[int, int], ...]  # the drugs that clash, the lower one first
    asked: Literal["count", "list"] = "count"
    counted: Counted = "maximal"

    levels = {
        "easy": {"drugs": (3, 10)},
        "normal": {"drugs": (8, 14), "cocktails": (3, 40), "asked": "list"},
        "hard": {"drugs": (14, 18), "cocktails": (20, 60), "asked": "list"},
    }
    small = {"easy": "few drugs make few graphs: 4 of three drugs, 42 of four; about 1,300 of 2,000 seeds differ"}

    @classmethod
    def new(
        cls,
        rng: Random,
        *,
        drugs: tuple[int, int] = (3, 10),
        clashing: float = 0.5,
        cocktails: tuple[int, int] = (1, 1_000),
        asked: Literal["count", "list"] = "count",
        counted: Counted = "maximal",
    ) -> CountMaximalCocktails:
        """Any number of clashes up to the `clashing` share of all pairs, drawn anew until there are as many cocktails as asked."""
        if not 1 <= drugs[0] <= drugs[1] <= MOST_DRUGS or not 0 <= clashing <= 1 or cocktails[0] > MOST_COCKTAILS:
            raise ValueError(
                f"there are 1 to {MOST_DRUGS} drugs and up to {MOST_COCKTAILS} cocktails, and a share of 0 to 1 clashes"
            )
        most = min(cocktails[1], MOST_COCKTAILS) if counted == "maximal" else MOST_COCKTAILS
        tries = max(10, min(TRIES, 100_000 // (drugs[1] * most)))
        for _ in range(tries):
            size = rng.randint(*drugs)
            pairs = list(combinations(range(1, size + 1), 2))
            edges = tuple(sorted(rng.sample(pairs, rng.randint(0, int(len(pairs) * clashing)))))
            found = maximal(graph_of(size, edges), most)
            if len(found) <= most and cocktails[0] <= len(counted_cocktails(found, counted)) <= cocktails[1]:
                return cls(size, edges, asked, counted)
        raise ValueError(f"of {tries} graphs none has {cocktails[0]} to {cocktails[1]} {KIND[counted]} cocktails")

    def check(self, answer: str, language: Language = "en") -> Verdict:
        body = answer.strip(WRAPPING)
        named = NAMED.match(body)
        body = body[named.end() if named else 0 :]
        fault = self._fault_of_number(body) if self.asked == "count" else self._fault_of_list(body)
        return Verdict(0.0, *fault) if fault else Verdict(1.0)

    def _fault_of_number(self, body: str) -> tuple[str, str] | None:
        words = [word.strip(".,") for word in body.casefold().split()]
        numbers = [word for word in words if not word.isalpha()]  # the others may tell what is counted
        if len(numbers) != 1 or not _is_number(numbers[0]) or VAGUE & set(words):
            return "unreadable", HOW_TO_WRITE["count"]
        said, truth = int(numbers[0]), len(self._cocktails())
        if said == truth:
            return None
        return "wrong_number", f"There are {'more' if said < truth else 'fewer'} {KIND[self.counted]} cocktails than {said}."

    def _fault_of_list(self, body: str) -> tuple[str, str] | None:
        listed = _lists(body)
        if listed is None:
            return "unreadable", HOW_TO_WRITE["list"]
        graph, seen = graph_of(self.drugs, self.edges), set[int]()
        for drugs in listed:
            if fault := self._fault_of_set(graph, drugs):
                return fault
            cocktail = sum(1 << drug - 1 for drug in drugs)
            if cocktail in seen:
                return "repeated_cocktail", f"{sorted(drugs)} stands in your list twice."
            seen.add(cocktail)
        if len(seen) < len(self._cocktails()):
            return "missing_cocktail", f"All {len(seen)} that you list are {KIND[self.counted]} cocktails, but there are more."
        return None

    def _fault_of_set(self, graph: Graph, drugs: list[int]) -> tuple[str, str] | None:
        for drug in drugs:
            if not 1 <= drug <= self.drugs:
                return "unknown_drug", f"There is no drug {drug}; the drugs are numbered from 1 to {self.drugs}."
        if len(set(drugs)) < len(drugs):
            return "repeated_drug", f"One of your cocktails names a drug twice: {drugs[: self.drugs + 1]}."
        for one, other in combinations(sorted(drugs), 2):
            if graph[one - 1] >> other - 1 & 1:
                return "clash", f"{sorted(drugs)} is no cocktail: {one} and {other} clash."
        cocktail = sum(1 << drug - 1 for drug in drugs)
        for drug in range(1, self.drugs + 1):
            if not (graph[drug - 1] | 1 << drug - 1) & cocktail:
                return "not_maximal", f"Drug {drug} can be added to {sorted(drugs)}."
        if cocktail not in self._cocktails():
            return "not_largest", f"{sorted(drugs)} is smaller than other cocktails."
        return None

    def solution(self) -> str:
        return str(len(self._cocktails())) if self.asked == "count" else _written(self._cocktails())

    def sample(self, rng: Random) -> str:
        """A number within reason, or some cocktails that are built up by luck."""
        if self.asked == "count":
            return str(rng.randint(1, 2 * self.drugs))
        graph = graph_of(self.drugs, self.edges)
        return _written({_built(graph, rng) for _ in range(rng.randint(1, GUESSED))})

    def canonical(self) -> Hashable:
        """Numbers of drugs are only names."""
        return invariant(graph_of(self.drugs, self.edges)), self.asked, self.counted

    def rules(self, language: Language = "en") -> str:
        kind = KIND[self.counted]
        tasks = {
            "count": f"How many {kind} cocktails are there?",
            "list": f"List all {kind} cocktails, each of them once; their order and the order of drugs do not matter.",
        }
        return (
            f"There are some drugs, and some of them clash. {MEANING[self.counted]}\n"
            f"For example, if of the drugs 1, 2, 3 and 4 only 1 and 2 clash, there are two {kind} cocktails: "
            f"[1, 3, 4] and [2, 3, 4].\n{tasks[self.asked]}\n{HOW_TO_WRITE[self.asked]}"
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        clashes = ", ".join(f"({one}, {other})" for one, other in self.edges)
        return f"Drugs: {' '.join(map(str, range(1, self.drugs + 1)))}\nClashes: {clashes or 'none'}"

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        return picture(self.drugs, self.edges, ["Lines join drugs that clash."])

    def _cocktails(self) -> frozenset[int]:
        return _cocktails(self.drugs, self.edges, self.counted)


@lru_cache(maxsize=256)
def _cocktails(drugs: int, edges: tuple[Edge, ...], counted: Counted) -> frozenset[int]:
    return frozenset(counted_cocktails(maximal(graph_of(drugs, edges)), counted))


def _built(graph: Graph, rng: Random) -> int:
    cocktail = 0
    for drug in rng.sample(range(len(graph)), len(graph)):
        if not graph[drug] & cocktail:
            cocktail |= 1 << drug
    return cocktail


def _written(cocktails: Collection[int]) -> str:
    return str(sorted([drug + 1 for drug in members(cocktail)] for cocktail in cocktails))


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 10


def _lists(body: str) -> list[list[int]] | None:
    """The lists of a list of lists, of lists in a row, or of bare numbers line by line; None for anything else."""
    if not body:
        return None
    if body[-1] == BRACKETS.get(body[0]) and body[1:-1].lstrip()[:1] in BRACKETS:
        body = body[1:-1].strip()
    parts = SET.findall(body)
    if parts:
        before, *between, after = (gap.strip() for gap in SET.split(body))
        if before or after or any(gap not in ("", ",", ";") for gap in between):
            return None
        rows = [part[1:-1] for part in parts]
    else:
        rows = [line for line in body.splitlines() if line.strip()]
    listed = [[word.strip() for word in row.split(",")] if "," in row else row.split() for row in rows]
    if not all(_is_number(word) for words in listed for word in words):
        return None
    return [list(map(int, words)) for words in listed]
