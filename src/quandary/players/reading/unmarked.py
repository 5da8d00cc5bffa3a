"""Takes the answer out of a text in which nothing marks it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import NamedTuple

from quandary.core.late_pattern import late_pattern
from quandary.matches.player import Reading

from .rules import Rule, pattern_of
from .sentences import ANNOUNCED, CONCLUDED, REFUSED, is_denied, spoken
from .shapes import Form, fences, found, is_prose, paragraphs, shape, whole

LONGEST_SENTENCE = 15  # words in a sentence that is an answer; longer ones break off
LONGEST_CONCLUSION = 400  # characters at the end of a reply that may contain one
WORDS = late_pattern(r"[a\s,.!?'’。，！？]*")  # looks like a row, but has only words
NUMBERS = late_pattern(r"\b\w*\d\w*")
NO_SOLUTION = pattern_of(
    "(?i)%(words)s",
    words=(
        Rule(
            r"\bno (?:\w{1,12} )?solution\b",
            "I tried every pair of them.\n\n4 * 6 - 1: no solution",
        ),
    ),
)
FRAGMENT = pattern_of(
    "(?i)%(words)s",
    words=(
        Rule(r"[^\W\d_][^\d\n]*[:：,，]\Z", "For example:"),
        Rule(
            r"(?:let(?:'s|’s| us| me)|here(?:'s|’s| is| are)|to (?:solve|find|determine))"
            r" [^\d\n]*\Z",
            "Let's solve it step by step.",
        ),
    ),
)
APOLOGY = pattern_of(
    "(?i)%(words)s",
    words=(
        Rule(
            r"\W{0,3}(?:i(?:'m|’m| am)?(?: \w{1,10})? (?:sorry|apologi[sz]e)|(?:my )?apologies"
            r"|sorry)\b[^\d\n]*\Z",
            "I apologize for the confusion.",
        ),
        Rule(r"\W{0,3}(?:非常|很|十分)?(?:抱歉|对不起)[^\d\n]*\Z", "抱歉，刚才看错了。"),
    ),
)


class Rest(NamedTuple):
    """The paragraph that may be the answer, among others that are sentences."""

    text: str
    form: Form
    paragraphs: list[str]

    @property
    def words(self) -> list[str]:
        return self.text.split()

    @property
    def is_among(self) -> bool:
        """Whether it is a line among other paragraphs."""
        return self.form == "line" and len(self.paragraphs) > 1


def unmarked(text: str, form: Form) -> Reading:
    """Read the last of a fence, what was announced and what a sentence names; or all of it."""
    held = [fence for fence in fences(text) if form == "block" or "\n" not in fence[2].strip()]
    before = text
    if held and "```" not in text[held[-1][1] :]:
        before = text[: held[-1][1]]  # remarks may follow it
    ways = [found for way in WAYS for found in way.way(before, form) if found[1]]
    best = max(ways, default=(-1, ""))[1]
    if not best and REFUSED.match(before):
        return Reading("refused")
    return found(best or concluded(before, form) or only(before, form))


def _fenced(text: str, form: Form) -> Iterator[tuple[int, str]]:
    held = [fence for fence in fences(text) if form == "block" or "\n" not in fence[2].strip()]
    for at, _, inner in held[-1:]:
        yield at, whole(inner, form)


def _spoken(text: str, form: Form) -> Iterator[tuple[int, str]]:
    if form == "line":
        yield spoken(text)


def _announced(text: str, form: Form) -> Iterator[tuple[int, str]]:
    for mark in list(ANNOUNCED.finditer(text))[-1:]:
        is_led = form == "line" or mark["zh"] or text[mark.end()] == "\n"
        if is_led and not is_denied(text, mark.end()):
            yield mark.end(), only(text[mark.end() :], form)


WAYS: tuple[Rule[Callable[[str, Form], Iterator[tuple[int, str]]]], ...] = (
    Rule(_fenced, "It is `pear`:\n```\n12\n```\nIs it fine?", "12"),
    Rule(_spoken, "There are 3 rows of 4, so the answer is 12. The 3 was easy to count.", "12"),
    Rule(_announced, "I tried two.\nMy guess: pear", "pear"),
)


def concluded(text: str, form: Form) -> str:
    """Return what the last sentence says that something is; or ""."""
    end = text.rstrip()[-LONGEST_CONCLUSION:]
    last = CONCLUDED.search(end) if form == "line" else None
    return whole(last["answer"], form) if last and not is_denied(end, last.start("answer")) else ""


def only(text: str, form: Form) -> str:
    """Return the only paragraph, or the only one that is not made of sentences; or ""."""
    parts = paragraphs(text)
    if form == "line" and (moves := listed("\n".join(parts).split("\n"))):
        return moves
    kept = parts if len(parts) == 1 else [part for part in parts if not is_prose(part)]
    if len(kept) != 1:
        return ""
    rest = Rest(kept[0], form, parts)
    return "" if any(reason.way(rest) for reason in NO_ANSWERS) else whole(kept[0], form)


def listed(rows: list[str]) -> str:
    """Return rows that are one list, so that the puzzle says if they are one move; or ""."""
    if len(rows) < 2 or any(map(is_prose, rows)) or not any(kind.way(rows) for kind in LISTS):
        return ""
    return whole("\n".join(rows[:1] if len(set(rows)) == 1 else rows), "line")


def _are_alike(rows: list[str]) -> bool:
    """Return whether all rows are made in one way, and not of words alone."""
    shapes = [shape(row) for row in rows]
    is_one = len({its.replace("0", "a") for its in shapes}) == 1
    is_draft = rows[0].lstrip().startswith(("- ", "* "))  # points of a discussion
    return is_one and not is_draft and not all(map(WORDS.fullmatch, shapes))


def _are_in_brackets(rows: list[str]) -> bool:
    """Return whether one pair of brackets holds all of them."""
    depths = list(accumulate(row.count("[") - row.count("]") for row in rows))
    is_open = rows[0].lstrip().startswith("[") and rows[-1].rstrip().endswith("]")
    return is_open and min(depths[:-1]) > 0 and depths[-1] == 0


def _repeat_one(rows: list[str]) -> bool:
    """Return whether all rows name the same numbers."""
    numbers = {tuple(NUMBERS.findall(row)) for row in rows}
    return len(numbers) == 1 and () not in numbers


LISTS: tuple[Rule[Callable[[list[str]], bool]], ...] = (
    Rule(_are_alike, "pour A->B\npour B->C", "pour A->B\npour B->C"),
    Rule(_are_in_brackets, '[\n"fill A",\n"pour A->B"\n]', '[\n"fill A",\n"pour A->B"\n]'),
    Rule(_repeat_one, "My move: 1 2\nSo I play 1 2.", "My move: 1 2\nSo I play 1 2."),
)


def _breaks_off(rest: Rest) -> bool:
    return is_prose(rest.text) and len(rest.words) > LONGEST_SENTENCE


def _is_long_remark(rest: Rest) -> bool:
    return rest.is_among and len(rest.words) > LONGEST_SENTENCE


def _is_remark(rest: Rest) -> bool:
    return rest.is_among and len(rest.words) > 1 and rest.text[-1] in ".!?"


def _has_reasons(rest: Rest) -> bool:
    rows = rest.text.split("\n")
    return len(rows) > 1 and (rest.form == "line" or any(map(is_prose, rows)))


def _has_no_solution(rest: Rest) -> bool:
    return bool(NO_SOLUTION.search(rest.paragraphs[-1]))


def _is_fragment(rest: Rest) -> bool:
    return bool(FRAGMENT.match(rest.text))


def _is_apology(rest: Rest) -> bool:
    return bool(APOLOGY.match(rest.text))


NO_ANSWERS: tuple[Rule[Callable[[Rest], bool]], ...] = (
    Rule(_breaks_off, " ".join(["We look at the first row and see the signs in it"] * 2)),
    Rule(_is_long_remark, "We look at it.\n\n" + "1 + 2 and " * 9 + "so on"),
    Rule(_is_remark, "I looked at every row of it.\n\nStep 2 fails!"),
    Rule(_has_reasons, "pear\nplum has no r, it fails\nfig"),
    Rule(_has_no_solution, "I tried every pair of them.\n\n4 * 6 - 1: no solution"),
    Rule(_is_fragment, "For example:"),
    Rule(_is_apology, "I apologize for the confusion."),
)
