"""The door to models that run in this process: llama.cpp, and any GGUF file.

A reply depends on its request alone: a prompt is read from its first token each time and, with one slot, by itself.
Keeping what was read before, or reading several prompts in one batch, changes the last digits of what the model computes,
and with them now and then a word, even at temperature 0.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from secrets import token_hex
from threading import Event, Lock
from typing import Any, NamedTuple

from quandary.core.errors import Mistake
from quandary.models.provider import Choice, Completion, Message, Picture, Request, Trouble, Usage

CONTEXT = 8192  # tokens a slot holds; a model trained on fewer gets fewer
SEEDS = 2**32 - 1  # llama.cpp counts seeds below this, and takes this very number for none
THREADS = "QUANDARY_THREADS"


class Settings(NamedTuple):
    """What makes two doors lead to the same model in memory."""

    path: Path
    threads: int
    context: int
    slots: int


class LocalDoor:
    """A model in this process, loaded at the first call and shared with every door of the same settings.

    More threads than idle cores make it slower by far; more slots answer more calls at once, but then a reply
    may depend on what else was asked meanwhile.
    """

    def __init__(self, path: Path, threads: int | None = None, context: int = CONTEXT, slots: int = 1) -> None:
        if find_spec("xllamacpp") is None:
            raise Mistake("models in this process need llama.cpp; install it with `pip install 'quandary[local]'`.")
        self.settings = Settings(path.resolve(), threads or _threads(), context, slots)
        self.engine: _Engine | None = None

    async def ask(self, request: Request) -> Completion:
        body = _body(request, self.settings)
        if self.engine is None:
            self.engine = _Engine.shared(self.settings)
        given_up = Event()
        speaking = self.engine.calls.submit(self.engine.speak, body, given_up.is_set)
        try:
            pieces = await asyncio.wrap_future(speaking)
        finally:
            given_up.set()  # nobody listens any more, so the slot must not go on talking
        return _completion(pieces, self.settings.path.name)

    async def close(self) -> None:
        engine, self.engine = self.engine, None
        if engine is not None:
            await asyncio.to_thread(engine.leave)


class _Engine:
    """A model in memory, and the queue of calls before its slots."""

    running: dict[Settings, _Engine] = {}
    lock = Lock()

    def __init__(self, settings: Settings) -> None:
        self.settings, self.doors = settings, 0
        self.calls = ThreadPoolExecutor(settings.slots, "llama.cpp")
        self.server = self.calls.submit(_load, settings)

    @classmethod
    def shared(cls, settings: Settings) -> _Engine:
        with cls.lock:
            engine = cls.running.get(settings) or cls.running.setdefault(settings, cls(settings))
            engine.doors += 1
            return engine

    def speak(self, body: dict[str, Any], given_up: Callable[[], bool]) -> list[dict[str, Any]]:
        """The pieces of a reply; fewer if it is given up."""
        pieces: list[dict[str, Any]] = []

        def hear(piece: dict[str, Any]) -> bool:
            pieces.append(piece)
            return given_up()

        try:
            self.server.result().handle_chat_completions(body, hear)
        except RuntimeError as error:  # such as a chat template that refuses these messages
            raise Trouble(f"llama.cpp: {error}"[:300], again=False) from None
        return pieces

    def leave(self) -> None:
        """Free the model if this was its last door."""
        with self.lock:
            self.doors -= 1
            if self.doors:
                return
            del self.running[self.settings]
        self.calls.shutdown(cancel_futures=True)
        del self.server


def _threads() -> int:
    said = os.environ.get(THREADS, "1")
    if not said.isdecimal() or not int(said):
        raise Mistake(f"{THREADS} is {said!r}, but must be a number of threads such as 1.")
    return int(said)


def _load(settings: Settings) -> Any:
    """llama.cpp's server with the model in it, quiet and closed to the outside."""
    import xllamacpp  # type: ignore[import-not-found,import-untyped,unused-ignore]

    wanted = xllamacpp.CommonParams()
    wanted.model.path = str(settings.path)
    wanted.cpuparams.n_threads = wanted.cpuparams_batch.n_threads = settings.threads
    wanted.n_ctx, wanted.n_parallel = settings.context * settings.slots, settings.slots
    wanted.cache_ram_mib, wanted.cache_idle_slots = 0, False  # room for prompts it would never look up
    wanted.verbosity = 0
    wanted.api_keys = [token_hex(32)]  # it listens on a port of this machine, whether one wants that or not
    wanted.n_threads_http, wanted.endpoint_slots, wanted.ui = 1, False, False
    try:
        return xllamacpp.Server(wanted)
    except RuntimeError:
        raise Mistake(f"llama.cpp cannot load {settings.path}: no model it knows, or more than the memory holds.") from None


def _body(request: Request, settings: Settings) -> dict[str, Any]:
    decoding = request.decoding
    body: dict[str, Any] = {
        "messages": [{"role": message.role, "content": _text(message, settings)} for message in request.messages],
        "temperature": decoding.temperature,
        "top_p": decoding.top_p,
        "max_tokens": decoding.max_tokens,
        "seed": None if decoding.seed is None else decoding.seed % SEEDS,
        "stop": list(decoding.stop) or None,
        "chat_template_kwargs": decoding.reasoning_effort and {"reasoning_effort": decoding.reasoning_effort},
        "n": min(request.n, settings.slots),  # it refuses more
        "cache_prompt": False,
        "stream": True,  # so that it can be told to stop
        "stream_options": {"include_usage": True},
    }
    return {key: value for key, value in body.items() if value is not None}


def _text(message: Message, settings: Settings) -> str:
    if any(isinstance(part, Picture) for part in message.parts):
        raise Mistake(f"{settings.path.name} cannot see pictures; show it the position in text.")
    text = "\n".join(str(part) for part in message.parts)
    return text.encode("utf-8", "replace").decode("utf-8")  # no lone surrogates: llama.cpp takes UTF-8


def _completion(pieces: Iterable[dict[str, Any]], model: str) -> Completion:
    said: dict[int, Choice] = {}
    finished: set[int] = set()
    read, written = 0, 0
    for piece in pieces:
        if error := piece.get("error"):
            return _refusal(error, model)
        for choice in piece["choices"]:
            place, delta = choice["index"], choice["delta"]
            text, thinking, finish = said.get(place, Choice(""))
            if choice["finish_reason"]:
                finished.add(place)
                finish = "length" if choice["finish_reason"] == "length" else "stop"
            said[place] = Choice(text + (delta.get("content") or ""), thinking + (delta.get("reasoning_content") or ""), finish)
        if counted := piece.get("usage"):
            written += counted["completion_tokens"]  # of one of the replies
            read = counted["prompt_tokens"]
    if not said or finished != said.keys():
        raise Trouble("llama.cpp broke off in the middle of a reply")
    return Completion(tuple(said[place] for place in sorted(said)), Usage(read, written), model)


def _refusal(error: dict[str, Any], model: str) -> Completion:
    if error.get("type") == "exceed_context_size_error":  # no room for a single word
        return Completion((Choice("", finish="length"),), Usage(0, 0), model)
    raise Trouble(f"llama.cpp: {error.get('message')}"[:300], again=error.get("code", 500) >= 500)
