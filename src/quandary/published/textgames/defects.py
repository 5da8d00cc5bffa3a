"""Why our verdict differs from the published one: every difference belongs to one of these, or is unexplained."""

from __future__ import annotations

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
    ("ordering_text", "too_many"): "words after the last one were ignored",
    ("ordering_text", "mark"): "marks after the last word were ignored",
    ("anagram_scribble", "not_a_word"): "its word list holds what is no English word",
}
TAKEN = {  # puzzle -> why the published grader refused an answer that is right
    "anagram_scribble": "blanks around the answer were refused, or its word list lacks the word",
    "islands": "blank lines around the map were refused",
    "password_game": "accents and marks of names were demanded, or its country table is wrong",
    "bracket_game": "only the first place of a word was looked at",
}


def cause(flip: Flip) -> str:
    """The defect a changed verdict belongs to."""
    if flip.now:
        return TAKEN.get(flip.puzzle, UNEXPLAINED)
    return REFUSED.get((flip.puzzle, flip.kind), UNEXPLAINED)
