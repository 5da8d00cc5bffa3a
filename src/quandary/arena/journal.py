"""The journal of a run: calls are written before they are sent, replies before they are used.

It is also the cache: a call is found again by everything that affects its reply and by its call
key. A message is written once, even if many calls contain it; pictures are files beside the
journal, named by a digest of their content.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

import msgspec

from quandary.core.errors import UserError
from quandary.models.calls import Call, CallResult, message_digest
from quandary.models.provider import Completion, Decoding, Generation, Message, Picture, Usage

from .jsonl import append, is_torn, repair, set_aside
from .tally import Tally

JOURNAL, PICTURES = "journal.jsonl", "pictures"
encoder = msgspec.json.Encoder()


class FileJournal:
    """The journal of a run in a file; this is its only writer."""

    def __init__(self, folder: Path, notify: Callable[[str], None] = lambda message: None) -> None:
        self.folder, self.path, self.notify = folder, folder / JOURNAL, notify
        self.file: BinaryIO
        self.replies = dict[str, int]()  # digest of a call -> offset of its reply in the file
        self.messages = set[str]()  # digests of messages already written
        self.tallies: dict[str, Tally] = defaultdict(Tally)
        self.last_decoding: tuple[Decoding | None, msgspec.Raw] = None, msgspec.Raw()

    def __enter__(self) -> FileJournal:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self.path.touch()
            if damaged := self._read():
                self.notify(set_aside(self.path, damaged))
                self._read()
            self.file = self.path.open("ab+", buffering=0)
        except OSError as reason:
            raise UserError(
                f"the journal cannot be kept in {self.folder}: {reason.strerror}; choose another "
                f"--out."
            ) from None
        try:
            repair(self.file)
        except BaseException:
            self.file.close()
            raise
        return self

    def _read(self) -> list[int]:
        """Index the file from its beginning, and return the numbers of damaged lines."""
        self.replies.clear()
        self.messages.clear()
        self.tallies.clear()
        damaged, open_calls = list[int](), Counter[str]()
        for number, offset, raw in _raw_lines(self.path):
            if line := _line(raw):
                self._index(offset, line, open_calls)
            else:
                damaged.append(number)
        if damaged and not self.tallies and not self.messages:
            raise UserError(f"{self.path} is not the journal of a run; choose another --out.")
        return damaged

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.file.close()

    def find(self, call: Call) -> CallResult | None:
        offset = self.replies.get(call.digest)
        if offset is None:
            return None
        if lost := self._new_messages(call):  # their lines were damaged
            self._write(*lost)
        return self._reply_at(offset)

    def sent(self, call: Call) -> None:
        self._write(*self._new_messages(call), self._sent(call))
        self.tallies[call.model].sent += 1

    def _new_messages(self, call: Call) -> list[dict[str, Any]]:
        new = [
            self._message(name, message)
            for name, message in zip(call.messages, call.request.messages, strict=True)
            if name not in self.messages
        ]
        self.messages.update(call.messages)
        return new

    def got(self, call: Call, completion: Completion, seconds: float) -> None:
        self.replies[call.digest] = self._write(_got(call, completion, seconds))
        self.tallies[call.model].count(completion.usage)

    def failed(self, call: Call, why: str, *, rejected: bool) -> None:
        line = {"failed": call.digest, "model": call.model, "why": why}
        self._write(line | {"rejected": True} if rejected else line)
        self.tallies[call.model].failed += 1
        self.tallies[call.model].rejected += rejected

    def has_reply(self, model: str) -> bool:
        return model in self.tallies and self.tallies[model].got > 0

    def has_rejection(self, model: str) -> bool:
        return model in self.tallies and self.tallies[model].rejected > 0

    def _write(self, *objects: dict[str, Any]) -> int:
        """Append lines in one unbuffered write, and return where they begin."""
        return append(self.file, encoder.encode_lines(objects))

    def _sent(self, call: Call) -> dict[str, Any]:
        match, seat, step, position = call.key
        return {
            "sent": call.digest,
            "model": call.model,
            "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "match": match,
            "seat": seat,
            "step": step,
            "position": position,
            "messages": call.messages,
            "decoding": self._decoding(call.request.decoding),
            "n": call.request.n,
        }

    def _decoding(self, decoding: Decoding) -> msgspec.Raw:
        """Return the parameters that are set, as JSON: those of the last call are known."""
        if self.last_decoding[0] is not decoding:
            self.last_decoding = decoding, msgspec.Raw(encoder.encode(decoding.given()))
        return self.last_decoding[1]

    def _message(self, name: str, message: Message) -> dict[str, Any]:
        parts = [
            {"picture": self._picture(part)} if isinstance(part, Picture) else {"text": part}
            for part in message.parts
        ]
        return {"message": name, "role": message.role, "parts": parts}

    def _picture(self, picture: Picture) -> str:
        """Return the name of a picture's file; the file is written once."""
        name = message_digest(Message("user", (picture,))) + ".png"
        path = self.folder / PICTURES / name
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            draft = path.with_suffix(".draft")
            draft.write_bytes(picture.png)
            draft.replace(path)
        return name

    def _index(self, offset: int, line: dict[str, Any], open_calls: Counter[str]) -> None:
        if "message" in line:
            self.messages.add(line["message"])
            return
        tally = self.tallies[line["model"]]
        if "sent" in line:
            open_calls[line["sent"]] += 1
            tally.sent += 1
            return
        call = line.get("got") or line["failed"]
        if open_calls[call]:
            open_calls[call] -= 1
        else:  # the line that said it was sent is lost
            tally.sent += 1
        if "got" in line:
            self.replies[call] = offset
            tally.count(Usage(**line["usage"]))
        else:
            tally.failed += 1
            tally.rejected += line.get("rejected") is True

    def _reply_at(self, offset: int) -> CallResult:
        with self.path.open("rb") as file:
            file.seek(offset)
            return result_in(msgspec.json.decode(file.readline()))


def lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield each complete line of a journal and its offset."""
    for number, offset, raw in _raw_lines(path):
        line = _line(raw)
        if line is None:
            raise UserError(
                f"line {number} of {path} is damaged; repeat the command that started the run, "
                f"which moves it aside."
            )
        yield offset, line


def tallies_in(folder: Path) -> dict[str, Tally]:
    """Return the totals of the calls of a run to each model; none without a journal.

    Nothing is written, also where lines are damaged: these are left out.
    """
    if not (folder / JOURNAL).exists():
        return {}
    journal = FileJournal(folder)
    with suppress(UserError):  # nothing in it can be read
        journal._read()
    return dict(journal.tallies)


def _raw_lines(path: Path) -> Iterator[tuple[int, int, bytes]]:
    """Number, offset and text of each line, except for what a crash left at the end."""
    offset = 0
    with path.open("rb") as file:
        for number, raw in enumerate(file, start=1):
            if raw.strip() and not is_torn(raw):
                yield number, offset, raw
            offset += len(raw)


def _line(raw: bytes) -> dict[str, Any] | None:
    """Return a line of a journal; None if it is damaged."""
    try:
        line = msgspec.json.decode(raw, type=dict[str, Any])
        if "got" in line:
            result_in(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError, UserError):
        return None
    match line:
        case {"message": str(), "role": str(), "parts": list()}:
            return line
        case {"got": str(), "model": str()} | {"failed": str(), "model": str()}:
            return line
        case {
            "sent": str(),
            "model": str(),
            "match": str(),
            "seat": int(),
            "step": str(),
            "position": str(),
        }:
            return line
    return None


class _Got(msgspec.Struct):
    """A line with a reply."""

    choices: list[dict[str, str]]
    usage: Usage
    served: str
    seconds: float


def result_in(line: dict[str, Any]) -> CallResult:
    """Return the reply in a line of a journal."""
    try:
        usage = Usage(**line["usage"])
        got = msgspec.convert({**line, "usage": usage}, _Got)
        generations = tuple(Generation(**choice) for choice in got.choices)  # type: ignore[arg-type]
    except (msgspec.ValidationError, KeyError, TypeError):
        raise UserError("a reply in the journal is damaged.") from None
    return CallResult(Completion(generations, got.usage, got.served), got.seconds)


def _got(call: Call, completion: Completion, seconds: float) -> dict[str, Any]:
    return {
        "got": call.digest,
        "model": call.model,
        "seconds": seconds,
        "served": completion.model,
        "usage": completion.usage._asdict(),
        "choices": [generation._asdict() for generation in completion.generations],
    }
