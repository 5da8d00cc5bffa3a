"""Reads the published prompts of synthesis and decomposition.

Goods and products are told apart by their letters; the word before a letter is not always right.
"""

from __future__ import annotations

import re

from quandary.papers.logicgame.prompts import NotRead, check_known, found, task_of
from quandary.papers.logicgame.wordings import reads
from quandary.puzzles.questions.execution._shared.synthesis.solver import method_of
from quandary.puzzles.questions.execution.synthesis_and_decomposition import (
    GOODS,
    PRODUCTS,
    SynthesisAndDecomposition,
)

NUMBERS = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
NUMBERS |= {word: n for n, word in enumerate("一二三四五六", start=1)} | {"两": 2}
FAMILIES = {"a": "crop|作物", "b": "machine|机械", "c": "sample|样本", "d": "ingredient|食材"}
WORDS = (
    "new|the|of|units?|portions?|crops?|agricultural|products?|machines?|parts?|samples?"
    "|molecules?|ingredients?|dish(?:es)?|set meals?"
)
AMOUNT = (
    rf"(?:(?i:{'|'.join(NUMBERS)})|\d)(?:(?: (?i:{WORDS}))+ | ?[份种](?:新的)?"
    r"(?:作物|农产品|机械|零件|样本|分子|食材|菜品|套餐) ?)[A-Z](?: and [A-Z])?"
)
AMOUNTS = rf"{AMOUNT}(?:(?:, and |, | and | ?和 ?|，|、){AMOUNT})*"
TURNED = (
    r"(?: can (?:only )?(?:be (?:exchanged|replaced|dismantled|combined|used)"
    r"(?: per round| in each round)? ?)?"
    r"(?:for|with|into|make|to (?:obtain|yield|extract|synthesize|make))(?: exactly)? "
    r"| ?，? ?(?:每轮可且仅可以?|每次循环可且仅可|每次可以且仅可以|可以)"
    r"(?:换成|拆出|提取|合成|做出))"
)
ONCE = (  # a turn uses a method once, so this says nothing more
    r"(?: per round)?(?:, (?:and only one portion can be exchanged per cycle"
    r"|with only one exchange allowed per cycle|and this can be done only once per"
    r" (?:cycle|exchange)))?\.|(?:，每次(?:循环)?仅可兑换一份)?。"
)
METHOD = re.compile(
    rf"^(?:Method |方法)(?P<number>\d)[:：]\s*(?P<takes>{AMOUNTS}){TURNED}(?P<makes>{AMOUNTS})"
    rf"(?:{ONCE})[ ]*$",
    re.M,
)
START = re.compile(
    r"(?:Assuming (?:there are initially|the initial farmland (?:has|contains)) "
    r"|假设初始(?:农田中)?有 ?)"
    rf"(?P<start>{AMOUNTS})(?: in the farmland)?[.。]"
)
ORDERS = (
    r"in the order of (?P<names>[^.]+)\.|按照(?P<zh>[^。]+?)的顺序",
    r"quantit[yies]+ (?:corresponding to|of) (?P<names>[^.]+?) after|后(?P<zh>[A-Z、]+)对应的数量",
)
LETTERS = "[A-Z](?:(?:, and| and|,|、| 、| ?和) ?[A-Z])*"
KNOWN = (
    r"(?:Xiao )?Li is a farm(?:er| owner) who (?:grows|cultivates) \w+ (?=types|crops)",
    rf"(?:types of )?crops[,:] {LETTERS}\. ",
    r"He found that the yield of the farm can be increased through the following two methods:",
    r"He has discovered that the following three methods can increase the farm's yield:",
    rf"He can exchange these crops for agricultural products {LETTERS}\. ",
    r"He has discovered \w+ methods to increase the farm's yield:",
    rf"There is a dismantling engineer who has old machines {LETTERS}\. He discovered that he can ",
    rf"obtain a batch of new parts {LETTERS} through the following (?:two )?methods:",
    rf"In the laboratory, there are biological samples {LETTERS}\. ",
    rf"The following methods can be used to extract bio(?:logical )?molecules {LETTERS}:",
    r"A chef is participating in a cooking competition\. ",
    rf"He currently has ingredient packages {LETTERS}\. Using the following combinations, he can ",
    r"make two (?:types of )?dishes, (?:Dish X and Dish Y|X and Y, and a set meal, Z):",
    r"Xiao Li continuously cycles through these methods in the given order until none of the ",
    r"methods can be performed any longer\.",
    r"(?:Xiao Li continuously c|C)ycles? through (?=these|Methods)",
    r"(?:these methods in the given|Methods [\d, and]+ in) order, ",
    r"executing one method at a time\. ",
    r"After Method \d, start again from Method 1\. Continue this cycle until no method can be ",
    r"executed(?: due to lack of required ingredients)?\.\.?",
    r"How many [^?\n]+ will (?:remain|be left)(?: at (?:this|that) (?:time|point))?\?",
    rf"小李是一位农场主，他种植.种作物 {LETTERS}(?:，可以兑换的农产品有{LETTERS})?。",
    r"他发现通过以下.种方法可以(?:增加农场的产量|拆得一批新的零件[A-Z、和]+):",
    rf"有一位拆卸工程师，他有废旧机械{LETTERS}。",
    rf"实验室中有生物样本{LETTERS}。通过以下几种方法可以提取生物分子{LETTERS}：",
    rf"有一名厨师参加厨师大赛，他现有的食材包裹包括{LETTERS}。通过以下几种搭配，",
    r"可以制作两种菜品X和菜品Y(?:，和套餐Z)?：",
    r"(?:小李)?按照以上顺序不断循环进行方法，直到所有方法都无法再进行：",
    r"请问最终.+剩余多少？",
)


@reads(METHOD, START)
def read(prompt: str, level: int) -> SynthesisAndDecomposition:
    """Return the instance of a prompt; NotRead if some of it is not understood."""
    task = task_of(prompt)
    starts, lines = list(START.finditer(task)), list(METHOD.finditer(task))
    if len(starts) != 1:
        raise NotRead(f"{len(starts)} places say what there is at the start")
    (asked,) = starts
    check_known(METHOD.sub("", task).replace(asked[0], ""), KNOWN)
    numbers = [int(line["number"]) for line in lines]
    last = re.search(r"After Method (\d)", task)
    if not lines or numbers != list(range(1, int(last[1]) + 1 if last else len(lines) + 1)):
        raise NotRead(f"its methods have the numbers {numbers}")
    start = _amounts(asked["start"])
    sides = [(_amounts(line["takes"]), _amounts(line["makes"])) for line in lines]
    goods = "".join(sorted(start))
    products = "".join(
        sorted({name for pair in sides for side in pair for name in side} - {*start})
    )
    if not (GOODS.startswith(goods) and PRODUCTS.startswith(products)):
        raise NotRead(f"it starts with {goods}, and its methods name {products} too")
    for pattern in ORDERS:
        listed = found(pattern, prompt)
        names = "".join(re.findall(r"(?<![A-Za-z])[A-Z](?![a-z])", listed["names"] or listed["zh"]))
        if names != goods + products:
            raise NotRead(f"it asks for the numbers of {names}, and has {goods + products}")
    place = {name: at for at, name in enumerate(goods + products)}
    placed = [[{place[name]: n for name, n in side.items()} for side in pair] for pair in sides]
    methods = tuple(method_of(len(place), *pair) for pair in placed)
    counts = tuple(start.get(name, 0) for name in place)
    family = [one for one, words in FAMILIES.items() if re.search(words, task, re.I)]
    if len(family) != 1:
        raise NotRead(f"it is of the families {', '.join(family) or 'none'}")
    return SynthesisAndDecomposition(family[0], level, methods, counts, len(goods))


def _amounts(text: str) -> dict[str, int]:
    """Return the number of each good or product, by its letter."""
    amounts = dict[str, int]()
    for one in re.findall(AMOUNT, text):
        number = re.split("[ 份种]", one)[0].lower()
        for name in re.findall(r"[A-Z](?= and|$)", one):
            if name in amounts:
                raise NotRead(f"{name} comes twice in {text!r}")
            amounts[name] = NUMBERS.get(number) or int(number)
    return amounts
