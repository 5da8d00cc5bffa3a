"""`quandary doctor`."""

from __future__ import annotations

import platform
from argparse import ArgumentParser, Namespace

from .output import json_line


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(options: Namespace) -> int:
    from quandary.programs import levels

    finding = levels.found()
    system = f"{platform.system()} {platform.release()} on {platform.machine()}"
    if options.json:
        json_line({**finding._asdict(), "system": system, "python": platform.python_version()})
        return 0
    version = f"version {finding.landlock}" if finding.landlock else "not available"
    lines = {
        "sandbox": finding.level,
        "seccomp": finding.seccomp,
        "Landlock": version,
        "WebAssembly": finding.wasm,
        "system": system,
        "Python": platform.python_version(),
    }
    for name, words in lines.items():
        print(f"{name + ':':<13}{words}")
    if finding.why:
        print(f"The level is not higher because {finding.why}.")
    if finding.level == "none" and platform.system() == levels.LINUX:
        print("Programs are refused; --unsafe runs them anyway, with all your permissions.")
    return 0
