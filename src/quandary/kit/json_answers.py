"""Answers with a process, as JSON: finding them in a reply and comparing both with the key.

After LogicGame, which judges the answer (right or wrong), the process (how far it agrees, from the
left) and both together.  The paper leaves some of this open.  Here the process counts the
characters both texts share from their start, over the length of the longer one, both written
without blanks; values are equal when they are written alike, so 1 is not "1".
What a more lenient comparison would say is reported too, in the parts that start with "lenient".
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from itertools import takewhile
from operator import eq

from quandary.core.contract import Language, Verdict

LONGEST = 1_000_000  # characters; no process that is asked for comes near
DEEPEST = 40  # lists within lists
PARTS = ("answer", "process", "answer_and_process", "lenient_answer", "lenient_answer_and_process")
JSON_FENCE = re.compile(r"```[ \t]*json", re.IGNORECASE | re.ASCII)
ASKED = {
    "en": 'Answer with one JSON object with the keys "answer" and "process".\n'
    '"answer": {answer}\n"process": {process}\n'
    "The form, shown with another case: {example}",
    "zh": '请用一个 JSON 对象作答，其中含有 "answer" 和 "process" 两个键。\n'
    '"answer"：{answer}\n"process"：{process}\n'
    "格式示例（与本题无关）：{example}",
}
ASKED_ALONE = {
    "en": 'Answer with one JSON object with the key "answer".\n"answer": {answer}\nThe form, shown with another case: {example}',
    "zh": '请用一个 JSON 对象作答，其中只含有 "answer" 一个键。\n"answer"：{answer}\n格式示例（与本题无关）：{example}',
}
FAULTS = {
    "en": {
        "no_json": 'There is no JSON object in the reply; write one that starts with {"answer": ...',
        "syntax": "The JSON object cannot be read: see line {0}, character {1} of it.",
        "number": "The JSON object cannot be read: it holds a number that JSON does not have, or one with too many digits.",
        "repeated": "The JSON object cannot be read: it gives one key twice.",
        "deep": "The JSON object cannot be read: its lists are nested too deeply.",
        "long": "The JSON object cannot be read: it is far too long.",
        "missing_answer": 'The JSON object has no "answer".',
        "missing_process": 'The JSON object has no "process".',
        "wrong_answer": 'The "answer" is not right.',
        "wrong_process": 'The "process" first goes wrong at entry {0}.',
    },
    "zh": {
        "no_json": '回答中没有 JSON 对象；请写出一个以 {"answer": 开头的对象。',
        "syntax": "JSON 对象无法解析：请检查其中第 {0} 行第 {1} 个字符。",
        "number": "JSON 对象无法解析：其中有 JSON 不允许的数，或位数过多的数。",
        "repeated": "JSON 对象无法解析：同一个键出现了两次。",
        "deep": "JSON 对象无法解析：列表嵌套过深。",
        "long": "JSON 对象无法解析：内容过长。",
        "missing_answer": 'JSON 对象中缺少 "answer"。',
        "missing_process": 'JSON 对象中缺少 "process"。',
        "wrong_answer": '"answer" 不正确。',
        "wrong_process": '"process" 从第 {0} 项开始出错。',
    },
}


class Malformed(ValueError):
    """Text that was meant as JSON and is none; carries a key of FAULTS and its details."""

    def __init__(self, fault: str, *details: int) -> None:
        super().__init__(fault)
        self.fault, self.details = fault, details


def asked(language: Language, example: str, answer: str, process: str = "") -> str:
    """How to write an answer, for the end of a puzzle's rules; `process` may be empty."""
    form = ASKED if process else ASKED_ALONE
    return form[language].format(answer=answer, process=process, example=example)


def written(answer: object, process: object = None) -> str:
    """The JSON text of an answer; a process of None is left out."""
    return json.dumps(
        {"answer": answer} if process is None else {"answer": answer, "process": process},
        ensure_ascii=False,
    )


def judge_json(said: str, answer: object, process: object = None, language: Language = "en") -> Verdict:
    """Compare the JSON object in `said` with the key; the score is 1.0 when all of it is right.

    Never raises.  Where no process is asked for (None), the answer decides everything.
    """
    faults = FAULTS[language]
    text = json_text(said)
    if text is None:
        return _nothing("no_json", faults["no_json"])
    try:
        given = parsed(text)
    except Malformed as reason:
        return _nothing("malformed_json", faults[reason.fault].format(*reason.details))
    fields = given if isinstance(given, dict) else {}
    wanted = {"answer": answer} if process is None else {"answer": answer, "process": process}
    right = {key: key in fields and canonical(fields[key]) == canonical(value) for key, value in wanted.items()}
    alike = {key: key in fields and lenient(fields[key]) == lenient(value) for key, value in wanted.items()}
    share = float(right["answer"]) if process is None else agreement(fields["process"], process) if "process" in fields else 0.0
    values = (right["answer"], share, all(right.values()), alike["answer"], all(alike.values()))
    parts = tuple(zip(PARTS, map(float, values), strict=True))
    missing = [f"missing_{key}" for key in wanted if key not in fields]
    wrong = [f"wrong_{key}" for key in wanted if not right[key]]
    if missing:
        return Verdict(0.0, missing[0], faults[missing[0]], parts=parts)
    if wrong:
        place = _first_wrong(fields["process"], process) if "wrong_process" in wrong else 0
        between = "" if language == "zh" else " "
        return Verdict(0.0, wrong[0], between.join(faults[kind].format(place) for kind in wrong), parts=parts)
    return Verdict(1.0, parts=parts)


def json_text(said: str) -> str | None:
    """The part of a reply meant as its JSON object; None where there is no brace.

    That is the last json fence, else the last fence with a brace in it, else the widest stretch
    between braces.
    """
    tagged = [fence.end() for fence in JSON_FENCE.finditer(said)]
    if tagged:
        return said[tagged[-1] :].partition("```")[0]
    for fenced in reversed(said.split("```")[1::2]):
        if "{" in fenced:
            return fenced[fenced.index("{") :]
    start, end = said.find("{"), said.rfind("}")
    if start < 0:
        return None
    return said[start : end + 1] if end > start else said[start:]


def parsed(text: str) -> object:
    """The value of a JSON text, or Malformed: strict JSON, unique keys, no NaN, limited depth."""
    if len(text) > LONGEST:
        raise Malformed("long")
    try:
        value = json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except json.JSONDecodeError as reason:
        raise Malformed("syntax", reason.lineno, reason.colno) from None
    except RecursionError:
        raise Malformed("deep") from None
    except Malformed:
        raise
    except ValueError:  # Python refuses to read integers of thousands of digits
        raise Malformed("number") from None
    level: list[object] = [value]
    for _ in range(DEEPEST):
        level = [inner for outer in level for inner in _inside(outer)]
    if level:
        raise Malformed("deep")
    return value


def canonical(value: object) -> str:
    """A value in the one way it is written for comparison: no blanks, keys in order."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, sort_keys=True)


def lenient(value: object) -> str:
    """A value written for a comparison in which 1, 1.0, "1" and " 1 " are equal."""
    return canonical(_forgiven(value))


def agreement(given: object, expected: object) -> float:
    """The share of characters two values have in common from the left, over the longer length."""
    one, other = canonical(given), canonical(expected)
    shared: int = sum(takewhile(bool, map(eq, one, other)))
    return shared / max(len(one), len(other))


def _nothing(kind: str, feedback: str) -> Verdict:
    return Verdict(0.0, kind, feedback, parts=tuple((name, 0.0) for name in PARTS))


def _first_wrong(given: object, expected: object) -> int:
    """The first entry, counted from 1, at which two processes differ."""
    if not isinstance(given, list) or not isinstance(expected, Sequence):
        return 1
    pairs = zip(map(canonical, given), map(canonical, expected), strict=False)
    return next(
        (place for place, (one, other) in enumerate(pairs, start=1) if one != other),
        min(len(given), len(expected)) + 1,
    )


def _inside(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise Malformed("repeated")
    return fields


def _no_constant(name: str) -> object:
    raise Malformed("number")


def _forgiven(value: object) -> object:
    if isinstance(value, dict):
        return {key: _forgiven(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_forgiven(inner) for inner in value]
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    return value.strip() if isinstance(value, str) else value
