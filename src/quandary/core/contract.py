"""What authors of puzzles import; `docs/contract.md` lists it on a page for each kind of puzzle.

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
