"""Takes the answer out of a model's reply, in time that is linear in the text.

Nothing is read out of thinking.  If the last explicit mark leads nowhere, nothing takes its place.
"""

from __future__ import annotations

from collections.abc import Callable

from quandary.core.json_replies import committed_object, json_fence
from quandary.core.late_pattern import late_pattern
from quandary.matches.player import Reading, Readings
from quandary.models.provider import Generation

from .marks import last_mark
from .rules import Rule, pattern_of
from .sentences import REFUSED, ends_in_colon, spoken
from .shapes import Form, fences, found, is_prose, joined, paragraphs, whole
from .thinking import separate
from .unmarked import unmarked
from .version import READER

ASKED_FOR = late_pattern(r"(?ms)^```\w{0,20}[ \t]*\n(?P<answer>.*)\n```\s*")
# Models without dialogue training continue with a question of their own.
NEXT_QUESTION = pattern_of(
    r"(?m)(?<=\S)\s*\n%(heading)s",
    heading=(
        Rule(
            r"#{2,4} Question:", "[[12]]\n\n### Question:\nAnd 3?\n\n### Answer:\n[[3]]", "[[12]]"
        ),
    ),
)


def read(generation: Generation, form: Form, *, opened: bool = False) -> Readings:
    """Return the answer to a puzzle of this form; `opened` where the prompt had opened the
    thinking.
    """
    _, text, unclosed = separate(generation, opened)
    text = NEXT_QUESTION.split(text, 1)[0] if "# Question:" in text else text
    cut = generation.finish == "length"
    missing = Reading("truncated" if cut else "unreadable")
    if generation.finish == "refused" or unclosed:
        lenient = Reading("refused" if generation.finish == "refused" else "truncated")
    else:
        lenient = _lenient(text, form, cut) if text.strip() else Reading("empty")
    if lenient.status != "answered":
        lenient = missing if cut else lenient  # thinking may have used all tokens
        return Readings(lenient, lenient, READER)
    answer = _strict(text, form)
    is_strict = answer and (form in ("line", "block") or answer == lenient.answer)
    return Readings(found(answer) if is_strict else missing, lenient, READER)


def _strict(text: str, form: Form) -> str:
    """Return what is in a fence at the end with lines to itself, or in any that names JSON;
    or "".
    """
    if form == "json_fence":
        fence = json_fence(text)
        return fence.content.strip() if fence and fence.is_closed else ""
    held = fences(text)
    asked = ASKED_FOR.fullmatch(text, held[-1][0] if held else 0)
    answer = asked["answer"] if asked and "```" not in asked["answer"] else ""
    is_several = form == "line" and "\n" in answer.strip()
    return "" if is_several else answer if form == "block" else answer.strip()


def _lenient(text: str, form: Form, cut: bool) -> Reading:
    if form in ("json", "json_fence"):
        last = committed_object(text, cut, in_fence=form == "json_fence")
        if last is None:
            return Reading("refused" if REFUSED.match(text) else "unreadable")
        return found(last) if last else Reading("malformed")
    mark = last_mark(text, form)
    if cut and mark and text.count("```") % 2 and mark.start < text.rfind("```"):
        mark = None  # another answer was begun
    if mark and mark.is_marker:
        return _after_marker(mark.content, form, cut)
    if mark:
        return found(whole(mark.content, form))
    return Reading("unreadable") if cut else unmarked(text.replace("</answer>", ""), form)


def _after_marker(tail: str, form: Form, cut: bool) -> Reading:
    """Return the paragraph after a marker, or what sentences there lead to."""
    parts = paragraphs(tail)
    if not parts or (cut and ("\n\n" if form == "block" else "\n") not in tail.lstrip()):
        return Reading("unreadable")
    rows = parts[0].split("\n")
    if not cut and any(lead.way(tail, rows[0]) for lead in LEADS):
        return unmarked(tail, form)
    line = spoken(rows[0])[1] or whole(joined(rows), form)
    return found(line if form == "line" else whole(parts[0].removeprefix(" "), form))


def _is_sentence_below(tail: str, row: str) -> bool:
    """Return whether a sentence, and no answer, is on the line below a marker."""
    return is_prose(row) and not tail.partition("\n")[0].strip()


def _ends_in_colon(tail: str, row: str) -> bool:
    return ends_in_colon(row)


LEADS: tuple[Rule[Callable[[str, str], bool]], ...] = (
    Rule(_is_sentence_below, "Answer:\nThese are all of the words we need.\n\npear", "pear"),
    Rule(_ends_in_colon, "Answer: these are in order:\n\npear", "pear"),
)
