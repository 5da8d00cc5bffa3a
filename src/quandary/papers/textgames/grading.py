"""The verdicts of the published graders, bug for bug, to recompute their tables from real replies.

They accept map rows that are too long (islands); brackets that are not closed, not nested or stray,
and other characters between the letters (bracket game); blanks within a password; words after the
last requested one (ordering text).
After one surplus closing bracket they ignore the opening brackets of that kind, except for the
depth (bracket game).
They refuse blanks or line ends around an answer (anagram scribble, islands), and capitals without
their accents (password game).
There were two versions of the grader of anagrams; each file of replies was graded by one of them.
"""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from quandary.core.contract import Question
from quandary.core.errors import UserError
from quandary.puzzles.questions.words.anagram_scribble import AnagramScribble
from quandary.puzzles.questions.words.bracket_game import BracketGame
from quandary.puzzles.questions.words.crossword_arranger import CrosswordArranger
from quandary.puzzles.questions.words.islands import Islands
from quandary.puzzles.questions.words.ordering_text import OrderingText
from quandary.puzzles.questions.words.password_game import PasswordGame
from quandary.puzzles.questions.words.password_game.solver.demands import Demand
from quandary.puzzles.questions.words.string_search import StringSearch
from quandary.puzzles.questions.words.text_sudoku import TextSudoku

from .archive import DAMAGE, PACKED, unreadable

# Where the lists are: in an import, and in a checkout of the published repository.
LISTS = (Path("words"), Path("textgames", "assets", "kb"))
WORDS, COUNTRIES = ("word_list.txt.gz", "word_list.txt"), ("country_capital_city.tsv",)
OPENERS, CLOSERS, KINDS = "[{(<", "]})>", ("block", "curly", "round", "angle")
VOWELS = frozenset("aeiou")
SIGNS = {
    "letters": frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    "digits": frozenset("0123456789"),
    "specials": frozenset("!@#$%^&*"),
    "romans": frozenset("IVXLCD"),
    "uppercase": frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    "lowercase": frozenset("abcdefghijklmnopqrstuvwxyz"),
}


class Lists(NamedTuple):
    """The word lists and tables of the published graders, read from the published files."""

    words: frozenset[str]
    countries: Mapping[str, tuple[str, str]]  # capital and continent
    older: bool = False  # whether the grader is the older one, which read None as the word none


@cache
def lists(folder: Path) -> Lists:
    """Return the lists in a folder: see `LISTS`."""
    words_file, countries_file = list_files(folder)
    words, table = _list(words_file).split(), _list(countries_file).splitlines()
    rows = [line.split("\t") for line in table[1:]]
    for path, found in ((words_file, words), (countries_file, rows)):
        if not found:
            raise UserError(f"{path} is empty, so answers cannot be graded as published.")
    if any(len(row) != 3 for row in rows):
        raise UserError(f"{countries_file} is not a table of countries, capitals and continents.")
    return Lists(frozenset(words), {row[0]: (row[1].lower(), row[2].lower()) for row in rows})


def list_files(folder: Path) -> tuple[Path, Path]:
    """Return the files of the word list and of the table of countries."""
    return _first(folder, WORDS), _first(folder, COUNTRIES)


def _first(folder: Path, names: tuple[str, ...]) -> Path:
    for path in (folder / place / name for place in LISTS for name in names):
        if path.exists():
            return path
    places = " or ".join(str(folder / place) for place in LISTS)
    raise UserError(
        f"{places} must have {' or '.join(names)}, by which answers are graded as published."
    )


def _list(path: Path) -> str:
    try:
        content = path.read_bytes()
        return (gzip.decompress(content) if path.suffix == PACKED else content).decode("utf-8")
    except DAMAGE as reason:
        raise unreadable(path, reason) from None


def solved(question: Question, answer: str, known: Lists) -> bool:
    """Return whether the published grader accepted this answer."""
    return GRADERS[type(question)](question, answer, known)


def _anagram(asked: AnagramScribble, answer: str, known: Lists) -> bool:
    word = answer.lower()
    if (
        (answer == "None" and not known.older)
        or len(word) != asked.length
        or not set(word) <= set(asked.tiles)
    ):
        return False
    return word in known.words and (asked.reuse or Counter(word) <= Counter(asked.tiles))


def _password(asked: PasswordGame, answer: str, known: Lists) -> bool:
    return all(_meets(demand, answer, known) for demand in asked.demands)


def _meets(demand: Demand, answer: str, known: Lists) -> bool:
    match demand.kind:
        case "contains":
            return demand.text in answer
        case "capital_of" | "continent_of":
            if demand.text not in known.countries:
                raise UserError(f"the published table of countries does not have {demand.text}.")
            return known.countries[demand.text][demand.kind == "continent_of"] in answer.lower()
        case "expression" | "spoken_expression":
            return str(demand.value) in answer
        case "letter":
            return answer.count(demand.text) == demand.number
        case "length":
            return len(answer.strip()) == demand.number
        case kind:
            return sum(sign in SIGNS[kind] for sign in answer) == demand.number


def _bracket(asked: BracketGame, answer: str, known: Lists) -> bool:
    written = "".join(answer.split()).lower()
    if "".join(sign for sign in written if sign.isalpha()) != asked.letters:
        return False
    open_now, depths = dict.fromkeys(KINDS, 0), list[dict[str, int]]()
    pooled = deepest = 0
    for sign in written:
        depths.append(dict(open_now))
        if sign in OPENERS:
            kind, step = KINDS[OPENERS.index(sign)], 1
        elif sign in CLOSERS:
            kind, step = KINDS[CLOSERS.index(sign)], -1
        else:
            continue
        # A surplus closing bracket stops the count of its kind: later openers of that kind are
        # ignored, except for the depth, and only the next closing bracket is detected.
        if open_now[kind] >= 0:
            open_now[kind] += step
        elif step < 0:
            return False
        pooled += step
        deepest = max(deepest, pooled)
    places = {word: written.find(word) for word, _ in asked.inside}
    return deepest == asked.depth and all(
        places[word] >= 0 and depths[places[word]][kind] > 0 for word, kind in asked.inside
    )


def _string_search(asked: StringSearch, answer: str, known: Lists) -> bool:
    part = answer.strip().lower()
    if len(part) != asked.length or part not in asked.letters:
        return False
    vowels = [letter in VOWELS for letter in part]
    pairs = list(pairwise(vowels))
    more = 2 * sum(vowels) - len(part)
    holds = {
        "consonants_together": (False, False) in pairs,
        "no_consonants_together": (False, False) not in pairs,
        "vowels_together": (True, True) in pairs,
        "no_vowels_together": (True, True) not in pairs,
        "more_vowels": more > 0,
        "fewer_vowels": more < 0,
        "as_many_vowels": more == 0,
    }
    letters = set(part)
    fits = (
        set(asked.required) <= letters
        and not letters & set(asked.forbidden)
        and all(holds[clause] for clause in asked.clauses)
    )
    return fits and (not asked.palindrome or part == part[::-1])


def _rows(tokens: list[str], size: int) -> list[str] | None:
    """Return the rows of a square, even if its cells are separated."""
    if len(tokens) == size * size != size and all(len(token) == 1 for token in tokens):
        tokens = ["".join(tokens[start : start + size]) for start in range(0, size * size, size)]
    return tokens if len(tokens) == size and all(len(row) == size for row in tokens) else None


def _crossword(asked: CrosswordArranger, answer: str, known: Lists) -> bool:
    rows = _rows(answer.lower().split(), len(asked.words[0]))
    return rows is not None and Counter([*rows, *map("".join, zip(*rows, strict=True))]) <= Counter(
        asked.words
    )


def _sudoku(asked: TextSudoku, answer: str, known: Lists) -> bool:
    size = len(asked.symbols)
    rows = _rows(answer.split(), size)
    if not rows:
        return False
    cells, side, steps = "".join(rows), range(size), range(round(size**0.5))
    box = len(steps)
    groups = [[(line, other) for other in side] for line in side] + [
        [(other, line) for other in side] for line in side
    ]
    groups += [
        [(y * box + dy, x * box + dx) for dy in steps for dx in steps] for y in steps for x in steps
    ]
    kept = all(given in ("_", cell) for given, cell in zip(asked.cells, cells, strict=True))
    return kept and all({rows[y][x] for y, x in group} == set(asked.symbols) for group in groups)


def _islands(asked: Islands, answer: str, known: Lists) -> bool:
    rows = [line.replace(" ", "").lower().strip() for line in answer.split("\n")]
    if len(rows) != asked.size or any(
        len(row) < asked.size or set(row) - set(".#o") for row in rows
    ):
        return False
    rows = [row[: asked.size] for row in rows]  # the rest of a row is ignored
    land = {(y, x): tile for y, row in enumerate(rows) for x, tile in enumerate(row) if tile != "."}
    found = list[str]()
    while land:
        here = [next(iter(land))]
        tiles = land.pop(here[0])
        while here:
            y, x = here.pop()
            for beside in ((y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)):
                if beside in land:
                    tiles += land.pop(beside)
                    here.append(beside)
        found.append(tiles)
    sizes = all(asked.smallest <= len(tiles) <= asked.largest for tiles in found)
    trees = [tiles.count("o") for tiles in found if "o" in tiles]
    return sizes and (len(found), len(trees), sum(trees)) == (
        asked.islands,
        asked.wooded,
        asked.trees,
    )


def _ordering(asked: OrderingText, answer: str, known: Lists) -> bool:
    ordered = asked.ordered()
    return tuple(answer.lower().replace(",", " ").split()[: len(ordered)]) == ordered


GRADERS: Mapping[type[Question], Callable[[Any, str, Lists], bool]] = {
    AnagramScribble: _anagram,
    PasswordGame: _password,
    BracketGame: _bracket,
    StringSearch: _string_search,
    CrosswordArranger: _crossword,
    TextSudoku: _sudoku,
    Islands: _islands,
    OrderingText: _ordering,
}
