"""The command line: ``duramen extract`` and ``duramen explain``. Each command parses, calls and prints.

Exit codes: 0 all went well, 1 some sources could not be read or written, 2 wrong usage, 130 interrupted.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path, PurePath
from typing import get_args

from duramen.errors import DuramenError, OptionError
from duramen.explain import explain, printable
from duramen.options import Mode, Options, Output, Strategy
from duramen.pipeline import extract
from duramen.result import Result

SUFFIXES = {"markdown": ".md", "html": ".html", "text": ".txt", "json": ".json"}
PAGE_SUFFIXES = (".html", ".htm", ".xhtml")
PROGRESS_SECONDS = 0.1


class SourceError(DuramenError):
    """A source cannot be read, or its result cannot be written."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where one page comes from."""

    name: str
    """As the user wrote it, or as found below a folder: a path, a URL, or ``-``."""
    stem: PurePath
    """The relative name of its result in an output folder, without suffix."""
    path: Path | None = None


def is_url(name: str) -> bool:
    return name.lower().startswith(("http://", "https://"))


def find_sources(names: Sequence[str], skip: Path | None = None) -> Iterator[Source | SourceError]:
    """Every page the user named; folders are searched in a fixed order, without the output folder ``skip``."""
    for name in names:
        path = Path(name)
        if name == "-":
            yield Source(name, PurePath("stdin"))
        elif is_url(name):
            yield Source(name, PurePath(re.sub(r"[^\w.-]+", "-", name.partition("://")[2]).strip("-.") or "page"))
        elif path.is_dir():
            # With several sources, each folder keeps its own name, so that equal names below them stay apart.
            yield from _find_in_folder(path, path.resolve().name if len(names) > 1 else "", skip)
        else:
            yield Source(name, PurePath(path.name).with_suffix(""), path)


def _find_in_folder(folder: Path, top: str, skip: Path | None) -> Iterator[Source | SourceError]:
    unreadable: list[OSError] = []
    found = False
    for at, folders, files in os.walk(folder, onerror=unreadable.append):
        here = Path(at)
        folders[:] = sorted(name for name in folders if skip is None or (here / name).resolve() != skip)
        for path in (here / name for name in sorted(files)):
            if path.suffix.lower() in PAGE_SUFFIXES:
                found = True
                yield Source(str(path), top / path.relative_to(folder).with_suffix(""), path)
    for error in unreadable:
        yield SourceError(describe(error))
    if not found and not unreadable:
        yield SourceError(f"{folder}: no file in it ends in {', '.join(PAGE_SUFFIXES)}")


def read_source(source: Source, limit: int) -> bytes:
    """The bytes of a page, at most one more than ``limit``: enough for the engine to see that it has to cut."""
    if is_url(source.name):
        return fetch(source.name)
    if source.path is None:
        return sys.stdin.buffer.read(limit + 1)
    try:
        with source.path.open("rb") as file:
            return file.read(limit + 1)
    except OSError as error:
        raise SourceError(describe(error)) from error


def fetch(url: str) -> bytes:
    """The one place where pages from the network will come in."""
    raise SourceError(
        f"{url}: this version does not fetch pages; download it and name the file:"
        f" curl --location --output page.html '{url}' && duramen extract page.html --url '{url}'"
    )


def describe(error: OSError) -> str:
    return f"{error.filename}: {error.strerror}" if error.filename else str(error)


class Log:
    """Standard error: messages and, on a terminal, one line that tells how far a run over many pages is."""

    def __init__(self, total: int = 1, quiet: bool = False) -> None:
        self.total, self.quiet = total, quiet
        self.done = self.failed = self.doubtful = 0
        self.began = time.monotonic()
        self.shown = 0.0
        self.live = not quiet and total > 1 and sys.stderr.isatty()

    def error(self, message: str) -> None:
        self.failed += 1
        self._say(f"error: {message}")

    def judge(self, source: Source, result: Result) -> None:
        """Warn of a result that is worth little; the run has not failed for that."""
        if result.quality.verdict not in ("poor", "empty"):
            return
        self.doubtful += 1
        if not self.quiet:
            reasons = f" ({', '.join(result.quality.reasons)})" if result.quality.reasons else ""
            self._say(f"warning: {source.name}: the result is {result.quality.verdict}{reasons}")

    def step(self) -> None:
        self.done += 1
        if self.live and time.monotonic() - self.shown >= PROGRESS_SECONDS:
            self.shown = time.monotonic()
            print(f"\r\x1b[K{self._summary()}", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        if self.total > 1 and not self.quiet:
            self._say(self._summary())

    def _summary(self) -> str:
        rate = self.done / max(time.monotonic() - self.began, 1e-6)
        return f"{self.done}/{self.total} pages, {rate:.1f}/s, {self.failed} failed, {self.doubtful} poor or empty"

    def _say(self, message: str) -> None:
        clear = "\r\x1b[K" if self.live else ""
        print(f"{clear}duramen: {printable(message)}", file=sys.stderr)


class Writer:
    """Where results go: standard output, a file, or a folder. No input is overwritten, no name used twice."""

    def __init__(self, form: str, output: str | None, sources: Sequence[Source], many: bool) -> None:
        self.form, self.many = form, many
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
            raise SourceError(f"{path}: this is the page itself; choose another --output")
        self.taken.add(self._key(path))
        text = self._render(result, source, indent=2)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        except OSError as error:
            raise SourceError(describe(error)) from error

    def _render(self, result: Result, source: Source, indent: int | None) -> str:
        if self.form == "json":
            return json.dumps({"source": source.name} | result.to_dict(), ensure_ascii=False, indent=indent) + "\n"
        text: str = getattr(result, self.form)
        return text.rstrip("\n") + "\n" if text else ""

    def _separator(self, source: Source) -> str:
        if not self.many or self.form == "json":
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
        # Folded, since many file systems take A.md and a.md for one file.
        return str(path.resolve()).casefold()


def extract_command(args: argparse.Namespace, usage: argparse.ArgumentParser) -> int:
    """Extract every source; one that fails is logged and the run goes on."""
    options = options_from(args)
    many = len(args.sources) > 1 or Path(args.sources[0]).is_dir()
    if many and args.url:
        usage.error("--url names one page, but there are several sources")
    if many and args.output and Path(args.output).is_file():
        usage.error(f"--output {args.output} is a file, but several sources need a folder")
    found = list(find_sources(args.sources, Path(args.output).resolve() if args.output else None))
    writer = Writer(args.format, args.output, [one for one in found if isinstance(one, Source)], many)
    log = Log(len(found), args.quiet)
    for one in found:
        try:
            if isinstance(one, SourceError):
                raise one
            result = extract(read_source(one, options.limits.max_bytes), args.url, options)
            writer.write(result, one)
            log.judge(one, result)
        except (BrokenPipeError, OptionError):
            raise
        except SourceError as error:
            log.error(str(error))
        except Exception as error:  # one page must not end a run over thousands
            log.error(f"{getattr(one, 'name', one)}: {type(error).__name__}: {error}; please report this page")
        log.step()
    log.close()
    return 1 if log.failed else 0


def explain_command(args: argparse.Namespace, usage: argparse.ArgumentParser) -> int:
    """Print why one page came out as it did."""
    options = options_from(args)
    if Path(args.source).is_dir():
        usage.error(f"{args.source} is a folder; explain takes one page")
    try:
        source = next(one for one in find_sources([args.source]) if isinstance(one, Source))
        result = extract(read_source(source, options.limits.max_bytes), args.url, options)
    except SourceError as error:
        Log().error(str(error))
        return 1
    lines = [result.to_json(trace=True, indent=2)] if args.json else explain(result)
    sys.stdout.writelines(f"{line}\n" for line in lines)
    sys.stdout.flush()
    return 0


def options_from(args: argparse.Namespace) -> Options:
    """The engine's options out of the command line's."""
    output = Output(
        keep_classes=args.keep_classes,
        nofollow=args.nofollow,
        links=not args.no_links,
        images=not args.no_images,
        front_matter=args.front_matter,
    )
    return Options(
        mode=args.mode,
        strategy=args.strategy,
        include_comments=args.comments,
        encoding=args.encoding,
        output=output,
    )


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="duramen", description="Find the main content of web pages.")
    parser.add_argument("--version", action="version", version=f"duramen {version('duramen')}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    about = "Write the main content of pages as Markdown, HTML, text or JSON."
    codes = "Exit code: 0 all went well, 1 some sources failed (each is told on standard error), 2 wrong usage."
    to_extract = commands.add_parser("extract", help="write the main content of pages", description=about, epilog=codes)
    to_extract.add_argument("sources", nargs="+", metavar="SOURCE", help="file, folder, URL, or - for standard input")
    to_extract.add_argument("--format", choices=tuple(SUFFIXES), default="markdown", help="default: markdown")
    to_extract.add_argument("--output", metavar="PATH", help="a file; for several sources, a folder")
    to_extract.add_argument("--quiet", action="store_true", help="no warnings and no progress; errors are still told")
    to_extract.set_defaults(run=extract_command, usage=to_extract)
    about = "Tell how a page was read, what was proposed, what won, what was removed, and the verdict."
    to_explain = commands.add_parser("explain", help="tell why a page came out as it did", description=about)
    to_explain.add_argument("source", metavar="SOURCE", help="file, URL, or - for standard input")
    to_explain.add_argument("--json", action="store_true", help="the whole result with its trace as JSON")
    to_explain.set_defaults(run=explain_command, usage=to_explain)
    for command in (to_extract, to_explain):
        _add_options(command)
    return parser


def _add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("--url", help="the page's address, for its links and its rules")
    command.add_argument("--encoding", metavar="NAME", help="the bytes' encoding, if you know it better than the page")
    command.add_argument("--mode", choices=get_args(Mode), default="balanced", help="default: balanced")
    command.add_argument("--strategy", choices=get_args(Strategy), default="auto", help="default: auto")
    command.add_argument("--comments", action="store_true", help="keep readers' comments")
    command.add_argument("--keep-classes", action="store_true", help="keep class and id in HTML")
    command.add_argument("--nofollow", action="store_true", help='add rel="nofollow" to links in HTML')
    command.add_argument("--no-links", action="store_true", help="write links as plain text")
    command.add_argument("--no-images", action="store_true", help="leave images out")
    command.add_argument("--front-matter", action="store_true", help="begin Markdown with the metadata as YAML")


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    args = build_parser().parse_args(argv)
    try:
        code: int = args.run(args, args.usage)
    except OptionError as error:
        args.usage.error(str(error))
    except BrokenPipeError:
        # The reader has gone; flushing at exit must not complain of it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except KeyboardInterrupt:
        print("\nduramen: interrupted", file=sys.stderr)
        return 130
    return code
