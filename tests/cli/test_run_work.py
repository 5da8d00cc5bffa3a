"""What `quandary run` does not do twice, or not at all: decode records, import what it does not
need, write tables.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import msgspec
import pytest

from quandary.arena.store import RECORDS
from quandary.cli.main import main
from quandary.matches.codec import record_from_json

SUITE = """
tries = 3
[[puzzles]]
puzzle = "card_nim"
levels = ["easy"]
seeds = "1-4"
[[puzzles]]
puzzle = "islands"
levels = ["easy"]
seeds = "1-3"
"""
PLAYERS = ("--player", "random", "--player", "house")


class Decodings:
    """Counts how often records are decoded, whole or in part."""

    def __init__(self) -> None:
        self.count = 0

    def see(self, frame: FrameType, event: str, called: Any) -> None:
        if event == "call":
            self.count += frame.f_code is record_from_json.__code__
        elif event == "c_call" and called.__name__ == "decode":
            decoder = called.__self__
            if isinstance(decoder, msgspec.json.Decoder):
                self.count += "players" in getattr(decoder.type, "__struct_fields__", ())


@contextmanager
def counted() -> Iterator[Decodings]:
    found = Decodings()
    sys.setprofile(found.see)
    try:
        yield found
    finally:
        sys.setprofile(None)


@pytest.mark.parametrize("more", [[], ["--json"]], ids=["text", "json"])
def test_each_record_is_decoded_once(tmp_path: Path, more: list[str]) -> None:
    """By the command that plays it, and by the same one again, which plays nothing."""
    (tmp_path / "two.toml").write_text(SUITE, "utf-8")
    out = tmp_path / "run"
    command = ["run", "--suite", str(tmp_path / "two.toml"), *PLAYERS, "--out", str(out), *more]
    for _ in range(2):
        with counted() as found:
            assert main(command) == 0
        assert found.count == (out / RECORDS).read_bytes().count(b"\n") == 14


def test_scores_by_turn_decode_each_record_once(tmp_path: Path) -> None:
    (tmp_path / "two.toml").write_text(SUITE, "utf-8")
    out = str(tmp_path / "run")
    assert main(["run", "--suite", str(tmp_path / "two.toml"), *PLAYERS, "--out", out]) == 0

    with counted() as found:
        assert main(["results", out, "--by", "turn"]) == 0
    assert found.count == 14


HEAVY = {"pandas", "pyarrow", "scipy.optimize", "scipy.sparse", "scipy.stats", "matplotlib"}
ONE_LEVEL = SUITE.rpartition("[[puzzles]]")[0]  # both players score one half on every start


@pytest.mark.parametrize(("suite", "scipy"), [(ONE_LEVEL, set()), (SUITE, {"scipy.special"})])
def test_a_run_imports_what_its_intervals_need(tmp_path: Path, suite: str, scipy: set[str]) -> None:
    """numpy, and one part of scipy where a quantile has to be computed; nothing for tables."""
    pytest.importorskip("scipy", reason="intervals need scipy: pip install 'quandary[report]'")
    (tmp_path / "some.toml").write_text(suite, "utf-8")
    command = ["run", "--suite", str(tmp_path / "some.toml"), *PLAYERS, "--out"]
    program = (
        "import sys\n"
        "from quandary.cli.main import main\n"
        f"main([*{command!r}, {str(tmp_path / 'run')!r}])\n"
        "print(*sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    *shown, last = done.stdout.decode().splitlines()
    imported = set(last.split())

    assert any(" to " in line for line in shown)  # an interval
    assert imported & {*HEAVY, "scipy.special"} == scipy
    assert not list(tmp_path.glob("run/**/*.parquet"))
