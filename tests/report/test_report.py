"""`quandary report`: a folder that is the same for the same runs, and complete."""

from __future__ import annotations

import csv
import json
import re
import zlib
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

pytest.importorskip("aiohttp", reason="needs aiohttp: pip install 'quandary[report,models]'")
pytest.importorskip("scipy", reason="needs scipy: pip install 'quandary[report,models]'")
pytest.importorskip("pyarrow", reason="needs pyarrow: pip install 'quandary[report,models]'")
pytest.importorskip("matplotlib", reason="needs matplotlib: pip install 'quandary[report,models]'")

from counting_server import counting_server
from quandary.arena.exchanges import exchanges
from quandary.arena.job import match_name
from quandary.arena.journal import JOURNAL
from quandary.arena.store import MANIFEST, RECORDS, records
from quandary.cli.main import main
from quandary.matches.record import Record, replay
from quandary.matches.regret import regrets
from quandary.render.svg import svg
from quandary.report import write
from quandary.report.played import spent
from quandary.report.scores import columns, scores_of
from quandary.report.viewer.side_files import file_of
from quandary.results.table import seats
from quandary.scoring.score_table import Ranged
from report_runs import HOSTILE, MODEL, THOUGHT, hostile_run
from seat_tables import seat_row, seat_table


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hostile_run(tmp_path_factory.mktemp("hostile"), 2, "random")


@pytest.fixture(scope="module")
def report(run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("report") / "here"
    assert 0 == main(["report", str(run), "--out", str(out)])
    return out


def _files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _data(path: Path) -> Any:
    """The list of matches."""
    text = path.read_text("ascii")
    assert text.startswith("quandary.list(") and text.endswith(");\n")
    return json.loads(text[len("quandary.list(") : -3])


def _transcript(report: Path, key: str) -> Any:
    """The transcript of a match."""
    file = file_of(key)
    text = (report / "matches" / f"{file}.js").read_text("ascii")
    found = re.fullmatch(rf'quandary\.transcripts\("{file}","([A-Za-z0-9+/=]+)"\);\n', text)
    assert found
    return json.loads(zlib.decompress(b64decode(found[1])))[key]


def test_equal_runs_give_equal_reports(
    run: Path, report: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Byte for byte, wherever it is written, also over an earlier report."""
    out = tmp_path / "there"
    (out / "tables").mkdir(parents=True)
    (out / write.DATA).write_text("{}")
    (out / "tables" / "left over").write_text("from an earlier report")
    assert 0 == main(["report", str(run), "--out", str(out), "--json"])

    data = json.loads(capsys.readouterr().out)
    assert data["page"] == str(out / "index.html") and data["transcripts"] == data["matches"]
    assert _files(report) == _files(out)


def test_every_table_of_an_unfinished_run_is_partial(run: Path, tmp_path: Path) -> None:
    """Each says so first, and has no interval of a player of whom matches are left to play."""
    for name in (MANIFEST, JOURNAL):
        (tmp_path / name).write_bytes((run / name).read_bytes())
    lines = (run / RECORDS).read_bytes().splitlines(keepends=True)
    (tmp_path / RECORDS).write_bytes(b"".join(lines[:-4]))
    left = {player for line in lines[-4:] for player in json.loads(line)["players"]}
    found = scores_of(seats(tmp_path, columns=columns()), [tmp_path]).all()

    assert len(found) > 10 and left
    for table in found:
        assert table.notes[0].startswith("PARTIAL RESULTS"), table.key
        if table.key in ("puzzles", "levels"):
            continue  # there, what is finished has an interval
        for row in table.rows:
            assert not left & {str(cell) for cell in row} or not any(
                isinstance(cell, Ranged) for cell in row
            ), table.key


def test_tables_and_figures_are_files(report: Path) -> None:
    """Every table in three formats, every figure in three files, and all are linked."""
    page = (report / "index.html").read_text("utf-8")
    tables = json.loads((report / "report.json").read_text("utf-8"))["tables"]
    keys = [table["key"] for table in tables]
    assert len(set(keys)) == len(keys) and {"leaderboard", "levels", "elo", "wins"} <= set(keys)
    for table in tables:
        for ending in ("csv", "md", "tex"):
            assert f'href="tables/{table["key"]}.{ending}"' in page
        with (report / "tables" / f"{table['key']}.csv").open(encoding="utf-8") as file:
            assert len(list(csv.reader(file))) == len(table["rows"]) + 1
    figures = {path.stem.removesuffix("-dark") for path in (report / "figures").iterdir()}
    assert {"difficulty", "elo_and_ratings", "wins", "ties", "tokens"} <= figures
    assert "statuses" in figures
    for key in figures:
        assert f'src="figures/{key}.svg" alt="' in page
        assert (report / "figures" / f"{key}.png").read_bytes().startswith(b"\x89PNG")
    for linked in re.findall(r'(?:href|src|srcset)="([^"#:]+)"', page):
        assert (report / linked).is_file(), linked


def test_no_file_loads_anything_from_elsewhere(report: Path) -> None:
    """No file names an address that a browser would load."""
    for path in report.rglob("*"):
        if path.suffix in (".html", ".js", ".css", ".svg"):
            text = path.read_text("utf-8")
            loaded = re.findall(r"(?:src|srcset|href|action)=[\"'](?:[a-z]+:)?//", text)
            assert not loaded and "@import" not in text and "url(//" not in text, path


def test_nothing_in_the_page_has_a_style_of_its_own(report: Path) -> None:
    """The policy forbids it, and so does that of a site that shows the same pages."""
    page = (report / "index.html").read_text("utf-8")
    assert "style=" not in page and "unsafe-inline" not in page
    assert "<script>" not in page and not re.search(r"\bon[a-z]+=", page)


def test_what_models_say_is_no_html(report: Path) -> None:
    """Neither their names nor their words are elements of the page or end a script."""
    page = (report / "index.html").read_text("utf-8")
    assert MODEL not in page and "openai/&lt;b&gt;any" in page
    for path in (report / "matches").iterdir():
        assert not re.search(r"[<>\x1b\u202e]", path.read_text("ascii"))


def test_a_transcript_tells_everything(run: Path, report: Path) -> None:
    """Positions as pictures and text, what was sent, thought and said, verdicts, and worth."""
    matches = list(records(run))
    number = next(
        at
        for at, one in enumerate(matches, start=1)
        if "card_nim" in one.name and MODEL in one.players
    )
    record = matches[number - 1]
    data = _transcript(report, f"1-{number}")

    assert data["name"] == record.name and data["players"] == list(record.players)
    replies = [reply for step in data["steps"] for reply in step.get("replies", ())]
    assert len(replies) == len(record.said)
    for turn, logged in zip(replies, record.said, strict=True):
        assert turn["status"] == logged.status and turn.get("move", "") == logged.move
    mine = [turn for turn in replies if record.players[turn["seat"]] == MODEL]
    assert all(THOUGHT in turn["thought"] for turn in mine)
    assert all(turn["text"].startswith(HOSTILE.rstrip()[:60]) for turn in mine)
    first = mine[0]
    assert first["status"] == "unreadable" and first["why"]
    sent = exchanges(run / JOURNAL, {match_name(record.name, record.players, record.repeat)})
    [(_, calls)] = sent.items()
    assert first["sent"] == [list(message) for message in calls[0].sent]
    _same_pictures(record, data)
    worth = [judged for judged in regrets(record) if judged]
    moves = [move for step in data["steps"] for move in step.get("moves", ())]
    shown = [
        (move["worth"], move["regret"], move.get("best", move["move"]))
        for move in moves
        if "worth" in move
    ]
    assert worth and shown == [tuple(each) for each in worth]
    assert "take" in data["rules"].lower() and data["legend"]


def _same_pictures(record: Record, data: dict[str, Any]) -> None:
    """Every step shows its position to both seats, and a picture has all shapes of the scene."""
    positions = replay(record)
    for step in data["steps"]:
        for seat, number in enumerate(step["frames"]):
            seen, frame = positions[step["ply"]].seen_by(seat), data["frames"][number]
            assert frame["text"] == seen.text(seat)
            scene = seen.scene(seat)
            assert scene is not None
            ground, *shapes = ElementTree.fromstring(svg(scene))
            assert ground.tag.endswith("rect")
            assert sorted(map(_shape, shapes)) == sorted(_pieces(data, frame))


def _shape(one: ElementTree.Element) -> tuple[str, ...]:
    """What kind of element it is, and where or what it says."""
    kind = one.tag.rpartition("}")[2]
    if kind == "text":
        return kind, one.text or ""
    names = {"rect": ("x", "y", "width", "height"), "circle": ("cx", "cy", "r")}[kind]
    return kind, *(f"{float(one.attrib[name]):.2f}" for name in names)


def _pieces(data: dict[str, Any], frame: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    for words, _ in (*frame["above"], *frame["below"]):
        yield "text", words
    for number in frame["pieces"]:
        kind, *rest = data["pieces"][number]
        if kind == "text":
            yield kind, rest[2]
        else:
            yield kind, *(f"{value:.2f}" for value in rest[: {"rect": 4, "circle": 3}[kind]])


def test_the_list_has_every_match(run: Path, report: Path) -> None:
    listed = _data(report / "matches" / "list.js")
    columns, texts = listed["columns"], listed["texts"]
    every = {f"1-{number}": one for number, one in enumerate(records(run), start=1)}
    assert set(columns["key"]) == set(every)
    matches = [every[key] for key in columns["key"]]

    assert [texts[at] for at in columns["spec"]] == [one.name for one in matches]
    assert {len(column) for column in columns.values()} == {len(matches)}
    for at, one in enumerate(matches):
        assert columns["scores"][at] == list(one.scores or ())
        assert {texts[each] for each in columns["statuses"][at]} == {
            reply.status for reply in one.said
        }
        assert columns["moves"][at] == len(one.log)
        assert tuple(texts[each] for each in columns["players"][at]) == one.players
        assert _transcript(report, columns["key"][at])["name"] == one.name


def test_what_is_in_the_way_is_refused(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder with other files is left as it is; so is a report whose runs are not there."""
    (tmp_path / "letter.txt").write_text("mine")
    assert 2 == main(["report", str(run), "--out", str(tmp_path)])
    assert "holds something else than a report" in capsys.readouterr().err
    assert 2 == main(["report", str(tmp_path), "--out", str(tmp_path / "new")])
    assert "is not the folder of a run" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_without_the_extra(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(write, "find_spec", lambda name: None)
    assert 2 == main(["report", str(run), "--out", str(tmp_path / "new")])
    assert "pip install 'quandary[report]'" in capsys.readouterr().err


@pytest.mark.heavy
def test_the_demo_ends_with_a_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == main(["demo", "--out", str(tmp_path)])
    page = tmp_path / "report" / "index.html"
    assert str(page) in capsys.readouterr().out.splitlines() and page.is_file()


@pytest.mark.parametrize(
    ("costs", "sentence"),
    [([0.5, 1.0], "$1.50"), ([0.5, None], "at least $0.50"), ([0.0, None], ""), ([None], "")],
)
def test_unknown_costs_are_not_nothing(costs: list[float | None], sentence: str) -> None:
    """Strategies cost nothing, and are not among them."""
    rows = [seat_row(at, "m", 1.0, model="m", cost=cost) for at, cost in enumerate(costs)]

    assert sentence == spent(seat_table([*rows, seat_row(9, "random", 1.0, cost=None)]))
    assert "" == spent(seat_table([seat_row(9, "random", 1.0, cost=None)]))


def test_the_report_warns_of_replies_that_were_cut_off_as_the_run_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the same words, and with the same numbers of calls and replies."""
    left = iter(["Let me think about"] * 3)
    with counting_server(lambda body: next(left, "Answer: x\n"), finish="length") as server:
        main(
            ["run", "--puzzle", "string_search", "--level", "easy", "--limit", "20", "--out",
             str(tmp_path), "--base-url", server.address, "--concurrency", "1", "--player",
             "vllm/any,max_tokens=77"]
        )  # fmt: skip
    said = " ".join(capsys.readouterr().err.split())
    scores = scores_of(seats(tmp_path, columns=columns()), [tmp_path])
    tables = {table.key: table for table in scores.all()}

    [warning] = scores.warnings
    assert warning.startswith("3 of 23 replies of vllm/any,max_tokens=77") and warning in said
    assert tables["replies"].column("truncated") == (3,)
    assert tables["calls"].column("calls") == tables["calls"].column("in matches") == (23,)
