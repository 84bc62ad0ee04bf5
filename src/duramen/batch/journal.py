"""A shard's journal: the pages its worker has finished, so that a crash loses none of them.

Frames are appended with one system call each. A frame that was cut off by a crash or power failure does not match its
checksum: it and everything after it is truncated when the journal is opened again.
"""

from __future__ import annotations

import json
import os
import struct
import time
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from duramen.batch.locks import lock
from duramen.batch.records import Failure
from duramen.errors import BatchError

ROW, FAILURE, SKIP, DROP = 1, 2, 3, 4

_HEAD = struct.Struct("<IIQB7x")
"""Checksum of the rest of the frame, length of the payload, the item's offset in its source, kind."""
_LOCK_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Frame:
    kind: int
    offset: int
    payload: bytes


class Journal:
    """Opened by one worker at a time: a lock keeps a worker that is being killed from writing after its successor."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            self._lock()
            self.count, self.last, self._end = self._recover()
        except BaseException:
            os.close(self._fd)
            raise

    def _lock(self) -> None:
        limit = time.monotonic() + _LOCK_SECONDS
        while not lock(self._fd):
            if time.monotonic() > limit:
                raise BatchError(f"{self.path}: another process works on this shard; stop it first")
            time.sleep(0.02)

    def _recover(self) -> tuple[int, Frame | None, int]:
        count, end = 0, 0
        last: Frame | None = None
        for frame, behind in _frames(self._fd):
            count, last, end = count + 1, frame, behind
        os.ftruncate(self._fd, end)
        return count, last, end

    def append(self, kind: int, offset: int, payload: bytes) -> None:
        head = _HEAD.pack(0, len(payload), offset, kind)
        data = head + payload
        data = zlib.crc32(data[4:]).to_bytes(4, "little") + data[4:]
        written = 0
        try:
            while written < len(data):
                written += os.pwrite(self._fd, data[written:], self._end + written)
        except OSError:
            os.ftruncate(self._fd, self._end)
            raise
        self._end += written
        self.count += 1
        self.last = Frame(kind, offset, payload)

    def frames(self) -> Iterator[Frame]:
        for frame, _ in _frames(self._fd):
            yield frame

    def placed_frames(self) -> Iterator[tuple[Frame, int]]:
        """Every frame with its place, for :meth:`frame_at`."""
        at = 0
        for frame, end in _frames(self._fd):
            yield frame, at
            at = end

    def frame_at(self, place: int) -> Frame:
        frame, _ = next(_frames(self._fd, place))
        return frame

    def remove(self) -> None:
        self.path.unlink(missing_ok=True)
        self.close()

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def journal_frames(path: Path) -> Iterator[Frame]:
    """The complete frames of a journal that no worker has open."""
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        for frame, _ in _frames(fd):
            yield frame
    finally:
        os.close(fd)


def _frames(fd: int, at: int = 0) -> Iterator[tuple[Frame, int]]:
    """Every complete frame, with its end offset."""
    size = os.fstat(fd).st_size
    while at + _HEAD.size <= size:
        head = os.pread(fd, _HEAD.size, at)
        checksum, length, offset, kind = _HEAD.unpack(head)
        end = at + _HEAD.size + length
        if end > size:
            return
        payload = os.pread(fd, length, at + _HEAD.size)
        if zlib.crc32(payload, zlib.crc32(head[4:])) != checksum:
            return
        yield Frame(kind, offset, payload), end
        at = end


def encode(row: dict[str, Any] | Failure, carried: bytes = b"") -> bytes:
    """A row or a failure as the bytes that the journal stores: JSON, and the columns carried through behind it."""
    data = asdict(row) if isinstance(row, Failure) else row
    text = json.dumps(data, ensure_ascii=False).encode("utf-8", "replace")
    return text + b"\n" + carried if carried else text


def decode(payload: bytes) -> dict[str, Any]:
    """The row that :func:`encode` wrote; the columns carried through are bytes in ``_carried``."""
    text, _, carried = payload.partition(b"\n")
    row: dict[str, Any] = json.loads(text)
    if carried:
        row["_carried"] = carried
    return row
