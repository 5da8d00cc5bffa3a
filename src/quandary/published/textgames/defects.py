"""Why our verdict differs from the published one: every difference belongs to one of these, or is
unexplained.
"""

from __future__ import annotations

from quandary.kit.countries import ACCENTED
from quandary.scoring.regrade import Flip

UNEXPLAINED = "unexplained"
REFUSED = {  # puzzle and what our checker finds wrong -> why the published grader took the answer
    ("islands", "shape"): "rows that are too long were cut",
    ("bracket_game", "unmatched"): "crossing or stray brackets were not seen",
    ("bracket_game", "unclosed"): "brackets left open were not seen",
    ("bracket_game", "foreign_sign"): "signs that are neither letters nor brackets were ignored",
    ("bracket_game", "depth"): "the depth was reckoned over brackets that do not match",
    ("bracket_game", "not_inside"): "a closing bracket behind the word was not asked for",
    ("password_game", "whitespace"): "blanks within a password were allowed",
    ("password_game", "continent_of"): "its country table is wrong, or has no continent",
    ("ordering_text", "too_many"): "words after the last one were ignored",
    ("ordering_text", "mark"): "marks after the last word were ignored",
    ("anagram_scribble", "not_a_word"): "its word list holds what is no English word",
}
TAKEN = {  # puzzle -> why the published grader refused an answer that is right
    "anagram_scribble": "its word list lacks the word",
    "islands": "blank lines around the map were refused",
    "password_game": "blanks, accents and marks of names were demanded, or its country table is "
    "wrong",
    "bracket_game": "only the first place of a word was looked at",
    "text_sudoku": "letters in lower case were refused",
}
LOOKALIKES = (
    "\u212a\u0130"  # the Kelvin sign and the dotted capital I, which Python turns into k and i
)


def cause(flip: Flip) -> str:
    """The defect a changed verdict belongs to."""
    if flip.puzzle == "password_game" and ACCENTED.search(flip.answer):
        return "accents that follow their letter were taken for signs of their own"
    return _taken(flip) if flip.now else _refused(flip)


def _taken(flip: Flip) -> str:
    if flip.puzzle == "anagram_scribble" and flip.answer == "None":
        return "the reply None meant that there is no answer, also where none is a right word"
    if flip.puzzle == "anagram_scribble" and flip.answer != flip.answer.strip():
        return "blanks around the answer were refused"
    if flip.puzzle == "islands" and any(
        len(row.split()) > 1 for row in flip.answer.replace(" ", "").split("\n")
    ):
        return "tabs and other blanks than the usual one between tiles were refused"
    return TAKEN.get(flip.puzzle, UNEXPLAINED)


def _refused(flip: Flip) -> str:
    if (flip.puzzle, flip.kind) not in REFUSED and any(sign in flip.answer for sign in LOOKALIKES):
        return "letters that only look English were taken for English ones"
    return REFUSED.get((flip.puzzle, flip.kind), UNEXPLAINED)
