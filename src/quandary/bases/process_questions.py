"""Questions after LogicGame: an answer and the process that leads to it, both as JSON."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from quandary.core.answers import Answer, JsonObject, ListOf
from quandary.core.contract import Language, Question, Verdict
from quandary.kit.json_answers import judge_json, written


class ProcessQuestion(Question):
    """A question whose answer is the last entry of the process that is asked for with it."""

    form = "json"

    @abstractmethod
    def process(self) -> Sequence[object]:
        """The right process: one entry per round, in the order in which they are asked for."""

    def check(self, answer: str, language: Language = "en") -> Verdict:
        process = self.process()
        return judge_json(answer, process[-1], process, language)

    def solution(self) -> str:
        return written_process(self.process())


def written_process(process: Sequence[object]) -> str:
    """The JSON text of a process and its last entry, the answer."""
    return written(process[-1], process)


def process_shape(entry: Answer, rounds: int) -> Answer:
    """What an answer with a process looks like, given one entry of the process."""
    return JsonObject({"answer": entry, "process": ListOf(entry, count=rounds)})
