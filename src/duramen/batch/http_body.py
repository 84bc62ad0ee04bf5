"""The body of an archived HTTP response, with its transfer and content encodings removed.

Archives often keep the server's header fields with a body that was decoded before it was stored. So a body that is
not in the declared encoding is returned unchanged, a truncated one up to where it ends, and at most ``limit`` bytes.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from typing import Protocol

from duramen.batch.storage import zstd

_PIECE = 4096
_GZIP_MAGIC = b"\x1f\x8b\x08"
_SIZE_LINE = re.compile(rb"[ \t]*+(?=[0-9A-Fa-f])0*+([0-9A-Fa-f]{0,8}+)[^\r\n]{0,200}+\r?\n")


class _Decompressor(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, /) -> bytes: ...


def decoded(body: bytes, transfer: str, content: str, limit: int) -> bytes:
    """The body as the page's author wrote it; ``transfer`` and ``content`` are the values of the header fields.

    >>> decoded(b"5\\r\\nOaks \\r\\n4\\r\\nlive\\r\\n0\\r\\n\\r\\n", "chunked", "", 100)
    b'Oaks live'
    """
    for name in reversed([part.strip().lower() for part in f"{content},{transfer}".split(",")]):
        if name == "chunked":
            body = _joined_chunks(body)
        elif makers := _DECODERS.get(name):
            body = _decompressed(body, makers, limit)
    if body.startswith(_GZIP_MAGIC):
        # No page begins like this: a server has packed it without saying so, or once more than it says.
        body = _decompressed(body, (_gzip,), limit)
    return body[:limit]


def _joined_chunks(body: bytes) -> bytes:
    parts: list[bytes] = []
    at = 0
    while match := _SIZE_LINE.match(body, at):
        size = int(match.group(1) or b"0", 16)
        if size == 0:
            break
        parts.append(body[match.end() : match.end() + size])
        at = match.end() + size
        at += 2 if body[at : at + 2] == b"\r\n" else 1 if body[at : at + 1] == b"\n" else 0
        if at >= len(body):
            break
    return b"".join(parts) if parts else body


def _decompressed(body: bytes, makers: tuple[Callable[[], _Decompressor], ...], limit: int) -> bytes:
    for make in makers:
        out = bytearray()
        damaged = _decompress_into(out, body, make, limit, None)
        if damaged is not None:
            # Again, and byte by byte where it is damaged: often only a checksum at the end is wrong.
            out.clear()
            _decompress_into(out, body, make, limit, damaged)
        if out:
            return bytes(out)
    return body


def _decompress_into(
    out: bytearray, body: bytes, make: Callable[[], _Decompressor], limit: int, careful: int | None
) -> int | None:
    """Decompress into ``out``; returns the offset of the piece that is damaged, if one is."""
    decompressor = make()
    at = 0
    while at < len(body) and len(out) < limit:
        # In small pieces, so that a decompression bomb is detected early.
        step = _PIECE if careful is None or at < careful else 1
        piece = body[at : at + step]
        try:
            while piece and len(out) < limit:
                out += decompressor.decompress(piece)
                # gzip and zstd may consist of several members, one after the other.
                piece = decompressor.unused_data if decompressor.eof else b""
                decompressor = make() if decompressor.eof else decompressor
        except Exception:  # brotli and zstd raise classes of their own
            return at
        at += step
    return None


def _gzip() -> _Decompressor:
    return zlib.decompressobj(wbits=47)


def _raw_deflate() -> _Decompressor:
    return zlib.decompressobj(wbits=-15)


def _brotli() -> _Decompressor:
    import brotli

    class Brotli:
        eof, unused_data = False, b""

        def __init__(self) -> None:
            self.inner = brotli.Decompressor()

        def decompress(self, data: bytes) -> bytes:
            return bytes(self.inner.process(data))

    return Brotli()


def _zstd() -> _Decompressor:
    made: _Decompressor = zstd().ZstdDecompressor()
    return made


_DECODERS: dict[str, tuple[Callable[[], _Decompressor], ...]] = {
    "gzip": (_gzip,),
    "x-gzip": (_gzip,),
    "deflate": (_gzip, _raw_deflate),
    "br": (_brotli,),
    "zstd": (_zstd,),
}
