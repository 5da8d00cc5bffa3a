"""The provider to Transformers: its real code, over a model of a few thousand weights that was
never trained.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest

pytest.importorskip("torch", reason="torch is not installed; pip install 'quandary[hf]'")
pytest.importorskip(
    "transformers", reason="transformers is not installed; pip install 'quandary[hf]'"
)

import torch
import transformers

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
from quandary.models.providers.hugging_face import HuggingFaceProvider

T = TypeVar("T")
LETTERS = "abcdefghijklmnopqrstuvwxyz ."
CONTEXT = 128
TEMPLATE = """{%- for message in messages -%}
{%- if message.role == "system" -%}{{ raise_exception("no system here") }}{%- endif -%}
<s>{{ message.content }}</s>{%- endfor -%}{%- if add_generation_prompt -%}<s>{%- endif -%}"""
GREEDY = Decoding(temperature=0.0, max_tokens=20)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A random model whose tokens are letters, so that tokens can be counted by hand."""
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers

    place = str(tmp_path_factory.mktemp("tiny"))
    names = ["<pad>", "<s>", "</s>", *LETTERS]
    letters = Tokenizer(
        models.WordLevel({name: number for number, name in enumerate(names)}, unk_token="<pad>")
    )
    letters.pre_tokenizer = pre_tokenizers.Split(Regex("."), "isolated")
    letters.decoder = decoders.Fuse()
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=letters,
        pad_token="<pad>",
        bos_token="<s>",
        eos_token="</s>",
        chat_template=TEMPLATE,
    )
    fast.save_pretrained(place)
    torch.manual_seed(1)
    shape = {
        "hidden_size": 16,
        "intermediate_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
    }
    sizes = {"vocab_size": len(names), "max_position_embeddings": CONTEXT, "initializer_range": 0.5}
    model = transformers.LlamaForCausalLM(transformers.LlamaConfig(**shape, **sizes))
    model.generation_config = transformers.GenerationConfig(
        bos_token_id=1, eos_token_id=2, pad_token_id=0, suppress_tokens=[0, 1]
    )
    model.save_pretrained(place)
    return place


def asking(words: str, decoding: Decoding = GREEDY, n: int = 1) -> Request:
    return Request((Message("user", (words,)),), decoding, n)


def behind(name: str, use: Callable[[HuggingFaceProvider], Awaitable[T]]) -> T:
    """What comes of using a provider, which is closed afterwards."""

    async def used() -> T:
        provider = HuggingFaceProvider(name)
        try:
            return await use(provider)
        finally:
            await provider.close()

    return asyncio.run(used())


def test_the_words_of_the_model_itself(folder: str) -> None:
    """At temperature 0 the reply is the likeliest letter each time, by the model's own numbers and
    its own template.
    """
    reply = behind(folder, lambda provider: provider.ask(asking("hello there")))
    model = transformers.AutoModelForCausalLM.from_pretrained(folder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    ids = tokenizer("<s>hello there</s><s>", return_tensors="pt").input_ids
    read = ids.shape[1]
    assert 14 == read
    with torch.inference_mode():
        while ids.shape[1] < read + 20 and (ids.shape[1] == read or ids[0, -1] != 2):
            ids = torch.cat([ids, model(ids).logits[:, -1:, 2:].argmax(-1) + 2], 1)
    text = tokenizer.decode(ids[0, read:], skip_special_tokens=True)
    finish = "stop" if ids[0, -1] == 2 else "length"
    assert (
        Completion((Generation(text, finish=finish),), Usage(14, ids.shape[1] - read), folder)
        == reply
    )


def test_seeds(folder: str) -> None:
    """A seed gives the same reply again, another seed another, and torch's own luck is left as it
    was.
    """

    async def use(provider: HuggingFaceProvider) -> list[Completion]:
        return [
            await provider.ask(
                asking("abc", Decoding(temperature=1.0, top_p=0.9, max_tokens=9, seed=seed))
            )
            for seed in (1, 2, 1, -1)
        ]

    torch.manual_seed(5)
    before = torch.random.get_rng_state()
    one, two, again, below = behind(folder, use)
    assert one == again
    assert 3 == len({reply.generations for reply in (one, two, below)})
    assert torch.equal(before, torch.random.get_rng_state())


def test_ends_of_replies(folder: str) -> None:
    """A model that is done, tokens that run out, a stop word and a prompt without room are told
    apart.
    """

    async def use(provider: HuggingFaceProvider) -> list[Completion]:
        whole = await provider.ask(asking("zebra", Decoding(temperature=0.0, max_tokens=8)))
        letter = whole.generations[0].text[4]
        stopped = await provider.ask(
            asking("zebra", Decoding(temperature=0.0, max_tokens=8, stop=(letter, "?")))
        )
        long = await provider.ask(asking("a" * CONTEXT))
        drawn = [
            await provider.ask(asking("a", Decoding(temperature=1.0, seed=seed)))
            for seed in range(5)
        ]
        return [whole, stopped, long, *drawn]

    whole, stopped, long, *drawn = behind(folder, use)
    assert ("length", 8, 8) == (
        whole.generations[0].finish,
        len(whole.generations[0].text),
        whole.usage.written,
    )
    [cut] = stopped.generations
    assert whole.generations[0].text.partition(whole.generations[0].text[4])[0] == cut.text
    assert "stop" == cut.finish
    assert Completion((Generation("", finish="length"),), Usage(0, 0), folder) == long
    # with no largest number of tokens they go on until they are done or the context is full
    for reply in drawn:
        [choice], usage = reply.generations, reply.usage
        assert usage.written == (len(choice.text) + 1 if choice.finish == "stop" else CONTEXT - 4)
    assert "stop" in {reply.generations[0].finish for reply in drawn}


def test_several_replies(folder: str) -> None:
    """As many replies as were asked for where luck makes them differ, and one where it cannot."""

    async def use(provider: HuggingFaceProvider) -> list[Completion]:
        drawn = Decoding(temperature=1.0, max_tokens=30, seed=3)
        return [
            await provider.ask(asking("abc", drawn, n=4)),
            await provider.ask(asking("abc", n=4)),
        ]

    drawn, greedy = behind(folder, use)
    assert 4 == len(drawn.generations)
    assert 1 < len(set(drawn.generations))
    assert drawn.usage.written == sum(
        len(each.text) + (each.finish == "stop") for each in drawn.generations
    )
    assert 1 == len(greedy.generations)


def test_a_call_that_is_given_up(folder: str) -> None:
    """The next call does not wait for words that nobody hears."""

    async def use(provider: HuggingFaceProvider) -> None:
        await provider.ask(asking("a", Decoding(max_tokens=1)))
        assert provider.loaded is not None
        provider.loaded.model.config.max_position_embeddings = 100_000
        provider.loaded.model.generation_config.eos_token_id = None
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(provider.ask(asking("a")._replace(decoding=Decoding(0.0))), 0.2)
        # Hundreds of times what this takes; 100,000 tokens would take longer.
        await asyncio.wait_for(provider.ask(asking("a", Decoding(max_tokens=1))), 60.0)

    behind(folder, use)


def test_mistakes(folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be loaded, shown or talked to is told in one sentence."""
    with pytest.raises(UserError, match=r"^Transformers cannot load .*\.$"):
        behind(str(tmp_path), lambda provider: provider.ask(asking("a")))
    with pytest.raises(UserError, match="show it the position in text"):
        behind(
            folder, lambda provider: provider.ask(Request((Message("user", (Picture(b"png"),)),)))
        )
    with pytest.raises(ProviderError, match="refuses these messages: no system here") as error:
        behind(folder, lambda provider: provider.ask(Request((Message("system", ("a",)),))))
    assert not error.value.retry
    monkeypatch.setattr("quandary.models.providers.hugging_face.find_spec", lambda name: None)
    with pytest.raises(UserError, match=r"pip install 'quandary\[hf\]'"):
        HuggingFaceProvider(folder)


def test_a_model_that_was_not_made_for_chat(folder: str, tmp_path: Path) -> None:
    """A model without a chat template is a mistake, not a guess at how to talk to it."""
    for file in Path(folder).iterdir():
        if file.suffix != ".jinja":
            (tmp_path / file.name).write_bytes(file.read_bytes())
    with pytest.raises(UserError, match="has no chat template"):
        behind(str(tmp_path), lambda provider: provider.ask(asking("a")))
