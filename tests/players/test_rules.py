"""Every rule of the reader changes how the reply beside it is read."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from quandary.matches.player import Reading
from quandary.models.provider import Generation
from quandary.players.reading import marks, reply, sentences, shapes, thinking, unmarked
from quandary.players.reading.rules import Rule, RulePattern

MODULES: tuple[ModuleType, ...] = (thinking, shapes, marks, sentences, unmarked, reply)


def _rules_in(value: object) -> list[Rule[Any]]:
    if isinstance(value, RulePattern):
        return [rule for rules in value.places.values() for rule in rules]
    is_table = isinstance(value, tuple) and not isinstance(value, Rule)
    return [rule for rule in value if isinstance(rule, Rule)] if is_table else []


TABLES = [
    (module, name, value)
    for module in MODULES
    for name, value in vars(module).items()
    if _rules_in(value)
]
RULES = list({id(rule): rule for _, _, value in TABLES for rule in _rules_in(value)}.values())


def _name(rule: Rule[Any]) -> str:
    return rule.way if isinstance(rule.way, str) else rule.way.__name__


def _read(rule: Rule[Any]) -> Reading:
    shapes.fences.cache_clear()
    return reply.read(Generation(rule.reply, finish=rule.finish), rule.form).lenient


def _without(value: Any, rule: Rule[Any]) -> Any:
    if isinstance(value, RulePattern):
        return value.without(rule)
    return tuple(one for one in value if one is not rule)


@pytest.mark.parametrize("rule", RULES, ids=_name)
def test_a_rule_changes_how_its_reply_is_read(
    rule: Rule[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With it, the reply is read as it should be; without it, as something else or not at all."""
    with_it = _read(rule)
    for module, name, value in TABLES:
        if any(one is rule for one in _rules_in(value)):
            monkeypatch.setattr(module, name, _without(value, rule))

    assert rule.answer == with_it.answer
    assert with_it != _read(rule)


def test_every_table_of_rules_is_taken_into_account() -> None:
    """A module that is not in the list would hold rules that nothing tests."""
    assert {rule for module in MODULES for rule in _rules_of(module)} == {*map(id, RULES)}
    assert len(RULES) > 100


def _rules_of(module: ModuleType) -> set[int]:
    return {id(rule) for value in vars(module).values() for rule in _rules_in(value)}
