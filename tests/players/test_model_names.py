"""Model players' names."""

from __future__ import annotations

from dataclasses import replace

import pytest

from quandary.core.errors import UserError
from quandary.models.provider import Decoding
from quandary.players.model_names import is_model, is_program, parse
from quandary.players.prompts.settings import PromptSettings


def test_a_name_says_how_a_model_is_asked() -> None:
    """What it says wins, what it leaves open comes from the suite."""
    named = parse(
        "openai/org/gpt-4.1,shots=1,history=no,thoughts=tree,temperature=0.5,seed=7",
        PromptSettings(legal=True),
        Decoding(max_tokens=9),
    )

    assert ("openai", "org/gpt-4.1") == named[:2]
    assert (
        PromptSettings(shots=1, history=False, legal=True, thoughts="tree") == named.prompt_settings
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
        ("openai/x,thoughts=trees", "did you mean 'tree'"),
        ("openai/x,language=zh", "unknown setting"),
        ("openai/x,temperature=warm", "write a number, or none to unset it"),
        ("openai/x,shots=none", "write a whole number\\."),
        ("openai/x,temperature=nan", "write a number"),
        ("openai/x,max_tokens=0", "1 or more"),
        ("openai/x,shots=1,shots=2", "sets shots twice"),
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
