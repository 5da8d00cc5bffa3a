"""Guesses made of a right answer: entries exchanged, or one of them altered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, TypeAlias

Place: TypeAlias = tuple[int, ...]  # of an entry in nested lists


def exchanged(
    answer: Sequence[Any], process: Sequence[Any], rng: Random
) -> tuple[Sequence[Any], Sequence[Any]]:
    """A guess at both; where the last entry of the process is the answer, it stays so."""
    if process and answer in (process, process[-1], [process[-1]]):
        guess = _exchanged(process, rng)
        return (guess if answer == process else _as_answer(guess[-1])), guess
    return _exchanged(answer, rng), _exchanged(process, rng)


def _as_answer(entry: Any) -> Sequence[Any]:
    return [entry] if isinstance(entry, str) else entry


def _exchanged(value: Sequence[Any], rng: Random) -> list[Any]:
    """Two different entries change places; where all are alike, the characters of one do."""
    places = list(_places(value))
    if not places:
        return list(value)
    texts = {place: _at(value, place) for place in places}
    one = places[-1] if rng.random() < 0.5 else rng.choice(places)  # the end counts most
    others = [place for place in places if texts[place] != texts[one]]
    if others:
        other = rng.choice(others)
        texts[one], texts[other] = texts[other], texts[one]
    else:
        texts[one] = texts[one][1:] + texts[one][:1] if len(set(texts[one])) > 1 else texts[one] * 2
    return [_replaced(inner, texts, (place,)) for place, inner in enumerate(value)]


def _places(value: Any, before: Place = ()) -> Iterator[Place]:
    if isinstance(value, str):
        yield before
    else:
        for place, inner in enumerate(value):
            yield from _places(inner, (*before, place))


def _at(value: Any, place: Place) -> str:
    for index in place:
        value = value[index]
    return str(value)


def _replaced(value: Any, texts: dict[Place, str], before: Place) -> Any:
    if isinstance(value, str):
        return texts[before]
    return [_replaced(inner, texts, (*before, place)) for place, inner in enumerate(value)]
