"""Request bodies with a Content-Encoding: decompressed within the limits, or refused; never read as something else."""

from __future__ import annotations

import gzip
import json
import sys
import zlib
from collections.abc import Callable

import brotli
import httpx2
import pytest

from .process import TOKEN, memory_of, running
from .site import SHORT
from .test_access import INITIALIZE

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    import backports.zstd as zstd

HTML = {"Content-Type": "text/html; charset=utf-8"}


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


PACKERS: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "gzip": ("gzip", gzip.compress),
    "x-gzip": ("X-GZIP", gzip.compress),
    "deflate": ("deflate", zlib.compress),
    "raw deflate": ("deflate", raw_deflate),
    "br": ("br", brotli.compress),
    "zstd": ("zstd", zstd.compress),
    "identity": ("identity", lambda data: data),
    "empty": ("", lambda data: data),
}


@pytest.mark.parametrize("name", PACKERS)
def test_encoded_bodies_are_read(service: str, mcp_address: str, name: str) -> None:
    coding, pack = PACKERS[name]
    encoded = {"Content-Encoding": coding}
    response = httpx2.post(f"{service}/extract", content=pack(SHORT.encode()), headers=HTML | encoded, timeout=60)
    assert response.json()["title"] == "A flat board"
    data = json.dumps({"html": SHORT}).encode()
    headers = {"Content-Type": "application/json"} | encoded
    assert httpx2.post(f"{service}/extract", content=pack(data), headers=headers).json()["title"] == "A flat board"
    headers |= {"Accept": "application/json, text/event-stream", "Authorization": f"Bearer {TOKEN}"}
    response = httpx2.post(mcp_address, content=pack(json.dumps(INITIALIZE).encode()), headers=headers)
    assert response.status_code == 200 and "serverInfo" in response.text


@pytest.mark.parametrize("name", ["gzip", "zstd"])
def test_nothing_of_a_body_in_several_parts_is_lost(service: str, name: str) -> None:
    coding, pack = PACKERS[name]
    middle = SHORT.index("</h1>")
    content = pack(SHORT[:middle].encode()) + pack(SHORT[middle:].encode())
    response = httpx2.post(f"{service}/extract", content=content, headers=HTML | {"Content-Encoding": coding})
    assert response.json() == httpx2.post(f"{service}/extract", content=SHORT.encode(), headers=HTML).json()


@pytest.mark.parametrize(
    "codings", [["compress"], ["gzip, gzip"], ["gzip", "br"], ["gzip;q=1"], ["aes128gcm"], ["*"], ["utf-8"]]
)
def test_other_encodings_are_refused(service: str, mcp_address: str, codings: list[str]) -> None:
    encoded = [("Content-Encoding", coding) for coding in codings]
    for url, more in ((f"{service}/extract", []), (mcp_address, [("Authorization", f"Bearer {TOKEN}")])):
        response = httpx2.post(url, content=gzip.compress(SHORT.encode()), headers=[*HTML.items(), *encoded, *more])
        assert (response.status_code, response.headers["accept-encoding"]) == (415, "gzip, deflate, br, zstd")
        assert response.json()["type"] == "urn:duramen:problem:wrong-encoding"


@pytest.mark.parametrize("name", ["gzip", "deflate", "br", "zstd"])
@pytest.mark.parametrize("damage", [lambda data: data[:-20], lambda data: b"\x8b" + data, lambda data: b"<p>plain</p>"])
def test_damaged_bodies_are_refused(
    service: str, mcp_address: str, name: str, damage: Callable[[bytes], bytes]
) -> None:
    coding, pack = PACKERS[name]
    body, encoded = damage(pack(SHORT.encode())), {"Content-Encoding": coding}
    for url, more in ((f"{service}/extract", {}), (mcp_address, {"Authorization": f"Bearer {TOKEN}"})):
        response = httpx2.post(url, content=body, headers=HTML | encoded | more)
        assert response.status_code == 422
        assert response.json()["type"] == "urn:duramen:problem:damaged-body"


@pytest.mark.parametrize("name", ["gzip", "deflate", "br", "zstd"])
def test_bombs_are_refused_within_bounded_memory(name: str) -> None:
    coding, pack = PACKERS[name]
    bomb = pack(b"<p>" * 30_000_000)
    with running("serve", "--workers", "1") as (address, pid), running("mcp", "--http", token=TOKEN) as (agents, other):
        for url, process in ((f"{address}/extract", pid), (f"{agents}/mcp", other)):
            headers = HTML | {"Content-Encoding": coding, "Authorization": f"Bearer {TOKEN}"}
            before = memory_of(process)
            for _ in range(3):
                assert httpx2.post(url, content=bomb, headers=headers, timeout=60).status_code == 413
            assert memory_of(process) - before < 60_000_000


def test_no_body_is_not_an_empty_page(service: str) -> None:
    response = httpx2.post(
        f"{service}/extract", content=gzip.compress(b""), headers=HTML | {"Content-Encoding": "gzip"}
    )
    assert (response.status_code, response.json()["type"]) == (422, "urn:duramen:problem:no-body")
