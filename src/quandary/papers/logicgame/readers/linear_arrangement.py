"""Published items of linear arrangement (排列组合).

In a timetable, "Physical Education follows English" (上完英语以后是体育) is read as the very next
class: otherwise no item with such a condition would have one answer.
"""

from __future__ import annotations

import re
from functools import cache

from quandary.papers.logicgame.prompts import NotRead, not_understood, task_of
from quandary.papers.logicgame.wordings import reads
from quandary.puzzles.questions.planning.linear_arrangement import KINDS, LinearArrangement
from quandary.puzzles.questions.planning.linear_arrangement.solver import (
    LETTERS,
    PLACED,
    Clue,
    Said,
    left_after,
)

START = r"(?:^|(?<=[.。]))\s*\d\. ?(?=[A-Z一-龥])"  # of a clue
CLUE = re.compile(rf"{START}((?:(?!{START}).)+)", re.M)
FAMILIES = {  # what only the tasks of a family name -> the letters of its things
    "a": ("Book|书", r"[(（]((?:[A-H](?:, ?)?)+)[)）]"),
    "b": ("student|同学", r"[(（]((?:[A-H](?:, ?)?)+)[)）]"),
    "c": ("squares|方格", r"(?:letters |字母)((?:[A-H](?:, and |, |、)?)+)"),
    "d": ("subjects|科目", r"(?:subjects: |给)(.*?)(?:, with|\w个科目)"),
}
NOUN = re.compile(r"(?:[Bb]ook |[Ss]tudent |[Tt]he letter |书|同学|字母)(?=[A-H])")
SUBJECT = re.compile(r"([A-Z]\w+(?: Education)?|[一-龥]+) ?([A-H])\b")
FIRST, LAST, MIDDLE = "first", "last", "middle"
# What is said of the things x, y, z and the place n, without nouns -> the same in our terms.
CLAUSES: dict[str, tuple[tuple[str, str, str | int], ...]] = {
    "<x> (?:can only be placed|is placed|is) in position <n>": (("at", "x", "n"),),
    "<x> cannot be placed in position <n>": (("not_at", "x", "n"),),
    "<x> can be placed in any position": (("anywhere", "x", 0),),
    "<x> is placed in the middle": (("at", "x", MIDDLE),),
    "<x> (?:must stand on|must stand at|is on) the far left": (("at", "x", FIRST),),
    "<x> (?:must stand on|must stand at|is on) the far right": (("at", "x", LAST),),
    "<x> (?:cannot stand on|cannot stand at|is not on) the far left": (("not_at", "x", FIRST),),
    "<x> is not in the leftmost position": (("not_at", "x", FIRST),),
    "<x> (?:must be|is) to the left of <y>": (("before", "xy", 0),),
    "<x> is to the right of <y>": (("before", "yx", 0),),
    "The position number of <x> cannot be smaller than that of <y>": (("before", "yx", 0),),
    "<x> is to the left of <y> but cannot be in the leftmost position": (
        ("before", "xy", 0),
        ("not_at", "x", FIRST),
    ),
    "<x> (?:must be|is immediately) next to <y>": (("next_to", "xy", 0),),
    "<x> is immediately next to <y>, on <y>'s right(?: side)?": (("just_before", "yx", 0),),
    "<x> cannot be next to <y>": (("not_next_to", "xy", 0),),
    "<x> cannot be next to <y>, and <y> must be to the right of <z>": (
        ("not_next_to", "xy", 0),
        ("before", "zy", 0),
    ),
    "There must be one person between <x> and <y>": (("apart", "xy", 1),),
    "The distance from <x> to <y> must be greater than the distance from <x> to <z>": (
        ("farther", "xyz", 0),
    ),
    "<x> cannot be scheduled immediately before or after <y>": (("not_next_to", "xy", 0),),
    "<x> cannot be the first class": (("not_at", "x", FIRST),),
    "<x> follows <y>": (("just_before", "yx", 0),),
    "<x>(?:只能)?放在位置<n>": (("at", "x", "n"),),
    "<x>不能放在位置<n>": (("not_at", "x", "n"),),
    "<x>可以放在任意位置": (("anywhere", "x", 0),),
    "<x>放在最中间": (("at", "x", MIDDLE),),
    "<x>(?:在最左边|是第一节)": (("at", "x", FIRST),),
    "<x>(?:必须站)?在最右边": (("at", "x", LAST),),
    "<x>(?:不在最左边|不能站在最左边|不能是第一节)": (("not_at", "x", FIRST),),
    "<x>不能是最后一节": (("not_at", "x", LAST),),
    "<x>、<y>、<z>不能是最后一节": tuple(("not_at", one, LAST) for one in "xyz"),
    "<x>(?:只能放在|放在|在)<y>的?左边": (("before", "xy", 0),),
    "<x>(?:放在|在)<y>的?右边": (("before", "yx", 0),),
    "<x>的位置数字不能比<y>小": (("before", "yx", 0),),
    "<x>在<y>左边但不能在最左边": (("before", "xy", 0), ("not_at", "x", FIRST)),
    "<x>要在<y>之前上课": (("before", "xy", 0),),
    "<x>要在<y>之后上课": (("before", "yx", 0),),
    "<x>(?:必须|紧)挨着<y>": (("next_to", "xy", 0),),
    "<x>紧挨着<y>，在<y>的右边": (("just_before", "yx", 0),),
    "上完<x>以后是<y>": (("just_before", "xy", 0),),
    "<x>不能挨着<y>": (("not_next_to", "xy", 0),),
    "<x>不能与<y>连上": (("not_next_to", "xy", 0),),
    "<x>和<y>之间必须隔着人": (("not_next_to", "xy", 0),),
    "<x>不能挨着<y>，且<y>在<z>右边": (("not_next_to", "xy", 0), ("before", "zy", 0)),
    "<x>、<y>、<z>两两之间不能连上": tuple(("not_next_to", two, 0) for two in ("xy", "xz", "yz")),
    "<x>在<y>和<z>之间": (("between", "xyz", 0),),
    "<x>到<y>的距离必须大于<x>到<z>的距离": (("farther", "xyz", 0),),
    # Of six letters, A and E are four apart in the alphabet, and so are B and F.
    "次序之差为4的字母，所处的方格数字之差为3": (("apart", "AE", 2), ("apart", "BF", 2)),
}
KNOWN_KINDS = {**KINDS, "a": (*KINDS["a"], "anywhere")}


@reads(CLUE)
def read(prompt: str, level: int) -> LinearArrangement:
    task = task_of(prompt)
    families = [family for family, (words, _) in FAMILIES.items() if re.search(words, task)]
    if len(families) != 1:
        raise not_understood(task.splitlines()[0])
    names = _names(task, families[0])
    if list(names.values()) != list(LETTERS[: level + 3]):
        raise NotRead(f"it does not name each of its {level + 3} letters")
    clues = tuple(_clue(body, families[0], names) for body in CLUE.findall(task))
    if not clues:
        raise NotRead("it has no conditions")
    count = left_after(len(names), clues)[-1].bit_count()
    if count != 1:
        raise NotRead(f"{count} orders fit all conditions")
    return LinearArrangement(families[0], level, len(names), clues)


def _names(task: str, family: str) -> dict[str, str]:
    """Return what stands for a thing -> its letter."""
    match = re.search(FAMILIES[family][1], task)
    named = match[1] if match else ""
    if family != "d":
        return {letter: letter for letter in re.findall("[A-H]", named)}
    return {name.replace("Mathematics", "Math"): letter for name, letter in SUBJECT.findall(named)}


def _clue(body: str, family: str, names: dict[str, str]) -> Clue:
    """Return what a condition says, of things that are there and in a way that our family knows."""
    text = body.strip().rstrip(".。")
    for name, letter in names.items():
        text = text.replace(name, letter)
    text = NOUN.sub("", text)
    for pattern, parts in CLAUSES.items():
        if match := re.fullmatch(_with_groups(pattern), text):
            clue = tuple(_statement(part, match.groupdict(), len(names)) for part in parts)
            if all(_is_known(one, family, len(names)) for one in clue):
                return clue
    raise not_understood(body)


@cache
def _with_groups(pattern: str) -> str:
    """With a group for each thing, of which a second mention is the same thing, and for a place."""
    for name, symbols in {"x": "[A-H]", "y": "[A-H]", "z": "[A-H]", "n": "[1-9]"}.items():
        start, *ends = pattern.split(f"<{name}>")
        if ends:
            pattern = f"{start}(?P<{name}>{symbols}){f'(?P={name})'.join(ends)}"
    return pattern


def _statement(part: tuple[str, str, str | int], named: dict[str, str], count: int) -> Said:
    about, things, number = part
    letters = "".join(named.get(thing, thing) for thing in things)
    if isinstance(number, str):
        middle = (count + 1) // 2 if count % 2 else 0
        number = {FIRST: 1, LAST: count, MIDDLE: middle}.get(number) or int(named.get(number, 0))
    return Said(about, letters, number)


def _is_known(statement: Said, family: str, count: int) -> bool:
    letters = set(statement.things)
    return (
        statement.about in KNOWN_KINDS[family]
        and letters <= set(LETTERS[:count])
        and len(letters) == len(statement.things)
        and (statement.about not in PLACED or 1 <= statement.number <= count)
    )
