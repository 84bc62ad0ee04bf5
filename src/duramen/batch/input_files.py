"""From the inputs a user names to files: folders, prefixes, patterns and lists of archives are expanded."""

from __future__ import annotations

import glob
import gzip
import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from duramen.batch.storage import is_remote, list_files, open_input, public_address
from duramen.errors import BatchError

SUFFIXES = {
    "warc": (".warc", ".warc.gz", ".warc.zst", ".wacz"),
    "jsonl": (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz", ".jsonl.zst", ".ndjson.zst"),
    "parquet": (".parquet", ".pq"),
    "cdx": (".cdx", ".cdxj", ".cdx.gz", ".cdxj.gz", ".offsets"),
    "paths": (".paths", ".paths.gz"),
    "urls": (".txt", ".urls"),
}
KINDS = ("folder", *SUFFIXES)
PAGE_SUFFIXES = (".html", ".htm", ".xhtml", ".html.gz", ".htm.gz")
_DATA = tuple(suffix for kind in ("warc", "jsonl", "parquet", "cdx") for suffix in SUFFIXES[kind])
ARC = "an ARC file, the format before WARC; convert it with: warcio recompress FILE.arc.gz FILE.warc.gz"
_DERIVED = re.compile(r"\.warc\.(wet|wat)(\.gz|\.zst)?$", re.IGNORECASE)


class InputPath(NamedTuple):
    """One file, or one folder of pages."""

    path: str
    """Absolute, or the address of a remote file."""
    kind: str
    source: str
    """What rows name as their source: never an absolute local path."""


def kind_of(path: str) -> str:
    """The kind of an input, from its name."""
    name = path.partition("?")[0].lower()
    if found := _DERIVED.search(name):
        holds = "text that was already extracted" if found[1] == "wet" else "metadata of pages"
        raise BatchError(
            f"{path}: a {found[1].upper()} file holds {holds}, and no HTML; use the WARC file it was made from,"
            f" which has /warc/ for /{found[1]}/ in its path and .warc.gz for .warc.{found[1]}.gz"
        )
    if name.endswith((".arc", ".arc.gz")):
        raise BatchError(f"{path}: {ARC}")
    for kind, suffixes in SUFFIXES.items():
        if name.endswith(suffixes):
            return kind
    if not is_remote(path) and Path(path).is_dir():
        return "folder"
    if name.endswith(PAGE_SUFFIXES):
        return "folder"
    known = ", ".join(s for suffixes in SUFFIXES.values() for s in suffixes)
    raise BatchError(f"{path}: unknown kind of input; name the kind with --from, or use a name that ends in {known}")


def expand(given: str, kind: str | None, archives: str = "") -> Iterator[InputPath]:
    """The files of an input. ``archives`` is the address that a list of archives is relative to."""
    for path, source in _matching(given, kind):
        of = kind or kind_of(path)
        if of == "paths":
            yield from _listed(path, archives)
        elif of == "folder" and kind is None and (inside := _data_files(path)):
            yield from (InputPath(f"{path}/{name}", kind_of(name), f"{source}/{name}") for name in inside)
        else:
            yield InputPath(path, of, source)


def with_distinct_sources(files: Iterable[InputPath]) -> list[InputPath]:
    """The files, with more of their paths as the source where two would have the same.

    >>> files = [InputPath(f"/data/{name}/a.warc", "warc", "a.warc") for name in ("x", "y")]
    >>> [file.source for file in with_distinct_sources(files)]
    ['x/a.warc', 'y/a.warc']
    """
    found = list(files)
    groups: dict[str, set[str]] = {}
    for file in found:
        if not is_remote(file.path):
            groups.setdefault(file.source, set()).add(file.path)
    distinct = {path: _tails(paths) for paths in groups.values() if len(paths) > 1 for path in paths}
    return [file._replace(source=distinct[file.path][file.path]) if file.path in distinct else file for file in found]


def _tails(paths: set[str]) -> dict[str, str]:
    """The shortest ends of the paths that tell them apart."""
    parts = {path: path.strip("/").split("/") for path in paths}
    length = 1
    while len({tuple(words[-length:]) for words in parts.values()}) < len(parts):
        length += 1
    return {path: "/".join(words[-length:]) for path, words in parts.items()}


def _matching(given: str, kind: str | None) -> Iterator[tuple[str, str]]:
    """The files and folders that a word on the command line names, each with the name that rows use."""
    if is_remote(given):
        address, _, query = given.partition("?")
        found = [given]
        if "*" in address or "[" in address:
            start = re.split(r"[*\[]", address)[0].rpartition("/")[0]
            found = [f for f in list_files(_with(start, query)) if fnmatchcase(f.partition("?")[0], address)]
        elif address.endswith("/"):
            suffixes = _DATA if kind is None else SUFFIXES.get(kind, PAGE_SUFFIXES)
            found = [f for f in list_files(given) if f.partition("?")[0].lower().endswith(suffixes)]
        if not found:
            raise BatchError(f"{given}: no file there matches")
        local = given.startswith("file:")
        yield from ((path, path.rpartition("/")[2] if local else public_address(path)) for path in found)
        return
    matching = [given]
    if not Path(given).exists():
        matching = sorted(glob.glob(given, recursive=True))  # noqa: PTH207 - a relative pattern gives relative names
    if not matching:
        raise BatchError(f"{given}: there is no such file or folder")
    for name in matching:
        yield str(Path(name).resolve()), Path(name).name if Path(name).is_absolute() else name.rstrip("/")


def _with(address: str, query: str) -> str:
    return f"{address}?{query}" if query else address


def _data_files(folder: str) -> list[str]:
    """The archives and tables in a local folder, by name; none in a folder of pages."""
    if is_remote(folder) or not Path(folder).is_dir():
        return []
    return sorted(file.name for file in Path(folder).iterdir() if file.name.lower().endswith(_DATA))


def _listed(path: str, archives: str) -> Iterator[InputPath]:
    """The archives of a list such as Common Crawl's ``warc.paths.gz``, one path in each line."""
    with open_input(path) as raw:
        data = raw.read()
    if data.startswith(b"\x1f\x8b"):
        data = gzip.decompress(data)
    names = [line for line in data.decode("utf-8", "replace").split() if line]
    if not names:
        raise BatchError(f"{path}: names no archive; write one path in each line")
    for name in names:
        where = name if is_remote(name) else joined(path, name, archives)
        if not is_remote(where) and not Path(where).exists():
            raise BatchError(
                f"{where}: there is no such file; name the address that the paths in {Path(path).name} are relative to:"
                " --archives s3://commoncrawl or --archives https://data.commoncrawl.org"
            )
        yield InputPath(where, kind_of(where), public_address(where) if is_remote(where) else name)


def joined(listed_in: str, name: str, archives: str) -> str:
    """The address of an archive: below ``archives``, below the folder that both paths share, or beside the list."""
    address, _, query = (archives or listed_in).partition("?")
    if not archives:
        top = name.partition("/")[0]
        address = address.partition(f"/{top}/")[0] if f"/{top}/" in address else address.rpartition("/")[0]
    return _with(f"{address.rstrip('/')}/{name}", query)
