"""Published items of mutual restriction (相生相克).

Of the English circle of four, two cards that are "one step apart" are a draw.  The same rules say
that neighbours in the circle beat each other, so cards with one other between them are meant, as
the Chinese says.  Rounds of five elements are judged by the rules of the prompt, where a card that
generates the other loses; two published references follow the opposite.
"""

from __future__ import annotations

import re

from quandary.papers.logicgame.prompts import NotRead, not_understood, task_of
from quandary.papers.logicgame.wordings import reads
from quandary.puzzles.questions.planning.mutual_restriction import MutualRestriction
from quandary.puzzles.questions.planning.mutual_restriction.solver import (
    CARDS,
    Result,
    beaten,
    left_after,
)

# Results belong to the wording: several words mean the same, and a prompt with another is unknown.
CARD = re.compile(r"(?:Round |第)(?:one|[1-4一二三四])(?:: |轮：)(\w)(?=, |，)")
ROUND = re.compile(rf"{CARD.pattern}(?:, |，)((?:a )?[a-z]+|[胜败平])(?=[.。])")
NUMBER = re.compile(r"(?:Round |第)(one|[1-4一二三四])(?=: |轮：)")
NUMBERS = {
    name: number
    for number, names in enumerate(("one 1 一", "2 二", "3 三", "4 四"), start=1)
    for name in names.split()
}
RESULTS: dict[str, Result] = {
    **dict.fromkeys(("win", "won", "胜"), "win"),
    **dict.fromkeys(("loss", "lost", "lose", "defeated", "败"), "loss"),
    **dict.fromkeys(("draw", "a draw", "平"), "draw"),
}
NAMED = {  # what only the rules of a family name
    "a": "five-element|五行",
    "b": "landmine|地雷",
    "c": r"Worm \(D\)|虫子D",
    "d": r"Mouse \(H\)|鼠H",
}
GENERATES = re.compile(r"([A-Z])(?: generates \w+ |生\w)([A-Z])")
OVERCOMES = re.compile(r"([A-Z])(?: overcomes \w+ |克\w)([A-Z])")


@reads(CARD)
def read(prompt: str, level: int) -> MutualRestriction:
    task = task_of(prompt)
    families = [family for family, words in NAMED.items() if re.search(words, task)]
    if len(families) != 1:
        raise not_understood(task.splitlines()[0])
    family = families[0]
    if family == "a":
        _check_elements(task)
    rounds = ROUND.findall(task)
    if [NUMBERS[name] for name in NUMBER.findall(task)] != list(range(1, len(rounds) + 1)):
        raise NotRead("its rounds are not numbered from 1 on")
    for card, result in rounds:
        if card not in CARDS[family] or result not in RESULTS:
            raise not_understood(f"{card}, {result}")
    own = "".join(card for card, _ in rounds)
    if len(set(own)) < len(own):
        raise NotRead("a card is put down twice")
    results = tuple(RESULTS[result] for _, result in rounds)
    if rounds and (count := left_after(family, own, results)[-1].bit_count()) != 1:
        raise NotRead(f"{count} rows of cards fit all results")
    if len(rounds) != level + 1:
        raise NotRead(f"it has {len(rounds)} rounds")
    return MutualRestriction(family, level, own, results)


def _check_elements(task: str) -> None:
    """NotRead unless the tables of the five elements say which of every two cards wins."""
    pairs = {one + other for one, other in OVERCOMES.findall(task)}
    pairs |= {other + one for one, other in GENERATES.findall(task)}
    if pairs != {card + other for card in CARDS["a"] for other in beaten("a", card)}:
        raise NotRead("its tables of the five elements do not fit together")
