"""Checks of translations: every phrase has one, and no English is left."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from random import Random

from quandary.core.answers import Grid
from quandary.core.codec import view_json
from quandary.core.contract import CHANCE, Game, Language, Question, Seat, StateTasks, WordPuzzle
from quandary.core.errors import Unreadable
from quandary.core.mixins.answers import translated
from quandary.core.mixins.turns import feedback_of
from quandary.core.scene import Scene
from quandary.core.translations import (
    WORDED_LATER,
    english_in,
    misplaced,
    phrases,
    source_files,
    untranslated,
)
from quandary.core.worked import Worked
from quandary.core.wrapper import inner_of, innermost

from .case import Case, some

LETTERS, ENGLISH_WORD = re.compile(r"[A-Za-z]+"), re.compile(r"[A-Za-z]{2,}")
LATIN_END = "\u0250"  # the first letter after those of European languages
# Words of answer formats, which are the same in every language.
UNTRANSLATED = {"JSON", "answer", "process"}
QUOTED = re.compile(r"(['\"])(.*?)\1")


def phrases_are_literals(case: Case) -> Iterator[str]:
    """What is said must be found without running the code, or it can never be translated."""
    for module in _modules(case.puzzle):
        for file in source_files(module):
            if reason := _unextractable(file.read_text("utf-8")):
                yield f"{file.name}: {reason}"


@lru_cache(maxsize=100)  # files that puzzles share, and one file at each level
def _unextractable(source: str) -> str:
    """Return why the phrases of a source file cannot be found; "" if they can."""
    try:
        phrases(source)
    except ValueError as reason:
        return str(reason)
    return ""


def every_phrase_is_translated(case: Case) -> Iterator[str]:
    """All problems of all translation files in one complaint, for the first level only."""
    if case.level != next(iter(case.puzzle.levels), case.level):
        return
    others = [language for language in case.starts[0].languages if language != "en"]
    files = _modules(case.puzzle) if others else []
    problems = [text for other in others for file in files for text in untranslated(file, other)]
    if own := _file(case.puzzle.__module__):
        problems = misplaced(own) + problems
    if problems:
        yield "; ".join(problems)


def _modules(puzzle: type) -> list[Path]:
    """Return the files of a puzzle, of the classes it builds on and of the modules it
    speaks with.
    """
    names = [base.__module__ for base in puzzle.__mro__]
    names += [name for base in puzzle.__mro__ for name in base.__dict__.get("_speaks_with", ())]
    files = (_file(name) for name in dict.fromkeys(names))
    return [file for file in files if file and _may_speak(file)]


def _file(module: str) -> Path | None:
    """Return the file of a module; None for one without, as in a notebook."""
    file = Path(getattr(sys.modules.get(module), "__file__", None) or "")
    return file if file.is_file() else None


def _may_speak(module: Path) -> bool:
    sources = (file.read_text("utf-8") for file in source_files(module))
    return any(word in source for source in sources for word in ("say", *WORDED_LATER))


def translations_hold_no_english(case: Case) -> Iterator[str]:
    """Translated texts may contain only the instance's own names and symbols in English.

    Languages in Latin letters are left out, because their words cannot be told from English ones.
    """
    for position in case.positions():
        for language in position.languages:
            if _is_latin(position.rules(language)):
                continue
            for seat in range(position.seats):
                allowed = names_of(position, seat)
                for what, text in shown_texts(position, seat, language):
                    if words := english_in(text, allowed):
                        yield (
                            f"{what} in {language!r} has the English "
                            f"{', '.join(map(repr, words[:5]))}: {text[:80]!r}"
                        )


def _is_latin(text: str) -> bool:
    letters = [letter for letter in text if letter.isalpha()]
    return 2 * sum(letter < LATIN_END for letter in letters) > len(letters)


def shown_texts(position: Game, seat: Seat, language: Language) -> Iterator[tuple[str, str]]:
    seen = position.seen_by(seat)
    yield from written_texts(seen, seat, language)
    if scene := seen.scene(seat, language):
        yield from drawn_texts(scene)


def written_texts(seen: Game, seat: Seat, language: Language) -> Iterator[tuple[str, str]]:
    yield "`rules`", seen.rules(language)
    yield "`text`", seen.text(seat, language)
    yield "`how`", seen.how(language)
    yield "`feedback`", feedback_of(seen, language)
    yield from (("`legend`", words) for words in seen.legend(seat, language).values())
    if isinstance(question := inner_of(seen), Question):
        solution = question.solution()
        if not _is_state(question, solution):  # which is the same in every language
            yield "the solution", translated(question, solution, language)
    elif isinstance(seen, StateTasks):
        yield "`state`", seen.shown_state(language)
        yield "`state_form`", seen.state_form(language)


def _is_state(question: Question, answer: str) -> bool:
    """Return whether an answer writes down a position of the game that a question is about."""
    try:
        return isinstance(inner := inner_of(question), StateTasks) and bool(inner.restate(answer))
    except Unreadable:
        return False


def drawn_texts(scene: Scene) -> Iterator[tuple[str, str]]:
    return (("`scene`", getattr(shape, "text", "")) for shape in scene.shapes)


def names_of(position: Game, seat: Seat) -> set[str]:
    """Words of the position's data, moves and worked answers: the same in every language."""
    texts, inner = [view_json(position, seat)], innermost(position)
    if isinstance(inner, Worked):
        texts += [inner.solution(), str(inner.words(inner.say("en")).example)]
    elif isinstance(inner, Question) and isinstance(inner.answer_shape(), Grid):
        texts += _rows_of_symbols(position, seat)
    for game in (position, inner):
        if isinstance(game, Game):
            texts += _words_of_moves(game)
    if isinstance(inner, WordPuzzle) and isinstance(inner, Question):
        texts += _words_about(position, inner, seat)
    texts += [text.replace('","', "") for text in texts]  # letters may be shown as one word
    kept = inner.kept_words if isinstance(inner, WordPuzzle) else ()
    return UNTRANSLATED.union(kept, *(ENGLISH_WORD.findall(text) for text in texts))


def _words_about(position: Game, question: Question, seat: Seat) -> Iterator[str]:
    """What else is shown of the words that a puzzle is about, which stay as they are."""
    seen = position.seen_by(seat)
    yield question.solution()
    yield from (quoted for _, quoted in QUOTED.findall(feedback_of(seen)))
    if scene := seen.scene(seat):  # a long text is cut into lines
        data = view_json(position, seat)
        yield from (text for _, text in drawn_texts(scene) if text in data)


def _rows_of_symbols(position: Game, seat: Seat) -> list[str]:
    """Return what looks like a word, but consists of letters that are symbols: they also stand
    alone.
    """
    texts = [text for _, text in shown_texts(position, seat, "en")]
    words = {word for text in texts for word in LETTERS.findall(text)}
    return sorted(word for word in words if words.issuperset(word))


def _words_of_moves(game: Game) -> Iterator[str]:
    if notation := game.notation():
        yield notation.template
        yield from (word for field in notation.form() for word in field.choices)
    for seat, moves in game.options().items():
        if seat != CHANCE and moves is not None:
            yield from some(moves, Random(0), 200)
