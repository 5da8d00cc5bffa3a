"""Self-reasoning by trying every choice of letters and reading all options as a person would."""

from __future__ import annotations

from itertools import product
from typing import Any

SHORT = ("answer", "apart", "is", "alike")  # quick to read


def work(instance: Any) -> tuple[list[str], list[str]]:
    asked = instance.questions
    choices = product(*(range(len(one.options)) for one in asked))
    places = sorted(range(len(asked)), key=lambda place: asked[place].about not in SHORT)
    right = [choice for choice in choices if all(_true(at, choice, asked) for at in places)]
    (only,) = right
    letters = [chr(ord("A") + index) for index in only]
    return letters, letters


def _true(place: int, choice: tuple[int, ...], asked: Any) -> bool:
    own = asked[place]
    option = own.options[choice[place]]
    match own.about:
        case "answer":
            return option == "ABCDEF"[choice[own.one]]
        case "apart":
            return option == str(abs(choice[place] - choice[own.one]))
        case "is":
            return (option == "yes") == (choice[own.one] == _index(own.letter))
        case "alike":
            return (option == "no") == (choice[own.one] != choice[own.two])
        case "repeated":
            return {"ABCDEF"[index] for index in choice if choice.count(index) > 1} == {option}
        case "as_many":
            return int(option) + 1 == choice.count(choice[own.one])
        case "more":
            more, less = (int(asked[at].options[choice[at]]) for at in (own.one, own.two))
            return less + int(option) == more
    wanted = _index(own.letter)
    with_it = [number for number, index in enumerate(choice, start=1) if index == wanted]
    match own.about:
        case "count":
            return option == str(len(with_it))
        case "first":
            return option == str(min(with_it, default="none"))
        case "before":
            found = [str(number) for number in with_it if number < own.one + 1]
            return option in (found or ["none"])
        case "after":
            found = [str(number) for number in with_it if number > own.one + 1]
            return option in (found or ["none"])
    raise ValueError(own.about)


def _index(letter: str) -> int:
    return ord(letter) - ord("A")
