"""Numbers up to 99 in Chinese digits: 第三行第五列填二 is read as 第3行第5列填2.

Chinese digits are parts of many other words (一定, 这一行, 一张牌), so they count as numbers only
where nothing else can be meant: alone, after 第, and between what leads to a value and its end.
"""

from __future__ import annotations

import re

DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
ONES = "一二三四五六七八九"
NUMERAL = rf"[{ONES}]?十[{ONES}]?|[{''.join(DIGITS)}]"
SIGNS = r"\s`*'\"“”「」"  # around a number that stands alone
END = r"\s?(?:$|[,;.。、!\n)\]`*'\"”」]|第|[行列格号])"
ALONE = re.compile(rf"[{SIGNS}]{{0,9}}({NUMERAL})[{SIGNS}.。]{{0,9}}")
CERTAIN = re.compile(
    rf"(?P<ordinal>第\s?)(?P<nth>{NUMERAL})(?![{''.join(DIGITS)}十百千步次轮回局手点种])"
    rf"|(?P<lead>[:=填放入上成出价投注选择写是为]\s?)(?P<value>{NUMERAL})(?=[点分元]?{END})"
    rf"|(?P<taking>[取走拿除]\s?)(?P<count>{NUMERAL})(?=[颗个枚块]?(?:石子|子)?{END})"
)


def in_digits(text: str) -> str:
    """The text, in half width, with its Chinese numbers in digits."""
    if text.isascii():
        return text
    if alone := ALONE.fullmatch(text):
        return str(_value(alone[1]))
    return CERTAIN.sub(_digits, text)


def _digits(found: re.Match[str]) -> str:
    lead, number = filter(None, found.groups())
    return f"{lead}{_value(number)}"


def _value(numeral: str) -> int:
    tens, ten, ones = numeral.rpartition("十")
    if not ten:
        return DIGITS[ones]
    return 10 * (DIGITS[tens] if tens else 1) + (DIGITS[ones] if ones else 0)
