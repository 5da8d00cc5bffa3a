"""Runs: suites, records, and going on where a run stopped."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from quandary.arena.manifest import manifest
from quandary.arena.run import run
from quandary.arena.schedule import Schedule
from quandary.arena.store import MANIFEST, RECORDS, Store, keep, read
from quandary.arena.suite import Suite, load, names
from quandary.arena.suite import read as read_suite
from quandary.catalogue import drawing
from quandary.catalogue.spec import Spec
from quandary.core.contract import Game, Language, Puzzle
from quandary.core.errors import UserError
from quandary.matches.codec import record_json
from quandary.matches.player import Player, Scripted, Turn
from quandary.matches.record import Record, replay
from quandary.players.prompts.settings import Modality
from quandary.players.registry import PlayerRegistry
from quandary.players.strategy import random_move
from virtual_time import Clock

SUITE = read_suite(
    "nim", 'tries = 2\n[[puzzles]]\npuzzle = "card_nim"\nlevels = ["easy"]\nseeds = "1-3"\n'
)
PLAYERS = ["random", "cautious"]


def _texts(folder: Path) -> list[str]:
    return [record_json(record) for record in read(folder / RECORDS)]


def test_a_suite_file_that_changes_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    for count in (2, 4):
        file.write_text(f'[[puzzles]]\npuzzle = "sudoku"\nlevels = ["easy"]\nseeds = "1-{count}"\n')
        assert len(load(str(file)).entries) == count


def test_pairs_meet_on_the_same_instance_from_both_seats() -> None:
    """Three instances, two players, two seatings: six matches."""
    matches = list(Schedule(SUITE, PLAYERS))

    assert len(matches) == 6
    assert {("random", "cautious"), ("cautious", "random")} == {match.players for match in matches}


@pytest.mark.parametrize(("player", "rival"), [("cautious", "house"), ("house", "random")])
def test_a_lone_player_meets_the_house(player: str, rival: str) -> None:
    """Two seats need two players."""
    assert {(player, rival), (rival, player)} == {
        match.players for match in Schedule(SUITE, [player])
    }


PARTS = """
small = "1"
clock = 300
[decoding]
temperature = 0
[[puzzles]]
puzzle = "sudokill"
levels = ["easy"]
seeds = "1-3"
modalities = ["text", "image"]
[[puzzles]]
puzzle = "superply"
levels = ["easy"]
seeds = "1-5"
settings = ["code"]
"""


def test_a_suite_has_parts() -> None:
    """By setting, by what is shown, and the small version."""
    parts = read_suite("parts", PARTS)

    assert 8 == len(parts.specs)
    assert 3 == len(parts.only(setting="instruction").specs) == len(parts.only().specs)
    assert 8 == len(parts.only(setting="code").specs)
    assert 3 == len(parts.only(modality="image").specs)
    assert ["sudokill/easy#1"] == [str(spec) for spec in parts.only(small=True).specs]
    assert ["sudokill/easy#1", "superply/easy#1"] == [
        str(spec) for spec in parts.only(small=True, setting="code").specs
    ]
    coded = parts.only(setting="code")
    assert manifest(Schedule(parts, ["random"])) != manifest(Schedule(coded, ["random"]))
    with pytest.raises(UserError, match="nothing to play that way"):
        SUITE.only(modality="image")
    with pytest.raises(UserError, match="no small version"):
        SUITE.only(small=True)


@pytest.mark.parametrize(
    ("player", "advice"),
    [
        ("random", "'random' is not one; write program/FILE.py, or let models write"),
        ("human", "'human' is not one"),
        ("groq/x", "'groq/x' is not one"),
        ("program/gone.py", "there is no program 'gone.py'"),
    ],
)
def test_nobody_but_a_program_plays_the_code_setting(
    player: str, advice: str, tmp_path: Path
) -> None:
    """Results of the code setting are those of programs."""
    parts = read_suite("parts", PARTS)

    with pytest.raises(UserError, match=advice):
        run(parts.only(setting="code"), [player], tmp_path / "out", PlayerRegistry())
    assert not (tmp_path / "out").exists()


def test_strategies_play_by_the_clock_of_a_suite(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It changes nothing for those who are in time, and a late one loses; people have no clock."""
    clock = Clock()
    monkeypatch.setattr("quandary.players.clock.perf_counter", clock)
    timed = replace(SUITE, clock=300)
    late = replace(SUITE, clock=1, entries=SUITE.entries[:1])

    class Slow(PlayerRegistry):
        def find(
            self,
            name: str,
            game: Game,
            spec: Spec,
            match: str = "",
            shown: Modality | None = None,
            language: Language | None = None,
        ) -> Player:
            def think(turn: Turn, rng: Random) -> str:
                clock.seconds += 0.6 if name == "slow" else 0.0
                return random_move(turn, rng)

            return Scripted(name, think)

    assert {"goal", "no_move"} >= {
        record.cause for record in run(timed, PLAYERS, tmp_path / "timed", PlayerRegistry()).records
    }
    ends = {
        (record.cause, record.players[record.offender or 0])
        for record in run(late, ["slow", "quick"], tmp_path / "late", Slow()).records
    }
    assert ("timeout", "slow") in ends
    assert ("timeout", "quick") not in ends


def test_records_replay_and_are_equal_when_played_again(tmp_path: Path) -> None:
    """The same run is the same records, and each replays."""
    one = list(run(SUITE, PLAYERS, tmp_path / "one", PlayerRegistry()).records)
    other = list(run(SUITE, PLAYERS, tmp_path / "other", PlayerRegistry()).records)

    assert one == other == list(read(tmp_path / "one" / RECORDS))
    assert all(replay(record) for record in one)


def test_a_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """After a crash that tears the last line, nothing is lost, repeated or misread."""
    whole = list(run(SUITE, PLAYERS, tmp_path / "whole", PlayerRegistry()).records)
    text = (tmp_path / "whole" / RECORDS).read_bytes()
    for cut in (0, 10, len(text) // 2, len(text) - 1, len(text)):
        folder = tmp_path / str(cut)
        with Store(folder, manifest(Schedule(SUITE, PLAYERS))):
            pass
        (folder / RECORDS).write_bytes(text[:cut])
        asked = list[str]()

        class Counting(PlayerRegistry):
            def find(
                self,
                name: str,
                game: Game,
                spec: Spec,
                match: str = "",
                shown: Modality | None = None,
                language: Language | None = None,
                asked: list[str] = asked,
            ) -> Player:
                asked.append(name)
                return super().find(name, game, spec, match, shown, language)

        assert whole == list(run(SUITE, PLAYERS, folder, Counting()).records)
        assert text == (folder / RECORDS).read_bytes()
        # a last record that lacks only its line end is whole
        left = 6 - text[: cut + 1].count(b"\n")
        assert 2 + 2 * left == len(asked)  # each player is looked for once before the run


def test_another_run_is_not_mixed_in(tmp_path: Path) -> None:
    """A folder belongs to one suite and one set of players."""
    run(SUITE, PLAYERS, tmp_path, PlayerRegistry())

    with pytest.raises(UserError, match="contains another run"):
        run(SUITE, ["random", "oracle"], tmp_path, PlayerRegistry())


def test_two_writers_at_once_are_refused(tmp_path: Path) -> None:
    """One writer a run."""
    with (
        Store(tmp_path, {}),
        pytest.raises(UserError, match="another run is writing"),
        Store(tmp_path, {}),
    ):
        pass


def test_an_unreadable_record_is_named(tmp_path: Path) -> None:
    """A damaged file says which line is damaged."""
    run(SUITE, PLAYERS, tmp_path, PlayerRegistry())
    path = tmp_path / RECORDS
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], "{broken", *lines[2:]]) + "\n")

    with pytest.raises(UserError, match="line 2 of"):
        list(read(path))


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("", "has no puzzle"),
        ("= 3", "not valid TOML"),
        ("trys = 3", "did you mean 'tries'"),
        ('tries = "3"', "not of type int"),
        ("tries = 0\n[[puzzles]]\npuzzle = 'card_nim'", "below 1"),
        ("[[puzzles]]\nlevels = ['easy']", "without a puzzle"),
        ("[[puzzles]]\npuzzle = 'card_nym'", "did you mean 'card_nim'"),
        ("[[puzzles]]\npuzzle = 'card_nim'\nlevels = ['esy']", "did you mean 'easy'"),
        ("[[puzzles]]\npuzzle = 'card_nim'\nseeds = 'one'", "1-10"),
        (
            "[[puzzles]]\npuzzle = 'card_nim'\nseeds = '5-2'",
            "'5-2' are not a valid range; .* as 2-5",
        ),
        ("[[puzzles]]\npuzzle = 'card_nim'\nseeds = '1-1234567890'", "at most 9 digits"),
        ("small = '9-1'\n[[puzzles]]\npuzzle = 'card_nim'", "'9-1' are not a valid range"),
        ("[[puzzles]]\npuzzle = 'card_nim'\nlevels = []", "gives card_nim no level"),
        ("[[puzzles]]\npuzzle = 'card_nim'\nchanges = {stone = 3}", "did you mean 'stones'"),
    ],
)
def test_a_wrong_suite_gets_advice(text: str, advice: str) -> None:
    """What a suite file gets wrong is said in one sentence."""
    with pytest.raises(UserError, match=advice):
        read_suite("mine", text)


def test_the_suites_that_come_along_can_be_read() -> None:
    """Every suite of the package names puzzles and levels that exist."""
    assert names()
    for name in names():
        assert isinstance(load(name), Suite)


@pytest.mark.parametrize("cut", [0, 1, 30])
def test_a_record_is_added_on_a_line_of_its_own(tmp_path: Path, cut: int) -> None:
    """Only the line end is missing: it is added; more is missing: the torn record is cut off."""
    one, two, three = run(SUITE, PLAYERS, tmp_path / "run", PlayerRegistry()).records[:3]
    path = tmp_path / "kept.jsonl"
    keep(path, one, two)
    path.write_bytes(path.read_bytes()[: path.stat().st_size - cut])
    whole = [one, two] if cut < 2 else [one]

    assert whole == list(read(path))
    if cut < 2:
        assert whole == list(read(path, whole=True))
    else:
        with pytest.raises(UserError, match=r"the last line of .* is not a complete record"):
            list(read(path, whole=True))
    keep(path, three)
    assert [*whole, three] == list(read(path))


def test_long_records_are_mended_too(tmp_path: Path) -> None:
    """The last line is found however long it is."""
    [record, *_] = run(SUITE, PLAYERS, tmp_path / "run", PlayerRegistry()).records
    long = Record(**{**vars(record), "name": "card_nim/easy#1" + "0" * 300_000})
    path = tmp_path / "kept.jsonl"
    keep(path, record, long)
    path.write_bytes(path.read_bytes()[:-1])
    keep(path, record)

    assert [record, long, record] == list(read(path))


def test_a_file_of_something_else_is_left_alone(tmp_path: Path) -> None:
    """A text that is no torn record is not cut off."""
    path = tmp_path / "notes.txt"
    path.write_text("dear diary")

    with pytest.raises(UserError, match="is not a record"):
        keep(path)
    assert "dear diary" == path.read_text()


@pytest.mark.parametrize("text", ["[]", "3", "null", "{", "\xff", "[" * 100_000, None])
def test_an_unreadable_manifest_is_one_sentence(tmp_path: Path, text: str | None) -> None:
    """A manifest that is no JSON object, or a folder in its place, is a mistake."""
    path = tmp_path / MANIFEST
    path.mkdir() if text is None else path.write_bytes(text.encode("latin-1"))

    with pytest.raises(UserError, match="cannot be read as the manifest"):
        run(SUITE, PLAYERS, tmp_path, PlayerRegistry())


@pytest.mark.parametrize(
    ("text", "players", "advice"),
    [
        ("", ["random", "orakel"], "did you mean 'oracle'"),
        ("language = 'de'\n", PLAYERS, "unknown language 'de' of card_nim; choose en or zh."),
        ("[[puzzles]]\npuzzle = 'tidy_tower'\nseeds = '1'\n", PLAYERS, "player 'cautious'"),
        (
            "[[puzzles]]\npuzzle = 'islands'\ntask = 'whole'\nseeds = '1'\n",
            ["random"],
            "no whole: task",
        ),
    ],
)
def test_what_cannot_be_run_leaves_nothing_behind(
    tmp_path: Path, text: str, players: list[str], advice: str
) -> None:
    """A wrong player, language or task of any level is found before the folder is made."""
    suite = read_suite(
        "mine", text + "[[puzzles]]\npuzzle = 'card_nim'\nlevels = ['easy']\nseeds = '1'\n"
    )

    with pytest.raises(UserError, match=advice):
        run(suite, players, tmp_path / "out", PlayerRegistry())
    assert not (tmp_path / "out").exists()


def test_a_spec_named_twice_is_kept_once() -> None:
    """Overlapping seeds and entries are no second match."""
    entry = "[[puzzles]]\npuzzle = 'card_nim'\nlevels = ['easy']\n"
    suite = read_suite("mine", f"{entry}seeds = '1-2, 2'\n{entry}seeds = '2-3'\n")

    assert ["card_nim/easy#1", "card_nim/easy#2", "card_nim/easy#3"] == [
        str(spec) for spec in suite.specs
    ]


def test_changes_are_written_as_in_a_spec() -> None:
    """A TOML boolean is true or false, and a list of two whole numbers a range."""
    changes = "changes = {size = [6, 7], islands = 2, trees = true}"
    suite = read_suite(
        "mine", f"[[puzzles]]\npuzzle = 'islands'\nseeds = '1'\nlevels = ['easy']\n{changes}\n"
    )

    assert ["islands/easy,islands=2,size=6..7,trees=true#1"] == [str(spec) for spec in suite.specs]


@pytest.mark.parametrize("value", ["[1, 2, 3]", "[true, 2]", "{a = 1}", "2020-01-01"])
def test_changes_of_no_known_kind_are_refused(value: str) -> None:
    """What cannot stand in a spec is said to be so."""
    with pytest.raises(UserError, match="a range"):
        read_suite("mine", f"[[puzzles]]\npuzzle = 'card_nim'\nchanges = {{stones = {value}}}\n")


def test_a_suite_says_how_its_instances_are_shown() -> None:
    """As was chosen, or else as the entry says first."""
    text = '[[puzzles]]\npuzzle = "sudokill"\nlevels = ["easy"]\nseeds = "1"\nmodalities = {}\n'
    pictures, both = (
        read_suite("pictures", text.format('["image"]')),
        read_suite("both", text.format('["text", "image"]')),
    )
    [spec] = pictures.specs

    assert ("image", "text", "image") == tuple(
        suite.modality_of(spec) for suite in (pictures, both, both.only(modality="image"))
    )
    assert [str(spec)] == manifest(Schedule(pictures, PLAYERS))["pictures"]
    with pytest.raises(UserError, match="leaves modalities empty"):
        read_suite("none", text.format("[]"))


@pytest.mark.parametrize(
    "decoding", ["temperature = nan", "temperature = -5", "top_p = inf", "max_tokens = 0"]
)
def test_a_suite_asks_models_only_for_what_they_can_do(decoding: str) -> None:
    """Numbers that no server takes are refused when the suite is read."""
    with pytest.raises(UserError, match="write a number from"):
        read_suite("odd", f'[[puzzles]]\npuzzle = "islands"\n[decoding]\n{decoding}\n')


def test_a_start_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For all players and seatings of it."""
    made, drawn = list[Spec](), drawing.instance

    def counted(spec: Spec, puzzle: type[Puzzle] | None = None) -> Puzzle:
        made.append(spec)
        return drawn(spec, puzzle)

    monkeypatch.setattr(drawing, "instance", counted)
    run(SUITE, PLAYERS, tmp_path / "out", PlayerRegistry())
    assert len(_texts(tmp_path / "out")) == 6
    assert len(made[1:]) == len(set(made)) == 3  # the first only shows its languages
