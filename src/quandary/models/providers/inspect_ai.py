"""The door to every model that Inspect AI has a provider for."""

from __future__ import annotations

import asyncio
import os
import re
from base64 import b64encode
from collections.abc import Iterator
from contextvars import Context
from typing import TYPE_CHECKING, Any

from quandary.core.errors import Mistake
from quandary.models.provider import Choice, Completion, Finish, Message, Part, Picture, Request, Trouble, Usage

from .http_errors import TOO_LONG

if TYPE_CHECKING:
    from inspect_ai.model import (  # type: ignore[import-not-found,unused-ignore]
        ChatCompletionChoice,
        GenerateConfig,
        Model,
        ModelOutput,
    )

CONNECTIONS = 10_000  # a mere stop: how many calls are made at once is decided elsewhere
USERS = frozenset({401, 402, 403, 404})  # a key, a bill or a name that only the user can mend
PROMPTS = frozenset({400, 413, 422})  # something in what was asked
SHOWN = 300  # characters of a provider's words that are shown
ENDS: dict[str, Finish] = {"max_tokens": "length", "model_length": "length", "content_filter": "refused"}


class InspectDoor:
    """A model by the name Inspect gives it, such as anthropic/claude-sonnet-4-0; its keys come from the environment."""

    def __init__(self, name: str, **arguments: Any) -> None:
        self.name = name
        self.model = _open(name, arguments)

    async def ask(self, request: Request) -> Completion:
        messages = [_message(message) for message in request.messages]
        config = self._config(request)
        # in a context of its own, because Inspect keeps a transcript of every call made in one
        call = asyncio.create_task(self.model.generate(messages, config=config, cache=False), context=Context())
        try:
            output = await call
        except Exception as error:
            heard = self._judge(error)
        else:
            heard = _completion(output)
        if isinstance(heard, Exception):
            raise heard  # out here, so that it drags along nothing of the provider's, which may hold the headers that were sent
        return heard

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
            "num_choices": request.n if request.n > 1 else None,
        }
        try:
            return GenerateConfig(max_retries=0, max_connections=CONNECTIONS, **settings)
        except ValueError:
            raise Mistake(f"Inspect knows no reasoning effort {decoding.reasoning_effort!r}; try 'low' or 'high'.") from None

    def _judge(self, error: Exception) -> Completion | Trouble | Mistake:
        """What an error comes to: a reply that could not be given, or who can mend it."""
        cause: Any = _cause(error)
        api = self.model.api
        status = getattr(cause, "status_code", None)
        words = f"{self.name}: {_words(cause, api.api_key)}"
        if status in USERS or api.is_auth_failure(cause) or type(cause).__name__ == "PrerequisiteError":
            return Mistake(f"{words}; see to the model's name and its key.")
        if status in PROMPTS and any(sign in words.casefold() for sign in TOO_LONG):  # said in a way that is new to Inspect
            return Completion((Choice("", finish="length"),))
        decision = api.should_retry(cause)  # yes or no, or more where a provider knows more
        busy = status == 429 or getattr(decision, "kind", "") == "rate_limit"
        return Trouble(words, busy or bool(decision), busy, getattr(decision, "retry_after", None))


def _open(name: str, arguments: dict[str, Any]) -> Model:
    try:
        from inspect_ai.model import get_model
    except ImportError:
        raise Mistake(
            "players of the form inspect/... need Inspect AI; install it with `pip install 'quandary[inspect]'`."
        ) from None
    try:
        model = get_model(name, memoize=False, **arguments)
    except Exception as error:  # each provider has its own for a missing key, package or address
        raise Mistake(f"Inspect cannot open {name}: {_words(error, None)}.") from None
    client: Any = getattr(model.api, "client", None)
    if hasattr(client, "max_retries"):
        client.max_retries = 0  # those of OpenAI and Anthropic retry beneath Inspect, where nobody would count it
    return model


def _message(message: Message) -> Any:
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser

    if all(isinstance(part, str) for part in message.parts):
        content: Any = "\n".join(str(part) for part in message.parts)
    else:
        content = [_content(part) for part in message.parts]
    return {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}[message.role](content=content)


def _content(part: Part) -> Any:
    from inspect_ai.model import ContentImage, ContentText

    if isinstance(part, Picture):
        return ContentImage(image="data:image/png;base64," + b64encode(part.png).decode("ascii"))
    return ContentText(text=part)


def _completion(output: ModelOutput) -> Completion | Trouble:
    if output.usage is None:
        usage = Usage()
    else:
        cached = (output.usage.input_tokens_cache_read or 0) + (output.usage.input_tokens_cache_write or 0)
        usage = Usage(output.usage.input_tokens + cached, output.usage.output_tokens, output.usage.reasoning_tokens)
    choices = tuple(_choice(choice, spoke=output.usage is not None) for choice in output.choices)
    if not choices:
        return Trouble("the provider answered without a reply")
    return Completion(choices, usage, output.model)


def _choice(choice: ChatCompletionChoice, spoke: bool) -> Choice:
    """One reply; where a prompt was turned away, Inspect puts the provider's complaint in the model's mouth."""
    content, finish = choice.message.content, ENDS.get(choice.stop_reason, "stop")
    if finish != "stop" and not spoke:
        return Choice("", finish=finish)
    if isinstance(content, str):
        return Choice(content, finish=finish)
    thoughts = [(part.summary or "") if part.redacted else part.reasoning for part in content if part.type == "reasoning"]
    return Choice("".join(part.text for part in content if part.type == "text"), "\n".join(thoughts), finish)


def _cause(error: BaseException) -> BaseException:
    """What went wrong at the provider, without what Inspect and its retries wrap it in."""
    from tenacity import RetryError  # type: ignore[import-not-found,unused-ignore]

    if isinstance(error, RetryError):
        error = error.last_attempt.exception() or error
    return error.__cause__ or error if hasattr(error, "provider_message") else error


def _words(error: BaseException, key: str | None) -> str:
    """What an error says, in one short line without markup or keys."""
    words = str(getattr(error, "message", "") or error or type(error).__name__)
    for secret in filter(None, (key, *_secrets())):
        words = words.replace(secret, "***")
    return " ".join(re.sub(r"\[/?[a-z]+\]", "", words).removeprefix("ERROR: ").split())[:SHOWN].rstrip(".")


def _secrets() -> Iterator[str]:
    """What the environment holds for providers' eyes only."""
    for name, value in os.environ.items():
        if re.search("KEY|TOKEN|SECRET|PASSWORD", name) and len(value) >= 8:
            yield value
