"""Decompression of bodies in small pieces, as protection from decompression bombs."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import brotli

from duramen.errors import TooLarge, UnsupportedContent

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    import backports.zstd as zstd

ACCEPT_ENCODING = "gzip, deflate, br, zstd"

PIECE = 65_536
"""Maximum of bytes decompressed at once."""
MOST_RATIO = 200
"""Maximum compression ratio; real pages stay far below."""
RATIO_FROM = 1_000_000
"""Up to this size the ratio is not checked."""
_ZSTD_WINDOW = 23
"""8 MiB, the maximum of RFC 9659."""


class Body:
    """Collects the decompressed body."""

    def __init__(self, url: str, coding: str, limit: int, cut: bool = False) -> None:
        self.url, self.limit, self.cut = url, limit, cut
        self.sent = 0
        self.is_full = False
        """Whether ``cut`` truncated it at the limit."""
        self._pieces: list[bytes] = []
        self.size = 0
        """Decompressed so far."""
        codings = [name for name in coding.lower().replace(" ", "").split(",") if name and name != "identity"]
        if len(codings) > 1 or not _CODINGS.keys() >= set(codings):
            raise UnsupportedContent(
                url, f"unknown content encoding {coding!r}", "supported: gzip, deflate, br and zstd"
            )
        self._unpacker = _CODINGS[codings[0]]() if codings else None

    def feed(self, data: bytes) -> None:
        """Add the next bytes; raises if a limit is exceeded."""
        self.sent += len(data)
        if self.sent > self.limit and not self.cut:
            raise self._too_large("as sent")
        if self._unpacker is None:
            self._keep(data)
            return
        try:
            for piece in self._unpacker.feed(data):
                self._keep(piece)
                if self.is_full:
                    return
        except (zlib.error, brotli.error, zstd.ZstdError, EOFError) as error:
            raise UnsupportedContent(
                self.url, f"the page cannot be decompressed ({error})", "the server is broken"
            ) from None

    def _keep(self, piece: bytes) -> None:
        self._pieces.append(piece)
        self.size += len(piece)
        if self.cut and self.size >= self.limit:
            self.is_full = True
        elif self.size > self.limit:
            raise self._too_large("unpacked")
        elif self.size > max(RATIO_FROM, MOST_RATIO * self.sent):
            raise TooLarge(
                self.url,
                f"it decompresses to more than {MOST_RATIO} times its size",
                "it looks like a decompression bomb",
            )

    @property
    def is_complete(self) -> bool:
        """Whether the compressed stream is complete."""
        return self.is_full or self._unpacker is None or not self.sent or self._unpacker.is_done

    def content(self) -> bytes:
        return b"".join(self._pieces)[: self.limit]

    def _too_large(self, how: str) -> TooLarge:
        return TooLarge(
            self.url, f"the page has more than {self.limit:,} bytes {how}", "raise the limit: max_bytes, --max-bytes"
        )


class _Zlib:
    """gzip, of which several may follow each other, and both formats that servers call deflate."""

    def __init__(self, bits: int) -> None:
        self._bits = bits
        self._inner = zlib.decompressobj(bits)
        self._begun = False
        self._behind = _Behind(b"\x1f\x8b" if bits > zlib.MAX_WBITS else b"")

    @property
    def is_done(self) -> bool:
        return self._inner.eof

    def feed(self, data: bytes) -> Iterator[bytes]:
        if not self._begun and self._bits == zlib.MAX_WBITS and data and data[0] & 0x0F != 8:
            # Without a zlib header it is a raw deflate stream.
            self._inner = zlib.decompressobj(-zlib.MAX_WBITS)
        self._begun = self._begun or bool(data)
        while data:
            if self._inner.eof:
                data = self._behind.another(data)
                if not data:
                    return
                self._inner = zlib.decompressobj(self._bits)
            yield self._inner.decompress(data, PIECE)
            data = self._inner.unconsumed_tail or self._inner.unused_data


class _Brotli:
    def __init__(self) -> None:
        self._inner = brotli.Decompressor()

    @property
    def is_done(self) -> bool:
        return bool(self._inner.is_finished())

    def feed(self, data: bytes) -> Iterator[bytes]:
        if self._inner.is_finished():
            return
        yield self._inner.process(data, output_buffer_limit=PIECE)
        while not self._inner.can_accept_more_data() and not self._inner.is_finished():
            yield self._inner.process(b"", output_buffer_limit=PIECE)


class _Zstd:
    """Zstandard, of which several frames may follow each other."""

    def __init__(self) -> None:
        self._inner = self._new()
        self._behind = _Behind(b"\x28\xb5\x2f\xfd")

    @staticmethod
    def _new() -> zstd.ZstdDecompressor:
        return zstd.ZstdDecompressor(options={zstd.DecompressionParameter.window_log_max: _ZSTD_WINDOW})

    @property
    def is_done(self) -> bool:
        return bool(self._inner.eof)

    def feed(self, data: bytes) -> Iterator[bytes]:
        while data:
            if self._inner.eof:
                data = self._behind.another(data)
                if not data:
                    return
                self._inner = self._new()
            yield self._inner.decompress(data, PIECE)
            while not self._inner.needs_input and not self._inner.eof:
                yield self._inner.decompress(b"", PIECE)
            data = self._inner.unused_data


class _Behind:
    """What follows the end of compressed data: more of it, or something that is ignored, as browsers do."""

    def __init__(self, mark: bytes) -> None:
        self._mark = mark
        self._held: bytes | None = b"" if mark else None

    def another(self, data: bytes) -> bytes:
        """The beginning of more compressed data; nothing while that is not certain, or if it is something else."""
        if self._held is None:
            return b""
        self._held += data
        if self._held.startswith(self._mark):
            data, self._held = self._held, b""
            return data
        if not self._mark.startswith(self._held):
            self._held = None
        return b""


_CODINGS: dict[str, Callable[[], Any]] = {
    "gzip": lambda: _Zlib(16 + zlib.MAX_WBITS),
    "x-gzip": lambda: _Zlib(16 + zlib.MAX_WBITS),
    "deflate": lambda: _Zlib(zlib.MAX_WBITS),
    "br": _Brotli,
    "zstd": _Zstd,
}
