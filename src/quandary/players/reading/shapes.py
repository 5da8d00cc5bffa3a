"""The forms an answer can have, and the markup models put around it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from quandary.core.contract import Form as Form
from quandary.matches.player import Status

from .objects import closing_brace, first_object, is_object

COLONS = (":", "：")
FENCES = ("```", "~~~")
LANGUAGE = re.compile(r"[A-Za-z][\w+.#-]{0,20}")
FORMULA = ("\\[", "\\]", "$$", "\\(", "\\)")
BULLET = re.compile(r"\s{0,20}(?:[-*+•]|(?P<number>\d{1,5})[.)])\s{1,9}(?=\S)")
ROW_PAIRS = (("**", "**"), ("__", "__"), ("``", "``"), ("`", "`"))
PAIRS = (
    *ROW_PAIRS, ('"', '"'), ("'", "'"), ("“", "”"), ("‘", "’"), ("「", "」"), ("«", "»"),
    ("$$", "$$"), ("\\(", "\\)"), ("\\[", "\\]"), ("<answer>", "</answer>"),
)  # fmt: skip
LAYERS = 8  # of markup around an answer; more is not markup
COMMAND = re.compile(
    r"\\(?:boxed|text(?:tt|bf|it|rm|sf)?|math(?:rm|bf|tt|sf|it)|operatorname)\s{0,3}\{"
)
# a sentence, or what could end one
STOPPED = re.compile(r"[\w\s()\[\]{}<>,;:'’/+*=^-]*[\w)\]}>]\.")
LETTERS = re.compile(r"[^\W\d_]{2}")
PROGRAM = re.compile(  # a line that only a program has
    r"""\s{0,99}(?:print\(|console\.log\(|\#include\b|import\ \w|from\ \w+\ import\b|return\ \S
    |def\ \w+\(|class\ \w+[:({]
    |(?:for\ .{1,200}\ in|while|if|elif|else)\b.{0,200}:\s{0,99}$
    |\w+(?:,\ \w+){0,5}\ =\ \w+(?:\.\w+){0,5}\()""",
    re.X,
)
RULE = re.compile(r"[\s|:+=-]{3,200}")
PRAISE = re.compile(r"\s{1,9}[\u2600-\u27bf\U0001f300-\U0001faff\ufe0f]{1,9}$")
# why an answer is one, in brackets behind it; anything else there may belong to it: 3 (with a
# reset)
REMARK = re.compile(
    r"(?P<word>[^\W\d_]{2,99})\s{1,9}\([^()]{0,200}\s[^()]{0,200}\)\.?|(?P<answer>\S{1,99}|[^(){}<>]{1,99}?)\s{1,9}"
    r"\((?:leaving|because|since|which|made|formed|total|not|\d{1,4} (?:letters?"
    r"|points?|characters?))\b[^(){}<>\[\]]{0,200}\)\.?",
    re.I,
)
LATEX_WORDS = re.compile(r"\\text(?:tt|bf|it|rm|sf)?\{([^{}]*)\}")
LATEX_SPACE = re.compile(r"\\(?:[ ,;!:]|quad\b)\s*")
LATEX_OPERATIONS = {"\\times": "*", "\\cdot": "*", "\\div": "/"}
LONGEST_WITH_ASIDE = 300
FULL_WIDTH = str.maketrans(
    "０１２３４５６７８９（）［］【】，；：、＋－＊／＝", "0123456789()[][],;:,+-*/="
)


class Reading(NamedTuple):
    """The status of a reply, and its answer if there is one."""

    status: Status
    answer: str = ""  # if the status is "answered"


class Fence(NamedTuple):
    """A fenced block among lines."""

    rows: list[str]
    end: int  # its last line
    closed: bool


def missing(cut: bool) -> Reading:
    return Reading("truncated" if cut else "unreadable")


def found(answer: str) -> Reading:
    return Reading("answered", answer) if answer.strip() else Reading("unreadable")


def parsed(text: str | None, cut: bool) -> Reading:
    """The reading of a JSON object; "" is one that does not end."""
    if text is None:
        return missing(cut)
    if not text and cut:
        return Reading("truncated")
    return Reading("answered", text) if is_object(text) else Reading("malformed")


def whole(inner: str, form: Form) -> Reading:
    """All of what stands between a pair of marks."""
    if form == "json":
        return parsed(first_object(inner), cut=False)
    lines = inner.split("\n")
    if fence := fence_at(lines, first_said(lines)):
        lines = fence.rows
    if form == "block":
        return found(tidied(lines))
    said = [line for line in lines if line.strip() and line.strip() not in FORMULA]
    return found(undressed(said[0])) if len(said) == 1 else Reading("unreadable")


def first_said(lines: list[str]) -> int:
    """The first line that says something, after one that only announces it or opens a formula."""
    said = [at for at, line in enumerate(lines) if line.strip() and line.strip() not in FORMULA][:2]
    if len(said) == 2 and lines[said[0]].rstrip("*_ \t").endswith(COLONS):
        return said[1]
    return said[0] if said else 0


def is_fence(line: str) -> bool:
    return line.lstrip()[:3] in FENCES


def fence_at(lines: list[str], at: int) -> Fence | None:
    """The fenced block that begins with this line."""
    if not is_fence(lines[at]):
        return None
    opening = lines[at].strip()
    sign = opening[0]
    info = opening.lstrip(sign)
    run = opening[: len(opening) - len(info)]
    if sign in info:
        return Fence([info[: -len(run)]], at, True) if info.endswith(run) else None
    rows = [info] if info and not LANGUAGE.fullmatch(info.strip()) else []
    for end in range(at + 1, len(lines)):
        line = lines[end].rstrip()
        if line.endswith(run) and sign not in (last := line.rstrip(sign)):
            return Fence(
                [*rows, *lines[at + 1 : end], *([last] if last.strip() else [])], end, True
            )
    return Fence(rows + lines[at + 1 :], len(lines) - 1, False)


def fences(lines: list[str]) -> Iterator[tuple[int, Fence]]:
    """All fenced blocks, each with the line it begins at."""
    at = 0
    while at < len(lines):
        fence = fence_at(lines, at)
        if fence:
            yield at, fence
        at = fence.end + 1 if fence else at + 1


def without_programs(text: str) -> str:
    """The text without its fenced programs: a name in one is no marker, and a number in one is no
    answer.
    """
    if not any(sign in text for sign in FENCES):
        return text
    lines, kept, at = text.split("\n"), list[str](), 0
    for begin, fence in fences(lines):
        if any(map(PROGRAM.match, fence.rows)):
            kept += lines[at:begin]
            at = fence.end + 1
    return "\n".join(kept + lines[at:])


def framed(rows: list[str]) -> list[str]:
    """Rows without empty ones around them and without a common indentation."""
    filled = [at for at, row in enumerate(rows) if row.strip()]
    if not filled:
        return []
    rows = rows[filled[0] : filled[-1] + 1]
    indentation = min(len(row) - len(row.lstrip()) for row in rows if row.strip())
    return [row[indentation:] for row in rows]


def tidied(rows: list[str]) -> str:
    """Rows without bullets, numbers or dress, where every one has them."""
    rows = framed(rows)
    for left, right in ROW_PAIRS:
        if (
            sum(row.count(left) for row in rows) == 2
            and rows[0].startswith(left)
            and rows[-1].rstrip().endswith(right)
        ):
            rows[-1] = rows[-1].rstrip().removesuffix(right)
            rows[0] = rows[0].removeprefix(left)
    rows = _without_bullets(_without_rules(rows))
    for left, right in ROW_PAIRS:
        if all(
            row.startswith(left)
            and row.rstrip().endswith(right)
            and len(row.rstrip()) > 2 * len(left)
            for row in rows
        ):
            rows = [row.rstrip()[len(left) : -len(right)] for row in rows]
    return "\n".join(rows)


def _without_rules(rows: list[str]) -> list[str]:
    """The cells of a table's rows, without the strokes between them."""
    cells = [row for row in rows if not RULE.fullmatch(row)]
    if not cells or not all("|" in row for row in cells):
        return rows
    return [" ".join(row.replace("|", " ").split()) for row in cells]


def _without_bullets(rows: list[str]) -> list[str]:
    """Rows without their bullets, unless those may be cells of a grid, or their numbers, which must
    count.
    """
    filled = [row for row in rows if row.strip()]
    marks = [mark for row in filled if (mark := BULLET.match(row))]
    if not marks or len(marks) < len(filled):
        return rows
    bare = [row[mark.end() :] for row, mark in zip(filled, marks, strict=True)]
    if marks[0]["number"]:
        return (
            bare
            if [mark["number"] for mark in marks]
            == [str(number + 1) for number in range(len(marks))]
            else rows
        )
    return bare if any(len(row.split(None, 1)[0]) > 1 for row in bare) else rows


def undressed(answer: str) -> str:
    """A line without what only dresses it: pairs of marks around all of it, the stop of its
    sentence, an aside in brackets.
    """
    for _ in range(LAYERS):
        bare = _less_dressed(answer.strip())
        if bare == answer:
            break
        answer = bare
    return answer


def half_width(answer: str) -> str:
    """An answer with full-width characters replaced by the usual ones."""
    plain = answer.translate(FULL_WIDTH)
    return plain if plain.isascii() else answer


def _less_dressed(line: str) -> str:
    bare = _unwrapped(line)
    if bare == line and len(line) <= LONGEST_WITH_ASIDE:
        remark = REMARK.fullmatch(line)
        bare = remark["word"] or remark["answer"] if remark else PRAISE.sub("", line) or line
    if bare != line or not line.endswith("."):
        return bare.removesuffix("。") or bare
    return line[:-1] if STOPPED.fullmatch(line) or _unwrapped(line[:-1]) != line[:-1] else line


def typed(formula: str) -> str:
    """The content of a formula as plain text."""
    plain = LATEX_SPACE.sub(" ", LATEX_WORDS.sub(r" \1 ", formula))
    for command, sign in LATEX_OPERATIONS.items():
        plain = plain.replace(command, sign)
    return formula if plain == formula else " ".join(plain.split())


def _unwrapped(line: str) -> str:
    for left, right in PAIRS:
        inner = line[len(left) : len(line) - len(right)]
        if (
            inner.strip()
            and line.startswith(left)
            and line.endswith(right)
            and left not in inner
            and right not in inner
        ):
            return typed(inner) if left in FORMULA else inner
    if len(line) > 2 and line[0] == line[-1] == "$" and "$" not in line[1:-1]:
        # $abc$ may be a password
        return line if LETTERS.search(line) and "\\" not in line else typed(line[1:-1])
    command = COMMAND.match(line)
    if command and closing_brace(line, command.end() - 1) == len(line) - 1:
        return line[command.end() : -1]
    return line
