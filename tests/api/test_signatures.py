"""Signatures of the public API: editors show every setting with its type."""

from __future__ import annotations

import inspect
import re
from typing import Any

import pytest

import quandary as q
from quandary.players.prompts.settings import PromptSettings

CALLABLES = {name: getattr(q, name) for name in q.__all__ if callable(getattr(q, name))}
CALLABLES |= {
    f"Session.{name}": method
    for name, method in vars(q.Session).items()
    if inspect.isfunction(method) and not name.startswith("_")
}
# The values of a phrase have the names that the phrase gives them.
OF_A_PHRASE = ("Unreadable",)


def kinds_of(function: Any) -> set[inspect._ParameterKind]:
    return {one.kind for one in inspect.signature(function).parameters.values()}


@pytest.mark.parametrize("name", sorted(CALLABLES.keys() - {*OF_A_PHRASE}))
def test_no_public_callable_hides_its_settings(name: str) -> None:
    """None takes keywords that its signature does not name."""
    if not (isinstance(found := CALLABLES[name], type) and issubclass(found, BaseException)):
        assert inspect.Parameter.VAR_KEYWORD not in kinds_of(found)


@pytest.mark.parametrize("name", ["Session", "prompt"])
def test_prompt_settings_are_parameters(name: str) -> None:
    """Each with the type and the default that prompts have, and described in the docstring."""
    parameters = inspect.signature(CALLABLES[name]).parameters
    for setting, default in vars(PromptSettings()).items():
        assert default == parameters[setting].default
        assert PromptSettings.__annotations__[setting] == parameters[setting].annotation
    described = re.findall(r"^ *\* \*\*(\w+)\*\* - ", CALLABLES[name].__doc__, re.MULTILINE)
    assert list(parameters) == described


@pytest.mark.parametrize("name", ["match", "run"])
def test_parameters_are_described(name: str) -> None:
    parameters = inspect.signature(CALLABLES[name]).parameters
    described = re.findall(r"^ *\* \*\*(\w+)\*\* - ", CALLABLES[name].__doc__, re.MULTILINE)

    assert list(parameters) == described


@pytest.mark.parametrize("name", ["Session", "prompt"])
def test_an_unknown_setting_is_refused_with_the_nearest(name: str) -> None:
    with pytest.raises(q.UserError, match="unknown prompt setting 'shoots'; did you mean 'shots'"):
        CALLABLES[name]("sudokill/easy#7", shoots=1)
