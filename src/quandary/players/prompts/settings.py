"""How a position is put to a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from quandary.core.contract import Language

# answer at once, think step by step, or a tree of thoughts
Thoughts: TypeAlias = Literal["none", "steps", "tree"]
Shown: TypeAlias = Literal["text", "image", "both"]
Strictness: TypeAlias = Literal["lenient", "strict"]
MOST_SHOTS = 5


@dataclass(frozen=True)
class PromptSettings:
    """What a model is shown and told; all settings can be combined."""

    shots: int = 0  # worked examples before the question
    history: bool = True  # whether earlier turns are part of the prompt
    legal: bool = False  # whether legal moves are listed
    thoughts: Thoughts = "steps"
    shown: Shown = "text"
    programs: bool = True  # False: the model is told not to write programs
    reading: Strictness = "lenient"  # which reading of a reply is played
    system: str | None = None  # the system message; None for our own, "" for none
    language: Language = "en"
