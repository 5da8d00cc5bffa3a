"""Reading the published prompts of TextGames as questions of our puzzles.

A prompt with a line that is not understood is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from quandary.core.contract import Question
from quandary.puzzles._shared.sudoku.grid import box_shape
from quandary.puzzles.questions.words.anagram_scribble import AnagramScribble
from quandary.puzzles.questions.words.bracket_game import BracketGame
from quandary.puzzles.questions.words.crossword_arranger import CrosswordArranger
from quandary.puzzles.questions.words.islands import Islands
from quandary.puzzles.questions.words.ordering_text import OrderingText
from quandary.puzzles.questions.words.ordering_text.solver import Scoring
from quandary.puzzles.questions.words.password_game import PasswordGame
from quandary.puzzles.questions.words.password_game.solver.demands import SOUGHT, Demand
from quandary.puzzles.questions.words.string_search import StringSearch
from quandary.puzzles.questions.words.text_sudoku import TextSudoku

CLAUSES = {
    "has 2 consecutive consonants": "consonants_together",
    "does not have 2 consecutive consonants": "no_consonants_together",
    "has 2 consecutive vowels": "vowels_together",
    "does not have 2 consecutive vowels": "no_vowels_together",
    "has more vowels than consonants": "more_vowels",
    "has less vowels than consonants": "fewer_vowels",
    "has the same amount of vowels and consonants": "as_many_vowels",
}
COUNTED = {  # the rest of a password rule after its number -> what is counted
    "english character": "letters",
    "number digits": "digits",
    "uppercase characters": "uppercase",
    "lowercase characters": "lowercase",
    "special characters, including '!', '@', '#', '$', '%', '^', '&', '*'": "specials",
    "roman digits, including 'I', 'V', 'X', 'L', 'C', 'D'": "romans",
}
RUNS = {
    "consonant": "c", "vowel": "v",
    "pair of consecutive consonant": "cc", "pair of consecutive vowel": "vv",
    "consonant right after a vowel": "vc", "vowel right after a consonant": "cv",
    "3 consecutive consonants": "ccc", "3 consecutive vowels": "vvv",
}  # fmt: skip
LENGTHS = {
    "more than": "longer",
    "less than": "shorter",
    "exactly": "equal",
    "not equal to": "different",
}


def _match(pattern: str, text: str) -> re.Match[str]:
    found = re.fullmatch(pattern, text)
    if not found:
        raise ValueError(f"no {pattern.split('(')[0].strip()!r} in {text[:80]!r}")
    return found


def _split(text: str, least: int, most: int = 0) -> list[str]:
    """Return the lines of a text; ValueError unless there are `least`, or `least` to `most`."""
    lines = text.split("\n")
    if not least <= len(lines) <= (most or len(lines)):
        raise ValueError(f"a part of it has {len(lines)} line{'s' * (len(lines) != 1)}")
    return lines


def _lines(pattern: str, text: str) -> list[re.Match[str]]:
    return [_match(pattern, line) for line in text.split("\n")]


def _anagram(prompt: str) -> Question:
    head, tiles, tail = _split(prompt, 3, 3)
    length = _match(
        r"Construct a valid (\d+)-character English word from the following letters:", head
    )[1]
    letters = _match(r"\['([a-z])'((?:, '[a-z]')*)\]\.", tiles)
    usage = _match(
        r"Each character can (be used multiple times|only be used once)\. Please write None .*",
        tail,
    )[1]
    return AnagramScribble(
        int(length),
        letters[1] + "".join(re.findall("[a-z]", letters[2])),
        usage != "only be used once",
    )


def _islands(prompt: str) -> Question:
    parts = _match(
        r"(?s)(.*)\n\nYour 2D grid must follow the following rules:\n(.*)\n\nPrint only the "
        r"answer\.",
        prompt,
    )
    head, demands = parts.groups()
    size = _match(r"(?s)You are asked to construct a 2D (\d+) x \1 grid, consisting of .*", head)[1]
    number, sizes, *trees = _split(demands, 2, 4)
    bounds = _match(r"- The size of each island must be from (\d+) to (\d+) tiles\.", sizes)
    wooded = planted = "0"
    if trees:
        with_trees, total = _split("\n".join(trees), 2, 2)
        wooded = _match(
            r"- There must be exactly (\d+) islands that have coconut trees on them\.", with_trees
        )[1]
        planted = _match(r"- There must be exactly (\d+) total coconut trees\.", total)[1]
    islands = _match(r"- There must be exactly (\d+) islands\.", number)[1]
    return Islands(*map(int, (size, islands, *bounds.groups(), wooded, planted)))


def _bracket(prompt: str) -> Question:
    head, *rules, kinds, tail = _split(prompt, 4)
    text = _match(
        r"You are given a text ([a-z]+) Your job is to put some valid parenthesis brackets in the "
        r"text .*",
        head,
    )[1]
    _match(
        re.escape(
            "The open and close parenthesis for block is [ ], curly is { }, round is ( ), and "
            "angle is < >"
        ),
        kinds,
    )
    depth = _match(r"The bracket depth must be (\d+) and print only the answer", tail)[1]
    inside = _lines(r'- "([a-z]+)" is inside a (block|curly|round|angle) bracket', "\n".join(rules))
    return BracketGame(text, int(depth), tuple((found[1], found[2]) for found in inside))  # type: ignore[misc]


def _string_search(prompt: str) -> Question:
    pattern = (
        r"(?s)You are given the following string:\n([a-z]+)\n\n"
        r"Find a substring of exactly (\d+) characters long that:\n(.*)\n\nPrint only the answer\."
    )
    text, length, demands = _match(pattern, prompt).groups()
    required = forbidden = ""
    palindrome, clauses = False, list[str]()
    for found in _lines(
        r" - (?:(Contains|Does not contain) ([a-z](?:, [a-z])*(?: and [a-z])?)|(.*))", demands
    ):
        letters = "".join(re.findall(r"\b[a-z]\b", found[2] or ""))
        if found[1] == "Contains":
            required = letters
        elif found[1]:
            forbidden = letters
        elif found[3] == "forms a palindrome":
            palindrome = True
        elif found[3] in CLAUSES:
            clauses.append(CLAUSES[found[3]])
        else:
            raise ValueError(f"a clause {found[3]!r}")
    return StringSearch(text, int(length), required, forbidden, palindrome, tuple(clauses))  # type: ignore[arg-type]


def _crossword(prompt: str) -> Question:
    pattern = (
        r"(?s)Given a board size of (\d+)x\1, arrange a possible crossword puzzle answer from a "
        r"list of words\.\n"
        r"Every item in the list can only be used once, [^\n]*\n\nList of words:\n(.*)\n\nPrint "
        r"only the answer\."
    )
    size, words = _match(pattern, prompt).groups()
    return CrosswordArranger(tuple(found[1] for found in _lines(rf"- ([a-z]{{{size}}})", words)))


def _sudoku(prompt: str) -> Question:
    pattern = (
        r"Please solve the (\d)x\1 sudoku with ([0-9A-Z](?:,[0-9A-Z])*) as the values and fill _ "
        r"with the possible value "
        r"and only print the answer\. Follow the sudoku rule\.\n([0-9A-Z_ ]+)"
    )
    size, symbols, rows = _match(pattern, prompt).groups()
    values, cells = symbols.replace(",", ""), "".join(rows.split())
    if (
        len(values) != int(size)
        or {len(row) for row in rows.split()} != {int(size)}
        or len(cells) != int(size) ** 2
    ):
        raise ValueError(f"a grid {rows!r} of {size} by {size}")
    box_shape(int(size))  # raises for sides without boxes
    return TextSudoku(cells, values)


def _password(prompt: str) -> Question:
    head, *rules = prompt.split("\n")
    _match(
        r"Please write a text string without any space by following a set of given rules\. .* "
        r"criteria:",
        head,
    )
    demands = tuple(_demand(found[1]) for found in _lines("- the text has (.*)", "\n".join(rules)))
    for demand in demands:
        if demand.kind in SOUGHT:
            _ = demand.spellings  # raises for unknown countries and fractional numbers
    return PasswordGame(demands)


def _demand(text: str) -> Demand:
    if found := re.fullmatch(r'"([a-z]+)" string', text):
        return Demand("contains", found[1])
    if found := re.fullmatch(r"the (capital city|continent) of (.+)", text):
        return Demand("capital_of" if found[1] == "capital city" else "continent_of", found[2])
    if found := re.fullmatch(r"a number that equals to ([0-9][-+*/ 0-9]*)", text):
        return Demand("expression", found[1])
    if found := re.fullmatch(r"a number that equals to ([a-z][a-z ]*)", text):
        return Demand("spoken_expression", found[1])
    if found := re.fullmatch(r"only (\d+) characters", text):
        return Demand("length", number=int(found[1]))
    if found := re.fullmatch(r"(\d+) '([A-Za-z])' character", text):
        return Demand("letter", found[2], int(found[1]))
    number, _, what = text.partition(" ")
    if what not in COUNTED or not number.isdigit():
        raise ValueError(f"a rule {text!r}")
    return Demand(COUNTED[what], number=int(number))  # type: ignore[arg-type]


def _ordering(prompt: str) -> Question:
    pattern = (
        r"(?s)Given a set of rules to calculate point, sort the set of words in decreasing "
        r"order\.\n"
        r"When there 2 or more words with same point, sort lexicographically\.\n\n"
        r"Rules:\n(.*)\n\nWords:\n(.*)\n\nPrint only the answer\."
    )
    rules, words = _match(pattern, prompt).groups()
    return OrderingText(
        tuple(_scoring(found[1]) for found in _lines("- (.*)", rules)),
        tuple(found[1] for found in _lines(r"- (\S+)", words)),
    )


def _scoring(text: str) -> Scoring:
    if found := re.fullmatch(
        r"add (-?\d+) points? if there exists (?:exactly (\d+) )?'([^']*)' in the word", text
    ):
        return Scoring(
            int(found[1]), "infix", part=found[3], times=int(found[2]) if found[2] else None
        )
    condition, points = _match(r"(.*) gets (-?\d+) points?", text).groups()
    if found := re.fullmatch(r"every (.*)", condition):
        if found[1] not in RUNS:
            raise ValueError(f"a rule {text!r}")
        return Scoring(int(points), "consecutive", pattern=RUNS[found[1]])
    if found := re.fullmatch(
        r"word (?:starts with (\S+)|ends with (\S+)|starts with (\S+) and ends with (\S+))",
        condition,
    ):
        return Scoring(
            int(points),
            "affix",
            prefix=found[1] or found[3] or "",
            suffix=found[2] or found[4] or "",
        )
    bounds = r"(more than|less than|not equal to|exactly) (\d+) characters"
    _match(rf"word (?:that has )?{bounds}(?:(?: and| but) {bounds}){{0,2}}", condition)
    lengths: dict[str, Any] = {
        LENGTHS[kind]: int(number) for kind, number in re.findall(bounds, condition)
    }
    return Scoring(int(points), "length", **lengths)


READERS: Mapping[str, tuple[str, Callable[[str], Question]]] = {
    "Anagram Scribble": ("anagram_scribble", _anagram),
    "Password Game": ("password_game", _password),
    "Bracket Game": ("bracket_game", _bracket),
    "String Search": ("string_search", _string_search),
    "Crossword Arranger": ("crossword_arranger", _crossword),
    "Text Sudoku": ("text_sudoku", _sudoku),
    "Islands": ("islands", _islands),
    "Ordering Text": ("ordering_text", _ordering),
}
