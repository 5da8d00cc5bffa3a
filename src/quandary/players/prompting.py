"""What a model is sent: rules, position, worked examples and how to answer; for every puzzle, in every way of asking."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from random import Random
from typing import NamedTuple

from quandary.core.contract import CHANCE, Game, Language, Move, Seat
from quandary.matches.engine import draw
from quandary.matches.player import Status, Turn
from quandary.models.provider import Message, Part, Picture

from .asking import Asking
from .reading.reply import MARKER, Form

LISTED = 100  # legal moves shown at most
EXAMPLE_TURNS = 3  # turns of a worked example in a game
EXAMPLE_BUDGET = 1_000  # positions a move of it is looked for in
EXAMPLES_DRAWN = 20  # before giving up on one that is not the asked one

WORDS = {
    "en": {
        "system": "You solve puzzles and play games. Follow the rules exactly: what you answer is checked by a program.",
        "rules": "RULES\n{rules}",
        "position": "POSITION\n{text}",
        "picture": "The position is shown in the picture.",
        "example": "Here is a worked example. Its puzzle is another one under the same rules.",
        "now": "The example is over. Now comes the puzzle that counts.",
        "legal": "Legal moves here, in no order: {moves}",
        "more": "These are {shown} of {all} legal moves; the others may be played too.",
        "steps": "Think step by step. ",
        "none": "Do not explain anything. ",
        "tree": "Think step by step. ",
        "programs": "Work it out yourself: do not write, run or ask for a program. ",
        "line": "End with one line that holds your answer and nothing else, in this form:\n{marker} <your answer>",
        "block": "End with a line {marker} and below it your answer, between two lines of three backticks each.",
        "json": "End with a line {marker} and below it your answer as one JSON object and nothing else.",
        "vote": "Several answers have been proposed:\n{listed}\nWeigh them against each other, step by step. "
        "End with one line that holds the number of the best one and nothing else, in this form:\n{marker} <number>",
        "unreadable": "No answer could be found in your last reply.",
        "malformed": "The JSON in your last reply cannot be read.",
        "truncated": "Your last reply was cut off before its answer was complete. Think more briefly.",
        "empty": "Your last reply was empty.",
        "refused": "Your last reply gave no answer. This is a harmless puzzle, and it asks for one.",
    },
    "zh": {
        "system": "你来解谜题、下棋牌游戏。请严格遵守规则：你的回答由程序检查。",
        "rules": "规则\n{rules}",
        "position": "局面\n{text}",
        "picture": "局面见图。",
        "example": "下面是一个示例。它是同样规则下的另一道题。",
        "now": "示例结束。下面是正式的题目。",
        "legal": "当前合法的走法（不分次序）：{moves}",
        "more": "以上是全部 {all} 种合法走法中的 {shown} 种，其余的也可以走。",
        "steps": "请一步一步思考。",
        "none": "不要作任何解释。",
        "tree": "请一步一步思考。",
        "programs": "请自己推理，不要编写、运行或要求运行程序。",
        "line": "最后单独写一行，只包含你的回答，格式如下：\n{marker}<你的回答>",
        "block": "最后写一行 {marker}，并在其下方写出你的回答，回答前后各有一行三个反引号。",
        "json": "最后写一行 {marker}，并在其下方只写一个 JSON 对象作为回答。",
        "vote": "有以下几个备选回答：\n{listed}\n请一步一步比较它们。"
        "最后单独写一行，只包含最好的一个的编号，格式如下：\n{marker}<编号>",
        "unreadable": "在你上一次的回复中找不到回答。",
        "malformed": "你上一次回复中的 JSON 无法解析。",
        "truncated": "你上一次的回复在回答完整之前被截断了。请思考得简短一些。",
        "empty": "你上一次的回复是空的。",
        "refused": "你上一次的回复没有给出回答。这只是一道无害的谜题，需要你作答。",
    },
}


class Examples(NamedTuple):
    """Where worked examples come from: an instance like the asked one, drawn anew."""

    asked: Game
    level: dict[str, object]

    def draw(self, rng: Random, seat: Seat, asking: Asking) -> list[tuple[Message, Message]]:
        """One example as the turns of a conversation."""
        for _ in range(EXAMPLES_DRAWN):
            with suppress(ValueError):  # an instance that fits no such task
                other = self.asked.sibling(rng, **self.level)
                if other.luck or other.canonical() != self.asked.canonical():  # with luck, one start goes many ways
                    return list(_played(other, seat, asking, rng))
        return []  # a level with this one instance has nothing to show


def system(asking: Asking) -> Message:
    return Message("system", (WORDS[asking.language]["system"],))


def opening(turn: Turn, asking: Asking, shots: Sequence[Sequence[tuple[Message, Message]]], rng: Random) -> list[Message]:
    """Everything up to the first question: who it is, the rules, worked examples, the position, how to answer."""
    words = WORDS[asking.language]
    rules = words["rules"].format(rules=turn.position.rules(asking.language))
    messages = [system(asking)]
    for number, shot in enumerate(shots):
        for place, (asked, answered) in enumerate(shot):
            heading = (rules,) if number == place == 0 else ()
            announced = (*heading, words["example"]) if place == 0 else ()
            messages += [_joined(*announced, message=asked), answered]
    head = (words["now"],) if len(messages) > 1 else (rules,)
    return [*messages, _joined(*head, message=question(turn, asking, rng))]


def question(turn: Turn, asking: Asking, rng: Random, *, again: bool = False) -> Message:
    """The position of a turn, and how to answer; `again`: a question that stands above already needs only the feedback."""
    words, position = WORDS[asking.language], turn.position
    parts = list[Part]()
    feedback = position.feedback(asking.language)
    if again and feedback:
        parts.append(feedback)
    else:
        parts += _shown(position, turn.seat, asking)
    if asking.legal and turn.options is not None:
        parts.append(_listed(turn, asking, rng))
    parts.append(words[asking.thoughts] + (words["programs"] if not asking.programs else "") + how_to_answer(position.form, asking))
    return Message("user", _merged(parts))


def how_to_answer(form: Form, asking: Asking) -> str:
    return WORDS[asking.language][form].format(marker=MARKER[asking.language])


def correction(status: Status, refused: str, form: Form, asking: Asking) -> Message:
    """What is said after a reply that held no move: what was wrong with it, and how to answer."""
    known = WORDS[asking.language].get(status) if status != "answered" else None
    return Message("user", ((known or refused) + "\n" + how_to_answer(form, asking),))


def vote(asked: Message, candidates: Sequence[Move], asking: Asking) -> Message:
    """The same question, but which of several moves is best."""
    listed = "\n".join(f"{number}. {move}" for number, move in enumerate(candidates, start=1))
    ballot = WORDS[asking.language]["vote"].format(listed=listed, marker=MARKER[asking.language])
    return Message("user", _merged([*asked.parts, ballot]))


def answer_text(move: str, position: Game, asking: Asking) -> str:
    """A reply as it is asked for, without thoughts."""
    marker = MARKER[asking.language]
    written = {"line": "{} {}", "block": "{}\n```\n{}\n```", "json": "{}\n{}"}[position.form]
    return written.format(marker, move)


def _shown(position: Game, seat: Seat, asking: Asking) -> Iterator[Part]:
    words = WORDS[asking.language]
    if asking.shown != "image":
        yield words["position"].format(text=position.text(seat, asking.language))
    if asking.shown != "text":
        yield words["picture"]
        yield picture_of(position, seat, asking.language)
        feedback = position.feedback(asking.language)
        if asking.shown == "image" and feedback:
            yield feedback  # no picture shows what was wrong with the last answer


def picture_of(position: Game, seat: Seat, language: Language = "en") -> Picture:
    from quandary.render.png import png  # needs an extra, and only pictures do
    from quandary.render.svg import picture

    return Picture(png(picture(position, seat, language)))


def _listed(turn: Turn, asking: Asking, rng: Random) -> str:
    """The legal moves, shuffled so that their order tells nothing."""
    assert turn.options is not None
    words, moves = WORDS[asking.language], list(turn.options)
    rng.shuffle(moves)
    listed = words["legal"].format(moves="; ".join(moves[:LISTED]))
    return listed if len(moves) <= LISTED else f"{listed}\n{words['more'].format(shown=LISTED, all=len(moves))}"


def _played(start: Game, seat: Seat, asking: Asking, rng: Random) -> Iterator[tuple[Message, Message]]:
    """Turns of a seat in a match that the engine plays with itself, as far as an example goes."""
    position = start
    bare = Asking(language=asking.language, shown=asking.shown)
    turns = 0
    while turns < EXAMPLE_TURNS and (options := position.options()):
        acting = CHANCE if CHANCE in options else seat if seat in options else min(options)
        if acting == CHANCE:
            listed = options[CHANCE]
            move = position.chance(rng) if listed is None else draw(listed, rng)
        else:
            move = _best(position, acting, rng)
        if acting == seat:
            turns += 1
            seen = position.seen_by(seat)
            yield Message("user", _merged(_shown(seen, seat, bare))), Message("assistant", (answer_text(move, seen, asking),))
        position = position.after(acting, move)


def _best(position: Game, seat: Seat, rng: Random) -> Move:
    seen = position.seen_by(seat)
    if "oracle" in seen.strategies:
        return seen.strategies["oracle"](seen, seat, rng, EXAMPLE_BUDGET)
    listed = position.options()[seat]
    return seen.sample(rng) if listed is None else next(islice(listed, rng.randrange(len(listed)), None))


def _joined(*before: str, message: Message) -> Message:
    return Message(message.role, _merged([*before, *message.parts]))


def _merged(parts: Sequence[Part] | Iterator[Part]) -> tuple[Part, ...]:
    """The same parts with neighbouring texts as one, a blank line between them."""
    merged = list[Part]()
    for part in parts:
        if merged and isinstance(part, str) and isinstance(merged[-1], str):
            merged[-1] += "\n\n" + part
        else:
            merged.append(part)
    return tuple(merged)
