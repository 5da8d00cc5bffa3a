"""How a match ended, in words for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

CAUSES: Mapping[str, str] = {
    "goal": "the goal was reached",
    "no_move": "no move was left",
    "dead_end": "a dead end was reached",
    "limit": "the limit of moves was reached",
    "illegal": "a move broke the rules",
    "unreadable": "no move could be read",
    "syntax": "the program could not be compiled",
    "crash": "the program crashed",
    "memory": "the program took too much memory",
    "flood": "the program wrote too much",
    "timeout": "the time ran out",
    "resigned": "a player gave up",
    "infrastructure": "no reply came",
    "unfinished": "it was not finished",
}
OF_QUESTIONS = {
    "goal": "the answer was checked",
    "illegal": "the answer broke the rules",
    "limit": "no try was left",
    "unreadable": "no answer could be read",
}


def outcome(
    players: Sequence[str],
    scores: Sequence[float | None] | None,
    cause: str,
    is_question: bool = False,
) -> str:
    """The result, and why the match ended where that is not by its goal."""
    known = [score for score in scores or () if score is not None]
    if len(known) < len(players):
        return f"no result: {cause_words(cause, is_question)}" if cause != "goal" else "no key"
    reason = "" if cause == "goal" else f" ({cause_words(cause, is_question)})"
    return f"{_result(players, known, is_question)}{reason}"


def cause_words(cause: str, is_question: bool = False) -> str:
    """Why a match ended."""
    return (OF_QUESTIONS.get(cause) if is_question else None) or CAUSES.get(cause, cause)


def _result(players: Sequence[str], scores: Sequence[float], is_question: bool) -> str:
    told = " : ".join(f"{score:.3g}" for score in scores)
    if len(scores) == 1:
        if scores[0] >= 1.0:
            return "solved"
        return ("wrong" if is_question else "not solved") if scores[0] <= 0.0 else f"score {told}"
    best = max(scores)
    winners = [at for at, score in enumerate(scores) if score == best]
    if len(winners) > 1:
        return f"a tie, {told}"
    [winner] = winners
    name = players[winner]
    seat = f" (seat {winner})" if players.count(name) > 1 else ""
    others = [score for at, score in enumerate(scores) if at != winner]
    return f"{name}{seat} won {' : '.join(f'{score:.3g}' for score in (best, *others))}"
