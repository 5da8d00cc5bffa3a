"""Explicit marks of an answer: tags, boxes, double brackets, marker lines and JSON objects."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from quandary.core.json_replies import last_answer

from .shapes import Form, fences, joined, typed

# Tags; the first may have lost its "<" (28263443b3e0) or be missing (a41d1d6dfcad); tokens of GLM.
OPENING, CLOSING = r"(?:(?:<|^)answer>|<\|begin_of_box\|>)", r"(?:</answer>|<\|end_of_box\|>)"
TO_TAG = rf"((?:(?!{OPENING}|{CLOSING}).)*+)({CLOSING})?"
TAGS, TAGGED = (re.compile(tags, re.I | re.M | re.S) for tags in (OPENING + TO_TAG, TO_TAG))
# A box (175a60938bfe); braces may be in it, and braces in these.
BOX = re.compile(r"(?s)\\boxed\{((?:[^{}\\]|\\.|\{(?:[^{}\\]|\\.|\{[^{}]*+\})*+\})*+)(\})?")
# Double brackets (f20a4c7f6233), unless other brackets beside them show a bracket puzzle.
BRACKETS = re.compile(r"(?<![\w\[)\]}>])(?<![)\]}>] )\[\[([^\[\]]{1,2000})\]\](?! ?[(\[{<]|[\w\]])")
# It begins a line (1fe11cb5a183) in any dress (dabee8f6b802) or is a heading (531f2bf1aeae); words:
# 69fa4bfc9b15 b5c5502dad7c 7d12e75b7f53 9695b9e5df44 843007a1c7c4 390f3404de3c zh-024 zh-304
MARKER = re.compile(
    r"""(?imx)(?:^|(?<=[.!?]\ )|(?<=[。！？]))
    (?P<lead>(?:[^\w\n{}\[\]()<"'“]|_){0,20}(?:(?:so|thus|therefore|hence),?\ )?
    (?:here(?:\ is|'s)\ )?(?:(?:the|my)\ )?(?:(?:更正|所以|因此|综上)[:：，]?)?(?:我的)?)
    (?:final\ |correct(?:ed)?\ |最[终終]|正确)?(?:answer|答案|结论|回?答(?=[:：]))
    (?P<shut>[*_`]{0,3})(?:[ \t]{0,3}(?:is|是|为)?[ \t]{0,3}(?:[:：]|】[:：]?)|[ \t]{0,9}$)"""
)
# What tells it from a mere word at the end of a line: a sign, "final" or a heading.
SURE = re.compile(r"[:：】#最正]|(?i:final|correct)|(?:A\w+|答案|结论)[*_`]")


class Mark(NamedTuple):
    """A mark of an answer."""

    start: int
    content: str  # "" if its end is missing
    is_marker: bool = False  # no second mark ends the content


def last_mark(said: str, form: Form) -> Mark | None:
    """The last mark, which counts; the "answer" of an object is as good as tags (754a29b75632)."""
    if held := last_answer(said):
        said = "{}<answer>{}</answer>{}".format(*held)
    marks = [*_fenced(said, form), *_tagged(said), *_boxed(said), *_bracketed(said), *_marked(said)]
    return max(marks, default=None)


def _tagged(said: str) -> Iterator[Mark]:
    if _may_have_tags(said):
        yield from (Mark(tag.start(), tag[1] if tag[2] else "") for tag in TAGS.finditer(said))


def _may_have_tags(said: str) -> bool:
    """Whether it is worth while to look for tags, which takes long."""
    folded = said.casefold()
    return "answer>" in folded or "_of_box" in folded


def _fenced(said: str, form: Form) -> Iterator[Mark]:
    """A fence that ends the reply, as our prompts ask for; a program in it is no line."""
    for start, end, content in fences(said)[-1:]:
        rows = content.strip().split("\n")
        if not said[end:].strip() and (form == "block" or joined(rows) == "\n".join(rows)):
            yield Mark(start, content)


def _boxed(said: str) -> Iterator[Mark]:
    start = said.rfind("\\boxed{")
    if start >= 0 and (box := BOX.match(said, start)):
        yield Mark(box.start(), typed(box[1]) if box[2] else "")


def _bracketed(said: str) -> Iterator[Mark]:
    """Yield double brackets; they are part of an answer on a line of its own."""
    for brackets in BRACKETS.finditer(said) if "[[" in said else ():
        before = said[max(0, brackets.start() - 200) : brackets.start()].rpartition("\n")[2]
        is_own = not before.strip("* ") or before.rstrip("* ").endswith((":", "："))
        yield Mark(brackets.start(), brackets[0 if is_own else 1])


def _marked(said: str) -> Iterator[Mark]:
    """The last marker, in one of the few lines in which it is worth while to look for it."""
    if not _has_marker_word(said.casefold()):
        return
    end = len(said)
    for row in reversed(said.split("\n")):
        start = end - len(row)
        if _may_have_marker(row.casefold()):
            found = [mark for mark in MARKER.finditer(said, start, end) if SURE.search(mark[0])]
            if found:
                yield _marker(found[-1], said)
                return
        end = start - 1


def _may_have_marker(row: str) -> bool:
    has_sign = ":" in row or "：" in row or "】" in row
    ends = ("answer", "答案", "结论")
    return _has_marker_word(row) and (has_sign or row.rstrip("*_` \t").endswith(ends))


def _has_marker_word(text: str) -> bool:
    return "answer" in text or "答" in text or "结论" in text


def _marker(last: re.Match[str], said: str) -> Mark:
    tail = said[last.end() :]
    tagged = TAGGED.match(tail) if _may_have_tags(tail) else None
    tail = tagged[1] if tagged and tagged[2] else tail
    line, end, rest = tail.partition("\n")
    if "**" in last["lead"] and not last["shut"]:  # the other half of its bold: f96843964dbc
        line = line.replace("**", "", line.count("**") % 2)
    return Mark(last.start(), line + end + rest, is_marker=True)
