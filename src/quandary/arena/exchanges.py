"""What models were sent and what they replied, match by match, from the journal of a run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

from quandary.core.contract import Seat
from quandary.models.provider import Generation

from .journal import lines, result_in


class SentMessage(NamedTuple):
    """A message of a call; a picture is named by its file."""

    role: str
    text: str


class Exchange(NamedTuple):
    """One call and the replies to it."""

    step: str  # which call of this seat in this match: "2", or "2.vote1" of a tree of thoughts
    sent: tuple[SentMessage, ...]
    generations: tuple[Generation, ...] = ()  # none if no reply came


Exchanges: TypeAlias = dict[tuple[str, Seat], list[Exchange]]  # by match and seat, in order


def exchanges(journal: Path, matches: Collection[str]) -> Exchanges:
    """The calls of some matches, given by their names: see `arena.job.match_name`.

    The journal is read twice, so that only messages of these matches are held in memory.
    """
    needed = _messages_of(journal, matches)
    messages, calls = dict[str, SentMessage](), dict[str, tuple[str, Seat, Exchange]]()
    for _, line in lines(journal):
        match line:
            case {"message": str(name), "role": str(role), "parts": list(parts)}:
                if name in needed:
                    messages[name] = SentMessage(role, "\n\n".join(map(_text, parts)))
            case {"sent": str(call), "match": str(name), "seat": int(seat), "step": str(step)}:
                if name in matches:
                    sent = tuple(messages[each] for each in line["messages"] if each in messages)
                    calls[call] = name, seat, Exchange(step, sent)
            case {"got": str(call)} if call in calls:
                name, seat, exchange = calls[call]
                generations = result_in(line).completion.generations
                calls[call] = name, seat, exchange._replace(generations=generations)
    found = defaultdict[tuple[str, Seat], list[Exchange]](list)
    for name, seat, exchange in calls.values():
        found[name, seat].append(exchange)
    return dict(found)


def calls_behind(number: int, calls: Sequence[Exchange]) -> list[Exchange]:
    """The calls behind a reply, by its number among those of its seat, counted from 1."""
    return [call for call in calls if call.step.partition(".")[0] == str(number)]


def _messages_of(journal: Path, matches: Collection[str]) -> set[str]:
    """The digests of the messages that were sent in some matches."""
    found = set[str]()
    for _, line in lines(journal):
        match line:
            case {"sent": str(), "match": str(name), "messages": list(sent)} if name in matches:
                found.update(sent)
    return found


def _text(part: dict[str, str]) -> str:
    return part["text"] if "text" in part else f"[picture {part.get('picture')}]"
