"""`quandary completion`."""

from __future__ import annotations

from argparse import Action, ArgumentParser, Namespace
from collections.abc import Iterator

from quandary.core.translations import LIST_SEPARATORS

from .main import COMMANDS, parser_of

SHELLS = {
    "bash": 'add to ~/.bashrc: eval "$(quandary completion bash)"',
    "zsh": 'add to ~/.zshrc, after compinit: eval "$(quandary completion zsh)"',
    "fish": "run: quandary completion fish > ~/.config/fish/completions/quandary.fish",
}
# Words are split at spaces alone: bash would also break them at colons.
BASH = """\
_quandary() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" words
    case "${{COMP_WORDS[1]}}" in
{cases}
        *) words="" ;;
    esac
    [ "$COMP_CWORD" -eq 1 ] && words="{commands}"
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    case "${{COMPREPLY[0]}}" in *'#') compopt -o nospace 2>/dev/null ;; esac
}}
complete -o default -F _quandary quandary
"""
ZSH = "autoload -U +X bashcompinit && bashcompinit\n"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "shell", choices=list(SHELLS), help="; ".join(f"{k}: {v}" for k, v in SHELLS.items())
    )


def run(options: Namespace) -> int:
    print(fish() if options.shell == "fish" else (options.shell == "zsh") * ZSH + bash(), end="")
    return 0


def bash() -> str:
    cases = [f'        {name}) words="{" ".join(words(name))}" ;;' for name in COMMANDS]
    return BASH.format(cases="\n".join(cases), commands=" ".join(COMMANDS))


def fish() -> str:
    lines = ["complete -c quandary -n __fish_use_subcommand -f"]
    for name, about in COMMANDS.items():
        lines.append(f"complete -c quandary -n __fish_use_subcommand -a {name} -d {_quoted(about)}")
        seen = f"-n '__fish_seen_subcommand_from {name}'"
        for action in actions(name):
            for option in (flag for flag in action.option_strings if flag.startswith("--")):
                about = _quoted((action.help or "").replace("%(default)s", str(action.default)))
                lines.append(f"complete -c quandary {seen} -l {option[2:]} -d {about}")
        if others := [word for word in words(name) if not word.startswith("-")]:
            lines.append(f"complete -c quandary {seen} -a {_quoted(' '.join(others))}")
    return "\n".join(lines) + "\n"


def words(command: str) -> list[str]:
    """Everything that may follow a command: its options, its choices, and names."""
    found = list[str]()
    for action in actions(command):
        found += action.option_strings
        found += map(str, action.choices or ())
        found += names_for(action)
    return found


def actions(command: str) -> Iterator[Action]:
    yield from parser_of(command)._actions  # argparse has no public way to list them


def names_for(action: Action) -> list[str]:
    """Return the names that an argument takes: puzzles, the starts of specs, suites, languages."""
    from .list_command import everything

    if action.metavar == "SPEC":
        return [
            f"{row['name']}/{level}#"
            for row in everything()
            if "error" not in row
            for level in row["levels"]
        ]
    if action.dest == "suite":
        from quandary.arena.suite import names

        return names()
    if action.dest == "name" and action.metavar == "PUZZLE":
        return [row["name"] for row in everything()]
    return list(LIST_SEPARATORS) if action.dest == "lang" else []


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
