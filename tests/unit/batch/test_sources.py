"""Folders, JSONL, Parquet, CDX and lists of addresses."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest
from archives import packed, page, record, shards_of

from duramen.batch.input_files import kind_of
from duramen.batch.job import Job
from duramen.batch.records import Damage, Item, Record, Skip
from duramen.batch.run import run_batch
from duramen.batch.shards import Reading
from duramen.batch.sinks import read_table
from duramen.batch.sources import read_shard
from duramen.batch.storage import Folder
from duramen.errors import BatchError


def read_all(path: Path, size: int | None = None, reading: Reading | None = None) -> list[Item]:
    reading = reading or Reading()
    shards = shards_of(path, size, reading)
    items = [item for shard in shards for item in read_shard(shard, reading)]
    for shard in shards:
        whole = list(read_shard(shard, reading))
        for done in range(1, min(len(whole), 5)):
            assert list(read_shard(shard, reading, done)) == whole[done:]
    return items


def bodies(items: list[Item]) -> list[object]:
    return [item.body for item in items if isinstance(item, Record)]


def test_folder(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "two.HTM").write_bytes(page(2))
    (tmp_path / "a.html").write_bytes(page(1))
    (tmp_path / "c.html.gz").write_bytes(gzip.compress(page(3)))
    (tmp_path / "broken.html.gz").write_bytes(gzip.compress(page(3))[:-20])
    (tmp_path / "notes.md").write_text("not a page")
    items = read_all(tmp_path)
    assert [item.id for item in items] == ["a.html", "b/two.HTM", "broken.html.gz", "c.html.gz"]
    assert bodies(items) == [page(1), page(2), page(3)]
    assert isinstance(items[2], Damage) and items[2].code == "unreadable"


def test_names_that_are_no_text(tmp_path: Path) -> None:
    try:
        Path(tmp_path, os.fsdecode(b"\xff\xe9.html")).write_bytes(page(1))
    except OSError:
        pytest.skip("this file system takes only names that are UTF-8")
    (tmp_path / "line\nfeed.html").write_bytes(page(2))
    job = Job(output=str(tmp_path / "out"), format="jsonl", extractor="faulty:quick")
    for _ in range(2):
        assert run_batch([str(tmp_path)], job, workers=1).total.rows == 2
    rows = read_table(Folder(str(tmp_path / "out")), "pages/part-00000.jsonl", ("id",))
    assert [row["id"] for row in rows] == ["line\nfeed.html", "??.html"]


def test_file_that_went_away_is_a_failure(tmp_path: Path) -> None:
    for n in range(3):
        (tmp_path / f"{n}.html").write_bytes(page(n))
    shards = shards_of(tmp_path)
    (tmp_path / "1.html").unlink()
    items = [item for shard in shards for item in read_shard(shard, Reading())]
    assert isinstance(items[1], Damage) and "No such file" in items[1].message and len(items) == 3


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.ndjson.zst"])
def test_jsonl(name: str, tmp_path: Path) -> None:
    lines = [json.dumps({"html": page(n).decode(), "url": f"https://oaks.example/{n}", "id": n}) for n in range(20)]
    lines[3:5] = ["{broken", '["no object"]', "", json.dumps({"html": None, "url": "https://oaks.example/none"})]
    data = "\n".join(lines).encode()
    path = tmp_path / name
    if name.endswith(".gz"):
        data = gzip.compress(data)
    elif name.endswith(".zst"):
        data = pytest.importorskip("backports.zstd").compress(data)
    path.write_bytes(data)
    items = read_all(path, 1500)
    assert [i.id for i in items if isinstance(i, Record)] == [str(n) for n in range(20) if n not in (3, 4)]
    assert [i.message[:12] for i in items if isinstance(i, Damage)] == ["not JSON: Ex", "not a JSON o", "column 'html"]
    if name == "a.jsonl":
        assert len(shards_of(path, 1500)) > 3


def test_truncated_jsonl_gz_keeps_what_can_be_read(tmp_path: Path) -> None:
    lines = "".join(json.dumps({"html": page(n).decode()}) + "\n" for n in range(5000)).encode()
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(lines, 1)[:-2000])
    (shard,) = shards_of(path)
    items = list(read_shard(shard, Reading()))
    assert 1000 < len(items) < 5000
    assert isinstance(items[-1], Damage) and all(isinstance(i, Record) for i in items[:-2])


def test_parquet(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow", reason="needs the extra 'batch'")
    pq = pytest.importorskip("pyarrow.parquet")
    table = pa.table(
        {"content": [page(n) for n in range(100)], "link": [f"https://oaks.example/{n}" for n in range(100)]}
    )
    path = tmp_path / "a.parquet"
    pq.write_table(table, path, row_group_size=10)
    reading = Reading("content", "link")
    items = read_all(path, 1, reading)
    assert bodies(items) == [page(n) for n in range(100)]
    assert items[42].offset == 42 and items[42].id == "a.parquet#42"
    assert len(shards_of(path, 1, reading)) == 10
    with pytest.raises(BatchError, match=r"there is no column 'html'; name one of content, link with --html-column"):
        read_all(path)
    (tmp_path / "b.parquet").write_bytes(path.read_bytes()[:-10])
    with pytest.raises(BatchError, match="not a complete Parquet file"):
        read_all(tmp_path / "b.parquet")


def test_cdx_and_offset_lists_read_only_their_ranges(tmp_path: Path) -> None:
    pytest.importorskip("fastwarc", reason="needs the extra 'batch'")
    parts = [packed(record(n, page(n))) for n in range(6)] + [packed(record(6, b"\x89PNG", "image/png"))]
    places = [(sum(map(len, parts[:n])), len(parts[n])) for n in range(7)]
    (tmp_path / "crawl").mkdir()
    (tmp_path / "crawl" / "a.warc.gz").write_bytes(b"".join(parts))
    cdxj = [
        f"example,oaks)/{n} 20260101000000 "
        + json.dumps(
            {"url": f"https://oaks.example/{n}", "filename": "crawl/a.warc.gz", "offset": str(o), "length": str(s)}
        )
        for n, (o, s) in enumerate(places)
    ]
    (tmp_path / "a.cdxj").write_text("\n".join(["!meta 0 {}", cdxj[4], cdxj[1], cdxj[6], "rubbish"]))
    items = read_all(tmp_path / "a.cdxj")
    assert bodies(items) == [page(4), page(1)]
    assert isinstance(items[2], Skip) and isinstance(items[3], Damage)
    (tmp_path / "a.offsets").write_text(
        f"crawl/a.warc.gz {places[3][0]} {places[3][1]}\ncrawl/a.warc.gz 99999999 10\nnowhere.warc.gz 0 10\n"
    )
    items = read_all(tmp_path / "a.offsets")
    assert bodies(items) == [page(3)]
    assert [item.code for item in items if isinstance(item, Damage)] == ["corrupt", "unreadable"]
    at, length = places[2]
    old = f"example,oaks)/2 20260101000000 https://oaks.example/2 text/html 200 ABC - - {length} {at} a.warc.gz"
    (tmp_path / "old.cdx").write_text(f" CDX N b a m s k r M S V g\n{old}\n")
    reading = Reading(archives=str(tmp_path / "crawl"))
    assert bodies(read_all(tmp_path / "old.cdx", None, reading)) == [page(2)]
    # Other fields, as the first line has them; a brace in an address is no JSON.
    (tmp_path / "other.cdx").write_text(f" CDX a b V g u S\nhttps://x.example/{{2}} 2026 {at} a.warc.gz x:y {length}\n")
    (item,) = read_all(tmp_path / "other.cdx", None, reading)
    assert isinstance(item, Record) and item.body == page(2)
    # As Wget writes it.
    (tmp_path / "wget.cdx").write_text(f" CDX a b a m s k r M V g u\na 2026 a text/html 200 A - - {at} a.warc.gz x:y\n")
    with pytest.raises(BatchError, match="there is no field S in its header; use the archives themselves"):
        read_all(tmp_path / "wget.cdx", None, reading)


def test_lists_of_addresses_keep_hosts_together(tmp_path: Path) -> None:
    urls = [f"https://host{n % 7}.example/{n}" for n in range(700)]
    path = tmp_path / "urls.txt"
    path.write_text("# a list\n" + "\n".join([*urls, urls[0], "ftp://oaks.example/", ""]))
    shards = shards_of(path)
    assert len(shards) > 1
    assert sorted(url for shard in shards for url in shard.names) == sorted([*urls, "ftp://oaks.example/"])
    hosts = [{url.split("/")[2] for url in shard.names} for shard in shards]
    assert all(not one & other for i, one in enumerate(hosts) for other in hosts[:i])
    items = [item for shard in shards for item in read_shard(shard, Reading())]
    assert sum(isinstance(item, Damage) for item in items) == 1


def test_kinds_are_told_by_names(tmp_path: Path) -> None:
    names = {"a.warc.gz": "warc", "a.WACZ": "warc", "a.jsonl.zst": "jsonl", "a.parquet": "parquet", "a.cdxj": "cdx"}
    names |= {"a.html": "folder", "a.html.gz": "folder"}
    assert {name: kind_of(name) for name in names} == names
    assert kind_of(str(tmp_path)) == "folder"
    with pytest.raises(BatchError, match="unknown kind of input; name the kind with --from"):
        kind_of("pages.zip")
    with pytest.raises(BatchError, match="there is no such file"):
        shards_of(tmp_path / "gone.warc.gz")
    with pytest.raises(BatchError, match=r"no file in it ends in \.html"):
        shards_of(tmp_path)


def test_a_folder_of_archives_stands_for_each(tmp_path: Path) -> None:
    pytest.importorskip("fastwarc", reason="needs the extra 'batch'")
    for name in "ba":
        (tmp_path / f"{name}.warc.gz").write_bytes(packed(record(0, page(0))))
    assert [Path(shard.path).name for shard in shards_of(tmp_path)] == ["a.warc.gz", "b.warc.gz"]
