"""Self-reasoning by trying every choice of letters and reading all options as a person would."""

from __future__ import annotations

from itertools import product
from typing import Any


def work(instance: Any) -> tuple[list[str], list[str]]:
    asked = instance.questions
    choices = product(*(range(len(one.options)) for one in asked))
    right = [
        choice
        for choice in choices
        if all(_true(place, choice, asked) for place in reversed(range(len(asked))))
    ]
    (only,) = right
    letters = [chr(ord("A") + index) for index in only]
    return letters, letters


def _true(place: int, choice: tuple[int, ...], asked: Any) -> bool:
    own = asked[place]
    option = own.options[choice[place]]
    wanted = ord(own.letter) - ord("A") if own.letter else None
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
        case "answer":
            return option == "ABCDEF"[choice[own.one]]
        case "repeated":
            return {"ABCDEF"[index] for index in choice if choice.count(index) > 1} == {option}
        case "apart":
            return option == str(abs(choice[place] - choice[own.one]))
        case "as_many":
            return int(option) + 1 == choice.count(choice[own.one])
        case "more":
            more, less = (int(asked[at].options[choice[at]]) for at in (own.one, own.two))
            return less + int(option) == more
        case "is":
            return (option == "yes") == (choice[own.one] == wanted)
        case "alike":
            return (option == "no") == (choice[own.one] != choice[own.two])
    raise ValueError(own.about)
