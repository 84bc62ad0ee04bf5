"""``duramen completion``: print a shell completion script for commands, options and file names."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

SHELLS = ("bash", "zsh", "fish")
FILES = ("FILE", "SOURCE", "PAGE", "INPUT")
FOLDERS = ("FOLDER", "CORPUS")
"""Metavars of arguments that are completed as file or folder names."""
EPILOG = """\
bash:  duramen completion bash > ~/.local/share/bash-completion/completions/duramen
zsh:   duramen completion zsh > _duramen, in a folder of your fpath
fish:  duramen completion fish > ~/.config/fish/completions/duramen.fish
or, for one bash session: eval "$(duramen completion bash)"
"""


def add_command(command: argparse.ArgumentParser) -> None:
    command.description = "Print a script with which your shell completes duramen's commands, options and file names."
    command.epilog = EPILOG
    command.formatter_class = argparse.RawDescriptionHelpFormatter
    command.add_argument("shell", choices=SHELLS, help="yours")


def run_command(args: argparse.Namespace, usage: argparse.ArgumentParser) -> int:
    """Print the script."""
    import shtab

    from duramen.cli import build_parser

    parser = build_parser((), everything=True)
    for action in _actions(parser):
        if action.metavar in FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif action.metavar in FOLDERS:
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
    sys.stdout.write(shtab.complete(parser, shell=args.shell))
    return 0


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """All arguments of a parser and of its subparsers."""
    parsers = [parser]
    while parsers:
        for action in parsers.pop()._actions:
            yield action
            if isinstance(action, argparse._SubParsersAction):
                parsers.extend(action.choices.values())
