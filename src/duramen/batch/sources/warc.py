"""WARC files: plain, gzip, zstd, and inside WACZ. Damage only loses the records it affects.

A compressed archive is a sequence of members, usually one per record. A shard has the records that begin in its range
of bytes; its first record is the first member in the range that decompresses to a record.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

from duramen.batch.http_body import decoded
from duramen.batch.records import Damage, Item, Record, Skip
from duramen.batch.shards import Last, Reading, Shard, cuts
from duramen.batch.storage import is_remote, open_input, size_of, zstd
from duramen.errors import BatchError, MissingExtra

PAGE_TYPES = ("text/html", "application/xhtml+xml")
GZIP, ZSTD = b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd"
_WINDOW = 1 << 16
_ZIP_HEAD = struct.Struct("<26xHH")


def plan(path: str, step: int) -> Iterator[Shard]:
    if path.lower().partition("?")[0].endswith(".wacz"):
        for base, size in _packed_archives(path):
            yield from (Shard("warc", path, begin=b, end=e, base=base, length=size) for b, e in cuts(size, step))
        return
    size = size_of(path)
    with open_input(path) as file:
        form = _form(file)
        if form == "plain" and not is_remote(path):
            yield from _plan_plain(path, file, size, step)
        elif form in ("gzip", "zstd"):
            yield from (Shard("warc", path, begin=b, end=e) for b, e in cuts(size, step))
        else:
            yield Shard("warc", path, end=size)


def _form(file: IO[bytes]) -> str:
    file.seek(0)
    head = file.read(4)
    if head.startswith(GZIP):
        return "gzip"
    if head == ZSTD:
        return "zstd"
    # Others, such as zstd with its own dictionary, can only be read from the beginning.
    return "plain" if head == b"WARC" else "whole"


def _plan_plain(path: str, file: IO[bytes], size: int, step: int) -> Iterator[Shard]:
    """Cut between records, walking from header to header: text inside a record may look like one."""
    begin = at = 0
    while at < size:
        length = _plain_length(file, at)
        after = at + length if length else _find_plain(file, at + 1, size)
        if after is None:
            break
        if after - begin >= step and size - after >= step // 2:
            yield Shard("warc", path, begin=begin, end=after)
            begin = after
        at = after
    yield Shard("warc", path, begin=begin, end=size)


def _plain_length(file: IO[bytes], at: int) -> int:
    """The full length of the uncompressed record at an offset; 0 if there is none."""
    file.seek(at)
    head = file.read(_WINDOW)
    if not head.startswith(b"WARC/"):
        return 0
    end = head.find(b"\r\n\r\n")
    for line in head[: max(end, 0)].split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            return end + 4 + int(value) + 4
    return 0


def _find_plain(file: IO[bytes], at: int, size: int) -> int | None:
    while at < size:
        file.seek(at)
        window = file.read(1 << 20)
        found = window.find(b"\r\n\r\nWARC/1.")
        if found >= 0:
            return at + found + 4
        if len(window) <= 16:
            return None
        at += len(window) - 16
    return None


def _packed_archives(path: str) -> Iterator[tuple[int, int]]:
    """Offsets and lengths of the archives in a WACZ file, which stores them without further compression."""
    with open_input(path) as file, zipfile.ZipFile(file) as packed:
        for entry in packed.infolist():
            if entry.filename.endswith((".warc.gz", ".warc")):
                if entry.compress_type != zipfile.ZIP_STORED:
                    raise BatchError(f"{path}: {entry.filename} is compressed inside it; unpack the file first")
                file.seek(entry.header_offset)
                name, extra = _ZIP_HEAD.unpack(file.read(_ZIP_HEAD.size))
                yield entry.header_offset + _ZIP_HEAD.size + name + extra, entry.file_size


class Slice(io.RawIOBase):
    """A part of a file as a file."""

    def __init__(self, file: IO[bytes], base: int, size: int) -> None:
        self.file, self.base, self.size, self.at = file, base, size, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self.at

    def seek(self, offset: int, whence: int = 0) -> int:
        self.at = offset + (0, self.at, self.size)[whence]
        return self.at

    def readinto(self, buffer: Any) -> int:
        wanted = min(len(buffer), max(0, self.size - self.at))
        self.file.seek(self.base + self.at)
        data = self.file.read(wanted)
        buffer[: len(data)] = data
        self.at += len(data)
        return len(data)


@contextmanager
def _opened(shard: Shard) -> Iterator[IO[bytes]]:
    """The shard's archive, a whole file or a part of one."""
    with open_input(shard.path) as file:
        if not shard.base:
            yield file
            return
        with io.BufferedReader(Slice(file, shard.base, shard.length), _WINDOW) as inner:
            yield inner


def read(shard: Shard, reading: Reading, start: int, last: Last | None) -> Iterator[Item]:
    with _opened(shard) as file:
        yield from ShardReader(file, shard, reading).items(start, last)


def place_after(shard: Shard, last: Last | None) -> int:
    """Where the record after ``last`` begins."""
    with _opened(shard) as file:
        found = ShardReader(file, shard, Reading()).find_member(shard.begin if last is None else last.offset + 1)
    return shard.end if found is None else found


class ShardReader:
    """Reads one shard, and keeps its position so that it can continue after damage."""

    def __init__(self, file: IO[bytes], shard: Shard, reading: Reading) -> None:
        self.file, self.shard, self.reading = file, shard, reading
        self.form = _form(file)
        file.seek(0, 2)
        self.size = file.tell()
        self.stop, self.stop_id, self.bounded = self.size, "", False
        if shard.end < self.size:
            found = self.find_member(shard.end)
            if found is not None:
                self.stop, self.stop_id, self.bounded = found, self._id_at(found), True

    def find_member(self, at: int) -> int | None:
        """The first offset from ``at`` on where a record begins, found without reading from the start."""
        if self.form == "plain":
            if _plain_length(self.file, at):
                return at
            return _find_plain(self.file, max(0, at - 4), self.size)
        magic = {"gzip": GZIP, "zstd": ZSTD}.get(self.form)
        while magic and at < self.size:
            self.file.seek(at)
            window = self.file.read(1 << 20)
            found = window.find(magic)
            while found >= 0:
                if self._begins_record(at + found):
                    return at + found
                found = window.find(magic, found + 1)
            if len(window) <= 4:
                break
            at += len(window) - 3
        return None

    def _begins_record(self, at: int) -> bool:
        self.file.seek(at)
        return _unpacked_head(self.file.read(2048), self.form).startswith(b"WARC/")

    def _id_at(self, at: int) -> str:
        """The id of the record at an offset; empty if it cannot be read."""
        try:
            return next(((r.record_id or "") for r in self._archive(at)), "")
        except Exception:  # whatever a damaged archive makes its reader raise
            return ""

    def _archive(self, at: int) -> Iterator[Any]:
        try:
            from fastwarc.warc import ArchiveIterator
        except ImportError as error:
            raise MissingExtra("batch", "reading WARC files") from error
        self.file.seek(at)
        return iter(ArchiveIterator(self.file, parse_http=True, auto_decode="none"))

    def items(self, start: int, last: Last | None) -> Iterator[Item]:
        at, skip = self._resumed(start, last)
        if at is None:
            return
        for number, item in enumerate(self._walk(at, last if skip == 0 else None)):
            if number >= skip:
                yield item

    def _resumed(self, start: int, last: Last | None) -> tuple[int | None, int]:
        """Where to begin, and how many items to skip: none if the last one is found again at its offset."""
        first = self.shard.begin if self.shard.begin == 0 else self.find_member(self.shard.begin)
        if start == 0 or first is None:
            return first, 0
        if last is not None and self.form != "whole":
            if not last.id:
                return self.find_member(last.offset + 1), 0
            if self._id_at(last.offset) == last.id:
                return last.offset, 0
        return first, start

    def _walk(self, at: int, passed: Last | None) -> Iterator[Item]:
        """Every item from an offset on, after ``passed``; yields damage as an item, and continues after it."""
        while at < self.stop:
            here, expected, broken = -1, at, ""
            archive = self._archive(at)
            while True:
                try:
                    record = next(archive, None)
                except Exception as error:  # whatever a damaged archive makes its reader raise
                    broken = str(error)
                    break
                if record is None:
                    break
                if self._is_beyond(record):
                    return
                if self.form == "plain" and record.stream_pos > expected:
                    yield self._damage(expected, "no record begins here")
                here = record.stream_pos
                expected = self._expected_after(here)
                if passed is not None and passed.id and record.record_id == passed.id:
                    passed = None
                    continue
                yield from self._item(record)
            if here < 0:
                yield self._damage(at, broken or "the archive breaks off here")
                here = at
            after = self.find_member(here + 1)
            end = self._end_of(here)
            if end is not None and end < min(after or self.stop, self.stop) and not self._is_padding(end):
                yield self._damage(end, broken or "no record begins here")
            at = self.stop if after is None else after

    def _is_beyond(self, record: Any) -> bool:
        if not self.bounded or record.stream_pos < self.stop:
            return False
        return not self.stop_id or record.record_id == self.stop_id

    def _expected_after(self, here: int) -> int:
        """Where the next record of a plain archive has to begin. Reads there and restores the position."""
        if self.form != "plain":
            return 0
        back = self.file.tell()
        length = _plain_length(self.file, here)
        self.file.seek(back)
        return here + length

    def _end_of(self, at: int) -> int | None:
        """Where the member at an offset ends; ``None`` if it is damaged."""
        if self.form == "plain":
            length = _plain_length(self.file, at)
            return at + length if length and at + length <= self.size else None
        if self.form == "whole":
            return None
        self.file.seek(at)
        unpacker = _unpacker(self.form)
        try:
            while not unpacker.eof and (data := self.file.read(_WINDOW)):
                unpacker.decompress(data)
        except Exception:  # zstd raises a class of its own
            return None
        return self.file.tell() - len(unpacker.unused_data) if unpacker.eof else None

    def _is_padding(self, at: int) -> bool:
        self.file.seek(at)
        return not self.file.read(1 << 20).strip(b"\0\r\n")

    def _damage(self, at: int, what: str) -> Damage:
        return Damage(what, source=self.shard.path, offset=at)

    def _item(self, record: Any) -> Iterator[Item]:
        """The record as a page, if it is one. Request records and the like yield nothing."""
        kind = str(record.record_type)
        if kind not in ("response", "resource"):
            return
        url, id_, offset = record.headers.get("WARC-Target-URI"), record.record_id or "", record.stream_pos
        fields = record.http_headers if kind == "response" else None
        whole, most = record.content_length, self.reading.max_bytes + 1
        # Read first: a truncated record may be truncated in its header.
        try:
            body = record.reader.read(most)
        except Exception as error:  # whatever a damaged archive makes its reader raise
            yield Damage(str(error), id_, url, self.shard.path, offset)
            return
        if len(body) < min(whole, most):
            yield Damage(f"cut off after {len(body):,} of {whole:,} bytes", id_, url, self.shard.path, offset)
            return
        if fields is not None:
            body = decoded(body, fields.get("Transfer-Encoding"), fields.get("Content-Encoding"), most)
        said = (fields if fields is not None else record.headers).get("Content-Type")
        reason = _other_than_page(kind, fields, record.headers.get("WARC-Identified-Payload-Type") or said, body)
        if reason:
            yield Skip(reason, id_, offset)
        else:
            yield Record(id_, body, url, said, self.shard.path, offset)


def _other_than_page(kind: str, fields: Any, content_type: str | None, body: bytes) -> str:
    """Why a record is not a page; empty if it is one."""
    if kind == "response" and fields is None:
        return "not HTTP"
    status = fields.status_code if fields is not None else 200
    if status is not None and not 200 <= status < 300:
        return f"HTTP status {status}"
    media = (content_type or "").partition(";")[0].strip().lower()
    if media:
        return "" if media in PAGE_TYPES else media[:80]
    return "" if b"<" in body[:1024] else "no content type"


def _unpacker(form: str) -> Any:
    if form == "gzip":
        return zlib.decompressobj(wbits=31)
    return zstd().ZstdDecompressor()


def _unpacked_head(data: bytes, form: str) -> bytes:
    """The first decompressed bytes of a member; empty if there is none."""
    try:
        head: bytes = _unpacker(form).decompress(data)[:64]
    except Exception:  # zstd raises a class of its own
        return b""
    return head
