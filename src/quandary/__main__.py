"""The command `quandary`, and `python -m quandary`."""

import sys

from quandary.cli import signals


def main() -> int:
    """Run one command, and end with a sentence if a signal comes before or after it."""
    signals.install(signals.end_at_once)
    from quandary.cli.main import main as run_command  # takes a while

    return run_command()


if __name__ == "__main__":
    sys.exit(main())
