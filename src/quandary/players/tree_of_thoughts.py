"""Tree of Thoughts as PuzzlePlex plays it: five proposals for the next move, five votes on them, and the majority decides."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Sequence
from typing import NamedTuple

from quandary.core.contract import Move
from quandary.core.errors import Unreadable
from quandary.matches.player import Forfeit, Turn
from quandary.models.provider import Message

from . import prompting
from .model import ModelSitting, Spoken, remembered
from .reading.reply import Form

PROPOSALS = VOTES = 5


class Thought(NamedTuple):
    """One branch: what it comes to, "" if nothing, and all that was said on the way."""

    meaning: Move
    spoken: tuple[Spoken, ...]


async def consider(sitting: ModelSitting, turn: Turn) -> Spoken:
    """The proposal most votes are for; of equals the one proposed more often, then the one proposed first."""
    step, form = sitting.next_step(), turn.position.form

    def move(answer: str) -> Move:
        return turn.position.read(turn.seat, answer)

    proposals = await _all(_think(sitting, turn, sitting.messages, f"{step}.proposal{i}", move, form) for i in range(PROPOSALS))
    proposed = Counter(thought.meaning for thought in proposals if thought.meaning)  # in the order they were proposed
    if not proposed:  # every proposal had all the attempts of a turn already
        last = _in_all(proposals[0].spoken[-1], proposals).reply
        raise Forfeit("unreadable", last.words, last.seconds, last.tokens)
    votes = await _votes(sitting, turn, list(proposed), step) if len(proposed) > 1 else []
    counted = Counter(thought.meaning for thought in votes)
    chosen = max(proposed, key=lambda candidate: (counted[candidate], proposed[candidate]))
    first = next(thought for thought in proposals if thought.meaning == chosen)
    return _in_all(first.spoken[-1], [*proposals, *votes])


async def _votes(sitting: ModelSitting, turn: Turn, candidates: Sequence[Move], step: str) -> list[Thought]:
    ballot = [*sitting.messages[:-1], prompting.vote(sitting.messages[-1], candidates, sitting.asking)]

    def candidate(answer: str) -> Move:
        number = answer.strip().strip("[](). ")
        if number.isascii() and number.isdigit() and len(number) < 4 and 1 <= int(number) <= len(candidates):
            return candidates[int(number) - 1]
        raise Unreadable(f"Write the number of one candidate, from 1 to {len(candidates)}.")

    return await _all(_think(sitting, turn, ballot, f"{step}.vote{i}", candidate, "line") for i in range(VOTES))


async def _all(thoughts: Iterable[Coroutine[None, None, Thought]]) -> list[Thought]:
    """All of them; where one fails, the calls of the others are waited for all the same."""
    done = await asyncio.gather(*thoughts, return_exceptions=True)
    for thought in done:
        if isinstance(thought, BaseException):
            raise thought
    return [thought for thought in done if isinstance(thought, Thought)]


async def _think(
    sitting: ModelSitting, turn: Turn, messages: list[Message], step: str, meant: Callable[[str], Move], form: Form
) -> Thought:
    """One reply that means something, asked for again as often as a reply of a turn may be."""
    spoken = list[Spoken]()
    for attempt in range(sitting.manner.attempts):
        spoken.append(await sitting.speak(turn, messages, f"{step}.{attempt}", form))
        reply, choice = spoken[-1]
        complaint = ""
        if reply.status == "answered":
            try:
                return Thought(meant(reply.answer), tuple(spoken))
            except Unreadable as refusal:
                complaint = turn.position.refusal(refusal, sitting.asking.language)
        correction = prompting.correction(reply.status, complaint, form, sitting.asking)
        messages = [*messages, remembered(choice), correction]
    return Thought("", tuple(spoken))


def _in_all(chosen: Spoken, thoughts: Sequence[Thought]) -> Spoken:
    """The chosen words, with the time and the tokens of everything that led to them."""
    replies = [spoken.reply for thought in thoughts for spoken in thought.spoken]
    seconds, tokens = sum(reply.seconds for reply in replies), sum(reply.tokens for reply in replies)
    return chosen._replace(reply=chosen.reply._replace(seconds=seconds, tokens=tokens))
