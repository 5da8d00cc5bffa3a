"""Matches of the site: nothing acknowledged is lost, and a seat learns only what it may know."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from quandary.catalogue import drawing, registry
from quandary.catalogue.spec import Spec
from quandary.core.contract import Game
from quandary.core.errors import UserError
from quandary.core.mixins.answers import given_parts
from quandary.core.secrecy import hidden_fields
from quandary.matches.match import NotAsked
from quandary.matches.player import Reply
from quandary.players.strategy import random_move
from quandary.web.database import Database, Unwritable
from quandary.web.kept_runs import Finished, KeptRuns
from quandary.web.seat_steps import SeatSteps
from quandary.web.tables import Settings, Table, Tables, is_secret
from quandary.web.views import answer_from, input_of, seat_view

HIDING = [
    name
    for name in registry.names()
    if issubclass(registry.load(name), Game)
    and any(mark != "nested" for _, mark in hidden_fields(registry.load(name)))
]


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    found = Database(tmp_path / "data")
    yield found
    found.close()


def made(tables: Tables, text: str, players: list[str], start: Game | None = None) -> Table:
    spec = Spec.parse(text)
    start = start or drawing.game(spec, tries=3)
    takers = [f"visitor-{seat}" if "human" in name else "" for seat, name in enumerate(players)]
    return tables.create(spec, start, players, Settings(), takers)


def play_randomly(tables: Tables, table: Table, replies: int, luck: str = "1") -> None:
    rng = Random(luck)
    for _ in range(replies):
        for seat, turn in sorted(table.match.pending().items()):
            tables.receive(table, seat, Reply(random_move(turn, rng)))
        if table.is_over:
            return


def play_well(tables: Tables, table: Table, replies: int) -> None:
    """As the strongest player does; every turn is shown first."""
    for number in range(replies):
        turn = table.match.pending()[0]
        tables.show(table, turn)
        move = turn.position.strategies["oracle"](turn.position, 0, Random(number), 1_000)
        tables.receive(table, 0, Reply(move, seconds=tables.seconds(table, turn)))


def opened(tmp_path: Path) -> tuple[Database, Tables]:
    database = Database(tmp_path)
    return database, Tables(database)


@pytest.mark.parametrize("text", ["sudokill/easy#3", "beat_or_bomb_sto/easy#2", "superply/easy#1"])
def test_a_match_goes_on_as_it_was(tmp_path: Path, text: str) -> None:
    """Also within an open round: a reply that was stored is not asked for again."""
    database, tables = opened(tmp_path)
    table = made(tables, text, ["human/a", "human/b"])
    play_randomly(tables, table, 2)
    seat, turn = next(iter(table.match.pending().items()))
    tables.receive(table, seat, Reply(random_move(turn, Random(5)), seconds=1.5))
    before = table.record()
    database.close()

    database, tables = opened(tmp_path)
    again = tables.get(table.id)

    assert again is not None and again is not table
    assert before == again.record()
    assert table.match.pending().keys() == again.match.pending().keys()
    assert table.players == again.players and table.takers == again.takers
    database.close()


def test_every_part_of_a_long_match_is_stored_once(database: Database) -> None:
    tables = Tables(database)
    table = made(tables, "sudokill/easy#1", ["human", "human"])
    play_randomly(tables, table, 200)

    assert table.is_over
    rows = database.rows("select number from heard where match = ? order by number", table.id)
    assert [number for (number,) in rows] == list(range(len(table.match.said)))
    [(ended,)] = database.rows("select ended from matches where id = ?", table.id)
    assert ended is not None


def test_what_cannot_be_stored_is_not_played(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk: the reply is refused, and the match goes on from what is stored."""
    tables = Tables(database)
    table = made(tables, "card_nim/easy#1", ["human", "human"])
    turn = table.match.pending()[0]
    write = database.write

    def full(command: str, *values: object) -> None:
        if command.startswith("insert into heard"):
            raise Unwritable("database or disk is full")
        write(command, *values)

    monkeypatch.setattr(database, "write", full)
    with pytest.raises(Unwritable):
        tables.receive(table, 0, Reply(turn.options[0]))  # type: ignore[index]
    monkeypatch.undo()

    again = tables.get(table.id)
    assert again is not None and again.match.said == [] and 0 in again.match.pending()
    tables.receive(again, 0, Reply(turn.options[0]))  # type: ignore[index]
    assert len(again.match.said) == 1


def test_moves_are_taken_back_with_what_followed(tmp_path: Path) -> None:
    database, tables = opened(tmp_path)
    clock = [1_000.0]
    tables.now = lambda: clock[0]
    table = made(tables, "sudoku/easy#1", ["human/a"])
    play_well(tables, table, 2)
    clock[0] += 500.0
    assert table.may_take_back(0)
    tables.take_back(table, 0)

    assert (1, 1) == (len(table.match.log), table.epoch)
    assert table.record().players == ("human/a,undos=1",)
    tables.show(table, table.match.pending()[0])
    clock[0] += 7.0
    play_well(tables, table, 1)
    assert table.record().said[-1].seconds == 7.0  # since the turn was shown again
    database.close()

    database, tables = opened(tmp_path)
    again = tables.get(table.id)
    assert again is not None
    assert again.record() == table.record() and len(again.match.log) == 2
    database.close()


def test_nothing_is_taken_back_after_the_end(database: Database) -> None:
    tables = Tables(database)
    table = made(tables, "sudoku/easy#1", ["human/a"])
    play_well(tables, table, 1)
    tables.resign(table, 0)
    assert not table.may_take_back(0)


def test_only_whoever_waits_for_people_may_claim(database: Database) -> None:
    """Ten minutes count from when the turn began, and an empty seat loses nothing."""
    tables = Tables(database)
    clock = [0.0]
    tables.now = lambda: clock[0]
    table = made(tables, "card_nim/easy#1", ["human/a", "human/b"])
    clock[0] = 700.0
    assert table.may_claim(1, clock[0]) and not table.may_claim(0, clock[0])
    play_randomly(tables, table, 1)
    assert not table.may_claim(0, clock[0])
    clock[0] = 1_400.0
    assert table.may_claim(0, clock[0])
    table.takers[1] = ""
    assert not table.may_claim(0, clock[0])

    both = made(tables, "bid_that/easy#1", ["human/a", "human/b"])
    clock[0] = 3_000.0
    assert not both.may_claim(0, clock[0]) and not both.may_claim(1, clock[0])
    tables.receive(both, 0, Reply("1"))
    assert both.may_claim(0, clock[0])


def test_the_time_to_claim_survives_a_restart(tmp_path: Path) -> None:
    """A match that is loaded again does not begin to wait anew."""
    database, tables = opened(tmp_path)
    tables.now = lambda: 1_000.0
    table = made(tables, "card_nim/easy#1", ["human/a", "human/b"])
    assert table.until_claim(1, 1_000.0) == 600.0 and table.until_claim(0, 1_000.0) is None
    assert seat_view(table, 1, 1_400.0)["claim_in"] == 200.0
    database.close()

    database, tables = opened(tmp_path)
    tables.now = lambda: 1_500.0
    again = tables.get(table.id)
    assert again is not None and again.until_claim(1, 1_500.0) == 100.0
    database.close()


def test_moves_of_others_are_told_in_words(database: Database) -> None:
    """Those since the own last move; not where something is hidden, because the log tells it."""
    tables = Tables(database)
    table = made(tables, "card_nim/easy#1", ["human/a", "human/b"])
    play_randomly(tables, table, 2)
    [moved] = [move for seat, move in table.match.log if seat == 1]
    assert seat_view(table, 0, 0.0)["news"] == [{"seat": 1, "move": moved}]
    assert seat_view(table, 1, 0.0)["news"] == []
    hidden = made(tables, "beat_or_bomb_sto/easy#1", ["human/a", "human/b"])
    play_randomly(tables, hidden, 1)
    assert "news" not in seat_view(hidden, 0, 0.0)


@pytest.mark.parametrize("is_first", [True, False])
def test_giving_up_ends_an_open_round_for_both(tmp_path: Path, is_first: bool) -> None:
    """Whether or not the one who gives up, or the other one, has replied in it."""
    database, tables = opened(tmp_path)
    table = made(tables, "bid_that/easy#1", ["human/a", "human/b"])
    if not is_first:
        tables.receive(table, 1, Reply("1"))
    tables.resign(table, 0)

    assert table.is_over and table.record().scores == (0.0, 1.0)
    assert not table.may_claim(0, tables.now() + 10_000)
    with pytest.raises(NotAsked):
        tables.receive(table, 1, Reply("1"))
    database.close()
    database, tables = opened(tmp_path)
    again = tables.get(table.id)
    assert again is not None and again.record() == table.record()
    database.close()


@pytest.mark.parametrize("column", ["players", "takers", "settings", "start", "used"])
def test_whatever_is_damaged_is_said(database: Database, column: str) -> None:
    tables = Tables(database)
    table = made(tables, "card_nim/easy#1", ["human", "human"])
    for damage in ("{", "[]", "nothing/x#1", "\x00"):
        database.write(f"update matches set {column} = ? where id = ?", damage, table.id)
        tables.open.clear()
        with pytest.raises(UserError, match="damaged"):
            tables.get(table.id)


def test_what_others_have_seen_is_not_taken_back(database: Database) -> None:
    tables = Tables(database)
    for players in (["human/a", "human/b"], ["human/a", "local/smollm2"]):
        table = made(tables, "card_nim/easy#1", players)
        play_randomly(tables, table, 1)
        assert not table.may_take_back(0)


def test_a_second_server_is_refused(tmp_path: Path, database: Database) -> None:
    with pytest.raises(UserError, match="another server"):
        Database(tmp_path / "data")


def test_a_damaged_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "site.sqlite").write_bytes(b"this is no database at all" * 400)
    with pytest.raises(UserError, match="cannot be used as the database"):
        Database(tmp_path)


def test_a_damaged_match_affects_no_other(database: Database) -> None:
    tables = Tables(database)
    one, other = (made(tables, "card_nim/easy#1", ["human", "human"]) for _ in range(2))
    database.write("update matches set start = '{}' where id = ?", one.id)
    tables.open.clear()

    with pytest.raises(UserError, match="cannot be continued"):
        tables.get(one.id)
    assert tables.get(other.id) is not None
    assert tables.get("nothing") is None


def test_records_are_those_of_a_scripted_player(tmp_path: Path, database: Database) -> None:
    """Except for names and seconds; they stand in an ordinary run."""
    from quandary.arena.store import records
    from quandary.matches.drivers import play_now
    from quandary.matches.player import Scripted

    tables = Tables(database)
    kept = KeptRuns(tmp_path, lambda message: pytest.fail(message))
    for text in ("sudokill/easy#3", "beat_or_bomb_sto/easy#2", "text_sudoku/easy#1"):
        start = drawing.game(text, tries=3)
        players = ["human/a", "human/b"][: start.seats]
        table = made(tables, text, players, start)
        play_randomly(tables, table, 100)
        moves = {seat: [m for s, m in table.match.log if s == seat] for seat in range(start.seats)}
        scripted = [
            Scripted(f"s{seat}", lambda turn, rng: moves[turn.seat].pop(0))  # noqa: B023
            for seat in range(start.seats)
        ]
        wanted = play_now(start, scripted, text)
        record = table.record()
        assert (wanted.log, wanted.scores) == (record.log, record.scores)
        assert (wanted.cause, wanted.values) == (record.cause, record.values)
        kept.keep([Finished(table.id, record, table.spec, table.settings)])
        kept.keep([Finished(table.id, record, table.spec, table.settings)])  # once
    kept.close()

    run = tmp_path / "runs" / "play-en"
    assert [each.name for each in records(run)] == [
        "sudokill/easy#3", "beat_or_bomb_sto/easy#2", "text_sudoku/easy#1"
    ]  # fmt: skip


def test_runs_of_the_site_grow_and_are_scored(
    tmp_path: Path, database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is missing in them, because nobody had to play anything."""
    pytest.importorskip("pyarrow")
    from quandary.arena.manifest import PLAYERS, SPECS
    from quandary.arena.store import manifest_of
    from quandary.cli.main import main

    tables = Tables(database)
    for at, name in enumerate(("human/a", "human/b")):
        kept = KeptRuns(tmp_path, lambda message: pytest.fail(message))
        table = made(tables, f"sudoku/easy#{at + 1}", [name])
        tables.resign(table, 0)
        kept.keep([Finished(table.id, table.record(), table.spec, table.settings)])
        kept.close()

    run = tmp_path / "runs" / "play-en"
    manifest = manifest_of(run) or {}
    assert ["human/a", "human/b"] == manifest[PLAYERS]
    assert ["sudoku/easy#1", "sudoku/easy#2"] == manifest[SPECS]
    assert 0 == main(["results", str(run)])
    output = capsys.readouterr()
    assert "missing" not in (output.out + output.err).lower()
    assert "PARTIAL" not in output.out + output.err


# What a seat is told.


def all_shown(table: Table, seat: int) -> str:
    """Everything that is sent to a seat, as one text."""
    steps = table.steps(seat).since(0, 0, 0)
    return json.dumps([seat_view(table, seat, 0.0), steps, table.version(seat)])


@pytest.mark.parametrize("name", HIDING)
def test_a_seat_is_told_the_same_whatever_is_hidden(database: Database, name: str) -> None:
    """At any position, for any other deal that looks the same to the seat."""
    puzzle = registry.load(name)
    for level in puzzle.levels:
        tables = Tables(database, lambda: 0.0)
        spec = f"{name}/{level}#1"
        players = ["human/a", "human/b"][: drawing.game(spec).seats]
        table = made(tables, spec, players)
        for _ in range(4):
            for seat in range(table.match.start.seats):
                here = table.match.position
                try:
                    other = here.seen_by(seat).possible_position(Random(seat))
                except NotImplementedError:
                    continue
                views = [
                    all_shown(made(tables, spec, players, each), seat) for each in (here, other)
                ]
                assert views[0] == views[1]
            play_randomly(tables, table, 1, level)
            if table.is_over:
                break
    assert is_secret(drawing.game(f"{name}/{next(iter(puzzle.levels))}#1"))


def test_most_hidden_things_can_be_dealt_again() -> None:
    """So the test above compares different deals; else nothing is hidden between rounds."""
    others = set[str]()
    for name in HIDING:
        for level in registry.load(name).levels:
            start = drawing.game(f"{name}/{level}#1")
            try:
                deals = [start.seen_by(0).possible_position(Random(luck)) for luck in range(5)]
            except NotImplementedError:
                continue
            if any(deal != start for deal in deals):
                others.add(name)

    assert len(others) >= 4


@pytest.mark.parametrize("name", ["beat_or_bomb_sto", "bid_that", "bid_that_vickrey"])
def test_a_seat_does_not_learn_what_was_said_in_an_open_round(
    database: Database, name: str
) -> None:
    tables = Tables(database)
    table = made(tables, f"{name}/easy#1", ["human/a", "human/b"])
    silent = all_shown(table, 0)
    options = list(table.match.pending()[1].options or ())
    for text in (options[0], options[-1]):
        other = made(tables, f"{name}/easy#1", ["human/a", "human/b"])
        tables.receive(other, 1, Reply(text))
        assert silent == all_shown(other, 0)
        assert table.version(None) == other.version(None)


def test_the_instance_is_named_after_the_end_only(database: Database) -> None:
    tables = Tables(database)
    hidden = made(tables, "beat_or_bomb_sto/easy#7", ["human/a", "human/b"])
    assert "#7" not in all_shown(hidden, 0)
    play_randomly(tables, hidden, 100)
    assert hidden.is_over and "#7" in all_shown(hidden, 0)
    assert "#7" in all_shown(made(tables, "sudoku/easy#7", ["human"]), 0)


@pytest.mark.parametrize("text", ["sudokill/easy#1", "beat_or_bomb_sto/easy#1", "sudoku/easy#2"])
def test_steps_arrive_in_parts(database: Database, text: str) -> None:
    """What a browser has gathered is what one would get that comes later."""
    tables = Tables(database)
    players = ["human/a", "human/b"][: drawing.game(text).seats]
    table = made(tables, text, players)
    steps, frames, pieces = [], [], []
    for _ in range(30):
        update = table.steps(0).since(len(steps), len(frames), len(pieces))
        steps[update["first"] :] = update["steps"]
        frames += update["frames"]
        pieces += update["pieces"]
        for step in steps:
            shown = frames[step["frames"][0]]
            assert all(number < len(pieces) for number in shown.get("pieces", ()))
        if table.is_over:
            break
        play_randomly(tables, table, 1, text)

    steps_again = SeatSteps(table.match.start, 0, "en")
    steps_again.update(table.match, table.turns[0])
    later = steps_again.since(0, 0, 0)
    texts = [frames[step["frames"][0]]["text"] for step in steps]
    assert texts == [later["frames"][step["frames"][0]]["text"] for step in later["steps"]]
    assert [step.get("moves") for step in steps] == [step.get("moves") for step in later["steps"]]
    own = [move for seat, move in table.match.log if seat == 0]
    assert own == [step["moves"][0]["move"] for step in steps if "moves" in step]


def every_level() -> list[str]:
    return [
        f"{name}/{level}#1" for name in registry.names() for level in registry.load(name).levels
    ]


def first_ways(text: str) -> int:
    """Try every way in which a page offers the first reply; how many there are besides typing."""
    table_start = drawing.game(text, tries=3)
    from quandary.matches.match import Match

    turns = Match(table_start, text).pending()
    turn = turns[min(turns)]
    form = input_of(turn, "en")
    ways = 0
    for field in form["fields"]:
        if field["kind"] == "number" and "high" in field:
            assert "low" in field  # else there is no keypad
    move = random_move(turn, Random(text))
    if form["kind"] == "move":
        notation = turn.position.notation()
        assert notation is not None
        for one in [*form.get("legal", ())][:40]:
            values = {name: value for name, value in one["fields"].items() if value}
            assert one["move"] == turn.position.read(turn.seat, answer_from(turn.position, values))
        ways += 1
    elif form["kind"] == "answer":
        assert form["fields"]
        ways += 1
    else:
        ways += bool(form.get("legal"))
    turn.position.read(turn.seat, move)  # typed
    return ways


def test_no_puzzle_has_only_a_text_box() -> None:
    """Puzzles about words have: their answers are words."""
    only_text = {text.partition("/")[0] for text in every_level() if not first_ways(text)}

    assert only_text == set()


def test_a_reply_of_a_seat_that_is_not_asked_is_refused(database: Database) -> None:
    tables = Tables(database)
    table = made(tables, "card_nim/easy#1", ["human/a", "human/b"])
    with pytest.raises(NotAsked):
        tables.receive(table, 1, Reply("1"))
    assert database.rows("select * from heard") == []


def test_what_a_question_gives_fits_its_form() -> None:
    """It names fields of the form, and the answer that is right agrees with it."""
    from quandary.conformance.shapes import data, filled_form
    from quandary.core.contract import Question

    giving = set[str]()
    for text in every_level():
        question = drawing.instance(text).seen_by(0)
        given = given_parts(question) if isinstance(question, Question) else {}
        if not given:
            continue
        assert isinstance(question, Question)
        giving.add(text.partition("/")[0])
        shape = question.answer_shape()
        assert shape is not None
        right = filled_form(shape, data(shape, question.solution()))
        for name, shown in given.items():
            cells, wanted = shown.split(), right[name].split()
            assert len(cells) == len(wanted)
            known = [(a, b) for a, b in zip(cells, wanted, strict=True) if a not in ("*", "0")]
            assert all(a == b for a, b in known)
            assert known or text.startswith("arithmetic_sudoku/")  # whose board is empty

    boards = {"text_sudoku", "standard_sudoku", "letter_diagram", "eight_queens"}
    assert boards | {"arithmetic_sudoku"} <= giving
