"""Common Crawl from end to end, on an S3 server and a web server of our own."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from archives import packed, page, record, shards_of, write_warc
from stores import s3_server, web_server
from test_faults import rows

from duramen.batch.input_files import expand
from duramen.batch.job import Job
from duramen.batch.run import run_batch
from duramen.batch.shards import Reading
from duramen.batch.storage import Folder, public_address
from duramen.errors import BatchError

pytest.importorskip("fastwarc", reason="needs the extra 'batch'")
pa = pytest.importorskip("pyarrow", reason="needs the extra 'batch'")
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")

CRAWL = "crawl-data/CC-MAIN-2026-10"
NAMES = [f"{CRAWL}/segments/{n}/warc/{n}.warc.gz" for n in range(3)]


def archive(number: int) -> bytes:
    return b"".join(packed(record(10 * number + n, page(10 * number + n))) for n in range(10))


def index() -> Any:
    """Rows of the columnar index for every second page."""
    found: dict[str, list[Any]] = {name: [] for name in ("url", "warc_filename", "warc_record_offset")}
    found |= {"warc_record_length": [], "content_languages": []}
    for number, name in enumerate(NAMES):
        at = 0
        for n in range(10):
            size = len(packed(record(10 * number + n, page(10 * number + n))))
            if n % 2 == 0:
                for column, value in zip(found, (f"https://x.example/{n}", name, at, size, "eng"), strict=True):
                    found[column].append(value)
            at += size
    return pa.table(found)


def need_web_addresses() -> None:
    """Skip where no library reads http:// addresses as files; none is in an extra, and .ci/run has both."""
    for library in ("fsspec", "aiohttp"):
        pytest.importorskip(library, reason=f"needs {library}, to read http:// addresses as files")


@pytest.fixture(scope="module")
def store() -> Iterator[tuple[str, Any]]:
    pytest.importorskip("moto", reason="needs moto[s3,server]")
    before = dict(os.environ)
    os.environ |= {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_EC2_METADATA_DISABLED": "true"}
    try:
        with s3_server() as (address, client):
            place = {"CreateBucketConfiguration": {"LocationConstraint": "eu-north-1"}}
            client.create_bucket(Bucket="commoncrawl", **place)
            client.create_bucket(Bucket="results", **place)
            for number, name in enumerate(NAMES):
                client.put_object(Bucket="commoncrawl", Key=name, Body=archive(number))
            lines = "".join(f"{name}\n" for name in NAMES).encode()
            client.put_object(Bucket="commoncrawl", Key=f"{CRAWL}/warc.paths.gz", Body=gzip.compress(lines))
            yield f"endpoint_override={address}&scheme=http&region=eu-north-1", client
    finally:
        os.environ.clear()
        os.environ |= before


def job(out: str | Path, **values: Any) -> Job:
    return Job(output=str(out), extractor="faulty:quick", **values)


@pytest.mark.parametrize("where", [f"{CRAWL}/warc.paths.gz", f"{CRAWL}/segments/", f"{CRAWL}/segments/*/warc/*.gz"])
def test_lists_prefixes_and_patterns(where: str, store: tuple[str, Any], tmp_path: Path) -> None:
    query, _ = store
    summary = run_batch([f"s3://commoncrawl/{where}?{query}"], job(tmp_path / "out"), workers=1)
    assert summary.complete and summary.total.rows == 30
    sources = [row["source"] for row in rows(tmp_path / "out", "pages", "source")]
    assert sources == [f"s3://commoncrawl/{name}" for name in NAMES for _ in range(10)]


def test_output_to_an_object_store_partitioned_filtered_and_read_again(store: tuple[str, Any], tmp_path: Path) -> None:
    query, client = store
    out = f"s3://results/cc/text?{query}"
    wanted = job(out, partition=("crawl",), drop_duplicates="exact", drop=("id=<urn:uuid:00000007>",), dropped=True)
    source = [f"s3://commoncrawl/{CRAWL}/warc.paths.gz?{query}"]
    summary = run_batch(source, wanted, workers=2)
    assert summary.complete and summary.adds_up and summary.total.rows == 29
    keys = [item["Key"] for item in client.list_objects_v2(Bucket="results", Prefix="cc/text/")["Contents"]]
    assert "cc/text/pages/crawl=CC-MAIN-2026-10/part-00000.parquet" in keys and "cc/text/summary.json" in keys
    assert not [key for key in keys if "staged" in key and not key.endswith("/")]
    data = client.get_object(Bucket="results", Key="cc/text/summary.json")["Body"].read()
    again = run_batch(source, wanted, workers=2)
    assert again.to_dict() == json.loads(data)
    with pytest.raises(BatchError, match=r"s3://results/cc/text: the run in this folder differs in drop"):
        run_batch(source, job(out), workers=1)


def test_a_kill_costs_nothing_on_the_same_machine(store: tuple[str, Any], tmp_path: Path) -> None:
    """Journals of a remote output are on the local disk, under a name that belongs to the run."""
    query, _ = store
    source = write_warc(tmp_path / "a.warc.gz", [page(n, "DAWDLE DAWDLE") for n in range(150)])
    command = [sys.executable, "-m", "duramen", "batch", str(source), "--output", f"s3://results/killed?{query}"]
    command += ["--workers", "1", "--extractor", "faulty:faulty"]
    env = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "TMPDIR": str(tmp_path)}
    run = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while not [p for p in tmp_path.glob("duramen-journals-*/part-*") if p.stat().st_size > 10_000]:
        assert run.poll() is None, run.communicate()[1].decode()
        time.sleep(0.02)
    run.kill()
    run.communicate()
    run = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    output, messages = run.communicate()
    summary = json.loads(output)
    assert summary["rows"] == 150 and 0 < summary["pages"] < 150, messages.decode()
    assert list(tmp_path.glob("duramen-journals-*")) == []


@pytest.mark.parametrize("scheme", ["s3", "http"])
def test_the_columnar_index(scheme: str, store: tuple[str, Any], tmp_path: Path) -> None:
    if scheme == "http":
        need_web_addresses()
    pq = pytest.importorskip("pyarrow.parquet")
    query, _ = store
    pq.write_table(index(), tmp_path / "selected.parquet", row_group_size=4)
    for number, name in enumerate(NAMES):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_bytes(archive(number))
    with web_server(tmp_path) as (address, requests):
        archives = f"s3://commoncrawl?{query}" if scheme == "s3" else address
        wanted = job(tmp_path / "out", reading=Reading(archives=archives))
        summary = run_batch([str(tmp_path / "selected.parquet")], wanted, workers=1)
    assert summary.total.rows == 15 and summary.adds_up
    found = rows(tmp_path / "out", "pages", "id", "source", "offset", "content_languages", "warc_filename", "text")
    assert [row["id"] for row in found] == [f"<urn:uuid:{n:08}>" for n in range(0, 30, 2)]
    assert found[7]["source"].endswith(NAMES[1]) and found[7]["content_languages"] == "eng"
    assert [row["offset"] for row in found] == index()["warc_record_offset"].to_pylist()
    if scheme == "http":
        assert len(requests) == 15 and all("bytes=" in line for line in requests), "one request for each page"


def test_archives_from_a_web_server(tmp_path: Path) -> None:
    need_web_addresses()
    for number, name in enumerate(NAMES):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_bytes(archive(number))
    (tmp_path / CRAWL / "warc.paths.gz").write_bytes(gzip.compress("\n".join(NAMES).encode()))
    with web_server(tmp_path) as (address, _):
        summary = run_batch([f"{address}/{CRAWL}/warc.paths.gz"], job(tmp_path / "out"), workers=1)
        assert summary.total.rows == 30
        assert rows(tmp_path / "out", "pages", "source")[-1]["source"] == f"{address}/{NAMES[2]}"
        with pytest.raises(BatchError, match="cannot be listed"):
            list(expand(f"{address}/{CRAWL}/", None))


def test_a_local_list_needs_an_address(tmp_path: Path) -> None:
    (tmp_path / "warc.paths").write_text("\n".join(NAMES))
    with pytest.raises(BatchError, match=r"--archives s3://commoncrawl or --archives https://data\.commoncrawl\.org"):
        list(expand(str(tmp_path / "warc.paths"), None))
    found = list(expand(str(tmp_path / "warc.paths"), None, "https://data.example/"))
    assert [file.path for file in found] == [f"https://data.example/{name}" for name in NAMES]


@pytest.mark.parametrize(("name", "holds"), [("a.warc.wet.gz", "text"), ("a.warc.wat.gz", "metadata")])
def test_wet_and_wat_files_get_a_clear_word(name: str, holds: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"")
    with pytest.raises(BatchError, match=rf"holds {holds}.*and no HTML; use the WARC file it was made from"):
        shards_of(tmp_path / name)


def test_conversion_records_are_counted(tmp_path: Path) -> None:
    (tmp_path / "a.warc.gz").write_bytes(packed(record(1, b"text", kind="conversion")))
    summary = run_batch([str(tmp_path)], job(tmp_path / "out"), workers=1)
    assert summary.total.skipped == {"conversion: text that was already extracted, as in WET files": 1}


def test_local_patterns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(3):
        write_warc(tmp_path / f"{number}.warc.gz", [page(number)])
    monkeypatch.chdir(tmp_path)
    assert [file.source for file in expand("[01].warc.gz", None)] == ["0.warc.gz", "1.warc.gz"]
    with pytest.raises(BatchError, match="there is no such file or folder"):
        list(expand("[89].warc.gz", None))


def test_no_secret_leaves() -> None:
    address = "s3://key:secret@bucket/a/b?endpoint_override=localhost:1"
    assert public_address(address) == "s3://bucket/a/b"
    assert Folder(address).uri("run/x") == "s3://key:secret@bucket/a/b/run/x?endpoint_override=localhost:1"
