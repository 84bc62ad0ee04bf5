"""The files a run reads, recorded when it begins and compared when it is resumed: two inputs must not be mixed.

A file is the same if its size and its digest are. The digest covers all of a small file and samples of a large one,
its head and tail among them, so a file that was only touched or copied back is accepted.
"""

from __future__ import annotations

import hashlib
import json
import stat
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, NamedTuple

from duramen.batch.job import Job
from duramen.batch.sources import cdx, expand, folder
from duramen.batch.storage import Folder, info_of, is_remote, open_input
from duramen.errors import BatchError

INPUTS = "run/inputs.jsonl"
_REQUESTS = 16
"""Remote files that are queried at once."""
_SHOWN = 3


class Samples(NamedTuple):
    """How much of a file its digest covers: pieces at even distances, or all of a file that is no larger than they."""

    pieces: int
    length: int


_LOCAL, _REMOTE = Samples(16, 65_536), Samples(2, 65_536)
_PAGE = Samples(2, 4096)
"""A folder may hold millions of pages."""


@dataclass(frozen=True, slots=True)
class InputFile:
    """The state of one file, found without reading all of it."""

    path: str
    size: int | None = None
    """``None`` if the file is missing or not a regular file; then the other fields are empty too."""
    modified: str = ""
    """For remote files the ETag, where the store has one; otherwise the time of the last change."""
    digest: str = ""

    def difference(self, now: InputFile) -> str:
        """How the file has changed; empty if it has not."""
        if self.size is None or now.size is None:
            return "is missing" if self.size is not None else ""
        if self.size != now.size:
            return f"had {self.size:,} bytes and has {now.size:,}"
        return "has other content" if self.digest and now.digest and self.digest != now.digest else ""


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
    found = {path: samples for path, samples in _paths(inputs, job, kind) if not path.startswith(own)}
    for path, samples in found.items():
        if not is_remote(path):
            yield _local(path, samples, before.get(path))
    with ThreadPoolExecutor(_REQUESTS) as pool:
        yield from pool.map(lambda path: _remote(path, before.get(path)), filter(is_remote, found))


def _paths(inputs: Sequence[str], job: Job, kind: str | None) -> Iterator[tuple[str, Samples]]:
    for path, of in (found for given in inputs for found in expand(given, kind)):
        if of == "folder" and not is_remote(path) and Path(path).is_dir():
            yield from ((f"{path}/{name}", _PAGE) for name in folder.page_names(path))
            continue
        yield path, _LOCAL
        if of == "cdx":
            # Archives in object stores are left out: a list may name many thousands.
            yield from ((archive, _LOCAL) for archive in cdx.archives(path, job.reading) if not is_remote(archive))


def _local(path: str, samples: Samples, before: InputFile | None) -> InputFile:
    try:
        status = Path(path).stat()
    except OSError:
        return InputFile(path)
    if not stat.S_ISREG(status.st_mode):
        return InputFile(path)
    size, modified = status.st_size, str(status.st_mtime_ns)
    if samples is _PAGE and before is not None and (before.size, before.modified) == (size, modified):
        return before
    return InputFile(path, size, modified, _digest(path, size, samples))


def _remote(path: str, before: InputFile | None) -> InputFile:
    size, modified = info_of(path)
    if size is None:
        return InputFile(path)
    if before is not None and modified and (before.size, before.modified) == (size, modified):
        return before
    return InputFile(path, size, modified, _digest(path, size, _REMOTE))


def _digest(path: str, size: int, samples: Samples) -> str:
    """A digest of the file's samples, its first and last bytes among them; empty if it cannot be read."""
    try:
        with open_input(path) as file:
            return hashlib.blake2b(b"".join(_pieces(file, size, samples)), digest_size=12).hexdigest()
    except OSError:
        return ""


def _pieces(file: IO[bytes], size: int, samples: Samples) -> Iterator[bytes]:
    pieces, length = samples
    if size <= pieces * length:
        yield file.read(size)
        return
    for number in range(pieces):
        file.seek((size - length) * number // (pieces - 1))
        yield file.read(length)
