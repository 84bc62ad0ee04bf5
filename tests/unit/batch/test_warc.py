"""WARC reading: every form, every body, and damage that costs only what it touches."""

from __future__ import annotations

import gzip
import random
import re
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from archives import packed, page, record, shards_of, write_warc

from duramen.batch.records import Damage, Item, Record, Skip
from duramen.batch.shards import Last, Reading, Shard
from duramen.batch.sources import read_shard
from duramen.errors import BatchError

pytest.importorskip("fastwarc", reason="needs the extra 'batch'")
zstd = pytest.importorskip("backports.zstd", reason="needs the extra 'batch'")

PACKS: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gzip": packed,
    "zstd": zstd.compress,
}
SUFFIX = {"plain": ".warc", "gzip": ".warc.gz", "zstd": ".warc.zst"}


def read_all(path: Path, size: int | None = None) -> list[Item]:
    shards = shards_of(path, size)
    return [item for shard in shards for item in read_shard(shard, Reading())]


def ids(items: list[Item]) -> list[int]:
    return [int(item.id[10:18]) for item in items if isinstance(item, Record)]


@pytest.mark.parametrize("form", PACKS)
@pytest.mark.parametrize("size", [None, 700, 5_000])
def test_every_record_is_in_one_shard(form: str, size: int | None, tmp_path: Path) -> None:
    path = write_warc(tmp_path / f"a{SUFFIX[form]}", [page(n) for n in range(40)], PACKS[form])
    items = read_all(path, size)
    assert ids(items) == list(range(40)) and len(items) == 40
    one = items[7]
    assert isinstance(one, Record)
    assert one.body == page(7) and one.url == "https://oaks1.example/7" and one.source == path.name
    assert one.content_type == "text/html; charset=utf-8"
    assert len(shards_of(path, 700)) > 5


@pytest.mark.parametrize("form", PACKS)
def test_reading_goes_on_behind_any_item(form: str, tmp_path: Path) -> None:
    path = write_warc(tmp_path / f"a{SUFFIX[form]}", [page(n) for n in range(6)], PACKS[form])
    (shard,) = shards_of(path)
    items = list(read_shard(shard, Reading()))
    for done in range(1, 7):
        last = Last(items[done - 1].offset, items[done - 1].id)
        assert list(read_shard(shard, Reading(), done, last)) == items[done:]
        # Also when the last one cannot be found again at its place.
        assert list(read_shard(shard, Reading(), done, Last(last.offset, "<another>"))) == items[done:]


def test_archives_that_are_packed_in_other_ways(tmp_path: Path) -> None:
    records = [record(n, page(n)) for n in range(12)]
    whole = tmp_path / "whole.warc.gz"
    whole.write_bytes(gzip.compress(b"".join(records)))
    pairs = tmp_path / "pairs.warc.gz"
    pairs.write_bytes(b"".join(packed(records[n] + records[n + 1]) for n in range(0, 12, 2)))
    halves = tmp_path / "halves.warc.gz"
    halves.write_bytes(b"".join(packed(data[:300]) + packed(data[300:]) for data in records))
    for path in (whole, pairs, halves):
        for size in (None, 150, 400):
            items = read_all(path, size)
            assert ids(items) == list(range(12)) and len(items) == 12, (path, size)
        (shard,) = shards_of(path)
        items = list(read_shard(shard, Reading()))
        for done in range(1, 12):
            last = Last(items[done - 1].offset, items[done - 1].id)
            assert list(read_shard(shard, Reading(), done, last)) == items[done:]


def test_wacz(tmp_path: Path) -> None:
    inner = write_warc(tmp_path / "data.warc.gz", [page(n) for n in range(20)])
    path = tmp_path / "a.wacz"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("datapackage.json", "{}")
        file.write(inner, "archive/data.warc.gz")
        file.writestr("pages/pages.jsonl", "{}", zipfile.ZIP_DEFLATED)
    assert ids(read_all(path)) == list(range(20))
    assert ids(read_all(path, 900)) == list(range(20))


BODY = b"<p>" + b"Oaks live long. " * 50 + b"</p>"


def chunk(body: bytes) -> bytes:
    return b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)


@pytest.mark.parametrize(
    ("fields", "body", "expected"),
    [
        ("", BODY, BODY),
        ("Content-Encoding: gzip\r\n", gzip.compress(BODY), BODY),
        ("Content-Encoding: deflate\r\n", zlib.compress(BODY), BODY),
        ("Content-Encoding: deflate\r\n", zlib.compress(BODY)[2:-4], BODY),
        ("Content-Encoding: zstd\r\n", zstd.compress(BODY), BODY),
        ("Content-Encoding: br\r\n", None, BODY),
        ("Transfer-Encoding: chunked\r\n", b"3\r\n<p>\r\n5;x=1\r\nOaks.\r\n0\r\n\r\n", b"<p>Oaks."),
        ("Transfer-Encoding: chunked\r\n", BODY, BODY),
        ("Transfer-Encoding: chunked\r\n", b"ff\r\n<p>Oaks", b"<p>Oaks"),
        ("Content-Encoding: gzip\r\n", BODY, BODY),
        ("Content-Encoding: gzip, identity\r\nTransfer-Encoding: identity\r\n", gzip.compress(BODY), BODY),
        ("Content-Encoding: gzip\r\nContent-Encoding: zstd\r\n", zstd.compress(gzip.compress(BODY)), BODY),
        ("Transfer-Encoding: gzip, chunked\r\n", chunk(gzip.compress(BODY)), BODY),
        ("Content-Encoding: gzip\r\n", gzip.compress(BODY[:90]) + gzip.compress(BODY[90:]), BODY),
        ("Content-Encoding: zstd\r\n", zstd.compress(BODY[:90]) + zstd.compress(BODY[90:]), BODY),
        ("Content-Encoding: gzip\r\n", gzip.compress(BODY) + b"behind it", BODY),
        ("Content-Encoding: gzip\r\n", gzip.compress(BODY)[:-8] + b"8 others", BODY),
        ("Content-Encoding: gzip\r\n", gzip.compress(gzip.compress(BODY)), BODY),
        ("", gzip.compress(BODY), BODY),
        ("Transfer-Encoding: chunked\r\n", b"00000000000b\r\n<p>Oaks.</p>\r\n0\r\n\r\n", b"<p>Oaks.</p"),
    ],
    ids=(
        "plain gzip zlib deflate zstd brotli chunked not-chunked chunk-cut-off not-gzip two-codings two-fields"
        " packed-chunks two-members two-frames trailing wrong-checksum packed-twice undeclared long-chunk-size"
    ).split(),
)
def test_bodies(fields: str, body: bytes | None, expected: bytes, tmp_path: Path) -> None:
    if body is None:
        body = pytest.importorskip("brotli").compress(BODY)
    path = tmp_path / "a.warc.gz"
    path.write_bytes(packed(record(0, body, fields=fields)) + packed(record(1, page(1))))
    first, second = read_all(path)
    assert isinstance(first, Record) and first.body == expected
    assert isinstance(second, Record)


@pytest.mark.parametrize(
    ("head", "status", "content_type"),
    [
        ("HTTP/2 200\r\ncontent-type: text/html\r\n\r\n", 200, "text/html"),
        ("HTTP/1.0 200 OK\nContent-Type: text/html\n\n", 200, "text/html"),
        ("HTTP/1.1 200 OK\r\nContent-Type: text/html, text/html\r\n\r\n", 200, "text/html, text/html"),
        ("HTTP/1.1 206\r\nContent-Type:\r\n text/html\r\nnonsense\r\n\r\n", 206, "text/html"),
        ("HTTP/1.1\r\nCONTENT-TYPE: text/html\r\n\r\n", None, "text/html"),
        ("HTTP/1.1 200 OK\r\n\r\n", 200, None),
        ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", 200, "text/html"),
        ("\r\nHTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", 200, "text/html"),
        ("HTTP/1.1 200 OK\r\nContent-Type: unknown/unknown\r\n\r\n", 200, "unknown/unknown"),
    ],
    ids="http2 line-feeds twice folded no-status no-fields interim blank-line unknown-type".split(),
)
def test_heads(head: str, status: int | None, content_type: str | None, tmp_path: Path) -> None:
    path = tmp_path / "a.warc"
    path.write_bytes(around(head.encode() + BODY) + record(1, page(1)))
    first, second = read_all(path)
    assert isinstance(first, Record) and isinstance(second, Record)
    assert (first.body, first.capture.http_status, first.content_type) == (BODY, status, content_type)


def around(block: bytes, head: str = "") -> bytes:
    """A response record of this block, with a head as Wget writes it."""
    head = head or f"Content-Length: {len(block)}\r\n"
    start = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000>\r\n"
    url = "WARC-Target-URI: <https://oaks.example/>\r\nContent-Type: application/http;msgtype=response\r\n"
    return f"{start}{url}{head}\r\n".encode() + block + b"\r\n\r\n"


def test_an_address_in_angle_brackets(tmp_path: Path) -> None:
    path = tmp_path / "a.warc"
    path.write_bytes(around(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + BODY))
    (item,) = read_all(path)
    assert isinstance(item, Record) and item.url == "https://oaks.example/"


@pytest.mark.parametrize("pack", [bytes, packed], ids=["plain", "gzip"])
def test_a_record_without_a_readable_head_fails(pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + BODY
    rest = around(block).partition(b"\r\n\r\n")[2]
    no_head = b"WARC/1.0 of sorts" + rest
    path = tmp_path / "a.warc"
    path.write_bytes(b"".join(map(pack, [around(block, "X: y\r\n"), record(1, page(1)), no_head, record(2, page(2))])))
    items = read_all(path)
    assert ids(items) == [1, 2]
    messages = [item.message for item in items if isinstance(item, Damage)]
    assert messages[0] == "the record states no Content-Length" and len(messages) == 2


def with_line_feeds(data: bytes) -> bytes:
    head, end, rest = data.partition(b"\r\n\r\n")
    return (head + end).replace(b"\r\n", b"\n") + rest


def in_lower_case(data: bytes) -> bytes:
    head, end, rest = data.partition(b"\r\n\r\n")
    return re.sub(rb"^[\w-]+(?=:)", lambda name: name[0].lower(), head, flags=re.MULTILINE) + end + rest


@pytest.mark.parametrize("form", PACKS)
@pytest.mark.parametrize("size", [None, 700])
@pytest.mark.parametrize("write", [with_line_feeds, in_lower_case])
def test_heads_of_other_writers(write: Callable[[bytes], bytes], size: int | None, form: str, tmp_path: Path) -> None:
    path = tmp_path / f"a{SUFFIX[form]}"
    records = [record(n, page(n), kind="request" if n % 4 == 3 else "response") for n in range(20)]
    path.write_bytes(b"".join(PACKS[form](write(data)) for data in records))
    items = read_all(path, size)
    assert ids(items) == [n for n in range(20) if n % 4 != 3] and len(items) == 15
    assert [item.body for item in items if isinstance(item, Record)] == [page(n) for n in range(20) if n % 4 != 3]
    assert len({item.offset for item in items}) == 15


@pytest.mark.parametrize("length", ["-5", "oak", "12 oaks"])
def test_a_length_that_is_no_number_is_damage(length: str, tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    broken = around(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + BODY, f"Content-Length: {length}\r\n")
    path.write_bytes(packed(record(1, page(1))) + packed(broken) + packed(record(2, page(2))))
    items = read_all(path)
    assert ids(items) == [1, 2] and len(items) == 3
    assert isinstance(items[1], Damage)
    assert items[1].message == f"the record states no valid Content-Length: {length}"


@pytest.mark.parametrize("form", PACKS)
@pytest.mark.parametrize("before", [b"\xef\xbb\xbf", b"rubbish" * 100])
def test_rubbish_before_the_first_record_costs_no_record(before: bytes, form: str, tmp_path: Path) -> None:
    path = tmp_path / f"a{SUFFIX[form]}"
    path.write_bytes(before + b"".join(PACKS[form](record(n, page(n))) for n in range(12)))
    items = read_all(path)
    assert ids(items) == list(range(12)) and len(items) == 13
    assert isinstance(items[0], Damage) and items[0].offset == 0


@pytest.mark.parametrize("ends", [b"", b"\r\n", b"\n\n", b"\r\n" * 3])
def test_other_line_ends_between_records_are_no_damage(ends: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.warc"
    path.write_bytes(b"\r\n" + b"".join(record(n, page(n)).removesuffix(b"\r\n\r\n") + ends for n in range(12)))
    for size in (None, 700):
        items = read_all(path, size)
        assert ids(items) == list(range(12)) and len(items) == 12


@pytest.mark.parametrize("name", ["a.arc", "a.arc.gz", "a.warc", "a.warc.gz"])
def test_arc_files_are_named(name: str, tmp_path: Path) -> None:
    data = b"filedesc://a.arc 0.0.0.0 20260101000000 text/plain 76\n1 0 Oaks\n\n"
    path = tmp_path / name
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    with pytest.raises(BatchError, match="an ARC file, the format before WARC; convert it with: warcio recompress"):
        read_all(path)


def test_a_record_right_behind_damage(tmp_path: Path) -> None:
    path = tmp_path / "a.warc"
    path.write_bytes(record(0, page(0)) + b"xyz" + record(1, page(1)))
    items = read_all(path)
    assert ids(items) == [0, 1] and sum(isinstance(item, Damage) for item in items) == 1


def test_a_bomb_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "a.warc"
    path.write_bytes(record(0, gzip.compress(bytes(50_000_000)), fields="Content-Encoding: gzip\r\n"))
    (item,) = read_shard(Shard("warc", str(path), end=path.stat().st_size), Reading(max_bytes=1000))
    assert isinstance(item, Record) and len(item.body or b"") == 1001


def test_what_is_no_page_is_counted_apart(tmp_path: Path) -> None:
    records = [
        record(0, b"\x89PNG", "image/png"),
        record(1, page(1), status="404 Not Found"),
        record(2, page(2), "application/xhtml+xml"),
        record(3, page(3), kind="metadata"),
        record(4, b"no markup at all", ""),
        record(5, page(5), ""),
    ]
    path = tmp_path / "a.warc"
    path.write_bytes(b"".join(records))
    items = read_all(path)
    assert ids(items) == [2, 5]
    assert [item.reason for item in items if isinstance(item, Skip)] == [
        "image/png",
        "HTTP status 404",
        "no content type",
    ]


def members(count: int, form: str = "gzip") -> list[bytes]:
    """Members too long for their damage to be noticed before the record is handed out."""
    noise = random.Random(1)
    return [PACKS[form](record(n, page(n, noise.randbytes(40_000).hex()))) for n in range(count)]


@pytest.mark.parametrize("where", ["magic", "head", "middle", "end", "gap", "zeros"])
@pytest.mark.parametrize("size", [None, 60_000])
def test_damage_in_gzip_costs_its_record(where: str, size: int | None, tmp_path: Path) -> None:
    parts = members(9)
    broken = bytearray(parts[4])
    spots = {"magic": 0, "head": 40, "middle": len(broken) // 2, "end": len(broken) - 8}
    if where in spots:
        broken[spots[where] : spots[where] + 8] = b"\xff" * 8
        parts[4] = bytes(broken)
    elif where == "zeros":
        parts[4] = bytes(len(broken))
    else:
        parts[4] = b"not an archive at all" * 100 + parts[4]
    path = tmp_path / "a.warc.gz"
    path.write_bytes(b"".join(parts))
    items = read_all(path, size)
    rest = [0, 1, 2, 3, 5, 6, 7, 8]
    assert ids(items) == (sorted([*rest, 4]) if where == "gap" else rest)
    damage = [item for item in items if isinstance(item, Damage)]
    assert len(damage) == 1 and damage[0].code == "corrupt"
    at = sum(map(len, parts[:4]))
    assert damage[0].offset == at


@pytest.mark.parametrize("size", [None, 60_000])
def test_damage_in_zstd_costs_its_record(size: int | None, tmp_path: Path) -> None:
    parts = members(9, "zstd")
    parts[4] = parts[4][:9000] + bytes(9000) + parts[4][18_000:]
    path = tmp_path / "a.warc.zst"
    path.write_bytes(b"".join(parts))
    items = read_all(path, size)
    assert ids(items) == [0, 1, 2, 3, 5, 6, 7, 8] and len(items) == 9
    assert [item.offset for item in items if isinstance(item, Damage)] == [sum(map(len, parts[:4]))]
    if size is not None:
        assert sum(any(read_shard(shard, Reading())) for shard in shards_of(path, size)) > 3


@pytest.mark.parametrize("cut", [8, 3000, 20_000])
def test_truncated_gzip(cut: int, tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(b"".join(members(4))[:-cut])
    items = read_all(path)
    assert ids(items) in ([0, 1, 2], [0, 1, 2, 3]) and (cut == 8 or ids(items) == [0, 1, 2])
    assert len(items) == 4


def test_damage_in_plain_and_zstd(tmp_path: Path) -> None:
    records = [record(n, page(n)) for n in range(6)]
    plain = tmp_path / "a.warc"
    plain.write_bytes(b"".join([*records[:3], b"X" * 50, records[3][50:], *records[4:]]))
    items = read_all(plain)
    assert ids(items) == [0, 1, 2, 4, 5]
    assert [i.offset for i in items if isinstance(i, Damage)] == [sum(map(len, records[:3]))]
    frames = [zstd.compress(r) for r in records]
    frames[3] = frames[3][:10] + b"\xff" * 20 + frames[3][30:]
    packed_path = tmp_path / "a.warc.zst"
    packed_path.write_bytes(b"".join(frames))
    items = read_all(packed_path)
    assert ids(items) == [0, 1, 2, 4, 5] and sum(isinstance(i, Damage) for i in items) == 1
    plain.write_bytes(b"".join(records)[:-300])
    items = read_all(plain)
    assert ids(items) == [0, 1, 2, 3, 4]
    assert isinstance(items[5], Damage) and "cut off after" in items[5].message


def test_reading_goes_on_behind_damage(tmp_path: Path) -> None:
    parts = members(6)
    parts[2] = parts[2][:1000] + b"\xff" * 50 + parts[2][1050:]
    parts[4] = b"\xff" * len(parts[4])
    path = tmp_path / "a.warc.gz"
    path.write_bytes(b"".join(parts))
    (shard,) = shards_of(path)
    items = list(read_shard(shard, Reading()))
    assert len(items) == 6
    for done in range(1, 6):
        last = Last(items[done - 1].offset, items[done - 1].id)
        assert list(read_shard(shard, Reading(), done, last)) == items[done:], done
