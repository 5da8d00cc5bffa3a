"""Former names of modules, for puzzles from outside that were written with them.

`quandary.kit.worked` is `quandary.core.worked`; nothing in quandary uses these names.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from types import ModuleType

__path__: list[str] = []  # a module with a path can have modules below it
MOVED = {
    "alphabeta": "algorithms.alphabeta",
    "boards": "puzzles.questions._shared.boards",
    "entailment": "algorithms.entailment",
    "equilibrium": "algorithms.equilibrium",
    "exact": "algorithms.exact",
    "exact_cover": "algorithms.exact_cover",
    "hidden_information": "algorithms.hidden_information",
    "json_answers": "core.json_answers",
    "mcts": "algorithms.mcts",
    "proof_number_search": "algorithms.proof_number_search",
    "reading": "puzzles._shared.reading",
    "rewriting": "puzzles.questions.execution._shared.rewriting",
    "worked": "core.worked",
}


class _Finder:
    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        moved = MOVED.get(name.removeprefix(f"{__name__}."))
        return ModuleSpec(name, _Loader(f"quandary.{moved}")) if moved else None


class _Loader(Loader):
    def __init__(self, place: str) -> None:
        self.place = place

    def exec_module(self, module: ModuleType) -> None:
        sys.modules[module.__name__] = import_module(self.place)  # which import then returns


sys.meta_path.append(_Finder)
