"""The public API: what `import quandary` offers, used as its documentation says."""

from __future__ import annotations

import asyncio
import inspect
import json
import pickle
import pkgutil
import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest

import quandary as q
from quandary.catalogue import registry
from quandary.cli.main import main
from quandary.core.contract import CHANCE
from quandary.core.question import form_of


def test_every_name_is_there_and_documented() -> None:
    """Every exported name can be used after one import and says what it is."""
    for name in q.__all__:
        assert getattr(q, name) is not None
        assert name == "__version__" or inspect.getdoc(getattr(q, name))
    assert set(q.__all__) <= set(dir(q))
    with pytest.raises(AttributeError):
        _ = q.nothing_of_the_kind


def test_no_name_equals_a_subpackage() -> None:
    """Importing submodules hides no public name."""
    modules = [module.name for module in pkgutil.walk_packages(q.__path__, "quandary.")]
    for name in modules:
        if not name.endswith("__main__") and "providers." not in name:  # those need extras
            import_module(name)

    assert not {name.rpartition(".")[2] for name in modules if name.count(".") == 1} & set(
        q.__all__
    )
    assert callable(q.make) and callable(q.match) and callable(q.run) and callable(q.check)


def test_a_game_is_a_value() -> None:
    """Playing gives a new position; the old one stays as it was, and illegal moves are refused."""
    game = q.make("sudokill/easy#7")
    after = game.play(0, game.legal(0)[0])

    assert game == q.make("sudokill/easy#7") != after
    assert game.legal(1) == ()
    for seat, move in ((0, "9 9 9"), (1, game.legal(0)[0]), (5, "0 0 1")):
        with pytest.raises(q.Illegal):
            game.play(seat, move)


def test_replies_are_read_then_judged() -> None:
    """A right answer in the form that the prompt asks for scores 1, anything else 0."""
    game = q.make("islands/easy#3")
    solution = game.strategies["oracle"](game, 0, Random(0), 0)
    reply = f"Some thoughts first.\n\nAnswer:\n```\n{solution}\n```"

    assert 1.0 == q.score("islands/easy#3", reply) == q.score("islands/easy#3", solution)
    assert 0.0 == q.score("islands/easy#3", "I cannot do that.")
    assert "truncated" == q.grade("islands/easy#3", "<think>and so on").status
    assert "shape" == q.grade("islands/easy#3", "Answer:\n```\n#\n```").kind
    with pytest.raises(q.UserError, match="whole:tidy_tower"):
        q.score("tidy_tower/easy#1", "0 1")


def _answer(session: q.Session, seat: int, rng: Random) -> str:
    """A move of a seat as a model would say it, or an answer that is probably wrong."""
    view = session._match.position.seen_by(seat)
    moves = session._match.pending()[seat].options
    text = view.sample(rng) if moves is None else rng.choice(list(moves))
    return f"Answer:\n```\n{text}\n```" if form_of(view) == "block" else f"Answer: {text}"


@pytest.mark.parametrize("name", [puzzle["name"] for puzzle in q.list_puzzles()])
def test_sessions_play_every_puzzle(name: str) -> None:
    """Random replies lead to the end; the record replays, also through pickles in between."""
    level = next(iter(import_registry().load(name).levels))
    spec, rng = f"{name}/{level}#3", Random(name)
    session = q.Session(spec, tries=2, opponents="random")
    replies = list[str]()
    while not session.done and len(replies) < 400:
        assert session.messages()[-1]["role"] == "user"
        replies.append(_answer(session, 0, rng))
        if len(replies) < 4:
            session = pickle.loads(pickle.dumps(session))
        step = session.reply(replies[-1])
        assert step.done == session.done == (step.score is not None)

    again = q.Session(spec, tries=2, opponents="random")
    for reply in replies:
        again.reply(reply)

    assert again.record() == session.record()
    assert q.replay(session.record())[-1].seen_by(0) == session.position


def import_registry():  # type: ignore[no-untyped-def]
    return import_module("quandary.catalogue.registry")


def test_a_session_is_the_match_that_a_model_would_play() -> None:
    """The same replies in a session and in a match give the same log and scores."""
    record = q.match("card_nim/normal#4", "random", "house")
    session = q.Session("card_nim/normal#4", seat=0, opponents="house")
    for seat, move in record.log:
        if seat == 0:
            session.reply(f"Answer: {move}")

    assert (record.log, record.scores) == (session.record().log, session.record().scores)
    assert session.record().players == ("learner", "house")


def test_a_session_tells_what_is_wrong() -> None:
    """Unreadable, ambiguous and illegal replies have a status, and a sentence where one helps."""
    session = q.Session("sudokill/easy#7")
    silent = session.reply("")
    unreadable = session.reply("Answer: hello")
    ambiguous = session.reply("Answer: (0, 0, 1) or (0, 2, 2)")

    assert ("empty", "unreadable", "ambiguous") == (
        silent.status,
        unreadable.status,
        ambiguous.status,
    )
    assert "row" in unreadable.feedback and "more than one move" in ambiguous.feedback
    assert [message["role"] for message in session.messages()][-3:] == ["user", "assistant", "user"]

    illegal = session.reply("Answer: 9 9 9")

    assert ("illegal", True, 0.0) == (illegal.status, illegal.done, illegal.score)
    with pytest.raises(q.UserError, match="is over"):
        session.reply("Answer: 0 0 1")


@pytest.mark.parametrize(
    ("spec", "move", "why", "in_chinese"),
    [
        ("card_nim/easy#1", "99", "You do not hold the card 99.", "你手里没有 99 这张牌。"),
        (
            "bid_that/easy#1",
            "999999",
            "You have 84 left, so a bid must be from 0 to 84.",
            "你的剩余资金为 84，出价必须在 0 到 84 之间。",
        ),
        (
            "sudoku/easy#3",
            "9 9 9",
            "The row must be from 0 to 3, not 9.",
            "行号不能是 9，请在 0 到 3 之间选择。",
        ),
        (
            "superply/easy#1",  # where the match goes on after it
            "0 0",
            "The row must be from 1 to 6, not 0.",
            "行号不能是 0，请在 1 到 6 之间选择。",
        ),
        (
            "k_queens/easy#1",  # which does not tell why
            "0 0 to 0 0",
            "The rules do not allow this move here.",
            "规则不允许在这里这样走。",
        ),
    ],
)
def test_a_session_says_why_a_move_is_illegal(
    spec: str, move: str, why: str, in_chinese: str
) -> None:
    """In the language in which the learner is asked."""
    for language, sentence in (("en", why), ("zh", in_chinese)):
        step = q.Session(spec, language=language, opponents="random").reply(f"```\n{move}\n```")

        assert ("illegal", sentence) == (step.status, step.feedback)
        assert step.done == (not spec.startswith("superply"))


@pytest.mark.parametrize(
    ("spec", "text", "sentence"),
    [
        ("card_nim/easy#1", "", "Your last reply held no answer."),
        ("islands/easy#1", "", "Your last reply held no answer."),
        ("sudokill/easy#7", "Answer: hello", "column"),
        ("bid_that/easy#1", "Answer: 1 or 2", "Your reply names more than one move"),
    ],
)
def test_the_last_unreadable_reply_has_feedback(spec: str, text: str, sentence: str) -> None:
    """The same as the replies before it, though the match is lost by it."""
    session = q.Session(spec, opponents="random", attempts=3)
    steps = [session.reply(text) for _ in range(3)]

    assert [False, False, True] == [step.done for step in steps]
    assert sentence in steps[0].feedback
    assert {steps[0].feedback} == {step.feedback for step in steps}


def test_feedback_does_not_wait_for_the_other_seats() -> None:
    """A seat whose last attempt failed is told why while the round goes on."""
    session = q.Session("bid_that/easy#1", opponents=None, attempts=1)
    step = session.reply("", seat=1)

    assert (False, "Your last reply held no answer.") == (step.done, step.feedback)


@pytest.mark.parametrize("name", [puzzle["name"] for puzzle in q.list_puzzles()])
def test_a_learner_that_stops_loses(name: str) -> None:
    """In every puzzle, in its first turn, and its record replays."""
    spec = f"{name}/{next(iter(registry.load(name).levels))}#1"
    session = q.Session(spec, opponents="random")
    step, record = session.forfeit("timeout"), session.record()

    assert ("timeout", True, 0.0) == (step.status, step.done, step.score)
    assert (record.cause, record.offender) == ("timeout", 0) and (record.scores or ())[0] == 0.0
    q.replay(record)
    with pytest.raises(q.UserError, match="is over"):
        session.forfeit()


def test_open_seats_can_forfeit_out_of_turn() -> None:
    """One seat alone loses; of a simultaneous round, the other replies are awaited first."""
    session = q.Session("card_nim/easy#1", opponents=None)
    step = session.forfeit(seat=1)

    assert (step.status, step.done, step.score) == ("refused", True, 0.0)
    assert (1.0, 0.0) == session.record().scores and "resigned" == session.record().cause

    session = pickle.loads(pickle.dumps(q.Session("bid_that/easy#1", opponents=None)))
    step = session.forfeit("crash", seat=1)

    assert (step.status, step.done, step.score) == ("empty", False, None)
    assert session.pending == (0,)
    with pytest.raises(q.UserError, match=r"^seat 1 of bid_that/easy#1 has failed already\.$"):
        session.forfeit(seat=1)
    session = pickle.loads(pickle.dumps(session))
    assert session.reply("```\n1\n```").score == 1.0
    assert ("crash", 1) == (session.record().cause, session.record().offender)
    q.replay(session.record())


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"cause": "bored"}, "unknown cause of a forfeit 'bored'; choose crash, flood, memory,"),
        ({"cause": "illegal"}, "unknown cause of a forfeit 'illegal'"),
        ({"cause": "infrastructure"}, "unknown cause of a forfeit 'infrastructure'"),
        ({"cause": None}, "unknown cause of a forfeit None"),
        ({"seat": 1}, "seat 1 of card_nim/easy#1 is played by 'random'."),
        ({"seat": True}, "there is no seat True."),
        ({"seat": 5}, "there is no seat 5."),
    ],
)
def test_odd_forfeits_are_refused(arguments: dict[str, Any], sentence: str) -> None:
    """With one sentence, and the match goes on."""
    session = q.Session("card_nim/easy#1", opponents="random")
    before = session.record()
    with pytest.raises(q.UserError, match=re.escape(sentence)):
        session.forfeit(**arguments)

    assert session.record() == before and not session.done


def test_all_seats_can_be_open() -> None:
    """With no opponents every seat is played from outside, simultaneous ones in any order."""
    session = q.Session("bid_that/easy#1", opponents=None)
    assert session.pending == (0, 1)
    session.reply("Answer: 1", seat=1)
    assert session.pending == (0,)
    with pytest.raises(q.UserError, match="not to move"):
        session.reply("Answer: 1", seat=1)
    session.reply("Answer: 2", seat=0)

    assert session.record().log == ((0, "2"), (1, "1"))
    assert all(seat != CHANCE for seat, _ in session.record().log)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"spec": "sudokil/easy#7"}, "did you mean 'sudokill'"),
        ({"spec": "sudokill/easy#7", "seat": 2}, "seats 0 to 1"),
        ({"spec": "sudokill/easy#7", "opponents": "grandmaster"}, "unknown player 'grandmaster'"),
        (
            {"spec": "sudokill/easy#7", "opponents": ["random", "random"]},
            "name 1 opponent, one",
        ),
        ({"spec": "sudokill/easy#7", "language": "fr"}, "language"),
        ({"spec": "sudokill/easy#7", "shotgun": 1}, "unknown prompt setting 'shotgun'"),
        ({"spec": "sudokill/easy#7", "shots": 100}, "write 0 to 5"),
        ({"spec": "sudokill/easy#7", "prompting": "foo"}, "unknown prompting 'foo'"),
        ({"spec": "sudokill/easy#7", "history": "no"}, "type bool"),
        ({"spec": "sudokill/easy#7", "opponents": "human"}, "cannot be an opponent"),
        ({"spec": "sudokill/easy#7", "tries": 0}, "1 or more"),
        ({"spec": "sudokill/easy#7", "attempts": "2"}, "1 or more"),
    ],
)
def test_wrong_sessions_are_refused(arguments: dict[str, object], sentence: str) -> None:
    """What does not exist is refused with one sentence."""
    with pytest.raises(q.UserError, match=sentence):
        q.Session(**arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize("spec", ["islands/hard#3", "sudokill/easy#7", "superply/easy#1"])
def test_prompts_are_those_of_the_command_line(
    spec: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """`q.prompt` and `quandary prompt` give the same messages."""
    assert 0 == main(["prompt", spec, "--player", "openai/any,shots=1,list_moves=yes", "--json"])
    printed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    for message, line in zip(q.prompt(spec, shots=1, list_moves=True), printed, strict=True):
        assert message["content"] == "\n\n".join(part["text"] for part in line["parts"])


def test_runs_are_kept_and_loaded(tmp_path: Path) -> None:
    """A run's records come back from its folder and replay; the same call continues it."""
    suite = tmp_path / "tiny.toml"
    suite.write_text('[[puzzles]]\npuzzle = "card_nim"\nlevels = ["easy"]\nseeds = "1-2"\n')
    played = q.run(str(suite), ["oracle", "random"], tmp_path / "a")
    again = q.run(str(suite), ["oracle", "random"], tmp_path / "a")

    assert list(played.records) == list(again.records) == list(q.load(tmp_path / "a"))
    for record in q.load(tmp_path / "a"):
        assert q.replay(record)[0] == record.start


def test_matches_can_be_played_while_a_loop_runs() -> None:
    """In a notebook an event loop is running already."""

    async def notebook() -> q.Record:
        return q.match("card_nim/easy#1", "oracle", "random")

    assert asyncio.run(notebook()) == q.match("card_nim/easy#1", "oracle", "random")


def test_moves_are_numbered_per_level() -> None:
    """Every legal move of a level has its own number."""
    index = q.move_index("sudoku/easy")
    game = q.make("sudoku/easy#1")
    mask = index.mask(game.legal(0))

    assert {index.move(i) for i, legal in enumerate(mask) if legal} == set(game.legal(0))
    with pytest.raises(q.UserError, match="text only"):
        q.move_index("game_of_24/easy")
    with pytest.raises(q.UserError, match="islands is a question"):
        q.move_index("islands/easy")


@pytest.mark.parametrize("number", [-1, 10**6, "a", 1.0, True, None])
def test_a_wrong_number_of_a_move_is_refused(number: Any) -> None:
    """In one sentence, which names the numbers there are."""
    index = q.move_index("card_nim/easy")

    with pytest.raises(q.UserError, match=f"write a whole number from 0 to {index.size - 1}"):
        index.move(number)


@pytest.mark.parametrize("move", [None, 3, "", "three", "1000"])
def test_a_move_without_a_number_is_refused(move: Any) -> None:
    """In one sentence too."""
    with pytest.raises(q.UserError, match="has no number at this level"):
        q.move_index("card_nim/easy").index(move)


@pytest.mark.parametrize("seat", [-1, 2, "0", None, True])
def test_seats_that_do_not_exist_are_refused(seat: Any) -> None:
    """By `legal` of a position and by a session's `view`."""
    with pytest.raises(q.UserError, match="has seats 0 to 1; there is no seat"):
        q.make("card_nim/easy#1").legal(seat)
    with pytest.raises(q.UserError, match="has seats 0 to 1; there is no seat"):
        q.Session("card_nim/easy#1").view(seat)


def test_an_unknown_language_is_refused() -> None:
    """By every text of a position."""
    with pytest.raises(q.UserError, match="unknown language 'fr'"):
        q.make("card_nim/easy#1").text(0, "fr")


def test_open_seats_have_views_and_legal_moves_of_their_own() -> None:
    """In a game with private hands, both seats of a simultaneous round; a seat must be named."""
    session = q.Session("beat_or_bomb_sto/easy#1", opponents=None)
    for act in (session.messages, session.legal, session.examples, lambda: session.reply("1")):
        with pytest.raises(q.UserError, match="seats 0 and 1 of beat_or_bomb_sto/easy#1 are to"):
            act()

    start = q.make("beat_or_bomb_sto/easy#1")
    for seat in (0, 1):
        assert session.view(seat) == start.seen_by(seat)
        assert list(session.legal(seat)) == list(start.legal(seat)) != []
        assert list(session.view(seat).legal(seat)) == list(session.legal(seat))
        assert [] == list(session.view(seat).legal(1 - seat))
    assert "answered" == session.reply(f"Answer: {session.legal(1)[0]}", 1).status
    assert (0,) == session.pending
    assert session.legal() == session.legal(0)


def test_puzzles_are_checked_by_name_or_class() -> None:
    """A sound puzzle breaks no promise."""
    assert [] == q.check("card_nim", ["easy"]) == q.check(type(q.make("card_nim/easy#1")), ["easy"])


@pytest.mark.parametrize("name", ["bid_that", "bid_that_vickrey", "beat_or_bomb_det"])
def test_the_status_of_a_simultaneous_move_is_its_own(name: str) -> None:
    """The opponent's reply of the round is not taken for the learner's."""
    illegal = {"beat_or_bomb_det": "Answer: 10 compete"}.get(name, "Answer: 999999")
    for seat in (0, 1):
        session = q.Session(f"{name}/easy#1", seat=seat, opponents="random", attempts=1)
        step = session.reply("Answer: hello")
        replies = [reply for reply in session.record().said if reply.seat == seat]

        assert "unreadable" == step.status == replies[-1].status

        session = q.Session(f"{name}/easy#1", seat=seat, opponents="random")
        step = session.reply(illegal)
        replies = [reply for reply in session.record().said if reply.seat == seat]

        assert step.status == replies[-1].status


def test_languages_of_gradings_are_checked() -> None:
    """A language that a puzzle does not speak is refused, not answered in English."""
    with pytest.raises(q.UserError, match="language"):
        q.grade("ordering_text/easy#1", "Answer: x", language="fr")
    assert "回答" in q.Session("tidy_tower/easy#2", language="zh").reply("").feedback


SPEC, SUITE = "card_nim/easy#1", "quick"
ODD = (None, 5, -1, 2.5, True, b"x", "", "\0", "no such thing", [], [None], (5,), {}, {1}, object())
CALLS: dict[str, tuple[Callable[..., object], dict[str, object]]] = {
    "make": (q.make, {"spec": SPEC, "tries": 1}),
    "score": (q.score, {"spec": "islands/easy#1", "completion": "", "parsing": "lenient"}),
    "grade": (q.grade, {"spec": "islands/easy#1", "completion": "", "language": "en"}),
    "move_index": (q.move_index, {"name": "card_nim/easy"}),
    "prompt": (q.prompt, {"spec": SPEC, "seat": 0, "tries": 1, "shots": 0, "parsing": "strict"}),
    "Session": (q.Session, {"spec": SPEC, "seat": 0, "opponents": "house", "attempts": 2}),
    "messages": (lambda seat: q.Session(SPEC).messages(seat), {"seat": 0}),
    "reply": (lambda text, seat: q.Session(SPEC).reply(text, seat), {"text": "1", "seat": 0}),
    "match": (
        lambda spec, one, **more: q.match(spec, one, "random", **more),
        {"spec": SPEC, "one": "random", "tries": 1, "language": "en", "repeat": 0},
    ),
    "load": (lambda path: list(q.load(path)), {"path": "nowhere"}),
    "replay": (q.replay, {"record": q.match(SPEC, "random", "random")}),
    "check": (q.check, {"puzzle": "no such puzzle", "levels": ["easy"]}),
}


@pytest.mark.parametrize(
    ("name", "argument"), [(name, key) for name, (_, given) in CALLS.items() for key in given]
)
def test_odd_arguments_are_refused_in_one_sentence(name: str, argument: str) -> None:
    """Whatever is passed, the call works or raises an error of this project, never another one."""
    call, given = CALLS[name]
    for odd in ODD:
        sentence = "."
        try:
            call(**given | {argument: odd})
        except q.UserError as reason:
            sentence = str(reason)
        assert re.fullmatch(r"[^\n]*[.?]", sentence)


@pytest.mark.parametrize("argument", ["suite", "players", "out", "small", "engine"])
def test_odd_runs_are_refused_in_one_sentence(argument: str, tmp_path: Path) -> None:
    """No run starts with arguments of a wrong type."""
    given = {"suite": SUITE, "players": ["random"], "out": tmp_path / "a", "small": True}
    for odd in (None, 5, b"x", [None], {}, object()):
        with pytest.raises(q.UserError, match=rf"{argument} must be "):
            q.run(**given | {argument: odd})  # type: ignore[arg-type]
    assert not (tmp_path / "a").exists()


def test_sentences_about_odd_arguments_name_them() -> None:
    """The sentence says which argument is wrong, and what it should be."""
    for call, sentence in (
        (lambda: q.make(None), "spec must be a string, not None."),
        (lambda: q.score("islands/easy#1", None), "completion must be a string, not None."),
        (
            lambda: q.match(SPEC, ["random", "random"]),
            "player 1 must be a string, not ['random', 'random'].",
        ),
        (lambda: q.Session(SPEC, opponents=5), "opponents must be a list of names, not 5."),
        (lambda: q.load(None), "path must be a path (str or Path), not None."),
        (lambda: q.replay("runs/a"), "replay takes a Record, not a str; see load."),
        (lambda: q.check("card_nim", ["foo"]), "unknown level 'foo' of card_nim; choose easy,"),
        (lambda: q.check("card_nim", "easy"), "levels must be a list of names, not 'easy'."),
        (lambda: q.move_index("card_nim"), "'card_nim' is not a level; write name/level, for"),
    ):
        with pytest.raises(q.UserError) as raised:
            call()  # type: ignore[no-untyped-call]
        assert str(raised.value).startswith(sentence)


def test_a_move_that_is_not_a_text_is_illegal() -> None:
    """Also where any text is an answer."""
    for spec in ("card_nim/easy#1", "islands/easy#1", "bid_that/easy#1"):
        for move in (None, 1, [], b"1"):
            with pytest.raises(q.Illegal, match="a move is a text"):
                q.make(spec).play(0, move)  # type: ignore[arg-type]


def test_unreadable_replies_can_be_tries_of_a_session() -> None:
    """As in the suite `textgames`: each reply is one of the tries, readable or not."""
    session = q.Session("anagram_scribble/easy#1", tries=3, count_unreadable=True)
    steps = [session.reply("") for _ in range(3)]

    assert [False, False, True] == [step.done for step in steps]
    assert 0.0 == steps[-1].score
    assert 3 == len(session.record().log)
