"""Where the records of an archive begin and end: plain, gzip and zstd files, found without reading from the start.

A compressed archive is a sequence of members, usually one per record. Other bytes between two records are damage, and
what is before and after them is still found.
"""

from __future__ import annotations

import re
import zlib
from typing import IO, Any

from duramen.batch.storage import zstd

_MAGIC = {"gzip": b"\x1f\x8b\x08", "zstd": b"\x28\xb5\x2f\xfd"}
_PLAIN_HEAD = re.compile(rb"WARC/[01]\.\d+\r?\n")
_HEAD_END = re.compile(rb"\r?\n\r?\n")
_UNUSUAL_HEAD = re.compile(
    rb"WARC/[^\r\n]*(?:\n|\r\n(?:[^\r\n]+\r\n)*?(?!WARC-Type|Content-Length)(?i:WARC-Type|Content-Length)[ \t]*:)"
)
_ZSTD_DICTIONARY = re.compile(rb"[\x50-\x5f]\x2a\x4d\x18")
_WINDOW, _SEARCHED = 1 << 16, 1 << 20
_FIRST_BYTES = {"gzip": 2048, "zstd": 2 << 16}
"""How much of a member gives its first bytes: zstd unpacks nothing before the whole of a block."""
_TAIL = 16
"""A record ends with two line ends; some writers leave one out or add another."""


class Framing:
    """The framing of one archive. Reading moves the file's position."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file
        file.seek(0, 2)
        self.size = file.tell()
        self.form = self._form()
        """``plain``, ``gzip``, ``zstd``, or ``whole`` for one that can only be read from the beginning."""

    def _form(self) -> str:
        head = self._at(0, 4)
        if head == b"WARC":
            return "plain"
        for form, magic in _MAGIC.items():
            if head.startswith(magic):
                return form
        if _ZSTD_DICTIONARY.match(head):
            return "whole"
        # After other bytes, the form of the first record.
        window = self._at(0, _SEARCHED)
        plain = _PLAIN_HEAD.search(window)
        end = plain.start() if plain else len(window)
        for form, magic in _MAGIC.items():
            found = window.find(magic, 0, end)
            if found >= 0 and self._member_begins(found, form):
                return form
        return "plain"

    def _at(self, at: int, length: int) -> bytes:
        self.file.seek(at)
        return self.file.read(length)

    def find(self, at: int) -> int | None:
        """The first offset from ``at`` on where a record begins."""
        if self.form == "plain":
            return at if self.plain_length(at) else self._find_plain(at)
        magic = _MAGIC.get(self.form)
        while magic and at < self.size:
            window = self._at(at, _SEARCHED)
            found = window.find(magic)
            while found >= 0:
                if self._member_begins(at + found, self.form):
                    return at + found
                found = window.find(magic, found + 1)
            if len(window) <= 4:
                break
            at += len(window) - 3
        return None

    def _member_begins(self, at: int, form: str) -> bool:
        return _unpacked(self._at(at, _FIRST_BYTES[form] + _TAIL), form, 64).startswith(b"WARC/")

    def _find_plain(self, at: int) -> int | None:
        while at < self.size:
            window = self._at(at, _SEARCHED)
            for found in _PLAIN_HEAD.finditer(window):
                if self.plain_length(at + found.start()):
                    return at + found.start()
            if len(window) <= _TAIL:
                return None
            at += len(window) - _TAIL
        return None

    def plain_length(self, at: int) -> int:
        """The length of the uncompressed record at an offset, with the line ends behind it; 0 if there is none."""
        head = self._at(at, _WINDOW)
        end = _HEAD_END.search(head) if _PLAIN_HEAD.match(head) else None
        length = declared_length(head[: end.start()]) if end else None
        if end is None or length is None:
            return 0
        tail = self._at(at + end.end() + length, _TAIL)
        return end.end() + length + len(tail) - len(tail.lstrip(b"\r\n"))

    def end_of(self, at: int) -> int | None:
        """Where the record at an offset ends, and its member; ``None`` if it is damaged."""
        if self.form == "plain":
            length = self.plain_length(at)
            return at + length if length and at + length <= self.size else None
        if self.form == "whole":
            return None
        end = after = self._member_end(at)
        while after is not None and self._at(after, 4).startswith(_MAGIC[self.form]):
            # A record may go on in another member.
            if self._member_begins(after, self.form):
                break
            end, after = after, self._member_end(after)
        return after or end

    def _member_end(self, at: int) -> int | None:
        self.file.seek(at)
        unpacker = _unpacker(self.form)
        try:
            while not unpacker.eof and (data := self.file.read(_WINDOW)):
                unpacker.decompress(data)
        except Exception:  # zstd raises a class of its own
            return None
        return self.file.tell() - len(unpacker.unused_data) if unpacker.eof else None

    def is_padding(self, at: int) -> bool:
        return not self._at(at, _SEARCHED).strip(b"\0\r\n")

    def is_blank(self, begin: int, end: int) -> bool:
        return end <= begin or not self._at(begin, end - begin).strip(b"\r\n")

    def head_at(self, at: int) -> bytes:
        """The first bytes at an offset, decompressed."""
        data = self._at(at, max(_WINDOW, _FIRST_BYTES.get(self.form, 0)) + _TAIL)
        return data if self.form == "plain" else _unpacked(data, self.form, _WINDOW)

    def block_at(self, at: int, most: int) -> bytes:
        """The block of the only record at an offset, for records whose length no reader finds; empty for none."""
        data = self.head_at(at)
        end = _HEAD_END.search(data)
        length = declared_length(data[: end.start()]) if end else None
        if end is None or length is None:
            return b""
        wanted = end.end() + min(length, most)
        if self.form == "plain":
            return self._at(at, wanted)[end.end() :]
        # What is packed is hardly ever longer than what is not.
        return _unpacked(self._at(at, wanted + _WINDOW), self.form, wanted)[end.end() :]


def is_unusual(head: bytes) -> bool:
    """Whether a record's head has line feeds alone, or names that are written in another case than usual."""
    return bool(_UNUSUAL_HEAD.match(head))


def declared_length(head: bytes) -> int | None:
    """The Content-Length of a record's head; ``None`` if it states none."""
    for line in head.split(b"\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            return int(value)
    return None


def _unpacker(form: str) -> Any:
    if form == "gzip":
        return zlib.decompressobj(wbits=31)
    return zstd().ZstdDecompressor()


def _unpacked(data: bytes, form: str, most: int) -> bytes:
    """The first decompressed bytes of a member; empty if there is none."""
    try:
        found: bytes = _unpacker(form).decompress(data, most)
    except Exception:  # zstd raises a class of its own
        return b""
    return found
