"""The options that let models write programs, which then play."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from quandary.core.errors import UserError

LOWEST = {"samples": 1, "programs_per_pair": 1, "repairs": 0}


def arguments(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("programs that models write (--setting code)")
    group.add_argument(
        "--samples",
        type=int,
        metavar="N",
        help="let each model write N programs per puzzle, which then play against those of other "
        "models and against the house",
    )
    group.add_argument(
        "--programs-per-pair",
        type=int,
        metavar="N",
        help="let only N pairs of programs play for each pair of models, chosen by hashes of their "
        "names (default: all pairs)",
    )
    group.add_argument(
        "--repairs",
        type=int,
        metavar="N",
        help="if a program fails in trial matches against the house, tell its model the error and "
        "let it reply again, up to N times per program (default: 0)",
    )


def check(options: Namespace) -> None:
    """Raise UserError for values that cannot be, or that would do nothing; set what is left out."""
    is_drawn = options.samples is not None
    for name, lowest in LOWEST.items():
        value, written = getattr(options, name), f"--{name.replace('_', '-')}"
        if value is not None and value < lowest:
            raise UserError(f"{written} must be {lowest} or more.")
        if value is not None and not is_drawn:
            raise UserError(f"{written} is for programs that models write; add --samples N.")
        setattr(options, name, value or 0)
    if options.samples and options.setting != "code":
        raise UserError("--samples draws programs; it needs --setting code.")
    if options.samples and options.language:
        raise UserError("models are asked for programs in English; leave --language out.")
