"""``duramen extract``: write the main content of pages to standard output, a file or a folder."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from duramen.cli.flags import add_fetch_options, add_options, fetch_options_from, options_from, selectors_from
from duramen.cli.log import Log
from duramen.cli.sources import Reader, Source, SourceError, describe, find_sources, is_pattern
from duramen.errors import FetchError, MissingExtra, OptionError
from duramen.result import Result

SUFFIXES = {"markdown": ".md", "html": ".html", "text": ".txt", "json": ".json", "jsonl": ".jsonl", "xml": ".xml"}


def add_command(command: argparse.ArgumentParser) -> None:
    command.description = "Write the main content of pages as Markdown, HTML, text, JSON or TEI."
    command.epilog = (
        "Exit code: 0 success, 1 some sources failed (each is reported on standard error), 2 wrong usage, 3 with"
        " --strict: all sources were read, but a result is poor or empty."
    )
    command.add_argument(
        "sources", nargs="+", metavar="SOURCE", help="file, folder, pattern such as 'pages/*.html', URL, or - for stdin"
    )
    command.add_argument(
        "-f", "--format", choices=tuple(SUFFIXES), default="markdown", help="default: markdown; xml is TEI"
    )
    command.add_argument(
        "--records", action="store_true", help="with json, add the page's records; with jsonl, write a record per line"
    )
    command.add_argument(
        "-o", "--output", metavar="PATH", help="a file; for several sources, a folder; default: standard output"
    )
    command.add_argument("--strict", action="store_true", help="exit with code 3 if a result is poor or empty")
    command.add_argument(
        "-q", "--quiet", action="store_true", help="no warnings and no progress; errors are still printed"
    )
    add_options(command)
    add_fetch_options(command)


def run_command(args: argparse.Namespace, usage: argparse.ArgumentParser) -> int:
    """Extract every source; a failure is logged and the run continues."""
    options = options_from(args)
    if args.records and args.format not in ("json", "jsonl"):
        usage.error("--records needs --format json or jsonl")
    many = len(args.sources) > 1 or Path(args.sources[0]).is_dir() or is_pattern(args.sources[0])
    if many and args.url:
        usage.error("--url names one page, but there are several sources")
    if many and args.output and Path(args.output).is_file():
        usage.error(f"--output {args.output} is a file, but several sources need a folder")
    found = list(find_sources(args.sources, Path(args.output).resolve() if args.output else None))
    writer = Writer(args.format, args.output, [one for one in found if isinstance(one, Source)], many, args.records)
    log = Log(len(found), args.quiet)
    with (
        selectors_from(args) as selectors,
        Reader(options, fetch_options_from(args), args.url, selectors) as reader,
    ):
        for one in found:
            try:
                if isinstance(one, SourceError):
                    raise one
                result = reader.result_of(one)
                writer.write(result, one)
                log.warn_about(one, result)
            except (OSError, OptionError):  # standard output is full or closed: it will not take the next page either
                raise
            except (SourceError, FetchError, MissingExtra) as error:
                log.error(str(error))
            except Exception as error:  # one page must not end a run over thousands
                log.error(f"{getattr(one, 'name', one)}: {type(error).__name__}: {error}; please report this page")
            log.step()
    log.close()
    return 1 if log.failed else 3 if args.strict and log.doubtful else 0


class Writer:
    """Writes results to standard output, a file, or a folder. Never overwrites an input or uses a name twice."""

    def __init__(self, form: str, output: str | None, sources: Sequence[Source], many: bool, records: bool) -> None:
        self.form, self.many, self.records = form, many, records
        self.path = Path(output) if output else None
        self.is_folder = bool(output) and (many or Path(output or "").is_dir() or str(output).endswith(("/", os.sep)))
        self.taken = {self._key(source.path) for source in sources if source.path is not None}

    def write(self, result: Result, source: Source) -> None:
        if self.path is None:
            sys.stdout.write(self._separator(source) + self._render(result, source, indent=None if self.many else 2))
            sys.stdout.flush()
            return
        path = self._free_name(source) if self.is_folder else self.path
        if self._key(path) in self.taken:
            raise SourceError(f"{path}: this is the input page; choose another --output")
        self.taken.add(self._key(path))
        text = self._render(result, source, indent=2)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")  # names of sources
        except OSError as error:
            raise SourceError(describe(error)) from error

    def _render(self, result: Result, source: Source, indent: int | None) -> str:
        if self.form in ("json", "jsonl"):
            data = {"source": source.name} | result.to_dict(records=self.records)
            if self.form == "json":
                return json.dumps(data, ensure_ascii=False, indent=indent) + "\n"
            about = {"source": source.name, "url": result.url}
            lines = [about | record for record in data["records"]] if self.records else [data]
            return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        text: str = getattr(result, self.form)
        return text.rstrip("\n") + "\n" if text else ""

    def _separator(self, source: Source) -> str:
        if not self.many or self.form in ("json", "jsonl", "xml"):
            return ""
        if self.form == "text":
            return f"==> {source.name} <==\n"
        return f"<!-- {re.sub('--+|[<>]', ' ', source.name)} -->\n"

    def _free_name(self, source: Source) -> Path:
        assert self.path is not None
        wanted = self.path / source.stem
        path, count = wanted.with_name(wanted.name + SUFFIXES[self.form]), 2
        while self._key(path) in self.taken:
            path, count = wanted.with_name(f"{wanted.name}-{count}{SUFFIXES[self.form]}"), count + 1
        return path

    @staticmethod
    def _key(path: Path) -> str:
        # Folded, because many file systems treat A.md and a.md as one file.
        return str(path.resolve()).casefold()
