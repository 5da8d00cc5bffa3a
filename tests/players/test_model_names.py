"""Model players' names."""

from __future__ import annotations

from dataclasses import replace

import pytest

from quandary.core.errors import UserError
from quandary.models.provider import Decoding
from quandary.players.model_names import is_model, parse, prompt_choices
from quandary.players.prompts.settings import PromptSettings
from quandary.programs.library import is_program


def test_a_name_says_how_a_model_is_asked() -> None:
    """What it says wins, what it leaves open comes from the suite."""
    named = parse(
        "openai/org/gpt-4.1,shots=1,history=no,prompting=tree,temperature=0.5,seed=7",
        PromptSettings(list_moves=True),
        Decoding(max_tokens=9),
    )

    assert ("openai", "org/gpt-4.1") == named[:2]
    assert (
        PromptSettings(shots=1, history=False, list_moves=True, prompting="tree")
        == named.prompt_settings
    )
    assert Decoding(temperature=0.5, max_tokens=9, seed=7) == named.decoding


@pytest.mark.parametrize("setting", ["temperature", "top_p", "max_tokens", "seed"])
def test_none_unsets_what_a_suite_sets(setting: str) -> None:
    """The server's default holds then; `reasoning_effort`, of which `none` is a value, is unset by
    nothing at all.
    """
    suite = Decoding(0.5, 0.9, 50, 7, reasoning_effort="low")
    named = parse(f"openai/x,{setting}=none", PromptSettings(), suite)
    assert replace(suite, **{setting: None}) == named.decoding

    named = parse("openai/x,reasoning_effort=", PromptSettings(), suite)
    assert named.decoding.reasoning_effort is None
    named = parse("openai/x,reasoning_effort=none", PromptSettings(), suite)
    assert "none" == named.decoding.reasoning_effort


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("openai/", "PROVIDER/NAME"),
        ("/gpt", "PROVIDER/NAME"),
        ("openai/x,shot=1", "did you mean 'shots='"),
        ("openai/x,shots", "did you mean 'shots='"),
        ("openai/x,shots=9", "0 to 5 examples"),
        ("openai/x,shots=one", "write a whole number"),
        ("openai/x,history=maybe", "history=yes or history=no"),
        ("openai/x,prompting=trees", "did you mean 'tree'"),
        ("openai/x,language=cn", "unknown language 'cn'"),
        ("openai/x,temperature=warm", "write a number, or none to unset it"),
        ("openai/x,shots=none", "write a whole number\\."),
        ("openai/x,temperature=nan", "write a number"),
        ("openai/x,max_tokens=0", "a number from 1"),
        ("openai/x,shots=1,shots=2", "sets shots twice"),
        ("openai/x,prompting=tree,temperature=0", "set a temperature above 0"),
        ("openai/x,prompting=tree,body.temperature=0.0", "set a temperature above 0"),
        ("openai/x,temperature=1,prompting=tree,body.temperature=0", "set a temperature above 0"),
        ("openai/x,header.Authorization=abc", "may be a secret"),
        ("openai/x,header.api-key=abc", "may be a secret"),
        ("openai/x,header.X-Any=sk-abc", "may be a secret"),
        ("openai/x,headers=abc", "unknown setting"),
        ("openai/x,body=5", "body.NAME=VALUE"),
        ("openai/x,body.messages=5", "which quandary sets"),
        ("openai/x,stop=", "is empty"),
    ],
)
def test_wrong_names_get_a_sentence(name: str, advice: str) -> None:
    """Each says what to write instead."""
    with pytest.raises(UserError, match=advice):
        parse(name, PromptSettings(), Decoding())


def test_models_are_told_from_strategies() -> None:
    """By the stroke in their names."""
    assert is_model("local/smollm2,shots=1")
    assert not is_model("oracle@500")


def test_programs_are_no_models() -> None:
    """The prefix `program/` means a file, not a provider."""
    assert is_program("program/x.py")
    assert not is_model("program/x.py")
    assert is_model("openai/program/x.py")
    assert not is_program("openai/program/x.py")


def test_wrong_names_repeat_no_value() -> None:
    """It may be a secret that was given by mistake."""
    for name in (
        "openai/x,header.Authorization=abcdef",
        "openai/x,header.X-Any=sk-abcdef",
        "openai/x,header.Api-Key=abcdef,shots=1,shots=1",
        "openai/x,hedder.Api-Key=abcdef",
    ):
        with pytest.raises(UserError) as caught:
            parse(name, PromptSettings(), Decoding())
        assert "abcdef" not in str(caught.value)


def test_values_of_fields_are_json_or_text() -> None:
    """Dots make objects; what is not JSON is a text."""
    named = parse(
        "openai/x,body.a=1,body.b.c=true,body.b.d=high,body.e=null,chat_template_kwargs.f=0.5",
        PromptSettings(),
        Decoding(body={"a": 0, "b": {"x": 9}}),
    )
    assert {"a": 1, "b": {"x": 9, "c": True, "d": "high"}, "e": None} == named.decoding.body
    assert {"f": 0.5} == named.decoding.chat_template_kwargs


def test_a_recorded_name_is_read_without_its_files() -> None:
    """Only how its replies were read and thought about; nothing is refused any more."""
    name = "openai/x,system=@gone.txt,prompting=tree,temperature=0,parsing=strict"
    choices = prompt_choices(name, PromptSettings(shots=2))

    assert PromptSettings(shots=2, prompting="tree", parsing="strict") == choices
