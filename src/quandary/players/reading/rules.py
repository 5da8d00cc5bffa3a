"""Rules as data: each is a way in which models write, beside a reply that is read by it.

`tests/players/test_rules.py` takes every rule out and shows that its reply is read otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Generic, NamedTuple, TypeVar, cast

from quandary.core.contract import Form
from quandary.core.late_pattern import LatePattern
from quandary.models.provider import Finish

Way = TypeVar("Way", bound=str | Callable[..., Any])


class Rule(NamedTuple, Generic[Way]):
    """A way of writing, and the reading of a reply in which it occurs."""

    way: Way  # a regular expression, or the function that looks for it
    reply: str
    answer: str = ""  # what is read in the reply; "" for no answer
    form: Form = "line"
    finish: Finish = "stop"


Ways = tuple[Rule[str], ...]


class RulePattern(LatePattern):
    """A regular expression with places for rules; any rule of a place matches there."""

    def __init__(self, frame: str, places: dict[str, Ways]) -> None:
        self.frame, self.places = frame, places
        ways = {name: [rule.way for rule in rules] or ["(?!)"] for name, rules in places.items()}
        super().__init__(frame % {name: f"(?:{'|'.join(ways[name])})" for name in ways}, 0)

    def without(self, rule: Rule[str]) -> RulePattern:
        """Return the same expression without one rule."""
        places = self.places.items()
        left = {name: tuple(one for one in rules if one is not rule) for name, rules in places}
        return RulePattern(self.frame, left)


def pattern_of(frame: str, **places: Ways) -> re.Pattern[str]:
    """Return the expression of a frame in which `%(name)s` stands for the rules called `name`."""
    return cast(re.Pattern[str], RulePattern(frame, places))
