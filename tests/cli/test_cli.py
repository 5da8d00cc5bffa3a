"""The command line, run as a user runs it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import nullcontext
from pathlib import Path

import pytest

from quandary.api.listing import list_puzzles
from quandary.arena.store import keep
from quandary.catalogue import drawing, registry
from quandary.cli import check_command
from quandary.cli.main import COMMANDS, main
from quandary.core.codec import view_json
from quandary.core.contract import Question
from quandary.core.translations import english_in
from quandary.matches.record import LoggedReply, Record, replay
from quandary.players.at_terminal import result
from quandary.puzzles.duels import card_nim
from quandary.puzzles.duels.card_nim import CardNim
from quandary.report.tables import counted

QUANDARY = [sys.executable, "-m", "quandary"]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(arguments)
    output = capsys.readouterr()
    return code, output.out, output.err


def test_every_command_has_help(capsys: pytest.CaptureFixture[str]) -> None:
    """The overview names each command, and each explains itself."""
    code, out, _ = run(capsys)
    assert code == 0
    for command in COMMANDS:
        assert command in out
        with pytest.raises(SystemExit, match="0"):
            main([command, "--help"])


def test_list_as_json_lines(capsys: pytest.CaptureFixture[str]) -> None:
    """One object a puzzle, with the fields other tools rely on."""
    code, out, _ = run(capsys, "list", "--json")
    rows = [json.loads(line) for line in out.splitlines()]
    nim = next(row for row in rows if row["name"] == "card_nim")

    assert code == 0
    assert {
        "name",
        "group",
        "seats",
        "chance",
        "hidden",
        "levels",
        "languages",
        "rules_only",
        "suites",
        "version",
    } <= set(nim)
    assert (nim["group"], nim["seats"], nim["levels"], nim["version"]) == (
        "duels",
        2,
        ["easy", "normal", "hard"],
        registry.load("card_nim").version,
    )


def test_list_of_a_suite_names_its_puzzles_only(capsys: pytest.CaptureFixture[str]) -> None:
    """--suite narrows the list."""
    _, out, _ = run(capsys, "list", "--suite", "quick", "--json")

    assert all("quick" in json.loads(line)["suites"] for line in out.splitlines())


def test_show_in_words_picture_and_json(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Rules, position, solution, picture and the view of a program."""
    image = tmp_path / "board.png"
    code, out, _ = run(
        capsys, "show", "card_nim/easy#1", "--image", str(image), "--draw", "--solution"
    )

    assert code == 0
    assert "Stones: " in out
    assert image.read_bytes().startswith(b"\x89PNG")

    code, out, _ = run(capsys, "show", "card_nim/easy#1", "--json", "--seat", "1")
    assert (json.loads(out)["spec"], json.loads(out)["view"]["seat"]) == ("card_nim/easy#1", 1)


def test_list_and_show_name_families(capsys: pytest.CaptureFixture[str]) -> None:
    """Families are listed with what they are, and an instance says which one it is of."""
    _, out, _ = run(capsys, "list", "--json")
    families = {row["name"]: row["families"] for row in map(json.loads, out.splitlines())}

    assert set(families["reversi"]) == {"a", "b"}
    assert families["card_nim"] == {}

    code, out, _ = run(capsys, "show", "reversi/0,family=b#1")
    assert (code, out.splitlines()[1]) == (0, f"family b: {families['reversi']['b']}")

    _, out, _ = run(capsys, "show", "reversi/0,family=a#1", "--json")
    assert json.loads(out)["family"] == "a"

    _, out, _ = run(capsys, "show", "card_nim/easy#1", "--json")
    assert "family" not in json.loads(out)


@pytest.mark.parametrize(
    "puzzle",
    [
        "password_game/hard#5",
        "ordering_text/hard#1",
        "bracket_game/easy#1",
        "optimal_touring/easy#1",
    ],
)
def test_show_as_json_whatever_the_position_is_made_of(
    capsys: pytest.CaptureFixture[str], puzzle: str
) -> None:
    """Positions with parts of their own kinds come as the codec writes them."""
    code, out, _ = run(capsys, "show", puzzle, "--json")

    assert (0, json.loads(view_json(drawing.game(puzzle), 0))) == (code, json.loads(out)["view"])


def test_run_and_regrade_show_every_turn(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Six tries are six turns, whenever they were needed."""
    suite = tmp_path / "mine.toml"
    suite.write_text(
        'tries = 6\n[[puzzles]]\npuzzle = "string_search"\nlevels = ["easy"]\nseeds = "1-20"\n'
    )
    played = ("run", "--suite", str(suite), "--player", "random", "--out", str(tmp_path / "out"))
    _, output, _ = run(capsys, *played, "--json")
    code, out, _ = run(capsys, "regrade", str(tmp_path / "out"), "--json")
    [rates] = [json.loads(line)["solved_within"] for line in out.splitlines()]

    assert out in output  # `run` tells them too
    assert (0, 6) == (code, len(rates))
    assert rates == sorted(rates)
    assert rates[2] < rates[5]


def test_match_record_and_replay(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A match is told, kept, and replays to the same scores."""
    file = tmp_path / "match.jsonl"
    for players in (("random", "oracle"), ("oracle", "random")):
        code, out, _ = run(
            capsys, "match", "card_nim/easy#1", "--players", *players, "--out", str(file)
        )
        assert code == 0
        assert out.splitlines()[-1].split(" (")[0] in ("random won 1 : 0", "oracle won 1 : 0")
    code, out, _ = run(capsys, "replay", str(file))
    assert (code, "2 of 2 matches replay") == (0, out.splitlines()[-1][:21])

    code, out, _ = run(capsys, "replay", str(file), "--match", "2")
    assert "oracle (seat 0) against random (seat 1)" in out


def test_a_wrong_answer_is_exit_code_1(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """So that a script can tell; an answer that is judged by its value is no failure."""
    file = tmp_path / "answer.txt"
    codes = list[int]()
    for spec, answer in (
        ("anagram_scribble/easy#1", "achoo"),
        ("anagram_scribble/easy#1", "ahcoo"),
        ("optimal_touring/easy#1", "[1]"),
    ):
        file.write_text(answer)
        codes += [
            run(capsys, "grade", spec, "--answer", str(file), *more)[0] for more in ([], ["--json"])
        ]

    assert [0, 0, 1, 1, 0, 0] == codes


def test_a_record_that_lies_fails(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Scores that the log does not reach are exit code 1."""
    _, out, _ = run(capsys, "match", "card_nim/easy#1", "--players", "random", "oracle", "--json")
    file = tmp_path / "forged.jsonl"
    record = json.loads(out)
    record["scores"] = record["scores"][::-1]
    file.write_text(json.dumps(record) + "\n")

    code, out, _ = run(capsys, "replay", str(file))
    assert code == 1
    assert "does not replay" in out


def test_replay_as_json_says_which_record_lies(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """One object a record, faithful or not; a position that breaks its puzzle is a reason like
    another.
    """
    _, out, _ = run(capsys, "match", "card_nim/easy#1", "--players", "random", "oracle", "--json")
    true, lying, odd = json.loads(out), json.loads(out), json.loads(out)
    lying["scores"] = lying["scores"][::-1]
    odd["start"]["turn"] = 7
    file = tmp_path / "mixed.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in (true, lying, odd)))

    code, out, err = run(capsys, "replay", str(file), "--json")
    shown = [json.loads(line) for line in out.splitlines()]
    assert (1, "") == (code, err)
    assert [(True, False), (False, True), (False, True)] == [
        (one["faithful"], "reason" in one) for one in shown
    ]
    code, out, err = run(capsys, "replay", str(file), "--match", "3")
    assert (1, "", True) == (code, err, "does not replay" in out)


def test_a_record_that_begins_elsewhere_fails(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A match of another position does not pass for one of the instance it is named after."""
    file = tmp_path / "forged.jsonl"
    start = CardNim(1, ((1,), (1,)))
    replies = (LoggedReply(0, "1", "answered", "1"),)
    record = Record(
        "card_nim/easy#1", ("a", "b"), start, ((0, "1"),), replies, (1.0, 0.0), None, "goal"
    )
    assert replay(record)
    keep(file, record)

    code, out, _ = run(capsys, "replay", str(file))
    assert (1, True) == (
        code,
        "does not replay: it does not start from the instance it is named after." in out,
    )


def test_replay_says_that_the_last_line_is_torn(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Half a record is not passed over in silence."""
    file = tmp_path / "match.jsonl"
    run(capsys, "match", "card_nim/easy#1", "--players", "random", "oracle", "--out", str(file))
    file.write_bytes(file.read_bytes() * 2)
    file.write_bytes(file.read_bytes()[:-50])

    code, out, err = run(capsys, "replay", str(file))
    assert (2, "", 1) == (code, out, len(err.splitlines()))
    assert "the last line of" in err


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_an_answer_may_begin_with_a_byte_order_mark(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, mark: bytes
) -> None:
    """The mark is the editor's, not the answer's."""
    file = tmp_path / "answer.txt"
    file.write_bytes(mark + b"achoo")

    assert (0, "right: score 1\n", "") == run(
        capsys, "grade", "anagram_scribble/easy#1", "--answer", str(file)
    )


def test_an_answer_with_list_numbers_is_not_called_a_reply(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """It is right if it is read as one, which strips the numbers."""
    spec = "whole:game_of_24/easy#1"
    solution = run(capsys, "show", spec, "--solution")[1].split("Solution:\n")[1].splitlines()
    file = tmp_path / "answer.txt"
    file.write_text("\n".join(f"{number}. {move}" for number, move in enumerate(solution, 1)))

    code, out, _ = run(capsys, "grade", spec, "--answer", str(file))
    assert (1, "Read as a model's reply, its answer is right; give it with --reply.") == (
        code,
        out.splitlines()[-1],
    )
    assert 0 == run(capsys, "grade", spec, "--reply", str(file))[0]


@pytest.mark.parametrize(
    "spec", ["anagram_scribble/easy#1", "reversi/0#1", "optimal_touring/easy#1"]
)
def test_grades_in_chinese(spec: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Right, wrong and unread answers; only the names of JSON keys and options are English."""
    file, question = tmp_path / "answer.txt", drawing.instance(spec)
    assert isinstance(question, Question)
    for answer in (question.solution(), "xyz", f"It is:\n```\n{question.solution()}\n```"):
        file.write_text(answer)
        for way in ("--answer", "--reply"):
            output = run(capsys, "grade", spec, way, str(file), "--language", "zh")[1]
            assert re.match("(正确|错误|有效)：得分 ", output)
            assert [] == english_in(output, {"JSON", "answer", "process", "reply", "xyz"})


def test_show_says_that_a_state_task_may_be_about_another_instance(
    capsys: pytest.CaptureFixture[str],
) -> None:
    note = "The puzzle below need not be sudoku/easy#7: not every instance fits."
    assert note == run(capsys, "show", "next:sudoku/easy,depth=2#7")[1].splitlines()[1]
    assert (
        "不一定是 sudoku/easy#7"
        in run(capsys, "show", "check:sudoku/easy#7", "--language", "zh")[1]
    )
    assert "need not be" not in run(capsys, "show", "whole:sudoku/easy#7")[1]


@pytest.mark.parametrize(
    "data", ["achoo".encode("utf-16"), "achoo".encode("utf-16-le"), b"\x80\xff\x01", b"ach\0oo"]
)
def test_what_is_no_text_is_not_graded(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, data: bytes
) -> None:
    """Another encoding is the user's mistake, not a wrong answer."""
    file = tmp_path / "answer.txt"
    file.write_bytes(data)

    code, out, err = run(capsys, "grade", "anagram_scribble/easy#1", "--answer", str(file))
    sentence = (
        "the answer is not UTF-8 text, or has zero characters; save it as UTF-8 without them."
    )
    assert (2, "", f"quandary: {sentence}\n") == (
        code,
        out,
        err,
    )


def test_one_is_counted_in_the_singular(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """One match, one puzzle, one move."""
    suite = tmp_path / "mine.toml"
    suite.write_text('[[puzzles]]\npuzzle = "islands"\nlevels = ["easy"]\nseeds = "1"\n')
    _, out, _ = run(
        capsys, "run", "--suite", str(suite), "--player", "oracle", "--out", str(tmp_path / "out")
    )
    assert "\n1 match in " in out

    assert "\n1 puzzle. " in run(capsys, "list", "--suite", str(suite))[1]
    assert ["0 moves", "1 move", "2 replies"] == [
        counted(0, "move"),
        counted(1, "move"),
        counted(2, "reply", "replies"),
    ]


def test_match_appends_behind_a_torn_record(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """What a crash left of the last record does not spoil the next one."""
    file = tmp_path / "match.jsonl"
    command = ("match", "card_nim/easy#1", "--players", "random", "oracle", "--out", str(file))
    run(capsys, *command)
    whole = file.read_bytes()
    for left in (whole[:-1], whole + whole[:100]):
        file.write_bytes(left)
        assert 0 == run(capsys, *command)[0]
        assert whole * 2 == file.read_bytes()


def test_run_continues_and_prints_numbers(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The same command again prints the same numbers without playing again."""
    suite = tmp_path / "mine.toml"
    suite.write_text('[[puzzles]]\npuzzle = "card_nim"\nlevels = ["easy"]\nseeds = "1-2"\n')
    command = (
        "run",
        "--suite",
        str(suite),
        "--player",
        "oracle",
        "--player",
        "random",
        "--out",
        str(tmp_path / "out"),
        "--json",
    )
    first = run(capsys, *command)
    kept = (tmp_path / "out" / "records.jsonl").read_bytes()

    assert first == run(capsys, *command)
    assert kept == (tmp_path / "out" / "records.jsonl").read_bytes()
    *rows, board = map(json.loads, first[1].splitlines())
    assert {"oracle", "random"} == {row["player"] for row in rows}
    assert ["oracle", "random"] == [row["player"] for row in board["rows"]]


def test_check_says_what_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    """A sound puzzle passes by name."""
    code, out, _ = run(capsys, "check", "bracket_game")

    assert (code, "all promises kept" in out) == (0, True)


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (["lst"], "did you mean 'list'"),
        (["show", "card_nym/easy#1"], "did you mean 'card_nim'"),
        (["show", "card_nim/easi#1"], "did you mean 'easy'"),
        (["show", "card_nim/easy#one"], "whole number"),
        (["show", "card_nim/easy#1", "--seat", "2"], "seats 0 to 1"),
        (
            ["show", "card_nim/easy#1", "--language", "de"],
            "unknown language 'de' of card_nim; choose en or zh.",
        ),
        (["show", "card_nim/easy#1", "--language", "ZH"], "did you mean 'zh'?"),
        (["show", "card_nim/easy#1", "--image", "x.gif"], "a .png or a .svg"),
        (["show", "card_nim/easy#1", "--image", "no/such/folder/x.svg"], "cannot be written"),
        (["show"], "required"),
        (["match", "card_nim/easy#1", "--players", "random"], "name 2 of --players"),
        (["match", "card_nim/easy#1", "--players", "random", "orakel"], "did you mean 'oracle'"),
        (["match", "card_nim/easy#1", "--players", "random", "random", "--tries", "0"], "--tries"),
        (["grade", "card_nim/easy#1", "--answer", "-"], "move by move"),
        (["grade", "islands/easy#1", "--answer", ""], "name of the file is empty"),
        (["grade", "islands/easy#1", "--reply", ""], "name of the file is empty"),
        (["show", "card_nim/easy,stones=0#1"], r"write a range within 1 to 10000\.$"),
        (["show", "check:sudoku/easy,blanks=1#1"], r"choose another level\.$"),
        (["show", f"card_nim/easy#{'1' * 19}"], "at most 18 digits"),
        (["replay", "no-such-file"], "cannot be read"),
        (["run", "--suite", "quik", "--player", "random", "--out", "x"], "did you mean 'quick'"),
        (["check", "card_nmi"], "did you mean 'card_nim'"),
        (["new", "duel/hex"], "did you mean 'duels'"),
        (["new", "duels/Hex"], "not a valid puzzle name"),
        (["new", "duels/card_nim"], "already"),
        (["new", "questions/words"], "questions/words/NAME"),
        (["new", "questions/planning"], "questions/planning/NAME"),
        (["new", "duels/seat"], "called Seat"),
        (["new", "duels/none"], "called None"),
        (["new", "solo/ending"], "called Ending"),
        (["new", "solo/random"], "called Random"),
        (["new", "solo/game"], "called Game"),
        (["new", "questions/words/verdict"], "called Verdict"),
        (["new", "questions/words/question"], "called Question"),
        (["check", "card_nim", "--instances", "0"], r"--instances must be 1 to 2,000\.$"),
        (["check", "card_nim", "--instances", "2001"], r"--instances must be 1 to 2,000\.$"),
        (["check", "attempt"], "unknown puzzle 'attempt'"),
        (["check", "whole"], "unknown puzzle 'whole'"),
        (["check", "check"], "unknown puzzle 'check'"),
        (["check", "next", "--matrix"], "unknown puzzle 'next'"),
        (["match", "card_nim/easy#1", "--players", "human", "random", "--clock", "0"], "--clock"),
        (
            ["match", "card_nim/easy#1", "--players", "human", "random", "--clock", "-1"],
            "--clock|expected one",
        ),
        (["match", "card_nim/easy#1", "--players", "human", "random", "--clock", "nan"], "--clock"),
        (["match", "card_nim/easy#1", "--players", "human", "random", "--clock", "inf"], "--clock"),
        (
            [
                "match",
                "card_nim/easy#1",
                "--players",
                "random",
                "random",
                "--out",
                "no/such/folder/x",
            ],
            "cannot be written",
        ),
        (["show", "x" * 10_000], "is not an instance"),
        (["list", "two\nlines"], "unrecognized"),
        (["--nonsense"], "unrecognized|no command|arguments"),
    ],
)
def test_wrong_use_is_one_sentence(
    capsys: pytest.CaptureFixture[str], arguments: list[str], advice: str
) -> None:
    """What a user gets wrong is said in one line, with exit code 2 and no traceback."""
    code, _, err = run(capsys, *arguments)

    assert code == 2
    assert len(err.strip().splitlines()) == 1
    assert len(err) < 550
    assert err.startswith("quandary: ")
    assert re.search(advice, err)


def test_families_are_shown_in_the_chosen_language(capsys: pytest.CaptureFixture[str]) -> None:
    """The line about the family is translated like the rules below it."""
    for language, line in (
        ("en", "family a: a game from its start,"),
        ("zh", "题型 a：从开局开始"),
    ):
        _, out, _ = run(capsys, "show", "reversi/1,family=a#1", "--language", language)
        assert out.splitlines()[1].startswith(line)


def test_a_picture_without_letters_of_its_language_says_so(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where words are drawn in English for want of a font, a note says so."""
    monkeypatch.setattr("quandary.render.png.has_letters", lambda language: False)
    notes = dict[tuple[str, str, str], str]()
    for spec in ("tidy_tower/easy#2", "sudokill/easy#1"):  # with words in the picture, and without
        for kind, language in (("png", "zh"), ("png", "en"), ("svg", "zh")):
            file = tmp_path / f"picture.{kind}"
            code, _, err = run(capsys, "show", spec, "--language", language, "--image", str(file))
            assert code == 0 and file.stat().st_size
            notes[spec, kind, language] = err

    in_english = notes.pop(("tidy_tower/easy#2", "png", "zh"))
    assert "are in English" in in_english and len(in_english.splitlines()) == 1
    assert set(notes.values()) == {""}


def test_a_new_puzzle_goes_into_a_folder(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A file cannot hold it."""
    file = tmp_path / "notes.txt"
    file.write_text("mine")
    code, _, err = run(capsys, "new", "bar", "--at", str(file))

    assert (code, file.read_text()) == (2, "mine")
    assert err == f"quandary: --at must name a folder, but {file} is a file.\n"


def test_a_long_sentence_is_cut_between_words(capsys: pytest.CaptureFixture[str]) -> None:
    """No word is torn, and the whole is on one line."""
    names = [f"player{number}" for number in range(500, 600)]
    _, _, err = run(capsys, "show", " ".join(names))

    assert " ... " in err and len(err) < 550
    assert set(re.findall(r"\w*\d\d+", err)) <= set(names)


def test_an_unreadable_record_is_one_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Garbage where records should be names the line."""
    for text in ("garbage\n", '{"name": 3}\n', "\x00\xff\n"):
        file = tmp_path / "bad.jsonl"
        file.write_text(text, encoding="latin-1")
        code, _, err = run(capsys, "replay", str(file))
        assert (2, "line 1 of" in err, 1) == (code, True, len(err.strip().splitlines()))


def test_a_closed_pipe_is_no_traceback() -> None:
    """`quandary list | head -1` ends without a word, but not with exit code 0."""
    process = subprocess.Popen(
        [*QUANDARY, "list", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    complaint = process.stderr.read().decode()
    process.stderr.close()

    assert (1, "") == (process.wait(timeout=60), complaint)


def test_control_c_is_no_traceback(tmp_path: Path) -> None:
    """An interrupted run says so, keeps what is finished, and exits with 130."""
    suite = tmp_path / "long.toml"
    suite.write_text('[[puzzles]]\npuzzle = "card_nim"\nlevels = ["hard"]\nseeds = "1-100000"\n')
    command = [
        *QUANDARY,
        "run",
        "--suite",
        str(suite),
        "--player",
        "random",
        "--out",
        str(tmp_path / "out"),
    ]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE)
    records = tmp_path / "out" / "records.jsonl"
    while process.poll() is None and not (records.exists() and records.stat().st_size > 10_000):
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)

    assert process.returncode == 130
    assert b"Traceback" not in err
    assert b"stopped" in err


def test_play_at_the_terminal() -> None:
    """A person plays through standard input."""
    done = subprocess.run(
        [*QUANDARY, "play", "card_nim/easy#1"],
        input="/rules\n/quit\n",
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0
    assert "Stones: " in done.stdout
    assert "You gave up" in done.stdout


@pytest.mark.parametrize(
    ("seat", "language", "sentence"),
    [
        (0, "en", "You win (score 1, your opponent's replies could not be read)."),
        (1, "en", "You lose (score 0, your replies could not be read)."),
        (0, "zh", "对手的回答无法读懂"),
        (1, "zh", "你的回答无法读懂"),
    ],
)
def test_the_result_says_whose_replies_could_not_be_read(
    seat: int, language: str, sentence: str
) -> None:
    start = CardNim(5, ((1,), (1,)))
    scores, players = (1.0, 0.0), ("human", "local/m")
    record = Record(
        "card_nim/easy#1", players, start, (), (), scores, None, "unreadable", offender=1
    )

    assert sentence in result(record, seat, language)


@pytest.mark.parametrize(
    ("offender", "sentence"), [(0, "You gave up."), (1, "Your opponent gave up.")]
)
def test_who_gave_up_is_said(offender: int, sentence: str) -> None:
    """The one who resigned is named, not the one who reads it."""
    record = Record(
        "card_nim/easy#1",
        ("human", "human"),
        CardNim(5, ((1,), (1,))),
        (),
        (),
        None,
        None,
        "resigned",
        offender,
    )

    assert sentence == result(record, 0, "en")


def test_a_puzzle_without_a_docstring_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has no summary, and that is all."""
    monkeypatch.setattr(card_nim, "__doc__", None)

    [described] = [puzzle for puzzle in list_puzzles() if puzzle["name"] == "card_nim"]

    assert "" == described["summary"]


def test_progress_is_told_level_by_level(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A single puzzle that takes long shows how far its check is."""
    calls = list[tuple[int, int]]()
    monkeypatch.setattr(
        check_command,
        "Progress",
        lambda what, more: nullcontext(lambda done, of: calls.append((done, of))),
    )
    run(capsys, "check", "bracket_game")

    assert [(0, 3), (1, 3), (2, 3), (3, 3)] == calls


def _shell(command: str, **variables: str) -> tuple[int, str, str]:
    """A command of the shell in which "$@" is quandary."""
    environment = {
        key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"
    } | variables
    line = ["sh", "-c", command, "sh", *QUANDARY]
    done = subprocess.run(line, capture_output=True, env=environment, check=False, timeout=60)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("command", ["list", "list --help", "play card_nim/easy#1 < /dev/null"])
def test_a_full_disk_is_one_sentence(command: str, unbuffered: str) -> None:
    """Output that cannot be written is exit code 1, whenever it shows."""
    code, _, err = _shell(f'"$@" {command} > /dev/full', PYTHONUNBUFFERED=unbuffered)

    assert (1, 1) == (code, len(err.splitlines()))
    assert err.startswith("quandary: the system refused")


def test_closed_streams_are_no_traceback() -> None:
    """Without an output something is wrong; without an input a person has resigned, and there is no
    answer to grade.
    """
    code, _, err = _shell('"$@" list >&-')
    assert (1, "quandary: standard output is closed, so nothing could be shown.\n") == (code, err)
    assert (1, "", "") == _shell('"$@" list >&- 2>&-')

    code, out, err = _shell('"$@" play card_nim/easy#1 <&-')
    assert (0, True, "") == (code, out.endswith("You gave up.\n"), err)

    code, _, err = _shell('"$@" grade islands/easy#1 --answer - <&-')
    assert (2, "quandary: the answer cannot be read, because standard input is closed.\n") == (
        code,
        err,
    )


def test_a_path_the_system_refuses_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    """A file name beyond what the system allows is exit code 1, and not told at full length."""
    code, _, err = run(capsys, "replay", "x" * 5_000)

    assert (1, 1) == (code, len(err.splitlines()))
    assert len(err) < 550


def test_characters_beyond_the_output_are_replaced() -> None:
    """A terminal that knows only ASCII shows Chinese as question marks."""
    code, out, err = _shell('"$@" show reversi/0#1 --language zh', PYTHONIOENCODING="ascii")

    assert (0, "", True) == (code, err, "??" in out)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo terminal")
def test_control_c_at_the_prompt_stops_at_once() -> None:
    """A person who has enough need not type a line first."""
    import pty

    person, terminal = pty.openpty()
    process = subprocess.Popen(
        [*QUANDARY, "play", "card_nim/easy#1"],
        stdin=terminal,
        stdout=terminal,
        stderr=subprocess.PIPE,
    )
    os.close(terminal)
    seen = b""
    while not seen.endswith(b"> "):
        seen += os.read(person, 4096)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    os.close(person)

    assert 130 == process.returncode
    assert (b"Traceback" in err, b"stopped" in err) == (False, True)
