"""Names for authors of puzzles; `docs/contract.md` has a page of them for each kind of puzzle.

A puzzle is an immutable value: its fields are the position, its methods the rules.
A `Game` is played move by move; a `Question` is asked once and its answer checked.
`QuestionGame` plays a question as a game, so that all other code deals with games only.
Optional groups of methods are mixins, which a puzzle opts into: `class Sudoku(StateTasks, Game)`.

Three groups of methods keep secrets safe.
On the true position, called by the engine alone: `options`, `after`, `after_round`, `play`, `foul`,
`chance`, `scores`, `values`, `ending`, `check`, `check_as_published`, `reference`,
`reference_is_bound`, `equivalent`, `canonical`.
On a view (`seen_by(seat)`), because their results reach a player: `text`, `scene`, `legend`,
`why_illegal`, `read`, `moves`, `state`, `restate`, `judge`, `sample`, `solution`,
`possible_position` and every strategy.
On either, because it depends on nothing hidden: `rules`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any
from warnings import warn

from .descriptions import Doc
from .game import CHANCE, Cause, Ending, FailureCause, Game, Options, Ruled, solved
from .mixins.answers import AskedOnce, PartlyGiven, PublishedAnswers, TranslatedAnswers
from .mixins.earlier_versions import EarlierVersions
from .mixins.families import Families
from .mixins.objectives import JudgedMoves, Objective
from .mixins.state_tasks import StateTasks
from .mixins.turns import ChanceMoves, Fouls, FreeText, SimultaneousMoves
from .mixins.whole_answers import Implied, WholeAnswers
from .mixins.word_puzzles import WordPuzzle
from .moves import Move
from .puzzle import InstanceCount, Language, Puzzle, Strategy, Strongest
from .question import Form, Question, Verdict
from .secrecy import HiddenInformation, Private, Seat, Secret

__all__ = [
    "CHANCE",
    "AskedOnce",
    "Cause",
    "ChanceMoves",
    "Doc",
    "EarlierVersions",
    "Ending",
    "FailureCause",
    "Families",
    "Form",
    "Fouls",
    "FreeText",
    "Game",
    "HiddenInformation",
    "Implied",
    "InstanceCount",
    "JudgedMoves",
    "Language",
    "Move",
    "Objective",
    "Options",
    "PartlyGiven",
    "Private",
    "PublishedAnswers",
    "Puzzle",
    "Question",
    "Ruled",
    "Seat",
    "Secret",
    "SimultaneousMoves",
    "StateTasks",
    "Strategy",
    "Strongest",
    "TranslatedAnswers",
    "Verdict",
    "WholeAnswers",
    "WordPuzzle",
    "solved",
]

# Earlier name -> module and name: importing it from here still works in this version, and warns.
_MOVED = {
    "Few": ("puzzle", "InstanceCount"),
    "class_name": ("naming", "class_name"),
    "family_of": ("mixins.families", "family_of"),
    "family_words": ("mixins.families", "family_words"),
    "innermost": ("wrapper", "innermost"),
    "name_of": ("naming", "name_of"),
    "strongest_at": ("puzzle", "strongest_at"),
    "veils_of": ("secrecy", "hidden_fields"),
    "version_of": ("wrapper", "version_of"),
}
if not TYPE_CHECKING:  # otherwise any name would pass type checking

    def __getattr__(name: str) -> Any:
        if name not in _MOVED:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module, now = _MOVED[name]
        place = __name__ if now in __all__ else f"quandary.core.{module}"
        sentence = f"{__name__}.{name} goes in the next version; import {now} from {place}."
        warn(sentence, DeprecationWarning, stacklevel=2)
        return getattr(import_module(f"quandary.core.{module}"), now)
