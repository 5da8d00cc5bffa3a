"""Numbers up to 999 in Chinese digits: 第三行第五列填二 is read as 第3行第5列填2.

Chinese digits are parts of many other words (一定, 这一行, 一张牌), so they count as numbers only
where nothing else can be meant: alone, after 第, before 号, between what leads to a value and its
end, and in a text without unknown words (行一，列三).
Where counting starts at 0, 第三行 may mean row 2 or row 3, so it is not read as a number unless the
reply itself counts from 0; 第 3 行 is row 3, as in prompts.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from quandary.core.late_pattern import late_pattern

DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
DIGIT = "0-9" + "".join(DIGITS)
ONES = "一二三四五六七八九"
TENS = rf"[{ONES}]?十[{ONES}]?"
NUMERAL = rf"[{ONES}两]百(?:零[{ONES}]|[{ONES}]十[{ONES}]?)?|{TENS}|[{''.join(DIGITS)}]"
SIGNS = r"\s`*'\"“”「」"  # signs around a number that stands alone
END = r"\s?(?:$|[,;.。、!\n)\]`*'\"”」]|第|的(?!话)|[行列格号涂取拿转或再]|然后|还是)"
ALONE = late_pattern(rf"[{SIGNS}]{{0,9}}({NUMERAL})[{SIGNS}.。]{{0,9}}")
ORDINAL = late_pattern(
    rf"(?P<lead>第\s?)(?P<number>{NUMERAL})(?![{''.join(DIGITS)}十百千步次轮回局手点种])"
)
LEADS = "[:=填放入上成出价投注选择写是为打]|顶点|节点|颜色|立方体|袋子?|编号"
CERTAIN = late_pattern(
    rf"(?P<lead>(?<![{ONES}十两])(?:{LEADS})\s?)(?P<value>{NUMERAL})(?=[点分元]?{END})"
    rf"|(?P<taking>(?:[取走拿除求转动]|(?<![需只])要)\s?)(?P<count>{NUMERAL})"
    rf"(?=[颗个枚块次]?(?:石子|红宝石|宝石|子)?{END})"
)
NAME = late_pattern(rf"(?<![{DIGIT}十百千第])(?P<number>{NUMERAL})(?=\s?号)")  # 三号袋
# 零行三列填二
CELL = late_pattern(rf"(?<!\w)(?P<row>{NUMERAL})行(?P<column>{NUMERAL})列(?=[填放写])")
LETTERS = frozenset((*DIGITS, *"十百"))
# in a text without unknown words; 一定, 这一格, 三张牌, 二三: no numbers even there
PLAIN = late_pattern(
    rf"(?<![{DIGIT}十百第这])(?<!第\s)(?P<number>{NUMERAL})(?![{DIGIT}十百定张个次格处])"
)
PLACE = late_pattern(rf"[{''.join(DIGITS)}十]\s?[行列]")
FROM_ZERO = late_pattern(r"(?<!百)[零〇]|第\s?0")  # a reply that counts from 0 itself


def in_digits(text: str, from_zero: bool = False) -> str:
    """Return the text, in half width, with its Chinese numbers in digits.

    `from_zero`: the values that it names count from 0.
    """
    if text.isascii():
        return text
    if alone := ALONE.fullmatch(text):
        return str(_value(alone[1]))
    if not from_zero or FROM_ZERO.search(text):
        text = CELL.sub(lambda cell: f"{_value(cell['row'])}行{_value(cell['column'])}列", text)
        text = ORDINAL.sub(_digits, text)
    text = NAME.sub(_digits, text)
    return CERTAIN.sub(_digits, text)


def all_in_digits(text: str, from_zero: bool, places: Collection[int]) -> str:
    """Return the same for a text without unknown words; digits elsewhere are parts of known
    ones.
    """
    if from_zero and PLACE.search(text) and not FROM_ZERO.search(text):
        return text
    return PLAIN.sub(lambda one: _digits(one) if one.start() in places else one[0], text)


def _digits(found: re.Match[str]) -> str:
    *lead, number = filter(None, found.groups())
    return f"{''.join(lead)}{_value(number)}"


def _value(numeral: str) -> int:
    hundreds, hundred, rest = numeral.rpartition("百")
    if hundred:
        return 100 * DIGITS[hundreds] + (_value(rest.removeprefix("零")) if rest else 0)
    tens, ten, ones = numeral.rpartition("十")
    if not ten:
        return DIGITS[ones]
    return 10 * (DIGITS[tens] if tens else 1) + (DIGITS[ones] if ones else 0)
