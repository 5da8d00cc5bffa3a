"""What commands print on terminals of some width, in pipes, and for shells."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from quandary.cli import progress
from quandary.cli.main import COMMANDS, main
from quandary.cli.progress import Progress
from quandary.core.scene import Disc, Scene
from quandary.render.terminal import terminal
from quandary.report import write

QUANDARY = [sys.executable, "-m", "quandary"]


def on_terminal(*arguments: str, columns: int, **variables: str) -> str:
    """What a command prints on a terminal of this width."""
    pty = pytest.importorskip("pty", reason="needs a pseudo terminal")
    ours, theirs = pty.openpty()
    width = {"COLUMNS": str(columns), "TERM": "xterm-256color"}
    process = subprocess.Popen(
        [*QUANDARY, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, **width, **variables},
    )
    os.close(theirs)
    seen = b""
    try:
        while chunk := os.read(ours, 65_536):
            seen += chunk
    except OSError:  # the end of a terminal
        pass
    os.close(ours)
    assert process.wait(timeout=60) == 0
    return seen.decode().replace("\r\n", "\n")


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_lists_fit_the_terminal(columns: int) -> None:
    """No line of a table is wider; in a pipe nothing is left out."""
    for arguments in (("list",), ("list", "--suites")):
        shown = on_terminal(*arguments, columns=columns)
        rows = shown.partition("\n\n")[0].splitlines()
        assert len(rows) > 4
        assert max(map(len, rows)) <= columns
        assert columns > 40 or "seats" not in rows[0]  # descriptions need the room


@pytest.mark.parametrize("arguments", [["list"], ["list", "--suites"]])
def test_lists_in_a_pipe_are_not_cut(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """They have the columns for which a page has room, and whole descriptions."""
    main(arguments)
    rows = capsys.readouterr().out.partition("\n\n")[0].splitlines()
    assert "what it is" in rows[0] and "languages" not in rows[0]
    assert 100 < max(map(len, rows)) < 160
    assert "…" not in "".join(rows)

    main([*arguments, "--json"])
    assert "…" not in capsys.readouterr().out


def test_colours_are_left_out_where_they_are_not_wanted() -> None:
    """By NO_COLOR, and on a terminal that has none."""
    show = ("show", "superply/easy#1", "--draw")
    assert "\x1b[" in on_terminal(*show, columns=80)
    assert "\x1b[" not in on_terminal(*show, columns=80, NO_COLOR="1")
    assert "\x1b[" not in on_terminal(*show, columns=80, TERM="dumb")


def test_a_disc_is_coloured_where_its_letter_is() -> None:
    """The colour is behind the letter, not on the line below."""
    scene = Scene(2, 2, (Disc(1.5, 1.25, fill="red", text="R"),))
    coloured = [line for line in terminal(scene).splitlines() if "\x1b[" in line]

    assert 1 == len(coloured)
    assert " R " in coloured[0]


def test_the_version_has_a_short_option(capsys: pytest.CaptureFixture[str]) -> None:
    """-V is what people try."""
    for option in ("-V", "--version"):
        with pytest.raises(SystemExit, match="0"):
            main([option])
    first, second = capsys.readouterr().out.splitlines()
    assert first == second and first.startswith("quandary ")


BASH = """
eval "$({quandary} completion bash)"
complete_words() {{ COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_quandary; echo "${{COMPREPLY[@]}}"; }}
complete_words quandary li
complete_words quandary play sudoku/
complete_words quandary replay --ju
complete_words quandary run --suite qu
"""
FISH = """
{quandary} completion fish | source
for line in "quandary li" "quandary play sudoku/" "quandary replay --ju" "quandary run --suite qu"
    echo (complete -C "$line" | string split -f 1 \\t)
end
"""


@pytest.mark.parametrize(("shell", "script"), [("bash", BASH), ("fish", FISH)])
def test_shells_complete_commands_options_and_puzzles(shell: str, script: str) -> None:
    """The shell itself is asked."""
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    text = script.format(quandary=" ".join(QUANDARY))
    done = subprocess.run([shell], input=text, capture_output=True, text=True, check=True)
    command, specs, option, suite = (line.split() for line in done.stdout.splitlines())

    assert (["list"], ["--judge"]) == (command, option)
    assert {"sudoku/easy#", "sudoku/normal#", "sudoku/hard#"} == set(specs)
    assert "quick" in suite


def test_zsh_takes_the_script() -> None:
    """It defines the function and binds it."""
    if not shutil.which("zsh"):
        pytest.skip("zsh is not installed")
    script = f'autoload -Uz compinit; compinit -D; eval "$({" ".join(QUANDARY)} completion zsh)"'
    done = subprocess.run(
        ["zsh", "-fc", f"{script}; echo $_comps[quandary]"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert ("_bash_complete" in done.stdout, "") == (True, done.stderr)


def test_the_completion_knows_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    """A new command is completed without further work."""
    main(["completion", "fish"])
    out = capsys.readouterr().out
    assert [name for name in COMMANDS if f"-a {name} -d" not in out] == []


def _after(condition: Callable[[], bool]) -> None:
    """Wait until a thread has done something."""
    end = time.monotonic() + 60
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    assert condition()


def test_progress_in_a_pipe_is_a_line_now_and_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With rate, time left and cost; also while nothing is finished.  Only what this command did
    counts for the rate.
    """
    monkeypatch.setattr(progress, "MINUTE", 0.05)
    output = list[str]()

    def received(words: str) -> bool:
        output.append(capsys.readouterr().err)
        return words in "".join(output)

    with Progress("matches", lambda: "1,200 tokens, $0.50") as tell:
        tell(40, 100)
        _after(lambda: received("quandary: matches: 40 of 100 (40 %), 1,200 tokens, $0.50\n"))
        tell.begun -= 10
        tell(60, 100)
        _after(
            lambda: received("matches: 60 of 100 (60 %), 2.0 per second, 20 s left, 1,200 tokens")
        )


def test_one_progress_ends_before_the_next_begins(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a run tells first of programs that are drawn and then of matches."""
    monkeypatch.setattr(progress, "MINUTE", 0.02)
    output = list[str]()

    def received(words: str) -> bool:
        output.append(capsys.readouterr().err)
        return words in "".join(output)

    with Progress("programs") as drawn, Progress("matches") as played:
        drawn(1, 2)
        _after(lambda: received("programs: 1 of 2"))
        drawn.end()
        output[:] = []
        capsys.readouterr()
        drawn(2, 2)
        played(0, 5)
        for _ in range(3):
            output[:] = []
            _after(lambda: received("matches: 0 of 5"))
            assert "programs" not in "".join(output)


def test_progress_that_is_short_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """Most commands are done before anyone asks."""
    with Progress("matches") as tell:
        for done in range(3):
            tell(done, 3)
    assert "" == capsys.readouterr().err


@pytest.mark.parametrize(
    ("seconds", "words"), [(5, "5 s"), (89, "89 s"), (150, "2 min"), (7_200, "2.0 h")]
)
def test_times_are_told_in_a_unit_that_suits_them(seconds: float, words: str) -> None:
    """Nobody wants to divide by 3,600."""
    assert words == progress.duration(seconds)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder of a demo, and what it printed where a page cannot be made."""
    folder, out = tmp_path_factory.mktemp("demo"), StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out):
        patch.setattr(write, "find_spec", lambda name: None)
        assert 0 == main(["demo", "--out", str(folder)])
    return folder, out.getvalue()


def test_the_demo_is_short_and_ends_with_what_to_try(demo: tuple[Path, str]) -> None:
    """A few rows, one match drawn; every command it names exists, and what a page needs is said."""
    folder, out = demo
    suggested = [line.split()[1] for line in out.splitlines() if line.startswith("  quandary ")]

    assert len(out.partition("\n\n")[2].partition("\n\n")[0].splitlines()) <= 10
    assert max(map(len, out.replace(str(folder), "").splitlines())) <= 80
    assert "(no move was left)" in out and "---+" in out
    assert "pip install 'quandary[report]'" in out
    assert len(suggested) >= 5 and set(suggested) <= set(COMMANDS)


def test_the_scores_of_the_demo_are_those_of_its_run(
    demo: tuple[Path, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """With their intervals, to two digits."""
    pytest.importorskip("pyarrow", reason="intervals need pip install 'quandary[report]'")
    folder, out = demo
    assert 0 == main(["results", str(folder), "--by", "level", "--json"])
    rows = json.loads(capsys.readouterr().out)["rows"]
    shown = {line.split()[0]: line for line in out.splitlines() if line.count("-") == 3}

    assert len(rows) == 15
    for row in rows:
        score, low, high = row["score"]
        cell = f"{score:.2f} ({low:.2f}-{high:.2f})"
        assert cell in shown[f"{row['puzzle']}/{row['level']}"]
