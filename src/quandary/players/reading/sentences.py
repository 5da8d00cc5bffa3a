"""Sentences that say what the answer is, announce it, deny it or refuse it."""

from __future__ import annotations

from collections.abc import Callable

from quandary.core.late_pattern import late_pattern

from .rules import Rule, Ways, pattern_of
from .shapes import is_prose, whole

COLONS = (":", "：")
# A longer sentence is skipped, in steps that keep the time linear.
SPOKEN = pattern_of(
    r"(?im)%(words)s%(gap)s?(?:(?P<answer>.{1,300}?)(?:[.!](?=\s|\Z)|。|$)|.{300})",
    words=(
        Rule(
            r"\bthe (?:[a-z]{1,15} ){0,3}?answer is\b(?! not\b)",
            "There are 3 rows of 4, so the answer is 12. The 3 was easy to count.",
            "12",
        ),
        Rule(
            r"\bthe (?:[a-z]{1,15} ){0,3}?answer (?:would|should) be\b(?! not\b)",
            "There are 3 rows of 4, so the answer would be 12. The 3 was easy to count.",
            "12",
        ),
        Rule(
            r"\bthe (?:correct |right |best )?(?:option|choice) is\b(?! not\b)",
            "It grows by 3 in 4 hours, which rules out A, so the correct option is (E). It fits.",
            "(E)",
        ),
        Rule("答案(?:应该)?[是为]", "一共3行，每行4个，所以答案是12。\n3行很容易数。", "12"),
        Rule("单词(?:应该)?[是为]", "字母可以重排，所以单词是 pear。\n很容易。", "pear"),
        Rule("子串(?:应该)?[是为]", "逐个检查后，最长的子串是 aba。\n很容易。", "aba"),
        Rule("密码(?:应该)?[是为]", "满足所有规则的密码是 a1b2。\n很容易。", "a1b2"),
        Rule("顺序(?:应该)?[是为]", "先后的顺序是 B, A, C。\n很容易。", "B, A, C"),
        Rule(
            r"(?:故|因此|所以|综上|答案|应|本题)[，,]?应?该?选择?[:：]?"
            r"(?=[\s（(*]{0,3}[A-H]{1,4}(?![A-Za-z]))",
            "A 与题意不符，B 和 D 也不对。\n故选 C。",
            "C",
        ),
    ),
    gap=(Rule(r" ?(?:\.{3}|…)", "There are 3 rows of 4. The answer is ... 12.", "12"),),
)
# The letter of an option begins an answer, even if the words of the option follow it.
CHOICE = pattern_of(
    "%(letter)s",
    letter=(
        Rule(
            r"[ *]{0,4}\([A-J]\)",
            "Sales fall. The answer is (B) A higher price will lower the amount.",
            "(B) A higher price will lower the amount",
        ),
    ),
)
NOUNS: Ways = (
    Rule(
        "answers?", "I tried two.\nMy answers are these:\npear\n\nI think that it is fine.", "pear"
    ),
    Rule(
        "solution", "I tried two.\nThis solution works:\npear\n\nI think that it is fine.", "pear"
    ),
    Rule("solved", "I tried two.\nIt is solved:\npear\n\nI think that it is fine.", "pear"),
    Rule("grid", "I tried two.\nThe grid:\n#.\n.#\n\nI think that it is fine.", "#.\n.#", "block"),
    Rule("list", "I tried two.\nMy list:\npear\n\nI think that it is fine.", "pear"),
    Rule("order", "I tried two.\nIn order:\npear\n\nI think that it is fine.", "pear"),
    Rule("sorted", "I tried two.\nThey are sorted:\npear\n\nI think that it is fine.", "pear"),
    Rule("words?", "I tried two.\nMy word:\npear\n\nI think that it is fine.", "pear"),
    Rule("final", "I tried two.\nThe final one:\npear\n\nI think that it is fine.", "pear"),
    Rule("format", "I tried two.\nIn the format:\npear\n\nI think that it is fine.", "pear"),
    Rule("output", "I tried two.\nOutput: [1, 2]", "[1, 2]"),
    Rule("text", "I tried two.\nThe text:\npear\n\nI think that it is fine.", "pear"),
    Rule("guess", "I tried two.\nMy guess: pear", "pear"),
    Rule("try", "I tried two.\nI will try: pear", "pear"),
)
CHINESE_NOUNS: Ways = (
    Rule("单词", "试了两个。\n单词：pear", "pear"),
    Rule("子串", "试了两个。\n子串：aba", "aba"),
    Rule("密码", "试了两个。\n密码：a1b2", "a1b2"),
    Rule("顺序", "试了两个。\n顺序：B, A, C", "B, A, C"),
    Rule("排序结果", "试了两个。\n排序结果：B, A, C", "B, A, C"),
    Rule("路线", "试了两个。\n路线：B, A, C", "B, A, C"),
    Rule("算式", "试了两个。\n算式：4 * 6", "4 * 6"),
    Rule("颜色[是为]", "试了两个。\n颜色是：1, 2", "1, 2"),
    Rule("如下", "试了两个。\n安排如下：\nB, A, C\n\nI think that it is fine.", "B, A, C"),
)
PLACES: Ways = (
    Rule(
        r"$(?=\s*\S)",
        "I tried two.\nThis solution works:\npear\n\nI think that it is fine.",
        "pear",
    ),
    Rule(r"(?=(?(zh)[^\n]{1,200}|\S{1,60})\s{0,9}\Z)", "I tried two.\nMy guess: pear", "pear"),
    Rule(r"(?=\[[^\[\]\n]{1,400}\]\s{0,9}\Z)", "I tried two.\nOutput: [1, 2]", "[1, 2]"),
)
ANNOUNCED = pattern_of(
    r"(?im)(?:\b%(noun)s\b[^:：\n]{0,100}(?<![\"'])|^[^:：\n]{0,40}(?P<zh>%(chinese)s)[是为]?)"
    r"[:：][*_ \t]{0,9}%(place)s",
    noun=NOUNS,
    chinese=CHINESE_NOUNS,
    place=PLACES,
)
# A last sentence that says what something is, without the word "answer".
CONCLUDED = pattern_of(
    r"(?i)(?:\A|[\n.!?] ?)%(subject)s (?:is|are|equals)(?: equal to)?:? {0,2}"
    r"(?P<answer>%(value)s)\.\s*\Z",
    subject=(
        Rule(
            r"(?:(?:so|thus|therefore|hence),? )?the [a-z][a-z' -]{1,80}",
            "Both lists begin alike, with 4 and 8.\n\nThe smallest common multiple is 12.",
            "12",
        ),
        Rule(
            r"(?:(?:so|thus|therefore|hence),? )?the [a-z][a-z' -]{1,80}"
            r" of \d+(?:, \d+){0,9},? and \d+",
            "Both lists begin alike, with 4 and 8.\n\nSo the LCM of 4 and 6 is 12.",
            "12",
        ),
    ),
    value=(
        Rule(
            r"-?\d{1,20}(?:,\d{3}){0,6}(?:[./]\d{1,20})?%?",
            "Both lists begin alike, with 4 and 8.\n\nThe smallest common multiple is 12.",
            "12",
        ),
    ),
)
# The words before an answer deny it, in the same clause.
DENIED = pattern_of(
    r"(?i)%(words)s[^.!?;,。！？；，\n]*\Z",
    words=(
        Rule(r"\b(?:not|never)\b", "I do not think that the answer is 12.\nIt may be 13."),
        Rule(r"\bwhether\b", "I wonder whether the answer is 12.\nIt may be 13."),
        Rule(r"\b(?:wrong|incorrect|false)\b", "It is wrong that the answer is 12.\nIt may be 13."),
        Rule(r"\b(?<!no )(?<!any )doubt\b", "I doubt that the answer is 12.\nIt may be 13."),
        Rule("n['’]t\\b", "I don't think that the answer is 12.\nIt may be 13."),
        Rule("不(?:认为|觉得|相信|是|应|能|该)|并非", "我不认为答案是12。\n也许不是。"),
        Rule("错", "有人错以为答案是12。\n也许不是。"),
        Rule("怀疑", "我怀疑答案是12。\n也许不是。"),
        Rule("如果|是否", "先看看是否答案是12。\n也许不是。"),
    ),
)
REFUSED = pattern_of(
    r"(?is)(?=(?:(?!\n\s*\n).){1,400}\Z)\W{0,9}%(words)s",
    words=(
        Rule(
            r"(?:[a-z'’ ]{0,20}(?:sorry|apologi[sz]e),? (?:but )?)?"
            r"i(?: can(?:not|['’]t)|(?: am|['’]m) unable to| won['’]t)"
            r" (?:assist|help|comply|provide|answer|fulfill?|do)\b",
            "I'm sorry, I can't help with that.",
        ),
        Rule(
            r"[a-z'’ ]{0,20}(?:sorry|apologi[sz]e),? but [^\d.!?\n]{1,200}[.!]?\s*\Z",
            "I'm sorry, but I couldn't work out a valid solution for that puzzle.",
        ),
        Rule(
            r"(?:(?:非常|很)?(?:抱歉|对不起)|作为[^\n，]{0,9}(?:AI|智能|模型|助手))[^\n]{0,60}?"
            "(?:无法|不能|没法|想不出)",
            "抱歉，这道题我想不出来。",
        ),
        Rule(
            r"(?:[^\d\n。！？]{0,40}，)?我(?:无法|不能)(?:回答|提供|协助|参与|完成|继续)",
            "词不够，我无法完成这个盘面。",
        ),
    ),
)
SIGN = late_pattern(r"[^\s.…]")


def spoken(text: str) -> tuple[int, str]:
    """Return what the last sentence of its kind says the answer is, and its place; or ""."""
    for mention in reversed(list(SPOKEN.finditer(text))):
        answer = (mention["answer"] or "").lstrip(":：")
        is_empty = not SIGN.search(answer)
        if is_empty or any(reason.way(answer) for reason in NO_MENTIONS):
            continue
        if not is_denied(text, mention.start("answer")):
            return mention.start(), whole(answer, "line")
    return -1, ""


def _is_sentence(answer: str) -> bool:
    return is_prose(answer) and not CHOICE.match(answer)


def _leads_on(answer: str) -> bool:
    return ends_in_colon(answer)


NO_MENTIONS: tuple[Rule[Callable[[str], bool]], ...] = (
    Rule(_is_sentence, "The answer is hard to find among them.\nIt may be pear."),
    Rule(_leads_on, "The answer is below:\npear\nOr was it plum?"),
)


def ends_in_colon(row: str) -> bool:
    """Return whether a row leads to what is below it."""
    return row.rstrip("* ").endswith(COLONS)


def is_denied(text: str, at: int) -> bool:
    """Return whether the words that lead to this place deny what follows."""
    return bool(DENIED.search(text[max(0, at - 100) : at]))
