"""WARC files: plain, gzip, zstd, and inside WACZ. Damage only loses the records it affects.

A compressed archive is a sequence of members, usually one per record. A shard has the records that begin in its range
of bytes; its first record is the first member in the range that decompresses to a record.
"""

from __future__ import annotations

import io
import re
import struct
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

from duramen.batch.http_body import decoded
from duramen.batch.http_head import MOST_BYTES, HttpHead, parse_head
from duramen.batch.input_files import ARC
from duramen.batch.records import Capture, Damage, Item, Record, Skip
from duramen.batch.shards import Last, Reading, Shard, cuts
from duramen.batch.sources.warc_framing import Framing, is_unusual
from duramen.batch.storage import is_remote, open_input
from duramen.errors import BatchError, MissingExtra

PAGE_TYPES = ("text/html", "application/xhtml+xml")
_UNKNOWN_TYPES = ("unknown/unknown", "application/unknown", "*/*")
"""Types that servers send for want of one: the body decides, as in browsers."""
_NO_PAGES = ("warcinfo", "request", "metadata")
"""Records about others: they are not counted."""
_OTHER_KINDS = {
    "revisit": "revisit: the page is in an earlier record",
    "conversion": "conversion: text that was already extracted, as in WET files",
}
NO_LENGTH = "the record states no Content-Length"
_WINDOW = 1 << 16
_ZIP_HEAD = struct.Struct("<26xHH")


def plan(path: str, step: int, reading: Reading) -> Iterator[Shard]:
    if path.lower().partition("?")[0].endswith(".wacz"):
        for base, size in _packed_archives(path):
            yield from (Shard("warc", path, begin=b, end=e, base=base, length=size) for b, e in cuts(size, step))
        return
    with open_input(path) as file:
        framing = Framing(file)
        if framing.head_at(0).startswith(b"filedesc:"):
            raise BatchError(f"{path}: {ARC}")
        if framing.form == "plain" and not is_remote(path):
            yield from _plan_plain(path, framing, step)
        elif framing.form in ("gzip", "zstd"):
            yield from (Shard("warc", path, begin=b, end=e) for b, e in cuts(framing.size, step))
        else:
            yield Shard("warc", path, end=framing.size)


def _plan_plain(path: str, framing: Framing, step: int) -> Iterator[Shard]:
    """Cut between records, walking from header to header: text inside a record may look like one."""
    size = framing.size
    begin = at = 0
    while at < size:
        length = framing.plain_length(at)
        after = at + length if length else framing.find(at + 1)
        if after is None:
            break
        if after - begin >= step and size - after >= step // 2:
            yield Shard("warc", path, begin=begin, end=after)
            begin = after
        at = after
    yield Shard("warc", path, begin=begin, end=size)


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
        found = Framing(file).find(shard.begin if last is None else last.offset + 1)
    return shard.end if found is None else found


class ShardReader:
    """Reads one shard, and keeps its position so that it can continue after damage."""

    def __init__(self, file: IO[bytes], shard: Shard, reading: Reading) -> None:
        self.file, self.shard, self.reading = file, shard, reading
        self.framing = Framing(file)
        self.form, self.size = self.framing.form, self.framing.size
        self.stop, self.stop_id, self.bounded = self.size, "", False
        if shard.end < self.size:
            found = self.framing.find(shard.end)
            if found is not None:
                self.stop, self.stop_id, self.bounded = found, self._id_at(found), True

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
        # This mode passes over damage in silence.
        lenient = is_unusual(self.framing.head_at(at))
        self.file.seek(at)
        return iter(ArchiveIterator(self.file, parse_http=False, auto_decode="none", quirks_mode=lenient))

    def items(self, start: int, last: Last | None) -> Iterator[Item]:
        at, skip = self._resumed(start, last)
        if at is None:
            return
        for number, item in enumerate(self._walk(at, last if skip == 0 else None)):
            if number >= skip:
                yield item

    def _resumed(self, start: int, last: Last | None) -> tuple[int | None, int]:
        """Where to begin, and how many items to skip: none if the last one is found again at its offset."""
        first = self.shard.begin if self.shard.begin == 0 else self.framing.find(self.shard.begin)
        if start == 0 or first is None:
            return first, 0
        if last is not None and self.form != "whole":
            if not last.id:
                return self.framing.find(last.offset + 1), 0
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
                if self.form == "plain" and not self._is_blank(expected, record.stream_pos):
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
            after = self.framing.find(here + 1)
            end = self.framing.end_of(here)
            if end is not None and end < min(after or self.stop, self.stop) and not self.framing.is_padding(end):
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
        length = self.framing.plain_length(here)
        self.file.seek(back)
        return here + length

    def _is_blank(self, begin: int, end: int) -> bool:
        """Whether there are only line ends between two records."""
        back = self.file.tell()
        blank = self.framing.is_blank(begin, min(end, begin + 64))
        self.file.seek(back)
        return blank

    def _block_at(self, at: int, most: int) -> bytes:
        back = self.file.tell()
        block = self.framing.block_at(at, most)
        self.file.seek(back)
        return block

    def _damage(self, at: int, what: str) -> Damage:
        return Damage(what, source=self.shard.source, offset=at)

    def _item(self, record: Any) -> Iterator[Item]:
        """The record as a page, if it is one. Request records and the like yield nothing."""
        # Some writers have lower case, where FastWARC finds no kind and no length.
        kind = (record.headers.get("WARC-Type") or "unknown").strip().lower()[:40]
        if kind in _NO_PAGES:
            return
        url, id_, offset = _address(record.headers), record.record_id or "", record.stream_pos
        if kind == "unknown" and not id_:
            yield self._damage(offset, "the record's header cannot be read")
            return
        if kind not in ("response", "resource"):
            yield Skip(_OTHER_KINDS.get(kind, kind), id_, offset)
            return
        length, most = (record.headers.get("Content-Length") or "").strip(), self.reading.max_bytes + 1
        whole, block, broken = 0, b"", ""
        try:
            whole = int(length) if length.isdecimal() else 0
            if not length.isdecimal():
                broken = f"the record states no valid Content-Length: {length[:40]}" if length else NO_LENGTH
            elif record.content_length != whole:
                block = self._block_at(offset, most + MOST_BYTES)
            else:
                block = record.reader.read(most + MOST_BYTES)
        except Exception as error:  # whatever a damaged archive makes its reader raise
            broken = str(error)
        if not broken and len(block) < min(whole, most):
            broken = f"cut off after {len(block):,} of {whole:,} bytes"
        if broken:
            yield Damage(broken, id_, url, self.shard.source, offset)
            return
        head = parse_head(block) if kind == "response" else None
        body = block[:most]
        if head is not None:
            transfer, content = head.joined("transfer-encoding"), head.joined("content-encoding")
            body = decoded(block[head.size :], transfer, content, most)
        said = head.first("content-type") if head is not None else record.headers.get("Content-Type")
        reason = _other_than_page(kind, head, record.headers.get("WARC-Identified-Payload-Type") or said, body)
        if reason:
            yield Skip(reason, id_, offset)
        else:
            status = head.status if head is not None else None
            yield Record(id_, body, url, said, self.shard.source, offset, _capture(record.headers, status))


def _address(headers: Any) -> str | None:
    """The page's address; Wget and others write it in angle brackets, as the grammar of WARC 1.0 has it."""
    url: str | None = headers.get("WARC-Target-URI")
    return url[1:-1] if url and url.startswith("<") and url.endswith(">") else url


def _capture(headers: Any, status: int | None) -> Capture:
    digest = headers.get("WARC-Payload-Digest") or headers.get("WARC-Block-Digest")
    date, address, truncated = (headers.get(f"WARC-{name}") for name in ("Date", "IP-Address", "Truncated"))
    return Capture(date, status, digest, address, truncated)


def _other_than_page(kind: str, head: HttpHead | None, content_type: str | None, body: bytes) -> str:
    """Why a record is not a page; empty if it is one."""
    if kind == "response" and head is None:
        return "not HTTP"
    status = head.status if head is not None else None
    if status is not None and not 200 <= status < 300:
        return f"HTTP status {status}"
    # A server that states its type twice states it with a comma between.
    media = re.split("[;,]", content_type or "", maxsplit=1)[0].strip().lower()
    if "/" in media and media not in _UNKNOWN_TYPES:
        return "" if media in PAGE_TYPES else media[:80]
    return "" if b"<" in body[:1024] else "no content type"
