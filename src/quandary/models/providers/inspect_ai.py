"""Every model that Inspect AI has a provider for."""

from __future__ import annotations

import asyncio
import os
import re
from base64 import b64encode
from collections.abc import Iterator
from contextvars import Context
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from quandary.core.control_characters import visible
from quandary.core.errors import UserError
from quandary.models.provider import (
    Completion,
    Finish,
    Generation,
    Message,
    Part,
    Picture,
    ProviderError,
    Request,
    Usage,
)

from .http_errors import PROMPT_TOO_LONG
from .keys import SHORTEST, KeyRemover

if TYPE_CHECKING:
    from inspect_ai.model import (  # type: ignore[import-not-found,unused-ignore]
        ChatCompletionChoice,
        GenerateConfig,
        Model,
        ModelOutput,
    )

key_remover = lru_cache(maxsize=16)(KeyRemover)  # it takes longer to make one than to use it
CONNECTIONS = 10_000  # an upper bound only: the rate limiter decides
USER_ERRORS = frozenset({401, 402, 403, 404})  # a key, bill or name only the user can fix
PROMPT_ERRORS = frozenset({400, 413, 422})
LONGEST_SHOWN = 300  # characters of a provider's message
FINISHES: dict[str, Finish] = {
    "max_tokens": "length",
    "model_length": "length",
    "content_filter": "refused",
}


class InspectProvider:
    """A model by its Inspect name, such as anthropic/claude-sonnet-4-0; keys come from the
    environment.
    """

    def __init__(self, name: str, **arguments: Any) -> None:
        self.name = name
        self.model = _open(name, arguments)

    async def ask(self, request: Request) -> Completion:
        messages = [_message(message) for message in request.messages]
        config = self._config(request)
        # in a context of its own, because Inspect keeps a transcript of all calls in one context
        call = asyncio.create_task(
            self.model.generate(messages, config=config, cache=False), context=Context()
        )
        try:
            output = await call
        except Exception as error:
            result = self._classify(error)
        else:
            result = _completion(output)
        if isinstance(result, Exception):
            # outside the handler: the provider's exception may hold the headers that were sent
            raise result
        return key_remover(self.model.api.api_key or "").from_completion(result)

    async def close(self) -> None:
        await self.model.api.aclose()

    def _config(self, request: Request) -> GenerateConfig:
        from inspect_ai.model import GenerateConfig

        decoding = request.decoding
        settings: dict[str, Any] = {
            "temperature": decoding.temperature,
            "top_p": decoding.top_p,
            "max_tokens": decoding.max_tokens,
            "seed": decoding.seed,
            "stop_seqs": list(decoding.stop) or None,
            "reasoning_effort": decoding.reasoning_effort,
            "reasoning_tokens": decoding.thinking_budget,
            "num_choices": request.n if request.n > 1 else None,
        }
        try:
            return GenerateConfig(max_retries=0, max_connections=CONNECTIONS, **settings)
        except ValueError:
            raise UserError(
                f"Inspect knows no reasoning effort {decoding.reasoning_effort!r}; try 'low' or "
                f"'high'."
            ) from None

    def _classify(self, error: Exception) -> Completion | ProviderError | UserError:
        """Return what an error means: the model gave no reply, or a provider's or the
        user's error.
        """
        cause: Any = _cause(error)
        api = self.model.api
        status = getattr(cause, "status_code", None)
        words = f"{self.name}: {_words(cause, api.api_key)}"
        if (
            status in USER_ERRORS
            or api.is_auth_failure(cause)
            or type(cause).__name__ == "PrerequisiteError"
        ):
            return UserError(f"{words}; check the model's name and its key.")
        if status in PROMPT_ERRORS and any(
            phrase in words.casefold() for phrase in PROMPT_TOO_LONG
        ):
            return Completion((Generation("", finish="length"),))
        decision = api.should_retry(cause)
        busy = status == 429 or getattr(decision, "kind", "") == "rate_limit"
        return ProviderError(
            words, busy or bool(decision), busy, getattr(decision, "retry_after", None)
        )


def _open(name: str, arguments: dict[str, Any]) -> Model:
    try:
        from inspect_ai.model import get_model
    except ImportError:
        raise UserError(
            "players of the form inspect/... need Inspect AI; install it with `pip install "
            "'quandary[inspect]'`."
        ) from None
    try:
        model = get_model(name, memoize=False, **arguments)
    except Exception as error:  # every provider raises its own types
        raise UserError(f"Inspect cannot open {name}: {_words(error, None)}.") from None
    client: Any = getattr(model.api, "client", None)
    if hasattr(client, "max_retries"):
        client.max_retries = 0  # else OpenAI's and Anthropic's clients retry uncounted
    return model


def _message(message: Message) -> Any:
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser

    if all(isinstance(part, str) for part in message.parts):
        content: Any = "\n".join(str(part) for part in message.parts)
    else:
        content = [_content(part) for part in message.parts]
    return {
        "system": ChatMessageSystem,
        "user": ChatMessageUser,
        "assistant": ChatMessageAssistant,
    }[message.role](content=content)


def _content(part: Part) -> Any:
    from inspect_ai.model import ContentImage, ContentText

    if isinstance(part, Picture):
        return ContentImage(image="data:image/png;base64," + b64encode(part.png).decode("ascii"))
    return ContentText(text=part)


def _completion(output: ModelOutput) -> Completion | ProviderError:
    if output.usage is None:
        usage = Usage()
    else:
        cached = (output.usage.input_tokens_cache_read or 0) + (
            output.usage.input_tokens_cache_write or 0
        )
        usage = Usage(
            output.usage.input_tokens + cached,
            output.usage.output_tokens,
            output.usage.reasoning_tokens,
            output.usage.input_tokens_cache_read,
        )
    generated = output.usage is not None
    generations = tuple(_generation(choice, generated) for choice in output.choices)
    if not generations:
        return ProviderError("the provider answered without a reply")
    return Completion(generations, usage, output.model)


def _generation(choice: ChatCompletionChoice, generated: bool) -> Generation:
    """Return one generation.

    For a refused prompt Inspect gives the provider's message as the model's text.
    """
    content, finish = choice.message.content, FINISHES.get(choice.stop_reason, "stop")
    if finish != "stop" and not generated:
        return Generation("", finish=finish)
    if isinstance(content, str):
        return Generation(content, finish=finish)
    thoughts = [
        (part.summary or "") if part.redacted else part.reasoning
        for part in content
        if part.type == "reasoning"
    ]
    return Generation(
        "".join(part.text for part in content if part.type == "text"), "\n".join(thoughts), finish
    )


def _cause(error: BaseException) -> BaseException:
    """Return the provider's own error, without what Inspect and its retries wrap it in."""
    from tenacity import RetryError  # type: ignore[import-not-found,unused-ignore]

    if isinstance(error, RetryError):
        error = error.last_attempt.exception() or error
    return error.__cause__ or error if hasattr(error, "provider_message") else error


def _words(error: BaseException, key: str | None) -> str:
    """Return an error's message, in one short line without markup or keys."""
    words = str(getattr(error, "message", "") or error or type(error).__name__)
    words = KeyRemover(*_secrets()).from_text(words)
    words = KeyRemover(key or "").from_message(words)
    words = " ".join(re.sub(r"\[/?[a-z]+\]", "", words).removeprefix("ERROR: ").split())
    return visible(words[:LONGEST_SHOWN].rstrip("."))


def _secrets() -> Iterator[str]:
    """Yield values of the environment that look like keys or passwords."""
    for name, value in os.environ.items():
        if re.search("KEY|TOKEN|SECRET|PASSWORD", name) and len(value) >= SHORTEST:
            yield value
