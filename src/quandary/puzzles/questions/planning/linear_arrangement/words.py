"""Rows of things and what is said of them, in words."""

from __future__ import annotations

from quandary.core.words import Say

from .solver import Clue, Said


def row_words(say: Say, family: str) -> str:
    """Return where the things are, and what words about their places mean."""
    return {
        "a": say(
            "Books stand in a row on a shelf, one in each place. Places are numbered from left to "
            "right, the first is 1, and there are as many places as books. Somewhere to the left "
            "of a book means in any place with a smaller number. Somewhere between two books means "
            "in any of the places between theirs, whichever of the two is on the left."
        ),
        "b": say(
            "Pupils stand in a row, one in each place. Places are numbered from left to right, as "
            "you see them; the first is 1, and there are as many places as pupils. Somewhere to "
            "the left of a pupil means in any place with a smaller number. Two pupils stand next "
            "to each other if the numbers of their places differ by 1. The distance between two "
            "pupils is the larger of these numbers minus the smaller."
        ),
        "c": say(
            "Boxes stand in a row, and each holds one letter. They are numbered from left to "
            "right, the first is 1, and there are as many boxes as letters; each letter is used "
            "exactly once. Somewhere to the left of a letter means in any box with a smaller "
            "number; directly to the left of a letter means in the box whose number is smaller by "
            "1. Somewhere between two letters means in any of the boxes between theirs, whichever "
            "of the two is on the left. Two boxes are adjacent if their numbers differ by 1."
        ),
        "d": say(
            "Subjects are taught on one day, each in one lesson. Lessons follow one after the "
            "other; the first is lesson 1, and there are as many lessons as subjects. Somewhere "
            "before a subject means in any earlier lesson; directly after a subject means in the "
            "very next lesson. Somewhere between two subjects means in any of the lessons between "
            "theirs, whichever of the two comes first."
        ),
    }[family]


def things_words(say: Say, family: str, letters: str) -> str:
    """Return which things there are."""
    names = say.list(letters)
    return {
        "a": say("Books: {names}", names=names),
        "b": say("Pupils: {names}", names=names),
        "c": say("Letters: {names}", names=names),
        "d": say("Subjects: {names}", names=names),
    }[family]


def clue_words(say: Say, family: str, clue: Clue) -> str:
    """Return a sentence for each thing that a clue says."""
    one, *others = [_sentence(say, family, statement) for statement in clue]
    for other in others:
        one = say("{one} {other}", one=one, other=other)
    return one


def _sentence(say: Say, family: str, statement: Said) -> str:
    sentences = {"a": _of_books, "b": _of_pupils, "c": _of_letters, "d": _of_subjects}[family]
    names = dict(zip("xyz", statement.things, strict=False))
    return sentences(say, statement.about, {"y": "", "z": "", **names, "n": statement.number})


def _of_books(say: Say, about: str, values: dict[str, object]) -> str:
    return {
        "at": say("Book {x} is in place {n}.", **values),
        "not_at": say("Book {x} is not in place {n}.", **values),
        "anywhere": say("Book {x} may be in any place.", **values),
        "before": say("Book {x} is somewhere to the left of book {y}.", **values),
        "between": say("Book {x} is somewhere between books {y} and {z}.", **values),
        "apart": say(
            "Exactly {n} {n:book is|books are} between books {x} and {y}.",
            **values,
        ),
    }[about]


def _of_pupils(say: Say, about: str, values: dict[str, object]) -> str:
    return {
        "at": say("Pupil {x} stands in place {n}.", **values),
        "not_at": say("Pupil {x} does not stand in place {n}.", **values),
        "next_to": say("Pupils {x} and {y} stand next to each other.", **values),
        "not_next_to": say("Pupils {x} and {y} do not stand next to each other.", **values),
        "apart": say(
            "Exactly {n} {n:pupil stands|pupils stand} between pupils {x} and {y}.", **values
        ),
        "before": say("Pupil {x} stands somewhere to the left of pupil {y}.", **values),
        "farther": say(
            "The distance between pupils {x} and {y} is greater than the distance between pupils "
            "{x} and {z}.",
            **values,
        ),
    }[about]


def _of_letters(say: Say, about: str, values: dict[str, object]) -> str:
    return {
        "at": say("Letter {x} is in box {n}.", **values),
        "not_at": say("Letter {x} is not in box {n}.", **values),
        "before": say("Letter {x} is somewhere to the left of letter {y}.", **values),
        "just_before": say("Letter {x} is directly to the left of letter {y}.", **values),
        "next_to": say("Letters {x} and {y} are in adjacent boxes.", **values),
        "between": say("Letter {x} is somewhere between letters {y} and {z}.", **values),
        "apart": say(
            "Exactly {n} {n:box is|boxes are} between those of letters {x} and {y}.", **values
        ),
    }[about]


def _of_subjects(say: Say, about: str, values: dict[str, object]) -> str:
    return {
        "at": say("Subject {x} is taught in lesson {n}.", **values),
        "not_at": say("Subject {x} is not taught in lesson {n}.", **values),
        "not_next_to": say(
            "Neither of the subjects {x} and {y} comes directly after the other.", **values
        ),
        "just_before": say("Subject {y} comes directly after subject {x}.", **values),
        "before": say("Subject {x} comes somewhere before subject {y}.", **values),
        "between": say("Subject {x} comes somewhere between subjects {y} and {z}.", **values),
    }[about]
