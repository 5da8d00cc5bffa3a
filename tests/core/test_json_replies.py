"""Finding the JSON object in a reply: where it is looked for, and what is wrong with it."""

from __future__ import annotations

import pytest

from quandary.core.errors import Unreadable
from quandary.core.json_replies import (
    MOST_BROKEN,
    committed_object,
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
        ('{"答案": ["答案"], "过程" : [1]}', '{"answer": ["答案"], "process" : [1]}'),
        ("｛“answer”：［“a”，“b”］｝", '{"answer":["a","b"]}'),
        ('{"answer": "“a”，b"}', '{"answer": "“a”，b"}'),
    ],
    ids=[
        *("last", "braces", "broken", "cut", "quotes", "keys", "deep", "many", "none"),
        *("Chinese keys", "Chinese signs", "signs in a string"),
    ],
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


FENCED = '```json\n{"answer": 1}\n```'


@pytest.mark.parametrize(
    ("said", "cut", "in_fence", "expected"),
    [
        (f'{FENCED} or {{"answer": 2}}', False, True, '{"answer": 1}'),
        (f'{FENCED} or {{"answer": 2}}', False, False, '{"answer": 2}'),
        ('So {"answer": 2}', False, True, '{"answer": 2}'),
        ("```json\n[1]\n```", False, True, ""),
        ("none", False, True, None),
        (f"{FENCED} and then", True, True, '{"answer": 1}'),
        (f"{FENCED} and then", True, False, '{"answer": 1}'),
        ('So {"answer": 2}', True, False, '{"answer": 2}'),
        ('So {"answer": 2} and then', True, False, ""),
        ('```\n{"answer": 2}\nand then', True, False, ""),
    ],
)
def test_the_object_a_reply_commits_to(
    said: str, cut: bool, in_fence: bool, expected: str | None
) -> None:
    """In a fence where one was asked for; before a cut only in a closed fence or at the end."""
    assert committed_object(said, cut, in_fence=in_fence) == expected
