"""The sentences of prompts, in every language."""

from __future__ import annotations

from collections.abc import Mapping

from quandary.core.errors import UserError


def words_in(language: str) -> Mapping[str, str]:
    """Return the sentences of prompts in a language."""
    return _written("WORDING", WORDING, language)


def colours_in(language: str) -> Mapping[str, str]:
    """Return the names of colours in a language."""
    return _written("COLOUR_WORDS", COLOUR_WORDS, language)


def _written(name: str, words: Mapping[str, Mapping[str, str]], language: str) -> Mapping[str, str]:
    if language not in words:
        raise UserError(
            f"prompts have no words in {language!r} yet; add them to {name} in {__file__}."
        )
    return words[language]


WORDING: dict[str, dict[str, str]] = {
    "en": {
        "system": "You solve puzzles and play games. Follow the rules exactly: what you answer is "
        "checked by a program.",
        "rules": "RULES\n{rules}",
        "position": "POSITION\n{text}",
        "changed": "CHANGES\n{lines}",
        "left out": "(An earlier position.)",
        "picture": "The position is shown in the picture.",
        "colours": "What its colours mean:\n{colours}",
        "colour": "- {colour}: {meaning}",
        "example": "Here is a worked example. Its puzzle is another one under the same rules.",
        "example_of_many": "Here is worked example {number} of {count}. Its puzzle is another "
        "one under the same rules.",
        "now": "The example is over. Now comes the puzzle that counts.",
        "now_many": "The examples are over. Now comes the puzzle that counts.",
        "guess": "A first idea:\n{guess}\nWhat a check of it says: {verdict}\nSo this is not my "
        "answer.",
        "checked": "What a check of the answer below says: {verdict}",
        "accepted": "It meets all the rules.",
        "value": "It is worth {value}.",
        "wrong": "It is not right.",
        "count": "Legal moves: {count}. ",
        "compared": "The score to expect after some of them, under best play:\n{moves}\n"
        "No move is better than {move}.",
        "worth": "- {move}: {worth}",
        "chosen": "A strong player of this puzzle chooses {move} here.",
        "legal": "Legal moves here, in no order: {moves}",
        "between moves": "; ",
        "more": "These are {shown} of {all} legal moves; the others may be played too.",
        "steps": "Think step by step. ",
        "none": "",
        "tree": "Think step by step. ",
        "programs": "Work it out yourself: do not write, run or ask for a program. ",
        "answer": "End with your answer between two lines of three backticks each, in this "
        "form:\n```\nyour answer\n```",
        "json": "End with your answer as one JSON object between two lines of three backticks "
        "each, in this form:\n```\nyour answer\n```",
        "answer alone": "Do not explain anything. Write your answer between two lines of three "
        "backticks each, in this form:\n```\nyour answer\n```",
        "json alone": "Do not explain anything. Write your answer as one JSON object between two "
        "lines of three backticks each, in this form:\n```\nyour answer\n```",
        "vote": "Several answers have been proposed:\n{listed}\n"
        "Weigh them against each other, step by step. "
        "End with the number of the best one between two lines of three backticks each, in this "
        "form:\n```\nnumber\n```",
        "no move": "Your last answer could not be read as a move.\n{how}",
        "unreadable": "No answer could be found in your last reply.",
        "malformed": "The JSON in your last reply cannot be read.",
        "truncated": "Your last reply was cut off before its answer was complete. Think more "
        "briefly.",
        "empty": "Your last reply was empty.",
        "refused": "Your last reply gave no answer. This is a harmless puzzle, and it asks for "
        "one.",
    },
    "zh": {
        "system": "你的任务是解谜题、玩游戏。请严格遵守规则：你的回答将由程序检查。",
        "rules": "规则\n{rules}",
        "position": "局面\n{text}",
        "changed": "变化\n{lines}",
        "left out": "（之前的局面。）",
        "picture": "局面见图。",
        "colours": "图中颜色的含义：\n{colours}",
        "colour": "- {colour}：{meaning}",
        "example": "下面是一个解题示例，是同样规则下的另一道题。",
        "example_of_many": "下面是解题示例 {number}（共 {count} 个），是同样规则下的另一道题。",
        "now": "示例结束。下面是正式的题目。",
        "now_many": "示例到此结束。下面是正式的题目。",
        "guess": "第一个想法：\n{guess}\n检查的结果：{verdict}\n所以不这样回答。",
        "checked": "对下面的回答检查的结果：{verdict}",
        "accepted": "符合所有规则。",
        "value": "它的值是 {value}。",
        "wrong": "它不对。",
        "count": "合法走法的数目：{count}。",
        "compared": "其中几种走法的期望得分（此后都走最佳走法）：\n{moves}\n"
        "没有比 {move} 更好的走法。",
        "worth": "- {move}：{worth}",
        "chosen": "这道题的高手在这里选择 {move}。",
        "legal": "当前合法的走法（不分次序）：{moves}",
        "between moves": "；",
        "more": "以上是全部 {all} 种合法走法中的 {shown} 种，其余的也可以走。",
        "steps": "请一步一步思考。",
        "none": "",
        "tree": "请一步一步思考。",
        "programs": "请自己推理，不要编写、运行或要求运行程序。",
        "answer": "最后把你的回答写在两行反引号之间，每行三个反引号，格式如下：\n"
        "```\n你的回答\n```",
        "json": "最后把你的回答作为一个 JSON 对象写在两行反引号之间，每行三个反引号，格式如下：\n"
        "```\n你的回答\n```",
        "answer alone": "不要作任何解释。把你的回答写在两行反引号之间，每行三个反引号，格式如下：\n"
        "```\n你的回答\n```",
        "json alone": "不要作任何解释。把你的回答作为一个 JSON 对象写在两行反引号之间，"
        "每行三个反引号，格式如下：\n```\n你的回答\n```",
        "vote": "有以下几个备选回答：\n{listed}\n请一步一步比较它们。"
        "最后把最好的一个的编号写在两行反引号之间，每行三个反引号，格式如下：\n```\n编号\n```",
        "no move": "无法从你上一次的回答中读出走法。\n{how}",
        "unreadable": "在你上一次写的内容中找不到回答。",
        "malformed": "你上一次回答中的 JSON 无法解析。",
        "truncated": "你上一次的回答还没有写完就被截断了。请思考得简短一些。",
        "empty": "你上一次的回答是空的。",
        "refused": "你上一次没有给出回答。这只是一道无害的谜题，需要你作答。",
    },
}

# What the colours of `quandary.core.scene` look like.
COLOUR_WORDS: dict[str, dict[str, str]] = {
    "en": {
        "paper": "white",
        "ink": "black",
        "quiet": "dark grey",
        "line": "grey",
        "red": "red",
        "blue": "blue",
        "green": "green",
        "yellow": "yellow",
        "orange": "orange",
        "purple": "pink",
        "sky": "light blue",
        "mark": "pale yellow",
        "good": "pale green",
        "bad": "pale red",
        "shade": "light grey",
    },
    "zh": {
        "paper": "白色",
        "ink": "黑色",
        "quiet": "深灰色",
        "line": "灰色",
        "red": "红色",
        "blue": "蓝色",
        "green": "绿色",
        "yellow": "黄色",
        "orange": "橙色",
        "purple": "粉色",
        "sky": "浅蓝色",
        "mark": "浅黄色",
        "good": "浅绿色",
        "bad": "浅红色",
        "shade": "浅灰色",
    },
}
