"""Puzzles to generate, play, check, score and replay.

    import quandary as q

    game = q.make("sudokill/easy#7")
    game = game.play(0, game.legal(0)[0])

Names are imported when they are first used, so that `import quandary` is quick.
"""

from __future__ import annotations

from importlib import import_module

from quandary.catalogue.papers import register as _register
from quandary.papers import find as _find_papers
from quandary.version import VERSION

TYPE_CHECKING = False  # as in `typing`, whose import would take longer than all of this one
if TYPE_CHECKING:
    from typing import Any

    from quandary.api.instances import Grading, grade, make, move_index, score
    from quandary.api.listing import list_puzzles, list_suites
    from quandary.api.playing import check, load, match, replay, run
    from quandary.api.session import Session, Step, prompt
    from quandary.core.contract import Game, Question, Verdict
    from quandary.core.errors import Illegal, Unreadable, UserError
    from quandary.matches.record import Record, ReplayMismatch

__version__ = VERSION
_register(_find_papers)  # none is imported until it is needed

_PLACES = {
    "Game": "core.contract",
    "Grading": "api.instances",
    "Illegal": "core.errors",
    "Question": "core.contract",
    "Record": "matches.record",
    "Session": "api.session",
    "Step": "api.session",
    "ReplayMismatch": "matches.record",
    "Unreadable": "core.errors",
    "UserError": "core.errors",
    "Verdict": "core.contract",
    "check": "api.playing",
    "grade": "api.instances",
    "list_puzzles": "api.listing",
    "list_suites": "api.listing",
    "load": "api.playing",
    "make": "api.instances",
    "match": "api.playing",
    "move_index": "api.instances",
    "prompt": "api.session",
    "replay": "api.playing",
    "run": "api.playing",
    "score": "api.instances",
}

_RENAMED = {"Unfaithful": "ReplayMismatch"}  # public names of the version before

__all__ = [
    "Game",
    "Grading",
    "Illegal",
    "Question",
    "Record",
    "Session",
    "Step",
    "ReplayMismatch",
    "Unreadable",
    "UserError",
    "Verdict",
    "__version__",
    "check",
    "grade",
    "list_puzzles",
    "list_suites",
    "load",
    "make",
    "match",
    "move_index",
    "prompt",
    "replay",
    "run",
    "score",
]


def __getattr__(name: str) -> Any:
    if name in _RENAMED:
        from quandary.renamed import warn

        warn(f"quandary.{name}", _RENAMED[name])
        name = _RENAMED[name]
    if name not in _PLACES:
        raise AttributeError(f"module 'quandary' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"quandary.{_PLACES[name]}"), name)
    return value


def __dir__() -> list[str]:
    return __all__
