"""Count maximal cocktails: which sets of drugs have no clash and cannot be extended, or how many?

From PuzzlePlex.  Interpretations: maximal means that no drug can be added, not that no cocktail is
larger; `counted=maximum` asks for the largest instead, as the released key does.  The
easy level asks for their number, the others for all of them.  A list must contain each cocktail
once, in any order.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Annotated, Literal

from quandary.algorithms.graphs import Graph, canonical_form
from quandary.core.answers import Answer, ListOf, Number
from quandary.core.bounds import Between, Range
from quandary.core.contract import Doc, InstanceCount, Language, Question, Seat, Verdict
from quandary.core.moves import HALF_WIDTH, in_digits
from quandary.core.scene import Scene
from quandary.core.words import Say
from quandary.puzzles._shared.cocktails import MOST_ON_CIRCLE, clashes_text, meaning, picture, table
from quandary.puzzles._shared.cocktails.solver import (
    Counted,
    all_counted,
    counted_cocktails,
    graph_of,
    maximal,
    members,
    random_maximal,
    renumbered,
)
from quandary.puzzles._shared.reading import CHINESE_LEAD

MOST_DRUGS, MOST_COCKTAILS = 40, 1_000
TRIES = 300  # graphs drawn before `new` gives up; fewer if they are large and take long
GUESSED = 12  # most cocktails in a guess
SIGNS = HALF_WIDTH | str.maketrans("、【】", ",[]")
WRAPPING = " \t\r\n`*'\".。“”"
NAMED = re.compile(
    rf"""{CHINESE_LEAD}(?:operation\s{{0,9}}[:=]\s{{0,9}})?
    (?:(?:(?:maximal_)?cocktails\s{{0,9}}[:=]|[极最]大配方\s{{0,9}}(?:[是为有]:?|:))\s{{0,9}})?""",
    re.IGNORECASE | re.VERBOSE,
)
VAGUE = {"not", "no", "at", "about", "more", "fewer", "less", "than", "over", "under"}
# Chinese words around a number that say what is counted, and neither deny nor blur it.
PLAIN_CHINESE = re.compile(
    "(?:因此|所以|药物最多的|一共|[答案最终是为有共总计极大配方的个种数目量])+[,:;。]?"
)
BRACKETS = {"[": "]", "(": ")", "{": "}"}
SET = re.compile(r"\[[^][(){}]*\]|\([^][(){}]*\)|\{[^][(){}]*\}")
RIGHT = Verdict(1.0)


@dataclass(frozen=True)
class CountMaximalCocktails(Question, speaks_with=("quandary.puzzles._shared.cocktails",)):
    drugs: Annotated[int, Doc("how many drugs there are, numbered from 1")]
    edges: Annotated[
        tuple[tuple[int, int], ...], Doc("the pairs of drugs that clash, the lower number first")
    ]
    asked: Annotated[
        Literal["count", "list"], Doc("what the answer is: a count of the sets, or a list of them")
    ] = "count"
    counted: Annotated[Counted, Doc("which sets are asked for: maximal or maximum")] = "maximal"

    version = 2
    levels = {
        "easy": {"drugs": (3, 10)},
        "normal": {"drugs": (8, 14), "cocktails": (3, 40), "asked": "list"},
        "hard": {"drugs": (14, 18), "cocktails": (20, 60), "asked": "list"},
    }
    distinct_instances = {
        "easy": InstanceCount(
            6_164_563, "of these, 629 have three to seven drugs and are drawn most often"
        ),
        "normal": InstanceCount(15_000, "few clashes make few graphs that differ", "at least"),
    }

    @classmethod
    def new(
        cls,
        rng: Random,
        *,
        drugs: Annotated[Range, Between(1, MOST_DRUGS)] = (3, 10),
        clashing: Annotated[float, Between(0, 1)] = 0.5,
        cocktails: Range = (1, MOST_COCKTAILS),
        asked: Literal["count", "list"] = "count",
        counted: Counted = "maximal",
    ) -> CountMaximalCocktails:
        """Up to a `clashing` share of all pairs clash, drawn until the number of cocktails fits."""
        low, high = cocktails
        if low > MOST_COCKTAILS:
            raise ValueError(f"at most {MOST_COCKTAILS} cocktails can be asked for")
        most = min(high, MOST_COCKTAILS) if counted == "maximal" else MOST_COCKTAILS
        tries = max(10, min(TRIES, 100_000 // (drugs[1] * most)))
        for _ in range(tries):
            size = rng.randint(*drugs)
            pairs = list(combinations(range(1, size + 1), 2))
            edges = tuple(sorted(rng.sample(pairs, rng.randint(0, int(len(pairs) * clashing)))))
            found = maximal(graph_of(size, edges), most)
            if len(found) <= most and low <= len(counted_cocktails(found, counted)) <= high:
                return cls(size, edges, asked, counted)
        raise ValueError(f"none of {tries} random graphs has {low} to {high} such cocktails")

    def answer_shape(self) -> Answer:
        return Number(0) if self.asked == "count" else ListOf(ListOf(Number(1, self.drugs)))

    def rules(self, language: Language = "en") -> str:
        say = self.say(language)
        return say.lines(
            meaning(self.counted, say),
            self._task(say),
            say(
                "For example, if only 1 and 2 clash among the drugs 1, 2, 3 and 4, there are two: "
                "[1, 3, 4] and [2, 3, 4]."
            ),
            self._how(say),
        )

    def _task(self, say: Say) -> str:
        match self.asked, self.counted:
            case "count", "maximal":
                return say("How many maximal cocktails are there?")
            case "count", _:
                return say("How many largest cocktails are there?")
            case _, "maximal":
                return say(
                    "List all maximal cocktails, each of them once; their order and the order of "
                    "drugs do not matter."
                )
        return say(
            "List all largest cocktails, each of them once; their order and the order of drugs do "
            "not matter."
        )

    def _how(self, say: Say) -> str:
        if self.asked == "count":
            return say("Answer with the number alone, for example: {number}", number=2)
        return say(
            "Answer with a list of lists of drugs, for example: {lists}",
            lists="[[1, 3, 4], [2, 3, 4]]",
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        return clashes_text(self.drugs, self.edges, self.say(language))

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """Drugs on a circle, or a table where lines would be tangled."""
        say = self.say(language)
        if self.drugs > MOST_ON_CIRCLE:
            return table(self.drugs, self.edges, say("A blue cell: the two drugs clash."))
        return picture(self.drugs, self.edges, say)

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        say = self.say(language)
        if self.drugs > MOST_ON_CIRCLE:
            blue = say("the drugs of this row and this column clash")
            return {"blue": blue, "shade": say("row and column are the same drug")}
        return {"blue": say("the drugs")}

    def equivalent(self, rng: Random) -> CountMaximalCocktails:
        edges = renumbered(self.edges, rng.sample(range(1, self.drugs + 1), self.drugs))
        return CountMaximalCocktails(self.drugs, edges, self.asked, self.counted)

    def canonical(self) -> Hashable:
        return canonical_form(graph_of(self.drugs, self.edges)), self.asked, self.counted

    def check(self, answer: str, language: Language = "en") -> Verdict:
        say, body = self.say(language), answer.translate(SIGNS).strip(WRAPPING)
        named = NAMED.match(body)
        body = body[named.end() if named else 0 :]
        if self.asked == "count":
            return self._check_number(_number(body), say)
        return self._check_list(_lists(body), say)

    def _check_number(self, number: int | None, say: Say) -> Verdict:
        if number is None:
            return Verdict(0.0, "unreadable", self._how(say))
        truth = len(self._cocktails())
        if number < truth:
            return Verdict(0.0, "wrong_number", say("There are more than {number}.", number=number))
        if number > truth:
            return Verdict(
                0.0, "wrong_number", say("There are fewer than {number}.", number=number)
            )
        return RIGHT

    def _check_list(self, listed: list[list[int]] | None, say: Say) -> Verdict:
        if listed is None:
            return Verdict(0.0, "unreadable", self._how(say))
        graph, seen = graph_of(self.drugs, self.edges), set[int]()
        for drugs in listed:
            if fault := self._fault_of_set(graph, drugs, say):
                return Verdict(0.0, *fault)
            cocktail = sum(1 << drug - 1 for drug in drugs)
            if cocktail in seen:
                repeated = say("{drugs} is in your list twice.", drugs=sorted(drugs))
                return Verdict(0.0, "repeated_cocktail", repeated)
            seen.add(cocktail)
        if len(seen) == len(self._cocktails()):
            return RIGHT
        missing = say(
            "Your list is right so far ({count} {count:cocktail|cocktails}), but not complete.",
            count=len(seen),
        )
        return Verdict(0.0, "missing_cocktail", missing)

    def _fault_of_set(self, graph: Graph, drugs: list[int], say: Say) -> tuple[str, str] | None:
        """Return what is wrong with one listed cocktail: the kind, and a sentence."""
        for drug in drugs:
            if not 1 <= drug <= self.drugs:
                return "unknown_drug", say(
                    "There is no drug {drug}; the drugs are numbered from 1 to {most}.",
                    drug=drug,
                    most=self.drugs,
                )
        listed = sorted(drugs)
        if len(set(drugs)) < len(drugs):
            return "repeated_drug", say(
                "One of your cocktails contains a drug twice: {drugs}.",
                drugs=drugs[: self.drugs + 1],
            )
        for one, other in combinations(listed, 2):
            if graph[one - 1] >> other - 1 & 1:
                return "clash", say(
                    "{drugs} is not a cocktail: {one} and {other} clash.",
                    drugs=listed,
                    one=one,
                    other=other,
                )
        cocktail = sum(1 << drug - 1 for drug in drugs)
        for drug in range(1, self.drugs + 1):
            if not (graph[drug - 1] | 1 << drug - 1) & cocktail:
                return "not_maximal", say(
                    "Drug {drug} can be added to {drugs}.", drug=drug, drugs=listed
                )
        if cocktail not in self._cocktails():
            return "not_largest", say("{drugs} is smaller than other cocktails.", drugs=listed)
        return None

    def solution(self) -> str:
        return str(len(self._cocktails())) if self.asked == "count" else _written(self._cocktails())

    def sample(self, rng: Random) -> str:
        """Return a plausible number, or some random maximal cocktails."""
        if self.asked == "count":
            return str(rng.randint(1, 2 * self.drugs))
        graph = graph_of(self.drugs, self.edges)
        return _written({random_maximal(rng, graph) for _ in range(rng.randint(1, GUESSED))})

    def _cocktails(self) -> frozenset[int]:
        return all_counted(self.drugs, self.edges, self.counted)


def _written(cocktails: Collection[int]) -> str:
    return str(sorted([drug + 1 for drug in members(cocktail)] for cocktail in cocktails))


def _number(body: str) -> int | None:
    """Return the one number in a sentence without vague words; None if there is no such number."""
    plain = PLAIN_CHINESE.sub(" ", body).casefold()
    words = [in_digits(word.strip(".,*`")) for word in plain.split()]  # 共两个
    numbers = [word for word in words if not (word.isascii() and word.isalpha())]
    if VAGUE & set(words) or len(numbers) != 1 or not _is_number(numbers[0]):
        return None
    return int(numbers[0])


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 10


def _lists(body: str) -> list[list[int]] | None:
    """Return the lists in a list of lists, in a row, or of bare numbers per line; otherwise
    None.
    """
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
    listed = [row.split(",") if "," in row else row.split() for row in rows]
    listed = [[word.strip() for word in words] for words in listed]
    if not all(_is_number(word) for words in listed for word in words):
        return None
    return [list(map(int, words)) for words in listed]
