"""The commands of the README work one after another, as it says."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

import finereason_files
import logicgame_files
import textgames_files
from quandary.core.errors import UserError
from quandary.models.providers.weights import find
from server_thread import served, some_move
from shell_commands import with_commands

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
INSTALLATION = "pip install"


def commands() -> str:
    """All lists of commands, apart from those that install."""
    lists = re.findall(r"```sh\n(.*?)```", README, re.S)
    return "".join(each for each in lists if INSTALLATION not in each)


def test_a_match_is_played_as_the_readme_shows_it(tmp_path: Path) -> None:
    """Each text that begins with a command is what the command prints."""
    shown = re.findall(r"```text\n\$ (quandary .*)\n((?:.*\n)*?)```", README)
    assert shown
    for command, printed in shown:
        assert f"{command}  #" in commands()
        assert printed == _run(f"{command}\n", tmp_path).stdout


@pytest.mark.heavy
def test_all_commands_work_in_their_order(tmp_path: Path) -> None:
    """In an empty folder, with a scripted server as the model, people who leave at once, and the
    published files in miniature; the small real model plays where it is installed.
    """
    published = tmp_path / "published"
    published.mkdir()
    textgames_files.write_checkout(published / "textgames")
    finereason_files.write_files(published / "finereason")
    logicgame_files.write_files(published / "logicgame")
    with served(speak=some_move) as server:
        keys = {"OPENAI_BASE_URL": server.address, "OPENAI_API_KEY": "sk-of-nobody-at-all"}
        done = _run("\n".join(_playable(commands())), tmp_path, **keys)

    assert 0 == done.returncode, done.stdout[-3_000:] + done.stderr[-3_000:]
    assert (tmp_path / "reports" / "first" / "index.html").is_file()
    assert (tmp_path / "tables" / "seats.csv").is_file()
    assert "You gave up." in done.stdout


def _playable(script: str) -> Iterator[str]:
    """The lines of a script; what a person would type comes from a file, and a model whose weights
    are missing does not play.
    """
    for line in script.splitlines():
        command = line.partition("  #")[0]
        if command.startswith("quandary play "):
            yield f"echo /quit | {command}"
        elif "smollm2" not in command or _is_installed("smollm2"):
            yield command


def _is_installed(model: str) -> bool:
    try:
        return find_spec("xllamacpp") is not None and bool(find(model))
    except UserError:
        return False


def _run(script: str, folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """What a shell says that works in a folder and stops at the first failure."""
    shims = folder.with_name(f"{folder.name}-shims")
    shims.mkdir()
    return subprocess.run(
        ["sh", "-e"],
        input=script,
        cwd=folder,
        env=with_commands(shims, ROOT / "src") | more,
        capture_output=True,
        text=True,
        check=False,
    )
