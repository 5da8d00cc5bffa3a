"""Takes the answer out of a model's reply, in time that is linear in the text.

Nothing is read out of thinking.  If the last explicit mark leads nowhere, nothing takes its place.
Each rule names what needs it: our prompts, TextGames, or a reply by its id in `tests/players`.
"""

from __future__ import annotations

import re

from quandary.core.json_replies import committed_object, json_fence
from quandary.matches.player import Reading, Readings
from quandary.models.provider import Generation

from .marks import last_mark
from .shapes import Form, fences, found, is_prose, joined, paragraphs, whole
from .thinking import separate
from .version import READER

COLONS = (":", "：")
ASKED_FOR = re.compile(r"^```\w{0,20}[ \t]*\n(?P<answer>.*)\n```\s*", re.M | re.S)
SPOKEN = re.compile(  # f51c97471f8c, f09968dde1af, f2a20c527394, zh-220
    r"(?im)(?:\bthe (?:[a-z]{1,15} ){0,3}?answer (?:is|would be|should be)\b(?! not\b)"
    r"|(?:答案|单词|子串|密码|顺序)(?:应该)?[是为])(?P<answer>.{1,1000}?)(?:[.!](?=\s|\Z)|。|$)"
)
ANNOUNCED = re.compile(  # it follows below (ef3ab4d09af5) or as the last word (TextGames)
    r"""(?imx)(?:\b(?:answers?|solution|solved|grid|board|list|order|sorted|words?|final|format
    |output|text|guess|try)\b[^:：\n]{0,100}(?<!["'])|^[^:：\n]{0,40}
    (?P<zh>单词|子串|密码|顺序|排序结果|路线|算式|颜色[是为]|如下)[是为]?)[:：][*_ \t]{0,9}
    (?:$(?=\s*\S)|(?=(?(zh)[^\n]{1,200}|\S{1,60})\s{0,9}\Z))"""  # zh-241 zh-280 zh-326 zh-330
)
# What leads to an answer denies it, in the same clause: "I doubt that the answer is ..." (prompts).
DENIED = re.compile(
    r"""(?ix)(?:\b(?:not|never|whether|wrong|incorrect|false|(?<!no\ )(?<!any\ )doubt)\b|n['’]t\b
    |不(?:认为|觉得|相信|是|应|能|该)|并非|错|怀疑|如果|是否)[^.!?;,。！？；，\n]*\Z"""
)
REFUSED = re.compile(  # ffa12430814d, TextGames, zh-010, zh-042
    r"""(?isx)(?=(?:(?!\n\s*\n).){1,400}\Z)\W{0,9}(?:(?:[a-z'’ ]{0,20}(?:sorry|apologi[sz]e),?
    \ (?:but\ )?)?i(?:\ can(?:not|['’]t)|(?:\ am|['’]m)\ unable\ to|\ won['’]t)
    \ (?:assist|help|comply|provide|answer|fulfill?|do)\b
    |(?:(?:非常|很)?(?:抱歉|对不起)|作为[^\n，]{0,9}(?:AI|智能|模型|助手))[^\n]{0,60}?
    (?:无法|不能|没法|想不出)|我(?:无法|不能)(?:回答|提供|协助|参与|完成|继续))"""
)
BROKEN = re.compile(r"[.!?]\s.*\w\Z", re.S)  # no stop ends the last of its sentences
# It is no answer (46bc4ff0c386), unless it is the reason for a label.
NO_SOLUTION = re.compile(r"(?i)\bno (?:\w{1,12} )?solution\b(?!.{0,200}\b(?:un)?solvable\b)")
TABLE_RULE = re.compile(r"(?=.*-)(?=.*\|)[|\s:-]{3,200}")  # zh-100
# Numbers alone, or a part with its name (zh-096).
PART = re.compile(r"(?=\D*\d)[\d\s,()\[\]]+|\W{0,4}[一-鿿]{1,6}\W{0,4}[:：]\W{0,4}\S{1,20}")
LONGEST_SENTENCE = 15  # words of one that is an answer; longer ones break off (7c978e736677)


def read(generation: Generation, form: Form, *, opened: bool = False) -> Readings:
    """The answer to a puzzle of this form; `opened` where the prompt had opened the thinking."""
    _, said, unclosed = separate(generation, opened)
    cut = generation.finish == "length"
    missing = Reading("truncated" if cut else "unreadable")
    if generation.finish == "refused" or unclosed:
        lenient = Reading("refused" if generation.finish == "refused" else "truncated")
    else:
        lenient = _lenient(said, form, cut) if said.strip() else Reading("empty")
    if lenient.status != "answered":
        lenient = missing if cut else lenient  # thinking may have used all tokens
        return Readings(lenient, lenient, READER)
    answer = _strict(said, form)
    is_strict = answer and (form in ("line", "block") or answer == lenient.answer)
    return Readings(found(answer) if is_strict else missing, lenient, READER)


def _strict(said: str, form: Form) -> str:
    """What is in a fence at the end with lines to itself, or in any that names JSON; or ""."""
    if form == "json_fence":
        fence = json_fence(said)
        return fence.content.strip() if fence and fence.is_closed else ""
    held = fences(said)
    asked = ASKED_FOR.fullmatch(said, held[-1][0] if held else 0)
    answer = asked["answer"] if asked and "```" not in asked["answer"] else ""
    is_several = form == "line" and "\n" in answer.strip()
    return "" if is_several else answer if form == "block" else answer.strip()


def _lenient(said: str, form: Form, cut: bool) -> Reading:
    if form in ("json", "json_fence"):
        last = committed_object(said, cut, in_fence=form == "json_fence")
        if last is None:
            return Reading("refused" if REFUSED.match(said) else "unreadable")
        return found(last) if last else Reading("malformed")
    mark = last_mark(said, form)
    if cut and mark and said.count("```") % 2 and mark.start < said.rfind("```"):
        mark = None  # another answer was begun
    if mark and mark.is_marker:
        return _after_marker(mark.content, form, cut)
    if mark:
        return found(whole(mark.content, form))
    return Reading("unreadable") if cut else _unmarked(said.replace("</answer>", ""), form)


def _after_marker(tail: str, form: Form, cut: bool) -> Reading:
    """The paragraph after a marker, or what sentences there lead to (2b04a902808a)."""
    parts = paragraphs(tail, form)
    if not parts or (cut and ("\n\n" if form == "block" else "\n") not in tail.lstrip()):
        return Reading("unreadable")
    rows = parts[0].split("\n")
    is_lead = is_prose(rows[0]) and not tail.partition("\n")[0].strip()
    if (is_lead or rows[0].rstrip("* ").endswith(COLONS)) and not cut:
        return _unmarked(tail, form)
    line = _spoken(rows[0])[1] or whole(joined(rows), form)
    return found(line if form == "line" else whole(parts[0].removeprefix(" "), form))


def _unmarked(said: str, form: Form) -> Reading:
    """The last of a fence, what was announced and what a sentence names; or all of it."""
    held = [fence for fence in fences(said) if form == "block" or "\n" not in fence[2].strip()]
    ways = [(at, whole(inner, form)) for at, _, inner in held[-1:]]
    if held and "```" not in said[held[-1][1] :]:
        said = said[: held[-1][1]]  # remarks may follow it
    ways.append(_spoken(said) if form == "line" else (-1, ""))
    for mark in list(ANNOUNCED.finditer(said))[-1:]:
        is_led = form == "line" or mark["zh"] or said[mark.end()] == "\n"
        if is_led and not _is_denied(said, mark.end()):
            ways.append((mark.end(), _only(said[mark.end() :], form)))
    best = max((way for way in ways if way[1]), default=(-1, ""))[1]
    is_refused = not best and REFUSED.match(said)
    return Reading("refused") if is_refused else found(best or _only(said, form))


def _spoken(said: str) -> tuple[int, str]:
    """What the last sentence of its kind says the answer is, and its place; "" if there is none."""
    for mention in reversed(list(SPOKEN.finditer(said))):
        answer = mention["answer"].lstrip(":：")
        if is_prose(answer) or answer.rstrip("* ").endswith(COLONS):
            continue
        if not _is_denied(said, mention.start("answer")):
            return mention.start(), whole(answer, "line")
    return -1, ""


def _is_denied(said: str, at: int) -> bool:
    """Whether the words that lead to this place deny what follows."""
    return bool(DENIED.search(said[max(0, at - 100) : at]))


def _only(text: str, form: Form) -> str:
    """The only paragraph, or the only one that is not made of sentences; "" if there are more."""
    parts, is_line = paragraphs(text, form), form == "line"
    if is_line and (moves := _moves("\n".join(parts).split("\n"))):
        return moves
    kept = parts if len(parts) == 1 else [part for part in parts if not is_prose(part)]
    if len(kept) != 1 or NO_SOLUTION.search(parts[-1]):
        return ""
    rows, words, is_among = kept[0].split("\n"), kept[0].split(), is_line and len(parts) > 1
    is_long = len(words) > LONGEST_SENTENCE
    breaks_off = is_prose(kept[0]) and (is_long or BROKEN.search(kept[0]))
    remarks = is_among and (is_long or (len(words) > 1 and kept[0][-1] in ".!?"))  # 5a934467e121
    reasons = len(rows) > 1 and (is_line or any(map(is_prose, rows)))
    return "" if breaks_off or remarks or reasons else whole(kept[0], form)


def _moves(rows: list[str]) -> str:
    """A table with one row, rows with equal numbers, or parts: the game says if it is one move."""
    if len(rows) == 3 and TABLE_RULE.fullmatch(rows[1]):
        names, cells = ([*map(str.strip, row.strip("| ").split("|"))] for row in rows[::2])
        return "，".join(map("：".join, zip(names, cells, strict=False)))
    numbers = {tuple(re.findall(r"\b\w*\d\w*", row)) for row in rows}
    repeats = len(numbers) == 1 and () not in numbers and not any(map(is_prose, rows))
    is_moves = len(rows) > 1 and (repeats or all(map(PART.fullmatch, rows)))
    return whole("\n".join(rows[:1] if len(set(rows)) == 1 else rows), "line") if is_moves else ""
