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

_SIZE_LINE = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,8})[^\r\n]{0,200}\r?\n")


class _Decompressor(Protocol):
    def decompress(self, data: bytes, /) -> bytes: ...


def decoded(body: bytes, transfer: str | None, content: str | None, limit: int) -> bytes:
    """The body as the page's author wrote it.

    >>> decoded(b"5\\r\\nOaks \\r\\n4\\r\\nlive\\r\\n0\\r\\n\\r\\n", "chunked", None, 100)
    b'Oaks live'
    """
    if transfer and "chunked" in transfer.lower():
        body = _joined_chunks(body)
    for name in reversed([part.strip().lower() for part in (content or "").split(",")]):
        make = _DECODERS.get(name)
        if make is not None:
            body = _decompressed(body, make, limit)
    return body[:limit]


def _joined_chunks(body: bytes) -> bytes:
    parts: list[bytes] = []
    at = 0
    while match := _SIZE_LINE.match(body, at):
        size = int(match.group(1), 16)
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
        try:
            decompressor = make()
            # In small pieces, so that a decompression bomb is detected early.
            for at in range(0, len(body), 4096):
                out += decompressor.decompress(body[at : at + 4096])
                if len(out) >= limit:
                    break
        except Exception:  # brotli and zstd raise classes of their own
            if not out:
                continue
        if out:
            return bytes(out)
    return body


def _gzip() -> _Decompressor:
    return zlib.decompressobj(wbits=47)


def _raw_deflate() -> _Decompressor:
    return zlib.decompressobj(wbits=-15)


def _brotli() -> _Decompressor:
    import brotli

    class Brotli:
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
