"""How a model is asked, as its player's name says: `openai/gpt-4.1,shots=1,history=no,temperature=0`.

What a name does not say is left to the suite.  The name stands in every record, so what was done can be seen there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from quandary.core.contract import Language
from quandary.core.errors import Mistake, unknown
from quandary.models.provider import Decoding

Thoughts: TypeAlias = Literal["none", "steps", "tree"]  # answer at once, think step by step, or a tree of thoughts
Shown: TypeAlias = Literal["text", "image", "both"]
Strictness: TypeAlias = Literal["lenient", "strict"]
MOST_SHOTS = 5


@dataclass(frozen=True)
class Asking:
    """What a model is shown and told; each choice goes with each other one."""

    shots: int = 0  # worked examples before the question
    history: bool = True  # whether it sees the turns before
    legal: bool = False  # whether the legal moves are listed
    thoughts: Thoughts = "steps"
    shown: Shown = "text"
    programs: bool = True  # False: it is told to write no programs
    reading: Strictness = "lenient"  # which reading of a reply is played
    language: Language = "en"  # the suite's, not to be set by a name


class Named(NamedTuple):
    """A model player's name, taken apart."""

    provider: str
    model: str
    asking: Asking
    decoding: Decoding


def is_model(name: str) -> bool:
    """Whether a player's name means a language model."""
    return "/" in name.partition(",")[0]


def parse(name: str, asking: Asking, decoding: Decoding) -> Named:
    """The model a name means, and how it is asked; what it leaves open is taken from `asking` and `decoding`."""
    where, *settings = name.split(",")
    provider, slash, model = where.partition("/")
    if not slash or not provider or not model:
        raise Mistake(f"{name!r} names no model; write PROVIDER/NAME, for example openai/gpt-4.1.")
    kinds = _kinds(Asking) | _kinds(Decoding)
    del kinds["language"], kinds["stop"]
    seen = set[str]()
    for setting in settings:
        key, equals, text = setting.partition("=")
        if key in seen:
            raise Mistake(f"{name!r} sets {key} twice.")
        if key not in kinds or not equals:
            raise unknown(f"setting of {where}", setting if not equals else key, [f"{known}=" for known in kinds])
        value = _value(where, key, text, kinds[key])
        if hasattr(asking, key):
            asking = replace(asking, **{key: value})
        else:
            decoding = replace(decoding, **{key: value})
        seen.add(key)
    if not 0 <= asking.shots <= MOST_SHOTS:
        raise Mistake(f"shots={asking.shots} does not fit {where}; it can be shown 0 to {MOST_SHOTS} examples.")
    if decoding.max_tokens is not None and decoding.max_tokens < 1:
        raise Mistake(f"max_tokens={decoding.max_tokens} does not fit {where}; write 1 or more.")
    return Named(provider, model, asking, decoding)


def _kinds(settings: type) -> dict[str, str]:
    return {field.name: str(field.type) for field in fields(settings)}


def _value(where: str, key: str, text: str, kind: str) -> Any:
    """What `key=text` sets, by the kind the field has."""
    choices = {"Thoughts": Thoughts, "Shown": Shown, "Strictness": Strictness}
    if kind == "bool":
        if text in ("yes", "no"):
            return text == "yes"
        raise Mistake(f"{key}={text} does not fit {where}; write {key}=yes or {key}=no.")
    if kind in choices:
        if text in get_args(choices[kind]):
            return text
        raise unknown(f"{key} of {where}", text, get_args(choices[kind]))
    if "str" in kind:
        return text
    number = r"-?[0-9]{1,12}" if "int" in kind else r"[0-9]{1,9}(\.[0-9]{1,9})?"
    if not re.fullmatch(number, text):
        raise Mistake(f"{key}={text} does not fit {where}; write a {'whole ' if 'int' in kind else ''}number.")
    return int(text) if "int" in kind else float(text)
