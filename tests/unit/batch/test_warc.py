"""WARC reading: every form, every body, and damage that costs only what it touches."""

from __future__ import annotations

import gzip
import random
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from archives import packed, page, record, write_warc

from duramen.batch.records import Damage, Item, Record, Skip
from duramen.batch.shards import Last, Reading, Shard
from duramen.batch.sources import plan_shards, read_shard

pytest.importorskip("fastwarc", reason="needs the extra 'batch'")
zstd = pytest.importorskip("backports.zstd", reason="needs the extra 'batch'")

PACKS: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gzip": packed,
    "zstd": zstd.compress,
}
SUFFIX = {"plain": ".warc", "gzip": ".warc.gz", "zstd": ".warc.zst"}


def read_all(path: Path, size: int | None = None) -> list[Item]:
    shards = plan_shards([str(path)], None, size)
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
    assert one.body == page(7) and one.url == "https://oaks1.example/7" and one.source == str(path)
    assert one.content_type == "text/html; charset=utf-8"
    assert len(plan_shards([str(path)], None, 700)) > 5


@pytest.mark.parametrize("form", PACKS)
def test_reading_goes_on_behind_any_item(form: str, tmp_path: Path) -> None:
    path = write_warc(tmp_path / f"a{SUFFIX[form]}", [page(n) for n in range(6)], PACKS[form])
    (shard,) = plan_shards([str(path)])
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
    for path in (whole, pairs):
        for size in (None, 150, 400):
            assert ids(read_all(path, size)) == list(range(12)), (path, size)
        (shard,) = plan_shards([str(path)])
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
    ],
    ids="plain gzip zlib deflate zstd brotli chunked not-chunked chunk-cut-off not-gzip two-codings".split(),
)
def test_bodies(fields: str, body: bytes | None, expected: bytes, tmp_path: Path) -> None:
    if body is None:
        body = pytest.importorskip("brotli").compress(BODY)
    path = tmp_path / "a.warc.gz"
    path.write_bytes(packed(record(0, body, fields=fields)) + packed(record(1, page(1))))
    first, second = read_all(path)
    assert isinstance(first, Record) and first.body == expected
    assert isinstance(second, Record)


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


def members(count: int) -> list[bytes]:
    """Members too long for their damage to be noticed before the record is handed out."""
    noise = random.Random(1)
    return [packed(record(n, page(n, noise.randbytes(40_000).hex()))) for n in range(count)]


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
    (shard,) = plan_shards([str(path)])
    items = list(read_shard(shard, Reading()))
    assert len(items) == 6
    for done in range(1, 6):
        last = Last(items[done - 1].offset, items[done - 1].id)
        assert list(read_shard(shard, Reading(), done, last)) == items[done:], done
