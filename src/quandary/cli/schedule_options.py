"""The options that say who plays in a run, and who meets whom."""

from __future__ import annotations

from argparse import ArgumentParser

from quandary.arena.schedule import KINDS


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--player",
        required=True,
        action="append",
        metavar="P",
        help="who plays; give it more than once for more players",
    )
    parser.add_argument(
        "--schedule",
        choices=KINDS,
        help="who meets whom in games for two: the house, all pairs, or pairs by the points so far "
        "(default: one player meets the house, several meet each other)",
    )
