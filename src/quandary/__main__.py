"""The command `quandary`, and `python -m quandary`."""

import atexit
import sys

from quandary.cli import signals


def main() -> int:
    """Run one command, and end with a sentence if a signal comes before or after it."""
    signals.install(signals.end_at_once)
    atexit.register(signals.ignore)  # the first to be registered is the last to be called
    from quandary.cli.main import main as run_command  # takes a while

    return run_command()


if __name__ == "__main__":
    sys.exit(main())
