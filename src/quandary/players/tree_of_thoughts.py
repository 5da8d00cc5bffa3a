"""Tree of Thoughts as in PuzzlePlex: five proposals for the next move, five votes, the majority
decides.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Sequence
from typing import NamedTuple

from quandary.core.contract import Form, Move
from quandary.core.errors import Unreadable
from quandary.core.question import form_of
from quandary.matches.player import Forfeit, Turn
from quandary.models.provider import Message

from .asking import Asker, ModelReply
from .prompts import messages as prompts
from .prompts.conversation import as_message

PROPOSALS = VOTES = 5


class Branch(NamedTuple):
    """One proposal or vote: the move it names, "" if none, and all replies on the way."""

    move: Move
    replies: tuple[ModelReply, ...]


class BranchRequest(NamedTuple):
    """A request to several branches, and the interpretation of their replies."""

    asker: Asker
    turn: Turn
    messages: list[Message]
    step: str  # names the calls
    interpret: Callable[[str], Move]
    form: Form


async def decide(asker: Asker, turn: Turn, messages: list[Message]) -> ModelReply:
    """Return the proposal with most votes; ties go to the one proposed more often, then to the
    first.
    """
    step, form = asker.next_step(), form_of(turn.position)

    def move(answer: str) -> Move:
        return turn.position.read(turn.seat, answer)

    proposals = await _branches(
        PROPOSALS, BranchRequest(asker, turn, messages, f"{step}.proposal", move, form)
    )
    proposed = Counter(branch.move for branch in proposals if branch.move)  # in order of proposal
    if not proposed:  # every proposal has already used all attempts of the turn
        last = _with_total_cost(proposals[0].replies[-1], proposals).reply
        raise Forfeit("unreadable", last.words, last.seconds, last.tokens, last.readings)
    votes = await _votes(asker, turn, messages, list(proposed), step) if len(proposed) > 1 else []
    counts = Counter(branch.move for branch in votes)
    chosen = max(proposed, key=lambda candidate: (counts[candidate], proposed[candidate]))
    first = next(branch for branch in proposals if branch.move == chosen)
    return _with_total_cost(first.replies[-1], [*proposals, *votes])


async def _votes(
    asker: Asker, turn: Turn, messages: list[Message], candidates: Sequence[Move], step: str
) -> list[Branch]:
    *earlier, question = messages
    shown = [turn.position.translated(move, asker.prompt.language) for move in candidates]
    ballot = [*earlier, prompts.vote(question, shown, asker.prompt)]

    def candidate(answer: str) -> Move:
        number = answer.strip().strip("[](). ")
        is_number = number.isascii() and number.isdigit() and len(number) < 4
        if is_number and 1 <= int(number) <= len(candidates):
            return candidates[int(number) - 1]
        raise Unreadable(f"Write the number of one candidate, from 1 to {len(candidates)}.")

    return await _branches(
        VOTES, BranchRequest(asker, turn, ballot, f"{step}.vote", candidate, "line")
    )


async def _branches(count: int, request: BranchRequest) -> list[Branch]:
    """Return `count` branches.

    Their first replies come from one call, which pays for the prompt once, as far as the server
    gives several replies per call; the rest are asked for one by one.
    """
    asker, turn, messages, step, _, form = request
    first = await asker.ask_for(count, turn, messages, f"{step}0.0", form)
    return await _all(
        _branch(request._replace(step=f"{step}{i}"), first[i] if i < len(first) else None)
        for i in range(count)
    )


async def _all(branches: Iterable[Coroutine[None, None, Branch]]) -> list[Branch]:
    """Return all branches; if one fails, the calls of the others are still awaited."""
    done = await asyncio.gather(*branches, return_exceptions=True)
    for branch in done:
        if isinstance(branch, BaseException):
            raise branch
    return [branch for branch in done if isinstance(branch, Branch)]


async def _branch(request: BranchRequest, first: ModelReply | None) -> Branch:
    """Ask until a reply can be interpreted, or the attempts of a turn are used up.

    `first` is the first reply, if there is one already.
    """
    asker, turn, messages, step, interpret, form = request
    replies: list[ModelReply] = []
    for attempt in range(asker.settings.attempts):
        given = first if attempt == 0 else None
        replies.append(given or await asker.ask(turn, messages, f"{step}.{attempt}", form))
        reply, generation = replies[-1]
        refusal = ""
        if reply.status == "answered":
            try:
                return Branch(interpret(reply.answer), tuple(replies))
            except Unreadable as reason:
                refusal = prompts.refusal(turn.position, reason, asker.prompt)
        correction = prompts.correction(reply.status, refusal, form, asker.prompt)
        messages = [*messages, as_message(generation), correction]
    return Branch("", tuple(replies))


def _with_total_cost(chosen: ModelReply, branches: Sequence[Branch]) -> ModelReply:
    """Return the chosen reply, with the time and tokens of all branches."""
    replies = [given.reply for branch in branches for given in branch.replies]
    seconds = sum(reply.seconds for reply in replies)
    tokens = sum(reply.tokens for reply in replies)
    return chosen._replace(reply=chosen.reply._replace(seconds=seconds, tokens=tokens))
