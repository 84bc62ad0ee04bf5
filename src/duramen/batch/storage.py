"""Local and remote files: local paths, and ``s3://``, ``gs://``, ``hdfs://`` and others through pyarrow or fsspec.

Writes are atomic: a file is written under a temporary name, synced, then renamed. In object stores an upload becomes
visible only when it is complete.
"""

from __future__ import annotations

import contextlib
import os
import platform
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import IO, Any, cast

from duramen.batch.locks import has_locks, lock
from duramen.errors import BatchError, MissingExtra

UNFINISHED = "run/unfinished"
_ARROW_SCHEMES = ("s3", "gs", "gcs", "hdfs", "viewfs", "abfs", "abfss", "file", "mock")


def zstd() -> Any:
    """The standard library's zstd module, or its backport before Python 3.14."""
    for name in ("compression.zstd", "backports.zstd"):
        try:
            return import_module(name)
        except ImportError:
            continue
    raise MissingExtra("batch", "zstd")


_SCRATCH = "duramen-batch-"


@contextmanager
def scratch_folder() -> Iterator[str]:
    """A temporary local folder. Folders that killed processes left behind are removed by the next process.

    The owner holds a lock in its folder, which the system releases when the owner ends; unlocked folders are removed.
    """
    if has_locks():
        for left in Path(tempfile.gettempdir()).glob(f"{_SCRATCH}*"):
            _clear_if_left(left)
    folder = Path(tempfile.mkdtemp(prefix=_SCRATCH))
    with (folder / "new").open("w") as held:
        lock(held, wait=True)
        # Gets this name only when it is locked, so that no other process removes it as left over.
        (folder / "new").rename(folder / "lock")
        try:
            yield str(folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def _clear_if_left(folder: Path) -> None:
    # Another user's folder cannot be opened; one that another process just removed needs nothing more.
    with contextlib.suppress(OSError), (folder / "lock").open("r+") as held:
        if lock(held):
            shutil.rmtree(folder, ignore_errors=True)


def is_remote(path: str) -> bool:
    return "://" in path


@lru_cache(maxsize=64)
def _filesystem(root: str) -> tuple[Any, str]:
    """The file system of a URI's scheme, host and query, and the path of its root."""
    try:
        import pyarrow.fs as arrow
    except ImportError as error:
        raise MissingExtra("batch", f"reading or writing {root}") from error
    scheme = root.partition("://")[0]
    if scheme in _ARROW_SCHEMES:
        system, path = arrow.FileSystem.from_uri(root)
        return system, str(path)
    try:
        import fsspec

        return arrow.PyFileSystem(arrow.FSSpecHandler(fsspec.filesystem(scheme))), ""
    except ImportError as error:
        raise BatchError(f"{root}: for {scheme}:// addresses run: pip install fsspec aiohttp ({error})") from error


def _remote(path: str) -> tuple[Any, str]:
    """The file system of an address, and the path in it."""
    scheme, _, rest = path.partition("://")
    if scheme not in _ARROW_SCHEMES:
        return _filesystem(f"{scheme}://")[0], path
    rest, mark, query = rest.partition("?")
    host, _, inside = rest.partition("/")
    system, root = _filesystem(f"{scheme}://{host}{'/' if scheme == 'file' else ''}{mark}{query}")
    return system, f"{root.rstrip('/')}/{inside}"


def public_address(path: str) -> str:
    """A remote address without user, password and query.

    >>> public_address("s3://key:secret@crawl/a.warc.gz?endpoint_override=localhost:9000")
    's3://crawl/a.warc.gz'
    """
    scheme, _, rest = path.partition("://")
    host, slash, inside = rest.partition("?")[0].partition("/")
    return f"{scheme}://{host.rpartition('@')[2]}{slash}{inside}"


def list_files(address: str) -> list[str]:
    """The addresses of all files below a remote folder or prefix, sorted."""
    import pyarrow.fs as arrow

    start, mark, query = address.partition("?")
    start = start.rstrip("/")
    system, bare = _remote(f"{start}{mark}{query}")
    try:
        found = system.get_file_info(arrow.FileSelector(bare, recursive=True))
    except (OSError, NotImplementedError) as error:
        raise BatchError(f"{public_address(address)}: cannot be listed: {error}") from error
    return sorted(f"{start}/{info.path[len(bare) :].lstrip('/')}{mark}{query}" for info in found if info.is_file)


def open_input(path: str) -> IO[bytes]:
    """Open a file as a seekable binary stream."""
    if not is_remote(path):
        return Path(path).open("rb")
    system, bare = _remote(path)
    return cast("IO[bytes]", system.open_input_file(bare))


def read_range(path: str, offset: int, length: int) -> bytes:
    """Some bytes of a file; fewer if the file ends before."""
    if not is_remote(path):
        with Path(path).open("rb") as file:
            file.seek(offset)
            return file.read(length)
    system, bare = _remote(path)
    wrapped = getattr(getattr(system, "handler", None), "fs", None)
    if wrapped is not None:
        return bytes(wrapped.cat_file(bare, start=offset, end=offset + length))
    with system.open_input_file(bare) as stream:
        stream.seek(offset)
        return bytes(stream.read(length))


def size_of(path: str) -> int:
    if not is_remote(path):
        return Path(path).stat().st_size
    system, bare = _remote(path)
    size: int | None = system.get_file_info(bare).size
    if size is None:
        raise BatchError(f"{path}: there is no such file, or it cannot be read")
    return size


def info_of(path: str) -> tuple[int | None, str]:
    """Size and version of a remote file; no size if it is missing. The version is empty if the store has none."""
    system, bare = _remote(path)
    info = system.get_file_info(bare)
    modified = info.mtime_ns
    wrapped = getattr(getattr(system, "handler", None), "fs", None)
    if info.size is not None and wrapped is not None:
        details = wrapped.info(bare)
        modified = details.get("ETag") or details.get("etag") or details.get("Last-Modified") or modified
    return info.size, str(modified or "")


class Folder:
    """The folder a run writes to, local or remote. File names are relative and use ``/``."""

    def __init__(self, root: str) -> None:
        self.remote = is_remote(root)
        # The query of a remote address has the settings of its store, such as endpoint_override.
        address, mark, query = root.partition("?") if self.remote else (root, "", "")
        self.root, self._query = address.rstrip("/") or "/", mark + query

    def uri(self, name: str) -> str:
        return f"{self.root}/{name}{self._query}"

    def path(self, name: str) -> Path:
        return Path(self.root, name)

    def exists(self, name: str) -> bool:
        if not self.remote:
            return self.path(name).exists()
        system, bare = _remote(self.uri(name))
        return bool(system.get_file_info(bare).is_file)

    def size(self, name: str) -> int:
        return size_of(self.uri(name))

    def read(self, name: str) -> bytes:
        with open_input(self.uri(name)) as file:
            return file.read()

    def names(self, below: str, suffix: str) -> list[str]:
        """The file names in one folder, sorted; empty if it does not exist."""
        if not self.remote:
            folder = self.path(below)
            return sorted(f.name for f in folder.iterdir() if f.name.endswith(suffix)) if folder.is_dir() else []
        import pyarrow.fs as arrow

        system, bare = _remote(self.uri(below))
        found = system.get_file_info(arrow.FileSelector(bare, allow_not_found=True))
        return sorted(info.base_name for info in found if info.is_file and info.base_name.endswith(suffix))

    def write(self, name: str, data: bytes) -> None:
        with self.create(name) as file:
            file.write(data)

    @contextmanager
    def create(self, name: str) -> Iterator[IO[bytes]]:
        """A stream for a new file, which appears when the block ends without an exception."""
        if self.remote:
            system, bare = _remote(self.uri(name))
            if system.type_name in ("local", "hdfs"):
                system.create_dir(bare.rpartition("/")[0], recursive=True)
            with system.open_output_stream(bare) as stream:
                yield stream
            return
        path = self.path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = self.unfinished(name)
        try:
            with unfinished.open("wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            unfinished.replace(path)
        except BaseException:
            unfinished.unlink(missing_ok=True)
            raise
        sync_folder(path.parent)

    def unfinished(self, name: str) -> Path:
        """The temporary path of a file before it gets its name: on the same disk, in a hidden folder.

        Killed writers leave files there; a run clears the folder when it begins and when it ends.
        """
        folder = self.path(UNFINISHED)
        folder.mkdir(parents=True, exist_ok=True)
        return folder / f"{name.replace('/', '-')[-150:]}.{platform.node()}.{os.getpid()}"

    def remove(self, name: str) -> None:
        if not self.remote:
            path = self.path(name)
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
            return
        import pyarrow.fs as arrow

        system, bare = _remote(self.uri(name))
        found = system.get_file_info(bare).type
        if found == arrow.FileType.File:
            system.delete_file(bare)
        elif found == arrow.FileType.Directory:
            system.delete_dir(bare)


def sync_folder(folder: Path) -> None:
    """Sync a folder, so that a rename in it survives a power failure."""
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
