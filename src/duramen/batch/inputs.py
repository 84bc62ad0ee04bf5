"""The files a run reads, recorded when it begins and compared when it is resumed: two inputs must not be mixed.

A file is the same if its size and its digest are, so one that was only touched or copied back is accepted. Where the
digest covers only samples, the time of the last change has to be the same, too. What the file system calls unchanged is
not read again.
"""

from __future__ import annotations

import hashlib
import json
import stat
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import IO, NamedTuple

from duramen.batch.input_files import expand
from duramen.batch.job import Job
from duramen.batch.sources import cdx, folder
from duramen.batch.storage import Folder, info_of, is_remote, open_input
from duramen.errors import BatchError

INPUTS = "run/inputs.jsonl"
_REQUESTS = 16
"""Remote files that are queried at once."""
_SHOWN = 3
_PARTLY_READ = ("page", "listed")
"""Files of which the digest has samples: pages of a folder are small, and of listed archives only ranges are read."""


class Samples(NamedTuple):
    """How much of a file its digest covers: pieces at even distances, or all of a file that is no larger than they."""

    pieces: int
    length: int


_LOCAL, _REMOTE = Samples(16, 65_536), Samples(2, 65_536)
_WHOLE = Samples(1, 1 << 62)
_MOST_READ = 64_000_000_000
"""Local inputs with more bytes are compared by samples: reading them all would take minutes before the first page."""


@dataclass(frozen=True, slots=True)
class InputFile:
    """The state of one file, found without reading all of it."""

    path: str
    size: int | None = None
    """``None`` if the file is missing or not a regular file; then the other fields are empty too."""
    modified: str = ""
    """For remote files the ETag, where the store has one; otherwise the time of the last change."""
    state: str = ""
    """Of local files: what the file system changes with every write, whatever time is set."""
    digest: str = ""
    sampled: bool = False
    """Whether the digest covers only a part of the file."""

    def difference(self, now: InputFile) -> str:
        """How the file has changed; empty if it has not."""
        if self.size is None or now.size is None:
            return "is missing" if self.size is not None else ""
        if self.size != now.size:
            return f"had {self.size:,} bytes and has {now.size:,}"
        if self.digest and now.digest and self.digest != now.digest:
            return "has other content"
        return "was written again" if self.sampled and self.modified != now.modified else ""


def record_inputs(target: Folder, inputs: Sequence[str], job: Job, kind: str | None) -> None:
    """Write the state of all input files next to the plan."""
    lines = (json.dumps(asdict(file)) for file in _files(inputs, job, kind, {}))
    target.write(INPUTS, "".join(f"{line}\n" for line in lines).encode())


def check_inputs(target: Folder, inputs: Sequence[str], job: Job, kind: str | None) -> None:
    """Raise if the inputs are not those that the run in this folder began with."""
    if not target.exists(INPUTS):
        raise BatchError(
            f"{target.root}: an older version started this run and did not record the state of its inputs;"
            " start over with --restart, or choose another --output"
        )
    recorded = (InputFile(**json.loads(line)) for line in target.read(INPUTS).splitlines())
    before = {file.path: file for file in recorded}
    now = {file.path: file for file in _files(inputs, job, kind, before)}
    gone = InputFile("")
    changes = [f"{path} {change}" for path, file in before.items() if (change := file.difference(now.get(path, gone)))]
    changes += [f"{path} is new" for path in now if path not in before]
    if changes:
        more = f"; and {len(changes) - _SHOWN:,} more" if len(changes) > _SHOWN else ""
        raise BatchError(
            f"the input has changed since the run in {target.root} began: {'; '.join(changes[:_SHOWN])}{more}."
            " Put the old input back to resume, start over with --restart, or choose another --output"
        )


def _files(inputs: Sequence[str], job: Job, kind: str | None, before: Mapping[str, InputFile]) -> Iterator[InputFile]:
    """The state of every file that the inputs consist of."""
    # The output may be inside an input folder: files that the run wrote are not input.
    own = f"{Path(job.output).resolve()}/"
    found = {path: kind for path, kind in _paths(inputs, job, kind) if not path.startswith(own)}
    sizes = (Path(path).stat().st_size for path, of in found.items() if of not in _PARTLY_READ and _is_there(path))
    samples = _WHOLE if sum(sizes) <= _MOST_READ else _LOCAL
    for path, of in found.items():
        if of == "page":
            # One after the other: a folder may hold millions.
            yield _local(path, _LOCAL, before.get(path))
    with ThreadPoolExecutor(_REQUESTS) as pool:

        def look(path: str) -> InputFile:
            known = before.get(path)
            if is_remote(path):
                return _remote(path, known)
            return _local(path, _LOCAL if found[path] in _PARTLY_READ else samples, known)

        yield from pool.map(look, (path for path, of in found.items() if of != "page"))


def _is_there(path: str) -> bool:
    return not is_remote(path) and Path(path).is_file()


def _paths(inputs: Sequence[str], job: Job, kind: str | None) -> Iterator[tuple[str, str]]:
    """All files, each with the kind of input it is, or ``page`` or ``listed``."""
    for path, of, _ in (found for given in inputs for found in expand(given, kind, job.reading.archives)):
        if of == "folder" and not is_remote(path) and Path(path).is_dir():
            yield from ((f"{path}/{name}", "page") for name in folder.page_names(path))
            continue
        yield path, of
        if of == "cdx":
            # Archives in object stores are left out: a list may name many thousands.
            yield from ((archive, "listed") for archive in cdx.archives(path, job.reading) if not is_remote(archive))


def _local(path: str, samples: Samples, before: InputFile | None) -> InputFile:
    try:
        status = Path(path).stat()
    except OSError:
        return InputFile(path)
    if not stat.S_ISREG(status.st_mode):
        return InputFile(path)
    now = InputFile(path, status.st_size, str(status.st_mtime_ns), f"{status.st_ino} {status.st_ctime_ns}")
    if before is not None and replace(before, digest="", sampled=False) == now:
        return before
    return _with_digest(now, samples)


def _remote(path: str, before: InputFile | None) -> InputFile:
    size, modified = info_of(path)
    if size is None:
        return InputFile(path)
    if before is not None and modified and (before.size, before.modified) == (size, modified):
        return before
    return _with_digest(InputFile(path, size, modified), _REMOTE)


def _with_digest(file: InputFile, samples: Samples) -> InputFile:
    """The file with a digest of its samples, its first and last bytes among them; with none if it cannot be read."""
    digest, size = hashlib.blake2b(digest_size=12), file.size or 0
    try:
        with open_input(file.path) as opened:
            for piece in _pieces(opened, size, samples):
                digest.update(piece)
    except OSError:
        return file
    return replace(file, digest=digest.hexdigest(), sampled=size > samples.pieces * samples.length)


def _pieces(file: IO[bytes], size: int, samples: Samples) -> Iterator[bytes]:
    pieces, length = samples
    if size <= pieces * length:
        while piece := file.read(1 << 20):
            yield piece
        return
    for number in range(pieces):
        file.seek((size - length) * number // (pieces - 1))
        yield file.read(length)
