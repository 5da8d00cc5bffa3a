"""What a puzzle is; everything that builds on puzzles imports their contract from here.

A puzzle is an immutable value: its fields are the position, its methods the rules.
A `Game` is played move by move; a `Question` is asked once and its answer checked.
`QuestionGame` plays a question as a game, so that all other code deals with games only.

Three groups of methods keep secrets safe.
On the true position, called by the engine alone: `options`, `after`, `play`, `foul`, `chance`,
`scores`, `values`, `ending`, `asked_question`, `check`, `check_as_published`, `reference`,
`reference_is_bound`, `equivalent`, `canonical`.
On a view (`seen_by(seat)`), because their results reach a player: `text`, `scene`, `legend`,
`why_illegal`, `illegal_feedback`, `read`, `moves`, `state`, `restate`, `judge`, `sample`,
`solution`, `possible_position` and every strategy.
On either, because it depends on nothing hidden: `rules`.
"""

from .descriptions import Doc
from .game import (
    CHANCE,
    Cause,
    Ending,
    FailureCause,
    Game,
    Implied,
    Options,
    Ruled,
    solved,
)
from .moves import Move
from .puzzle import (
    Form,
    InstanceCount,
    Language,
    Puzzle,
    Strategy,
    Strongest,
    class_name,
    family_of,
    family_words,
    innermost,
    name_of,
    strongest_at,
    version_of,
)
from .question import AskedQuestion, Question, Verdict
from .secrecy import Private, Seat, Secret, hidden_fields

__all__ = [
    "CHANCE",
    "AskedQuestion",
    "Cause",
    "Doc",
    "Ending",
    "FailureCause",
    "InstanceCount",
    "Form",
    "Game",
    "Implied",
    "Language",
    "Move",
    "Options",
    "Private",
    "Puzzle",
    "Question",
    "Ruled",
    "Seat",
    "Secret",
    "Strategy",
    "Strongest",
    "Verdict",
    "class_name",
    "family_of",
    "family_words",
    "innermost",
    "name_of",
    "solved",
    "strongest_at",
    "hidden_fields",
    "version_of",
]
