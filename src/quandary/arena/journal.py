"""The journal of a run: every call to a model, written down before it is sent, and every reply, before it is used.

It is also the cache: a call is found again by everything that affects it and by its place in the run, repeat included.
A message is written once, however many calls it is part of; pictures lie beside the journal, named by their content.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

import msgspec

from quandary.core.errors import Mistake
from quandary.models.client import Call, Heard, message_digest, tokens_of
from quandary.models.provider import Choice, Completion, Message, Picture, Usage

from .lines import append, mend

JOURNAL, PICTURES = "journal.jsonl", "pictures"
FOREIGN = "{} holds a line that is no part of a journal; choose another --out."


@dataclass
class Tally:
    """What the calls to one model came to, in this session and in those before."""

    sent: int = 0
    got: int = 0
    failed: int = 0
    read: int = 0  # tokens
    written: int = 0
    uncounted: int = 0  # replies whose tokens the server did not tell
    largest: Usage = Usage(0, 0)  # noqa: RUF009

    @property
    def lost(self) -> int:
        """Calls whose end was never written down: the run was ended while they were under way."""
        return self.sent - self.got - self.failed

    @property
    def usage(self) -> Usage:
        """All tokens together; unknown where some reply's are."""
        return Usage() if self.uncounted else Usage(self.read, self.written)

    def count(self, usage: Usage) -> None:
        self.got += 1
        if usage.read is None or usage.written is None:
            self.uncounted += 1
            return
        self.read += usage.read
        self.written += usage.written
        self.largest = max(self.largest, usage, key=tokens_of)


class Journal:
    """The one writer of a run's calls."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.path = folder, folder / JOURNAL
        self.file: BinaryIO
        self.replies = dict[str, int]()  # key -> where its reply stands in the file
        self.models = dict[str, str]()  # key -> the model that was asked
        self.messages = set[str]()
        self.tallies: dict[str, Tally] = defaultdict(Tally)

    def __enter__(self) -> Journal:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self.file = self.path.open("ab+", buffering=0)
        except OSError as reason:
            raise Mistake(f"the journal cannot be kept in {self.folder}: {reason.strerror}; choose another --out.") from None
        try:
            mend(self.file)
            open_calls = set[str]()
            for place, line in lines(self.path):
                self._index(place, line, open_calls)
        except BaseException:
            self.file.close()
            raise
        self.end = self.file.seek(0, os.SEEK_END)
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self.file.close()

    def find(self, call: Call) -> Heard | None:
        place = self.replies.get(call.key)
        return None if place is None else self._reply_at(place)

    def sent(self, call: Call) -> None:
        new = [
            self._message(name, message)
            for name, message in zip(call.messages, call.request.messages, strict=True)
            if name not in self.messages
        ]
        self.messages.update(call.messages)
        self._write(*new, _sent(call))
        self.tallies[call.model].sent += 1

    def got(self, call: Call, completion: Completion, seconds: float) -> None:
        self.replies[call.key] = self._write(_got(call, completion, seconds))
        self.tallies[call.model].count(completion.usage)

    def failed(self, call: Call, why: str) -> None:
        self._write({"failed": call.key, "model": call.model, "why": why})
        self.tallies[call.model].failed += 1

    def _write(self, *objects: dict[str, Any]) -> int:
        """Append some lines in one go, past every buffer of ours; gives where the last one begins."""
        written = [msgspec.json.encode(plain) + b"\n" for plain in objects]
        text = b"".join(written)
        append(self.file, text)
        self.end += len(text)
        return self.end - len(written[-1])

    def _message(self, name: str, message: Message) -> dict[str, Any]:
        parts = [{"picture": self._picture(part)} if isinstance(part, Picture) else {"text": part} for part in message.parts]
        return {"message": name, "role": message.role, "parts": parts}

    def _picture(self, picture: Picture) -> str:
        """The name of a picture's file, which is written once."""
        name = message_digest(Message("user", (picture,))) + ".png"
        path = self.folder / PICTURES / name
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            draft = path.with_suffix(".draft")
            draft.write_bytes(picture.png)
            draft.replace(path)
        return name

    def _index(self, place: int, line: dict[str, Any], open_calls: set[str]) -> None:
        match line:
            case {"message": str(name)}:
                self.messages.add(name)
            case {"sent": str(key), "model": str(model)}:
                open_calls.add(key)
                self.tallies[model].sent += 1
            case {"got": str(key), "model": str(model)} if key in open_calls:
                self.replies[key] = place
                self.tallies[model].count(heard_in(line).completion.usage)
            case {"failed": str(key), "model": str(model)} if key in open_calls:
                self.tallies[model].failed += 1
            case _:
                raise Mistake(FOREIGN.format(self.path))

    def _reply_at(self, place: int) -> Heard:
        with self.path.open("rb") as file:
            file.seek(place)
            return heard_in(msgspec.json.decode(file.readline()))


def lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each whole line of a journal and where it begins."""
    place = 0
    with path.open("rb") as file:
        for number, raw in enumerate(file, start=1):
            if raw.endswith(b"\n"):
                try:
                    line = msgspec.json.decode(raw)
                except (msgspec.DecodeError, UnicodeError, RecursionError):
                    raise Mistake(f"line {number} of {path} cannot be read; choose another --out.") from None
                if not isinstance(line, dict):
                    raise Mistake(FOREIGN.format(path))
                yield place, line
            place += len(raw)


class _Got(msgspec.Struct):
    """A line that holds a reply."""

    choices: list[dict[str, str]]
    usage: Usage
    served: str
    seconds: float


def heard_in(line: dict[str, Any]) -> Heard:
    """The reply that a line of a journal holds."""
    try:
        usage = Usage(**line["usage"])
        got = msgspec.convert({**line, "usage": usage}, _Got)
        choices = tuple(Choice(**choice) for choice in got.choices)  # type: ignore[arg-type]
    except (msgspec.ValidationError, KeyError, TypeError):
        raise Mistake(f"a reply in the journal is damaged (call {str(line.get('got'))[:40]}); choose another --out.") from None
    return Heard(Completion(choices, got.usage, got.served), got.seconds)


def _sent(call: Call) -> dict[str, Any]:
    return {
        "sent": call.key,
        "model": call.model,
        "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        **call.place._asdict(),
        "messages": call.messages,
        "decoding": {name: value for name, value in vars(call.request.decoding).items() if value not in (None, ())},
        "n": call.request.n,
    }


def _got(call: Call, completion: Completion, seconds: float) -> dict[str, Any]:
    return {
        "got": call.key,
        "model": call.model,
        "seconds": seconds,
        "served": completion.model,
        "usage": completion.usage._asdict(),
        "choices": [choice._asdict() for choice in completion.choices],
    }
