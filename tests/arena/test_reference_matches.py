"""Matches of `random` and `oracle` in the place of players."""

from __future__ import annotations

from pathlib import Path

from quandary.arena.headers import headers
from quandary.arena.reference_matches import REFERENCES, play_references
from quandary.arena.run import run
from quandary.arena.suite import read as read_suite
from quandary.catalogue import drawing
from quandary.matches.record import Record
from quandary.players.registry import PlayerRegistry

ALONE, DUELS = (
    read_suite("one", f'[[puzzles]]\npuzzle = "{puzzle}"\nlevels = ["easy"]\nseeds = "1-3"\n')
    for puzzle in ("exclusivity_probes", "card_nim")
)


def test_they_are_played_once_with_the_same_opponents(tmp_path: Path) -> None:
    """They are kept beside the run; a run that holds them needs none."""
    players, out = PlayerRegistry(), tmp_path / "duels"
    records = run(DUELS, ["cautious"], out, players).records
    play_references(records, ["cautious"], DUELS, players, out)

    keys = [header.key for _, header in headers(out / REFERENCES)]
    assert 12 == len(keys) == len(set(keys))
    assert {("random", "house"), ("house", "random"), ("oracle", "house"), ("house", "oracle")} == {
        key.players for key in keys
    }
    kept = (out / REFERENCES).read_bytes()
    play_references(records, ["cautious"], DUELS, players, out)
    assert kept == (out / REFERENCES).read_bytes()

    for names, expected in ((["house"], 6), (["house", "random", "oracle"], 0)):
        out = tmp_path / f"{len(names)}"
        play_references(run(ALONE, names, out, players).records, names, ALONE, players, out)
        path = out / REFERENCES
        assert expected == (len(list(headers(path))) if path.exists() else 0)


def test_models_are_not_asked_again_to_compare(tmp_path: Path) -> None:
    """Where the opponent is a model or a person, no match is played."""
    spec = "card_nim/easy#1"
    game = drawing.game(spec)
    records = [
        Record(spec, ("cautious", other), game, (), (), (1.0, 0.0), None, "goal")
        for other in ("openai/x", "human")
    ]
    play_references(records, ["cautious"], DUELS, PlayerRegistry(), tmp_path)

    assert not (tmp_path / REFERENCES).exists()
