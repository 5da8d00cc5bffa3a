"""Finding the JSON object in a reply: where it is looked for, and what is wrong with it."""

from __future__ import annotations

import pytest

from quandary.core.errors import Unreadable
from quandary.kit.json_replies import (
    MOST_BROKEN,
    json_text,
    last_answer,
    last_object,
    parsed,
    worded,
)


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


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": "two\nlines"}', {"a": "two\nlines"}),
        ('{"a": "a\ttab"}', {"a": "a\ttab"}),
        ('{"a": "\\(x \\le 3\\)"}', {"a": "\\(x \\le 3\\)"}),
        ('{"a": "\\\\(x\\\\)"}', {"a": "\\(x\\)"}),
        ('{"a": "\\n\\u0041\\underline{A}"}', {"a": "\nA\\underline{A}"}),
    ],
    ids=["line break", "tab", "LaTeX", "escaped LaTeX", "escapes"],
)
def test_strings_as_models_write_them(text: str, value: object):
    """Raw line breaks and backslashes of LaTeX are part of a string; escapes keep their meaning."""
    assert parsed(text) == value
    assert parsed(last_object(f"So:\n{text}\n") or "") == value


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ('First {"a": 1}, then {"b": {"c": 2}}.', '{"b": {"c": 2}}'),
        ('A set {x}, \\frac{1}{2} and {"a": "}"} and {y}', '{"a": "}"}'),
        ('{"a": {"b": 1}', ""),
        ('{"a": 1} {"b": ', ""),
        ("{'a': 1}", ""),
        ("{a: 1}", ""),
        ('{"a":' * 100_000, ""),
        ('{"a" ' * (MOST_BROKEN + 1) + '{"a": 1}', ""),
        ("none", None),
    ],
    ids=["last", "braces", "broken", "cut", "quotes", "keys", "deep", "many", "none"],
)
def test_the_last_object(said: str, expected: str | None):
    """Whole and not within another one; nothing is read out of a broken object."""
    assert last_object(said) == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ('So {"answer": "ab"}.', ("So ", "ab", ".")),
        ('{"answer": 1} {"why": "\\(x\n", "answer": [2, "3"]}', ('{"answer": 1} ', '[2, "3"]', "")),
        ('{"answer": 1} {"a": 2}', None),
        ('{"answer": null}', None),
        ('{"answer": 1, "answer": 2}', None),
        ('{"answer": 1', None),
        ('{"a": {"answer": 1}}', None),
        ('{"answer": ' + "9" * 5_000 + "}", None),
        ('{"answer": ' + "[" * 50_000 + "]" * 50_000 + "}", None),
        ('"answer": 1', None),
    ],
)
def test_the_answer_of_the_last_object(said: str, expected: tuple[str, str, str] | None):
    """Only of a whole object, and only its own key."""
    assert last_answer(said) == expected
