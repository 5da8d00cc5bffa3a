"""Rules that give points to words, and such rules drawn at random."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, count
from random import Random
from typing import Annotated, Any, Literal, TypeAlias, get_args

from quandary.core.descriptions import Doc

Kind: TypeAlias = Literal["consecutive", "length", "affix", "infix"]
KINDS: tuple[Kind, ...] = get_args(Kind)
VOWELS, CONSONANTS = "aeiou", "bcdfghjklmnpqrstvwxyz"
SOUNDS = str.maketrans(VOWELS + CONSONANTS, "v" * len(VOWELS) + "c" * len(CONSONANTS))
RUNS = (("c", "v"), ("cc",), ("vv",), ("vc",), ("cv",), ("ccc", "vvv"))  # equally likely
OVERLAPPING = {run: re.compile(f"(?={run})") for runs in RUNS for run in runs}
BOUNDS = (
    ("longer",), ("shorter",), ("equal",), ("equal",), ("different",), ("different",),
    ("longer", "shorter"), ("longer", "different"), ("shorter", "different"),
    ("longer", "shorter", "different"),
)  # fmt: skip
AFFIXES = (("prefix",), ("suffix",), ("prefix", "suffix"))
BATCHES = 4  # batches of words that are drawn before the rules are drawn again
TRIES = 300  # tries before more ties are allowed


@dataclass(frozen=True)
class Scoring:
    """One rule: the points a word gets, once or for each occurrence of what is counted."""

    points: Annotated[
        int,
        Doc(
            "the points, which may be negative: for each occurrence if the kind is consecutive, "
            "else once if all conditions hold"
        ),
    ]
    kind: Annotated[
        Kind,
        Doc(
            "what decides: consecutive, the vowels and consonants that follow each other; length, "
            "the number of characters; affix, the beginning and the end; infix, a text inside. "
            "Fields that belong to other kinds do not matter"
        ),
    ]
    pattern: Annotated[
        str,
        Doc(
            "for consecutive, letters in a row, c for a consonant and v for a vowel: each "
            'occurrence counts, overlaps included; else ""'
        ),
    ] = ""
    longer: Annotated[
        int | None,
        Doc("for length, the word must have more characters than this; null if there is no bound"),
    ] = None
    shorter: Annotated[
        int | None,
        Doc("for length, the word must have fewer characters than this; null if there is no bound"),
    ] = None
    equal: Annotated[
        int | None,
        Doc("for length, the exact number of characters the word must have; null if any will do"),
    ] = None
    different: Annotated[
        int | None,
        Doc("for length, the number of characters the word must not have; null if there is none"),
    ] = None
    prefix: Annotated[str, Doc('for affix, how the word must start; "" if in any way')] = ""
    suffix: Annotated[str, Doc('for affix, how the word must end; "" if in any way')] = ""
    part: Annotated[str, Doc('for infix, the text that the word must contain; else ""')] = ""
    times: Annotated[
        int | None,
        Doc(
            "for infix, exactly how often, counted from left to right without overlaps; null if "
            "once or more"
        ),
    ] = None

    def earned(self, word: str) -> int:
        """Return the points this rule gives a word."""
        if self.kind == "consecutive":
            return self.points * len(OVERLAPPING[self.pattern].findall(word.translate(SOUNDS)))
        if self.kind == "affix":
            holds = word.startswith(self.prefix) and word.endswith(self.suffix)
        elif self.kind == "infix":
            holds = self.part in word if self.times is None else word.count(self.part) == self.times
        else:
            holds = self._fits(len(word))
        return self.points if holds else 0

    def _fits(self, length: int) -> bool:
        return (
            (self.longer is None or length > self.longer)
            and (self.shorter is None or length < self.shorter)
            and (self.equal is None or length == self.equal)
            and length != self.different
        )


def points_of(scoring: Iterable[Scoring], word: str) -> int:
    """Return the points of a word by all rules together."""
    return sum([rule.earned(word) for rule in scoring])


def random_scoring(
    rng: Random, draw: Callable[[], list[str]], number: int, wanted: int, alike: bool
) -> tuple[tuple[Scoring, ...], dict[str, int]]:
    """Return some rules, and words with mostly different points; `draw` draws some words.

    Rules are of different kinds unless they can be `alike`.
    """
    for tried in count():
        if tried % TRIES == 0:
            kinds = [] if alike else rng.sample(KINDS, number)
        drawn, others = draw(), draw()
        any_kinds = (rng.choice(KINDS) for _ in count())
        scoring = _random_rules(rng, kinds or any_kinds, number, (drawn, others))
        more = (word for _ in range(BATCHES) for word in draw())
        ties = wanted // 3 if tried < TRIES else wanted - 2
        scores = _distinct_scores(scoring, chain(drawn, others, more), wanted, ties)
        if len(scores) == wanted:
            break
    return scoring, scores


def _distinct_scores(
    scoring: Sequence[Scoring], words: Iterable[str], wanted: int, ties: int
) -> dict[str, int]:
    """Return the points of the first words that fit: at least two score, and at most `ties` tie."""
    scores = dict[str, int]()
    for word in words:
        score = points_of(scoring, word)
        tied = score in scores.values()
        if word in scores or (score == 0 and len(scores) < 2) or (tied and not ties):
            continue
        ties -= tied
        scores[word] = score
        if len(scores) == wanted:
            break
    return scores


def _random_rules(
    rng: Random, kinds: Iterable[Kind], number: int, sources: Sequence[Sequence[str]]
) -> tuple[Scoring, ...]:
    """Rules with different conditions; each text is cut from a word of one of the sources."""
    conditions = list[dict[str, Any]]()
    for kind in kinds:
        source = rng.choice(rng.choice(sources))
        condition = {"kind": kind, **_condition(rng, kind, source)}
        if condition not in conditions:
            conditions.append(condition)
        if len(conditions) == number:
            break
    return tuple(
        Scoring(5 * rng.randint(1, 20) * rng.choice((1, -1)), **condition)
        for condition in conditions
    )


def _condition(rng: Random, kind: Kind, source: str) -> dict[str, Any]:
    """Return the condition of a rule; texts are cut from the source."""
    if kind == "consecutive":
        return {"pattern": rng.choice(rng.choice(RUNS))}
    if kind == "length":
        return _bounds(rng, rng.choice(BOUNDS))
    if kind == "affix":
        cuts = {"prefix": source[: rng.randint(1, 3)], "suffix": source[-rng.randint(1, 3) :]}
        return {affix: cuts[affix] for affix in rng.choice(AFFIXES)}
    size = min(len(source), rng.choices((1, 2, 3), (4, 5, 1))[0])
    start = rng.randint(0, len(source) - size)
    return {"part": source[start : start + size], "times": rng.choice((None, None, 1, 2))}


def _bounds(rng: Random, named: Sequence[str]) -> dict[str, int]:
    bounds = dict[str, int]()
    if "longer" in named:
        bounds["longer"] = rng.randint(2, 8)
    if "shorter" in named:
        bounds["shorter"] = rng.randint(bounds.get("longer", 2) + 3, 12)
    if "equal" in named:
        bounds["equal"] = rng.randint(3, 11)
    if "different" in named:
        lowest, highest = bounds.get("longer", 1) + 1, bounds.get("shorter", 12) - 1
        bounds["different"] = rng.randint(lowest, highest)
    return bounds
