"""The command line, one module per command. Each parses, calls and prints; it is imported when its command runs.

Exit codes: 0 success, 1 some sources could not be read or written, 2 wrong usage, 3 with ``extract --strict`` a poor
result, 130 interrupted.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from duramen.cli.parser import Parser
from duramen.errors import OptionError

COMMANDS = {
    "extract": "write the main content of pages",
    "explain": "explain how the content of a page was found",
    "links": "print the links of a page, the items of its feeds, or the pages in its sitemaps",
    "batch": "extract millions of pages; runs can be stopped and resumed",
    "rules": "list, show, draft, check and test site rules",
    "eval": "score annotated pages: success by site category, worst pages first",
    "cache": "show or clear what the selector cache has learned",
    "mcp": "serve tools for AI agents over the Model Context Protocol",
    "serve": "serve HTTP, with an inspector that shows what was kept, what was dropped, and why",
    "completion": "print a shell completion script",
}
"""Each command's module has ``add_command(parser)`` and ``run_command(args, parser)``, which returns the exit code."""


class _Version(argparse.Action):
    """Looks the version up only for ``--version``, since that takes longer than to extract a page."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        import platform
        from importlib.metadata import version

        from duramen.native import core

        system = (
            f"{platform.python_implementation()} {platform.python_version()}, {platform.system()} {platform.machine()}"
        )
        print(f"duramen {version('duramen')} (core {core.SOURCES[:12]}, {system})")
        parser.exit()


def build_parser(argv: Sequence[str], everything: bool = False) -> Parser:
    """The parser of all commands; only the command in ``argv`` gets its arguments, unless ``everything`` is set."""
    parser = Parser(
        prog="duramen",
        description="Find the main content of web pages.",
        epilog="First steps: duramen extract page.html; duramen explain page.html. Each command has its own --help.",
    )
    parser.add_argument("-V", "--version", action=_Version, nargs=0, help="show the version, also of the compiled core")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    wanted = next((word for word in argv if not word.startswith("-")), None)
    for name, about in COMMANDS.items():
        command = commands.add_parser(name, help=about)
        if everything or name == wanted:
            module = import_module(f"duramen.cli.{name}")
            module.add_command(command)
            command.set_defaults(run=module.run_command, usage=command)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the caller: sh -c 'duramen … >&-'
            setattr(sys, name, Path(os.devnull).open("r+", encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    argv = sys.argv[1:] if argv is None else argv
    try:
        # Building the parser imports the command: Ctrl-C may come here, too.
        args, unknown = build_parser(argv).parse_known_args(argv)
        if unknown:
            args.usage.refuse(unknown)
        code: int = args.run(args, args.usage)
    except OptionError as error:
        args.usage.error(str(error))
    except OSError as error:
        # Flushing at exit must not raise again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):  # the reader closed the pipe
            return 141
        place = f"{error.filename}: " if error.filename else ""
        print(f"duramen: error: {place}{error.strerror or error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nduramen: interrupted", file=sys.stderr)
        return 130
    return code
