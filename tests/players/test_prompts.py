"""What models are sent."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from itertools import count, pairwise
from random import Random

import pytest

from quandary import Session
from quandary.arena.suite import members
from quandary.catalogue import drawing, registry
from quandary.catalogue.splits import belongs
from quandary.cli.main import main
from quandary.core.contract import Game
from quandary.core.luck import Luck
from quandary.core.question import form_of
from quandary.core.translations import LIST_SEPARATORS
from quandary.matches.drivers import play_match
from quandary.matches.record import Record, replay
from quandary.models.pool import ClientPool
from quandary.models.provider import Completion, Generation, Message, Picture, Request
from quandary.players.prompts import wording
from quandary.players.prompts.examples import Examples
from quandary.players.prompts.messages import LISTED
from quandary.players.prompts.settings import Prompting, PromptSettings
from quandary.players.prompts.wording import COLOUR_WORDS, WORDING
from quandary.players.reading.reply import read
from quandary.players.registry import PlayerRegistry
from quandary.render.png import CHINESE_FONT, png
from quandary.render.svg import picture
from quandary.tasks.question_game import QuestionGame

Speak = Callable[[Request], str]


class Speaker:
    """A provider whose replies are made by a function."""

    def __init__(self, speak: Speak) -> None:
        self.speak, self.requests = speak, list[Request]()

    async def ask(self, request: Request) -> Completion:
        self.requests.append(request)
        return Completion((Generation(self.speak(request)),))

    async def close(self) -> None: ...


def _match(
    spec: str,
    asking: str,
    speak: Speak,
    *,
    tries: int = 1,
    language: str = "en",
    others: str = "random",
    attempts: int = 5,
) -> tuple[Record, list[Request]]:
    """A match in which the first seat is a model's; its record, and what the model was sent."""
    provider = Speaker(speak)
    game = drawing.game(spec, tries=tries, language=language)
    clients = ClientPool(open_provider=lambda *names: provider)
    player_registry = PlayerRegistry(
        PromptSettings(language=language), attempts=attempts, clients=clients
    )
    names = [f"test/any,{asking}" if asking else "test/any", *[others] * (game.seats - 1)]
    players = [player_registry.find(name, game, drawing.named(spec)) for name in names]
    return asyncio.run(play_match(game, players, spec)), provider.requests


def _said(message: Message) -> str:
    return "\n".join(part for part in message.parts if isinstance(part, str))


def _first_legal(request: Request) -> str:
    listed = _said(request.messages[-1]).partition("in no order: ")[2].partition("\n")[0]
    return _fenced(listed.partition("; ")[0])


def _fenced(answer: str) -> str:
    """A reply in the form that prompts ask for."""
    return f"```\n{answer}\n```"


def test_a_model_sees_rules_position_and_how_to_answer() -> None:
    """Rules once, the position as its seat sees it, and the form of the answer; nothing names the
    instance.
    """
    game = drawing.game("beat_or_bomb_sto/easy#1")
    _, requests = _match("beat_or_bomb_sto/easy#1", "", lambda request: _fenced("none"))
    sent = "\n".join(map(_said, requests[0].messages))

    assert game.rules() in sent
    assert game.seen_by(0).text(0) in sent
    assert sent.endswith("in this form:\n```\nyour answer\n```")
    assert "easy#1" not in sent


def test_history_is_kept_or_left_out() -> None:
    """With it, everything said before stands above, the last question in short; without, every
    turn is put as if it were the first.
    """
    _, kept = _match("tidy_tower/easy#1", "list_moves=yes", _first_legal)
    _, left_out = _match("tidy_tower/easy#1", "list_moves=yes,history=no", _first_legal)

    assert len(kept) > 2
    for earlier, later in pairwise(kept):
        asked = len(earlier.messages) - 1
        assert earlier.messages[:asked] == later.messages[:asked]
        assert len(earlier.messages) + 2 == len(later.messages)
        assert 1 == asked or "Legal moves" not in _said(later.messages[asked])
    assert {2} == {len(request.messages) for request in left_out}
    assert all("RULES" in _said(request.messages[1]) for request in left_out)


def _tokens(request: Request) -> int:
    return sum(len(_said(message)) for message in request.messages) // 4


def test_earlier_positions_are_shown_as_what_had_changed() -> None:
    """The first and the current one are shown in full; of the others the lines that were new, so
    that a long match does not repeat them all in every call.
    """
    spec = "takuzu/normal#5"
    answers, sight = list[str](), drawing.game(spec)
    while sight.options():
        answers.append(sight.strategies["oracle"](sight, 0, Random(1), 1_000))
        sight = sight.play(0, answers[-1])
    moves = iter(answers)
    record, requests = _match(spec, "", lambda request: _fenced(next(moves)))
    positions = [position.text(0) for position in replay(record)]
    last = [_said(message) for message in requests[-1].messages]

    assert 41 == len(requests)
    assert positions[0] in last[1]
    assert positions[-2] in last[-1]
    assert 2 == sum("POSITION" in text for text in last)
    for index, (before, now) in enumerate(pairwise(positions[:-2])):
        changed = set(now.splitlines()) - set(before.splitlines())
        assert changed <= set(last[3 + 2 * index].splitlines())
    assert sum(map(_tokens, requests)) < 35_000  # 78,196 with all positions in full


def test_corrections_stay_in_a_conversation() -> None:
    """Only the question that shows a position is shortened, not what was said after it."""
    calls = count(1)

    def speak(request: Request) -> str:
        return "Hm.\nOr not?" if next(calls) == 3 else _first_legal(request)

    # Without a listed move the correction is answered from the question before it.
    def answer(request: Request) -> str:
        asked = [m for m in request.messages if "in no order: " in _said(m)][-1]
        return speak(Request((asked,)))

    _, requests = _match("tidy_tower/normal#1", "list_moves=yes", answer)
    told = [_said(message) for message in requests[5].messages]
    [place] = [i for i, text in enumerate(told) if "No answer could be found" in text]

    assert told[place - 2].startswith("CHANGES")
    assert "Hm.\nOr not?" == told[place - 1]
    assert told[place + 1].startswith("```\n")


def test_legal_moves_are_listed_in_no_order() -> None:
    """All of a few, at most a hundred of many, with a word on the others; never in the order the
    rules list them.
    """
    _, requests = _match(
        "exclusivity_probes/hard#1", "list_moves=yes", lambda request: _fenced("none")
    )
    options = list(drawing.game("exclusivity_probes/hard#1").options()[0] or ())
    said = _said(requests[0].messages[-1])
    listed = said.partition("in no order: ")[2].partition("\n")[0].split("; ")

    assert LISTED == len(set(listed)) < len(options)
    assert set(listed) <= set(options)
    assert sorted(listed, key=options.index) != listed
    assert f"{LISTED} of {len(options)}" in said


@pytest.mark.parametrize("shots", [1, 2])
@pytest.mark.parametrize(
    "spec",
    [
        "islands/easy#3",
        "sudokill/easy#3",
        "check:sudoku/easy#3",
        "reversi/1#3",
        "larger_target/easy#3",
    ],
)
def test_examples_are_other_instances_rightly_answered(spec: str, shots: int) -> None:
    """Each is played by the engine under the same rules, and is not the instance that is asked."""
    game = drawing.game(spec)
    _, requests = _match(spec, f"shots={shots}", lambda request: _fenced("none"))
    _, *talk, asked = requests[0].messages
    examples = [_said(message) for message in talk if message.role == "user"]

    assert shots == sum("worked example" in text for text in examples)
    assert "now comes the puzzle" in _said(asked).casefold()
    assert game.seen_by(0).text(0) in _said(asked)
    assert not [text for text in examples if game.seen_by(0).text(0) in text]
    replies = [_said(message) for message in talk if message.role == "assistant"]
    assert all(2 == reply.count("\n```") for reply in replies)  # after the reasoning
    assert all(reply.endswith("\n```") for reply in replies)
    if isinstance(game, QuestionGame):
        assert 2 * shots == len(talk)


def test_examples_are_the_same_each_time() -> None:
    """They belong to the match, not to the moment."""
    one, other = (
        _match("islands/hard#1", "shots=2", lambda request: _fenced("none"))[1][0] for _ in range(2)
    )

    assert one == other


@pytest.mark.parametrize(("has_font", "words"), [(True, "zh"), (False, "en")])
def test_pictures_have_no_words_that_the_fonts_cannot_draw(
    monkeypatch: pytest.MonkeyPatch, has_font: bool, words: str
) -> None:
    """A match in Chinese has pictures with Chinese words if there is a font, else English ones."""
    if has_font:
        pytest.importorskip(CHINESE_FONT, reason="needs a font: pip install 'quandary[chinese]'")
    monkeypatch.setattr("quandary.render.png.has_letters", lambda language: has_font)
    reply = '{"answer": []}'
    _, requests = _match("minesweeper/0#1", "modality=image", lambda request: reply, language="zh")
    game = drawing.game("minesweeper/0#1").seen_by(0)
    [shown] = [part for part in requests[0].messages[-1].parts if isinstance(part, Picture)]

    assert shown.png == png(picture(game, 0, words))
    assert picture(game, 0, "en") != picture(game, 0, "zh")


def test_a_picture_is_the_positions_own() -> None:
    """What is sent is what is drawn of what the seat sees, byte for byte, turn by turn."""
    seen = list[bytes]()
    record, requests = _match("sudoku/easy#2", "list_moves=yes,modality=image", _first_legal)
    position: Game = record.start
    for request, (_, move) in zip(requests, record.log, strict=True):
        [shown] = [part for part in request.messages[-1].parts if isinstance(part, Picture)]
        seen.append(shown.png)
        assert png(picture(position.seen_by(0), 0)) == shown.png
        assert position.text(0) not in _said(request.messages[-1])
        position = position.play(0, move)
    assert len(set(seen)) == len(seen) > 1


def test_text_and_picture_go_together() -> None:
    """`modality=both` sends both."""
    _, requests = _match("sudoku/easy#1", "modality=both", lambda request: _fenced("none"))

    assert drawing.game("sudoku/easy#1").text(0) in _said(requests[0].messages[-1])
    assert any(isinstance(part, Picture) for part in requests[0].messages[-1].parts)


def test_feedback_is_put_without_the_question_where_that_stands_above() -> None:
    """A second try gets what was wrong; without history it gets the question too."""
    answers = iter([_fenced("xx")] * 6)
    _, requests = _match("islands/easy#1", "", lambda request: next(answers), tries=3)
    asked = drawing.game("islands/easy#1").text(0)

    assert 3 == len(requests)
    assert asked in _said(requests[0].messages[-1])
    assert asked not in _said(requests[1].messages[-1])
    assert "Tries left: 2" in _said(requests[1].messages[-1])

    answers = iter([_fenced("xx")] * 6)
    _, requests = _match("islands/easy#1", "history=no", lambda request: next(answers), tries=3)

    assert all(asked in _said(request.messages[-1]) for request in requests)
    assert "Tries left: 1" in _said(requests[2].messages[-1])


def test_replies_without_an_answer_are_asked_for_again_with_a_reason() -> None:
    """Five times in all; what was wrong is told apart, and the last of them loses."""
    replies = iter(
        ["", "I am sure of it.\nOr am I?", _fenced("nonsense at all"), _fenced(""), "no idea"]
    )
    record, requests = _match("sudokill/easy#1", "", lambda request: next(replies))
    told = [_said(request.messages[-1]) for request in requests[1:]]

    assert ("unreadable", 0) == (record.cause, record.offender)
    assert ["empty", "unreadable", "unreadable", "unreadable", "unreadable"] == [
        said.status for said in record.said
    ]
    assert "was empty" in told[0]
    assert "No answer could be found" in told[1]
    assert "Write" in told[2]
    assert all(text.endswith("\n```\nyour answer\n```") for text in told)


def test_chinese_puzzles_are_asked_in_chinese() -> None:
    """Everything that is said, the form of the answer included."""
    record, requests = _match(
        "reversi/1#1", "shots=1", lambda request: _fenced('{"answer": []}'), language="zh"
    )
    sent = "\n".join(map(_said, requests[0].messages))

    assert drawing.instance("reversi/1#1").rules("zh") in sent
    assert sent.endswith("格式如下：\n```\n你的回答\n```")
    assert "your answer" not in sent
    assert "answered" == record.said[0].status


def test_no_programs_are_asked_for_where_the_clause_says_so() -> None:
    """The clause stands only where it is asked for."""
    _, without = _match("islands/easy#1", "", lambda request: _fenced("none"))
    _, clause = _match("islands/easy#1", "allow_code=no", lambda request: _fenced("none"))

    assert "program." not in _said(without[0].messages[-1])
    assert "do not write, run or ask for a program" in _said(clause[0].messages[-1])


def _thinker(counts: Mapping[str, int]) -> Speak:
    """Proposes moves in turns, then votes for the last one proposed."""
    rng = Random(1)

    def speak(request: Request) -> str:
        said = _said(request.messages[-1])
        if "proposed" in said:
            return _fenced(str(said.count(chr(10) + "2. ") + 1))
        return _fenced(rng.choice(list(counts)))

    return speak


def test_a_tree_of_thoughts_proposes_votes_and_decides() -> None:
    """Five proposals, five votes on the different ones, and the move with most votes is played;
    only it enters the history.
    """
    moves = {"0 1 2": 0, "0 1 4": 0}
    record, requests = _match("sudokill/easy#1", "prompting=tree", _thinker(moves))
    votes = [request for request in requests[:10] if "proposed" in _said(request.messages[-1])]
    roles = [message.role for message in votes[0].messages]
    candidates = [
        line.partition(". ")[2]
        for line in _said(votes[0].messages[-1]).splitlines()
        if line[:2] in ("1.", "2.")
    ]

    assert 5 == len(votes)
    assert ["system", "user"] == roles  # never two in a row
    assert set(moves) == set(candidates)
    assert candidates[1] == record.log[0][1]
    assert 1 == sum(said.seat == 0 for said in record.said if said.move == candidates[1])


def test_unreadable_thoughts_lose_as_unreadable() -> None:
    """Five proposals that never come to anything, each asked for as often as a suite allows, are
    all the attempts of a turn.
    """
    for attempts in (1, 5):
        record, requests = _match(
            "sudokill/easy#1", "prompting=tree", lambda request: "Hm.", attempts=attempts
        )

        assert ("unreadable", 0) == (record.cause, record.offender)
        assert 5 * attempts == len(requests)


def test_models_and_strategies_sit_at_one_table() -> None:
    """A model's match is a match like others: it ends by the rules and replays, and the oracle
    beats a thoughtless one.
    """
    record, _ = _match("card_nim/easy#1", "list_moves=yes", _first_legal, others="oracle")

    assert record.cause in ("goal", "no_move")
    assert (0.0, 1.0) == record.scores
    assert replay(record)


QUESTIONS = [
    f"{name}/{next(iter(registry.load(name).levels))}#1"
    for name in (*sorted(members("textgames")), "reversi", "minesweeper")
]
TASKS = [
    "whole:tidy_tower/easy#1",
    "whole:sudoku/easy#1",
    "check:sudoku/easy#1",
    "next:sudoku/easy#1",
    "next:game_of_24/easy#1",
]


@pytest.mark.parametrize("spec", [*QUESTIONS, *TASKS])
def test_answers_of_examples_are_right(spec: str) -> None:
    """Read as a model's reply is read, and judged by the instance that the example shows."""
    game, named = drawing.game(spec), drawing.named(spec)
    assert isinstance(game, QuestionGame)
    for seed in range(4):
        other = Examples(game, named).other(Luck(f"{seed}/example0"))
        assert isinstance(other, QuestionGame)
        [[(shown, answered)]] = Examples(game, named).draw(str(seed), 0, PromptSettings(shots=1))
        reading = read(Generation(_said(answered)), form_of(game)).strict

        assert other.canonical() != game.canonical()
        assert other.question.seen_by(0).text(0) in _said(shown)
        assert "answered" == reading.status
        assert 1.0 == other.question.check(reading.answer).score


@pytest.mark.parametrize("thoughts", ["steps", "tree", "none"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_examples_reason_where_models_are_asked_to(thoughts: Prompting, language: str) -> None:
    """What they say of moves is what the engine says; without thoughts there is only the answer."""
    spec = "sudokill/easy#3"
    game, named = drawing.game(spec), drawing.named(spec)
    settings = PromptSettings(prompting=thoughts, language=language, shots=1)
    other = Examples(game, named).other(Luck("5/example0"))
    assert other is not None
    judged = other.judge(0)
    assert judged is not None
    said = _said(Examples(game, named).draw("5", 0, settings)[0][0][1])
    sign = {"en": ": ", "zh": "："}[language]
    compared = [line[2:].split(sign) for line in said.splitlines() if line.startswith("- ")]

    assert bool(compared) == (thoughts != "none") == (not said.startswith("```"))
    assert all(f"{judged[move]:.2f}" == value for move, value in compared)


def test_examples_of_questions_show_a_wrong_guess_and_what_is_wrong_with_it() -> None:
    """In the checker's own words, about the instance that the example shows."""
    game, named = drawing.game("islands/easy#1"), drawing.named("islands/easy#1")
    other = Examples(game, named).other(Luck("2/example0"))
    assert isinstance(other, QuestionGame)
    [[(_, answered)]] = Examples(game, named).draw("2", 0, PromptSettings(shots=1))
    _, guess, verdict = re.split("A first idea:\n|\nWhat a check of it says: ", _said(answered))

    assert other.question.check(guess).score == 0
    assert verdict.startswith(other.question.check(guess).feedback)


@pytest.mark.parametrize("spec", ["sudoku/easy#1", "islands/easy#2", "check:sudoku/easy#1"])
def test_examples_come_from_train(spec: str) -> None:
    game, named = drawing.game(spec), drawing.named(spec)
    for seed in range(4):
        other = Examples(game, named).other(Random(seed))
        assert other is not None
        assert belongs(other, "train", named.level)


@pytest.mark.parametrize(
    ("spec", "shown"), [("string_deletion/3,family=b#8", 3), ("reversi/0,family=a#1", 0)]
)
def test_no_example_is_shown_twice(spec: str, shown: int) -> None:
    """A family of one instance has no other to show."""
    game, named = drawing.game(spec), drawing.named(spec)
    found = Examples(game, named).draw("luck", 0, PromptSettings(shots=3))
    questions = [_said(turns[0][0]) for turns in found if turns]

    assert len(questions) == len(set(questions)) == shown


def test_a_level_with_one_start_shows_another_match_or_nothing() -> None:
    """With luck another match is shown; without it there is nothing to show."""
    lucky, alone = "superply/easy#1", "beat_or_bomb_det/easy#1"
    asked = drawing.game(lucky)
    assert Examples(asked, drawing.named(lucky)).other(Random(1)) == asked
    assert Examples(drawing.game(alone), drawing.named(alone)).other(Random(1)) is None


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "Your last answer could not be read as a move.\nWrite your move as: row column"),
        ("zh", "无法从你上一次的回答中读出走法。\n"),
    ],
)
def test_an_answer_that_is_no_move_is_called_so(language: str, told: str) -> None:
    """How to write one comes after it."""
    session = Session("sudokill/easy#7", language=language)
    session.reply(_fenced("pony" if language == "en" else "小马"))

    assert session.messages()[-1]["content"].startswith(told)


def test_prompts_are_worded_in_every_language() -> None:
    """The same sentences, with the same values, and the same colours."""
    for words in (WORDING, COLOUR_WORDS):
        assert list(LIST_SEPARATORS) == list(words)
        assert all(one.keys() == words["en"].keys() for one in words.values())
    for key, text in WORDING["en"].items():
        values = [set(re.findall(r"\{\w+\}", one[key])) for one in WORDING.values()]
        assert all(found == set(re.findall(r"\{\w+\}", text)) for found in values)


@pytest.mark.parametrize("words", ["WORDING", "COLOUR_WORDS"])
def test_a_language_without_words_for_prompts_names_their_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: str
) -> None:
    """As one that is new, and has a translation of a puzzle so far."""
    monkeypatch.delitem(getattr(wording, words), "zh")
    code = main(["prompt", "card_nim/easy#1", "--player", "openai/x,language=zh,modality=image"])

    told = f"prompts have no words in 'zh' yet; add them to {words} in {wording.__file__}."
    assert (code, capsys.readouterr().err) == (2, f"quandary: {told}\n")
