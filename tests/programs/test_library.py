"""Files as programs: what can be one, and what is refused in a sentence."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from quandary.core.errors import UserError
from quandary.programs.library import LONGEST, read_program

CODE = "class Player:\n    def play(self, view):\n        return 1\n"


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_mark_of_byte_order_is_not_part_of_a_program() -> None:
    Path("marked.py").write_text(CODE, "utf-8-sig")
    assert CODE == read_program("program/marked.py").code


def test_what_is_no_file_is_refused() -> None:
    """Reading a pipe or a device would not end."""
    os.mkfifo("pipe.py")
    Path("zeros.py").symlink_to("/dev/zero")
    Path("folder.py").mkdir()
    for name in ("pipe.py", "zeros.py", "folder.py"):
        with pytest.raises(UserError, match=f"the program '{name}' is not a file"):
            read_program(f"program/{name}")


def test_what_cannot_be_a_program_is_refused() -> None:
    Path("long.py").write_text("#" * (LONGEST + 1))
    with Path("sparse.py").open("wb") as file:
        file.truncate(1 << 40)  # more than there is memory
    Path("latin.py").write_bytes(b"# \xe9")
    Path(os.fsdecode(b"b\xff.py")).write_text(CODE)
    for name, why in {
        "long.py": "has more than 1,048,576 characters",
        "sparse.py": "has more than 1,048,576 characters",
        "a\0b.py": "is not a valid file name",
        "latin.py": "is not written in UTF-8",
        os.fsdecode(b"b\xff.py"): r"the name 'b\\udcff.py' is not written in UTF-8; rename the",
        "gone.py": "there is no program",
        "n" * 300 + ".py": "cannot be read: File name too long",
        "text.txt": "is not a program; write program/",
    }.items():
        with pytest.raises(UserError, match=why):
            read_program(f"program/{name}")
