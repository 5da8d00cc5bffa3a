"""Transcripts for labelling by a person, and the labels read back."""

from __future__ import annotations

import csv
import json
from collections import Counter, defaultdict
from collections.abc import Mapping
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="tables need pyarrow: pip install 'quandary[report]'")

from quandary.arena.run import run
from quandary.arena.suite import read as read_suite
from quandary.cli.main import main
from quandary.core.errors import UserError
from quandary.labelling.label_sets import built_in
from quandary.labelling.labels import KEY, LABELS, label_tables
from quandary.labelling.sampling import choose
from quandary.players.registry import PlayerRegistry
from quandary.scoring.score_table import Ranged

SUITE = """
[[puzzles]]
puzzle = "card_nim"
levels = ["easy"]
seeds = "1-3"
[[puzzles]]
puzzle = "anagram_scribble"
levels = ["easy"]
seeds = "1-12"
[[puzzles]]
puzzle = "islands"
levels = ["easy"]
seeds = "1-5"
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "first"
    run(read_suite("small", SUITE), ["random", "oracle"], folder, PlayerRegistry())
    return folder


def _sampled(played: Path, out: Path, *more: str) -> Path:
    assert main(["sample", str(played), "--out", str(out), *more]) == 0
    return out


def _fill(folder: Path, labels: Mapping[str, str], column: str = "puzzleplex") -> None:
    """Write labels into the file as a person would."""
    path = folder / LABELS
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row[column] = labels.get(row["transcript"], row[column])
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def test_any_number_of_transcripts_is_balanced_over_players_and_puzzles(played: Path) -> None:
    """Six strata of 6 to 12 seats, of which each gets its share as long as it lasts."""
    sizes = {"card_nim": 6, "anagram_scribble": 12, "islands": 5}
    for count in (2, 3, 6, 12, 20, 30, 46, 100):
        chosen = choose([played], count, seed=4)
        taken = Counter((one.player, one.puzzle) for one in chosen)
        players = Counter(one.player for one in chosen)

        assert len(chosen) == min(count, 2 * sum(sizes.values()))
        assert abs(players["random"] - players["oracle"]) <= 1
        largest = max(taken.values())
        for stratum in ((p, z) for p in ("random", "oracle") for z in sizes):
            assert taken[stratum] >= min(largest - 1, sizes[stratum[1]])
        assert len({(one.match, one.seat) for one in chosen}) == len(chosen)


def test_the_seed_decides_the_choice(played: Path) -> None:
    """Equal seeds choose alike, others do not; no seed favours the first seeds."""
    assert choose([played], 10, seed=1) == choose([played], 10, seed=1)
    assert choose([played], 10, seed=1) != choose([played], 10, seed=2)
    first = {
        one.spec
        for seed in range(25)
        for one in choose([played], 6, seed=seed, players=["random"])
        if one.puzzle == "anagram_scribble"
    }
    assert len(first) >= 10


def test_only_failures_or_only_successes_can_be_chosen(played: Path) -> None:
    failed = choose([played], 100, seed=1, outcome="failed")
    solved = choose([played], 100, seed=1, outcome="solved")

    assert len(failed) + len(solved) == 46
    assert all(one.score < 1 for one in failed)
    assert all(one.score == 1 for one in solved)
    with pytest.raises(UserError, match="did you mean 'oracle'"):
        choose([played], 1, seed=1, players=["oracl"])


def test_a_sample_has_a_transcript_and_an_empty_row_for_each(played: Path, tmp_path: Path) -> None:
    out = _sampled(played, tmp_path / "s", "--n", "7")
    key = json.loads((out / KEY).read_text("utf-8"))
    rows = list(csv.DictReader((out / LABELS).read_text("utf-8").splitlines()))

    assert [row["transcript"] for row in rows] == [f"00{number}" for number in range(1, 8)]
    assert {row["puzzleplex"] for row in rows} == {""}
    for name, one in key["transcripts"].items():
        text = (out / "transcripts" / f"{name}.txt").read_text("utf-8")
        assert text.startswith(f"Transcript {name}: {one['spec']}\n")
        assert f"To label: {one['player']} (seat {one['seat']})" in text
    guide = (out / "guide.md").read_text("utf-8")
    assert all(label in guide for label in built_in()["puzzleplex"].names)


def test_labels_are_never_overwritten(played: Path, tmp_path: Path) -> None:
    out = _sampled(played, tmp_path / "s", "--n", "2")
    before = (out / LABELS).read_bytes()

    assert main(["sample", str(played), "--out", str(out)]) == 2
    assert (out / LABELS).read_bytes() == before


def test_shares_have_the_intervals_worked_out_by_hand(played: Path, tmp_path: Path) -> None:
    """Ten questions of one player: 6 of one error, 2 of another, 1 without an error, 1 open."""
    out = _sampled(played, tmp_path / "s", "--n", "100", "--player", "random")
    key = json.loads((out / KEY).read_text("utf-8"))["transcripts"]
    words = [name for name, one in key.items() if one["puzzle"] == "anagram_scribble"][:10]
    assert len({key[name]["instance"] for name in words}) == 10
    given = ["comprehension"] * 6 + ["Other"] * 2 + ["none", ""]
    _fill(out, dict(zip(words, given, strict=True)))

    [table] = label_tables([out])

    rows = {row[1]: row for row in table.rows}
    assert rows["comprehension"][2] == 6
    assert rows["comprehension"][3] == pytest.approx(Ranged(6 / 9, *_wilson(6, 9)))
    assert rows["comprehension"][4] == pytest.approx(Ranged(6 / 8, *_wilson(6, 8)))
    assert rows["other"][4] == pytest.approx(Ranged(2 / 8, *_wilson(2, 8)))
    assert rows["none"][2:5] == (1, pytest.approx(Ranged(1 / 9, *_wilson(1, 9))), None)
    assert rows["reasoning_and_planning"][5] == 0.63
    assert table.notes[0] == "9 of 23 transcripts are labelled."


def test_every_transcript_has_the_same_weight(played: Path, tmp_path: Path) -> None:
    """Three of four transcripts have a label: two of one start with it, and two of other starts,
    one with it.  The interval is wider than that of four starts.
    """
    out = _sampled(played, tmp_path / "s", "--n", "100", "--player", "random")
    transcripts = json.loads((out / KEY).read_text("utf-8"))["transcripts"]
    starts = defaultdict[str, list[str]](list)
    for name, one in transcripts.items():
        starts[one["instance"]].append(name)
    twice = next(names for names in starts.values() if len(names) > 1)[:2]
    once = [names[0] for names in starts.values() if names[0] not in twice][:2]
    _fill(out, dict(zip([*twice, *once], ["other", "other", "other", "none"], strict=True)))

    [table] = label_tables([out])

    [share] = [row[3] for row in table.rows if row[:2] == ("random", "other")]
    assert isinstance(share, Ranged)
    assert share.value == 3 / 4
    low, high = _wilson(3, 4)
    assert share.low < low and high <= share.high


def _wilson(count: int, n: int) -> tuple[float, float]:
    """The roots of (p - x)² = z² x (1 - x) / n."""
    z, p = 1.959963984540054, count / n
    a, b, c = 1 + z * z / n, -(2 * p + z * z / n), p * p
    root = sqrt(b * b - 4 * a * c)
    return (-b - root) / (2 * a), (-b + root) / (2 * a)


def test_several_folders_and_players_are_counted_together(played: Path, tmp_path: Path) -> None:
    """A row for each player and label, and for all players."""
    folders = []
    for player in ("random", "oracle"):
        out = _sampled(played, tmp_path / player, "--n", "3", "--player", player)
        _fill(out, {"001": "other", "002": "none"})
        folders.append(out)

    [table] = label_tables(folders)

    counts = {row[:2]: row[2] for row in table.rows if row[2]}
    assert counts == {
        ("(all)", "other"): 2, ("(all)", "none"): 2,
        ("random", "other"): 1, ("random", "none"): 1,
        ("oracle", "other"): 1, ("oracle", "none"): 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (("001,,", "001,comprehensoin,"), "did you mean 'comprehension'?"),
        (("001,,", "001,xx,"), "choose reasoning_and_planning, comprehension,"),
        (("001,,", "009,,"), "there is no transcript '009' in this sample."),
        (("001,,", "002,,"), "the transcript 002 has two rows; delete one."),
        (("puzzleplex", "label"), "has no column puzzleplex; keep its first line as it was."),
    ],
)
def test_what_cannot_be_a_label_is_told_in_one_sentence(
    played: Path,
    tmp_path: Path,
    change: tuple[str, str],
    sentence: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = _sampled(played, tmp_path / "s", "--n", "2")
    path = out / LABELS
    path.write_text(path.read_text("utf-8").replace(*change), "utf-8")
    capsys.readouterr()

    assert main(["labels", str(out)]) == 2
    output = capsys.readouterr().err
    assert sentence in output
    assert str(path) in output
    assert len(output.splitlines()) == 1


def test_labels_saved_by_other_programs_are_read(played: Path, tmp_path: Path) -> None:
    """Numbers without their zeros, semicolons, a mark at the beginning, other ways to write."""
    out = _sampled(played, tmp_path / "s", "--n", "3")
    text = "transcript;puzzleplex;comment\r\n1;Reasoning and planning;a, b\r\n2; OTHER ;\r\n3;;\r\n"
    (out / LABELS).write_bytes(b"\xef\xbb\xbf" + text.encode())

    [table] = label_tables([out])

    counts = Counter[str]()
    for row in table.rows:
        if row[0] == "(all)":
            counts[str(row[1])] += int(str(row[2]))
    assert +counts == {"reasoning_and_planning": 1, "other": 1}


def test_sets_of_ones_own_come_from_a_file(played: Path, tmp_path: Path) -> None:
    sets = tmp_path / "sets.toml"
    sets.write_text(
        '[mood]\ntitle = "Mood"\n[[mood.labels]]\nname = "calm"\nmeaning = "It is calm."\n'
    )
    out = _sampled(
        played, tmp_path / "s", "--n", "2", "--labels", str(sets), "--labels", "logicgame"
    )
    sets.unlink()
    _fill(out, {"001": "calm"}, "mood")
    _fill(out, {"002": "json_error"}, "logicgame")

    mood, logic = label_tables([out])

    assert mood.key == "labels_mood"
    assert "published" not in mood.head
    assert logic.notes[0] == "1 of 2 transcripts are labelled."
    assert main(["sample", str(played), "--out", str(tmp_path / "t"), "--labels", "logicgam"]) == 2


def test_a_blind_sample_names_no_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What a model was sent and said is shown; its name is only in the key, even if it says it."""
    pytest.importorskip("aiohttp", reason="model servers need aiohttp")
    from server_thread import served

    def speak(body: Mapping[str, Any]) -> str:
        return "<think>Hm.</think>I am secret-model-7, and I say\nAnswer: 1"

    suite, out = tmp_path / "suite.toml", tmp_path / "run"
    suite.write_text('[[puzzles]]\npuzzle = "card_nim"\nlevels = ["easy"]\nseeds = "7"\n')
    player = "openai/secret-model-7,temperature=0.5"
    with served(speak=speak) as server:
        command = ["run", "--suite", str(suite), "--player", player, "--out", str(out)]
        main([*command, "--base-url", server.address])
    shown = _sampled(out, tmp_path / "open", "--n", "1") / "transcripts" / "001.txt"
    blind = _sampled(out, tmp_path / "blind", "--blind") / "transcripts"
    texts = [path.read_text("utf-8") for path in sorted(blind.iterdir())]

    assert "secret-model-7" in shown.read_text("utf-8")
    assert len(texts) == 2  # the house is not sampled
    for text in texts:
        assert "secret-model" not in text
        assert "house" not in text
        assert "I am (name hidden), and I say" in text
        assert "Two players share a pile of stones" in text
        assert "the player" in text
    assert player in (tmp_path / "blind" / KEY).read_text("utf-8")
