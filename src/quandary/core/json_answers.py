"""Answers with a process, as JSON: asks for them, and judges both parts.

After LogicGame, which judges the answer (right or wrong), the process (how far it agrees, read from
the left) and both together.  The paper leaves some details open.  Here the score of the process is
the length of the common prefix divided by the length of the longer text, both written without
blanks; values are equal only if they are written the same way, so 1 is not "1".
The parts whose names start with "lenient" ignore such differences.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from .contract import Language, Verdict
from .errors import Unreadable
from .json_replies import JSON_FENCE, json_text, last_object, parsed, worded
from .words import Say, say_in

PARTS = ("answer", "process", "answer_and_process", "lenient_answer", "lenient_answer_and_process")
NO_JSON, MALFORMED = "no_json", "malformed_json"  # kinds of errors of replies that are not judged
# `json.dumps` makes an encoder every time.
_encode = json.JSONEncoder(ensure_ascii=False).encode
_encode_canonical = json.JSONEncoder(
    ensure_ascii=False, separators=(",", ":"), sort_keys=True
).encode


def asked(language: Language, example: str, answer: str, process: str = "") -> str:
    """Return how an answer is written, for the end of a puzzle's rules; "" for no process."""
    say = say_in(__name__, language)
    if not process:
        return say(
            'Answer with one JSON object with the key "answer".\n"answer": {answer}\n'
            "Example of the format (unrelated to this puzzle): {example}",
            answer=answer,
            example=example,
        )
    return say(
        'Answer with one JSON object with the keys "answer" and "process".\n'
        '"answer": {answer}\n"process": {process}\n'
        "Example of the format (unrelated to this puzzle): {example}",
        answer=answer,
        process=process,
        example=example,
    )


def written(answer: object, process: object = None) -> str:
    """Return the JSON text of an answer; a process of None is left out."""
    return _encode(_fields(answer, process))


def judge_json(
    reply: str,
    answer: object,
    process: object = None,
    language: Language = "en",
    accepts: Callable[[object], bool] | None = None,
) -> Verdict:
    """Compare the JSON object in `reply` with the right answer and process.

    The score is 1.0 if both are exactly right.  Never raises.  Without a process (None), the answer
    alone decides.  `accepts` says whether another answer is right too, of strings in lists as deep
    as those of ours; a process that is the answer again must then be that answer.
    """
    say = say_in(__name__, language)
    text = json_text(reply)
    if text is None:
        feedback = say(
            "There is no JSON object in the reply; write one that starts with {start} ...",
            start='{"answer":',
        )
        return _nothing(NO_JSON, feedback)
    try:
        given = parsed(text)
    except Unreadable as reason:
        return _nothing(MALFORMED, worded(reason, language))
    fields = given if isinstance(given, dict) else {}
    wanted = _wanted(fields, answer, process, accepts)
    texts = {
        key: (canonical(fields[key]) if key in fields else "", canonical(value))
        for key, value in wanted.items()
    }
    right = {key: one == other for key, (one, other) in texts.items()}
    parts = _parts(fields, wanted, texts)
    wrong = [key for key in wanted if not right[key]]
    if not wrong:
        return Verdict(1.0, parts=parts)
    step = _first_wrong(fields.get("process"), wanted["process"]) if "process" in wrong else None
    missing = next((key for key in wanted if key not in fields), None)
    kind = f"missing_{missing}" if missing else f"wrong_{wrong[0]}"
    feedback = _missing(missing, say) if missing else _wrong(wrong, step, say)
    return Verdict(0.0, kind, feedback, parts=parts, first_wrong_step=step)


def unread_kind(reply: str) -> str:
    """Return the kind of error of a reply in which a reading found no answer.

    A JSON block that breaks off or does not parse is `malformed_json`; one that is not an object
    has no answer.  An object that is whole, but not where the answer was asked for, counts as none.
    """
    last = last_object(reply)
    if last is None and JSON_FENCE.search(reply):
        return judge_json(reply, None).kind
    is_broken = last == "" or (last is None and reply.rstrip().endswith("{"))
    return MALFORMED if is_broken else NO_JSON


def canonical(value: object) -> str:
    """Return a value in canonical form for comparison: no blanks, keys in order."""
    return _encode_canonical(value)


def is_alike(given: object, expected: object) -> bool:
    """Return whether two values are equal if 1, 1.0, "1" and " 1 " are."""
    if isinstance(given, (list, tuple)) and isinstance(expected, (list, tuple)):
        if given == expected and {*map(type, expected)} == {str}:  # the usual case, fast
            return True
        return len(given) == len(expected) and all(map(is_alike, given, expected))
    if isinstance(given, str) and isinstance(expected, str):
        return given == expected or given.strip() == expected.strip()
    return canonical(_forgiven(given)) == canonical(_forgiven(expected))


def agreement(one: str, other: str) -> float:
    """Return the length of the common prefix of two texts, as a share of the longer one."""
    low, high = 0, min(len(one), len(other))
    while low < high:  # the first `low` characters agree
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low / max(len(one), len(other), 1)


def _fields(answer: object, process: object) -> dict[str, object]:
    return {"answer": answer} if process is None else {"answer": answer, "process": process}


def _wanted(
    fields: dict[str, object],
    answer: object,
    process: object,
    accepts: Callable[[object], bool] | None,
) -> dict[str, object]:
    """Return what is right; if the given answer is another right one, that one."""
    if accepts is None or fields.get("answer") == answer:
        return _fields(answer, process)
    given = _forgiven(fields.get("answer"))
    if not _is_shaped(given, answer) or not accepts(given):
        return _fields(answer, process)
    return _fields(given, given if process == answer else process)


def _is_shaped(given: object, answer: object) -> bool:
    """Return whether a value consists of strings in lists as deep as those of the answer."""
    if not isinstance(answer, (list, tuple)):
        return isinstance(given, str)
    inner = answer[0] if answer else ""
    return isinstance(given, list) and all(_is_shaped(one, inner) for one in given)


def _nothing(kind: str, feedback: str) -> Verdict:
    return Verdict(0.0, kind, feedback, parts=tuple((name, 0.0) for name in PARTS))


def _parts(
    fields: dict[str, object], wanted: dict[str, object], texts: dict[str, tuple[str, str]]
) -> tuple[tuple[str, float], ...]:
    """Return the sub-scores of an answer, in the order of PARTS."""
    right = {key: one == other for key, (one, other) in texts.items()}
    alike = {
        key: right[key] or (key in fields and is_alike(fields[key], value))
        for key, value in wanted.items()
    }
    share = agreement(*texts["process"]) if "process" in texts else float(right["answer"])
    both = (all(right.values()), all(alike.values()))
    values = (right["answer"], share, both[0], alike["answer"], both[1])
    return tuple(zip(PARTS, map(float, values), strict=True))


def _missing(key: str, say: Say) -> str:
    if key == "answer":
        return say('The JSON object has no "answer".')
    return say('The JSON object has no "process".')


def _wrong(wrong: list[str], place: int | None, say: Say) -> str:
    if wrong == ["answer"]:
        return say('The "answer" is not right.')
    if wrong == ["process"]:
        return say('The "process" first goes wrong at entry {place}.', place=place)
    return say(
        'The "answer" is not right. The "process" first goes wrong at entry {place}.', place=place
    )


def _first_wrong(given: object, expected: object) -> int:
    """Return the first entry, counted from 1, at which two processes differ."""
    if not isinstance(given, list) or not isinstance(expected, Sequence):
        return 1
    pairs = zip(map(canonical, given), map(canonical, expected), strict=False)
    differing = (place for place, (one, other) in enumerate(pairs, start=1) if one != other)
    return next(differing, min(len(given), len(expected)) + 1)


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
