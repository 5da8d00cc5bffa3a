"""The words that have a meaning in a notation, and the pattern that finds them in a reply."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from .fields import Choice, folded
from .template import Template

WORD = re.compile(r"[^\W\d_]+")
TRUE, FALSE = ("true", "yes", "1"), ("false", "no", "0")
CHINESE_FALSE = "否"
CHINESE_DENIAL = r"(?:不|没有|没|无需|无|别)(?:使用|用|要|进行)?"  # 不使用重置
CHINESE_UNIT = r"(?:\s?(?:[十百千万亿]|[成折](?![功为])))?"  # 3万 and 2成 are not 3 and 2
SWITCHES = ("true", "yes", "false", "no")  # set a flag at the end of a list: [2, true]
ENGLISH_FILLERS = """
    a an and answer i is move my operation play remove take the use with
"""
CHINESE_FILLERS = """
    第在的和与填放入选择出取我是为把用打并走了上成中里格子颗枚张号这决定处给涂染转动次吧应该要写设置将
"""
FILLERS = frozenset((*ENGLISH_FILLERS.split(), *CHINESE_FILLERS.strip()))


@dataclass(frozen=True)
class Vocabulary:
    """The words that have a meaning in a notation, all folded."""

    labels: Mapping[str, tuple[str, ...]]  # label -> the fields it can mean, in order
    leads: Mapping[str, str]  # word or label -> the optional field it leads to
    places: Mapping[str, int]  # word between required fields -> how many of them stand before it
    choices: Mapping[str, Mapping[str, str]]  # field -> way to say a word -> the word
    flags: Mapping[str, str]  # way to say a flag -> the flag

    @cached_property
    def words_to_negate(self) -> tuple[str, ...]:
        """Words next to which an unknown word may change the meaning."""
        return (*self.flags, *self.leads)

    def kind(self, text: str) -> str:
        """What kind of token a phrase is."""
        if any(text in ways for ways in self.choices.values()):
            return "value"
        for kind, phrases in (("lead", self.leads), ("label", self.labels), ("word", self.places)):
            if text in phrases:
                return kind
        if self.flags and text in SWITCHES:
            return "switch"
        return "filler" if text in FILLERS else "other"


def vocabulary_of(template: Template, labels: Mapping[str, Sequence[str]]) -> Vocabulary:
    """The words of a template, with further labels for its fields and words."""

    def ways(word: str) -> list[str]:
        return [folded(word), *map(folded, labels.get(word, ()))]

    named: dict[str, tuple[str, ...]] = {}
    leads, places, flags = dict[str, str](), dict[str, int](), dict[str, str]()
    choices: dict[str, dict[str, str]] = {}
    before = 0  # required fields so far
    for part in template.parts:
        if part.optional:
            target, name = (leads, part.fields[0]) if part.fields else (flags, part.word)
            target |= dict.fromkeys([*ways(part.word), *ways(name)], name)
        else:
            for literal, name in part.pieces:
                places |= {way: before for word in WORD.findall(literal) for way in ways(word)}
                if name:
                    named |= {way: (*named.get(way, ()), name) for way in ways(name)}
                    before += 1
    for name, field in template.fields.items():
        if isinstance(field, Choice):
            translated = {way: word for word in field.words for way in ways(word)}
            choices[name] = translated | field.ways()
    return Vocabulary(named, leads, places, choices, flags)


def lexer_for(vocabulary: Vocabulary, lone: bool) -> re.Pattern[str]:
    """Return one pattern for all tokens; with `lone`, 1,000 cannot be two values."""
    values = {way for ways in vocabulary.choices.values() for way in ways if not way.isdigit()}
    words = {*vocabulary.labels, *vocabulary.leads, *vocabulary.places} - values
    phrases = "|".join((_spelling(values, "a-z0-9"), _spelling(words, "a-z")))
    flag = _spelling(set(vocabulary.flags), "a-z")
    denied = rf"(?:no|without)\s{{1,3}}(?:an?\s{{1,3}})?|{CHINESE_DENIAL}"
    switch = "|".join((*TRUE, *FALSE, "是", CHINESE_FALSE))
    lead, label = _spelling(set(vocabulary.leads), "a-z"), _spelling(set(vocabulary.labels), "a-z")
    # 不按住任何立方体
    unused = rf"{CHINESE_DENIAL}(?:{lead})(?:任何|其他)?(?:{label})?(?!\s?[0-9])"
    return re.compile(
        rf"(?P<flag>(?:{denied})?(?:{flag})(?:[\s:='\"]{{1,6}}(?:{switch})(?![a-z0-9]))?)"
        rf"|(?P<filler>{unused}|到(?=\s?[第(])|(?<!十)一[张个])"
        rf"|(?P<phrase>{phrases}|[a-z]+|[^\W\d_])"
        rf"|(?P<number>(?:(?<![\w.)\]])-)?\.?[0-9]+(?:[.{',' * lone}][0-9]+)*{CHINESE_UNIT})"
        r"|(?P<operator>(?<!\*)\*(?!\*)|[+/^%])"  # two stars only make bold
    )


def _spelling(phrases: set[str], letters: str) -> str:
    """A pattern for the phrases as whole words, longest first."""
    patterns = []
    for phrase in sorted(phrases, key=lambda phrase: (-len(phrase), phrase)):
        pattern = re.escape(phrase).replace(r"\ ", r"[\s_-]{1,3}")
        start = rf"(?<![{letters}])" if phrase[0].isascii() else ""
        end = rf"(?![{letters}])" if phrase[-1].isascii() else ""
        patterns.append(start + pattern + end)
    return "|".join(patterns) or "(?!)"
