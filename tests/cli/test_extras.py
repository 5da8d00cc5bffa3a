"""Commands that need the extra `report`, where a part of it is missing."""

from __future__ import annotations

import sys

import pytest

from quandary.cli.main import main


@pytest.mark.parametrize("missing", ["numpy", "pyarrow"])
@pytest.mark.parametrize(
    "command",
    [
        ["compare", "a", "b"],
        ["plan", "--suite", "quick", "--player", "random"],
        ["sample", "a", "--out", "b"],
        ["labels", "a"],
    ],
)
def test_a_missing_extra_is_told_in_one_sentence(
    command: list[str],
    missing: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It says what to install."""
    monkeypatch.setitem(sys.modules, missing, None)

    assert main(command) == 2
    output = capsys.readouterr().err
    assert output.endswith("pip install 'quandary[report]'.\n")
    assert len(output.splitlines()) == 1
