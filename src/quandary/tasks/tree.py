"""Search trees of one-seat games, and the two questions they raise.

`StateCheck` asks whether a position can still be solved; `NextState` asks for the next step of a search.
The strict rule holds: from a solvable position one move to a solvable child that was not shown,
from a dead end back to its parent.  Every label that is printed is proven.
"""

from __future__ import annotations

import re
from collections.abc import Container, Hashable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from quandary.core.contract import CHANCE, Game, Language, Question, Seat, Secret, Verdict, solved, veils_of
from quandary.core.errors import Unreadable
from quandary.core.scene import Scene

STROLLS = 200  # how often a walk is begun anew before an instance is given up

WORD = re.compile(r"[a-z']+")
DENIALS = {"not", "isn't", "neither", "never", "would"}
WORDS = {
    "en": {
        "solvable": "solvable",
        "unsolvable": "unsolvable",
        "check": "Do not solve the puzzle. Judge the position below: can it still be solved from there?\n"
        "Answer with one word: solvable or unsolvable.",
        "next": "The positions below come from a search for a solution. Take the next step of that search.\n"
        "If the current position is solvable, make exactly one move, "
        "to a position that can still be solved and is not the one tried already.\n"
        "If the current position is unsolvable, go back: answer with the position just before it.\n"
        "Answer with the resulting position alone, written exactly as the positions are written here.",
        "start": "The puzzle:",
        "before_parent": "Two steps ago ({0}):",
        "parent": "One step ago ({0}):",
        "current": "Current position:",
        "labelled": "Current position ({0}):",
        "failed": "Tried from the current position, found unsolvable:",
        "unreadable": "No position can be read: {0}",
        "unknown_label": "Answer with one word: solvable or unsolvable.",
        "wrong_label": "The position is {0}.",
        "no_move": "That is the current position; a step must change it.",
        "not_parent": "The current position is a dead end: go back to the position just before it.",
        "sibling": "That is another move from the position before; going back comes first.",
        "several_moves": "That is more than one move away.",
        "invalid_move": "No single move leads there.",
        "known_dead_end": "That position was tried already and cannot be solved.",
        "dead_end": "From that position the puzzle can no longer be solved.",
    },
    "zh": {
        "solvable": "可解",
        "unsolvable": "不可解",
        "check": "不要解题，只需判断下面的局面：从这里出发还能否解出？\n只回答一个词：可解 或 不可解。",
        "next": "下面的局面来自一次求解搜索。请给出搜索的下一步。\n"
        "如果当前局面可解，恰好走一步，走到一个仍然可解、且未被尝试过的局面。\n"
        "如果当前局面不可解，则后退：回答它的前一个局面。\n只回答得到的局面，写法与这里的局面完全一致。",
        "start": "题目：",
        "before_parent": "前两步（{0}）：",
        "parent": "前一步（{0}）：",
        "current": "当前局面：",
        "labelled": "当前局面（{0}）：",
        "failed": "已从当前局面尝试过，结果不可解：",
        "unreadable": "无法读出局面：{0}",
        "unknown_label": "只回答一个词：可解 或 不可解。",
        "wrong_label": "该局面{0}。",
        "no_move": "这就是当前局面；走一步必须有所改变。",
        "not_parent": "当前局面是死路：请退回前一个局面。",
        "sibling": "这是前一个局面的另一种走法；应当先后退。",
        "several_moves": "这不止一步。",
        "invalid_move": "走一步到不了那里。",
        "known_dead_end": "那个局面已经试过，不可解。",
        "dead_end": "从那个局面出发已无法解出。",
    },
}


def refusal(game: Game) -> str:
    """Why there are no state tasks on a game; "" where there are."""
    if game.seats != 1:
        return "it is played by more than one seat"
    if veils_of(type(game)):
        return "it hides something, so nobody could judge a position"
    options = game.options()
    if CHANCE in options:
        return "luck decides on the way"
    if options.get(0) is None:
        return "its moves cannot be listed"
    return ""


def children(position: Game) -> list[Game]:
    return [position.after(0, move) for move in position.options().get(0) or ()]


def stroll(start: Game, rng: Random, dead: bool) -> list[Game] | None:
    """A path of solvable positions from `start`, its last one followed by a dead end if `dead`; None if the walk met none."""
    path = [start]
    for _ in range(rng.randint(1, _longest(start, rng))):
        step = next((child for child in _shuffled(path[-1], rng) if child.options() and child.solvable()), None)
        if step is None:
            break
        path.append(step)
    if dead:
        while path:
            if (end := _dead_end(path[-1], rng)) is not None:
                return [*path, end]
            path.pop()
        return None
    return path if len(path) > 1 else None


def _dead_end(position: Game, rng: Random) -> Game | None:
    """A child that cannot be solved; one that can still be played where there is such, for it takes looking ahead to see."""
    over = None
    for child in _shuffled(position, rng):
        if not solved(child) and not child.solvable():
            if child.options():
                return child
            over = over or child
    return over


def _longest(start: Game, rng: Random) -> int:
    """How many moves some solution from `start` takes: the depth to spread positions over."""
    position, depth = start, 0
    while not solved(position):
        position = next(child for child in _shuffled(position, rng) if child.solvable())
        depth += 1
    return max(1, depth - 1)


def _shuffled(position: Game, rng: Random) -> Iterator[Game]:
    moves = list(position.options().get(0) or ())
    rng.shuffle(moves)
    return (position.after(0, move) for move in moves)


def _walk(start: Game, rng: Random) -> tuple[list[Game], bool]:
    """A path and whether its end is solvable, both labels equally likely."""
    for _ in range(STROLLS):
        dead = rng.random() < 0.5
        if path := stroll(start, rng, dead):
            return path, not dead
    raise ValueError("no position of this instance fits; take another seed")


def _tried(position: Game) -> Game | None:
    """The first dead child in the order of moves, as a search would have met it."""
    return next((child for child in children(position) if not solved(child) and not child.solvable()), None)


@dataclass(frozen=True)
class StateCheck(Question):
    """Can this position still be solved?"""

    start: Game
    position: Game
    tried: Game | None  # a child already explored, unsolvable whatever the label
    answer: Secret[bool]

    refusal = staticmethod(refusal)
    task = "check"
    retry = False

    @classmethod
    def new(cls, rng: Random, *args: Any, **level: Any) -> StateCheck:
        [start] = args
        path, answer = _walk(start, rng)
        return cls(start, path[-1], _tried(path[-1]), answer)

    def sibling(self, rng: Random, **level: Any) -> StateCheck:
        return StateCheck.new(rng, self.start.sibling(rng, **level))

    @property
    def languages(self) -> tuple[Language, ...]:  # type: ignore[override]
        return self.start.languages

    def world(self, rng: Random) -> StateCheck:
        return StateCheck(self.start, self.position, self.tried, self.position.solvable())

    def rules(self, language: Language = "en") -> str:
        return f"{self.start.rules(language)}\n\n{WORDS[language]['check']}"

    def text(self, seat: Seat, language: Language = "en") -> str:
        words = WORDS[language]
        shown = [(words["start"], self.start), (words["current"], self.position)]
        if self.tried is not None:
            shown.append((words["failed"], self.tried))
        return "\n\n".join(f"{title}\n{position.state()}" for title, position in shown)

    def scene(self, seat: Seat) -> Scene | None:
        return self.position.scene(seat)

    def canonical(self) -> Hashable:
        return self.position.canonical()

    def check(self, answer: str, language: Language = "en") -> Verdict:
        labels = {words[label]: label == "solvable" for words in WORDS.values() for label in ("solvable", "unsolvable")}
        said = _label(answer.casefold(), labels)
        if said not in labels:
            return Verdict(0.0, "unknown_label", WORDS[language]["unknown_label"])
        truth = self.position.solvable()
        if labels[said] == truth:
            return Verdict(1.0)
        label = WORDS[language]["solvable" if truth else "unsolvable"]
        return Verdict(0.0, "wrong_label", WORDS[language]["wrong_label"].format(label))

    def solution(self) -> str:
        return "solvable" if self.position.solvable() else "unsolvable"

    def sample(self, rng: Random) -> str:
        return rng.choice(["solvable", "unsolvable"])


def _label(answer: str, labels: Container[str]) -> str:
    """The label that is said, alone or as the only one among words that deny nothing; else the words."""
    words = set(WORD.findall(answer))
    said = {word for word in words if word in labels}
    is_plain = len(said) == 1 and not words & DENIALS and not any(map(str.isdigit, answer))
    return said.pop() if is_plain else answer.strip().strip(".!。'\"*`")


@dataclass(frozen=True)
class NextState(Question):
    """Take one step of the search: on from a solvable position, back from a dead end."""

    start: Game
    before_parent: Game | None
    parent: Game
    position: Game
    tried: Game | None
    status: bool  # whether `position` is solvable; it is printed, so it is no secret

    task = "next"
    form = "block"
    refusal = staticmethod(refusal)

    @classmethod
    def new(cls, rng: Random, *args: Any, **level: Any) -> NextState:
        [start] = args
        path, status = _walk(start, rng)
        before = path[-3] if len(path) > 2 else None
        return cls(start, before, path[-2], path[-1], _tried(path[-1]), status)

    def sibling(self, rng: Random, **level: Any) -> NextState:
        return NextState.new(rng, self.start.sibling(rng, **level))

    @property
    def languages(self) -> tuple[Language, ...]:  # type: ignore[override]
        return self.start.languages

    def rules(self, language: Language = "en") -> str:
        return f"{self.start.rules(language)}\n\n{WORDS[language]['next']}"

    def text(self, seat: Seat, language: Language = "en") -> str:
        words = WORDS[language]

        def titled(title: str, position: Game) -> str:
            label = words["solvable" if position.solvable() else "unsolvable"]
            return f"{words[title].format(label)}\n{position.state()}"

        shown = [titled("start", self.start)]
        if self.before_parent is not None:
            shown.append(titled("before_parent", self.before_parent))
        shown += [titled("parent", self.parent), titled("labelled", self.position)]
        if self.tried is not None:
            shown.append(titled("failed", self.tried))
        return "\n\n".join(shown)

    def scene(self, seat: Seat) -> Scene | None:
        return self.position.scene(seat)

    def canonical(self) -> Hashable:
        return self.position.canonical()

    def check(self, answer: str, language: Language = "en") -> Verdict:
        try:
            said = self.position.restate(answer)
        except Unreadable as reason:
            return Verdict(0.0, "unreadable", WORDS[language]["unreadable"].format(reason))
        kind = self._fault(said)
        return Verdict(0.0, kind, WORDS[language][kind]) if kind else Verdict(1.0)

    def _fault(self, said: Game) -> str:
        if not self.status:
            if said == self.parent:
                return ""
            return "sibling" if said in children(self.parent) and said != self.position else "not_parent"
        if said == self.position:
            return "no_move"
        if said == self.tried:
            return "known_dead_end"
        near = children(self.position)
        if said in near:
            return "" if solved(said) or said.solvable() else "dead_end"
        return "several_moves" if any(said in children(child) for child in near) else "invalid_move"

    def solution(self) -> str:
        if not self.status:
            return self.parent.state()
        return next(child for child in children(self.position) if solved(child) or child.solvable()).state()

    def sample(self, rng: Random) -> str:
        return rng.choice([self.parent, *children(self.position)]).state()
