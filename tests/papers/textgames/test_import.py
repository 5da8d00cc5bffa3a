"""Importing TextGames: what is read, what is refused with a sentence, and what a damaged import
says.
"""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from quandary.cli.main import main
from quandary.core.errors import UserError
from quandary.papers.regrading import graded
from quandary.papers.textgames import defects
from quandary.papers.textgames.imported import bring, graded_by_the_older, is_import, sessions_of
from textgames_files import COUNTRIES, PROMPTS, YEMEN, lines, reply


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Published files in miniature: one problem a set, and no replies yet."""
    folder = tmp_path / "source"
    for name in ("problemsets", "words"):
        (folder / name).mkdir(parents=True)
    for title, prompt in PROMPTS.items():
        (folder / "problemsets" / f"{title}.json").write_text(json.dumps({"session_0000": prompt}))
    (folder / "words" / "word_list.txt.gz").write_bytes(gzip.compress(b"none\noxen\n"))
    (folder / "words" / "country_capital_city.tsv").write_text(COUNTRIES)
    return folder


def replies_of(source: Path) -> list[tuple[str, ...]]:
    """What was said in each session, brought in anew."""
    out = source.with_name("out")
    bring(source, out)
    return [session.replies for session in sessions_of(out)]


def test_replies_come_as_they_were_given(source: Path) -> None:
    """Blank lines are passed over, a line ends at a line feed only, and what is no text keeps its
    JSON.
    """
    rows = [
        reply(response="a\u2028b"),
        reply(turn=2, response=None),
        reply(turn=3, response=12),
        reply(turn=4, response={"a": [1]}),
    ]
    text = "\n\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    (source / "results_one.jsonl").write_text("\ufeff" + text, encoding="utf-8")

    assert [("a\u2028b", "", "12", '{"a": [1]}')] == replies_of(source)


def test_half_a_character_does_not_stop_an_import(source: Path) -> None:
    """It is replaced, as in the record of any match."""
    (source / "results_one.jsonl").write_text(lines(reply(response="ab\ud83d", solved=False)))

    assert [("ab?",)] == replies_of(source)


def test_packed_results_are_read_and_others_named(
    source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file may be packed alone or in an archive; what may have been meant as results and is not
    read is said.
    """
    text = lines(reply()).encode()
    (source / "results_a.jsonl.gz").write_bytes(gzip.compress(text))
    with tarfile.open(source / "results_b.jsonl.tgz", "w:gz") as archive:
        for name in ("results_b.jsonl", "._results_b.jsonl"):
            member = tarfile.TarInfo(name)
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text))
    for name in ("Results_c.jsonl", "results_d.json", "gemma.jsonl", "notes.txt"):
        (source / name).write_bytes(text)

    assert 0 == main(["import", "textgames", str(source), "--out", str(source.with_name("out"))])
    said = capsys.readouterr()
    assert "5 problems and 2 replies" in said.out
    assert ["Results_c.jsonl", "gemma.jsonl", "results_d.json"] == [
        line.split()[1] for line in said.err.splitlines()
    ]


@pytest.mark.parametrize(
    "other", ["results_a.jsonl.gz", "results_more/results_a.jsonl", "results_more/a.jsonl"]
)
def test_replies_are_not_counted_twice(source: Path, other: str) -> None:
    """The same player's replies, unpacked and packed, are refused."""
    (source / other).parent.mkdir(exist_ok=True)
    (source / other).write_bytes(
        gzip.compress(lines(reply()).encode()) if other.endswith("gz") else lines(reply()).encode()
    )
    (source / "results_a.jsonl").write_text(lines(reply()))

    with pytest.raises(UserError, match=r"both contain .*; remove one of them"):
        bring(source, source.with_name("out"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            lines({"game": "Islands_1", "session": "session_0000"}),
            "is not a reply: it has no turn and no response and no solved",
        ),
        (lines(reply(game="Chess_1")), "its game is not one of TextGames"),
        (lines(reply(solved=None)), "solved, is neither true nor false"),
        (lines(reply(turn=True)), "its turn is not a positive whole number"),
        (lines(reply(session=["a"])), "its session is not a text"),
        (
            lines(reply(), "[1, 2]"),
            "line 2 of .*results_x.jsonl is not a reply: it is not a JSON object",
        ),
        (lines(reply(), "hello"), "line 2 of .*results_x.jsonl is not JSON"),
        ("[" * 200_000, "is not JSON"),
        ("9" * 5_000, "is not JSON"),
        (lines(reply(), reply()), "does not have one reply per turn"),
        (lines(reply(session="session_9")), "which is not a problem of"),
        (lines(reply()).encode("utf-16"), "its text is not UTF-8"),
    ],
)
def test_odd_results_are_refused(source: Path, text: str | bytes, said: str) -> None:
    """One sentence names the file, and nothing is left behind."""
    (source / "results_x.jsonl").write_bytes(text.encode() if isinstance(text, str) else text)

    with pytest.raises(UserError, match=said):
        bring(source, source.with_name("out"))
    assert [source] == list(source.parent.iterdir())


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-9])


def _archive(folder: Path) -> Path:
    packed = folder / "problemsets.tar.gz"
    with tarfile.open(packed, "w:gz") as archive:
        archive.add(folder / "problemsets", "problemsets")
    for path in (folder / "problemsets").iterdir():
        path.unlink()
    (folder / "problemsets").rmdir()
    return packed


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (
            lambda folder: _cut(_archive(folder)),
            r"problemsets\.tar\.gz cannot be read: it is damaged or incomplete",
        ),
        (lambda folder: _archive(folder).write_bytes(b""), r"problemsets\.tar\.gz cannot be read"),
        (
            lambda folder: _cut(folder / "problemsets" / "Islands_1.json"),
            r"Islands_1\.json is not JSON",
        ),
        (
            lambda folder: (folder / "problemsets" / "Islands_1.json").write_text("[1]"),
            "it should have one prompt per session",
        ),
        (
            lambda folder: (folder / "problemsets" / "Islands_1.json").write_text('{"a": 1}'),
            "it should have one prompt per session",
        ),
        (
            lambda folder: (folder / "problemsets" / "Islands_1.json").write_bytes(b"\xff"),
            "its text is not UTF-8",
        ),
        (
            lambda folder: (folder / "problemsets" / "Anagram Scribble_1.json").write_text(
                '{"a": "b"}'
            ),
            "a part of it has 1 line",
        ),
        (
            lambda folder: (folder / "problemsets" / "Password Game_2.json").write_text(
                json.dumps({"session_0000": YEMEN.replace("Yemen", "Atlantis")})
            ),
            "there is no country 'Atlantis'",
        ),
        (
            lambda folder: _cut(folder / "words" / "word_list.txt.gz"),
            r"word_list\.txt\.gz cannot be read: it is damaged",
        ),
        (
            lambda folder: (folder / "words" / "word_list.txt.gz").write_bytes(gzip.compress(b"")),
            "is empty",
        ),
        (
            lambda folder: (folder / "words" / "country_capital_city.tsv").write_text("country"),
            "is empty",
        ),
        (
            lambda folder: (folder / "words" / "country_capital_city.tsv").write_text(
                "country\na b c\n"
            ),
            "is not a table of countries",
        ),
        (
            lambda folder: (folder / "words" / "country_capital_city.tsv").unlink(),
            r"must have country_capital_city\.tsv",
        ),
    ],
)
def test_damaged_sources_are_refused(
    source: Path, spoil: Callable[[Path], object], said: str
) -> None:
    """Cut archives, broken JSON, wrong shapes and empty lists: a sentence, and no folder."""
    spoil(source)

    with pytest.raises(UserError, match=said):
        bring(source, source.with_name("out"))
    assert [source] == list(source.parent.iterdir())


def test_an_import_needs_a_folder_of_its_own(source: Path) -> None:
    """Neither the source nor a folder with other files is written to; an empty one will do."""
    before = sorted(source.rglob("*"))
    with pytest.raises(UserError, match="contains the published files themselves"):
        bring(source, source / "problemsets" / "..")
    assert before == sorted(source.rglob("*"))

    out = source.with_name("out")
    out.mkdir()
    (out / "notes.txt").write_text("mine")
    with pytest.raises(UserError, match="is not empty"):
        bring(source, out)
    assert ["notes.txt"] == [path.name for path in out.iterdir()]

    with pytest.raises(UserError, match="is a file, and an import needs its own folder"):
        bring(source, out / "notes.txt")
    assert "mine" == (out / "notes.txt").read_text()

    (out / "notes.txt").unlink()
    assert (5, 0, []) == bring(source, out)
    with pytest.raises(UserError, match="already contains an import"):
        bring(source, out)


def test_an_unfinished_import_is_none(source: Path) -> None:
    """Whoever stops it leaves no folder that could be graded."""

    def stop(done: int, of: int) -> None:
        raise KeyboardInterrupt

    (source / "results_x.jsonl").write_text(lines(reply()))
    with pytest.raises(KeyboardInterrupt):
        bring(source, source.with_name("out"), stop)

    assert not is_import(source.with_name("out"))
    assert [source] == list(source.parent.iterdir())


@pytest.mark.parametrize(
    ("file", "line", "said"),
    [
        (
            "problems.jsonl",
            '{"hello": 1}',
            r"line 6 of .*problems\.jsonl is not a line of an import",
        ),
        (
            "problems.jsonl",
            '{"game": "islands"',
            r"line 6 of .*problems\.jsonl is not a line of an import",
        ),
        (
            "problems.jsonl",
            '{"game":"a","level":"b","session":"c","question":{"puzzle":"chess"}}',
            "unknown puzzle 'chess'",
        ),
        (
            "problems.jsonl",
            '{"game":"a","level":"b","session":"c","question":{"puzzle":"islands","version":99}}',
            "version 99",
        ),
        (
            "replies.jsonl",
            '{"hello": 1}',
            r"line 2 of .*replies\.jsonl is not a line of an import",
        ),
        ("replies.jsonl", "[" * 100_000, r"line 2 of .*replies\.jsonl is not a line of an import"),
        (
            "replies.jsonl",
            '{"player":"a","problem":"b","replies":["x"],"solved":[true]}',
            "which is not a problem of",
        ),
        (
            "replies.jsonl",
            '{"player":"a","problem":"b","replies":["x"],"solved":[]}',
            "does not have one verdict per reply",
        ),
    ],
)
@pytest.mark.parametrize("grading", ["strict", "published"])
def test_a_damaged_import_is_not_graded(
    source: Path, file: str, line: str, said: str, grading: str
) -> None:
    """Lines that are none of ours are named."""
    (source / "results_x.jsonl").write_text(lines(reply()))
    bring(source, source.with_name("out"))
    with (source.with_name("out") / file).open("a") as damaged:
        damaged.write(line + "\n")

    with pytest.raises(UserError, match=said):
        graded(source.with_name("out"), grading)


def test_the_older_grader_shows_in_anagrams_only(source: Path) -> None:
    """None is a right password here, and says nothing of which grader judged the anagrams."""
    (source / "results_new.jsonl").write_text(
        lines(reply(response="None", solved=False), reply("Password Game_1", "None"))
    )
    (source / "results_old.jsonl").write_text(lines(reply(response="None")))
    out = source.with_name("out")
    bring(source, out)

    assert {"old"} == graded_by_the_older(out)
    assert [] == graded(out, "published")[0].changes


def test_every_turn_is_shown(source: Path) -> None:
    """A fourth reply counts for the fourth turn, and so on."""
    said = [reply(response="oops", turn=turn, solved=False) for turn in (1, 2, 3, 4)]
    (source / "results_x.jsonl").write_text(lines(*said, reply(turn=5)))
    bring(source, source.with_name("out"))

    [(*_, rates)] = graded(source.with_name("out"), "strict")[0].rates()
    assert [0.0, 0.0, 0.0, 0.0, 1.0] == rates


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (
            reply(response="None", solved=False),
            "the reply None always meant no answer, even if none is a right word",
        ),
        (reply(response=" oxen", solved=False), "blanks around the answer were refused"),
        (reply(response="neon", solved=False), "its word list lacks the word"),
        (
            reply("Islands_1", "#\t.\n. .", solved=False),
            "tabs and other blanks than spaces between tiles were refused",
        ),
        (
            reply("Islands_1", "#\u00a0.\n..", solved=False),
            "tabs and other blanks than spaces between tiles were refused",
        ),
        (reply("Islands_1", "\n# .\n..", solved=False), "blank lines around the map were refused"),
        (
            reply("Text Sudoku_1", "abcd\ncdab\nbadc\ndcba", solved=False),
            "letters in lower case were refused",
        ),
        (reply("Password Game_2", "africa"), "its country table is wrong, or has no continent"),
        (
            reply("Password Game_1", "Abce\u0301"),
            "combining accents were taken for separate characters",
        ),
    ],
)
def test_changed_verdicts_have_their_true_causes(
    source: Path, row: dict[str, Any], why: str
) -> None:
    """The published grader said otherwise, and for this reason."""
    (source / "results_x.jsonl").write_text(lines(row))
    out = source.with_name("out")
    bring(source, out)

    assert [] == graded(out, "published")[0].changes
    [change] = graded(out, "strict")[0].changes
    assert why == defects.cause(change)
