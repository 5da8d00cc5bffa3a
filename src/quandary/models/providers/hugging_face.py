"""Models that Hugging Face's Transformers runs in this process, by name or folder."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from importlib.util import find_spec
from threading import Event, Lock
from typing import Any, NamedTuple

from quandary.core.errors import UserError
from quandary.models.provider import (
    Completion,
    Decoding,
    Generation,
    Message,
    Picture,
    ProviderError,
    Request,
    Usage,
)

NO_LIMIT = 2**20  # tokens, for the few models without a stated context size
ONE_AT_A_TIME = Lock()  # torch has one random state for the whole process


class HuggingFaceProvider:
    """A model in this process, loaded at the first call; calls are answered one after another."""

    def __init__(self, name: str) -> None:
        if find_spec("torch") is None or find_spec("transformers") is None:
            raise UserError(
                "Hugging Face models need torch and transformers; install them with `pip install "
                "'quandary[hf]'`."
            )
        self.name = name
        self.calls = ThreadPoolExecutor(1, "transformers")
        self.loaded: _Loaded | None = None

    async def ask(self, request: Request) -> Completion:
        messages = [
            {"role": message.role, "content": _text(message, self.name)}
            for message in request.messages
        ]
        cancelled = Event()
        future = self.calls.submit(self._generate, messages, request, cancelled.is_set)
        try:
            return await asyncio.wrap_future(future)
        finally:
            cancelled.set()  # nobody waits any more, so the next call may begin

    async def close(self) -> None:
        await asyncio.to_thread(self.calls.shutdown, cancel_futures=True)
        self.loaded = None

    def _generate(
        self, messages: list[dict[str, str]], request: Request, cancelled: Callable[[], bool]
    ) -> Completion:
        self.loaded = self.loaded or _load(self.name)
        with ONE_AT_A_TIME:
            return self.loaded.reply(messages, request, cancelled, self.name)


class _Loaded(NamedTuple):
    """A model and its tokenizer."""

    model: Any
    tokenizer: Any

    def reply(
        self,
        messages: list[dict[str, str]],
        request: Request,
        cancelled: Callable[[], bool],
        name: str,
    ) -> Completion:
        torch = import_module("torch")
        prompt = self.prompt(messages, request.decoding.chat_template_kwargs).to(self.model.device)
        read = prompt["input_ids"].shape[1]
        available = _context(self.model) - read
        if available <= 0:
            return Completion((Generation("", finish="length"),), Usage(0, 0), name)
        settings = self.settings(request.decoding, available)
        if request.n > 1 and settings.get("do_sample", self.model.generation_config.do_sample):
            settings["num_return_sequences"] = request.n
        devices = [self.model.device] if self.model.device.type == "cuda" else []
        with torch.random.fork_rng(devices), torch.inference_mode():
            if request.decoding.seed is None:
                torch.seed()
            else:
                torch.manual_seed(request.decoding.seed % 2**63)
            stop_if_cancelled = [
                lambda ids, scores, **more: torch.full((len(ids),), cancelled(), device=ids.device)
            ]
            output = self.model.generate(
                **prompt, **settings, tokenizer=self.tokenizer, stopping_criteria=stop_if_cancelled
            )
        generated = [
            self.generation(ids, request.decoding.stop) for ids in output[:, read:].tolist()
        ]
        generations, written = zip(*generated, strict=True)
        return Completion(generations, Usage(read, sum(written)), name)

    def prompt(self, messages: list[dict[str, str]], arguments: Mapping[str, Any]) -> Any:
        from jinja2 import TemplateError  # type: ignore[import-not-found,unused-ignore]

        try:
            return self.tokenizer.apply_chat_template(
                messages,
                add_generation_prompt=True,
                return_dict=True,
                return_tensors="pt",
                **arguments,
            )
        except TemplateError as error:
            raise ProviderError(
                f"the model's chat template refuses these messages: {error}"[:300], retry=False
            ) from None

    def settings(self, decoding: Decoding, available: int) -> dict[str, Any]:
        """Return the arguments of `generate`; what is left out stays at the model's defaults."""
        settings: dict[str, Any] = {
            "max_new_tokens": min(
                decoding.max_tokens or self.default_max_tokens(available), available
            )
        }
        if decoding.temperature == 0:
            settings |= {"do_sample": False, "temperature": None, "top_p": None, "top_k": None}
        elif decoding.temperature is not None:
            settings |= {"do_sample": True, "temperature": decoding.temperature}
        if decoding.top_p is not None and decoding.temperature != 0:
            settings |= {"do_sample": True, "top_p": decoding.top_p}
        if decoding.stop:
            settings["stop_strings"] = list(decoding.stop)
        return settings

    def default_max_tokens(self, available: int) -> int:
        """Return the model's own limit, else all of the context: Transformers would stop
        after 20.
        """
        return self.model.generation_config.max_new_tokens or available

    def generation(self, ids: list[int], stops: tuple[str, ...]) -> tuple[Generation, int]:
        """Return one generation and its number of tokens."""
        ends = self.model.generation_config.eos_token_id
        ends = set(ends if isinstance(ends, list) else [ends])
        length = next((index + 1 for index, token in enumerate(ids) if token in ends), len(ids))
        ended = bool(ids) and ids[length - 1] in ends
        text = self.tokenizer.decode(ids[:length], skip_special_tokens=True)
        cuts = [text.index(stop) for stop in stops if stop in text]
        if cuts:
            text = text[: min(cuts)]
        return Generation(text, finish="stop" if ended or cuts else "length"), length


def _load(name: str) -> _Loaded:
    torch, transformers = import_module("torch"), import_module("transformers")
    transformers.utils.logging.disable_progress_bar()  # the terminal shows the run's progress
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(name)
        model = transformers.AutoModelForCausalLM.from_pretrained(name, dtype="auto")
    except (OSError, ValueError) as error:  # not found, no access, or an unknown architecture
        raise UserError(
            f"Transformers cannot load {name}: {' '.join(str(error).split())[:300].rstrip('.')}."
        ) from None
    if not tokenizer.chat_template:
        raise UserError(
            f"{name} has no chat template, so it cannot be prompted; choose a chat model."
        )
    return _Loaded(model.to("cuda" if torch.cuda.is_available() else "cpu").eval(), tokenizer)


def _context(model: Any) -> int:
    return int(getattr(model.config.get_text_config(), "max_position_embeddings", None) or NO_LIMIT)


def _text(message: Message, name: str) -> str:
    if any(isinstance(part, Picture) for part in message.parts):
        raise UserError(f"{name} accepts text only here; ask it with modality=text.")
    return "\n".join(str(part) for part in message.parts)
