"""The settings of a model's prompts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from quandary.core.contract import Language

# answer at once, think step by step, or a tree of thoughts
Prompting: TypeAlias = Literal["none", "steps", "tree"]
Modality: TypeAlias = Literal["text", "image", "both"]
Strictness: TypeAlias = Literal["lenient", "strict"]
MOST_SHOTS = 5


@dataclass(frozen=True)
class PromptSettings:
    """The settings of a model's prompts; all of them can be combined."""

    shots: int = 0  # worked examples before the question
    history: bool = True  # whether earlier turns are part of the prompt
    list_moves: bool = False  # whether legal moves are listed
    prompting: Prompting = "steps"
    modality: Modality = "text"
    allow_code: bool = True  # False: the model is told not to write programs
    parsing: Strictness = "lenient"  # which reading of a reply is played
    system: str | None = None  # the system message; None for our own, "" for none
    language: Language = "en"
