"""The sources of commands: files, folders, URLs and standard input."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from glob import glob
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from duramen.errors import DuramenError, OptionError
from duramen.options import FetchOptions, Options
from duramen.pipeline import extract
from duramen.result import Result

if TYPE_CHECKING:
    from duramen.selector_cache import SelectorCache
    from duramen.session import Session

PAGE_SUFFIXES = (".html", ".htm", ".xhtml")


class SourceError(DuramenError):
    """A source cannot be read, or its result cannot be written."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where one page comes from."""

    name: str
    """As the user wrote it, or as found in a folder: a path, a URL, or ``-``."""
    stem: PurePath
    """The relative name of its result in an output folder, without suffix."""
    path: Path | None = None


def is_url(name: str) -> bool:
    return name.lower().startswith(("http://", "https://"))


def is_pattern(name: str) -> bool:
    """Whether a name is a pattern of file names, which the shell did not expand: quoted, or on Windows."""
    return any(mark in name for mark in "*?[") and "://" not in name and not Path(name).exists()


def find_sources(names: Sequence[str], skip: Path | None = None) -> Iterator[Source | SourceError]:
    """All pages of the named sources; folders are searched in a fixed order, without the output folder ``skip``."""
    for name in names:
        path = Path(name)
        if not name:
            yield SourceError("the name of a source is empty; name a file, a folder, a URL, or - for standard input")
        elif name == "-":
            yield Source(name, PurePath("stdin"))
        elif is_url(name):
            yield Source(name, PurePath(re.sub(r"[^\w.-]+", "-", name.partition("://")[2]).strip("-.") or "page"))
        elif other := re.match(r"([A-Za-z][\w+.-]+):/{1,2}", name):
            yield SourceError(f"{name}: {_other_scheme(other[1].lower())}")
        elif is_pattern(name):
            # Path.glob takes no absolute pattern.
            found = sorted(Path(one) for one in glob(name, recursive=True) if Path(one).is_file())  # noqa: PTH207
            yield from (Source(str(one), PurePath(one.name).with_suffix(""), one) for one in found)
            if not found:
                yield SourceError(f"{name}: no file matches this pattern")
        elif path.is_dir():
            # With several sources, each folder keeps its own name, so that equal file names in them do not clash.
            yield from _find_in_folder(path, path.resolve().name if len(names) > 1 else "", skip)
        else:
            yield Source(name, PurePath(path.name).with_suffix(""), path)


def _other_scheme(scheme: str) -> str:
    if scheme == "file":
        return "name the file by its path, without file://"
    return f"{scheme}: is not supported, only http: and https: are; download the page, and name the file"


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


class Reader:
    """Reads and extracts sources; opens a session with the first URL."""

    def __init__(
        self, options: Options, fetch: FetchOptions, url: str | None = None, selectors: SelectorCache | None = None
    ) -> None:
        self.options, self.fetch, self.url, self.selectors = options, fetch, url, selectors
        self._session: Session | None = None

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_: object) -> None:
        if self._session is not None:
            self._session.close()

    def result_of(self, source: Source) -> Result:
        if not is_url(source.name):
            page = read_source(source, self.options.limits.max_bytes)
            return (self.selectors.extract if self.selectors else extract)(page, self.url, self.options)
        if self.url is not None:
            raise OptionError("--url is for files; a page from the network has its own URL")
        if self._session is None:
            from duramen.session import Session

            self._session = Session(self.options, self.fetch, self.selectors)
        return self._session.extract(source.name)


def read_source(source: Source, limit: int) -> bytes:
    """The bytes of a page, at most ``limit`` plus one, which shows the engine that the page is longer."""
    if source.path is None:
        return sys.stdin.buffer.read(limit + 1)
    try:
        with source.path.open("rb") as file:
            return file.read(limit + 1)
    except OSError as error:
        raise SourceError(describe(error) + _address_advice(source, error)) from error


def _address_advice(source: Source, error: OSError) -> str:
    """Advice for a source such as ``example.org/page``, which was probably meant as a URL."""
    host = re.fullmatch(r"[\w-]+(\.[\w-]+)*\.[a-z]{2,}(/.*)?", source.name, re.I)
    if not isinstance(error, FileNotFoundError) or not host or source.name.lower().endswith(PAGE_SUFFIXES):
        return ""
    return f"; if it is a URL, write https://{source.name}"


def describe(error: OSError) -> str:
    return f"{error.filename}: {error.strerror}" if error.filename else str(error)
