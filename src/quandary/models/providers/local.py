"""Models that run in this process: llama.cpp, and any GGUF file.

A reply depends on its request alone: each prompt is processed from its first token and, with one
slot, in a batch of its own.  Caching prompts or batching them changes the last digits of the
model's computations, and with them now and then a word, even at temperature 0.
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

from quandary.core.errors import UserError
from quandary.models.provider import (
    Completion,
    Generation,
    Message,
    Picture,
    ProviderError,
    Request,
    Usage,
)

from .request_fields import merged

CONTEXT = 8192  # tokens per slot; fewer for models trained on fewer
SEEDS = 2**32 - 1  # seeds are below this; llama.cpp takes this number for "no seed"
THREADS = "QUANDARY_THREADS"


class Settings(NamedTuple):
    """Providers with equal settings share one model in memory."""

    path: Path
    threads: int
    context: int
    slots: int


class LocalProvider:
    """A model in this process, loaded at the first call and shared by providers of equal settings.

    More threads than idle cores make it much slower; more slots answer more calls at once, but then
    a reply may depend on what else is being generated.
    """

    def __init__(
        self, path: Path, threads: int | None = None, context: int = CONTEXT, slots: int = 1
    ) -> None:
        if find_spec("xllamacpp") is None:
            raise UserError(
                "models in this process need llama.cpp; install it with `pip install "
                "'quandary[local]'`."
            )
        self.settings = Settings(path.resolve(), threads or _threads(), context, slots)
        self.engine: _Engine | None = None

    async def ask(self, request: Request) -> Completion:
        body = _body(request, self.settings)
        if self.engine is None:
            self.engine = _Engine.shared(self.settings)
        cancelled = Event()
        future = self.engine.calls.submit(self.engine.generate, body, cancelled.is_set)
        try:
            pieces = await asyncio.wrap_future(future)
        finally:
            cancelled.set()  # nobody waits any more, so the slot must become free
        return _completion(pieces, self.settings.path.name)

    async def close(self) -> None:
        engine, self.engine = self.engine, None
        if engine is not None:
            await asyncio.to_thread(engine.release)


class _Engine:
    """A model in memory, and the queue of calls to it."""

    running: dict[Settings, _Engine] = {}
    lock = Lock()

    def __init__(self, settings: Settings) -> None:
        self.settings, self.users = settings, 0
        self.calls = ThreadPoolExecutor(settings.slots, "llama.cpp")
        self.server = self.calls.submit(_load, settings)

    @classmethod
    def shared(cls, settings: Settings) -> _Engine:
        with cls.lock:
            engine = cls.running.get(settings) or cls.running.setdefault(settings, cls(settings))
            engine.users += 1
            return engine

    def generate(self, body: dict[str, Any], cancelled: Callable[[], bool]) -> list[dict[str, Any]]:
        """Return the streamed pieces of a reply; fewer if the call is cancelled."""
        pieces: list[dict[str, Any]] = []

        def receive(piece: dict[str, Any]) -> bool:
            pieces.append(piece)
            return cancelled()

        try:
            self.server.result().handle_chat_completions(body, receive)
        except RuntimeError as error:  # such as a chat template that rejects these messages
            raise ProviderError(f"llama.cpp: {error}"[:300], retry=False) from None
        return pieces

    def release(self) -> None:
        """Free the model if this was its last user."""
        with self.lock:
            self.users -= 1
            if self.users:
                return
            del self.running[self.settings]
        self.calls.shutdown(cancel_futures=True)
        del self.server


def _threads() -> int:
    text = os.environ.get(THREADS, "1")
    if not text.isdecimal() or not int(text):
        raise UserError(f"{THREADS} is {text!r}, but must be a number of threads such as 1.")
    return int(text)


def _load(settings: Settings) -> Any:
    """Return llama.cpp's server with the model loaded, without logs, closed to other programs."""
    import xllamacpp  # type: ignore[import-not-found,import-untyped,unused-ignore]

    wanted = xllamacpp.CommonParams()
    wanted.model.path = str(settings.path)
    wanted.cpuparams.n_threads = wanted.cpuparams_batch.n_threads = settings.threads
    wanted.n_ctx, wanted.n_parallel = settings.context * settings.slots, settings.slots
    wanted.cache_ram_mib, wanted.cache_idle_slots = 0, False  # prompts are never looked up
    wanted.verbosity = 0
    wanted.api_keys = [token_hex(32)]  # it always opens a local port
    wanted.n_threads_http, wanted.endpoint_slots, wanted.ui = 1, False, False
    try:
        return xllamacpp.Server(wanted)
    except RuntimeError:
        raise UserError(
            f"llama.cpp cannot load {settings.path}: it is not a model that llama.cpp knows, or "
            f"does not fit into memory."
        ) from None


def _body(request: Request, settings: Settings) -> dict[str, Any]:
    decoding = request.decoding
    effort = {"reasoning_effort": decoding.reasoning_effort} if decoding.reasoning_effort else {}
    body: dict[str, Any] = {
        "messages": [
            {"role": message.role, "content": _text(message, settings)}
            for message in request.messages
        ],
        "temperature": decoding.temperature,
        "top_p": decoding.top_p,
        "max_tokens": decoding.max_tokens,
        "seed": None if decoding.seed is None else decoding.seed % SEEDS,
        "stop": list(decoding.stop) or None,
        "chat_template_kwargs": dict(effort, **decoding.chat_template_kwargs) or None,
        "thinking_budget_tokens": decoding.thinking_budget,
        "n": min(request.n, settings.slots),  # llama.cpp refuses more
        "cache_prompt": False,
        "stream": True,  # so that it can be cancelled
        "stream_options": {"include_usage": True},
    }
    return merged({key: value for key, value in body.items() if value is not None}, decoding.body)


def _text(message: Message, settings: Settings) -> str:
    if any(isinstance(part, Picture) for part in message.parts):
        raise UserError(
            f"{settings.path.name} does not accept pictures; ask it with modality=text."
        )
    text = "\n".join(str(part) for part in message.parts)
    # llama.cpp takes UTF-8, which has no lone surrogates
    return text.encode("utf-8", "replace").decode("utf-8")


def _completion(pieces: Iterable[dict[str, Any]], model: str) -> Completion:
    generations: dict[int, Generation] = {}
    finished: set[int] = set()
    read, written = 0, 0
    for piece in pieces:
        if error := piece.get("error"):
            return _refusal(error, model)
        for choice in piece["choices"]:
            index, delta = choice["index"], choice["delta"]
            text, thinking, finish = generations.get(index, Generation(""))
            if choice["finish_reason"]:
                finished.add(index)
                finish = "length" if choice["finish_reason"] == "length" else "stop"
            text += delta.get("content") or ""
            thinking += delta.get("reasoning_content") or ""
            generations[index] = Generation(text, thinking, finish)
        if counted := piece.get("usage"):
            written += counted["completion_tokens"]  # of one generation
            read = counted["prompt_tokens"]
    if not generations or finished != generations.keys():
        raise ProviderError("llama.cpp stopped in the middle of a reply")
    return Completion(
        tuple(generations[index] for index in sorted(generations)), Usage(read, written), model
    )


def _refusal(error: dict[str, Any], model: str) -> Completion:
    if error.get("type") == "exceed_context_size_error":  # no token could be generated
        return Completion((Generation("", finish="length"),), Usage(0, 0), model)
    raise ProviderError(
        f"llama.cpp: {error.get('message')}"[:300], retry=error.get("code", 500) >= 500
    )
