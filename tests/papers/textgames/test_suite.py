"""The protocol of the suite `textgames`: the answer alone, and every reply one of three turns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from quandary.arena.run import RunResult, run
from quandary.arena.suite import Suite, load
from quandary.arena.suite import read as read_suite
from quandary.catalogue import drawing
from quandary.cli.main import main
from quandary.core.errors import UserError
from quandary.matches.record import replay
from quandary.models.pool import ClientPool
from quandary.models.provider import Completion, Decoding, Generation, Message, Request
from quandary.players.registry import PlayerRegistry
from quandary.scoring.readings import readings
from quandary.scoring.reread import reread

MODEL = "test/any"
CUT_OFF = Generation("Let me think about this.\nFirst I look at the", finish="length")
STEPS = "step by step"
SUITE_OF_ONE = """
{}
[[puzzles]]
puzzle = "anagram_scribble"
levels = ["easy"]
seeds = "1"
"""


class Speaker:
    """A provider whose replies are made by a function of the request."""

    def __init__(self, speak: Callable[[Request], Generation]) -> None:
        self.speak, self.requests = speak, list[Request]()

    async def ask(self, request: Request) -> Completion:
        self.requests.append(request)
        return Completion((self.speak(request),))

    async def close(self) -> None: ...


def _first(suite: Suite, seeds: int = 1) -> Suite:
    """The suite with its first seeds only."""
    return replace(
        suite, entries=tuple(entry for entry in suite.entries if entry.spec.seed <= seeds)
    )


def _played(suite: Suite, folder: Path, provider: Speaker, player: str = MODEL) -> RunResult:
    clients = ClientPool(open_provider=lambda *names: provider)
    decoding = Decoding(**dict(suite.decoding))  # type: ignore[arg-type]
    players = PlayerRegistry(suite.prompt_settings, decoding, suite.attempts, clients)
    return run(suite, [player], folder, players)


def _text(message: Message) -> str:
    return "\n".join(part for part in message.parts if isinstance(part, str))


def test_models_are_asked_for_the_answer_alone(tmp_path: Path) -> None:
    """No prompt of the suite asks for thoughts, which 200 tokens would not hold."""
    provider = Speaker(lambda request: Generation("Answer: none"))
    _played(_first(load("textgames")), tmp_path, provider)
    prompts = ["\n".join(map(_text, request.messages)) for request in provider.requests]

    assert len(prompts) == 8 * 3 * 3  # puzzles, levels, turns
    assert not any(STEPS in prompt for prompt in prompts)
    assert all("Do not explain anything." in prompt for prompt in prompts)
    assert {200} == {request.decoding.max_tokens for request in provider.requests}


def test_prompt_command_asks_as_the_suite_does(capsys: pytest.CaptureFixture[str]) -> None:
    """A player's name still has the last word."""
    asked = {}
    for player in (MODEL.replace("test", "openai"), "openai/any,prompting=steps"):
        assert 0 == main(["prompt", "islands/easy#1", "--suite", "textgames", "--player", player])
        asked[player] = capsys.readouterr().out

    assert [False, True] == [STEPS in prompt for prompt in asked.values()]


@pytest.mark.parametrize(
    ("generation", "status"),
    [
        (CUT_OFF, "truncated"),
        (Generation("I'm sorry, but I can't help with that."), "refused"),
        (Generation(""), "empty"),
    ],
)
def test_every_reply_is_one_of_three_turns(
    tmp_path: Path, generation: Generation, status: str
) -> None:
    """Three unreadable replies use up three turns, in every puzzle, and the records replay."""
    provider = Speaker(lambda request: generation)
    played = _played(_first(load("textgames")), tmp_path, provider)

    for record in played.records:
        assert [status] * 3 == [said.status for said in record.said]
        assert ("limit", (0.0,)) == (record.cause, record.scores)
        assert len(replay(record)) == 4
    assert len(played.records) * 3 == len(provider.requests)
    [found] = readings(played.records, load("textgames").prompt_settings)
    assert {status: found.replies} == found.statuses
    for read_again in (False, True):
        assert not [match for match in reread(tmp_path, read_again=read_again) if match.changed]


def test_a_right_answer_in_the_third_turn_counts(tmp_path: Path) -> None:
    """After an unreadable and a wrong reply; each is answered with what was wrong about it."""
    suite = read_suite("mine", SUITE_OF_ONE.format("tries = 3\ncount_unreadable = true"))
    solution = drawing.instance("anagram_scribble/easy#1").solution()  # type: ignore[attr-defined]
    replies = iter([CUT_OFF, Generation("Answer: zzz"), Generation(f"Answer: {solution}")])
    provider = Speaker(lambda request: next(replies))
    [record] = _played(suite, tmp_path, provider).records
    second, third = (_text(request.messages[-1]) for request in provider.requests[1:])

    assert ("goal", (1.0,)) == (record.cause, record.scores)
    assert ["truncated", "answered", "answered"] == [said.status for said in record.said]
    assert "No complete answer could be found in your last reply.\nTries left: 2." in second
    assert "Your last answer was:\nzzz\n" in third and "Tries left: 1." in third
    replay(record)


def test_other_suites_ask_again_without_using_up_a_try(tmp_path: Path) -> None:
    """Format attempts are the rule, and do not count as turns."""
    suite = read_suite("mine", SUITE_OF_ONE.format("tries = 3\nattempts = 4"))
    replies = iter([*[CUT_OFF] * 3, Generation("Answer: zzz"), *[CUT_OFF] * 4])
    provider = Speaker(lambda request: next(replies))
    [record] = _played(suite, tmp_path, provider).records

    assert 8 == len(record.said)
    assert [(0, "zzz")] == list(record.log)
    assert ("unreadable", (0.0,)) == (record.cause, record.scores)


def test_games_keep_their_format_attempts(tmp_path: Path) -> None:
    """A game has no move that stands for an unreadable reply."""
    text = "count_unreadable = true\n[[puzzles]]\npuzzle = 'sudoku'\nlevels = ['easy']\nseeds = '1'"
    provider = Speaker(lambda request: CUT_OFF)
    [record] = _played(read_suite("mine", text), tmp_path, provider).records

    assert (5, "unreadable", ()) == (len(record.said), record.cause, record.log)


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ('prompting = "nine"', "did you mean 'none'"),
        ("prompting = 3", "not of type str"),
        ('count_unreadable = "yes"', "not of type bool"),
        ("count_unreadable = 1", "not of type bool"),
        ("tries = true", "not of type int"),
    ],
)
def test_wrong_settings_get_advice(text: str, advice: str) -> None:
    """What a suite sets wrongly is said when it is read."""
    with pytest.raises(UserError, match=advice):
        read_suite("mine", SUITE_OF_ONE.format(text))


@pytest.mark.parametrize("prompting", ["none", "steps", "tree"])
def test_a_suite_sets_prompting(prompting: str) -> None:
    """All ways of thinking; without the setting, models think step by step."""
    chosen = read_suite("mine", SUITE_OF_ONE.format(f'prompting = "{prompting}"'))

    assert prompting == chosen.prompt_settings.prompting
    assert "steps" == read_suite("mine", SUITE_OF_ONE.format("")).prompt_settings.prompting


def test_runs_with_other_thoughts_are_other_runs(tmp_path: Path) -> None:
    """They are never mixed in one folder."""
    provider = Speaker(lambda request: Generation("Answer: none"))
    suite = read_suite("mine", SUITE_OF_ONE.format(""))
    _played(suite, tmp_path, provider)

    for other in (replace(suite, prompting="none"), replace(suite, count_unreadable=True)):
        with pytest.raises(UserError, match="contains another run"):
            _played(other, tmp_path, provider)
