"""Reads the published prompts of mahjong."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise, zip_longest

from quandary.papers.logicgame.prompts import NotRead, found, not_understood
from quandary.papers.logicgame.wordings import reads
from quandary.puzzles.questions.execution.mahjong import CALLS, Mahjong
from quandary.puzzles.questions.execution.mahjong.solver import LETTERS, NUMBERED, PRECEDENCE

RULE = re.compile(r"(?<=[.:：\n])\s*(\d)\. ")
NAMES = {"Hu": "hu", "Qing Peng": "pure_peng", "Peng": "peng", "Pong": "peng", "Chi": "chi"}
NAMES |= {"胡": "hu", "清碰": "pure_peng", "碰": "peng", "吃": "chi", "Pass": "", "过": ""}
NAME = "|".join(NAMES)
CALL = re.compile(
    rf"(?P<when>.+)(?:\"(?P<en>{NAME}),\" represented by the number |判定为(?P<zh>{NAME})，用数字)"
    r"(?P<number>\d).*"
)
# Call, with its family where that matters -> words of its condition.
CONDITIONS = {
    "a peng": r"two identical (?:card|tile)s in hand|两个相同的牌",
    "a chi": r"can form a consecutive letter sequence|可以组成相连的字母串",
    "a hu": r"n\*AAA ?\+ ?m\*ABC ?\+ ?DD",
    "b peng": r"two cards with the same number(?! and)|两个相同数字的牌",
    "b pure_peng": r"two cards with the same number and suit|两个同数字、同花色的牌",
    "b chi": r"can form a (?:consecutive sequence of|sequence of consecutive) numbers|数字相连",
    "b hu": r"n\*AAA ?\+ ?m\*ABC ?\+ ?DD",
    "a ": r"does not (?:meet|satisfy)|不能满足",
    "b ": r"does not (?:meet|satisfy)|不能满足",
}
OVER = re.compile(rf"({NAME})(?:\" takes precedence over \"|优先于)({NAME})")
SIZE = re.compile(r"(?:Initially, there are |初始有)(?P<tiles>\d+) ?(?:cards\.|tiles\.|张牌。)")
GROUPS = r"(?:The sum of n and m is always (?:equal to )?|n和m的和恒等于)(?P<groups>\d)"
HOW_ROUNDS_GO = re.compile(  # the same in all prompts
    r"Each time,? a new (?:card|tile) is added,(?: and)? (?:a|the) result is determined\. "
    r"Then, one (?:card|tile) is removed\.|每次新增一张牌，并进行结果判定。然后再减少一张。|"
    r"(?:The card that is removed|The removed card|The removal of a (?:card|tile)|Removing a card)"
    r" does not affect the result determination.*|减少的?牌不影响结果判定.*"
)
HAND = r"^(?:Given the initial cards: ?|已知初始牌为\n)(?P<hand>[A-Z]\d?(?:,? ?[A-Z]\d?)*) *$"
ROUND = re.compile(
    r"(?:Round |第)?(?P<number>First|\d|[一二三四])(?: round|轮)?[:：] ?"
    r"(?:Add an? |新增一张)(?P<added>[A-Z]\d?)(?: card)?"
    r"(?:(?: and remove an? |，减少一张)(?P<removed>[A-Z]\d?)(?: card)?)?[.。]?"
)
ORDER = {"First": 1, "一": 1, "二": 2, "三": 3, "四": 4}
END = re.compile("Based on the above|根据以上")


@reads(HAND, ROUND)
def read(prompt: str, level: int) -> Mahjong:
    """Return the instance of a prompt; NotRead if some of it is not understood."""
    given = re.search(HAND, prompt, re.M)
    if given is None:
        raise NotRead("the hand is not found")
    hand = tuple(sorted(re.findall(r"[A-Z]\d?", given["hand"])))
    family = "b" if re.search("suits|花色", prompt) else "a"
    calls = _calls(prompt[: given.start()], family, len(hand))
    rounds = list(_rounds(prompt[given.end() :]))
    added = tuple(tile for tile, _ in rounds)
    removed = tuple(gone for _, gone in rounds if gone)
    _check_tiles(LETTERS if family == "a" else NUMBERED, hand, added, removed)
    return Mahjong(family, level, calls, hand, added, removed)


def _calls(text: str, family: str, tiles: int) -> int:
    """Return how many calls the rules have, which must be ours, with the same numbers and
    precedence.
    """
    _, *parts = RULE.split(text)
    lines = [line.strip() for line in parts[1::2]]
    if parts[::2] != [str(number) for number, _ in enumerate(lines, start=1)]:
        raise NotRead(f"its rules have the numbers {', '.join(parts[::2])}")
    numbers, over = dict[str, int](), list[tuple[str, str]]()
    for line in lines:
        if size := SIZE.fullmatch(line):
            if int(size["tiles"]) != tiles:
                raise NotRead(f"it announces {size['tiles']} tiles and gives {tiles}")
        elif pairs := OVER.findall(line):
            over += [(NAMES[one], NAMES[other]) for one, other in pairs]
        elif call := CALL.fullmatch(line):
            name = NAMES[call["en"] or call["zh"]]
            if not re.search(CONDITIONS.get(f"{family} {name}", "$^"), call["when"]):
                raise not_understood(line)
            if name == "hu" and 3 * int(found(GROUPS, line)["groups"]) + 1 != tiles:
                raise NotRead(f"{tiles} tiles and one more do not make its groups and a pair")
            numbers[name] = int(call["number"])
        elif not HOW_ROUNDS_GO.fullmatch(line):
            raise not_understood(line)
    known = CALLS[family][: len(numbers) - 1]
    if numbers != {"": 0, **{name: number for number, name in enumerate(known, start=1)}}:
        raise NotRead(f"its calls have the numbers {numbers}")
    if over != list(pairwise(name for name in PRECEDENCE if name in known)):
        raise NotRead(f"its calls take precedence as in {over}")
    return len(known)


def _rounds(text: str) -> Iterator[tuple[str, str | None]]:
    """Yield the tile that each round adds and the one that it removes."""
    lines = (line.strip("\ufeff ") for line in END.split(text)[0].splitlines())
    for number, line in enumerate(filter(None, lines), start=1):
        here = ROUND.fullmatch(line)
        if here is None or number != (ORDER.get(here["number"]) or int(here["number"])):
            raise not_understood(line)
        yield here["added"], here["removed"]


def _check_tiles(
    tiles: Sequence[str], hand: Sequence[str], added: Sequence[str], removed: Sequence[str]
) -> None:
    if odd := {*hand, *added} - set(tiles):
        raise NotRead(f"it has tiles of another kind: {', '.join(sorted(odd))}")
    if len(removed) != len(added) - 1:
        raise NotRead(f"{len(added)} tiles are added and {len(removed)} removed")
    held = Counter(hand)
    for tile, gone in zip_longest(added, removed):
        held[tile] += 1
        if gone and not held[gone]:
            raise NotRead(f"{gone} is removed and not held")
        held[gone] -= 1
