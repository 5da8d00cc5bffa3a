"""Instances by name: make them, judge replies to them, number their moves."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import get_args

from quandary.catalogue import drawing, registry
from quandary.core.contract import Game, Language, Puzzle, Question
from quandary.core.errors import UserError, unknown, unknown_language
from quandary.core.json_answers import unread_kind
from quandary.core.moves import MoveIndex
from quandary.core.worked import Worked
from quandary.core.wrapper import innermost
from quandary.matches.player import Status
from quandary.models.provider import Generation
from quandary.players.prompts.settings import Strictness
from quandary.players.reading.reply import read
from quandary.players.reading.thinking import separate
from quandary.tasks.whole import Whole

from .arguments import check_counts, check_texts, taking_earlier_names

RECENT = 256  # instances that are kept: making one costs more than judging a reply to it


@dataclass(frozen=True)
class Grading:
    """A reply as it was read and judged."""

    score: float  # from 0.0 to 1.0
    status: Status  # "answered", or why no answer could be taken from the reply
    answer: str = ""  # the part of the reply that was judged
    kind: str = ""  # what is wrong with it, for counting
    feedback: str = ""  # the same as a sentence
    value: float | None = None  # the raw objective, where the puzzle has one
    parts: tuple[tuple[str, float], ...] = ()  # sub-scores such as answer and process
    first_wrong_step: int | None = None  # entry of a process, from 1, at which it goes wrong


def make(spec: str, *, tries: int = 1) -> Game:
    """Return the instance a spec names, as a game: `make("sudokill/easy#7")`.

    A question becomes a game of one seat and `tries` answers.
    """
    check_texts(spec=spec)
    check_counts(tries=tries)
    return drawing.game(spec, tries=tries)


@taking_earlier_names
def score(
    spec: str, completion: str, *, parsing: Strictness = "lenient", language: Language = "en"
) -> float:
    """Return the score from 0.0 to 1.0 of a model's whole reply to a question: it is read, then
    judged.
    """
    return grade(spec, completion, parsing=parsing, language=language).score


@taking_earlier_names
def grade(
    spec: str, completion: str, *, parsing: Strictness = "lenient", language: Language = "en"
) -> Grading:
    """Return the score, how the reply was read, and what is wrong with the answer."""
    check_texts(spec=spec, completion=completion)
    question = _question(spec)
    if language not in question.languages:
        raise unknown_language(language, question.languages, of=spec)
    if parsing not in get_args(Strictness):
        raise unknown("parsing", parsing, get_args(Strictness))
    generation = Generation(completion)
    found = read(generation, question.form).played(parsing)
    if found.status != "answered":
        is_worked = isinstance(innermost(question), Worked)
        kind = unread_kind(separate(generation)[1]) if is_worked else ""
        return Grading(0.0, found.status, kind=kind)
    verdict = question.check(found.answer, language)
    return Grading(
        verdict.score,
        "answered",
        found.answer,
        verdict.kind,
        verdict.feedback,
        verdict.value,
        verdict.parts,
        verdict.first_wrong_step,
    )


def move_index(name: str) -> MoveIndex:
    """Return the numbers of all moves at a level, for environments: `move_index("card_nim/hard")`.

    UserError where the game has no fixed set of moves, or more than an index can hold.
    """
    check_texts(name=name)
    if "/" not in name or "#" in name:
        raise UserError(f"{name!r} is not a level; write name/level, for example card_nim/hard.")
    spec = drawing.named(f"{name}#1")
    puzzle, level = registry.load(spec.name), drawing.level_of(spec)
    if not issubclass(puzzle, Game):
        raise UserError(f"{spec.name} is a question: its answers are texts and have no numbers.")
    notation = puzzle.level_notation(**level)
    if notation is None:
        raise UserError(f"{spec.name} has no fixed set of moves; it is played by text only.")
    try:
        return MoveIndex(notation)
    except ValueError as reason:
        raise UserError(f"{name} is played by text only: {reason}.") from None


@lru_cache(maxsize=RECENT)
def _instance(spec: str) -> Puzzle:
    return drawing.instance(spec)


def _question(spec: str) -> Question:
    instance = _instance(spec)
    if isinstance(instance, Question):
        return instance
    assert isinstance(instance, Game)
    whole = "" if Whole.refusal(instance) else f", or score all its moves at once as whole:{spec}"
    raise UserError(f"{spec} is played move by move; use Session{whole}.")
