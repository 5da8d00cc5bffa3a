"""The command `quandary`, and `python -m quandary`."""

import atexit
import gc
import sys

from quandary.cli import signals

# Commands make hardly any cycles of references, and looking for some as often as Python does takes
# up to a fifth of their time.
NEW_OBJECTS = 50_000  # after which it looks again


def main() -> int:
    """Run one command, and end with a sentence if a signal comes before or after it."""
    signals.install(signals.end_at_once)
    atexit.register(signals.ignore)  # the first to be registered is the last to be called
    gc.set_threshold(NEW_OBJECTS)
    atexit.register(gc.freeze)  # not at the end, when the system takes all memory back
    from quandary.cli.main import main as run_command  # takes a while

    return run_command()


if __name__ == "__main__":
    sys.exit(main())
