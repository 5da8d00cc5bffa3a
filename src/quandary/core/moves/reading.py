"""Reading a move out of a reply: tolerant of its form, strict about its meaning.

A reply is cut into tokens (values, labels, words of the notation, other words), and the values go
to the fields: a labelled one to its field, the others in order.  Labels stand before their values
("row 3") or after them ("第 3 行"); a Chinese one counts only right beside its value, because it is
part of other words too (数独).  If the whole reply is not one move, each line is read separately;
if not every line is one, each text in brackets and the text around the brackets.  All moves found
must be equal.

Other words may stand before and after the values but not between them, apart from a few fillers,
and nowhere if the reply uses words that they could negate ("2, but I do not reset").  A text in
brackets that is read separately may have no other words.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from quandary.core.errors import Ambiguous, Unreadable

from .chinese_numbers import LETTERS, all_in_digits, in_digits
from .fields import Bits, Choice, Flag, Move, Number, Value, folded
from .template import Template
from .vocabulary import CHINESE_DENIAL, CHINESE_FALSE, FALSE, TRUE, lexer_for, vocabulary_of

LONGEST = 2_000  # characters; a longer reply is unreadable
DEEPEST = 3  # levels of nested brackets
# The signs of a Chinese keyboard, from ！ to ～, and some others.
HALF_WIDTH = {0xFF01 + at: chr(0x21 + at) for at in range(94)} | str.maketrans(
    "　−﹣、“”", ' --,""'
)
WIDE = re.compile(f"[{re.escape(''.join(map(chr, HALF_WIDTH)))}]+")
INNERMOST = re.compile(r"[(\[][^()\[\]{}]{1,200}[)\]]")
CLOSING = {"(": ")", "[": "]", "{": "}"}
NAME_BEFORE = re.compile(r"[^\W\d]['\"`*\]]{0,3}\s{0,9}=\s{0,9}$")  # bid = [7], List[int] = [7]
BETWEEN_BITS = re.compile(r"[\s,'\"`*]{0,6}")  # bits of one row may stand apart: 0, 1, 1
SILENT = frozenset(("name", "filler", "operator", "other"))  # kinds of tokens that name no value
ORDINAL = re.compile(r"第\s{0,3}-?[0-9]")  # 第 3 行: labels follow their values
# 2 0 1 不合规则, 不能填 2: the move is rejected; 还剩 23 颗: a number outside a move; 倒数第 1
# 行, 从右往左数第 1 列: it counts from the other end; 负 3: a number below 0
REJECTED = re.compile(
    r"[0-9]\D{0,6}(?:不合|违规|不行|不对|不可行)|(?:不能?|不要|不应该?|别)[打放]?[出取填拿入]\s?[0-9]"
    r"|(?:[还只]剩|剩下|一共|总共|共有|因为|如果)\s?[0-9]{1,5}\s?[颗个枚]"
    r"|要不要|负\s?[0-9]|倒数|[右下]\D{0,4}数\s?第"
)
AGAIN = re.compile(r"(?<=[\d,;.。])\s?(?:即|也就是)(?!使|可|将)")  # 0 1 4, 即第 0 行第 1 列填 4
SEPARATED = re.compile(r"[,;.!?。]")  # what keeps a Chinese label and a value apart
# Any other Chinese sign makes a label of one character the end of another word: 填数, 下列.
BEFORE_SHORT_LABEL = re.compile(r"[^一-鿿]|[我的在择]")


def half_width(text: str) -> str:
    """Return the text with the signs of a Chinese keyboard as ASCII; much faster than `translate`,
    which looks up every character.
    """
    return text if text.isascii() else WIDE.sub(_half_width, text)


def _half_width(signs: re.Match[str]) -> str:
    return signs[0].translate(HALF_WIDTH)


class Token(NamedTuple):
    """A piece of a reply that matters."""

    kind: str  # value, label, lead (before a value), word, flag, switch, odd (a number that is not
    # a value), or one of those that are silent: name, filler, operator, other (an unknown word)
    text: str
    start: int
    end: int


class Labelled(NamedTuple):
    """A token that is not a label, with the label that belongs to it."""

    token: Token
    label: str


class Reader:
    """Reads the moves of one template, with labels in some languages."""

    def __init__(self, template: Template, labels: Mapping[str, Sequence[str]]) -> None:
        self.template = template
        self.single = template.required[0] if len(template.required) == 1 else ""
        self.only = next(iter(template.fields.values())) if len(template.fields) == 1 else None
        self.vocabulary = vocabulary_of(template, labels)
        self.lexer = lexer_for(self.vocabulary, lone=isinstance(self.only, Number))

    def read(self, reply: str) -> Move:
        """Return the one move that a reply names; Ambiguous if it names several, Unreadable if
        none.
        """
        if len(reply) > LONGEST:
            raise Unreadable()
        text = self._in_digits(half_width(reply).casefold())
        tokens = self._tokens(text)
        move = self._move(text, tokens)
        if move is not None:
            return move
        moves = self._on_lines(text) or self._in_brackets(text)
        if len(moves) == 1:
            return moves.pop()
        if moves or self._value_count(tokens) >= 2 * len(self.template.required):
            raise Ambiguous()
        raise Unreadable()

    def _in_digits(self, text: str) -> str:
        """Return the text with its Chinese numbers in digits."""
        if text.isascii():
            return text
        text = in_digits(text, self.template.from_zero)
        tokens = map(self._token, self.lexer.finditer(text))
        unknown = {token.start: token.text for token in tokens if token.kind == "other"}
        if not LETTERS.issuperset(unknown.values()):
            return text
        return all_in_digits(text, self.template.from_zero, unknown)

    def _on_lines(self, text: str) -> set[Move]:
        """Return the moves of a text with one on every line, or the same one again in other words;
        "3" above "reset" is not one.
        """
        lines = [line for line in AGAIN.sub("\n", text).splitlines() if line.strip()]
        if lines == [text]:
            return set()  # `read` has found that the whole text is no move
        moves = [self._move(line, self._tokens(line)) for line in lines]
        return {move for move in moves if move is not None} if None not in moves else set()

    def _in_brackets(self, text: str) -> set[Move]:
        """Return the moves in brackets, and the one around them."""
        brackets = _outermost_brackets(text)
        moves = {move for start, end in brackets for move in self._inside(text[start:end])}
        if moves and not any(NAME_BEFORE.search(text[max(0, at - 40) : at]) for at, _ in brackets):
            moves |= self._around(text, brackets)
        return moves

    def _inside(self, bracketed: str, depth: int = DEEPEST) -> Iterator[Move]:
        """Yield the moves in a text in brackets, or in the brackets within it."""
        inner = bracketed[1:-1]
        move = self._move(inner, self._tokens(inner), in_brackets=True)
        if move is not None:
            yield move
        elif depth > 1:
            for start, end in _outermost_brackets(inner):
                yield from self._inside(inner[start:end], depth - 1)

    def _around(self, text: str, brackets: Sequence[tuple[int, int]]) -> set[Move]:
        """Return the move in the text around the brackets that contain moves, if there is one."""
        for start, end in brackets:
            if any(True for _ in self._inside(text[start:end])):
                text = text[:start] + ";" * (end - start) + text[end:]
        tokens = self._tokens(text)
        move = self._move(text, tokens)
        if move is None and self._value_count(tokens) == len(self.template.required):
            raise Ambiguous()  # there are values for a move, but the words leave its meaning open
        return set() if move is None else {move}

    def _tokens(self, text: str) -> list[Token]:
        tokens = [self._token(found) for found in self.lexer.finditer(text)]
        tokens = tokens if text.isascii() else _without_lone_labels(text, tokens)
        return _joined_bits(text, tokens) if isinstance(self.only, Bits) else tokens

    def _token(self, found: re.Match[str]) -> Token:
        kind, text = found.lastgroup or "", found.group()
        if kind == "phrase":
            text = folded(text)
            kind = self.vocabulary.kind(text)
            if kind == "label" and self.vocabulary.labels[text] == (self.single,):
                kind = "name"  # adds nothing: it can only mean this one field
        elif kind == "number":
            takers = (name for name in self.template.fields if self._value(name, text) is not None)
            kind = "value" if any(takers) else "odd"
        return Token(kind, text, found.start(), found.end())

    def _value(self, name: str, text: str) -> Value | None:
        """Return the value of a token for this field; None if it does not fit."""
        field = self.template.fields[name]
        if isinstance(field, Choice):
            return self.vocabulary.choices[name].get(text)
        return None if isinstance(field, Flag) else field.read(text)

    def _value_count(self, tokens: Sequence[Token]) -> int:
        """Return the number of values; if a move is one value, a repeated value counts once."""
        values = [token.text for token in tokens if token.kind == "value"]
        return len(set(values)) if self.only else len(values)

    def _move(self, text: str, tokens: Sequence[Token], in_brackets: bool = False) -> Move | None:
        """Return the move that the tokens of a text spell; None if they spell none or are
        unclear.
        """
        if any(token.kind == "odd" for token in tokens) or _pair_comes_second(text, tokens):
            return None
        if not self._is_clear(text, tokens, in_brackets):
            return None
        significant = [token for token in tokens if token.kind not in SILENT]
        is_ordinal = bool(ORDINAL.search(text))
        ways = [] if is_ordinal else [_with_labels(text, significant, follow=False)]
        if any(token.kind == "label" for token in significant):
            following = _with_labels(text, significant, follow=True)
            if is_ordinal and following and not self.vocabulary.places:
                following.sort(key=lambda one: not one.label)  # 填 3 到第 2 行第 0 列
            ways += [] if following in ways else [following]
        moves = {self._filled(labelled, in_brackets) for labelled in ways if labelled is not None}
        moves.discard(None)
        return moves.pop() if len(moves) == 1 else None

    def _is_clear(self, text: str, tokens: Sequence[Token], in_brackets: bool) -> bool:
        """Return whether no unknown word or operator stands where it could change what is meant."""
        if REJECTED.search(text):
            return False
        if in_brackets:
            return not any(token.kind in ("other", "operator", "filler") for token in tokens)
        words = [token.start for token in tokens if token.kind == "other"]
        strangers = [*words, *(token.start for token in tokens if token.kind == "operator")]
        if words and (self.vocabulary.choices or self._uses_words_to_negate(text)):
            return False
        values = [token.start for token in tokens if token.kind == "value"]
        if not values:
            return True
        is_split = any(values[0] < stranger < values[-1] for stranger in strangers)
        return not (is_split and not self.single) and not self._may_mean_flag(text, tokens)

    def _may_mean_flag(self, text: str, tokens: Sequence[Token]) -> bool:
        """Return whether an unknown Chinese word after the value may stand for a flag:
        2 重設, 2 复位.
        """
        if not self.vocabulary.flags or text.isascii():
            return False
        last = max(at for at, token in enumerate(tokens) if token.kind == "value")
        words = [t for t in tokens[last:] if t.kind == "other" and not t.text.isascii()]
        return any(
            word.text == "重" or not SEPARATED.search(text, tokens[last].end, word.start)
            for word in words
        )

    def _uses_words_to_negate(self, text: str) -> bool:
        return any(word in text for word in self.vocabulary.words_to_negate)

    def _filled(self, labelled: Sequence[Labelled], in_brackets: bool) -> Move | None:
        """Return the move once every value has gone to its field; None if one does not fit."""
        values: dict[str, Value] = {}
        for token, label in labelled:
            filled = sum(name in values for name in self.template.required)
            if token.kind == "word":
                if self.vocabulary.places[token.text] != filled:
                    return None
                continue
            if token.kind == "flag":
                found = self._flag(token.text)
            elif in_brackets and filled == len(self.template.required) and not label:
                found = self._switch(token.text, values) or self._place(token, label, values)
            else:
                found = self._place(token, label, values)
            if found is None or values.setdefault(*found) != found[1]:
                return None
        complete = all(name in values for name in self.template.required)
        return self.template.write(values) if complete else None

    def _place(
        self, token: Token, label: str, values: Mapping[str, Value]
    ) -> tuple[str, Value] | None:
        """Return the field that a value belongs to: the one its label names, else the first free
        one.
        """
        if label:
            lead = self.vocabulary.leads.get(label)
            names = (lead,) if lead else self.vocabulary.labels[label]
        else:
            names = self.template.required
        for name in names:
            value = self._value(name, token.text)
            # said in two ways: 不竞争，放弃 4
            is_repeated = name in self.vocabulary.choices and values.get(name) == value
            if value is not None and (name not in values or is_repeated or self.only):
                return name, value
        return None

    def _flag(self, text: str) -> tuple[str, Value] | None:
        """Return a flag and whether it is set: "no reset", "reset: true"."""
        name = next(flag for way, flag in self.vocabulary.flags.items() if way in folded(text))
        words = re.findall(r"[^\W_]+", text)
        negations = sum(word in ("without", CHINESE_FALSE, *FALSE) for word in words)
        negations += bool(re.match(CHINESE_DENIAL, text))
        return (name, negations == 0) if negations < 2 else None

    def _switch(self, text: str, values: Mapping[str, Value]) -> tuple[str, Value] | None:
        """Return the next flag, where a list ends in 1, 0, true or false: [2, 1]."""
        if text not in (*TRUE, *FALSE):
            return None
        flags = [name for name in self.vocabulary.flags.values() if name not in values]
        return (flags[0], text in TRUE) if flags else None


def _with_labels(text: str, tokens: Sequence[Token], follow: bool) -> list[Labelled] | None:
    """Return each value with its label; None if a label has no value.

    A label leads to the next value; with `follow` it belongs to the value right before it, if any.
    """
    labelled: list[Labelled] = []
    waiting: list[str] = []  # labels whose values follow later: row, column = 3, 4
    previous: Token | None = None
    for token in tokens:
        if token.kind not in ("label", "lead"):
            label = waiting.pop(0) if token.kind == "value" and waiting else ""
            labelled.append(Labelled(token, label))
        elif follow and token.kind == "label" and previous and _is_next(text, previous, token):
            if labelled[-1].label:
                waiting.append(token.text)
            else:
                labelled[-1] = Labelled(previous, token.text)
        elif waiting and previous and previous.kind == "value":
            return None
        else:
            waiting.append(token.text)
        previous = token
    return None if waiting else labelled


def _is_next(text: str, value: Token, label: Token) -> bool:
    return value.kind == "value" and text[value.end : label.start].strip() in ("", "号")


def _without_lone_labels(text: str, tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens, where a Chinese label that is not beside a value is an unknown
    word: 数独, 可行.

    It is beside the value right before it, and beside the next one if no separator, no 第 and no
    unknown word is between them; labels may share a list of values: 行, 列 = 3, 4.
    """
    kept, leads = list(tokens), False  # whether what was looked at last leads to a value
    for at in range(len(tokens) - 1, -1, -1):
        token, after = tokens[at], tokens[at + 1] if at + 1 < len(tokens) else None
        if after and not (token.kind == after.kind == "label"):
            leads = leads and not SEPARATED.search(text, token.end, after.start)
        if token.kind == "label" and not token.text.isascii():
            leads = leads and _begins_word(text, tokens, at)
            if not leads and not _ends_value(text, tokens, at):
                kept[at] = token._replace(kind="other")
        elif token.kind in ("value", "odd"):
            leads = True
        elif token.kind != "filler" or token.text == "第":
            leads = False
    return kept


def _begins_word(text: str, tokens: Sequence[Token], at: int) -> bool:
    label, before = tokens[at], tokens[at - 1] if at else None
    if len(label.text) > 1 or not before or before.end < label.start or before.kind == "label":
        return True
    return bool(BEFORE_SHORT_LABEL.match(text, label.start - 1))


def _ends_value(text: str, tokens: Sequence[Token], at: int) -> bool:
    """Return whether a label belongs to the value before it: 3 行, 3 号顶点."""
    return any(_is_next(text, before, tokens[at]) for before in tokens[max(0, at - 2) : at])


def _joined_bits(text: str, tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens, with adjacent single bits joined: 0, 1, 1 becomes 011."""
    joined: list[Token] = []
    apart = False  # whether the last token was made of single bits
    for token in tokens:
        single = token.kind == "value" and len(token.text) == 1
        last = joined[-1] if joined else None
        if single and apart and last and BETWEEN_BITS.fullmatch(text, last.end, token.start):
            joined[-1] = Token("value", last.text + token.text, last.start, token.end)
        else:
            joined.append(token)
        apart = single
    return joined


def _pair_comes_second(text: str, tokens: Sequence[Token]) -> bool:
    """Return whether one value stands before a bracketed pair: 2 (0, 1) may well put a 2 at
    (0, 1).
    """
    values = [token.start for token in tokens if token.kind == "value"]
    if len(values) < 3:
        return False
    for pair in INNERMOST.finditer(text):
        before = bisect_left(values, pair.start())
        inside = bisect_left(values, pair.end()) - before  # a bracket is no value
        if before == 1 and 2 <= inside < len(values):
            return True
    return False


def _outermost_brackets(text: str) -> list[tuple[int, int]]:
    """Return the outermost pairs of brackets; none if a bracket is not closed."""
    found, depth, start = [], 0, 0
    for place, letter in enumerate(text):
        if letter in CLOSING:
            start = start if depth else place
            depth += 1
        elif letter in CLOSING.values() and depth:
            depth -= 1
            if not depth:
                found.append((start, place + 1))
    return [] if depth else found  # an open bracket may be the start of another move
