"""The known reasons why our verdict on an answer differs from the published one."""

from __future__ import annotations

from quandary.puzzles.questions.words.password_game.countries import ACCENTED
from quandary.scoring.regrade import ChangedVerdict

UNEXPLAINED = "unexplained"
# Puzzle and kind of error by our checker -> why the published grader accepted the answer.
REFUSED = {
    ("islands", "shape"): "rows that are too long were cut",
    ("bracket_game", "unmatched"): "crossing or stray brackets were not detected",
    ("bracket_game", "unclosed"): "unclosed brackets were not detected",
    ("bracket_game", "foreign_sign"): "signs that are neither letters nor brackets were ignored",
    ("bracket_game", "depth"): "the depth was computed over brackets that do not match",
    ("bracket_game", "not_inside"): "a closing bracket after the word was not required",
    ("password_game", "whitespace"): "blanks within a password were allowed",
    ("password_game", "continent_of"): "its country table is wrong, or has no continent",
    ("ordering_text", "too_many"): "words after the last one were ignored",
    ("ordering_text", "mark"): "marks after the last word were ignored",
    ("anagram_scribble", "not_a_word"): "its word list contains texts that are not English words",
}
# Puzzle -> why the published grader refused a right answer.
TAKEN = {
    "anagram_scribble": "its word list lacks the word",
    "islands": "blank lines around the map were refused",
    "password_game": "blanks, accents and marks of names were required, or its country table is "
    "wrong",
    "bracket_game": "only the first occurrence of a word was checked",
    "text_sudoku": "letters in lower case were refused",
}
LOOKALIKES = (
    "\u212a\u0130"  # the Kelvin sign and the dotted capital I, which Python turns into k and i
)


def cause(change: ChangedVerdict) -> str:
    """Return the defect that explains a changed verdict."""
    if change.puzzle == "password_game" and ACCENTED.search(change.answer):
        return "combining accents were taken for separate characters"
    return _taken(change) if change.now else _refused(change)


def _taken(change: ChangedVerdict) -> str:
    if change.puzzle == "anagram_scribble" and change.answer == "None":
        return "the reply None always meant no answer, even if none is a right word"
    if change.puzzle == "anagram_scribble" and change.answer != change.answer.strip():
        return "blanks around the answer were refused"
    if change.puzzle == "islands" and any(
        len(row.split()) > 1 for row in change.answer.replace(" ", "").split("\n")
    ):
        return "tabs and other blanks than spaces between tiles were refused"
    return TAKEN.get(change.puzzle, UNEXPLAINED)


def _refused(change: ChangedVerdict) -> str:
    if (change.puzzle, change.kind) not in REFUSED and any(
        sign in change.answer for sign in LOOKALIKES
    ):
        return "letters that only look English were taken for English ones"
    return REFUSED.get((change.puzzle, change.kind), UNEXPLAINED)
