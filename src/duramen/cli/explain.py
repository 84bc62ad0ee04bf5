"""``duramen explain``: how the content of a page was found."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from duramen.cli.colour import paint_explanation
from duramen.cli.flags import add_fetch_options, add_options, fetch_options_from, options_from, selectors_from
from duramen.cli.log import Log
from duramen.cli.sources import Reader, Source, SourceError, find_sources
from duramen.errors import FetchError, MissingExtra
from duramen.explain import explain


def add_command(command: argparse.ArgumentParser) -> None:
    command.description = "Show how a page was read, all proposals, the chosen one, what was removed, and the verdict."
    command.add_argument("source", metavar="SOURCE", help="file, URL, or - for standard input")
    command.add_argument("-j", "--json", action="store_true", help="print the whole result with its trace as JSON")
    add_options(command)
    add_fetch_options(command)


def run_command(args: argparse.Namespace, usage: argparse.ArgumentParser) -> int:
    """Print the explanation of one page."""
    options = options_from(args)
    if Path(args.source).is_dir():
        usage.error(f"{args.source} is a folder; explain takes one page")
    try:
        source = next(find_sources([args.source]))
        if not isinstance(source, Source):
            raise source
        with (
            selectors_from(args) as selectors,
            Reader(options, fetch_options_from(args), args.url, selectors) as reader,
        ):
            result = reader.result_of(source)
    except (SourceError, FetchError, MissingExtra) as error:
        Log().error(str(error))
        return 1
    lines = [result.to_json(trace=True, indent=2)] if args.json else paint_explanation(explain(result), sys.stdout)
    sys.stdout.writelines(f"{line}\n" for line in lines)
    sys.stdout.flush()
    return 0
