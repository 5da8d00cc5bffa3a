"""`quandary web`: options that cannot be used are refused with a sentence."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from argparse import Namespace
from pathlib import Path

import pytest

pytest.importorskip("aiohttp", reason="needs aiohttp: pip install 'quandary[web]'")

from aiohttp import web

from quandary.core.errors import UserError
from quandary.web.server import application, listen
from quandary.web.site import Options
from site_client import running


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--player", "openai/gpt-5-nano"], "--dollars"),
        (["--player", "program/a/x.py", "--player", "program/b/x.py"], "2 times"),
        (["--host", "300.1.1.1", "--token", "token"], "not an address of this machine"),
        (["--token", "nothing"], "from nothing: No such file or directory."),
    ],
)
def test_options_that_cannot_be_used_are_refused(
    tmp_path: Path, options: list[str], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    (tmp_path / "token").write_text("a-secret-of-many-letters")
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.py").write_text("class Player:\n    pass\n")
    command = [sys.executable, "-m", "quandary", "web", "--port", "0", "--data", "data", *options]
    found = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert found.returncode and words in found.stderr and "Traceback" not in found.stderr


def test_a_port_that_is_in_use_is_named(tmp_path: Path) -> None:
    async def play() -> None:
        async with running(tmp_path / "one") as site:
            port = int(site.base.rpartition(":")[2])
            with pytest.raises(UserError, match=f"another program uses port {port} of 127.0.0.1"):
                await listen(application(Options(tmp_path / "two")), "127.0.0.1", port)

    asyncio.run(play())


def test_the_address_is_printed_whatever_threads_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that keeps records may load a puzzle at this moment, whose words go elsewhere."""
    from quandary.cli import web_command

    async def listened(app: object, host: str, port: int) -> tuple[object, int]:
        monkeypatch.setattr(sys, "stdout", sys.stderr)
        raise_soon()
        return Runner(), 7

    def raise_soon() -> None:
        loop = asyncio.get_running_loop()
        loop.call_later(0.1, os.kill, os.getpid(), signal.SIGTERM)

    class Runner:
        async def cleanup(self) -> None:
            pass

    monkeypatch.setattr("quandary.web.server.listen", listened)
    options = Namespace(host="127.0.0.1", port=0, open=False)
    app = web.Application()
    assert asyncio.run(web_command._serve(app, options, "")) == 0
    monkeypatch.undo()
    assert "The site is at http://127.0.0.1:7/" in capsys.readouterr().out
