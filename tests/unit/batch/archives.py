"""WARC files written here, record by record."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable
from pathlib import Path

from duramen.batch.input_files import expand
from duramen.batch.shards import Reading, Shard
from duramen.batch.sources import plan_shards


def page(number: int, words: str = "") -> bytes:
    lines = "".join(f"<p>Line {i} of page {number} tells of oaks. {words}</p>" for i in range(5))
    return f"<!doctype html><html><title>Page {number}</title><body><main>{lines}</main></body></html>".encode()


def record(
    number: int,
    body: bytes,
    content_type: str = "text/html; charset=utf-8",
    fields: str = "",
    kind: str = "response",
    status: str = "200 OK",
) -> bytes:
    http = f"HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\n{fields}\r\n".encode() + body
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{number:08}>\r\n"
        f"WARC-Target-URI: https://oaks{number % 3}.example/{number}\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
        f"Content-Type: application/http; msgtype={kind}\r\nContent-Length: {len(http)}\r\n\r\n"
    )
    return head.encode() + http + b"\r\n\r\n"


def packed(data: bytes) -> bytes:
    return gzip.compress(data, 1, mtime=0)


def write_warc(path: Path, bodies: Iterable[bytes], pack: Callable[[bytes], bytes] = packed) -> Path:
    """An archive of pages; each has a request record before it, as crawlers write them."""
    with path.open("wb") as file:
        for number, body in enumerate(bodies):
            file.write(pack(record(10_000_000 + number, b"", kind="request")))
            file.write(pack(record(number, body)))
    return path


def shards_of(path: Path, size: int | None = None, reading: Reading | None = None) -> list[Shard]:
    return plan_shards(list(expand(str(path), None)), reading, size)
