"""The journal of a run: calls are written before they are sent, replies before they are used.

It is also the cache: a call is found again by everything that affects its reply and by its call
key. A message is written once, even if many calls contain it; pictures are files beside the
journal, named by a digest of their content.
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

from quandary.core.errors import UserError
from quandary.models.calls import Call, CallResult, message_digest, total_tokens
from quandary.models.provider import Completion, Generation, Message, Picture, Usage

from .jsonl import append, repair

JOURNAL, PICTURES = "journal.jsonl", "pictures"
FOREIGN = "{} contains a line that does not belong to a journal; choose another --out."


@dataclass
class Tally:
    """Totals of the calls to one model, earlier sessions of the run included."""

    sent: int = 0
    got: int = 0
    failed: int = 0
    read: int = 0  # tokens
    cached: int = 0  # of those read
    written: int = 0
    uncounted: int = 0  # replies whose tokens the server did not report
    largest: Usage = Usage(0, 0)  # noqa: RUF009

    @property
    def lost(self) -> int:
        """Calls without a recorded end: the run was interrupted while they were in flight."""
        return self.sent - self.got - self.failed

    @property
    def usage(self) -> Usage:
        """Total tokens; unknown if those of some reply are."""
        return Usage() if self.uncounted else Usage(self.read, self.written, cached=self.cached)

    def count(self, usage: Usage) -> None:
        self.got += 1
        if usage.read is None or usage.written is None:
            self.uncounted += 1
            return
        self.read += usage.read
        self.cached += usage.cached or 0
        self.written += usage.written
        self.largest = max(self.largest, usage, key=total_tokens)


class FileJournal:
    """The journal of a run in a file, of which this is the only writer."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.path = folder, folder / JOURNAL
        self.file: BinaryIO
        self.replies = dict[str, int]()  # digest of a call -> offset of its reply in the file
        self.messages = set[str]()  # digests of messages already written
        self.tallies: dict[str, Tally] = defaultdict(Tally)

    def __enter__(self) -> FileJournal:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self.file = self.path.open("ab+", buffering=0)
        except OSError as reason:
            raise UserError(
                f"the journal cannot be kept in {self.folder}: {reason.strerror}; choose another "
                f"--out."
            ) from None
        try:
            repair(self.file)
            open_calls = set[str]()
            for offset, line in lines(self.path):
                self._index(offset, line, open_calls)
        except BaseException:
            self.file.close()
            raise
        self.end = self.file.seek(0, os.SEEK_END)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.file.close()

    def find(self, call: Call) -> CallResult | None:
        offset = self.replies.get(call.digest)
        return None if offset is None else self._reply_at(offset)

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
        self.replies[call.digest] = self._write(_got(call, completion, seconds))
        self.tallies[call.model].count(completion.usage)

    def failed(self, call: Call, why: str) -> None:
        self._write({"failed": call.digest, "model": call.model, "why": why})
        self.tallies[call.model].failed += 1

    def _write(self, *objects: dict[str, Any]) -> int:
        """Append lines in one unbuffered write; returns the offset of the last one."""
        written = [msgspec.json.encode(plain) + b"\n" for plain in objects]
        text = b"".join(written)
        append(self.file, text)
        self.end += len(text)
        return self.end - len(written[-1])

    def _message(self, name: str, message: Message) -> dict[str, Any]:
        parts = [
            {"picture": self._picture(part)} if isinstance(part, Picture) else {"text": part}
            for part in message.parts
        ]
        return {"message": name, "role": message.role, "parts": parts}

    def _picture(self, picture: Picture) -> str:
        """The name of a picture's file; the file is written once."""
        name = message_digest(Message("user", (picture,))) + ".png"
        path = self.folder / PICTURES / name
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            draft = path.with_suffix(".draft")
            draft.write_bytes(picture.png)
            draft.replace(path)
        return name

    def _index(self, offset: int, line: dict[str, Any], open_calls: set[str]) -> None:
        match line:
            case {"message": str(name)}:
                self.messages.add(name)
            case {"sent": str(call), "model": str(model)}:
                open_calls.add(call)
                self.tallies[model].sent += 1
            case {"got": str(call), "model": str(model)} if call in open_calls:
                self.replies[call] = offset
                self.tallies[model].count(result_in(line).completion.usage)
            case {"failed": str(call), "model": str(model)} if call in open_calls:
                self.tallies[model].failed += 1
            case _:
                raise UserError(FOREIGN.format(self.path))

    def _reply_at(self, offset: int) -> CallResult:
        with self.path.open("rb") as file:
            file.seek(offset)
            return result_in(msgspec.json.decode(file.readline()))


def lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each complete line of a journal and its offset."""
    offset = 0
    with path.open("rb") as file:
        for number, raw in enumerate(file, start=1):
            if raw.endswith(b"\n"):
                try:
                    line = msgspec.json.decode(raw)
                except (msgspec.DecodeError, UnicodeError, RecursionError):
                    raise UserError(
                        f"line {number} of {path} cannot be read; choose another --out."
                    ) from None
                if not isinstance(line, dict):
                    raise UserError(FOREIGN.format(path))
                yield offset, line
            offset += len(raw)


class _Got(msgspec.Struct):
    """A line with a reply."""

    choices: list[dict[str, str]]
    usage: Usage
    served: str
    seconds: float


def result_in(line: dict[str, Any]) -> CallResult:
    """The reply in a line of a journal."""
    try:
        usage = Usage(**line["usage"])
        got = msgspec.convert({**line, "usage": usage}, _Got)
        generations = tuple(Generation(**choice) for choice in got.choices)  # type: ignore[arg-type]
    except (msgspec.ValidationError, KeyError, TypeError):
        raise UserError(
            f"a reply in the journal is damaged (call {str(line.get('got'))[:40]}); choose "
            f"another --out."
        ) from None
    return CallResult(Completion(generations, got.usage, got.served), got.seconds)


def _sent(call: Call) -> dict[str, Any]:
    return {
        "sent": call.digest,
        "model": call.model,
        "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        **call.key._asdict(),
        "messages": call.messages,
        "decoding": call.request.decoding.given(),
        "n": call.request.n,
    }


def _got(call: Call, completion: Completion, seconds: float) -> dict[str, Any]:
    return {
        "got": call.digest,
        "model": call.model,
        "seconds": seconds,
        "served": completion.model,
        "usage": completion.usage._asdict(),
        "choices": [generation._asdict() for generation in completion.generations],
    }
