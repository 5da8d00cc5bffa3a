"""Finding the JSON object in a reply: where it is looked for, and what is wrong with it."""

from __future__ import annotations

import pytest

from quandary.core.errors import Unreadable
from quandary.kit.json_replies import json_text, parsed, worded


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ('{"a": 1}', '{"a": 1}'),
        ('Thus {"a": 1}, I think.', '{"a": 1}'),
        ('{"a": {"b": 2}} or {"c": 3}', '{"a": {"b": 2}} or {"c": 3}'),
        ('```json\n{"a": 1}\n```', '\n{"a": 1}\n'),
        ('```json\n{"a": 1}\n```\n```json\n{"a": 2}\n```', '\n{"a": 2}\n'),
        ('```JSON\n{"a": 1}\n``` as shown in\n```\n{"b": 2}\n```', '\n{"a": 1}\n'),
        ('```\n{"a": 1}\n```\nand\n```\n{"b": 2}\n```', '{"b": 2}\n'),
        ('```\n*0*\n``` gives {"a": 1}', '{"a": 1}'),
        ('```json\n{"a": [1', '\n{"a": [1'),
        ("{[(", "{[("),
        ("} {", "{"),
        ("none", None),
    ],
)
def test_where_the_object_is_looked_for(said: str, expected: str | None):
    """The last json fence wins, then the last fence with a brace, then all between braces."""
    assert json_text(said) == expected


@pytest.mark.parametrize(
    ("text", "english", "chinese"),
    [
        ('{"a": 1,\n "b" 2}', "line 2, character 6", "第 2 行第 6 个字符"),
        ('{"a": 1, "a": 2}', "the same key twice", "同一个键出现了两次"),
        ('{"a": NaN}', "a number that JSON does not allow", "JSON 不允许的数"),
        ('{"a": ' + "1" * 5_000 + "}", "too many digits", "位数过多"),
        ("[" * 60 + "]" * 60, "nested too deeply", "嵌套过深"),
        ("[" * 200_000, "nested too deeply", "嵌套过深"),
        ('"' + "a" * 1_000_000 + '"', "far too long", "内容过长"),
    ],
    ids=["syntax", "twice", "constant", "digits", "deep", "bottomless", "long"],
)
def test_what_is_wrong_is_said_in_both_languages(text: str, english: str, chinese: str):
    """A text that is not strict JSON is refused with the reason."""
    with pytest.raises(Unreadable) as refusal:
        parsed(text)

    assert english in worded(refusal.value, "en")
    assert chinese in worded(refusal.value, "zh")


def test_nesting_within_the_limit_is_read():
    """Forty lists within each other are read."""
    text = "[" * 40 + "]" * 40

    assert str(parsed(text)) == text
