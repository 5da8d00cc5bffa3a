"""Short names of players are unambiguous."""

from __future__ import annotations

import pytest

from quandary.report.short_names import renamed, short_names
from quandary.scoring.score_table import score_table


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (["vllm/org/m,shots=1", "openai/n,shots=1", "random"], ["m", "n", "random"]),
        (["vllm/m,language=en", "vllm/m,language=zh"], ["m,language=en", "m,language=zh"]),
        (["vllm/m", "openai/m"], ["vllm/m", "openai/m"]),
        (["vllm/random", "random"], ["vllm/random", "random"]),
        (["vllm/m,shots=1,max_tokens=64", "house"], ["m", "house"]),
        (["vllm/m", "vllm/m,shots=1"], ["m", "m,shots=1"]),
        (["human/ada"], ["human/ada"]),
    ],
)
def test_names_are_as_short_as_they_may_be(names: list[str], short: list[str]) -> None:
    assert short_names(names) == dict(zip(names, short, strict=True))


def test_players_of_a_table_are_renamed_in_rows_and_heads() -> None:
    table = score_table("wins", "Wins", "", ("player", "vllm/m"), [("vllm/m", None), ("b", 0.5)])
    shown = renamed(table, {"vllm/m": "m"})

    assert shown.head == ("player", "m") and shown.rows == (("m", None), ("b", 0.5))
