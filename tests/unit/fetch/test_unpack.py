"""Bodies are unpacked in pieces: limits hold before memory is used."""

from __future__ import annotations

import gzip
import os
import sys
import tracemalloc
import zlib

import brotli
import pytest

from duramen.errors import TooLarge, UnsupportedContent
from duramen.fetch.unpack import Body

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    import backports.zstd as zstd

PACK = {
    "gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": lambda data: brotli.compress(data, quality=5),
    "zstd": zstd.compress,
}
TEXT = b"Heartwood is the dead centre of a trunk. " * 500


def unpack(coding: str, data: bytes, limit: int = 10_000_000, step: int = 1000, cut: bool = False) -> Body:
    body = Body("https://wood.example/", coding, limit, cut)
    for at in range(0, len(data), step):
        body.feed(data[at : at + step])
    return body


@pytest.mark.parametrize("step", [1, 7, 1000, 10**9])
@pytest.mark.parametrize("coding", PACK)
def test_whole(coding: str, step: int) -> None:
    body = unpack(coding, PACK[coding](TEXT), step=step)
    assert body.content() == TEXT and body.is_complete


def test_not_packed() -> None:
    for coding in ("", "identity"):
        assert unpack(coding, TEXT).content() == TEXT


def test_bare_deflate() -> None:
    packer = zlib.compressobj(wbits=-15)
    assert unpack("deflate", packer.compress(TEXT) + packer.flush()).content() == TEXT


@pytest.mark.parametrize("coding", PACK)
def test_cut_off(coding: str) -> None:
    assert not unpack(coding, PACK[coding](os.urandom(5000))[:-40]).is_complete


@pytest.mark.parametrize("coding", ["gzip", "deflate", "zstd"])
def test_what_follows_the_end_is_ignored(coding: str) -> None:
    body = unpack(coding, PACK[coding](TEXT) + b"more")
    assert body.content() == TEXT


@pytest.mark.parametrize("step", [1, 1000, 10**9])
@pytest.mark.parametrize("coding", ["gzip", "zstd"])
def test_several_behind_each_other_are_one(coding: str, step: int) -> None:
    """As programs write them that pack in parallel, or append."""
    parts = [TEXT, b"", TEXT[:100]]
    packed = b"".join(PACK[coding](part) for part in parts)
    body = unpack(coding, packed, step=step)
    assert body.content() == b"".join(parts) and body.is_complete
    assert not unpack(coding, packed[:-6], step=step).is_complete


@pytest.mark.parametrize("coding", PACK)
def test_not_what_it_says(coding: str) -> None:
    with pytest.raises(UnsupportedContent, match="cannot be decompressed"):
        unpack(coding, b"<html>plain text" * 10)


@pytest.mark.parametrize("coding", ["gzip, br", "gzip, gzip, gzip, gzip", "compress", "gzip;q=1", "aws-chunked"])
def test_unknown_codings_and_chains(coding: str) -> None:
    with pytest.raises(UnsupportedContent, match="supported: gzip"):
        Body("https://wood.example/", coding, 1000)


@pytest.mark.parametrize("coding", PACK)
def test_bomb(coding: str) -> None:
    """Forty megabytes of nothing: stopped after one, with little memory."""
    bomb = PACK[coding](bytes(40_000_000))
    body = Body("https://wood.example/", coding, 30_000_000)
    tracemalloc.start()
    try:
        with pytest.raises(TooLarge, match="200 times"):
            body.feed(bomb)
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("coding", ["", *PACK])
def test_limits_before_and_after(coding: str) -> None:
    noise = os.urandom(50_000)
    packed = PACK[coding](noise) if coding else noise
    with pytest.raises(TooLarge, match="as sent"):
        unpack(coding, packed, limit=40_000)
    if coding:
        with pytest.raises(TooLarge, match="unpacked"):
            unpack(coding, PACK[coding](TEXT), limit=10_000)


def test_cut_instead_of_refused() -> None:
    body = unpack("gzip", gzip.compress(TEXT), limit=100, cut=True)
    assert body.content() == TEXT[:100] and body.is_full and body.is_complete


def test_a_large_window_is_not_given() -> None:
    packer = zstd.ZstdCompressor(options={zstd.CompressionParameter.window_log: 27})
    packed = packer.compress(os.urandom(200_000)) + packer.flush()
    with pytest.raises(UnsupportedContent):
        unpack("zstd", packed)
