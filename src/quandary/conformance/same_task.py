"""How the tasks differ that two positions leave, up to symmetry.

One position may be the other turned, mirrored or renamed, so which moves correspond is not known:
they do if the positions after them have equal canonical forms.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from math import isclose
from random import Random

from quandary.core.contract import CHANCE, Game, Move, Puzzle, Question, Seat, StateTasks
from quandary.core.errors import Illegal
from quandary.core.mixins.objectives import judge
from quandary.tasks.search_tree import refusal

from .case import pick

FOLLOWED = 60  # options; where there are more, not all of the positions after them are compared
PLAYED_ON = 40  # moves for which two positions are played alike
SAMPLES = 3  # guesses at each of two questions
# What some symmetries change is changed by at least one in eight of them in most puzzles, so that
# all of so many miss it less than twice in a million times.
IMAGES = 100


def difference(one: Puzzle, other: Puzzle, rng: Random, *, judged: bool = True) -> str:
    """Return how the tasks of two positions differ, in a sentence; "" if nothing shows that they
    do.

    `judge` may take long, and is asked only if `judged`.
    """
    if isinstance(one, Question) and isinstance(other, Question):
        return _between_questions(one, other, rng)
    if isinstance(one, Game) and isinstance(other, Game):
        return _between_games(one, other, rng, judged)
    return ""


def _between_questions(one: Question, other: Question, rng: Random) -> str:
    right = one.seen_by(0).solution(), other.seen_by(0).solution()
    if one.check(right[0]).score != other.check(right[1]).score:
        return ""  # put together from fields that do not fit
    images = _images(one), _images(other)
    if not _may_be_turned(one, other, images[0]):
        guesses = [seen.seen_by(0).sample(rng) for seen in (one, other) for _ in range(SAMPLES)]
        return _verdicts_differ(one, other, (*right, *guesses))
    kept = (
        answer
        for question, answer, turned in zip((one, other), right, images, strict=True)
        if all(image.check(answer).score == question.check(answer).score for image in turned)
    )
    return _verdicts_differ(one, other, kept) or _solutions_differ(*right, images)


def _images(question: Question) -> list[Question]:
    return [question.equivalent(Random(seed)) for seed in range(IMAGES)]


def _may_be_turned(one: Question, other: Question, images: Sequence[Question]) -> bool:
    """Return whether they differ in a field that `equivalent` changes."""
    names = [field.name for field in fields(one)]  # type: ignore[arg-type]
    return any(
        getattr(one, name) != getattr(other, name)
        and any(getattr(image, name) != getattr(one, name) for image in images)
        for name in names
    )


def _verdicts_differ(one: Question, other: Question, answers: Iterable[str]) -> str:
    for answer in answers:
        here, there = one.check(answer).score, other.check(answer).score
        if here != there:
            return f"the answer {answer[:80]!r} scores {here:g} in one and {there:g} in the other"
    return ""


def _solutions_differ(mine: str, yours: str, images: Sequence[Sequence[Question]]) -> str:
    """By their lengths, if these stay the same however the questions are turned."""
    if len(mine) == len(yours):
        return ""
    for solution, turned in zip((mine, yours), images, strict=True):
        if any(len(image.seen_by(0).solution()) != len(solution) for image in turned):
            return ""
    return f"their solutions, {mine[:80]!r} and {yours[:80]!r}, have different lengths"


def _solvable(position: Game) -> bool | None:
    """Return whether a position can be solved; None if it has no state tasks."""
    if not isinstance(position, StateTasks) or refusal(position):
        return None
    return position.solvable()


def _between_games(one: Game, other: Game, rng: Random, judged: bool) -> str:
    if one.options() and other.options():
        if _is_short(one) and _is_short(other) and not _same(_following(one), _following(other)):
            return _moves_differ(one, other)
        if _solvable(one) != _solvable(other):
            return "only one of them can be solved"
        if judged and _worths_differ(_worths(one), _worths(other)):
            return "`judge` gives their moves different worths"
    return _after_corresponding_moves(one, other, rng)


def _moves_differ(one: Game, other: Game) -> str:
    here, there = _count(one), _count(other)
    if here != there:
        return f"they have {here} and {there} legal moves"
    return "different positions can follow them"


def _after_corresponding_moves(one: Game, other: Game, rng: Random) -> str:
    made, seats = list[Move](), None  # who moved last in each
    for _ in range(PLAYED_ON):
        after = f" after {', '.join(map(repr, made))}" if made else ""
        if bool(one.options()) != bool(other.options()):
            return f"only one of them is over{after}"
        if not one.options():
            scores = _scores(one, seats and seats[0]), _scores(other, seats and seats[1])
            same = all(isclose(*pair, abs_tol=1e-9) for pair in zip(*scores, strict=True))
            return "" if same else f"they end with the scores {scores[0]} and {scores[1]}{after}"
        seat = rng.choice(sorted(one.options()))
        move = pick(one, seat, rng)
        one = one.after(seat, move)
        found = _step_to(one.canonical(), other, seat, move)
        if found is None:
            complete = _is_short(other)
            return f"{move!r} leads where no move of the other leads{after}" if complete else ""
        seats, other = (seat, found[0]), found[1]
        made.append(move)
    return ""


def _scores(position: Game, mover: Seat | None) -> list[float]:
    """First that of the seat that moved last, if it is known; seats are names."""
    scores = list(position.scores())
    if mover is None or mover == CHANCE or len(scores) > 2:
        return sorted(scores)
    return scores[mover:] + scores[:mover]


def _step_to(form: Hashable, position: Game, seat: Seat, move: Move) -> tuple[Seat, Game] | None:
    """Return a move to a position of this form, by whom, and that position; the same move comes
    first.
    """
    with suppress(Illegal):
        if (after := position.play(seat, move)).canonical() == form:
            return seat, after
    steps = _steps(position) if _is_short(position) else ()
    return next(((mover, after) for mover, after in steps if after.canonical() == form), None)


def _is_short(position: Game) -> bool:
    """Return whether all moves are listed, and few enough to try them."""
    return None not in position.options().values() and _count(position) <= FOLLOWED


def _count(position: Game) -> int:
    return sum(len(moves or ()) for moves in position.options().values())


def _steps(position: Game) -> Iterator[tuple[Seat, Game]]:
    for seat, moves in position.options().items():
        for move in moves or ():
            yield seat, position.after(seat, move)


def _following(position: Game) -> Mapping[Hashable, float]:
    """Return the forms of the positions after one move, and how likely chance leads to each."""
    chances = dict[Hashable, float]()
    for seat, moves in position.options().items():
        weights = moves if isinstance(moves, Mapping) else dict.fromkeys(moves or (), 1)
        for move, weight in weights.items():
            form = position.after(seat, move).canonical()
            share = weight / sum(weights.values()) if seat == CHANCE else 0.0
            chances[form] = chances.get(form, 0.0) + share
    return chances


def _same(one: Mapping[Hashable, float], other: Mapping[Hashable, float]) -> bool:
    return one.keys() == other.keys() and all(
        isclose(share, other[form], abs_tol=1e-9) for form, share in one.items()
    )


def _worths(position: Game) -> set[float]:
    """Return what moves are worth to whoever makes them; empty where it is not known of all."""
    judged = [judge(position.seen_by(seat), seat) for seat in position.options() if seat != CHANCE]
    known = [worth for worth in judged if worth is not None]
    return set() if len(known) < len(judged) else {at for worth in known for at in worth.values()}


def _worths_differ(one: set[float], other: set[float]) -> bool:
    """Return whether one has a worth that the other lacks; moves that are equal may be
    listed once.
    """
    return bool(one and other) and not all(
        any(isclose(worth, same, abs_tol=1e-6) for same in there)
        for here, there in ((one, other), (other, one))
        for worth in here
    )
